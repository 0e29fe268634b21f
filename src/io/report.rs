//! Diagnostics of a loader: the sink to which every parser reports.

use std::cell::RefCell;
use std::path::Path;

use super::position::Position;
use crate::Diagnostic;

/// Sink for the warnings of one call; parsers share it by reference.
#[derive(Debug, Default)]
pub(crate) struct Report {
    warnings: RefCell<Warnings>,
}

/// Warnings in order. Past a thousand they are only counted, so that a hostile file cannot fill the memory.
#[derive(Debug, Clone, Default)]
pub(crate) struct Warnings {
    kept: Vec<Diagnostic>,
    more: usize,
}

const LIMIT: usize = 1000;

impl Report {
    /// Adds a warning.
    pub(crate) fn add(&self, warning: Diagnostic) {
        self.warnings.borrow_mut().add(warning);
    }

    /// Adds the warnings of a part.
    pub(crate) fn append(&self, part: Warnings) {
        let mut warnings = self.warnings.borrow_mut();
        part.kept
            .into_iter()
            .for_each(|warning| warnings.add(warning));
        warnings.more += part.more;
    }

    /// A view of this report that adds the path of a file.
    pub(crate) fn of_file<'r>(&'r self, path: &'r Path) -> FileReport<'r> {
        FileReport { path, report: self }
    }

    /// The warnings so far.
    pub(crate) fn into_warnings(self) -> Warnings {
        self.warnings.into_inner()
    }
}

impl Warnings {
    fn add(&mut self, warning: Diagnostic) {
        if self.kept.len() < LIMIT {
            self.kept.push(warning);
        } else {
            self.more += 1;
        }
    }

    /// True if there is no warning.
    pub(crate) fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The warnings in the order of their file; those at one position stay in the order in which they were added.
    #[must_use]
    pub(crate) fn sorted(mut self) -> Self {
        self.kept
            .sort_by_key(|warning| (warning.line, warning.column));
        self
    }

    /// Replaces each warning by a function of it.
    #[must_use]
    pub(crate) fn map(self, replace: impl FnMut(Diagnostic) -> Diagnostic) -> Self {
        Self {
            kept: self.kept.into_iter().map(replace).collect(),
            more: self.more,
        }
    }

    /// The warnings that were kept; a final one counts the others.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut all = self.kept;
        if self.more > 0 {
            let message = format!("and {} more warnings", self.more);
            all.push(Diagnostic::warning(message));
        }
        all
    }
}

/// A [`Report`] about one file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FileReport<'r> {
    /// The file, as messages name it.
    pub(crate) path: &'r Path,
    report: &'r Report,
}

impl<'r> FileReport<'r> {
    /// The same report about another file.
    pub(crate) fn of_file(self, path: &'r Path) -> Self {
        Self { path, ..self }
    }

    /// The report about all files.
    pub(crate) fn report(self) -> &'r Report {
        self.report
    }

    /// Adds the warnings of a part, whatever file they are about.
    pub(crate) fn append(self, part: Warnings) {
        self.report.append(part);
    }

    /// Adds a warning, whatever file it is about.
    pub(crate) fn add(self, warning: Diagnostic) {
        self.report.add(warning);
    }

    /// Adds a warning about a subject, such as ``link `elbow` ``.
    pub(crate) fn warn(self, position: Position, subject: &str, problem: impl AsRef<str>) {
        let message = format!("{subject}: {}", problem.as_ref());
        self.add(
            self.at(position, Diagnostic::warning(message))
                .about(subject),
        );
    }

    /// An error about a subject, such as ``link `elbow` ``.
    pub(crate) fn error(
        self,
        position: Position,
        subject: &str,
        problem: impl AsRef<str>,
    ) -> Diagnostic {
        let message = format!("{subject}: {}", problem.as_ref());
        self.at(position, Diagnostic::error(message)).about(subject)
    }

    /// A diagnostic at a position of the file.
    pub(crate) fn at(self, position: Position, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.at(self.path, position.line, position.column)
    }
}
