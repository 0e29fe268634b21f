//! Writer of binary PLY in double precision.

use std::io::Write as _;

use super::Written;
use crate::geometry::{Mesh, MeshMaterials, PointCloud};

/// The file of a mesh.
pub(super) fn mesh(mesh: &Mesh) -> Written {
    let mut written = Written::default();
    let materials = mesh.materials().cloned().unwrap_or_default();
    let (vertices, triangles) = (mesh.vertices(), mesh.triangles());
    let faces = face_colors(&materials, triangles.len(), &mut written.lost);
    let vertex_colors = Channel::of(materials.vertex_colors.iter().map(|c| c.map(f64::from)));
    let face_colors = Channel::of(faces.iter().copied());
    let index = if i32::try_from(vertices.len()).is_ok() {
        "int"
    } else {
        "uint"
    };

    let out = &mut written.bytes;
    header(out, "vertex", vertices.len(), ["x", "y", "z"].into_iter());
    if !materials.vertex_colors.is_empty() {
        vertex_colors.header(out);
    }
    line(out, &format!("element face {}", triangles.len()));
    line(out, &format!("property list uchar {index} vertex_indices"));
    if !faces.is_empty() {
        face_colors.header(out);
    }
    line(out, "end_header");
    for (i, p) in vertices.iter().enumerate() {
        p.iter().for_each(|x| out.extend(x.to_le_bytes()));
        if let Some(color) = materials.vertex_colors.get(i) {
            vertex_colors.write(out, color.map(f64::from));
        }
    }
    for (i, triangle) in triangles.iter().enumerate() {
        out.push(3);
        triangle.iter().for_each(|v| out.extend(v.to_le_bytes()));
        if let Some(color) = faces.get(i) {
            face_colors.write(out, *color);
        }
    }
    written
}

/// The file of a point cloud.
pub(super) fn cloud(cloud: &PointCloud) -> Written {
    let mut written = Written::default();
    let out = &mut written.bytes;
    let properties: Vec<(&str, &[f64])> = cloud
        .property_names()
        .map(|name| (name, cloud.property(name).unwrap_or_default()))
        .collect();
    let names = properties.iter().map(|(name, _)| *name);
    let fits = |name: &str| {
        !name.is_empty()
            && !name.contains(|c: char| c.is_whitespace() || c.is_control())
            && !["x", "y", "z"].contains(&name)
    };
    let kept: Vec<bool> = names.clone().map(fits).collect();
    let named = names
        .zip(&kept)
        .filter_map(|(name, &kept)| kept.then_some(name));
    header(
        out,
        "vertex",
        cloud.points().len(),
        ["x", "y", "z"].into_iter().chain(named),
    );
    line(out, "end_header");
    let columns = properties.iter().zip(&kept).filter(|(_, kept)| **kept);
    let mut columns: Vec<_> = columns.map(|((_, values), _)| values.iter()).collect();
    for p in cloud.points() {
        let others = columns.iter_mut().filter_map(Iterator::next);
        p.iter()
            .chain(others)
            .for_each(|x| out.extend(x.to_le_bytes()));
    }
    for ((name, _), _) in properties.iter().zip(&kept).filter(|(_, kept)| !**kept) {
        let lost = format!("the property `{name}` is not kept: its name cannot stand in a .ply");
        written.lost.push(lost);
    }
    written
}

fn line(out: &mut Vec<u8>, text: &str) {
    // writing to a vector cannot fail
    let _ = writeln!(out, "{text}");
}

fn header<'a>(out: &mut Vec<u8>, element: &str, n: usize, names: impl Iterator<Item = &'a str>) {
    line(out, "ply\nformat binary_little_endian 1.0");
    line(out, &format!("element {element} {n}"));
    names.for_each(|name| line(out, &format!("property double {name}")));
}

/// One colour per triangle; empty if no material has a colour.
fn face_colors(materials: &MeshMaterials, n: usize, lost: &mut Vec<String>) -> Vec<[f64; 4]> {
    let appearances = &materials.materials;
    if appearances
        .iter()
        .any(|m| !m.name.is_empty() || m.texture.is_some())
    {
        lost.push("of materials only the colours are kept: no names, no textures".to_owned());
    }
    if appearances.iter().all(|m| m.color.is_none()) {
        return Vec::new();
    }
    let colors: Vec<_> = (0..n)
        .map(|i| materials.material_of(i).and_then(|m| m.color))
        .collect();
    if colors.contains(&None) {
        lost.push("triangles without a colour become white".to_owned());
    }
    colors.iter().map(|c| c.unwrap_or([1.0; 4])).collect()
}

/// Encoding of colour components: bytes if they are exact, else floats.
#[derive(Debug, Clone, Copy)]
enum Channel {
    Byte,
    Double,
}

impl Channel {
    fn of(mut colors: impl Iterator<Item = [f64; 4]>) -> Self {
        let is_byte = |x: &f64| byte(*x).is_some();
        if colors.all(|color| color.iter().all(is_byte)) {
            Self::Byte
        } else {
            Self::Double
        }
    }

    fn header(self, out: &mut Vec<u8>) {
        let kind = match self {
            Self::Byte => "uchar",
            Self::Double => "double",
        };
        for name in ["red", "green", "blue", "alpha"] {
            line(out, &format!("property {kind} {name}"));
        }
    }

    fn write(self, out: &mut Vec<u8>, color: [f64; 4]) {
        for x in color {
            match self {
                Self::Byte => out.push(byte(x).unwrap_or(u8::MAX)),
                Self::Double => out.extend(x.to_le_bytes()),
            }
        }
    }
}

/// The byte that reads back as exactly this colour component.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the number is rounded to the nearest byte, and compared with it"
)]
fn byte(x: f64) -> Option<u8> {
    let byte = (x * 255.0).round() as u8;
    let reads = f64::from(f32::from(byte) / 255.0);
    (reads.to_bits() == x.to_bits()).then_some(byte)
}
