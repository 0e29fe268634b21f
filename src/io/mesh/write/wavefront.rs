//! Writer of Wavefront OBJ, and of its materials in an `.mtl` beside it.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;

use super::Written;
use crate::geometry::{Appearance, Mesh, MeshMaterials};
use crate::io::output::companion::{LIBRARY, MARK};
use crate::math::Digits;

/// The files of a mesh: the `.obj` and its `.mtl`.
pub(super) fn mesh(mesh: &Mesh, path: &Path) -> Written {
    let mut written = Written::default();
    let materials = mesh.materials().cloned().unwrap_or_default();
    if materials
        .vertex_colors
        .iter()
        .any(|[.., opacity]| *opacity < 1.0)
    {
        let lost = "the opacity of vertices is not kept";
        written.lost.push(lost.to_owned());
    }
    let names = names(&materials);
    let library = path.with_extension("mtl");
    let library = library.file_name().unwrap_or_default();
    // writing to a vector cannot fail
    if !materials.ranges.is_empty() {
        let name = library.to_string_lossy();
        let _ = writeln!(written.bytes, "{LIBRARY}{name}");
        let mut bytes = Vec::new();
        let _ = writeln!(bytes, "{MARK}");
        let _ = write_materials(&mut bytes, &materials.materials, &names);
        written.beside.push((library.into(), bytes));
    }
    let _ = text(&mut written.bytes, mesh, &materials, &names);
    written
}

fn text(
    out: &mut Vec<u8>,
    mesh: &Mesh,
    materials: &MeshMaterials,
    names: &[String],
) -> std::io::Result<()> {
    for (i, p) in mesh.vertices().iter().enumerate() {
        let [x, y, z] = [p.x, p.y, p.z].map(Digits);
        write!(out, "v {x} {y} {z}")?;
        if let Some([r, g, b, _]) = materials.vertex_colors.get(i) {
            write!(out, " {r:?} {g:?} {b:?}")?;
        }
        writeln!(out)?;
    }
    let mut runs = materials.ranges.iter().peekable();
    let mut has_material = false;
    for (i, triangle) in mesh.triangles().iter().enumerate() {
        if let Some(run) = runs.next_if(|run| run.triangles.start == i) {
            let name = names.get(run.material).map_or(NO_MATERIAL, String::as_str);
            writeln!(out, "usemtl {name}")?;
            has_material = true;
        } else if has_material && materials.material_of(i).is_none() {
            writeln!(out, "usemtl {NO_MATERIAL}")?;
            has_material = false;
        }
        let [a, b, c] = triangle.map(|v| u64::from(v) + 1);
        writeln!(out, "f {a} {b} {c}")?;
    }
    Ok(())
}

fn write_materials(out: &mut Vec<u8>, all: &[Appearance], names: &[String]) -> std::io::Result<()> {
    for (material, name) in all.iter().zip(names) {
        writeln!(out, "newmtl {name}")?;
        if let Some(color) = material.color {
            let [r, g, b, a] = color.map(Digits);
            writeln!(out, "Kd {r} {g} {b}\nd {a}")?;
        }
        if let Some(texture) = &material.texture {
            writeln!(out, "map_Kd {}", one_line(texture))?;
        }
    }
    Ok(())
}

/// Name of the absent material, as Blender writes it.
pub(super) const NO_MATERIAL: &str = "None";

/// Unique names of the materials, without characters that the format cannot hold.
fn names(materials: &MeshMaterials) -> Vec<String> {
    let mut taken = HashSet::from([NO_MATERIAL.to_owned()]);
    let named = materials.materials.iter().enumerate().map(|(i, material)| {
        let mut name = one_line(&material.name);
        if name.is_empty() {
            name = format!("material_{i}");
        }
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    });
    named.collect()
}

/// Text without characters that end a line or begin a comment.
fn one_line(text: &str) -> String {
    let plain = |c: char| {
        if c.is_control() || "#\\".contains(c) {
            '_'
        } else {
            c
        }
    };
    text.trim().chars().map(plain).collect()
}
