//! YAML as the values of expressions: maps, lists and scalars by the rules of `PyYAML`, which xacro reads it with, and its
//! tags of units.

use std::collections::HashMap;

use super::expression::{Expr, parse as expression};
use super::functions;
use super::operators::{binary, unary};
use super::value::{Value, float};
use crate::io::position::Position;
use crate::io::yaml::{self, Content, Node, Problem};

/// The value of the one document of a text.
pub(super) fn parse(text: &str) -> Result<Value, Problem> {
    yaml::parse(text)?.map_or(Ok(Value::None), |node| value(&node))
}

/// Largest depth of expressions with a unit.
const DEEPEST: usize = 50;

fn value(node: &Node) -> Result<Value, Problem> {
    let at = |problem: String| (node.position, problem);
    match (&node.content, &node.tag) {
        (Content::Scalar { text, .. }, Some(tag)) => with_unit(tag, text).map_err(at),
        (
            Content::Scalar {
                text,
                is_plain: true,
            },
            None,
        ) => Ok(word(text)),
        (Content::Scalar { text, .. }, None) => Ok(Value::text(text.as_str())),
        (_, Some(tag)) => Err(at(format!(
            "the tag `{tag}` of a list or a map is not known"
        ))),
        (Content::List(items), None) => {
            let items: Result<Vec<Value>, Problem> = items.iter().map(value).collect();
            Ok(Value::list(items?))
        }
        (Content::Map(pairs), None) => map(pairs),
    }
}

/// The value of a map: the last value of a key counts, and `<<: *name` adds the keys that are not given here.
fn map(pairs: &[(Node, Node)]) -> Result<Value, Problem> {
    let mut map = Map::default();
    let mut inherited = Vec::new();
    for (key, node) in pairs {
        let (name, value) = (value(key)?, value(node)?);
        match (&name, &value) {
            (Value::List(_) | Value::Map(_), _) => {
                return Err((key.position, "a list or a map is no key".to_owned()));
            }
            (Value::Text(text), Value::Map(_)) if &**text == "<<" => {
                inherited.push((node.position, value));
            }
            (Value::Text(text), Value::List(maps)) if &**text == "<<" => {
                inherited.extend(maps.iter().map(|map| (node.position, map.clone())));
            }
            _ => map.insert(name, value),
        }
    }
    for (position, others) in inherited {
        map.inherit(&others, position)?;
    }
    Ok(Value::map(map.items))
}

#[derive(Default)]
struct Map {
    items: Vec<(Value, Value)>,
    /// Index in `items` of each key.
    known: HashMap<String, usize>,
}

impl Map {
    fn insert(&mut self, key: Value, value: Value) {
        let next = self.items.len();
        let at = *self.known.entry(identity(&key)).or_insert(next);
        match self.items.get_mut(at) {
            Some(item) => item.1 = value,
            None => self.items.push((key, value)),
        }
    }

    /// Adds the keys of another map that are not in this one.
    fn inherit(&mut self, others: &Value, position: Position) -> Result<(), Problem> {
        let Value::Map(others) = others else {
            return Err((position, "`<<` takes maps".to_owned()));
        };
        for (key, value) in others.iter() {
            if !self.known.contains_key(&identity(key)) {
                self.insert(key.clone(), value.clone());
            }
        }
        Ok(())
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
fn with_unit(tag: &str, text: &str) -> Result<Value, String> {
    let factor = match tag {
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
    fn what_has_no_meaning_is_said_with_its_line() {
        let cases: [(&str, u32, &str); 4] = [
            (
                "a: 1\nb: !furlongs 2\n",
                2,
                "the tag `!furlongs` is not known",
            ),
            (
                "a: !x [1]\n",
                1,
                "the tag `!x` of a list or a map is not known",
            ),
            ("a: 1\n[1]: 2\n", 2, "a list or a map is no key"),
            ("a: 1\n<<: [1]\n", 2, "`<<` takes maps"),
        ];
        for (text, line, part) in cases {
            let (at, problem) = parse(text).unwrap_err();
            assert_eq!((at.line, problem.as_str()), (line, part), "{text:?}");
        }
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
}
