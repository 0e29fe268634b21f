//! Klampt's small text files: a key and its values per line, as rigid objects and terrains have them.

use std::collections::HashMap;

use super::position::Position;
use super::report::FileReport;
use super::words::{OpenQuote, Word, Words, before_comment};
use crate::Diagnostic;
use crate::math::Digits;

/// The lines of a file; the last one of a key counts.
#[derive(Debug)]
pub(super) struct KeyValues<'a> {
    file: FileReport<'a>,
    /// In the order in which their keys first occur.
    lines: Vec<Line<'a>>,
    /// The number of the line of each key.
    index: HashMap<&'a str, usize>,
}

/// A key and its values.
#[derive(Debug, Clone)]
pub(super) struct Line<'a> {
    pub(super) key: Word<'a>,
    pub(super) values: Vec<Word<'a>>,
}

impl<'a> KeyValues<'a> {
    /// The lines of a text; repeated keys are reported.
    pub(super) fn parse(text: &'a str, file: FileReport<'a>) -> Result<Self, Diagnostic> {
        let mut lines: Vec<Line<'a>> = Vec::new();
        let mut index = HashMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            let (code, _) = before_comment(line);
            let mut words = Words::new(code, number).collect::<Result<Vec<_>, _>>();
            let words = words.as_mut().map_err(|&mut OpenQuote(position)| {
                let message = "a quote is opened and not closed on its line";
                file.at(position, Diagnostic::error(message))
            })?;
            if words.is_empty() {
                continue;
            }
            let key = words.remove(0);
            let values = std::mem::take(words);
            match index.get(key.text) {
                Some(&at) => {
                    let earlier: &mut Line<'a> = lines
                        .get_mut(at)
                        .expect("the index holds positions of lines");
                    let message = format!(
                        "`{}` is given at line {} already; this one counts",
                        key.text, earlier.key.position.line
                    );
                    let warning = file.at(key.position, Diagnostic::warning(message));
                    file.add(warning.help("remove one of the two"));
                    *earlier = Line { key, values };
                }
                None => {
                    index.insert(key.text, lines.len());
                    lines.push(Line { key, values });
                }
            }
        }
        Ok(Self { file, lines, index })
    }

    /// All lines.
    pub(super) fn lines(&self) -> &[Line<'a>] {
        &self.lines
    }

    /// The line of a key.
    pub(super) fn get(&self, key: &str) -> Option<&Line<'a>> {
        let line = self.lines.get(*self.index.get(key)?);
        Some(line.expect("the index holds positions of lines"))
    }

    /// The one string of a key.
    pub(super) fn text(&self, key: &str) -> Result<Option<Word<'a>>, Diagnostic> {
        let Some(line) = self.get(key) else {
            return Ok(None);
        };
        match line.values.as_slice() {
            [value] => Ok(Some(*value)),
            values => {
                let message = format!("`{key}` needs one value, got {}", values.len());
                let error = self.error(line.key.position, message);
                Err(error.help("put quotes around a path with spaces"))
            }
        }
    }

    /// All numbers of a key; infinities are numbers.
    pub(super) fn numbers(&self, key: &str) -> Result<Option<Vec<f64>>, Diagnostic> {
        let Some(line) = self.get(key) else {
            return Ok(None);
        };
        let number = |word: &Word<'_>| match word.text.parse::<f64>() {
            Ok(x) if !x.is_nan() => Ok(x),
            Ok(_) => Err(self.error(word.position, format!("`{key}` cannot be `nan`"))),
            Err(_) => Err(self.error(word.position, format!("`{}` is not a number", word.text))),
        };
        line.values
            .iter()
            .map(number)
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// The `N` finite numbers of a key.
    pub(super) fn finite<const N: usize>(&self, key: &str) -> Result<Option<[f64; N]>, Diagnostic> {
        let Some(numbers) = self.numbers(key)? else {
            return Ok(None);
        };
        let numbers: [f64; N] = numbers.try_into().map_err(|numbers: Vec<f64>| {
            let plural = if N == 1 { "" } else { "s" };
            let message = format!("`{key}` needs {N} number{plural}, got {}", numbers.len());
            self.error(self.position(key), message)
        })?;
        self.all_finite(key, &numbers)?;
        Ok(Some(numbers))
    }

    /// Refuses infinities.
    pub(super) fn all_finite(&self, key: &str, numbers: &[f64]) -> Result<(), Diagnostic> {
        if numbers.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(self.error(self.position(key), format!("`{key}` must be finite")))
    }

    /// The single number of a key, at least 0, possibly infinite.
    pub(super) fn not_negative(&self, key: &str) -> Result<Option<f64>, Diagnostic> {
        match self.numbers(key)?.as_deref() {
            None => Ok(None),
            Some(&[x]) if x >= 0.0 => Ok(Some(x)),
            Some(&[x]) => {
                let message = format!("`{key}` must be from 0 up, got {}", Digits(x));
                Err(self.error(self.position(key), message))
            }
            Some(numbers) => {
                let message = format!("`{key}` needs 1 number, got {}", numbers.len());
                Err(self.error(self.position(key), message))
            }
        }
    }

    /// The position of a key.
    pub(super) fn position(&self, key: &str) -> Position {
        self.get(key)
            .map(|line| line.key.position)
            .unwrap_or_default()
    }

    /// An error at a position.
    pub(super) fn error(&self, position: Position, message: impl Into<String>) -> Diagnostic {
        self.file.at(position, Diagnostic::error(message))
    }

    /// A warning at a position.
    pub(super) fn warning(&self, position: Position, message: impl Into<String>) -> Diagnostic {
        self.file.at(position, Diagnostic::warning(message))
    }
}
