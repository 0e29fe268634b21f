//! The files that a geometry file names: materials, buffers, images.

use std::path::{Path, PathBuf};

use crate::Diagnostic;
use crate::io::LoadLimits;
use crate::io::resolve::{Referrer, SearchPath};
use crate::io::source;

/// Finds and reads the files that a geometry file names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Companions<'a> {
    pub(super) file: &'a Path,
    pub(super) search: &'a SearchPath,
    pub(super) limits: LoadLimits,
}

/// A file that was found, and what to say about where.
#[derive(Debug)]
pub(super) struct Companion {
    pub(super) path: PathBuf,
    pub(super) bytes: Vec<u8>,
    pub(super) remark: Option<Diagnostic>,
}

impl Companions<'_> {
    /// The file that `name` means.
    pub(super) fn read(&self, name: &str) -> Result<Companion, Diagnostic> {
        let found = self.search.find(Referrer::new(self.file), name)?;
        let remark = |remark| Diagnostic::warning(remark).in_file(self.file);
        Ok(Companion {
            bytes: source::read_bytes(&found.path, self.limits.file_size)?,
            path: found.path,
            remark: found.remark.map(remark),
        })
    }
}
