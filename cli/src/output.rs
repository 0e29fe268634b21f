//! Standard output.

use std::io::{self, StdoutLock, Write};

use crate::Failure;

/// Standard output, locked for the whole run.
#[derive(Debug)]
pub(crate) struct Output(StdoutLock<'static>);

impl Output {
    pub(crate) fn new() -> Self {
        Self(io::stdout().lock())
    }

    /// Writes text as it is.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        let sent = self.0.write_all(text.as_bytes());
        sent.map_err(Failure::Output)
    }

    /// Writes a line and flushes it.
    pub(crate) fn line(&mut self, line: &str) -> Result<(), Failure> {
        self.text(&format!("{line}\n"))?;
        self.0.flush().map_err(Failure::Output)
    }
}
