//! Errors, and the [`Diagnostic`]s of loaders.

use std::fmt;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::missing::{self, MissingGeometry};

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
    /// Collision geometry that should be there and is not, where that could hide a collision.
    ///
    /// [`PairFilter::allow_missing_geometry`](crate::world::PairFilter::allow_missing_geometry) accepts it.
    #[error("{problem}; {}", crate::missing::remedy(elements))]
    MissingGeometry {
        /// The elements by name, and what each of them lacks.
        elements: Vec<(String, MissingGeometry)>,
        /// The elements and what they lack, as a sentence.
        problem: String,
    },
    /// An unknown name, index or id.
    #[error("no {kind} named `{name}`; {}there are: {known}", advice(.closest.as_deref()))]
    NotFound {
        /// The kind of element: `link`, `robot`, ...
        kind: &'static str,
        /// The unknown name.
        name: String,
        /// The name that may have been meant.
        closest: Option<String>,
        /// The names that exist, for the message; of many the first ones.
        known: String,
    },
    /// An error of a callback that is not of this library, made by [`Error::other`]; it is the
    /// [`source`](std::error::Error::source).
    #[error("{0}")]
    Other(#[source] Cause),
    /// An integration that cannot continue; the state is that before the failed step.
    #[error("stopped at t = {time} s: {problem}")]
    Stopped {
        /// Time at the start of the failed step, s.
        time: f64,
        /// The problem.
        problem: String,
        /// The error of a callback that ended it, if it is not of this library.
        #[source]
        cause: Option<Cause>,
    },
}

/// Error that is not of this library: shared, and equal where the messages are.
#[derive(Clone)]
pub struct Cause(Arc<dyn std::error::Error + Send + Sync>);

impl Cause {
    pub(crate) fn new(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self(error.into().into())
    }
}

impl Deref for Cause {
    type Target = dyn std::error::Error + Send + Sync;

    fn deref(&self) -> &Self::Target {
        &*self.0
    }
}

impl fmt::Debug for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl PartialEq for Cause {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Cause {}

impl Error {
    /// An [`Error::Other`]: for callbacks such as those of an [`Observer`](crate::sim::Observer).
    ///
    /// ```
    /// use std::error::Error as _;
    ///
    /// let socket = std::io::Error::other("the robot hung up");
    /// let error = kinworld::Error::other(socket);
    /// assert_eq!(error.to_string(), "the robot hung up");
    /// assert!(error.source().is_some_and(|source| source.is::<std::io::Error>()));
    /// ```
    pub fn other(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::Other(Cause::new(error))
    }

    /// An [`Error::Invalid`].
    pub(crate) fn invalid(what: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid {
            what: what.into(),
            problem: problem.into(),
        }
    }

    /// The error of one of many, counted from 0: an invalid value or a wrong length of it says of which.
    pub(crate) fn numbered(self, kind: &str, k: usize) -> Self {
        match self {
            Self::Invalid { what, problem } if what == kind => {
                Self::invalid(format!("{kind} {k}"), problem)
            }
            Self::Invalid { what, problem } => {
                Self::invalid(format!("{kind} {k}, {what}"), problem)
            }
            Self::Length {
                what,
                expected,
                found,
            } => {
                let problem = format!("needs {expected} values, got {found}");
                Self::invalid(format!("{kind} {k}, {what}"), problem)
            }
            other => other,
        }
    }

    /// An [`Error::MissingGeometry`].
    pub(crate) fn missing_geometry(elements: Vec<(String, MissingGeometry)>) -> Self {
        Self::MissingGeometry {
            problem: missing::problem(&elements),
            elements,
        }
    }

    /// An [`Error::NotFound`] that lists up to 32 of the names that exist, and the one that may have been meant.
    ///
    /// # Examples
    ///
    /// ```
    /// let error = kinworld::Error::not_found("method", "rk4", ["euler", "rk44"]);
    /// let said = "no method named `rk4`; did you mean `rk44`? there are: euler, rk44";
    /// assert_eq!(error.to_string(), said);
    /// ```
    pub fn not_found<'a>(
        kind: &'static str,
        name: impl Into<String>,
        known: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        const SHOWN: usize = 32;
        let names: Vec<&str> = known.into_iter().collect();
        let mut list = names[..names.len().min(SHOWN)].join(", ");
        if names.is_empty() {
            list.push_str("none");
        } else if names.len() > SHOWN {
            list.push_str(&format!(" and {} more", names.len() - SHOWN));
        }
        let name = name.into();
        Self::NotFound {
            kind,
            closest: closest(&name, names.iter().copied())
                .or_else(|| only_part(&name, &names))
                .map(str::to_owned),
            name,
            known: list,
        }
    }
}

/// Advice to use the closest name.
fn advice(closest: Option<&str>) -> String {
    closest.map_or_else(String::new, |name| format!("did you mean `{name}`? "))
}

/// The only name of which a word of three letters or more is a part.
fn only_part<'a>(word: &str, names: &[&'a str]) -> Option<&'a str> {
    let word = word.to_ascii_lowercase();
    let is_part = |name: &&&str| word.len() > 2 && name.to_ascii_lowercase().contains(&word);
    let mut found = names.iter().filter(is_part);
    let first = found.next().copied();
    first.filter(|_| found.next().is_none())
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
    /// The error of the operating system behind it.
    pub cause: Option<Cause>,
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
            cause: None,
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

    /// Sets the error of the operating system behind it.
    #[must_use]
    pub(crate) fn caused_by(mut self, error: std::io::Error) -> Self {
        self.cause = Some(Cause::new(error));
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
///
/// Where the operating system refused it, its [`source`](std::error::Error::source) is the [`std::io::Error`].
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
pub struct LoadError {
    /// The error.
    pub diagnostic: Box<Diagnostic>,
    /// The warnings before it.
    pub warnings: Vec<Diagnostic>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic.fmt(f)
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        let cause = self.diagnostic.cause.as_ref()?;
        Some(&*cause.0)
    }
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

/// The known word closest to a misspelt one.
pub(crate) fn closest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // misspelt words are shorter, and the distance costs the square of the length
    const LONG: usize = 40;
    if word.len() > LONG {
        return None;
    }
    let word = word.to_ascii_lowercase();
    let rated = known
        .into_iter()
        .map(|known| (edits(&word, &known.to_ascii_lowercase()), known));
    let (distance, closest) = rated.min_by_key(|&(distance, _)| distance)?;
    (distance <= 2 && distance < closest.len()).then_some(closest)
}

/// Levenshtein distance of two words, in letters inserted, deleted or replaced.
fn edits(a: &str, b: &str) -> usize {
    // one row of the table at a time, without its first entry
    let mut row: Vec<usize> = (1..=b.chars().count()).collect();
    for (i, ca) in a.chars().enumerate() {
        let (mut diagonal, mut left) = (i, i + 1);
        for (above, cb) in row.iter_mut().zip(b.chars()) {
            let replaced = diagonal + usize::from(ca != cb);
            diagonal = std::mem::replace(above, replaced.min(*above + 1).min(left + 1));
            left = *above;
        }
    }
    row.last().copied().unwrap_or(a.chars().count())
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn misspelt_words_find_their_neighbour() {
        let known = ["axis", "mass", "a"];
        assert_eq!(closest("Axes", known), Some("axis"));
        assert_eq!(closest("b", known), None);
        assert_eq!(closest("velocity", known), None);
    }
}
