//! Warnings as they come up, and no more of them than anybody reads.

use crate::Diagnostic;

/// Warnings in order; after a thousand they are only counted, so that a file full of rubbish fills no memory.
#[derive(Debug, Default)]
pub(crate) struct Remarks {
    kept: Vec<Diagnostic>,
    more: usize,
}

const LIMIT: usize = 1000;

impl Remarks {
    /// Keeps a warning.
    pub(crate) fn push(&mut self, remark: Diagnostic) {
        if self.kept.len() < LIMIT {
            self.kept.push(remark);
        } else {
            self.more += 1;
        }
    }

    /// Keeps the warnings of a part.
    pub(crate) fn append(&mut self, other: Self) {
        other.kept.into_iter().for_each(|remark| self.push(remark));
        self.more += other.more;
    }

    /// All that were kept, and how many were not.
    pub(crate) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut all = self.kept;
        if self.more > 0 {
            all.push(Diagnostic::warning(format!(
                "and {} more warnings",
                self.more
            )));
        }
        all
    }
}
