//! Writers of shapes: one per format, with warnings about what each cannot hold.

mod geom;
mod off;
mod ply;
mod stl;
mod wavefront;

use std::path::{Path, PathBuf};

use crate::geometry::{Geometry, Mesh, Shape};
use crate::io::output::{SaveOptions, Target, companion};
use crate::{Diagnostic, Error, LoadError, Result};

/// Formats that are written.
const WRITTEN: &str = ".off, .obj, .ply, .stl or .geom";

/// Bytes of a file and of its companion files.
#[derive(Debug, Default)]
pub(crate) struct Written {
    pub(crate) bytes: Vec<u8>,
    pub(crate) beside: Vec<(PathBuf, Vec<u8>)>,
    /// Warnings about what the format cannot hold.
    pub(crate) lost: Vec<String>,
}

impl Geometry {
    /// Writes the shape to a file in the format of its suffix: `.off`, `.obj`, `.ply`, `.stl` or `.geom`; warns of what
    /// that format cannot hold.
    ///
    /// Coordinates keep every digit, except in STL, which has single precision. Primitives are kept in a
    /// `.geom` only, except capsules. Elsewhere hulls and primitives are written as meshes, groups as one mesh;
    /// a point cloud needs `.ply`. Materials of an `.obj` go to an `.mtl` beside it.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] for another suffix, a shape without a surface, numbers beyond the format, or a file
    /// that cannot be written.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{Geometry, Point};
    /// use kinworld::geometry::Primitive;
    ///
    /// let path = std::env::temp_dir().join("kinworld_doc_sphere.ply");
    /// let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.1)?);
    /// let lost = sphere.save(&path)?;
    /// assert_eq!(lost[0].message, "the sphere is written as a mesh");
    /// assert_eq!(Geometry::load(&path)?.value, sphere.to_mesh()?.into());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "saveFile")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Diagnostic>> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`] for one of the [`inputs`](SaveOptions::inputs).
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        Ok(save(self, path.as_ref(), options).map_err(LoadError::from)?)
    }
}

/// See [`Geometry::save`].
fn save(
    geometry: &Geometry,
    path: &Path,
    options: &SaveOptions,
) -> Result<Vec<Diagnostic>, Diagnostic> {
    let written = encode(geometry, path)?;
    match written.beside.as_slice() {
        [] => Target::of(path, options)?.write(&written.bytes)?,
        [(_, materials)] => companion::write(path, options, materials, &written.bytes)?,
        _ => {}
    }
    let lost = written.lost.into_iter();
    Ok(lost
        .map(|lost| Diagnostic::warning(lost).in_file(path))
        .collect())
}

/// Encodes a shape for a file of this name.
pub(crate) fn encode(geometry: &Geometry, path: &Path) -> Result<Written, Diagnostic> {
    let refuse = |message: String| Diagnostic::error(message).in_file(path);
    let suffix = crate::io::suffix(path);
    let mut lost = Vec::new();
    if geometry.margin() > 0.0 {
        lost.push(format!("the margin of {} m is not kept", geometry.margin()));
    }
    if let Shape::Cloud(cloud) = geometry.shape() {
        if suffix != "ply" {
            let error = refuse(format!("a .{suffix} cannot hold a point cloud"));
            return Err(error.help("write it to a .ply"));
        }
        let mut written = ply::cloud(cloud);
        written.lost.splice(0..0, lost);
        return Ok(written);
    }
    if suffix == "geom" {
        let written = match geometry.shape() {
            Shape::Primitive(primitive) => geom::primitive(primitive),
            _ => Err("a .geom can hold only a primitive".to_owned()),
        };
        let refuse = |message| refuse(message).help("write it to an .off, .obj, .ply or .stl");
        let mut written = written.map_err(refuse)?;
        written.lost.splice(0..0, lost);
        return Ok(written);
    }
    let mesh = surface(geometry, &mut lost).map_err(|error| match error {
        Error::Invalid { what, problem } => refuse(format!("{what}: {problem}")),
        error => refuse(error.to_string()),
    })?;
    let mut written = match suffix.as_str() {
        "off" => off::mesh(&mesh),
        "obj" => wavefront::mesh(&mesh, path),
        "ply" => ply::mesh(&mesh),
        "stl" => stl::mesh(&mesh).map_err(refuse)?,
        _ => {
            let error = refuse(format!("meshes are not written as .{suffix}"));
            return Err(error.help(format!("name a file that ends with {WRITTEN}")));
        }
    };
    written.lost.splice(0..0, lost);
    Ok(written)
}

/// Reduces a shape to triangles, with warnings about what they do not keep.
fn surface(geometry: &Geometry, lost: &mut Vec<String>) -> Result<Mesh> {
    match geometry.shape() {
        Shape::Mesh(_) if geometry.is_solid() => {
            lost.push("that the mesh is solid is not kept".to_owned());
        }
        Shape::Mesh(_) => {}
        Shape::Hull(_) => lost.push("the convex hull is written as a mesh".to_owned()),
        Shape::Primitive(primitive) => {
            lost.push(format!("the {} is written as a mesh", primitive.name()));
        }
        Shape::Group(members) => {
            let n = members.len();
            lost.push(format!("a group of {n} shapes is written as one mesh"));
        }
        Shape::Cloud(_) => {}
    }
    geometry.to_mesh()
}
