//! Files and folders under temporary names, which are removed unless they get their own.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::stale;
use super::target::folder_of;

/// A complete file under a temporary name.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    is_placed: bool,
}

impl Part {
    /// Writes a file beside `place`, with the permissions of the old one; it is on the device then.
    pub(super) fn write(place: &Path, bytes: &[u8], old: Option<&Metadata>) -> io::Result<Self> {
        stale::remove(folder_of(place));
        let path = folder_of(place).join(free_name());
        let mut file = OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)?;
        let part = Self {
            path,
            is_placed: false,
        };
        file.write_all(bytes)?;
        if let Some(old) = old {
            take_owner(&part.path, old);
            file.set_permissions(old.permissions())?;
        }
        file.sync_all()?;
        Ok(part)
    }

    /// Gives the file its name.
    pub(super) fn place(mut self, place: &Path) -> io::Result<()> {
        fs::rename(&self.path, place)?;
        self.is_placed = true;
        sync_folder(folder_of(place));
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_placed {
            // of no use, and may be gone
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// A folder of complete files, under a temporary name until it is placed, and removed until it is kept.
#[derive(Debug)]
pub(super) struct PartFolder {
    path: PathBuf,
    is_kept: bool,
}

impl PartFolder {
    /// Writes files into a new folder beside `place`.
    pub(super) fn write<'a>(
        place: &Path,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> io::Result<Self> {
        stale::remove(folder_of(place));
        let path = folder_of(place).join(free_name());
        fs::create_dir(&path)?;
        let part = Self {
            path,
            is_kept: false,
        };
        for (name, bytes) in files {
            let name = part.path.join(name);
            let mut file = OpenOptions::new().write(true).create_new(true).open(name)?;
            file.write_all(bytes)?;
            file.sync_all()?;
        }
        sync_folder(&part.path);
        Ok(part)
    }

    /// Gives the folder its name.
    pub(super) fn place(&mut self, place: &Path) -> io::Result<()> {
        // an empty one may be in its place
        let _ = fs::remove_dir(place);
        fs::rename(&self.path, place)?;
        self.path = place.to_path_buf();
        sync_folder(folder_of(place));
        Ok(())
    }

    /// The folder belongs to a document now.
    pub(super) fn keep(mut self) {
        self.is_kept = true;
    }
}

impl Drop for PartFolder {
    fn drop(&mut self) {
        if !self.is_kept {
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// A hidden name that nothing else has.
fn free_name() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    // a bare WebAssembly module has no process, and asking for its number traps
    let has_process = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    let process = if has_process { std::process::id() } else { 0 };
    let time = if has_process {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |now| now.subsec_nanos())
    } else {
        0
    };
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!(
        "{}{process}-{number}-{time:08x}{}",
        stale::START,
        stale::END
    )
}

/// Writes the names of a folder to the device, where the system can.
fn sync_folder(folder: &Path) {
    if cfg!(unix)
        && let Ok(folder) = File::open(folder)
    {
        // some file systems cannot
        let _ = folder.sync_all();
    }
}

/// Gives a file the owner of another one, where the process may.
#[cfg(unix)]
fn take_owner(path: &Path, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, chown};
    if let Ok(new) = path.metadata()
        && (new.uid(), new.gid()) != (old.uid(), old.gid())
    {
        let _ = chown(path, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn take_owner(_: &Path, _: &Metadata) {}
