//! Flat polygons: what is one, and its triangles.

use nalgebra::Point2;

use super::check::check_points;
use super::ears::clip_ears;
use super::transform::orthogonal_to;
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// Refuses corners that do not make a flat polygon with an inside.
pub(super) fn check(vertices: &[Point]) -> Result<()> {
    check_points("a polygon", vertices)?;
    if vertices.len() < 3 {
        let problem = format!("needs at least three corners, got {}", vertices.len());
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
        let problem = format!("is not flat: a corner is {off} m off its plane");
        return Err(Error::invalid("polygon", problem));
    }
    match triangulate(vertices) {
        Some(_) => Ok(()),
        None if vertices.len() > 4096 => {
            let problem = "has edges that cross, or too many corners and notches to tell";
            Err(Error::invalid("polygon", problem))
        }
        None => Err(Error::invalid("polygon", "has edges that cross")),
    }
}

/// The triangles of a flat polygon, as indices of its corners, `None` where its edges cross as far as can be told.
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
    let turn = |[a, b, c]: [usize; 3]| (flat[b] - flat[a]).perp(&(flat[c] - flat[a]));
    let mut left: Vec<usize> = (0..vertices.len()).collect();
    let mut triangles = Vec::with_capacity(vertices.len() - 2);
    clip_ears(&mut left, &mut triangles, turn);
    let last = <[usize; 3]>::try_from(left).ok()?;
    (turn(last) >= 0.0).then(|| {
        triangles.push(last);
        triangles
    })
}

/// Whether a polygon never turns back, and goes round once: so its edges cannot cross.
fn is_convex(corners: &[Point2<f64>]) -> bool {
    let edges = || {
        let behind = corners.iter().cycle().skip(1);
        corners.iter().zip(behind).map(|(a, b)| b - a)
    };
    let turns = edges().zip(edges().cycle().skip(1)).map(|(edge, next)| {
        let (across, along) = (edge.perp(&next), edge.dot(&next));
        (across > 0.0 || (across >= 0.0 && along > 0.0)).then(|| across.atan2(along))
    });
    let sum: Option<f64> = turns.sum();
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

/// What of a convex polygon is where `normal · p ≤ offset` (Sutherland and Hodgman 1974).
pub(super) fn clipped(corners: &[Point], normal: &Vector, offset: f64) -> Vec<Point> {
    let height = |p: &Point| normal.dot(&p.coords) - offset;
    let mut out = Vec::with_capacity(corners.len() + 1);
    for (i, p) in corners.iter().enumerate() {
        let next = &corners[(i + 1) % corners.len()];
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
