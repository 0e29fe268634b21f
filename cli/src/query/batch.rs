//! Several configurations in one request: `"q":[[…],[…]]`.

use serde_json::value::RawValue;

use super::fields::{Fields, fault};
use super::parse;
use crate::answer::answer;
use crate::request::Refusal;
use crate::session::Session;

/// The request of each configuration; `None` where `q` is a single one.
pub(super) fn configurations<'a>(fields: &Fields<'a>) -> Result<Option<Vec<Fields<'a>>>, Refusal> {
    let lists: Vec<&str> = EACH
        .into_iter()
        .filter(|name| fields.raw(name).is_some_and(is_nested))
        .collect();
    let Some(first) = lists.first() else {
        return Ok(None);
    };
    if *first != "q" {
        let problem = format!("`{first}` is a list of lists, but `q` is not");
        return Err(Refusal(problem));
    }
    let mut each: Vec<Fields<'a>> = Vec::new();
    for name in lists {
        let raw = fields.raw(name).unwrap_or_default();
        let rows: Vec<&RawValue> = serde_json::from_str(raw)
            .map_err(|error| Refusal(format!("`{name}` must be lists: {}", fault(&error))))?;
        if name == "q" {
            if rows.len() > MOST {
                let problem = format!("at most {MOST} configurations in one request");
                return Err(Refusal(problem));
            }
            each = rows.iter().map(|_| fields.clone()).collect();
        }
        if rows.len() != each.len() {
            let (n, found) = (each.len(), rows.len());
            let problem = format!("`q` has {n} configurations, `{name}` {found} lists");
            return Err(Refusal(problem));
        }
        for (fields, row) in each.iter_mut().zip(rows) {
            fields.replace(name, row.get());
        }
    }
    Ok(Some(each))
}

/// Answers to all of them, in order: those of as many requests, bit for bit.
pub(super) fn answers(session: &Session, op: &str, each: &[Fields<'_>]) -> Result<String, Refusal> {
    let mut text = "{\"answers\":[".to_owned();
    for (i, fields) in each.iter().enumerate() {
        let said = |Refusal(problem)| Refusal(format!("configuration {i}: {problem}"));
        let one = parse::request(op, fields).and_then(|request| answer(session, &request));
        if i > 0 {
            text.push(',');
        }
        text += &one.map_err(said)?.to_string();
        if text.len() > LONGEST {
            let problem = format!(
                "the answers are longer than {} MiB, after {} of {} configurations: ask for fewer",
                LONGEST >> 20,
                i + 1,
                each.len()
            );
            return Err(Refusal(problem));
        }
    }
    text += "]}";
    Ok(text)
}

/// Returns whether a list starts with a list.
fn is_nested(raw: &str) -> bool {
    let inner = raw.strip_prefix('[').map(str::trim_start);
    inner.is_some_and(|inner| inner.starts_with('['))
}

/// Fields with a list for each configuration.
const EACH: [&str; 4] = ["q", "dq", "ddq", "tau"];

/// Maximum number of configurations.
const MOST: usize = 100_000;

/// Maximum length of the answers, in bytes.
const LONGEST: usize = 256 << 20;
