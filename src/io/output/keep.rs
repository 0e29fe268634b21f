//! What must not be lost: files that were read, and files that other documents name.

use std::fs::{self, Metadata};
use std::path::Path;

use super::target::folder_of;

/// Suffixes of documents that name other files.
const DOCUMENTS: [&str; 12] = [
    "dae", "env", "gltf", "json", "launch", "obj", "rob", "sdf", "urdf", "world", "xacro", "xml",
];
/// Longest document that is searched for names, bytes; a longer one is taken to hold any.
const LONGEST: u64 = 1 << 26;

/// True if two paths are one file: by links of either kind, or in other letters.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    let by_name = || match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    };
    match (a.metadata(), b.metadata()) {
        (Ok(one), Ok(other)) => is_one(&one, &other) || by_name(),
        _ => false,
    }
}

#[cfg(unix)]
fn is_one(a: &Metadata, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (a.dev(), a.ino()) == (b.dev(), b.ino())
}

#[cfg(not(unix))]
fn is_one(_: &Metadata, _: &Metadata) -> bool {
    false
}

/// True if a document beside `main` may name the file or folder `name`.
pub(super) fn is_named_beside(main: &Path, name: &str) -> bool {
    let Ok(entries) = fs::read_dir(folder_of(main)) else {
        return true;
    };
    // formats escape other characters in different ways
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let runs = name.split(|c: char| !is_plain(c));
    let wanted = runs.max_by_key(|run| run.len()).unwrap_or_default();
    entries.flatten().any(|entry| {
        let path = entry.path();
        let is_document = DOCUMENTS.contains(&crate::io::suffix(&path).as_str());
        let is_other = path.file_name() != main.file_name();
        is_document && is_other && path.is_file() && may_hold(&path, wanted)
    })
}

fn may_hold(path: &Path, wanted: &str) -> bool {
    if path.metadata().is_ok_and(|file| file.len() > LONGEST) {
        return true;
    }
    let Ok(bytes) = fs::read(path) else {
        return false;
    };
    let wanted = wanted.as_bytes();
    wanted.is_empty() || bytes.windows(wanted.len()).any(|part| part == wanted)
}
