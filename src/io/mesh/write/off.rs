//! Writer of OFF, with the colours of vertices (COFF) and of faces.

use std::io::Write as _;

use super::Written;
use crate::geometry::{Appearance, Mesh, MeshMaterials};
use crate::math::Digits;

/// The file of a mesh.
pub(super) fn mesh(mesh: &Mesh) -> Written {
    let mut written = Written::default();
    let materials = mesh.materials().cloned().unwrap_or_default();
    if materials
        .materials
        .iter()
        .any(|m| !m.name.is_empty() || m.texture.is_some() || m.color.is_none())
    {
        let lost = "of materials only the colours are kept: no names, no textures";
        written.lost.push(lost.to_owned());
    }
    // writing to a vector cannot fail
    let _ = text(&mut written.bytes, mesh, &materials);
    written
}

fn text(out: &mut Vec<u8>, mesh: &Mesh, materials: &MeshMaterials) -> std::io::Result<()> {
    let has_colors = !materials.vertex_colors.is_empty();
    writeln!(out, "{}", if has_colors { "COFF" } else { "OFF" })?;
    let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
    writeln!(out, "{} {} 0", vertices.len(), triangles.len())?;
    for (i, p) in vertices.iter().enumerate() {
        let [x, y, z] = [p.x, p.y, p.z].map(Digits);
        write!(out, "{x} {y} {z}")?;
        if let Some([r, g, b, a]) = materials.vertex_colors.get(i) {
            write!(out, " {r:?} {g:?} {b:?} {a:?}")?;
        }
        writeln!(out)?;
    }
    for (i, [a, b, c]) in triangles.iter().enumerate() {
        write!(out, "3 {a} {b} {c}")?;
        if let Some(Appearance {
            color: Some([r, g, b, a]),
            ..
        }) = materials.material_of(i)
        {
            write!(out, " {r:?} {g:?} {b:?} {a:?}")?;
        }
        writeln!(out)?;
    }
    Ok(())
}
