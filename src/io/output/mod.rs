//! Writing of files on disk, each whole or not at all. No other file of the library writes files.
//!
//! A new file is complete under a temporary name beside its place, and on the device, before it is renamed; a folder of
//! files likewise. Until the rename of the document the old one is as it was, with its files; afterwards the new one is.

pub(crate) mod companion;
mod folder;
mod keep;
mod manifest;
mod options;
mod part;
mod stale;
mod target;

use std::path::Path;

pub(crate) use folder::{Folder, Placing};
pub use options::{SaveFormat, SaveOptions};
pub(crate) use target::Target;

use super::source::reason;
use crate::{Diagnostic, LoadError, Result};

/// Writes a file whole or not at all, as every `save` of this library does.
///
/// The bytes are complete in a temporary file beside it, and on the device, before that gets its name: a full disk, a crash
/// or a kill leave the old file as it was. An existing file keeps its permissions; through a symbolic link its target is
/// written. Pipes and devices are written as they are.
///
/// # Errors
///
/// [`Error::Load`](crate::Error::Load) if it cannot be written, if its folder does not exist, and for one of the
/// [`inputs`](SaveOptions::inputs) of the options.
///
/// # Examples
///
/// ```
/// use kinworld::io::{SaveOptions, write_file};
///
/// let path = std::env::temp_dir().join("kinworld_doc_note.txt");
/// write_file(&path, b"whole", &SaveOptions::default())?;
/// assert_eq!(std::fs::read(&path).expect("it is there"), b"whole");
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn write_file(path: impl AsRef<Path>, bytes: &[u8], options: &SaveOptions) -> Result<()> {
    let written = Target::of(path.as_ref(), options).and_then(|target| target.write(bytes));
    Ok(written.map_err(LoadError::from)?)
}

/// [`write_file`] for several files: all are complete before the first one gets its name, so that a full disk leaves every old
/// one.
///
/// # Errors
///
/// Those of [`write_file`].
pub fn write_files<'a>(
    files: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
    options: &SaveOptions,
) -> Result<()> {
    let write = || {
        let mut parts = Vec::new();
        for (path, bytes) in files {
            let target = Target::of(path, options)?;
            let part = target.part(bytes)?;
            parts.push((target, part));
        }
        for (target, part) in parts {
            part.map_or(Ok(()), |part| target.place(part))?;
        }
        Ok(())
    };
    Ok(write().map_err(|error: Diagnostic| LoadError::from(error))?)
}

/// Writes a file that the caller named, whole or not at all.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    Target::of(path, &SaveOptions::default())?.write(bytes)
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot be written: {}", reason(error))).in_file(path)
}
