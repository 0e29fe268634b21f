//! Values of expressions and their text: by Python's rules, since the files rely on them.

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::ops::Deref;
use std::rc::Rc;

/// Value of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    None,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Rc<str>),
    /// A list or a tuple.
    List(Rc<Nested<Self>>),
    Map(Rc<Nested<(Self, Self)>>),
    /// A function by its name.
    Function(&'static str),
    /// `math`, `python` or `xacro`.
    Module(&'static str),
    /// A function of a text or a map, such as `"a b".split`.
    Method(Rc<Self>, Rc<str>),
    /// The names of a file that was included under a name.
    Scope(usize),
}

/// Values in a list or a map, with their size: both may share values, and grow without memory.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Nested<T> {
    items: Vec<T>,
    depth: usize,
    size: usize,
}

impl<T> Deref for Nested<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.items
    }
}

/// Largest length of a text, in bytes, and of a list, in items.
pub(super) const LONGEST: usize = 1 << 20;

impl Value {
    pub(super) fn text(text: impl Into<Rc<str>>) -> Self {
        Self::Text(text.into())
    }

    pub(super) fn list(items: Vec<Self>) -> Self {
        let (depth, size) = Self::extent(items.iter());
        Self::List(Rc::new(Nested { items, depth, size }))
    }

    pub(super) fn map(items: Vec<(Self, Self)>) -> Self {
        let (depth, size) = Self::extent(items.iter().flat_map(|(key, value)| [key, value]));
        Self::Map(Rc::new(Nested { items, depth, size }))
    }

    fn extent<'v>(items: impl Iterator<Item = &'v Self>) -> (usize, usize) {
        items.fold((1, 1), |(depth, size), item| {
            (
                depth.max(item.depth() + 1),
                size.saturating_add(item.size()),
            )
        })
    }

    /// Depth of lists and maps in it.
    pub(super) fn depth(&self) -> usize {
        match self {
            Self::List(items) => items.depth,
            Self::Map(items) => items.depth,
            _ => 0,
        }
    }

    /// Number of values in it, counted as often as they are written; a text counts by its length.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::List(items) => items.size,
            Self::Map(items) => items.size,
            Self::Text(text) => 1 + text.len() / 16,
            _ => 1,
        }
    }

    /// The value of a text: a number, `true`, `false`, or else the text without single quotes.
    pub(super) fn literal(text: &str) -> Self {
        if text.len() >= 2 && text.starts_with('\'') && text.ends_with('\'') {
            return Self::text(text.get(1..text.len() - 1).unwrap_or_default());
        }
        if text.contains('_') {
            return Self::text(text);
        }
        let word = text.trim();
        if let Ok(number) = word.parse::<i64>() {
            return Self::Int(number);
        }
        if let Some(number) = float(word) {
            return Self::Float(number);
        }
        match text {
            "true" | "True" => Self::Bool(true),
            "false" | "False" => Self::Bool(false),
            _ => Self::text(text),
        }
    }

    /// Its kind, for messages.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::None => "nothing",
            Self::Bool(_) => "a truth value",
            Self::Int(_) => "a whole number",
            Self::Float(_) => "a number",
            Self::Text(_) => "a text",
            Self::List(_) => "a list",
            Self::Map(_) => "a map",
            Self::Function(_) | Self::Method(..) => "a function",
            Self::Module(_) | Self::Scope(_) => "a set of names",
        }
    }

    /// Its truth as a condition.
    pub(super) fn is_true(&self) -> bool {
        match self {
            Self::None => false,
            Self::Bool(b) => *b,
            Self::Int(i) => *i != 0,
            Self::Float(x) => *x != 0.0,
            Self::Text(text) => !text.is_empty(),
            Self::List(items) => !items.is_empty(),
            Self::Map(items) => !items.is_empty(),
            _ => true,
        }
    }

    /// The number, where it is one.
    pub(super) fn number(&self) -> Option<f64> {
        match *self {
            Self::Bool(b) => Some(f64::from(u8::from(b))),
            Self::Int(i) => Some(i as f64),
            Self::Float(x) => Some(x),
            _ => None,
        }
    }

    /// The whole number, where it is one.
    pub(super) fn int(&self) -> Option<i64> {
        match *self {
            Self::Bool(b) => Some(i64::from(b)),
            Self::Int(i) => Some(i),
            _ => None,
        }
    }

    /// Equality as in Python: numbers with numbers, otherwise only values of one type.
    #[expect(clippy::float_cmp, reason = "a file that compares numbers means it")]
    pub(super) fn equals(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::List(a), Self::List(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| a.equals(b))
            }
            _ => match (self.number(), other.number()) {
                (Some(a), Some(b)) => a == b,
                _ => self == other,
            },
        }
    }

    /// The order of numbers, of texts and of lists.
    pub(super) fn order(&self, other: &Self) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (self.number(), other.number()) {
            return a.partial_cmp(&b);
        }
        match (self, other) {
            (Self::Text(a), Self::Text(b)) => Some(a.cmp(b)),
            (Self::List(a), Self::List(b)) => {
                let differing = a.iter().zip(b.iter()).find(|(a, b)| !a.equals(b));
                match differing {
                    Some((a, b)) => a.order(b),
                    None => Some(a.len().cmp(&b.len())),
                }
            }
            _ => None,
        }
    }

    /// Its text in the file.
    pub(super) fn to_text(&self) -> String {
        match self {
            Self::Text(text) => text.to_string(),
            other => {
                let mut out = String::new();
                other.write(&mut out, 0);
                out
            }
        }
    }

    /// As text inside a list.
    fn write(&self, out: &mut String, depth: usize) {
        const DEEPEST: usize = 50;
        if depth > DEEPEST || out.len() > LONGEST {
            out.push('…');
            return;
        }
        let separated = |out: &mut String, i: usize| {
            if i > 0 {
                out.push_str(", ");
            }
        };
        match self {
            Self::None => out.push_str("None"),
            Self::Bool(true) => out.push_str("True"),
            Self::Bool(false) => out.push_str("False"),
            Self::Int(i) => {
                let _ = write!(out, "{i}");
            }
            Self::Float(x) => out.push_str(&float_text(*x)),
            Self::Text(text) => {
                let _ = write!(out, "'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
            }
            Self::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    separated(out, i);
                    item.write(out, depth + 1);
                }
                out.push(']');
            }
            Self::Map(items) => {
                out.push('{');
                for (i, (key, value)) in items.iter().enumerate() {
                    separated(out, i);
                    key.write(out, depth + 1);
                    out.push_str(": ");
                    value.write(out, depth + 1);
                }
                out.push('}');
            }
            other => out.push_str(other.kind()),
        }
    }
}

/// A number as Python reads it: also `inf`, `nan` and `infinity` in any case.
pub(super) fn float(word: &str) -> Option<f64> {
    // Rust takes the same words, except for spaces around them
    word.trim().parse().ok()
}

/// A number as Python writes it: shortest digits that read back the same.
fn float_text(x: f64) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let scientific = format!("{x:e}");
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        return format!("{x:?}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_python_writes_them() {
        for (x, text) in [
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e-5, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (0.0001, "0.0001"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (-0.0, "-0.0"),
            (f64::INFINITY, "inf"),
        ] {
            assert_eq!(Value::Float(x).to_text(), text);
        }
    }

    #[test]
    fn words_that_are_numbers_become_numbers() {
        assert_eq!(Value::literal(" 5 "), Value::Int(5));
        assert_eq!(Value::literal("0.10"), Value::Float(0.1));
        assert_eq!(Value::literal("true"), Value::Bool(true));
        assert_eq!(Value::literal("1_0"), Value::text("1_0"));
        assert_eq!(Value::literal("'5'"), Value::text("5"));
    }
}
