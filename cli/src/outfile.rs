//! Files that commands write for the user: checked before the work begins, whole or not at all, and never stale.

use std::path::{Path, PathBuf};

use kinworld::io::{SaveOptions, write_file, write_files};

use crate::report;
use crate::request::Refusal;

/// A file that may be written.
#[derive(Debug)]
pub(crate) struct OutFile {
    path: PathBuf,
    options: SaveOptions,
}

impl OutFile {
    /// A file that the user names; none of the inputs, and in a folder that exists.
    pub(crate) fn of(path: &Path, inputs: &[PathBuf]) -> Result<Self, Refusal> {
        let options = SaveOptions::default().with_inputs(inputs);
        options.check(path)?;
        Ok(Self {
            path: path.to_path_buf(),
            options,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn options(&self) -> &SaveOptions {
        &self.options
    }

    pub(crate) fn write(&self, text: &str) -> Result<(), Refusal> {
        Ok(write_file(&self.path, text.as_bytes(), &self.options)?)
    }

    /// Writes several files; a full disk leaves every old one.
    pub(crate) fn write_all<'a>(
        files: impl Iterator<Item = &'a (Self, Vec<u8>)>,
    ) -> Result<(), Refusal> {
        let mut options = SaveOptions::default();
        let files: Vec<(&Path, &[u8])> = files
            .map(|(file, bytes)| {
                options = file.options.clone();
                (file.path.as_path(), bytes.as_slice())
            })
            .collect();
        Ok(write_files(files, &options)?)
    }

    /// Removes the file of an earlier run: there is no answer that could replace it.
    pub(crate) fn remove_stale(&self) -> Result<(), Refusal> {
        // a link stays, and its target goes
        let Ok(file) = self.path.canonicalize() else {
            return Ok(());
        };
        if !file.is_file() {
            return Ok(());
        }
        let name = self.path.display();
        std::fs::remove_file(&file).map_err(|error| {
            Refusal(format!(
                "{name}: is of an earlier run, and cannot be removed: {error}"
            ))
        })?;
        report::note(&format!("{name}: the file of an earlier run is removed"));
        Ok(())
    }
}
