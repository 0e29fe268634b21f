//! Temporary files and folders that a killed process left behind.

use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Start of a temporary name: then process, number and time.
pub(super) const START: &str = ".kinworld-";
/// End of a temporary name.
pub(super) const END: &str = ".part";
/// Least age of what is removed: whoever wrote it, perhaps on another machine that shares the folder, is long done.
const OLD: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes what killed processes left in a folder more than a day ago; looks once per folder. Failures are ignored.
pub(super) fn remove(folder: &Path) {
    static SEEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    let is_new = SEEN
        .lock()
        .is_ok_and(|mut seen| seen.insert(folder.to_path_buf()));
    if !is_new {
        return;
    }
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(is_stale) {
        // links are not followed
        let _ = match entry.file_type() {
            Ok(kind) if kind.is_dir() => fs::remove_dir_all(entry.path()),
            Ok(kind) if kind.is_file() => fs::remove_file(entry.path()),
            _ => Ok(()),
        };
    }
}

fn is_stale(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let process = name.to_str().and_then(process_of);
    let is_old = || {
        let modified = entry.metadata().and_then(|metadata| metadata.modified());
        modified.is_ok_and(|time| time.elapsed().is_ok_and(|age| age > OLD))
    };
    process.is_some_and(|process| !runs(process)) && is_old()
}

/// The process in a temporary name.
fn process_of(name: &str) -> Option<u32> {
    let inner = name.strip_prefix(START)?.strip_suffix(END)?;
    let mut words = inner.split('-');
    let (process, number, time) = (words.next()?, words.next()?, words.next()?);
    let is_decimal = |word: &str| !word.is_empty() && word.bytes().all(|c| c.is_ascii_digit());
    let is_ours = words.next().is_none()
        && is_decimal(process)
        && is_decimal(number)
        && time.len() == 8
        && time.bytes().all(|c| c.is_ascii_hexdigit());
    process.parse().ok().filter(|_| is_ours)
}

/// Whether a process runs on this machine, as far as that is known.
fn runs(process: u32) -> bool {
    process == std::process::id()
        || (cfg!(target_os = "linux") && Path::new("/proc").join(process.to_string()).exists())
}

#[cfg(test)]
mod tests {
    use super::process_of;

    #[test]
    fn only_our_names_have_a_process() {
        assert_eq!(process_of(".kinworld-41-0-00c0ffee.part"), Some(41));
        for other in [
            ".kinworld-41-0-00c0ffee",
            "kinworld-41-0-00c0ffee.part",
            ".kinworld-41-0.part",
            ".kinworld-x-0-00c0ffee.part",
            ".kinworld-41-0-00c0ffeg.part",
            ".kinworld-41-0-00c0ffee-1.part",
            ".kinworld.json",
        ] {
            assert_eq!(process_of(other), None, "{other}");
        }
    }
}
