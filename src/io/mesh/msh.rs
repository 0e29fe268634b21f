//! Reader of MuJoCo's binary `.msh`: counts of vertices, normals, texture coordinates and faces, then these.

use super::bytes::words;
use super::found::{Triangles, refused};
use crate::Diagnostic;
use crate::geometry::{ConvexHull, Geometry};
use crate::io::report::FileReport;
use crate::math::Point;

/// Bytes of the counts.
const HEADER: usize = 16;

/// Reads a mesh; without faces it is the convex hull of its vertices.
pub(super) fn parse(bytes: &[u8], file: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    let path = file.path;
    let refuse = |message: String| Diagnostic::error(message).in_file(path);
    let Some((counts, body)) = words::<4>(bytes) else {
        return Err(refuse(format!(
            "is shorter than the {HEADER} bytes of a header"
        )));
    };
    let counts = counts.map(u64::from);
    let [vertices, normals, coordinates, faces] = counts;
    // counts are below 2^32, so that no sum overflows
    let wanted = 12 * (vertices + normals + faces) + 8 * coordinates;
    if wanted != body.len() as u64 {
        let problem = format!(
            "its header promises {wanted} bytes after it ({vertices} vertices, {normals} normals, \
             {coordinates} texture coordinates, {faces} faces), there are {}",
            body.len()
        );
        return Err(refuse(problem));
    }
    let triples = body.as_chunks::<12>().0;
    let mut found = Triangles::default();
    for (i, triple) in triples.iter().take(vertices as usize).enumerate() {
        let Some((numbers, _)) = words::<3>(triple) else {
            break;
        };
        let numbers = numbers.map(|bits| f64::from(f32::from_bits(bits)));
        if numbers.iter().any(|x| !x.is_finite()) {
            return Err(refuse(format!(
                "vertex {i} has a coordinate that is not finite"
            )));
        }
        found.vertices.push(Point::from(numbers));
    }
    if faces == 0 {
        let hull = ConvexHull::new(&found.vertices).map_err(|error| refused(error, path))?;
        return Ok(hull.surface().clone().into());
    }
    let before = (12 * (vertices + normals) + 8 * coordinates) as usize;
    let indices = body.get(before..).unwrap_or_default().as_chunks::<12>().0;
    for (i, triple) in indices.iter().enumerate() {
        let Some((triangle, _)) = words::<3>(triple) else {
            break;
        };
        if let Some(index) = triangle.iter().find(|index| u64::from(**index) >= vertices) {
            let problem = format!("face {i} names vertex {index}; there are {vertices}");
            return Err(refuse(problem));
        }
        found.triangles.push(triangle);
    }
    found.finish(path)
}
