//! Several configurations in one request: `"q":[[…],"@home",{"elbow":1}]`.

use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::{Fields, fault, is_list_of_values};
use crate::request::Refusal;

/// The request of each configuration; `None` where `q` is a single one.
pub(super) fn configurations<'a>(fields: &Fields<'a>) -> Result<Option<Vec<Fields<'a>>>, Refusal> {
    let lists: Vec<&str> = EACH
        .into_iter()
        .filter(|name| fields.raw(name).is_some_and(is_list_of_values))
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
pub(super) fn answers(
    each: &[Fields<'_>],
    ask: impl Fn(&Fields<'_>) -> Result<Value, Refusal>,
) -> Result<String, Refusal> {
    let mut text = "{\"answers\":[".to_owned();
    for (i, fields) in each.iter().enumerate() {
        let said = |Refusal(problem)| Refusal(format!("configuration {i}: {problem}"));
        if i > 0 {
            text.push(',');
        }
        text += &ask(fields).map_err(said)?.to_string();
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

/// Fields with a list for each configuration.
const EACH: [&str; 4] = ["q", "dq", "ddq", "tau"];

/// Maximum number of configurations.
const MOST: usize = 100_000;

/// Maximum length of the answers, in bytes.
pub(super) const LONGEST: usize = 256 << 20;
