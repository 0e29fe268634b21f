//! Texts of a page: diagnostics and answers.

use serde_json::{Value, json};

use crate::Diagnostic;

/// A text, and the element that it is about.
#[derive(Debug, Clone)]
pub(super) struct Note {
    /// `error`, `warning` or nothing.
    severity: String,
    text: String,
    /// Where it was found: a file and a line.
    place: String,
    element: String,
    help: String,
    /// Lines of the file with a mark under the position.
    excerpt: String,
}

impl Note {
    pub(super) fn of(diagnostic: &Diagnostic, excerpt: &str) -> Self {
        let mut place = String::new();
        if let Some(path) = &diagnostic.path {
            place = path.display().to_string();
            for number in [diagnostic.line, diagnostic.column].into_iter().flatten() {
                place += &format!(":{number}");
            }
        }
        Self {
            severity: diagnostic.severity.to_string(),
            text: diagnostic.message.clone(),
            place,
            element: diagnostic.element.clone().unwrap_or_default(),
            help: diagnostic.help.clone().unwrap_or_default(),
            excerpt: excerpt.to_owned(),
        }
    }

    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            severity: String::new(),
            text: text.into(),
            place: String::new(),
            element: String::new(),
            help: String::new(),
            excerpt: String::new(),
        }
    }

    pub(super) fn json(&self) -> Value {
        json!({
            "severity": self.severity,
            "text": self.text,
            "place": self.place,
            "element": self.element,
            "help": self.help,
            "excerpt": self.excerpt,
        })
    }
}
