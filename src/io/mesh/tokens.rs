//! Sequential reader of the words of a text, regardless of lines.

use std::str::SplitAsciiWhitespace;

use super::page::Page;
use crate::Diagnostic;
use crate::math::{Point, Vector};

/// The words of a text, most of which are numbers.
#[derive(Debug, Clone)]
pub(super) struct Tokens<'a> {
    page: Page<'a>,
    words: SplitAsciiWhitespace<'a>,
}

impl<'a> Tokens<'a> {
    /// Starts at the first word of a text.
    pub(super) fn new(page: Page<'a>) -> Self {
        Self {
            page,
            words: page.text.split_ascii_whitespace(),
        }
    }

    /// The next word, not consumed.
    pub(super) fn peek(&self) -> Option<&'a str> {
        self.words.clone().next()
    }

    /// An error at a word.
    pub(super) fn error(&self, word: &str, message: impl Into<String>) -> Diagnostic {
        self.page.error(word, message)
    }

    /// The next word, which is mandatory.
    pub(super) fn needed(&mut self, what: &str) -> Result<&'a str, Diagnostic> {
        let ends = || self.page.ends(format!("the file ends before {what}"));
        self.words.next().ok_or_else(ends)
    }

    /// The next word as a finite number.
    pub(super) fn number(&mut self, what: &str) -> Result<f64, Diagnostic> {
        let word = self.needed(what)?;
        self.page.number(word)
    }

    /// The next three words as a vector.
    pub(super) fn vector(&mut self, what: &str) -> Result<Vector, Diagnostic> {
        Ok(Vector::new(
            self.number(what)?,
            self.number(what)?,
            self.number(what)?,
        ))
    }

    /// The next three words as a point.
    pub(super) fn point(&mut self, what: &str) -> Result<Point, Diagnostic> {
        self.vector(what).map(Point::from)
    }

    /// The next word as a number of items.
    pub(super) fn count(&mut self, what: &str) -> Result<usize, Diagnostic> {
        let word = self.needed(&format!("the number of {what}"))?;
        let wrong = |_| {
            self.page
                .error(word, format!("`{word}` is not a number of {what}"))
        };
        word.parse().map_err(wrong)
    }

    /// The next word as the index of one of `n` vertices.
    pub(super) fn index(&mut self, n: usize) -> Result<u32, Diagnostic> {
        let word = self.needed("its last triangle does")?;
        let index = word.parse::<u32>().ok();
        index.filter(|&i| (i as usize) < n).ok_or_else(|| {
            let message = format!("`{word}` is not the index of one of {n} vertices");
            self.page.error(word, message)
        })
    }

    /// Warns of words after the last one read.
    pub(super) fn warn_of_rest(&mut self) {
        if let Some(word) = self.words.next() {
            let warning = "the file goes on after its last number";
            self.page.warn(word, warning);
        }
    }
}
