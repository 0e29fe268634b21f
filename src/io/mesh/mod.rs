//! Geometry files: format detection, readers, writers, and a store that reads each file once.

mod bytes;
mod collada;
mod color;
mod companions;
mod found;
mod geom;
mod gltf;
#[cfg(feature = "heightmap")]
mod heightmap;
#[cfg(feature = "heightmap")]
mod image;
mod inline;
mod msh;
mod off;
mod page;
mod pcd;
mod ply;
mod polygon;
mod stl;
mod store;
mod tokens;
mod tri;
mod wavefront;
mod write;

use super::decode::to_text;
use super::foreign::Foreign;
use super::kind::{FileKind, obj_kind};
use super::octree;
use super::source::FilePath;
use crate::Diagnostic;
use crate::geometry::Geometry;
use companions::Companions;

pub(crate) use inline::{is_inline, parse_inline};
pub(crate) use store::MeshStore;
pub(crate) use write::encode;

/// Geometry formats that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MeshFormat {
    Collada,
    Geom,
    Gltf,
    Heightmap,
    Msh,
    Octomap,
    Off,
    Pcd,
    Ply,
    Stl,
    Tri,
    Wavefront,
}

/// The formats that are read, for messages.
const READ: &str = ".off, .obj, .stl, .ply, .dae, .gltf, .glb, .tri, .geom, .pcd, .bt of OctoMap, .msh of MuJoCo and .json (a height map)";

/// Returns whether a suffix (in lower case) is that of a geometry format.
pub(crate) fn is_geometry_suffix(suffix: &str) -> bool {
    of_suffix(suffix).is_some() || Foreign::of_suffix(suffix).is_some()
}

/// The format of a suffix (in lower case).
fn of_suffix(suffix: &str) -> Option<MeshFormat> {
    Some(match suffix {
        "bt" => MeshFormat::Octomap,
        "dae" => MeshFormat::Collada,
        "geom" => MeshFormat::Geom,
        "glb" | "gltf" => MeshFormat::Gltf,
        "json" => MeshFormat::Heightmap,
        "msh" => MeshFormat::Msh,
        "obj" => MeshFormat::Wavefront,
        "off" | "coff" => MeshFormat::Off,
        "pcd" => MeshFormat::Pcd,
        "ply" => MeshFormat::Ply,
        "stl" => MeshFormat::Stl,
        "tri" => MeshFormat::Tri,
        _ => return None,
    })
}

/// Returns whether the first bytes are those of a mesh.
pub(crate) fn is_mesh(bytes: &[u8]) -> bool {
    sniffed(bytes).is_some()
}

fn read(path: &FilePath, companions: Companions<'_>) -> Result<Geometry, Diagnostic> {
    let file = companions.file;
    let source = companions.search.source();
    let bytes = source.read(path, companions.limits.file_size)?;
    let format = format(companions, &bytes)?;
    match format {
        MeshFormat::Gltf => return gltf::parse(&bytes, companions)?.finish(path),
        MeshFormat::Heightmap => return heightmap(&bytes, companions),
        MeshFormat::Msh => return msh::parse(&bytes, file),
        MeshFormat::Octomap => return octree::shape(&bytes, path, &companions.limits),
        MeshFormat::Pcd => return pcd::parse(&bytes, file),
        MeshFormat::Ply => return ply::parse(bytes, file),
        MeshFormat::Stl if stl::is_binary(&bytes) => {
            return stl::parse_binary(&bytes, file)?.finish(path);
        }
        _ => {}
    }
    let text = to_text(bytes, file)?;
    match format {
        MeshFormat::Collada => collada::parse(&text, file, &companions.limits)?.finish(path),
        MeshFormat::Geom => geom::parse(&text, file),
        MeshFormat::Off => off::parse(&text, file)?.finish(path),
        MeshFormat::Stl => stl::parse_text(&text, file)?.finish(path),
        MeshFormat::Tri => tri::parse(&text, file)?.finish(path),
        _ => wavefront::parse(&text, companions)?.finish(path),
    }
}

/// Columns, rows and brightness from 0 to 1 of an image, row by row from the top.
#[cfg(feature = "heightmap")]
pub(crate) fn gray(
    bytes: &[u8],
    path: &std::path::Path,
) -> Result<Option<(usize, usize, Vec<f64>)>, Diagnostic> {
    let image = image::Image::decode(bytes, path, heightmap::PIXELS)?;
    let luma = image.luma().into_iter();
    let pixels = luma.map(|gray| f64::from(gray) / f64::from(u16::MAX));
    Ok(Some((
        image.width as usize,
        image.height as usize,
        pixels.collect(),
    )))
}

/// Without the feature `heightmap` no image is read.
#[cfg(not(feature = "heightmap"))]
pub(crate) fn gray(
    _: &[u8],
    _: &std::path::Path,
) -> Result<Option<(usize, usize, Vec<f64>)>, Diagnostic> {
    Ok(None)
}

#[cfg(feature = "heightmap")]
fn heightmap(bytes: &[u8], companions: Companions<'_>) -> Result<Geometry, Diagnostic> {
    heightmap::parse(bytes, companions)?.finish(companions.file.path)
}

#[cfg(not(feature = "heightmap"))]
fn heightmap(_: &[u8], companions: Companions<'_>) -> Result<Geometry, Diagnostic> {
    let message = "height maps are read only by builds with the feature `heightmap`";
    Err(Diagnostic::error(message).in_file(companions.file.path))
}

/// The format of a file by its suffix, else by its content.
fn format(companions: Companions<'_>, bytes: &[u8]) -> Result<MeshFormat, Diagnostic> {
    let path = companions.file.path;
    let suffix = super::suffix(path);
    let refuse = |message: String| Diagnostic::error(message).in_file(path);
    if suffix == "obj" && obj_kind(bytes) == Some(FileKind::RigidObject) {
        return Err(refuse(
            "is a rigid object, where a mesh was expected".to_owned(),
        ));
    }
    // gmsh writes files of the same suffix
    let is_foreign = suffix == "msh" && Foreign::of_bytes(bytes).is_some();
    if let Some(format) = of_suffix(&suffix).filter(|_| !is_foreign) {
        return Ok(format);
    }
    if let Some(foreign) = Foreign::of_suffix(&suffix).or_else(|| Foreign::of_bytes(bytes)) {
        return Err(foreign.refusal().in_file(path));
    }
    let unknown = || refuse(format!("is of unknown geometry format; known are {READ}"));
    sniffed(bytes).ok_or_else(unknown)
}

/// The format of a file by its content alone.
fn sniffed(bytes: &[u8]) -> Option<MeshFormat> {
    let start = String::from_utf8_lossy(bytes.get(..512).unwrap_or(bytes));
    let word = start.split_ascii_whitespace().next().unwrap_or("");
    match word.trim_start_matches('\u{feff}') {
        "OFF" | "COFF" | "NOFF" | "CNOFF" => Some(MeshFormat::Off),
        "#" if start.contains("Octomap OcTree binary") => Some(MeshFormat::Octomap),
        "ply" => Some(MeshFormat::Ply),
        "solid" => Some(MeshFormat::Stl),
        "v" | "o" | "g" | "mtllib" | "vn" | "vt" => Some(MeshFormat::Wavefront),
        _ if start.contains("<COLLADA") => Some(MeshFormat::Collada),
        _ if bytes.starts_with(b"glTF") => Some(MeshFormat::Gltf),
        _ if stl::count_fits(bytes) => Some(MeshFormat::Stl),
        _ => None,
    }
}
