//! Writer of binary STL.

use super::Written;
use crate::geometry::Mesh;

/// The file of a mesh, or the reason why the format cannot hold it.
pub(super) fn mesh(mesh: &Mesh) -> Result<Written, String> {
    let n = mesh.triangles().len();
    let count = u32::try_from(n).map_err(|_| format!("an STL cannot count {n} triangles"))?;
    let mut bytes = Vec::with_capacity(84 + 50 * n);
    bytes.extend(format!("{:79}\n", "binary STL by kinworld").into_bytes());
    bytes.extend(count.to_le_bytes());
    let mut is_rounded = false;
    for vertices in mesh.triangle_vertices() {
        let rounded = vertices.map(|p| [p.x, p.y, p.z].map(single));
        for (p, q) in vertices.iter().zip(&rounded) {
            for (x, y) in p.iter().zip(q) {
                if !y.is_finite() {
                    return Err(format!("{x} is beyond the range of STL"));
                }
                is_rounded |= f64::from(*y).to_bits() != x.to_bits();
            }
        }
        let numbers = normal(&rounded)
            .into_iter()
            .chain(rounded.into_iter().flatten());
        numbers.for_each(|x| bytes.extend(x.to_le_bytes()));
        bytes.extend([0, 0]);
    }
    let mut lost = Vec::new();
    if is_rounded {
        lost.push("coordinates are rounded to single precision".to_owned());
    }
    if mesh.materials().is_some() {
        lost.push("materials and colours are not kept".to_owned());
    }
    Ok(Written {
        bytes,
        lost,
        ..Written::default()
    })
}

/// Normal of the rounded vertices, so that writing what was read gives the same bytes.
fn normal(vertices: &[[f32; 3]; 3]) -> [f32; 3] {
    let [a, b, c] = vertices.map(|p| nalgebra::Vector3::from(p.map(f64::from)));
    let normal = (b - a).cross(&(c - a));
    let length = normal.norm();
    if length > 0.0 && length.is_finite() {
        (normal / length).map(single).into()
    } else {
        [0.0; 3]
    }
}

#[expect(clippy::cast_possible_truncation, reason = "STL has single precision")]
fn single(x: f64) -> f32 {
    x as f32
}
