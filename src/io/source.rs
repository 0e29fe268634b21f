//! Sources of files, on disk and in memory. No other file of the library opens or writes files.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::ops::{Bound, Deref};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

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

        let cannot = |error: std::io::Error| {
            refuse(format!("cannot be read: {}", reason(&error))).caused_by(error)
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
        let file = File::open(path).map_err(cannot)?;
        let mut limited = file.take(limit.saturating_add(1).min(most));
        limited.read_to_end(&mut bytes).map_err(cannot)?;
        if bytes.len() as u64 > limit {
            return Err(too_large());
        }
        Ok(bytes)
    }

    /// True if there is such a file or folder.
    pub(crate) fn exists(&self, file: &FilePath) -> bool {
        self.in_memory(file).is_some()
            || self.is_folder_in_memory(file)
            || self.on_disk(file).is_some_and(|path| path.exists())
    }

    /// True if there is such a folder.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.is_folder_in_memory(path) || self.on_disk(path).is_some_and(|path| path.is_dir())
    }

    /// One name for all paths of a file, as far as the system can tell.
    pub(crate) fn canonical(&self, path: &Path) -> PathBuf {
        match self.on_disk(path) {
            Some(on_disk) if self.in_memory(path).is_none() => {
                on_disk.canonicalize().unwrap_or(on_disk)
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

/// A path without `.`, and without `..` where that follows a folder.
fn normalized(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(parts.components().next_back(), Some(Component::Normal(_))) =>
            {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
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

/// Writes a file atomically: an old one is kept until the new one is complete.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    write_all(&[(path, bytes)])
}

/// Writes files into existing folders. If one cannot be written, none is replaced; the last one is renamed
/// last, so that it may refer to the others.
pub(crate) fn write_all(files: &[(&Path, &[u8])]) -> Result<(), Diagnostic> {
    let mut parts: Vec<PathBuf> = Vec::with_capacity(files.len());
    let written = files.iter().try_for_each(|&(path, bytes)| {
        let part = part_of(path)?;
        parts.push(part.clone());
        std::fs::write(&part, bytes).map_err(|error| cannot_write(path, &error))
    });
    let placed = written.and_then(|()| {
        files.iter().zip(&parts).try_for_each(|(&(path, _), part)| {
            std::fs::rename(part, path).map_err(|error| cannot_write(path, &error))
        })
    });
    if placed.is_err() {
        for part in &parts {
            // the remains are of no use, and may not exist
            let _ = std::fs::remove_file(part);
        }
    }
    placed
}

/// Temporary name of a file while it is written.
fn part_of(path: &Path) -> Result<PathBuf, Diagnostic> {
    let Some(name) = path.file_name() else {
        return Err(Diagnostic::error("names no file to write").in_file(path));
    };
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Diagnostic::error("exists already, and is not a regular file").in_file(path));
    }
    // a bare WebAssembly module has no process, and asking for its number traps
    let has_process = !cfg!(all(target_family = "wasm", target_os = "unknown"));
    let process = if has_process { std::process::id() } else { 0 };
    let mut part = std::ffi::OsString::from(format!(".{process}.part."));
    part.push(name);
    Ok(path.with_file_name(part))
}

/// Makes a folder, with those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot be written: {}", reason(error))).in_file(path)
}

/// True if a path on disk exists.
pub(crate) fn is_on_disk(path: &Path) -> bool {
    path.exists()
}

/// The reason alone, in lower case and without the system's number.
fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or("").to_lowercase()
        }
    }
}
