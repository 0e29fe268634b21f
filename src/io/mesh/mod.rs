//! Mesh files: which reader a file needs, and a store that reads each file once.

mod off;
mod polygon;
mod stl;
mod wavefront;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::kind::{FileKind, obj_kind};
use super::source;
use crate::geometry::{Geometry, Mesh};
use crate::math::Point;
use crate::{Diagnostic, Error, Loaded};

/// Geometry files that were read, under their one name; shared by everything that a loader loads.
#[derive(Debug, Clone, Default)]
pub(crate) struct MeshStore {
    shapes: HashMap<PathBuf, Loaded<Geometry>>,
}

impl MeshStore {
    /// The shape in a file, read at the first call, with what was said when it was read.
    pub(crate) fn load(&mut self, path: &Path, limit: u64) -> Result<Loaded<Geometry>, Diagnostic> {
        let one_name = source::canonical(path);
        if let Some(known) = self.shapes.get(&one_name) {
            return Ok(known.clone());
        }
        let loaded = read(path, limit)?.map(Geometry::from);
        self.shapes.insert(one_name, loaded.clone());
        Ok(loaded)
    }
}

/// The mesh formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeshFormat {
    Off,
    Stl,
    Wavefront,
}

/// Formats that are known to hold geometry, but are not read.
const UNSUPPORTED: [&str; 16] = [
    "dae", "geom", "glb", "gltf", "group", "json", "msh", "obj.gz", "pcd", "ply", "step", "tri",
    "vol", "wrl", "x3d", "3ds",
];

/// Whether a suffix (in lower case) means geometry.
pub(crate) fn is_geometry_suffix(suffix: &str) -> bool {
    matches!(suffix, "off" | "coff" | "stl" | "obj") || UNSUPPORTED.contains(&suffix)
}

/// Whether the first bytes are those of a mesh.
pub(crate) fn is_mesh(bytes: &[u8]) -> bool {
    sniffed(bytes).is_some()
}

/// The triangles of a file as they are written down: corners in order, nothing merged.
#[derive(Debug, Default)]
struct Triangles {
    vertices: Vec<Point>,
    triangles: Vec<[u32; 3]>,
    remarks: Vec<Diagnostic>,
}

fn read(path: &Path, limit: u64) -> Result<Loaded<Mesh>, Diagnostic> {
    let bytes = source::read_bytes(path, limit)?;
    let found = match format(path, &bytes)? {
        MeshFormat::Stl if stl::is_binary(&bytes) => stl::parse_binary(&bytes, path)?,
        format => {
            let text = source::to_text(bytes, path)?;
            let parse = match format {
                MeshFormat::Off => off::parse,
                MeshFormat::Stl => stl::parse_text,
                MeshFormat::Wavefront => wavefront::parse,
            };
            let mut found = parse(&text.content, path)?;
            found.remarks.extend(text.remark);
            found
        }
    };
    if found.triangles.is_empty() {
        return Err(Diagnostic::error("the mesh has no triangle").in_file(path));
    }
    let mesh = Mesh::new(found.vertices, found.triangles).map_err(|error| match error {
        Error::Invalid { problem, .. } => Diagnostic::error(problem).in_file(path),
        error => Diagnostic::error(error.to_string()).in_file(path),
    })?;
    Ok(Loaded {
        value: mesh,
        diagnostics: found.remarks,
    })
}

/// By suffix, else by content.
fn format(path: &Path, bytes: &[u8]) -> Result<MeshFormat, Diagnostic> {
    let suffix = super::suffix(path);
    let refuse = |message: String| Err(Diagnostic::error(message).in_file(path));
    match suffix.as_str() {
        "off" | "coff" => Ok(MeshFormat::Off),
        "stl" => Ok(MeshFormat::Stl),
        "obj" if obj_kind(bytes) == Some(FileKind::RigidObject) => {
            refuse("is a rigid object, where a mesh was expected".to_owned())
        }
        "obj" => Ok(MeshFormat::Wavefront),
        suffix if UNSUPPORTED.contains(&suffix) => Err(Diagnostic::error(format!(
            "the format .{suffix} is not supported yet"
        ))
        .in_file(path)
        .help("convert it to .off, .obj or .stl")),
        _ => sniffed(bytes).map_or_else(
            || refuse("is not a mesh in a format that is known: .off, .obj or .stl".to_owned()),
            Ok,
        ),
    }
}

/// By content alone.
fn sniffed(bytes: &[u8]) -> Option<MeshFormat> {
    let start = String::from_utf8_lossy(&bytes[..bytes.len().min(512)]);
    let word = start.split_ascii_whitespace().next().unwrap_or("");
    match word.trim_start_matches('\u{feff}') {
        "OFF" | "COFF" | "NOFF" | "CNOFF" => Some(MeshFormat::Off),
        "solid" => Some(MeshFormat::Stl),
        "v" | "o" | "g" | "mtllib" | "vn" | "vt" => Some(MeshFormat::Wavefront),
        _ if stl::count_fits(bytes) => Some(MeshFormat::Stl),
        _ => None,
    }
}

/// A text that knows its path, for errors with a place.
#[derive(Debug, Clone, Copy)]
struct Page<'a> {
    text: &'a str,
    path: &'a Path,
}

impl Page<'_> {
    /// An error at a part of the text.
    fn error(&self, at: &str, message: impl Into<String>) -> Diagnostic {
        self.placed(Diagnostic::error(message), at)
    }

    /// A warning at a part of the text.
    fn warning(&self, at: &str, message: impl Into<String>) -> Diagnostic {
        self.placed(Diagnostic::warning(message), at)
    }

    /// An error at the end of the text.
    fn ends(&self, message: impl Into<String>) -> Diagnostic {
        self.error(&self.text[self.text.len()..], message)
    }

    fn placed(&self, remark: Diagnostic, at: &str) -> Diagnostic {
        // a part of the text lies behind its start; only now does anyone ask how far
        let offset = (at.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let (line, column) = source::line_and_column(self.text, offset);
        remark.at(self.path, line, column)
    }

    /// A finite number.
    fn number(&self, word: &str) -> Result<f64, Diagnostic> {
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => Err(self.error(word, format!("the coordinate `{word}` is not finite"))),
            Err(_) => Err(self.error(word, format!("`{word}` is not a number"))),
        }
    }
}
