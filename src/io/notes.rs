//! Remarks about places in one file.

use std::path::{Path, PathBuf};

use super::place::Place;
use crate::Diagnostic;

/// What was remarked on in a file so far.
#[derive(Debug)]
pub(super) struct Notes {
    pub(super) path: PathBuf,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Notes {
    /// Nothing yet about this file.
    pub(super) fn new(path: &Path) -> Self {
        Self {
            path: path.to_path_buf(),
            diagnostics: Vec::new(),
        }
    }

    /// An error about a subject, such as ``link `elbow` ``.
    pub(super) fn error(
        &self,
        place: Place,
        subject: &str,
        problem: impl AsRef<str>,
    ) -> Diagnostic {
        Diagnostic::error(format!("{subject}: {}", problem.as_ref()))
            .at(&self.path, place.line, place.column)
            .about(subject)
    }

    /// Keeps a warning about a subject.
    pub(super) fn warn(&mut self, place: Place, subject: &str, problem: impl AsRef<str>) {
        let warning = Diagnostic::warning(format!("{subject}: {}", problem.as_ref()))
            .at(&self.path, place.line, place.column)
            .about(subject);
        self.diagnostics.push(warning);
    }

    /// All remarks, in the order of the file.
    pub(super) fn into_sorted(mut self) -> Vec<Diagnostic> {
        self.diagnostics
            .sort_by_key(|note| (note.line, note.column));
        self.diagnostics
    }
}

/// Up to a dozen names, and how many more there are.
pub(super) fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    match names.split_at_checked(SHOWN) {
        Some((shown, more)) if !more.is_empty() => {
            format!("{} and {} more", shown.join(", "), more.len())
        }
        _ if names.is_empty() => "none".to_owned(),
        _ => names.join(", "),
    }
}
