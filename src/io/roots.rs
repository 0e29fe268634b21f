//! Folders whose files a file may name: computed from the file that the caller named, and widened by options.

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

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
    /// Folders that hold packages; these may be symbolic links.
    holders: Vec<PathBuf>,
    /// Folders that are too wide to be a package, or to hold some.
    wide: Wide,
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
        let real = file.canonicalize().ok();
        let behind = real.as_deref().and_then(Path::parent);
        for folder in [named.canonicalize().ok().as_deref(), behind]
            .into_iter()
            .flatten()
        {
            roots.surround(folder);
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
            if is_package(above) {
                add(&mut self.folders, above.to_path_buf());
            }
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
        let real = real_path(path)?;
        let is_inside = self.folders.iter().any(|folder| real.starts_with(folder));
        (is_inside || self.is_in_package(path, &real)).then_some(real)
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

/// The path without symbolic links, as far as it exists; `None` for one that leads nowhere.
fn real_path(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
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
