//! What was said of files, for the page.

use kinworld::{Diagnostic, Severity};
use serde_json::{Value, json};

use crate::excerpt::Excerpts;

/// Maximum number of diagnostics in an event.
const MOST: usize = 200;

/// The event after files were read; `is_read` is false where the old world stays.
pub(super) fn event(is_read: bool, said: &[Diagnostic]) -> String {
    let mut excerpts = Excerpts::default();
    // errors come first
    let (errors, others): (Vec<_>, Vec<_>) = said
        .iter()
        .partition(|item| item.severity == Severity::Error);
    let shown = errors.into_iter().chain(others).take(MOST);
    let shown: Vec<Value> = shown.map(|item| one(item, &mut excerpts)).collect();
    json!({
        "event": "files",
        "ok": is_read,
        "left_out": said.len() - shown.len(),
        "diagnostics": shown,
    })
    .to_string()
}

fn one(item: &Diagnostic, excerpts: &mut Excerpts) -> Value {
    let mut place = String::new();
    if let Some(path) = &item.path {
        place = path.display().to_string();
        for number in [item.line, item.column].into_iter().flatten() {
            place += &format!(":{number}");
        }
    }
    json!({
        "severity": item.severity.to_string(),
        "text": item.message,
        "place": place,
        "element": item.element,
        "help": item.help,
        "excerpt": excerpts.of(item),
    })
}
