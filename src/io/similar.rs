//! Files that a missing one may be.

use std::path::Path;

use super::source::names_in;
use crate::error::closest;

/// Advice for the path of a missing file: the name in its folder, or the folder beside its folder, that may be meant.
pub(super) fn similar(path: &Path) -> Option<String> {
    let folder = match path.parent()? {
        empty if empty.as_os_str().is_empty() => Path::new("."),
        folder => folder,
    };
    let mut at = folder;
    while !at.is_dir() {
        let parent = at.parent()?;
        if parent.is_dir() || parent.as_os_str().is_empty() {
            let name = at.file_name()?.to_str()?;
            let parent = match parent.as_os_str().is_empty() {
                true => Path::new("."),
                false => parent,
            };
            let folders = names_in(parent, |entry| entry.is_dir());
            let meant = closest(name, folders.iter().map(String::as_str));
            let meant = meant.map(|meant| format!("; did you mean `{meant}`?"));
            let missing = format!("there is no folder `{}`", at.display());
            return Some(missing + &meant.unwrap_or_default());
        }
        at = parent;
    }
    let name = path.file_name()?.to_str()?;
    let suffix = path.extension();
    let files = names_in(folder, |entry| !entry.is_dir());
    let same = |other: &&String| Path::new(other).extension() == suffix;
    let meant = closest(name, files.iter().filter(same).map(String::as_str));
    let meant = meant.or_else(|| closest(name, files.iter().map(String::as_str)))?;
    Some(format!(
        "did you mean `{}`?",
        path.with_file_name(meant).display()
    ))
}
