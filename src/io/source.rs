//! Sources of files, on disk and in memory. No other file of the library reads what a model names.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::ops::{Bound, Deref};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::roots::{Roots, normalized};
use super::similar::similar;
use super::words::listed;
use crate::Diagnostic;

/// Files that a [`Loader`](super::Loader) reads: a folder on disk, files in memory, or both.
///
/// A file in memory hides one of the same name on disk. Everything that a file names (meshes, materials, textures,
/// included and mounted files, packages) is looked up in the same source. Saving always writes to disk.
///
/// Names in memory are paths with `/`, relative to the root of the source; `.` and `..` in them are resolved.
///
/// # Examples
///
/// A robot with a mesh, without a file system:
///
/// ```
/// use kinworld::io::{Loader, Source};
///
/// let robot = r#"<robot name="rock">
///     <link name="rock">
///         <collision><geometry><mesh filename="package://rock/meshes/rock.off"/></geometry></collision>
///     </link>
/// </robot>"#;
/// let mesh = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n";
/// let source = Source::memory()
///     .with_file("rock/urdf/rock.urdf", robot.as_bytes().to_vec())
///     .with_file("rock/meshes/rock.off", mesh.as_bytes().to_vec());
///
/// let rock = Loader::new().with_source(source).robot("rock/urdf/rock.urdf")?.value;
/// let link = rock.link_id("rock")?;
/// assert_eq!(rock.link(link).shape().map(|shape| shape.n_triangles()), Some(4));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Source {
    files: Arc<BTreeMap<PathBuf, Cow<'static, [u8]>>>,
    folder: Option<PathBuf>,
    /// Where a file on disk may name others; nowhere by default.
    roots: Arc<Roots>,
    // to the files of one call: only then what is known of folders holds
    is_confined: bool,
    /// Files on disk that were read, by canonical path; clones share the list.
    read: Arc<Mutex<BTreeSet<PathBuf>>>,
}

impl Source {
    /// The file system; relative paths are relative to the current folder. The default.
    #[must_use]
    pub fn disk() -> Self {
        Self::folder("")
    }

    /// The file system; relative paths are relative to `folder`. Absolute ones are taken as they are.
    #[must_use]
    pub fn folder(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: Some(folder.into()),
            ..Self::memory()
        }
    }

    /// No file at all; [`with_file`](Self::with_file) adds some. The disk is never read.
    #[must_use]
    pub fn memory() -> Self {
        Self {
            files: Arc::default(),
            folder: None,
            roots: Arc::default(),
            is_confined: false,
            read: Arc::default(),
        }
    }

    /// The same source with a file in memory, which replaces one of the same name.
    ///
    /// Bytes of `include_bytes!` are not copied.
    #[must_use]
    pub fn with_file(
        mut self,
        name: impl AsRef<Path>,
        bytes: impl Into<Cow<'static, [u8]>>,
    ) -> Self {
        let files = Arc::make_mut(&mut self.files);
        files.insert(normalized(name.as_ref()), bytes.into());
        self
    }

    /// The same source with several files in memory.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::collections::HashMap;
    ///
    /// use kinworld::io::{Loader, Source};
    ///
    /// let files = HashMap::from([("plane.env", b"mesh \"plane.off\"".to_vec()), (
    ///     "plane.off",
    ///     b"OFF\n3 1 0\n-1 -1 0\n1 -1 0\n0 1 0\n3 0 1 2\n".to_vec(),
    /// )]);
    /// let mut loader = Loader::new().with_source(Source::memory().with_files(files));
    /// assert!(loader.terrain("plane.env")?.value.geometry.is_some());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn with_files<N: AsRef<Path>, B: Into<Cow<'static, [u8]>>>(
        self,
        files: impl IntoIterator<Item = (N, B)>,
    ) -> Self {
        let files = files.into_iter();
        files.fold(self, |source, (name, bytes)| source.with_file(name, bytes))
    }

    /// The same source for one call: files may name what is around `file`, which the caller named, and what is in the
    /// `given` folders.
    pub(crate) fn confined(&self, file: &Path, given: &[PathBuf]) -> Self {
        let mut confined = self.clone();
        let Some(folder) = &self.folder else {
            return confined;
        };
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        let own = (!folder.as_os_str().is_empty()).then(|| folder.clone());
        let given = given.iter().map(|given| folder.join(given)).chain(own);
        let roots = Roots::new(&absolute(folder.join(file)), given.map(absolute));
        confined.roots = Arc::new(roots);
        confined.is_confined = true;
        confined
    }

    /// The bytes of a regular file of at most `limit` bytes.
    ///
    /// Folders, pipes and devices are refused before they are opened, so that no call blocks.
    pub(crate) fn read(&self, file: &FilePath, limit: u64) -> Result<Vec<u8>, Diagnostic> {
        self.read_start(file, limit, u64::MAX)
    }

    /// The first `most` bytes of a regular file of at most `limit` bytes.
    ///
    /// Every read passes through this function, with the origin of the path.
    pub(crate) fn read_start(
        &self,
        file: &FilePath,
        limit: u64,
        most: u64,
    ) -> Result<Vec<u8>, Diagnostic> {
        let refuse = |message: String| Diagnostic::error(message).in_file(file);
        let is_folder = || {
            refuse("is a folder, not a file".to_owned())
                .help("name the file inside that should be loaded")
        };
        let too_large = || {
            refuse(format!("is larger than the limit of {limit} bytes"))
                .help("raise `limits.file_size` or `limits.text_size` of the load options")
        };
        if let Some(bytes) = self.in_memory(file) {
            if bytes.len() as u64 > limit {
                return Err(too_large());
            }
            let n = usize::try_from(most).unwrap_or(usize::MAX);
            return Ok(bytes.get(..n).unwrap_or(bytes).to_vec());
        }
        let Some(path) = self.on_disk(file) else {
            if self.is_folder_in_memory(file) {
                return Err(is_folder());
            }
            let error = refuse("cannot be read: no such file".to_owned());
            return Err(match file.named_by {
                NamedBy::Caller => error.help(format!("in memory are {}", self.names())),
                NamedBy::File => error,
            });
        };

        let Some(path) = self.permitted(file, path) else {
            return Err(
                refuse("is outside the folders whose files a file may name".to_owned())
                    .help(ADVICE),
            );
        };
        let cannot = |error: std::io::Error| {
            let like = match (error.kind(), file.named_by) {
                (ErrorKind::NotFound, NamedBy::Caller) => similar(&path),
                _ => None,
            };
            let refusal = refuse(format!("cannot be read: {}", reason(&error))).caused_by(error);
            match like {
                Some(like) => refusal.help(like),
                None => refusal,
            }
        };
        let metadata = path.metadata().map_err(cannot)?;
        if metadata.is_dir() {
            return Err(is_folder());
        }
        if !metadata.is_file() {
            return Err(refuse(
                "is not a regular file but a pipe, a socket or a device".to_owned(),
            ));
        }
        if metadata.len() > limit {
            return Err(too_large());
        }
        let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(most)).unwrap_or(0));
        let opened = File::open(&path).map_err(cannot)?;
        if file.named_by == NamedBy::File && !is_at(&opened, &path) {
            return Err(refuse(
                "cannot be read: it was replaced meanwhile".to_owned(),
            ));
        }
        self.remember(match file.named_by {
            NamedBy::Caller => path.canonicalize().unwrap_or_else(|_| path.clone()),
            NamedBy::File => path.clone(),
        });
        let mut limited = opened.take(limit.saturating_add(1).min(most));
        limited.read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        Ok(bytes)
    }

    /// The same source, with a list of its own of the files that are read.
    pub(super) fn with_own_list(&self) -> Self {
        Self {
            read: Arc::default(),
            ..self.clone()
        }
    }

    /// The files on disk that were read so far, by canonical path.
    pub(super) fn files_read(&self) -> Vec<PathBuf> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.iter().cloned().collect()
    }

    /// Lists a canonical path.
    fn remember(&self, path: PathBuf) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.insert(path);
    }

    /// True if there is such a file or folder; never for one that may not be named.
    pub(crate) fn exists(&self, file: &FilePath) -> bool {
        self.is_in_memory(file)
            || self
                .on_disk(file)
                .and_then(|path| self.permitted(file, path))
                .is_some_and(|path| path.exists())
    }

    /// The bytes of a file; `None` where there is none, or none that may be named.
    pub(crate) fn size(&self, file: &FilePath) -> Option<u64> {
        if let Some(bytes) = self.in_memory(file) {
            return Some(bytes.len() as u64);
        }
        let path = self.permitted(file, self.on_disk(file)?)?;
        path.metadata().ok().map(|metadata| metadata.len())
    }

    /// True if the file may be named by the one that names it, whether it exists or not.
    pub(crate) fn permits(&self, file: &FilePath) -> bool {
        self.is_in_memory(file)
            || self
                .on_disk(file)
                .is_none_or(|path| self.permitted(file, path).is_some())
    }

    /// True if there is such a folder.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.is_folder_in_memory(path) || self.on_disk(path).is_some_and(|path| path.is_dir())
    }

    /// One name for all paths of a file, as far as the system can tell.
    pub(crate) fn canonical(&self, path: &Path) -> PathBuf {
        match self.on_disk(path) {
            Some(on_disk) if self.in_memory(path).is_none() => {
                let real = match self.is_confined {
                    true => self.roots.real_path(&on_disk),
                    false => on_disk.canonicalize().ok(),
                };
                real.unwrap_or(on_disk)
            }
            _ => normalized(path),
        }
    }

    /// The folders above a file, innermost first.
    pub(crate) fn folders_above(&self, file: &Path) -> Vec<PathBuf> {
        let mut folders = Vec::new();
        if !self.files.is_empty() {
            let above = normalized(file);
            folders.extend(above.ancestors().skip(1).map(Path::to_path_buf));
        }
        if let Some(path) = self.on_disk(file) {
            let path = std::path::absolute(&path).unwrap_or(path);
            folders.extend(path.ancestors().skip(1).map(Path::to_path_buf));
        }
        folders
    }

    /// Base of relative paths, for messages.
    pub(crate) fn base_name(&self) -> &'static str {
        match self.folder.as_ref().map(|folder| folder.as_os_str()) {
            Some(folder) if folder.is_empty() => "the current folder",
            Some(_) => "the folder of the source",
            None => "the root of the source",
        }
    }

    fn in_memory(&self, path: &Path) -> Option<&[u8]> {
        if self.files.is_empty() {
            return None;
        }
        self.files.get(&normalized(path)).map(|bytes| &**bytes)
    }

    fn is_in_memory(&self, path: &Path) -> bool {
        self.in_memory(path).is_some() || self.is_folder_in_memory(path)
    }

    /// The path to open on disk, if the file may be named by the one that names it.
    fn permitted(&self, file: &FilePath, on_disk: PathBuf) -> Option<PathBuf> {
        match file.named_by {
            NamedBy::Caller => Some(on_disk),
            NamedBy::File => self.roots.inside(&std::path::absolute(on_disk).ok()?),
        }
    }

    /// The path in the file system, if the source has one.
    fn on_disk(&self, path: &Path) -> Option<PathBuf> {
        self.folder.as_ref().map(|folder| folder.join(path))
    }

    fn is_folder_in_memory(&self, path: &Path) -> bool {
        if self.files.is_empty() {
            return false;
        }
        let path = normalized(path);
        // paths are sorted by their components, so that the contents of a folder follow it
        let behind = (Bound::Excluded(path.as_path()), Bound::Unbounded);
        let next = self.files.range::<Path, _>(behind).next();
        next.is_some_and(|(name, _)| name.starts_with(&path))
    }

    /// The names of files in memory, for messages.
    fn names(&self) -> String {
        let names: Vec<_> = self
            .files
            .keys()
            .map(|name| name.to_string_lossy())
            .collect();
        listed(&names.iter().map(|name| &**name).collect::<Vec<_>>())
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::disk()
    }
}

/// Advice for a file that may not be named.
pub(crate) const ADVICE: &str =
    "if the file may be read, allow its folder with `--root DIR` (`LoadOptions::roots`)";

/// True if an open file is the one at a path that leads through no symbolic link.
fn is_at(file: &File, path: &Path) -> bool {
    // the system's own path of the file, where it tells one
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd as _;
        let own = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
        if own.is_ok_and(|own| own == path) {
            return true;
        }
    }
    if path.canonicalize().ok().as_deref() != Some(path) {
        return false;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let one = |metadata: std::io::Result<std::fs::Metadata>| {
            metadata
                .ok()
                .map(|metadata| (metadata.dev(), metadata.ino()))
        };
        one(file.metadata()) == one(path.symlink_metadata())
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        true
    }
}

/// Path of a file to read, and its origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FilePath {
    path: PathBuf,
    named_by: NamedBy,
}

/// Origin of a path: the caller may read any file, a file only what belongs to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NamedBy {
    /// The caller of the library, in a call or in its options.
    Caller,
    /// The contents of another file.
    File,
}

impl FilePath {
    /// A path that the caller of the library gave.
    pub(crate) fn by_caller(path: impl AsRef<Path>) -> Self {
        Self {
            path: path.as_ref().to_path_buf(),
            named_by: NamedBy::Caller,
        }
    }

    /// A path that follows from the contents of a file.
    pub(crate) fn by_file(path: PathBuf) -> Self {
        Self {
            path,
            named_by: NamedBy::File,
        }
    }
}

impl Deref for FilePath {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.path
    }
}

impl AsRef<Path> for FilePath {
    fn as_ref(&self) -> &Path {
        self
    }
}

/// True if a path on disk exists.
pub(crate) fn is_on_disk(path: &Path) -> bool {
    path.exists()
}

/// Names in a folder, sorted; at most a thousand are read.
pub(super) fn names_in(folder: &Path, is_meant: impl Fn(&Path) -> bool) -> Vec<String> {
    const MOST: usize = 1000;
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.take(MOST).flatten().map(|entry| entry.path());
    let names = entries.filter(|path| is_meant(path));
    let names = names.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.collect();
    names.sort_unstable();
    names
}

/// The reason alone, in lower case and without the system's number.
pub(super) fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or("").to_lowercase()
        }
    }
}
