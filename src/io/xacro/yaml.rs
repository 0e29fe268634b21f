//! The part of YAML that robot descriptions use: maps and lists by indentation or in brackets, texts and numbers,
//! values that are repeated by name.

use std::collections::HashMap;

use super::expression::{Expr, parse as expression};
use super::functions;
use super::operators::{binary, unary};
use super::value::{Value, float};

/// A problem, and its line from 1.
type Problem = (usize, String);

/// A line that is not empty.
struct Line<'t> {
    number: usize,
    indent: usize,
    text: &'t str,
}

/// The value of a text.
pub(super) fn parse(text: &str) -> Result<Value, Problem> {
    let mut lines = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let plain = before_comment(line).trim_end();
        let said = plain.trim_start();
        if said.is_empty() || said == "---" || said.starts_with('%') {
            continue;
        }
        let indent = plain.len() - said.len();
        if plain
            .get(..indent)
            .is_some_and(|blanks| blanks.contains('\t'))
        {
            return Err((i + 1, "YAML is indented with spaces, not tabs".to_owned()));
        }
        lines.push(Line {
            number: i + 1,
            indent,
            text: said,
        });
    }
    let Some(first) = lines.first() else {
        return Ok(Value::None);
    };
    let mut reader = Reader {
        lines: &lines,
        next: 0,
        anchors: HashMap::new(),
    };
    let value = reader.block(first.indent, 0)?;
    match reader.peek() {
        Some(line) => Err((
            line.number,
            "its indentation matches no line above".to_owned(),
        )),
        None => Ok(value),
    }
}

/// Largest depth of maps and lists.
const DEEPEST: usize = 50;

struct Reader<'l, 't> {
    lines: &'l [Line<'t>],
    next: usize,
    /// Values with a name, `&name`, that others repeat, `*name`.
    anchors: HashMap<&'t str, Value>,
}

impl<'l, 't> Reader<'l, 't> {
    fn peek(&self) -> Option<&'l Line<'t>> {
        self.lines.get(self.next)
    }

    /// The map, list or text whose lines begin at this column.
    fn block(&mut self, indent: usize, depth: usize) -> Result<Value, Problem> {
        let Some(line) = self.peek() else {
            return Ok(Value::None);
        };
        if depth > DEEPEST {
            return Err((line.number, format!("nested more than {DEEPEST} deep")));
        }
        if is_item(line.text) {
            return self.list(indent, depth);
        }
        if key_and_rest(line.text).is_some() {
            return self.map(indent, depth);
        }
        self.next += 1;
        scalar(line.text).map_err(|problem| (line.number, problem))
    }

    fn list(&mut self, indent: usize, depth: usize) -> Result<Value, Problem> {
        let mut items = Vec::new();
        while let Some(line) = self.peek() {
            if line.indent != indent || !is_item(line.text) {
                break;
            }
            let rest = line.text.strip_prefix('-').unwrap_or("").trim_start();
            self.next += 1;
            if key_and_rest(rest).is_some() {
                return Err((
                    line.number,
                    "a map that begins after `-` is not read; put it on the next line".to_owned(),
                ));
            } else {
                items.push(self.value(rest, line.number, indent, depth)?);
            }
        }
        Ok(Value::list(items))
    }

    fn map(&mut self, indent: usize, depth: usize) -> Result<Value, Problem> {
        let mut items: Vec<(Value, Value)> = Vec::new();
        let mut inherited: Vec<(Value, Value)> = Vec::new();
        while let Some(line) = self.peek() {
            if line.indent != indent {
                break;
            }
            let Some((key, rest)) = key_and_rest(line.text) else {
                return Err((line.number, "`key: value` is expected".to_owned()));
            };
            self.next += 1;
            let key = scalar(key).map_err(|problem| (line.number, problem))?;
            let value = self.value(rest, line.number, indent, depth)?;
            match (&value, key.to_text().as_str()) {
                // `<<: *name` adds the keys that are not given here
                (Value::Map(others), "<<") => inherited.extend(others.iter().cloned()),
                _ => {
                    items.retain(|(known, _)| !known.equals(&key));
                    items.push((key, value));
                }
            }
        }
        inherited.retain(|(key, _)| !items.iter().any(|(known, _)| known.equals(key)));
        items.extend(inherited);
        Ok(Value::map(items))
    }

    /// The value after a key or a `-`, or below it.
    fn value(
        &mut self,
        rest: &'t str,
        number: usize,
        indent: usize,
        depth: usize,
    ) -> Result<Value, Problem> {
        if depth > DEEPEST {
            return Err((number, format!("nested more than {DEEPEST} deep")));
        }
        if let Some(name) = rest.strip_prefix('*') {
            let known = self.anchors.get(name).cloned();
            let known = known.ok_or_else(|| format!("nothing above is called `&{name}`"));
            // nested aliases grow fast
            return known
                .and_then(super::evaluate::checked)
                .map_err(|problem| (number, problem));
        }
        if let Some(named) = rest.strip_prefix('&') {
            let (name, rest) = named.split_once(' ').unwrap_or((named, ""));
            let value = self.value(rest.trim(), number, indent, depth + 1)?;
            self.anchors.insert(name, value.clone());
            return Ok(value);
        }
        match rest {
            "" => self.inner(indent, depth),
            rest => scalar(rest).map_err(|problem| (number, problem)),
        }
    }

    /// The block below a key or a `-`; a list need not be indented below its key.
    fn inner(&mut self, indent: usize, depth: usize) -> Result<Value, Problem> {
        match self.peek() {
            Some(line) if line.indent > indent => self.block(line.indent, depth + 1),
            Some(line) if line.indent == indent && is_item(line.text) && depth > 0 => {
                self.list(indent, depth + 1)
            }
            _ => Ok(Value::None),
        }
    }
}

fn is_item(text: &str) -> bool {
    text == "-" || text.starts_with("- ")
}

fn key_and_rest(text: &str) -> Option<(&str, &str)> {
    if text.starts_with(['[', '{']) {
        return None;
    }
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"') && at == 0 => quote = Some(c),
            None if c == ':' => {
                let rest = text.get(at + 1..).unwrap_or("");
                if rest.is_empty() || rest.starts_with(' ') {
                    return Some((text.get(..at).unwrap_or("").trim(), rest.trim()));
                }
            }
            None => {}
        }
    }
    None
}

/// A line up to its comment; quotes protect a `#`.
fn before_comment(line: &str) -> &str {
    let (mut quote, mut before) = (None, ' ');
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if c == '#' && before.is_whitespace() => return line.get(..at).unwrap_or(line),
            None if matches!(c, '\'' | '"') => quote = Some(c),
            None => {}
        }
        before = c;
    }
    line
}

/// A number, a truth value, a text, or a list or map in brackets.
fn scalar(text: &str) -> Result<Value, String> {
    if let Some((tag, rest)) = text.split_once(' ').filter(|_| text.starts_with('!')) {
        return with_unit(tag, rest.trim());
    }
    if text.starts_with(['|', '>']) {
        return Err(format!(
            "`{}` of YAML is not read",
            text.chars().take(1).collect::<String>()
        ));
    }
    if text.starts_with(['[', '{']) {
        let (value, rest) = flow(text, 0)?;
        return match rest.trim() {
            "" => Ok(value),
            rest => Err(format!("`{rest}` after a bracket")),
        };
    }
    Ok(word(text))
}

fn word(text: &str) -> Value {
    let quoted = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    if let Some(inside) = quoted('\'').or_else(|| quoted('"')) {
        return Value::text(inside);
    }
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

/// `[a, b]` or `{a: 1}`, and the text after it.
fn flow(text: &str, depth: usize) -> Result<(Value, &str), String> {
    if depth > DEEPEST {
        return Err(format!("brackets are nested more than {DEEPEST} deep"));
    }
    let is_map = text.starts_with('{');
    let end = if is_map { '}' } else { ']' };
    let mut rest = text.get(1..).unwrap_or("").trim_start();
    let (mut items, mut pairs) = (Vec::new(), Vec::new());
    loop {
        if let Some(after) = rest.strip_prefix(end) {
            let value = if is_map {
                Value::map(pairs)
            } else {
                Value::list(items)
            };
            return Ok((value, after));
        }
        let mut key = None;
        if is_map {
            let (name, after) = rest.split_once(':').ok_or("a map needs `key: value`")?;
            key = Some(word(name.trim()));
            rest = after.trim_start();
        }
        let (value, after) = if rest.starts_with(['[', '{']) {
            flow(rest, depth + 1)?
        } else {
            let stop = rest
                .find([',', end])
                .ok_or_else(|| format!("`{end}` is missing"))?;
            let (item, after) = rest.split_at(stop);
            (scalar_in_flow(item.trim())?, after)
        };
        match key {
            Some(key) => pairs.push((key, value)),
            None => items.push(value),
        }
        rest = after.trim_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_start();
    }
}

fn scalar_in_flow(text: &str) -> Result<Value, String> {
    match text.split_once(' ').filter(|_| text.starts_with('!')) {
        Some((tag, rest)) => with_unit(tag, rest.trim()),
        None => Ok(word(text)),
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
    fn what_is_not_read_is_said_with_its_line() {
        assert_eq!(parse("a: 1\n b: 2\n").unwrap_err().0, 2);
        let unknown = parse("a: *x\n").unwrap_err();
        assert_eq!(unknown, (1, "nothing above is called `&x`".to_owned()));
        let block = parse("a: |\n").unwrap_err();
        assert_eq!(block, (1, "`|` of YAML is not read".to_owned()));
    }
}
