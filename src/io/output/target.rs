//! The place of a file to write: checked, with symbolic links followed.

use std::fs::{self, Metadata, OpenOptions};
use std::path::{Path, PathBuf};

use super::cannot_write;
use super::keep;
use super::options::SaveOptions;
use super::part::Part;
use crate::Diagnostic;

/// Symbolic links that are followed one after the other, as systems do.
const MOST_LINKS: usize = 40;

/// A file that may be written.
#[derive(Debug)]
pub(crate) struct Target {
    /// As the caller named it, for messages.
    named: PathBuf,
    /// Where links lead.
    real: PathBuf,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    New,
    Old(Metadata),
    /// A pipe, a device or an open file of the process: it has no name to be renamed to.
    Stream,
}

impl Target {
    /// The place of a file; errors before anything is written.
    pub(crate) fn of(path: &Path, options: &SaveOptions) -> Result<Self, Diagnostic> {
        if path.file_name().is_none() {
            return Err(Diagnostic::error("names no file to write").in_file(path));
        }
        let real = followed(path)?;
        let kind = kind(path, &real)?;
        if let Kind::Old(_) = kind {
            if !options.force
                && options
                    .inputs
                    .iter()
                    .any(|input| keep::is_same(input, &real))
            {
                let error = Diagnostic::error("would be overwritten by what is made of it");
                return Err(error.in_file(path).help("name another file to write"));
            }
            // the rename would replace a file that may not be written
            let writable = OpenOptions::new().write(true).open(&real);
            writable.map_err(|error| cannot_write(path, &error))?;
        }
        Ok(Self {
            named: path.to_path_buf(),
            real,
            kind,
        })
    }

    /// Writes the file whole or not at all.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<(), Diagnostic> {
        match self.part(bytes)? {
            Some(part) => self.place(part),
            None => Ok(()),
        }
    }

    /// The complete file under a temporary name; a stream is written at once.
    pub(super) fn part(&self, bytes: &[u8]) -> Result<Option<Part>, Diagnostic> {
        let old = match &self.kind {
            Kind::New => None,
            Kind::Old(old) => Some(old),
            Kind::Stream => {
                let written = fs::write(&self.named, bytes);
                return written.map(|()| None).map_err(|error| self.failed(&error));
            }
        };
        let part = Part::write(&self.real, bytes, old);
        part.map(Some).map_err(|error| self.failed(&error))
    }

    /// Gives a complete file its name.
    pub(super) fn place(&self, part: Part) -> Result<(), Diagnostic> {
        part.place(&self.real).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &std::io::Error) -> Diagnostic {
        let error = cannot_write(&self.named, error);
        match self.kind {
            Kind::Old(_) => error.help("the old file is as it was"),
            _ => error,
        }
    }
}

fn kind(path: &Path, real: &Path) -> Result<Kind, Diagnostic> {
    if is_of_the_system(path) || is_of_the_system(real) {
        return Ok(Kind::Stream);
    }
    match real.metadata() {
        Ok(old) if old.is_file() => Ok(Kind::Old(old)),
        Ok(old) if old.is_dir() => {
            let error = Diagnostic::error("is a folder, not a file").in_file(path);
            Err(error.help("name a file inside"))
        }
        Ok(_) => Ok(Kind::Stream),
        Err(_) => {
            let folder = folder_of(real);
            if folder.is_dir() {
                return Ok(Kind::New);
            }
            let problem = format!("cannot be written: no folder `{}`", folder.display());
            let error = Diagnostic::error(problem).in_file(path);
            Err(error.help("make the folder first"))
        }
    }
}

/// True for names that stand for open files.
fn is_of_the_system(path: &Path) -> bool {
    let names = [
        "/dev/stdout",
        "/dev/stderr",
        "/dev/stdin",
        "/dev/fd",
        "/proc",
    ];
    cfg!(unix) && names.iter().any(|name| path.starts_with(name))
}

/// The file that a chain of symbolic links leads to; it may not exist.
fn followed(path: &Path) -> Result<PathBuf, Diagnostic> {
    let mut real = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        // the names behind `/dev/stdout` are no files
        if is_of_the_system(&real) {
            return Ok(real);
        }
        let Ok(next) = fs::read_link(&real) else {
            return Ok(real);
        };
        real = folder_of(&real).join(next);
    }
    let error = Diagnostic::error("is a symbolic link to itself").in_file(path);
    Err(error.help("name a file"))
}

/// The folder of a file.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
        None => path,
    }
}
