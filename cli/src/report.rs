//! Messages on standard error. A closed or full one is no reason to stop.

use std::io::{self, Write};

use kinworld::{Diagnostic, Error};

use crate::excerpt::Excerpts;
use crate::table::printable;

/// Tells what loaders remark.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Where lines of files are shown beside the remarks.
    excerpts: Option<Excerpts>,
}

impl Report {
    /// One line per remark, and one for advice.
    pub(crate) fn short() -> Self {
        Self::default()
    }

    /// The same with the lines of the files.
    pub(crate) fn with_excerpts() -> Self {
        Self {
            excerpts: Some(Excerpts::default()),
        }
    }

    /// Says what a loader remarked.
    pub(crate) fn diagnostics<'a>(&mut self, list: impl IntoIterator<Item = &'a Diagnostic>) {
        let text: String = list.into_iter().map(|item| self.render(item)).collect();
        say(&text);
    }

    /// Says why a file was refused, warnings first.
    pub(crate) fn error(&mut self, error: &Error) {
        match error {
            Error::Load(error) => {
                self.diagnostics(&error.warnings);
                self.diagnostics([&*error.diagnostic]);
            }
            error => refusal(&error.to_string()),
        }
    }

    fn render(&mut self, diagnostic: &Diagnostic) -> String {
        let mut text = printable(&diagnostic.to_string()) + "\n";
        if let Some(excerpts) = &mut self.excerpts {
            text += &excerpts.of(diagnostic).unwrap_or_default();
        }
        let element = diagnostic.element.as_ref();
        if let Some(element) = element.filter(|name| !diagnostic.message.contains(*name)) {
            text += &format!("  in: {}\n", printable(element));
        }
        if let Some(help) = &diagnostic.help {
            text += &format!("  help: {}\n", printable(help));
        }
        text
    }
}

/// Says why there is no answer.
pub(crate) fn refusal(message: &str) {
    say(&format!("error: {}\n", printable(message)));
}

fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
