//! Folders whose files a file may name: computed from the file that the caller named, and widened by options.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// Folders beside a file's own, or beside the one above, whose files it may name: the layout of robot collections.
const NEIGHBOURS: [&str; 15] = [
    "assets",
    "materials",
    "mesh",
    "meshes",
    "models",
    "objects",
    "robot",
    "robots",
    "stl",
    "stls",
    "terrains",
    "textures",
    "urdf",
    "worlds",
    "xacro",
];

/// Files that mark a folder as a package: of ROS, and of Gazebo.
const MARKS: [&str; 2] = ["package.xml", "model.config"];

/// Folders whose files a file may name. All paths are absolute, and without symbolic links where they exist.
#[derive(Debug, Default)]
pub(crate) struct Roots {
    /// Folders with all that is below them.
    folders: Vec<PathBuf>,
    /// Folders above the file, which count with all that is below them where they are packages.
    above: Vec<PathBuf>,
    packages_above: OnceLock<Vec<PathBuf>>,
    /// Folders that hold packages; these may be symbolic links.
    holders: Vec<PathBuf>,
    /// Folders that are too wide to be a package, or to hold some.
    wide: Wide,
    real_folders: RealFolders,
}

impl Roots {
    /// Roots of a file that the caller named, with the folders that the caller and the environment name. The path and
    /// the folders are absolute.
    pub(crate) fn new(file: &Path, given: impl IntoIterator<Item = PathBuf>) -> Self {
        Self::within(file, given, Wide::of_this_machine())
    }

    fn within(file: &Path, given: impl IntoIterator<Item = PathBuf>, wide: Wide) -> Self {
        let mut roots = Self {
            wide,
            ..Self::default()
        };
        for folder in given {
            let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            add(&mut roots.holders, folder);
            add(&mut roots.holders, real.clone());
            add(&mut roots.folders, real);
        }

        // a file behind a symbolic link belongs to both places
        let named = file.parent().unwrap_or(file);
        let real_named = roots.real_folders.of(named);
        if let Some(folder) = &real_named {
            roots.surround(folder);
        }
        let behind = roots
            .real_path(file)
            .and_then(|real| Some(real.parent()?.to_owned()));
        if let Some(folder) = behind.filter(|folder| real_named.as_ref() != Some(folder)) {
            roots.surround(&folder);
        }
        for above in named.ancestors().filter(|above| !roots.wide.holds(above)) {
            add(&mut roots.holders, above.to_path_buf());
        }
        roots
    }

    /// Adds the folder of a file, its packages and its neighbours.
    fn surround(&mut self, folder: &Path) {
        if !self.wide.is_home(folder) {
            add(&mut self.folders, folder.to_path_buf());
        }
        let narrow = folder.ancestors().filter(|above| !self.wide.holds(above));
        for above in narrow {
            add(&mut self.holders, above.to_path_buf());
            add(&mut self.above, above.to_path_buf());
        }
        for above in folder.ancestors().skip(1).take(2) {
            if !self.wide.holds(above) {
                let beside = NEIGHBOURS.iter().map(|name| above.join(name));
                beside.for_each(|folder| add(&mut self.folders, folder));
            }
        }
    }

    /// The path without symbolic links if it is inside; it need not exist. The answer for a path outside does not depend
    /// on what is there.
    pub(crate) fn inside(&self, path: &Path) -> Option<PathBuf> {
        let real = self.real_path(path)?;
        let is_below = |folders: &[PathBuf]| folders.iter().any(|folder| real.starts_with(folder));
        let is_inside = is_below(&self.folders)
            || is_below(self.packages_above())
            || self.is_in_package(path, &real);
        is_inside.then_some(real)
    }

    fn packages_above(&self) -> &[PathBuf] {
        let find = || {
            self.above
                .iter()
                .filter(|above| is_package(above))
                .cloned()
                .collect()
        };
        self.packages_above.get_or_init(find)
    }

    /// The path without symbolic links, as far as it exists; `None` for one that leads nowhere.
    pub(crate) fn real_path(&self, path: &Path) -> Option<PathBuf> {
        self.real_folders.real_path(path)
    }

    /// True for a file of a package beside the file that the caller named, beside a folder above it, or in a folder that
    /// the caller named. The package may be a symbolic link, and so may its files, into a package of the same name.
    fn is_in_package(&self, path: &Path, real: &Path) -> bool {
        let path = normalized(path);
        self.holders.iter().any(|holder| {
            let inside = [&path, real].map(|path| path.strip_prefix(holder).ok());
            inside.into_iter().flatten().any(|rest| {
                let Some(Component::Normal(name)) = rest.components().next() else {
                    return false;
                };
                is_package(&holder.join(name)) && self.package_above(real, name)
            })
        })
    }

    /// True if a folder of this name above the path, or the path itself, is a package.
    fn package_above(&self, real: &Path, name: &OsStr) -> bool {
        real.ancestors()
            .filter(|above| above.file_name() == Some(name) && !self.wide.holds(above))
            .any(is_package)
    }
}

/// Folders that are no one's package: the home folder, those above it, and those of temporary files.
#[derive(Debug, Default)]
struct Wide {
    homes: Vec<PathBuf>,
    temporary: Vec<PathBuf>,
}

impl Wide {
    fn of_this_machine() -> Self {
        let with_real = |folders: Vec<PathBuf>| -> Vec<PathBuf> {
            let real: Vec<_> = folders.iter().flat_map(|f| f.canonicalize()).collect();
            folders.into_iter().chain(real).collect()
        };
        let mut temporary: Vec<PathBuf> = ["/tmp", "/var/tmp"].map(PathBuf::from).to_vec();
        // `temp_dir` panics where there is no file system
        temporary.extend(["TMPDIR", "TEMP"].into_iter().filter_map(|name| {
            let folder = std::env::var_os(name).filter(|folder| !folder.is_empty());
            folder.map(PathBuf::from)
        }));
        Self {
            homes: with_real(std::env::home_dir().into_iter().collect()),
            temporary: with_real(temporary),
        }
    }

    /// True for a home folder, and for a folder above one.
    fn is_home(&self, folder: &Path) -> bool {
        let is_of_a_user = || {
            let parent = folder.parent();
            ["/home", "/Users"]
                .iter()
                .any(|homes| parent == Some(Path::new(homes)) || folder == Path::new(homes))
        };
        folder.parent().is_none()
            || self.homes.iter().any(|home| home.starts_with(folder))
            || is_of_a_user()
    }

    /// True for a folder that anyone's files are in.
    fn holds(&self, folder: &Path) -> bool {
        self.is_home(folder) || self.temporary.iter().any(|wide| wide == folder)
    }
}

fn add(folders: &mut Vec<PathBuf>, folder: PathBuf) {
    if !folders.contains(&folder) {
        folders.push(folder);
    }
}

fn is_package(folder: &Path) -> bool {
    MARKS.iter().any(|mark| folder.join(mark).is_file())
}

/// Folders without symbolic links, by path: files of a model are often in few folders.
#[derive(Debug, Default)]
struct RealFolders(Mutex<HashMap<PathBuf, Option<PathBuf>>>);

impl RealFolders {
    fn of(&self, folder: &Path) -> Option<PathBuf> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(real) = known.get(folder) {
            return real.clone();
        }
        let real = folder.canonicalize().ok();
        known.insert(folder.to_owned(), real.clone());
        real
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        let path = std::path::absolute(path).ok()?;
        self.in_known_folder(&path).or_else(|| real_path(&path))
    }

    /// The path of a file that is no symbolic link, in a folder that exists. Only where names have one spelling.
    fn in_known_folder(&self, path: &Path) -> Option<PathBuf> {
        let Some(Component::Normal(name)) = path.components().next_back() else {
            return None;
        };
        if !cfg!(target_os = "linux") {
            return None;
        }
        let real = self.of(path.parent()?)?.join(name);
        match real.symlink_metadata() {
            Ok(metadata) => (!metadata.is_symlink()).then_some(real),
            Err(error) => (error.kind() == std::io::ErrorKind::NotFound).then_some(real),
        }
    }
}

/// The path without symbolic links, as far as it exists; `None` for one that leads nowhere.
fn real_path(path: &Path) -> Option<PathBuf> {
    let mut missing = Vec::new();
    for above in path.ancestors() {
        if let Ok(mut real) = above.canonicalize() {
            let rest: PathBuf = missing.into_iter().rev().collect();
            // the rest does not exist, so that `..` in it cannot lead through a link
            real.push(rest);
            return Some(normalized(&real));
        }
        if above.is_symlink() {
            return None;
        }
        missing.push(above.components().next_back()?);
    }
    None
}

/// A path without `.`, and without `..` where that follows a folder.
pub(crate) fn normalized(path: &Path) -> PathBuf {
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
