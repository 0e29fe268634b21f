//! What can go wrong, and how it is said: [`Error`], and the [`Diagnostic`]s of a loader.

use std::fmt;
use std::path::{Path, PathBuf};

/// What a call of this library can fail with.
///
/// Variants are sorted by name; each stands for something different that the caller can do about it.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A value that cannot be used, such as a number that is not finite.
    #[error("{what}: {problem}")]
    Invalid {
        /// The thing that is wrong, for instance ``link `elbow` `` or `pose of a`.
        what: String,
        /// What is wrong with it, and what would be right.
        problem: String,
    },
    /// A vector had the wrong length.
    #[error("{what} needs {expected} values, got {found}")]
    Length {
        /// What the vector is.
        what: &'static str,
        /// The length that it must have.
        expected: usize,
        /// The length that it had.
        found: usize,
    },
    /// A file that cannot be used.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A name, an index or an id that is not there.
    #[error("no {kind} named `{name}`; there are: {known}")]
    NotFound {
        /// What was looked for: `link`, `robot`, ...
        kind: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names that exist, for the message.
        known: String,
    },
    /// An integration that cannot go on; its phase is that before the step that failed.
    #[error("stopped at t = {time} s: {problem}")]
    Stopped {
        /// The time from which no step leads on, s.
        time: f64,
        /// What is wrong there.
        problem: String,
    },
}

impl Error {
    /// An [`Error::Invalid`] from its two halves.
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

/// How bad a [`Diagnostic`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Severity {
    /// Something was skipped, repaired or guessed; the value can be used.
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

/// One remark of a loader about a place in a file.
///
/// It displays as `path:line:column: severity: message`, without the parts that are not known. The
/// [`element`](Self::element) and the [`help`](Self::help) are left to whoever shows it.
///
/// ```
/// use kinworld::Diagnostic;
///
/// let d = Diagnostic::warning("`qMin` needs 3 values, got 2").at("arm.rob", 12, 1);
/// assert_eq!(d.to_string(), "arm.rob:12:1: warning: `qMin` needs 3 values, got 2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file, as the user named it or as it was resolved.
    pub path: Option<PathBuf>,
    /// The line, counted from 1.
    pub line: Option<u32>,
    /// The column in characters, counted from 1.
    pub column: Option<u32>,
    /// The element that it is about, such as ``link `elbow` ``.
    pub element: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A remark with a severity and nothing else.
    pub fn new(severity: Severity, message: impl Into<String>) -> Self {
        Self {
            severity,
            path: None,
            line: None,
            column: None,
            element: None,
            message: message.into(),
            help: None,
        }
    }

    /// A warning without a place.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message)
    }

    /// An error without a place.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message)
    }

    /// The same remark, about a line and column of a file (both counted from 1).
    #[must_use]
    pub fn at(mut self, path: impl AsRef<Path>, line: u32, column: u32) -> Self {
        self.line = Some(line);
        self.column = Some(column);
        self.in_file(path)
    }

    /// The same remark about another file, with where that file is named; or, without a file, about that place.
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

    /// The same remark, about a file as a whole.
    #[must_use]
    pub fn in_file(mut self, path: impl AsRef<Path>) -> Self {
        self.path = Some(path.as_ref().to_path_buf());
        self
    }

    /// The same remark, about an element.
    #[must_use]
    pub fn about(mut self, element: impl Into<String>) -> Self {
        self.element = Some(element.into());
        self
    }

    /// The same remark, with advice.
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

/// Why a file was refused: the [`Diagnostic`] that ended it, and the warnings that came before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{diagnostic}")]
pub struct LoadError {
    /// The error itself.
    pub diagnostic: Box<Diagnostic>,
    /// What had been said before.
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

/// A loaded value, and what was skipped, repaired or guessed on the way.
#[derive(Debug, Clone, PartialEq)]
#[must_use]
pub struct Loaded<T> {
    /// What the file holds.
    pub value: T,
    /// The warnings, in the order in which they came up.
    pub diagnostics: Vec<Diagnostic>,
}

impl<T> Loaded<T> {
    /// The same diagnostics about another value.
    pub fn map<U>(self, f: impl FnOnce(T) -> U) -> Loaded<U> {
        Loaded {
            value: f(self.value),
            diagnostics: self.diagnostics,
        }
    }
}
