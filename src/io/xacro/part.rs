//! Items and parts of lists, texts and maps.

use super::evaluate::{Outcome, shortened};
use super::functions::items;
use super::value::Value;

/// An item of a list, a letter of a text, or the value of a key.
pub(super) fn at(of: &Value, index: &Value) -> Outcome {
    if let Value::Map(items) = of {
        let found = items.iter().find(|(key, _)| key.equals(index));
        let missing = || format!("the map has no key `{}`", shortened(&index.to_text()));
        return found.map(|(_, value)| value.clone()).ok_or_else(missing);
    }
    let (Some(items), Some(i)) = (items(of), index.int()) else {
        return Err(format!(
            "{} has no index {}",
            of.kind(),
            shortened(&index.to_text())
        ));
    };
    let position = position(i, items.len());
    let missing = || format!("there is no item {i}; there are {}", items.len());
    items.get(position).cloned().ok_or_else(missing)
}

/// The item at an index, counted from the end if it is negative.
fn position(i: i64, length: usize) -> usize {
    let from_end = || length.checked_sub(usize::try_from(i.unsigned_abs()).ok()?);
    usize::try_from(i)
        .ok()
        .or_else(from_end)
        .unwrap_or(usize::MAX)
}

/// A part of a list or a text.
pub(super) fn slice(of: &Value, from: Option<Value>, to: Option<Value>) -> Outcome {
    let parts = items(of).filter(|_| !matches!(of, Value::Map(_)));
    let parts = parts.ok_or_else(|| format!("{} cannot be cut", of.kind()))?;
    let n = parts.len();
    let end = |end: Option<Value>, default: usize| match end {
        None => Ok(default),
        Some(end) => {
            let i = end.int().ok_or("a part begins and ends at whole numbers")?;
            let before = i < 0 && i.unsigned_abs() > n as u64;
            Ok::<_, String>(if before { 0 } else { position(i, n).min(n) })
        }
    };
    let (from, to) = (end(from, 0)?, end(to, n)?);
    let part = parts.get(from..to.max(from)).unwrap_or_default();
    Ok(match of {
        Value::Text(_) => Value::text(part.iter().map(Value::to_text).collect::<String>()),
        _ => Value::list(part.to_vec()),
    })
}
