//! Errors, and the [`Diagnostic`]s of loaders.

use std::fmt;
use std::path::{Path, PathBuf};

/// Error of a call of this library.
///
/// Variants are sorted by name and differ in what the caller can do about them.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An invalid value, such as a number that is not finite.
    #[error("{what}: {problem}")]
    Invalid {
        /// The subject of the problem, for instance ``link `elbow` `` or `pose of a`.
        what: String,
        /// The problem, and what would be valid.
        problem: String,
    },
    /// A vector had the wrong length.
    #[error("{what} needs {expected} values, got {found}")]
    Length {
        /// The meaning of the vector.
        what: &'static str,
        /// The required length.
        expected: usize,
        /// The actual length.
        found: usize,
    },
    /// A file that cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// An unknown name, index or id.
    #[error("no {kind} named `{name}`; there are: {known}")]
    NotFound {
        /// The kind of element: `link`, `robot`, ...
        kind: &'static str,
        /// The unknown name.
        name: String,
        /// The names that exist, for the message.
        known: String,
    },
    /// An integration that cannot continue; the state is that before the failed step.
    #[error("stopped at t = {time} s: {problem}")]
    Stopped {
        /// Time at the start of the failed step, s.
        time: f64,
        /// The problem.
        problem: String,
    },
}

impl Error {
    /// An [`Error::Invalid`].
    pub(crate) fn invalid(what: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid {
            what: what.into(),
            problem: problem.into(),
        }
    }

    /// An [`Error::NotFound`] that lists up to a dozen of the names that exist.
    pub(crate) fn not_found<'a>(
        kind: &'static str,
        name: impl Into<String>,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        const SHOWN: usize = 12;
        let names: Vec<&str> = known.into_iter().collect();
        let mut list = names[..names.len().min(SHOWN)].join(", ");
        if names.is_empty() {
            list.push_str("none");
        } else if names.len() > SHOWN {
            list.push_str(&format!(" and {} more", names.len() - SHOWN));
        }
        Self::NotFound {
            kind,
            name: name.into(),
            known: list,
        }
    }
}

/// Severity of a [`Diagnostic`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Something was skipped, repaired or guessed; the value is usable.
    Warning,
    /// The file was refused.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// A warning or an error of a loader, with its position in a file.
///
/// It displays as `path:line:column: severity: message`, without unknown parts and without [`element`](Self::element) and
/// [`help`](Self::help).
///
/// ```
/// use kinworld::Diagnostic;
///
/// let d = Diagnostic::warning("`qMin` needs 3 values, got 2").at("arm.rob", 12, 1);
/// assert_eq!(d.to_string(), "arm.rob:12:1: warning: `qMin` needs 3 values, got 2");
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The severity.
    pub severity: Severity,
    /// The file, as the user named it or as it was resolved.
    pub path: Option<PathBuf>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    pub column: Option<u32>,
    /// The element concerned, such as ``link `elbow` ``.
    pub element: Option<String>,
    /// The problem.
    pub message: String,
    /// Advice.
    pub help: Option<String>,
    /// The text at the position is not to be shown: another file names this one, and its suffix is not that of a model.
    pub is_hidden: bool,
}

impl Diagnostic {
    /// A diagnostic with a severity and a message only.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            path: None,
            line: None,
            column: None,
            element: None,
            message: message.into(),
            help: None,
            is_hidden: false,
        }
    }

    /// A warning without a position.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// An error without a position.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// Sets file, line and column, both counted from 1.
    #[must_use]
    pub fn at(mut self, path: impl AsRef<Path>, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self.in_file(path)
    }

    /// Adds the position at which its file is named, as advice; without a file, sets that position.
    #[must_use]
    pub(crate) fn named_at(self, path: &Path, line: u32, column: u32) -> Self {
        if self.path.is_none() {
            return self.at(path, line, column);
        }
        let here = format!("it is named at {}:{line}:{column}", path.display());
        let help = match &self.help {
            Some(help) => format!("{help}; {here}"),
            None => here,
        };
        self.help(help)
    }

    /// Sets the file.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        self.path = Some(path.as_ref().to_path_buf());
        self
    }

    /// Sets the element.
    #[must_use]
    pub fn about(mut self, element: impl Into<String>) -> Self {
        self.element = Some(element.into());
        self
    }

    /// Sets the advice.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}:", path.display())?;
            if let Some(line) = self.line {
                write!(f, "{line}:")?;
                if let Some(column) = self.column {
                    write!(f, "{column}:")?;
                }
            }
            f.write_str(" ")?;
        }
        write!(f, "{}: {}", self.severity, self.message)
    }
}

/// Error that refuses a file, with the warnings before it.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{diagnostic}")]
pub struct LoadError {
    /// The error.
    pub diagnostic: Box<Diagnostic>,
    /// The warnings before it.
    pub warnings: Vec<Diagnostic>,
}

impl LoadError {
    /// See [`Diagnostic::named_at`].
    pub(crate) fn named_at(mut self, path: &Path, line: u32, column: u32) -> Self {
        self.diagnostic = Box::new(self.diagnostic.named_at(path, line, column));
        self
    }
}

impl From<Diagnostic> for LoadError {
    fn from(diagnostic: Diagnostic) -> Self {
        Self {
            diagnostic: Box::new(diagnostic),
            warnings: Vec::new(),
        }
    }
}

/// A loaded value, and warnings about what was skipped, repaired or guessed.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Loaded<T> {
    /// The content of the file.
    pub value: T,
    /// The warnings, in order.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Loaded<T> {
    /// A value with warnings.
    pub fn new(value: T, diagnostics: Vec<Diagnostic>) -> Self {
        Self { value, diagnostics }
    }

    /// Maps the value and keeps the diagnostics.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Loaded<U> {
        Loaded {
            value: f(self.value),
            diagnostics: self.diagnostics,
        }
    }
}
