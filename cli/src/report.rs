//! Messages on standard error. A closed or full one is no reason to stop.

use std::io::{self, Write};

use kinworld::{Diagnostic, Error};

use crate::table::printable;

/// Says what a loader remarked.
pub(crate) fn diagnostics<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>) {
    let mut text = String::new();
    for diagnostic in diagnostics {
        text.push_str(&render(diagnostic));
    }
    say(&text);
}

/// Says why a call failed, warnings first.
pub(crate) fn error(error: &Error) {
    match error {
        Error::Load(error) => {
            diagnostics(&error.warnings);
            diagnostics([&*error.diagnostic]);
        }
        error => refusal(&error.to_string()),
    }
}

/// Says why there is no answer.
pub(crate) fn refusal(message: &str) {
    say(&format!("error: {}\n", printable(message)));
}

/// One remark: its line, what it is about, and advice.
fn render(diagnostic: &Diagnostic) -> String {
    let mut text = printable(&diagnostic.to_string()) + "\n";
    if let Some(element) = &diagnostic.element {
        text += &format!("  in: {}\n", printable(element));
    }
    if let Some(help) = &diagnostic.help {
        text += &format!("  help: {}\n", printable(help));
    }
    text
}

fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
