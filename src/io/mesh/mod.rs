//! Geometry files: which reader a file needs, the readers, the writers, and a store that reads each file once.

mod collada;
mod color;
mod companions;
mod found;
mod off;
mod page;
mod ply;
mod polygon;
mod stl;
mod store;
mod wavefront;
mod write;

use super::kind::{FileKind, obj_kind};
use super::source;
use crate::geometry::Geometry;
use crate::{Diagnostic, Loaded};
use companions::Companions;

pub(crate) use store::MeshStore;

/// The geometry formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeshFormat {
    Collada,
    Off,
    Ply,
    Stl,
    Wavefront,
}

/// The formats, for messages.
const READ: &str =
    ".off, .obj, .stl, .ply, .dae, .gltf, .glb, .tri, .geom, .pcd and .json (a height map)";

/// Formats that are known to hold geometry, but are not read.
const UNSUPPORTED: [&str; 14] = [
    "geom", "glb", "gltf", "group", "json", "msh", "obj.gz", "pcd", "step", "tri", "vol", "wrl",
    "x3d", "3ds",
];

/// Whether a suffix (in lower case) means geometry.
pub(crate) fn is_geometry_suffix(suffix: &str) -> bool {
    matches!(suffix, "dae" | "off" | "coff" | "stl" | "obj" | "ply")
        || UNSUPPORTED.contains(&suffix)
}

/// Whether the first bytes are those of a mesh.
pub(crate) fn is_mesh(bytes: &[u8]) -> bool {
    sniffed(bytes).is_some()
}

fn read(companions: Companions<'_>) -> Result<Loaded<Geometry>, Diagnostic> {
    let path = companions.file;
    let bytes = source::read_bytes(path, companions.limits.file_size)?;
    let format = format(companions, &bytes)?;
    match format {
        MeshFormat::Ply => return ply::parse(bytes, path),
        MeshFormat::Stl if stl::is_binary(&bytes) => {
            return stl::parse_binary(&bytes, path)?.finish(path);
        }
        _ => {}
    }
    let source::Text { content, remark } = source::to_text(bytes, path)?;
    let mut found = match format {
        MeshFormat::Collada => collada::parse(&content, path, &companions.limits)?,
        MeshFormat::Off => off::parse(&content, path)?,
        MeshFormat::Stl => stl::parse_text(&content, path)?,
        _ => wavefront::parse(&content, companions)?,
    };
    found.remarks.extend(remark);
    found.finish(path)
}

/// By suffix, else by content.
fn format(companions: Companions<'_>, bytes: &[u8]) -> Result<MeshFormat, Diagnostic> {
    let path = companions.file;
    let suffix = super::suffix(path);
    let refuse = |message: String| Err(Diagnostic::error(message).in_file(path));
    match suffix.as_str() {
        "dae" => Ok(MeshFormat::Collada),
        "off" | "coff" => Ok(MeshFormat::Off),
        "ply" => Ok(MeshFormat::Ply),
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
            || refuse(format!("is no geometry that is known; known are {READ}")),
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
        "ply" => Some(MeshFormat::Ply),
        "solid" => Some(MeshFormat::Stl),
        "v" | "o" | "g" | "mtllib" | "vn" | "vt" => Some(MeshFormat::Wavefront),
        _ if stl::count_fits(bytes) => Some(MeshFormat::Stl),
        _ => None,
    }
}
