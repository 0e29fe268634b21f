//! The folder of a document's other files: which one, and how it gets its contents.

use std::fs;
use std::path::{Path, PathBuf};

use super::manifest::{self, Manifest};
use super::options::SaveOptions;
use super::part::{Part, PartFolder};
use super::target::Target;
use super::{cannot_write, keep};
use crate::Diagnostic;

/// Numbered folders that are looked at, beyond the first free one.
const MOST: usize = 9;

/// A possible folder of a document.
#[derive(Debug)]
pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    state: State,
}

#[derive(Debug)]
enum State {
    /// Nothing has this name, or an empty folder.
    Free,
    /// The document wrote it.
    Own(Manifest),
    /// Anything else.
    Other,
}

/// How a document and its files are placed.
#[derive(Debug)]
pub(crate) enum Placing {
    /// The folder is new.
    Fresh,
    /// The folder holds these files already.
    Same,
    /// Files are added to a folder of another document, and replaced there: the caller insists.
    Forced,
}

impl Folder {
    /// The folders that a document may have: `arm_files`, `arm_xml_files`, `arm_xml_files_2`, …
    pub(crate) fn all(main: &Path) -> Vec<Self> {
        let stem = crate::io::name(main);
        let suffix = crate::io::suffix(main);
        let document = name_of(main);
        let numbered = |k: usize| match k {
            0 => format!("{stem}_files"),
            1 => format!("{stem}_{suffix}_files"),
            k => format!("{stem}_{suffix}_files_{k}"),
        };
        let mut folders: Vec<Self> = Vec::new();
        for k in 0.. {
            let has_free = folders.iter().any(|f| matches!(f.state, State::Free));
            if k > MOST && has_free {
                break;
            }
            let path = main.with_file_name(numbered(k));
            let state = State::of(&path, &document);
            folders.push(Self { path, state });
        }
        folders
    }

    pub(crate) fn is_free(&self) -> bool {
        matches!(self.state, State::Free)
    }

    pub(crate) fn is_other(&self) -> bool {
        matches!(self.state, State::Other)
    }

    /// True if the document wrote the folder, with just these files.
    pub(crate) fn holds(&self, files: &[(String, Vec<u8>)]) -> bool {
        matches!(&self.state, State::Own(list) if list.is_met(&self.path, files))
    }

    pub(crate) fn is_own(&self) -> bool {
        matches!(self.state, State::Own(_))
    }

    /// Places the files of a document, then the document.
    pub(crate) fn place(
        &self,
        placing: &Placing,
        files: &[(String, Vec<u8>)],
        main: &Path,
        target: &Target,
        text: &[u8],
    ) -> Result<(), Diagnostic> {
        let list = Manifest::of(&name_of(main), files).text();
        let named = files
            .iter()
            .map(|(name, bytes)| (name.as_str(), bytes.as_slice()));
        let all = named.chain([(manifest::NAME, list.as_bytes())]);
        let failed = |error: std::io::Error| cannot_write(&self.path, &error);
        match placing {
            Placing::Same => target.write(text),
            Placing::Fresh => {
                let mut folder = PartFolder::write(&self.path, all).map_err(failed)?;
                let Some(part) = target.part(text)? else {
                    // the text went to a stream, which names the folder
                    folder.place(&self.path).map_err(failed)?;
                    folder.keep();
                    return Ok(());
                };
                folder.place(&self.path).map_err(failed)?;
                target.place(part)?;
                folder.keep();
                Ok(())
            }
            Placing::Forced => {
                let mut parts = Vec::new();
                for (name, bytes) in all {
                    let path = self.path.join(name);
                    let part = Part::write(&path, bytes, None);
                    parts.push((part.map_err(|error| cannot_write(&path, &error))?, path));
                }
                let document = target.part(text)?;
                for (part, path) in parts {
                    let placed = part.place(&path);
                    placed.map_err(|error| cannot_write(&path, &error))?;
                }
                document.map_or(Ok(()), |part| target.place(part))
            }
        }
    }

    /// Removes a folder that the document wrote before, unless something else needs its files.
    pub(crate) fn remove(&self, main: &Path, options: &SaveOptions) {
        let State::Own(list) = &self.state else {
            return;
        };
        let was_read = |name: &str| {
            let path = self.path.join(name);
            options
                .inputs
                .iter()
                .any(|input| keep::is_same(input, &path))
        };
        if list.names().any(was_read) || keep::is_named_beside(main, &name_of(&self.path)) {
            return;
        }
        list.remove(&self.path);
    }
}

impl State {
    fn of(path: &Path, document: &str) -> Self {
        let Ok(metadata) = path.symlink_metadata() else {
            return Self::Free;
        };
        if !metadata.is_dir() {
            return Self::Other;
        }
        if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()) {
            return Self::Free;
        }
        Manifest::read(path, document).map_or(Self::Other, Self::Own)
    }
}

fn name_of(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}
