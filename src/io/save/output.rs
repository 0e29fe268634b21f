//! Files of one save, collected before any of them is written.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::geometry::{Geometry, Mesh, Primitive, PrimitiveKind, Shape};
use crate::io::mesh::encode;
use crate::io::output::{Folder, Placing, SaveOptions, Target};
use crate::{Diagnostic, LoadError, Result};

/// The files of one save: the one that the caller names, and those in a folder beside it.
#[derive(Debug)]
pub(crate) struct Output {
    main: PathBuf,
    /// The folder for everything but the main file.
    folder: PathBuf,
    /// Names in the folder, and contents.
    files: Vec<(String, Vec<u8>)>,
    /// Names in the folder, in lower case: some systems take `A` for `a`.
    taken: HashSet<String>,
    /// The file of each shape, and the shape, so that no other gets its identity.
    shapes: HashMap<usize, (Option<String>, Geometry)>,
    /// True if programs other than Klampt have to read the shapes.
    is_for_all: bool,
    warnings: Vec<Diagnostic>,
}

/// Saves a document and its other files, whole or not at all, and returns the warnings.
///
/// `make` writes the text of the document, and its other files to the output. The folder of those is chosen so that no file is
/// replaced that the document did not write before. `make` runs again if another folder is needed than was expected.
pub(crate) fn save(
    main: &Path,
    options: &SaveOptions,
    make: impl Fn(&mut Output) -> Result<String, Diagnostic>,
) -> Result<Vec<Diagnostic>> {
    Ok(saved(main, options, make).map_err(LoadError::from)?)
}

fn saved(
    main: &Path,
    options: &SaveOptions,
    make: impl Fn(&mut Output) -> Result<String, Diagnostic>,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let target = Target::of(main, options)?;
    let folders = Folder::all(main);
    let made = |folder: &Folder| {
        let mut output = Output::new(main, &folder.path);
        make(&mut output).map(|text| (output, text))
    };
    let first = folders.iter().find(|folder| !folder.is_other());
    let forced = folders.first().filter(|f| options.force && f.is_other());
    let Some(first) = forced.or(first) else {
        let error = Diagnostic::error("cannot be written: every name of a folder beside is taken");
        return Err(error.in_file(main).help("name another file to write"));
    };
    let (mut output, mut text) = made(first)?;
    let same = folders.iter().find(|folder| folder.holds(&output.files));
    let free = folders.iter().find(|folder| folder.is_free());
    let (folder, placing) = match (forced, same, free) {
        (Some(forced), ..) => (forced, Placing::Forced),
        (_, Some(same), _) => (same, Placing::Same),
        (_, _, Some(free)) => (free, Placing::Fresh),
        _ => (first, Placing::Fresh),
    };
    if folder.path != first.path {
        (output, text) = made(folder)?;
    }
    if output.files.is_empty() {
        target.write(text.as_bytes())?;
    } else {
        folder.place(&placing, &output.files, main, &target, text.as_bytes())?;
        output.warn_of_folder(&folders);
    }
    for old in folders.iter().filter(|folder| folder.is_own()) {
        if output.files.is_empty() || old.path != folder.path {
            old.remove(main, options);
        }
    }
    Ok(output.warnings)
}

impl Output {
    /// An empty output, whose other files go to `folder`.
    fn new(main: &Path, folder: &Path) -> Self {
        Self {
            main: main.to_path_buf(),
            folder: folder.to_path_buf(),
            files: Vec::new(),
            taken: HashSet::new(),
            shapes: HashMap::new(),
            is_for_all: false,
            warnings: Vec::new(),
        }
    }

    /// Writes meshes as `.obj`, which more programs read than `.off`, and no `.geom`.
    pub(crate) fn for_all_programs(&mut self) {
        self.is_for_all = true;
    }

    /// Path of a file of the folder, relative to the main file.
    pub(crate) fn beside(&self, name: &str) -> String {
        let folder = self.folder.file_name().unwrap_or_default();
        format!("{}/{name}", folder.to_string_lossy())
    }

    /// Adds a warning about what the format cannot hold.
    pub(crate) fn warn(&mut self, what: impl Into<String>) {
        self.warnings
            .push(Diagnostic::warning(what).in_file(&self.main));
    }

    /// Warns if the files are elsewhere than usual, since something else has the name.
    fn warn_of_folder(&mut self, folders: &[Folder]) {
        let usual = folders.first().filter(|usual| usual.is_other());
        if let Some(usual) = usual.filter(|usual| usual.path != self.folder) {
            let name = |path: &Path| {
                let name = path.file_name().unwrap_or_default();
                name.to_string_lossy().into_owned()
            };
            let what = format!(
                "its other files are in `{}`: it did not write `{}`, which is left as it is",
                name(&self.folder),
                name(&usual.path)
            );
            self.warn(what);
        }
    }

    /// A free file name in the folder: the wish in characters that all file systems allow, with a number if
    /// it is taken.
    pub(crate) fn free_name(&mut self, wish: &str, suffix: &str) -> String {
        const LONGEST: usize = 60;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let plain = wish.chars().map(|c| if is_plain(c) { c } else { '_' });
        let mut stem: String = plain.take(LONGEST).collect();
        if stem.is_empty() {
            stem.push('_');
        }
        let numbered = |k: usize| match k {
            1 => format!("{stem}.{suffix}"),
            k => format!("{stem}_{k}.{suffix}"),
        };
        let mut k = 1;
        while !self.taken.insert(numbered(k).to_ascii_lowercase()) {
            k += 1;
        }
        numbered(k)
    }

    /// Adds a file to the folder.
    pub(crate) fn add(&mut self, name: &str, bytes: impl Into<Vec<u8>>) {
        self.files.push((name.to_owned(), bytes.into()));
    }

    /// Writes a shape without its margin, once, and returns its file; `None` if no format can hold it.
    pub(crate) fn shape(&mut self, geometry: &Geometry, wish: &str) -> Option<String> {
        if let Some((name, _)) = self.shapes.get(&geometry.shape_identity()) {
            return name.clone();
        }
        let name = self.write_shape(geometry, wish);
        let kept = (name.clone(), geometry.clone());
        self.shapes.insert(geometry.shape_identity(), kept);
        name
    }

    fn write_shape(&mut self, geometry: &Geometry, wish: &str) -> Option<String> {
        let bare = geometry.clone().with_margin(0.0).expect("0 is a margin");
        let has_materials = |mesh: &Mesh| {
            mesh.materials()
                .is_some_and(|materials| !materials.ranges.is_empty())
        };
        let is_capsule = |shape: &Primitive| matches!(shape.kind(), PrimitiveKind::Capsule { .. });
        // names and textures of materials need an .obj; anything but points fits an .off
        let suffix = match bare.shape() {
            Shape::Cloud(_) => "ply",
            _ if self.is_for_all => "obj",
            Shape::Mesh(mesh) if has_materials(mesh) => "obj",
            Shape::Primitive(shape) if !is_capsule(shape) => "geom",
            _ => "off",
        };
        let name = self.free_name(wish, suffix);
        let written = match encode(&bare, &self.folder.join(&name)) {
            Ok(written) => written,
            Err(error) => {
                self.warn(format!(
                    "the shape of `{wish}` is not kept: {}",
                    error.message
                ));
                return None;
            }
        };
        for lost in &written.lost {
            self.warn(format!("`{wish}`: {lost}"));
        }
        for (beside, bytes) in written.beside {
            let beside = beside.to_string_lossy().into_owned();
            self.taken.insert(beside.to_ascii_lowercase());
            self.add(&beside, bytes);
        }
        self.add(&name, written.bytes);
        Some(name)
    }
}
