//! The top-level fields of a JSON object as they stand in the line, before anything is made of them.
//!
//! A map type would keep one of two equal keys, would lose digits of a number in an `id`, and would
//! tell nothing about a line that is broken further on. This scanner keeps all fields that it has
//! passed, so that the `id` can be echoed with the error.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::de::IgnoredAny;

/// The fields of one request by name.
#[derive(Debug, Default)]
pub(super) struct Fields<'a>(BTreeMap<String, Raw<'a>>);

/// The text of a value, not yet known to be valid.
#[derive(Debug, Clone, Copy)]
struct Raw<'a> {
    text: &'a str,
    /// How many brackets are open at once, at most.
    depth: usize,
}

impl<'a> Fields<'a> {
    /// Splits a line; what was read before a fault is kept beside the fault.
    pub(super) fn split(line: &'a str) -> (Self, Result<(), String>) {
        let mut fields = Self::default();
        let outcome = fields.scan(line);
        (fields, outcome)
    }

    /// The text of the first field of this name, as it stands in the line.
    pub(super) fn raw(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).map(|raw| raw.text)
    }

    /// The names, sorted.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// The text of the `id` that may be echoed: a JSON value, not nested beyond reason.
    pub(super) fn id(&self) -> Result<Option<String>, String> {
        let Some(raw) = self.0.get("id") else {
            return Ok(None);
        };
        if raw.depth > DEEPEST {
            return Err(format!("`id` is nested deeper than {DEEPEST} brackets"));
        }
        match serde_json::from_str::<IgnoredAny>(raw.text) {
            // white space of JSON that some readers take for the end of a line
            Ok(_) => Ok(Some(raw.text.replace('\r', " "))),
            Err(error) => Err(format!("`id` is {}", not_json(fault(&error)))),
        }
    }

    fn scan(&mut self, line: &'a str) -> Result<(), String> {
        let Some(mut rest) = after(line, '{') else {
            return Err(match serde_json::from_str::<IgnoredAny>(line) {
                Ok(_) => "a request is an object, `{\"op\": …}`".to_owned(),
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
            let (value, behind) = value(behind);
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

/// What serde says is wrong, without its line number: there is only one line.
pub(super) fn fault(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let end = text.rfind(" at line ").unwrap_or(text.len());
    text[..end].to_owned()
}

fn not_json(problem: impl std::fmt::Display) -> String {
    format!("not valid JSON: {problem}")
}

/// What follows `mark`, if the text starts with it.
fn after(text: &str, mark: char) -> Option<&str> {
    text.trim_start_matches(BLANK).strip_prefix(mark)
}

fn at_end(text: &str) -> Result<(), String> {
    if text.trim_start_matches(BLANK).is_empty() {
        Ok(())
    } else {
        Err("there is more after the end of the object: one request per line".to_owned())
    }
}

/// The name of a field, and what follows it.
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

/// A value up to the comma or brace that ends it, and what follows. Whether it is valid is left to
/// whoever reads it.
fn value(text: &str) -> (Raw<'_>, &str) {
    let (mut open, mut depth, mut at) = (0_usize, 0, 0);
    while let Some(&byte) = text.as_bytes().get(at) {
        match byte {
            b',' | b'}' if open == 0 => break,
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

/// Where the string that starts the text is over: behind its closing quote, or at the end.
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

/// Where serde_json, too, stops.
const DEEPEST: usize = 127;
