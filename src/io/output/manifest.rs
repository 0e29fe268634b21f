//! The list of what a document wrote into its folder, kept there.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::Path;

use serde_json::{Value, json};

/// Name of the list.
pub(super) const NAME: &str = ".kinworld.json";
/// Longest list that is read, bytes.
const LONGEST: u64 = 1 << 26;

/// What a document wrote: names in the folder, and marks of their contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Manifest {
    document: String,
    files: BTreeMap<String, String>,
}

impl Manifest {
    /// The list of these files.
    pub(super) fn of(document: &str, files: &[(String, Vec<u8>)]) -> Self {
        let marked = files
            .iter()
            .map(|(name, bytes)| (name.clone(), mark(bytes)));
        Self {
            document: document.to_owned(),
            files: marked.collect(),
        }
    }

    /// The list in a folder that a document wrote; `None` for any other folder.
    pub(super) fn read(folder: &Path, document: &str) -> Option<Self> {
        let mut text = String::new();
        let file = File::open(folder.join(NAME)).ok()?;
        file.take(LONGEST).read_to_string(&mut text).ok()?;
        let list: Value = serde_json::from_str(&text).ok()?;
        let files = list.get("files")?.as_object()?.iter();
        let files = files.map(|(name, mark)| Some((name.clone(), mark.as_str()?.to_owned())));
        let found = Self {
            document: list.get("document")?.as_str()?.to_owned(),
            files: files.collect::<Option<_>>()?,
        };
        let is_ours = found.document == document && found.files.keys().all(|name| is_inside(name));
        is_ours.then_some(found)
    }

    /// The text of the list.
    pub(super) fn text(&self) -> String {
        let about = "what kinworld wrote with this document; its next save replaces these files";
        let list = json!({"about": about, "document": self.document, "files": self.files});
        format!("{list:#}\n")
    }

    /// True if the folder holds just these files, to the last byte.
    pub(super) fn is_met(&self, folder: &Path, files: &[(String, Vec<u8>)]) -> bool {
        let is_equal = |(name, bytes): &(String, Vec<u8>)| {
            let path = folder.join(name);
            let metadata = path.symlink_metadata();
            metadata.is_ok_and(|file| file.is_file() && file.len() == bytes.len() as u64)
                && fs::read(path).is_ok_and(|old| old == *bytes)
        };
        *self == Self::of(&self.document, files) && files.iter().all(is_equal)
    }

    /// Removes the files that are still as they were written, and the folder if nothing else is in it.
    pub(super) fn remove(&self, folder: &Path) {
        for (name, written) in &self.files {
            let path = folder.join(name);
            let is_file = path.symlink_metadata().is_ok_and(|file| file.is_file());
            if is_file && fs::read(&path).is_ok_and(|bytes| mark(&bytes) == *written) {
                let _ = fs::remove_file(path);
            }
        }
        let _ = fs::remove_file(folder.join(NAME));
        let _ = fs::remove_dir(folder);
    }

    /// The names in the folder.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.files.keys().map(String::as_str)
    }
}

/// True for the name of a file in the folder itself.
fn is_inside(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let first = parts.next();
    matches!(first, Some(std::path::Component::Normal(_)))
        && parts.next().is_none()
        && !name.contains(['/', '\\', ':'])
}

/// Length and FNV-1a hash of a file: tells an edited file from the written one.
fn mark(bytes: &[u8]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in bytes {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    }
    format!("{}-{hash:016x}", bytes.len())
}
