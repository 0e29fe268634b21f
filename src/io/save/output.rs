//! Files of one save, collected before any of them is written.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use crate::geometry::{Geometry, Mesh, Primitive, PrimitiveKind, Shape};
use crate::io::mesh::encode;
use crate::io::source;
use crate::{Diagnostic, LoadError, Result};

/// The files of one save: the one that the caller names, and those in a folder beside it.
#[derive(Debug)]
pub(crate) struct Output {
    main: PathBuf,
    /// The folder for everything but the main file.
    folder: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Names in the folder, in lower case: some systems take `A` for `a`.
    taken: HashSet<String>,
    /// The file of each shape, and the shape, so that no other gets its identity.
    shapes: HashMap<usize, (Option<String>, Geometry)>,
    /// True if programs other than Klampt have to read the shapes.
    is_for_all: bool,
    warnings: Vec<Diagnostic>,
}

impl Output {
    /// An empty output; the other files of `arm.rob` go to `arm_files/`.
    pub(crate) fn new(main: &Path) -> Self {
        Self {
            main: main.to_path_buf(),
            folder: main.with_file_name(format!("{}_files", crate::io::name(main))),
            files: Vec::new(),
            taken: HashSet::new(),
            shapes: HashMap::new(),
            is_for_all: false,
            warnings: Vec::new(),
        }
    }

    /// Writes meshes as `.obj`, which more programs read than `.off`, and no `.geom`.
    pub(crate) fn for_all_programs(self) -> Self {
        Self {
            is_for_all: true,
            ..self
        }
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
        self.files.push((self.folder.join(name), bytes.into()));
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
            self.taken
                .insert(beside.to_string_lossy().to_ascii_lowercase());
            self.files.push((self.folder.join(beside), bytes));
        }
        self.add(&name, written.bytes);
        Some(name)
    }

    /// Writes all files, the main one last, and returns the warnings.
    pub(crate) fn write(self, main: &str) -> Result<Vec<Diagnostic>> {
        if !self.files.is_empty() {
            source::make_folder(&self.folder).map_err(LoadError::from)?;
        }
        let beside = self
            .files
            .iter()
            .map(|(path, bytes)| (path.as_path(), bytes.as_slice()));
        let last = (self.main.as_path(), main.as_bytes());
        let files: Vec<(&Path, &[u8])> = beside.chain([last]).collect();
        source::write_all(&files).map_err(LoadError::from)?;
        Ok(self.warnings)
    }
}
