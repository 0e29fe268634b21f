//! YAML as the values of expressions: maps, lists and scalars by the rules of `PyYAML`, which xacro reads it with, and its
//! tags of units.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, ScalarStyle, Tag};

use super::evaluate::checked;
use super::expression::{Expr, parse as expression};
use super::functions;
use super::operators::{binary, unary};
use super::value::{Value, float};

/// A problem, and its line from 1.
type Problem = (usize, String);

/// The value of the one document of a text.
pub(super) fn parse(text: &str) -> Result<Value, Problem> {
    let mut builder = Builder::default();
    for event in Parser::new_from_str(text) {
        let (event, span) = event.map_err(|error| (error.marker().line(), error.info().into()))?;
        let line = span.start.line();
        builder.take(event).map_err(|problem| (line, problem))?;
    }
    Ok(builder.document.unwrap_or(Value::None))
}

/// Largest depth of maps and lists.
const DEEPEST: usize = 50;

/// Builds a value from the events of a parser.
#[derive(Default)]
struct Builder {
    /// The lists and maps that are open, the outermost first, each with its anchor.
    open: Vec<(usize, Open)>,
    /// Values with a name, `&name`, that others repeat, `*name`.
    anchors: HashMap<usize, Value>,
    document: Option<Value>,
}

impl Builder {
    fn take(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) if self.document.is_some() => {
                Err("a second document begins here; one is read".to_owned())
            }
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar(&text, style, tag.as_deref())?;
                self.close(anchor, value)
            }
            Event::Alias(anchor) => {
                let value = self.anchors.get(&anchor).cloned();
                let value = value.ok_or("a value that repeats itself has no end")?;
                // nested aliases grow fast
                self.close(0, checked(value)?)
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(anchor, Open::List(Vec::new()), tag.as_deref())
            }
            Event::MappingStart(anchor, tag) => {
                self.open(anchor, Open::Map(Map::default()), tag.as_deref())
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some((anchor, Open::List(items))) => self.close(anchor, Value::list(items)),
                Some((anchor, Open::Map(map))) => self.close(anchor, map.finish()),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn open(&mut self, anchor: usize, open: Open, tag: Option<&Tag>) -> Result<(), String> {
        if let Some(tag) = tag.filter(|tag| !tag.is_yaml_core_schema()) {
            return Err(format!("the tag `{tag}` of a list or a map is not known"));
        }
        if self.open.len() >= DEEPEST {
            return Err(format!("nested more than {DEEPEST} deep"));
        }
        self.open.push((anchor, open));
        Ok(())
    }

    /// Puts a whole value where the parser is: into the innermost list or map that is open.
    fn close(&mut self, anchor: usize, value: Value) -> Result<(), String> {
        // anchors count from 1
        if anchor > 0 {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            Some((_, Open::List(items))) => items.push(value),
            Some((_, Open::Map(map))) => map.push(value)?,
            None => self.document = Some(value),
        }
        Ok(())
    }
}

/// A list or a map whose end has not been read.
enum Open {
    List(Vec<Value>),
    Map(Map),
}

#[derive(Default)]
struct Map {
    items: Vec<(Value, Value)>,
    /// Index in `items` of each key.
    known: HashMap<String, usize>,
    /// Keys of other maps, which those given here precede.
    inherited: Vec<(Value, Value)>,
    /// A key whose value has not been read.
    key: Option<Value>,
}

impl Map {
    fn push(&mut self, value: Value) -> Result<(), String> {
        let Some(key) = self.key.take() else {
            if matches!(value, Value::List(_) | Value::Map(_)) {
                return Err("a list or a map is no key".to_owned());
            }
            self.key = Some(value);
            return Ok(());
        };
        match (&key, &value) {
            // `<<: *name` adds the keys that are not given here
            (Value::Text(name), Value::Map(others)) if &**name == "<<" => {
                self.inherited.extend(others.iter().cloned());
            }
            (Value::Text(name), Value::List(maps)) if &**name == "<<" => {
                for map in maps.iter() {
                    let Value::Map(others) = map else {
                        return Err("`<<` takes maps".to_owned());
                    };
                    self.inherited.extend(others.iter().cloned());
                }
            }
            _ => self.insert(key, value),
        }
        if self.inherited.len() > super::value::LONGEST {
            return Err(format!("a map of more than {} keys", super::value::LONGEST));
        }
        Ok(())
    }

    /// The last value of a key counts.
    fn insert(&mut self, key: Value, value: Value) {
        let next = self.items.len();
        let at = *self.known.entry(identity(&key)).or_insert(next);
        match self.items.get_mut(at) {
            Some(item) => item.1 = value,
            None => self.items.push((key, value)),
        }
    }

    fn finish(mut self) -> Value {
        for (key, value) in std::mem::take(&mut self.inherited) {
            if !self.known.contains_key(&identity(&key)) {
                self.insert(key, value);
            }
        }
        Value::map(self.items)
    }
}

/// A text that is the same for keys that are equal, such as `1` and `1.0`, and for no others.
fn identity(key: &Value) -> String {
    match (key, key.number()) {
        (Value::Text(text), _) => format!("text {text}"),
        (_, Some(number)) => format!("number {number}"),
        _ => key.to_text(),
    }
}

/// A number, a truth value, a text, or a number with the tag of a unit.
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<Value, String> {
    match tag {
        Some(tag) if !tag.is_yaml_core_schema() => with_unit(tag, text),
        Some(tag) if tag.suffix == "str" => Ok(Value::text(text)),
        _ if matches!(style, ScalarStyle::Plain) => Ok(word(text)),
        _ => Ok(Value::text(text)),
    }
}

/// A scalar without quotes, by the rules of YAML 1.1.
fn word(text: &str) -> Value {
    match text {
        "true" | "True" | "yes" | "Yes" | "on" => Value::Bool(true),
        "false" | "False" | "no" | "No" | "off" => Value::Bool(false),
        "" | "~" | "null" | "Null" => Value::None,
        ".inf" => Value::Float(f64::INFINITY),
        "-.inf" => Value::Float(f64::NEG_INFINITY),
        _ => {
            let is_number = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
            let whole = text.parse().ok().map(Value::Int);
            // a number with an exponent needs a point to be one in YAML
            let float = || float(text).filter(|_| text.contains('.')).map(Value::Float);
            let number = whole.or_else(float).filter(|_| is_number);
            number.unwrap_or_else(|| Value::text(text))
        }
    }
}

/// `!degrees 90` and the like, in radians or metres.
fn with_unit(tag: &Tag, text: &str) -> Result<Value, String> {
    let factor = match tag.to_string().as_str() {
        "!radians" | "!meters" => 1.0,
        "!degrees" => std::f64::consts::PI / 180.0,
        "!millimeters" => 0.001,
        "!foot" => 0.3048,
        "!inches" => 0.0254,
        _ => return Err(format!("the tag `{tag}` is not known")),
    };
    let value = constant(&expression(text)?, 0)?;
    let number = value
        .number()
        .ok_or_else(|| format!("`{text}` is not a number"))?;
    Ok(Value::Float(number * factor))
}

/// An expression with built-in names only.
fn constant(expr: &Expr, depth: usize) -> Result<Value, String> {
    if depth > DEEPEST {
        return Err(format!("it branches more than {DEEPEST} deep"));
    }
    match expr {
        Expr::Value(value) => Ok(value.clone()),
        Expr::Name(name) => {
            functions::global(name).ok_or_else(|| format!("`{name}` is not defined"))
        }
        Expr::Unary(sign, value) => unary(sign, &constant(value, depth + 1)?),
        Expr::Binary(sign, a, b) if !matches!(*sign, "and" | "or") => {
            binary(sign, &constant(a, depth + 1)?, &constant(b, depth + 1)?)
        }
        _ => Err("only numbers and arithmetic can have a unit".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_lists_and_units_are_read() {
        let text = "# limits\nlimits:\n  a: {min: !degrees -180, names: [x, 'y']}\n  b:\n  - 1\n  - 2.5\nscale: 1e3 # text\n";
        let value = parse(text).unwrap().to_text();
        assert_eq!(
            value,
            "{'limits': {'a': {'min': -3.141592653589793, 'names': ['x', 'y']}, 'b': [1, 2.5]}, 'scale': '1e3'}"
        );
    }

    #[test]
    fn named_values_are_repeated() {
        let text = "a: &one\n  x: 1\n  y: 2\nb: *one\nc:\n  <<: *one\n  y: 3\n";
        assert_eq!(
            parse(text).unwrap().to_text(),
            "{'a': {'x': 1, 'y': 2}, 'b': {'x': 1, 'y': 2}, 'c': {'y': 3, 'x': 1}}"
        );
    }

    #[test]
    fn a_map_may_begin_after_a_dash_and_texts_span_lines() {
        let text = "robots:\n  - name: left\n    base: [0, 1]\n  - {name: right}\nnote: |\n  a\n  b\nfolded: >-\n  c\n  d\n1.0: x\n1: y\n";
        assert_eq!(
            parse(text).unwrap().to_text(),
            "{'robots': [{'name': 'left', 'base': [0, 1]}, {'name': 'right'}], 'note': 'a\nb\n', 'folded': 'c d', 1.0: 'y'}"
        );
    }

    #[test]
    fn what_cannot_be_read_is_said_with_its_line() {
        let cases: [(&str, usize, &str); 7] = [
            ("a: 1\n b: 2\n", 2, "mapping values are not allowed"),
            ("a:\n\tb: 2\n", 2, "tab"),
            ("a: 1\nb: *x\n", 2, "unknown anchor"),
            ("a: &x\n  b: *x\n", 2, "repeats itself"),
            (
                "a: 1\nb: !furlongs 2\n",
                2,
                "the tag `!furlongs` is not known",
            ),
            ("a: 1\n---\nb: 2\n", 2, "a second document"),
            ("[1]: 2\n", 1, "a list or a map is no key"),
        ];
        for (text, line, part) in cases {
            let (at, problem) = parse(text).unwrap_err();
            assert_eq!(at, line, "{text:?}: {problem}");
            assert!(problem.contains(part), "{text:?}: {problem}");
        }
        let (_, problem) = parse(&"[".repeat(100)).unwrap_err();
        assert_eq!(problem, "nested more than 50 deep");
        parse(&"[".repeat(100_000)).unwrap_err();
    }

    #[test]
    fn a_large_map_is_read_in_steps_in_proportion_to_its_size() {
        let mut text = String::new();
        for i in 0..100_000 {
            text += &format!("k{i}: {i}\n");
        }
        let Value::Map(items) = parse(&text).unwrap() else {
            panic!("no map")
        };
        assert_eq!(items.len(), 100_000);
    }

    #[test]
    fn aliases_of_aliases_are_refused_before_they_grow() {
        let mut text = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for i in 1..12 {
            let last = format!("*a{}", i - 1);
            text += &format!("a{i}: &a{i} [{}]\n", [last.as_str(); 10].join(", "));
        }
        let (_, problem) = parse(&text).unwrap_err();
        assert!(problem.contains("more than"), "{problem}");
    }
}
