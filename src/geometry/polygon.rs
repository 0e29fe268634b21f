//! Validation, triangulation and clipping of flat polygons.

use nalgebra::Point2;

use super::check::check_points;
use super::ear_clipping::clip_ears;
use super::transform::orthogonal_to;
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// Rejects vertices that do not make a flat polygon with an area.
pub(super) fn check(vertices: &[Point]) -> Result<()> {
    check_points("a polygon", vertices)?;
    if vertices.len() < 3 {
        let problem = format!("needs at least three vertices, got {}", vertices.len());
        return Err(Error::invalid("polygon", problem));
    }
    let size = vertices
        .iter()
        .map(|p| (p - vertices[0]).norm())
        .fold(0.0, f64::max);
    let normal = area_vector(vertices);
    let has_area = normal.norm() > 1e-12 * size * size;
    if !has_area {
        return Err(Error::invalid("polygon", "has no area"));
    }
    let normal = normal.normalize();
    let off = vertices
        .iter()
        .map(|p| normal.dot(&(p - vertices[0])).abs())
        .fold(0.0, f64::max);
    if off > 1e-6 * size {
        let problem = format!("is not flat: a vertex is {off} m off its plane");
        return Err(Error::invalid("polygon", problem));
    }
    match triangulate(vertices) {
        Some(_) => Ok(()),
        None if vertices.len() > 4096 => {
            let problem = "has edges that cross, or too many reflex vertices to tell";
            Err(Error::invalid("polygon", problem))
        }
        None => Err(Error::invalid("polygon", "has edges that cross")),
    }
}

/// Triangulates a flat polygon into vertex indices; `None` where its edges cross as far as can be decided.
pub(super) fn triangulate(vertices: &[Point]) -> Option<Vec<[usize; 3]>> {
    let (u, v) = orthogonal_to(&area_vector(vertices).normalize());
    let flat: Vec<Point2<f64>> = vertices
        .iter()
        .map(|p| p - vertices[0])
        .map(|d| Point2::new(u.dot(&d), v.dot(&d)))
        .collect();
    if is_convex(&flat) {
        return Some((1..flat.len() - 1).map(|i| [0, i, i + 1]).collect());
    }
    let orientation = |[a, b, c]: [usize; 3]| (flat[b] - flat[a]).perp(&(flat[c] - flat[a]));
    let mut left: Vec<usize> = (0..vertices.len()).collect();
    let mut triangles = Vec::with_capacity(vertices.len() - 2);
    clip_ears(&mut left, &mut triangles, orientation);
    let last = <[usize; 3]>::try_from(left).ok()?;
    (orientation(last) >= 0.0).then(|| {
        triangles.push(last);
        triangles
    })
}

/// Returns whether a polygon is convex and winds once, so that its edges cannot cross.
fn is_convex(vertices: &[Point2<f64>]) -> bool {
    let edges = || {
        let behind = vertices.iter().cycle().skip(1);
        vertices.iter().zip(behind).map(|(a, b)| b - a)
    };
    let angles = edges().zip(edges().cycle().skip(1)).map(|(edge, next)| {
        let (across, along) = (edge.perp(&next), edge.dot(&next));
        (across > 0.0 || (across >= 0.0 && along > 0.0)).then(|| across.atan2(along))
    });
    let sum: Option<f64> = angles.sum();
    sum.is_some_and(|sum| sum < 1.5 * std::f64::consts::TAU)
}

/// Twice the area, along the normal of a polygon.
fn area_vector(vertices: &[Point]) -> Vector {
    let o = vertices[0];
    vertices
        .windows(2)
        .map(|w| (w[0] - o).cross(&(w[1] - o)))
        .sum()
}

/// The part of a convex polygon where `normal · p ≤ offset` (Sutherland and Hodgman 1974).
pub(super) fn clipped(vertices: &[Point], normal: &Vector, offset: f64) -> Vec<Point> {
    let height = |p: &Point| normal.dot(&p.coords) - offset;
    let mut out = Vec::with_capacity(vertices.len() + 1);
    for (i, p) in vertices.iter().enumerate() {
        let next = &vertices[(i + 1) % vertices.len()];
        let (a, b) = (height(p), height(next));
        if a <= 0.0 {
            out.push(*p);
        }
        if (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0) {
            out.push(p + (next - p) * (a / (a - b)));
        }
    }
    out
}
