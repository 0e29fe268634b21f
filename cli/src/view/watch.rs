//! Files that may change: their times and sizes, looked at again and again.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Time of the last change and size of a file; nothing where there is none.
type Stamp = Option<(SystemTime, u64)>;

/// Files, and what they were like when they were read.
#[derive(Debug)]
pub(super) struct Watch {
    files: Vec<PathBuf>,
    read: Vec<Stamp>,
    /// What they were like at the last look, if that was different.
    before: Option<Vec<Stamp>>,
}

impl Watch {
    pub(super) fn of(files: &[PathBuf]) -> Self {
        Self {
            files: files.to_vec(),
            read: stamps(files),
            before: None,
        }
    }

    /// Watches further files.
    pub(super) fn add(&mut self, files: impl Iterator<Item = PathBuf>) {
        for file in files {
            if !self.files.contains(&file) {
                self.read.push(stamp(&file));
                self.files.push(file);
            }
        }
    }

    /// Returns whether files have changed since they were read, and have been left alone since the last look.
    pub(super) fn has_changed(&mut self) -> bool {
        let now = stamps(&self.files);
        if now == self.read {
            self.before = None;
            return false;
        }
        if self.before.as_ref() != Some(&now) {
            self.before = Some(now);
            return false;
        }
        self.before = None;
        self.read = now;
        true
    }
}

fn stamps(files: &[PathBuf]) -> Vec<Stamp> {
    files.iter().map(|file| stamp(file)).collect()
}

fn stamp(file: &Path) -> Stamp {
    let facts = std::fs::metadata(file).ok()?;
    Some((facts.modified().ok()?, facts.len()))
}

#[cfg(test)]
mod tests {
    use super::Watch;

    #[test]
    fn a_change_is_seen_once_and_only_when_it_is_over() {
        let path = std::env::temp_dir().join(format!("kinworld-watch-{}", std::process::id()));
        std::fs::write(&path, "a").unwrap();
        let mut watch = Watch::of(std::slice::from_ref(&path));
        assert!(!watch.has_changed());
        std::fs::write(&path, "ab").unwrap();
        assert!(!watch.has_changed());
        std::fs::write(&path, "abc").unwrap();
        assert!(!watch.has_changed(), "it is being written");
        assert!(watch.has_changed());
        assert!(!watch.has_changed());
        std::fs::remove_file(&path).unwrap();
        assert!(!watch.has_changed());
        assert!(watch.has_changed());
    }
}
