//! Top-level fields of a JSON object as raw text.
//!
//! A map type would drop one of two equal keys, lose digits of a number in an `id`, and return
//! nothing for a line with a later syntax error. This scanner keeps all fields before the error, so
//! that the `id` can be copied to the answer.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::de::IgnoredAny;

/// The fields of one request by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Fields<'a>(BTreeMap<String, Raw<'a>>);

/// Raw text of a value, not yet validated.
#[derive(Debug, Clone, Copy)]
struct Raw<'a> {
    text: &'a str,
    /// Maximum nesting depth of brackets.
    depth: usize,
}

impl<'a> Fields<'a> {
    /// Splits a line; on a syntax error, also returns the fields before it.
    pub(super) fn split(line: &'a str) -> (Self, Result<(), String>) {
        let mut fields = Self::default();
        let outcome = fields.scan(line);
        (fields, outcome)
    }

    /// Raw text of the first field of this name.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).map(|raw| raw.text)
    }

    /// One field.
    pub(super) fn of(name: &str, text: &'a str) -> Self {
        let mut fields = Self::default();
        fields.replace(name, text);
        fields
    }

    /// Replaces the value of a field.
    pub(super) fn replace(&mut self, name: &str, text: &'a str) {
        self.0.insert(name.to_owned(), Raw { text, depth: 0 });
    }

    /// Names of the fields, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Raw text of the `id`: a JSON value of limited depth.
    pub(super) fn id(&self) -> Result<Option<String>, String> {
        let Some(raw) = self.0.get("id") else {
            return Ok(None);
        };
        if raw.depth > DEEPEST {
            return Err(format!("`id` is nested deeper than {DEEPEST} brackets"));
        }
        match serde_json::from_str::<IgnoredAny>(raw.text) {
            // a carriage return is JSON white space, but a line end for some readers
            Ok(_) => Ok(Some(raw.text.replace('\r', " "))),
            Err(error) => Err(format!("`id` is {}", not_json(fault(&error)))),
        }
    }

    fn scan(&mut self, line: &'a str) -> Result<(), String> {
        let Some(mut rest) = after(line, '{') else {
            return Err(match serde_json::from_str::<IgnoredAny>(line) {
                Ok(_) => {
                    "a request is an object, `{\"op\": …}`; a line may be a list of them".to_owned()
                }
                Err(error) => not_json(fault(&error)),
            });
        };
        if let Some(end) = after(rest, '}') {
            return at_end(end);
        }
        let mut twice = None;
        loop {
            let (name, behind) = name(rest).map_err(not_json)?;
            let Some(behind) = after(behind, ':') else {
                return Err(not_json(format!("expected `:` after `{name}`")));
            };
            let (value, behind) = value(behind, b'}');
            let (next, end) = (after(behind, ','), after(behind, '}'));
            if next.is_none() && end.is_none() {
                return Err(not_json("the object does not end"));
            }
            match self.0.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(value);
                }
                Entry::Occupied(entry) => {
                    twice.get_or_insert_with(|| format!("`{}` is given twice", entry.key()));
                }
            }
            if let Some(next) = next {
                rest = next;
            } else if let Some(end) = end {
                at_end(end)?;
                return twice.map_or(Ok(()), Err);
            }
        }
    }
}

/// Texts of the requests of a line that is a list of at most so many; nothing for another line.
pub(super) fn requests(line: &str, most: usize) -> Option<Result<Vec<&str>, String>> {
    let mut rest = after(line, '[')?;
    if after(rest, ']').is_some() {
        return Some(Err("a list of requests must not be empty".to_owned()));
    }
    let mut requests = Vec::new();
    loop {
        let (request, behind) = value(rest, b']');
        requests.push(request.text);
        if requests.len() > most {
            return Some(Err(format!("more than {most} requests in a list")));
        }
        if let Some(next) = after(behind, ',') {
            rest = next;
        } else if let Some(end) = after(behind, ']') {
            return Some(at_end(end).map(|()| requests));
        } else {
            return Some(Err(not_json("the list does not end")));
        }
    }
}

/// Returns whether a list starts with a list, an object or a string: its entries are configurations, not numbers.
pub(super) fn is_list_of_values(raw: &str) -> bool {
    let inner = raw
        .strip_prefix('[')
        .map(|inner| inner.trim_start_matches(BLANK));
    inner.is_some_and(|inner| inner.starts_with(['[', '{', '"']))
}

/// Message of serde without the line number, as there is only one line.
pub(super) fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

fn not_json(problem: impl std::fmt::Display) -> String {
    format!("not valid JSON: {problem}")
}

/// Text after `mark`, if it starts with it.
fn after(text: &str, mark: char) -> Option<&str> {
    text.trim_start_matches(BLANK).strip_prefix(mark)
}

fn at_end(text: &str) -> Result<(), String> {
    if text.trim_start_matches(BLANK).is_empty() {
        Ok(())
    } else {
        Err("there is more after the end of the request: one per line, or a list `[…]`".to_owned())
    }
}

/// Name of a field, and the text after it.
fn name(text: &str) -> Result<(String, &str), String> {
    let text = text.trim_start_matches(BLANK);
    if !text.starts_with('"') {
        return Err("expected the name of a field in double quotes".to_owned());
    }
    let (raw, rest) = text.split_at(string_end(text));
    match serde_json::from_str(raw) {
        Ok(name) => Ok((name, rest)),
        Err(error) => Err(fault(&error)),
    }
}

/// A value up to the comma or the closing bracket that ends it, and the text after it. It is validated
/// when it is parsed.
fn value(text: &str, end: u8) -> (Raw<'_>, &str) {
    let (mut open, mut depth, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        match byte {
            b',' if open == 0 => break,
            byte if byte == end && open == 0 => break,
            b'"' => {
                at += string_end(&text[at..]);
                continue;
            }
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        depth = depth.max(open);
        at += 1;
    }
    let (raw, rest) = text.split_at(at);
    let text = raw.trim_matches(BLANK);
    (Raw { text, depth }, rest)
}

/// End of the string that starts the text: after its closing quote, or at the end of the text.
fn string_end(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// White space of JSON.
const BLANK: [char; 4] = [' ', '\t', '\n', '\r'];

/// Maximum nesting depth, that of serde_json.
const DEEPEST: usize = 127;
