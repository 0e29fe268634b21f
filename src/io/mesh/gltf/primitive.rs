//! The primitives of a mesh as triangles.

use super::accessor::{Buffers, Rows, whole};
use crate::Diagnostic;
use crate::io::json::Node;
use crate::io::mesh::color::{of_lights, single};
use crate::io::mesh::polygon::{fan, strip, triples};
use crate::math::Point;

/// Triangles of one material.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) points: Vec<Point>,
    /// One colour per point, or none.
    pub(super) colors: Vec<[f32; 4]>,
    pub(super) triangles: Vec<[u32; 3]>,
    /// Index of its material.
    pub(super) material: Option<usize>,
}

/// The triangles of a primitive; `None` if it consists of points or lines.
pub(super) fn part<'a>(
    primitive: &Node<'a>,
    buffers: &mut Buffers<'a>,
) -> Result<Option<Part>, Diagnostic> {
    let mode = primitive
        .member("mode")
        .map_or(Ok(4), |mode| mode.index())?;
    if let 0..=3 = mode {
        let warning = primitive.warning("points and lines are ignored: only faces are read");
        buffers.companions.file.add(warning);
        return Ok(None);
    }
    let attributes = primitive.needed("attributes")?;
    let Some(position) = attributes.member("POSITION") else {
        return Ok(None);
    };
    let rows = buffers.rows(&position)?;
    if rows.width != 3 {
        return Err(position.error("positions need vectors of 3 numbers"));
    }
    let rows = rows.numbers.chunks_exact(3);
    let points: Vec<Point> = rows.map(Point::from_slice).collect();
    if let Some(i) = points.iter().position(|p| !p.iter().all(|x| x.is_finite())) {
        return Err(position.error(&format!("point {i} is not finite")));
    }
    let colors = match attributes.member("COLOR_0") {
        Some(color) => colors(&buffers.rows(&color)?, points.len()),
        None => Vec::new(),
    };
    let n = points.len();
    let face_indices: Vec<u32> = match primitive.member("indices") {
        Some(indices) => {
            let rows = buffers.rows(&indices)?;
            let index = |x: &f64| {
                whole(*x)
                    .filter(|&i| i < n)
                    .and_then(|i| u32::try_from(i).ok())
            };
            let mut face_indices = Vec::with_capacity(rows.numbers.len());
            for x in &rows.numbers {
                let Some(vertex) = index(x) else {
                    return Err(
                        indices.error(&format!("{x} is not the index of one of {n} vertices"))
                    );
                };
                face_indices.push(vertex);
            }
            face_indices
        }
        None => (0..u32::try_from(n).unwrap_or(u32::MAX)).collect(),
    };
    let triangles = match mode {
        4 => triples(&face_indices).collect(),
        5 => strip(&face_indices).collect(),
        6 => fan(&face_indices).collect(),
        other => return Err(primitive.error(&format!("`mode` {other} is unknown"))),
    };
    let material = primitive.member("material");
    Ok(Some(Part {
        points,
        colors,
        triangles,
        material: material.map(|material| material.index()).transpose()?,
    }))
}

/// Colours of the points, with or without opacity; empty if there is not one per point.
fn colors(rows: &Rows, n: usize) -> Vec<[f32; 4]> {
    if !matches!(rows.width, 3 | 4) || rows.numbers.len() != n * rows.width {
        return Vec::new();
    }
    let rows = rows.numbers.chunks_exact(rows.width);
    rows.filter_map(|row| match *row {
        [r, g, b] => Some(single(of_lights([r, g, b, 1.0]))),
        [r, g, b, a] => Some(single(of_lights([r, g, b, a]))),
        _ => None,
    })
    .collect()
}
