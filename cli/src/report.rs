//! Messages on standard error; errors of writing are ignored.

use std::io::{self, Write};

use kinworld::{Diagnostic, Error};

use crate::excerpt::Excerpts;
use crate::hints::Hints;
use crate::table::printable;

/// Prints diagnostics of loaders.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// Excerpts of files, if diagnostics show them.
    excerpts: Option<Excerpts>,
}

impl Report {
    /// One line per diagnostic, and one for help.
    pub(crate) fn short() -> Self {
        Self::default()
    }

    /// With excerpts of the files.
    pub(crate) fn with_excerpts() -> Self {
        Self {
            excerpts: Some(Excerpts::default()),
        }
    }

    /// Prints diagnostics.
    pub(crate) fn diagnostics<'a>(&mut self, list: impl IntoIterator<Item = &'a Diagnostic>) {
        let text: String = list.into_iter().map(|item| self.render(item)).collect();
        print(&text);
    }

    /// Prints the error of a file, after its warnings.
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

/// Prints hints on an answer.
pub(crate) fn hints(hints: &Hints) {
    for (warning, help) in &hints.warnings {
        let help = help
            .as_ref()
            .map(|help| format!("  help: {}\n", printable(help)));
        let help = help.unwrap_or_default();
        print(&format!("warning: {}\n{help}", printable(warning)));
    }
    for sentence in &hints.sentences {
        print(&format!("note: {}\n", printable(sentence)));
    }
}

/// Prints an error.
pub(crate) fn refusal(message: &str) {
    print(&format!("error: {}\n", printable(message)));
}

/// Prints lines beside an answer.
pub(crate) fn lines(lines: &str) {
    print(lines);
}

/// Prints what is worth knowing beside a result.
pub(crate) fn note(message: &str) {
    print(&format!("note: {}\n", printable(message)));
}

fn print(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
