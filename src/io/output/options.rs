//! Options of a save.

use std::path::{Path, PathBuf};

use super::target::Target;
use crate::{LoadError, Result};

/// Options of a save; the defaults replace the file that the caller names, and no other.
///
/// The shapes of `arm.xml` go to a folder beside it, `arm_files/`, with a list of what was written. A folder of that name that
/// this document did not write is left as it is: another one is taken, and a warning says so.
///
/// # Examples
///
/// A robot that is saved must not replace any file that it was made of:
///
/// ```
/// use kinworld::io::{Loader, SaveOptions};
///
/// let mut loader = Loader::new();
/// let arm = loader.robot("data/robots/arm6.rob")?.value;
/// let options = SaveOptions::default().with_inputs(loader.files_read());
/// assert!(arm.save_with("data/robots/arm6.rob", &options).is_err());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SaveOptions {
    /// Replaces files that were read as input, and those in the folder of shapes that another document wrote. Only single
    /// files are whole then, not the document with its shapes. False by default.
    pub force: bool,
    /// Files that must stay as they are, such as [`Loader::files_read`](super::super::Loader::files_read). None by default.
    pub inputs: Vec<PathBuf>,
}

impl SaveOptions {
    /// Errors if a file could not be written now, before the work is done that would fill it.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for one of the [`inputs`](Self::inputs), a folder that does not exist, and a file
    /// that may not be written.
    pub fn check(&self, path: impl AsRef<Path>) -> Result<()> {
        let target = Target::of(path.as_ref(), self);
        Ok(target.map(|_| ()).map_err(LoadError::from)?)
    }

    /// The same options with another [`force`](Self::force).
    #[must_use]
    pub fn with_force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// The same options with other [`inputs`](Self::inputs).
    #[must_use]
    pub fn with_inputs(mut self, inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Self {
        self.inputs = inputs.into_iter().map(Into::into).collect();
        self
    }
}
