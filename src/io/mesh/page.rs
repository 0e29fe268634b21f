//! Text of a file with its report: diagnostics located by a slice of the text.

use crate::Diagnostic;
use crate::io::decode::line_and_column;
use crate::io::position::Position;
use crate::io::report::FileReport;

/// Text of a file and the report to which its diagnostics go.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page<'a> {
    pub(super) text: &'a str,
    pub(super) file: FileReport<'a>,
}

impl Page<'_> {
    /// An error located at a slice of the text.
    pub(super) fn error(&self, at: &str, message: impl Into<String>) -> Diagnostic {
        self.placed(Diagnostic::error(message), at)
    }

    /// A warning located at a slice of the text.
    pub(super) fn warning(&self, at: &str, message: impl Into<String>) -> Diagnostic {
        self.placed(Diagnostic::warning(message), at)
    }

    /// Reports a warning located at a slice of the text.
    pub(super) fn warn(&self, at: &str, message: impl Into<String>) {
        self.file.add(self.warning(at, message));
    }

    /// An error at the end of the text.
    pub(super) fn ends(&self, message: impl Into<String>) -> Diagnostic {
        let (_, end) = self.text.split_at(self.text.len());
        self.error(end, message)
    }

    fn placed(&self, diagnostic: Diagnostic, at: &str) -> Diagnostic {
        // a slice of the text starts after the text does; its offset is computed only for diagnostics
        let offset = (at.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let (line, column) = line_and_column(self.text, offset);
        self.file.at(Position { line, column }, diagnostic)
    }

    /// A finite number.
    pub(super) fn number(&self, word: &str) -> Result<f64, Diagnostic> {
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => Err(self.error(word, format!("the coordinate `{word}` is not finite"))),
            Err(_) => Err(self.error(word, format!("`{word}` is not a number"))),
        }
    }
}
