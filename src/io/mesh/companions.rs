//! Files that a geometry file refers to: materials, buffers, images.

use crate::Diagnostic;
use crate::io::LoadLimits;
use crate::io::report::FileReport;
use crate::io::resolve::{Referrer, SearchPath};
use crate::io::source::FilePath;

/// Finds and reads the files that a geometry file refers to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Companions<'a> {
    pub(super) file: FileReport<'a>,
    pub(super) search: &'a SearchPath,
    pub(super) limits: LoadLimits,
}

/// A companion file and its bytes.
#[derive(Debug)]
pub(super) struct Companion {
    pub(super) path: FilePath,
    pub(super) bytes: Vec<u8>,
}

impl Companions<'_> {
    /// Finds and reads the file called `name`.
    pub(super) fn read(&self, name: &str) -> Result<Companion, Diagnostic> {
        let from = Referrer::new(self.file.path);
        let path = self.search.find(from, name, self.file.report())?;
        let bytes = self.search.source().read(&path, self.limits.file_size)?;
        Ok(Companion { path, bytes })
    }
}
