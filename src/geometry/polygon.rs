//! Flat polygons: what is one, and its triangles.

use nalgebra::Point2;

use super::check::check_points;
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
        None => Err(Error::invalid("polygon", "has edges that cross")),
    }
}

/// The triangles of a flat polygon, as indices of its corners, `None` where its edges cross.
pub(super) fn triangulate(vertices: &[Point]) -> Option<Vec<[usize; 3]>> {
    let (u, v) = orthogonal_to(&area_vector(vertices).normalize());
    let flat: Vec<Point2<f64>> = vertices
        .iter()
        .map(|p| p - vertices[0])
        .map(|d| Point2::new(u.dot(&d), v.dot(&d)))
        .collect();
    let turn = |[a, b, c]: [usize; 3]| (flat[b] - flat[a]).perp(&(flat[c] - flat[a]));
    let mut left: Vec<usize> = (0..vertices.len()).collect();
    let mut triangles = Vec::with_capacity(vertices.len() - 2);
    cut_ears(&mut left, &mut triangles, turn);
    let last = <[usize; 3]>::try_from(left).ok()?;
    (turn(last) >= 0.0).then(|| {
        triangles.push(last);
        triangles
    })
}

/// Cuts ears off a polygon until three corners are left, or more where its edges cross.
///
/// `turn` tells how far a triangle of corners turns the polygon's way: twice its area, negative at a notch.
///
/// Ear clipping: Meisters (1975), O(n²) for ordinary polygons.
pub(crate) fn cut_ears<I: Copy + PartialEq>(
    left: &mut Vec<I>,
    triangles: &mut Vec<[I; 3]>,
    turn: impl Fn([I; 3]) -> f64,
) {
    // negative outside a triangle, 0 on its border
    let sides = |[a, b, c]: [I; 3], p: I| turn([a, b, p]).min(turn([b, c, p])).min(turn([c, a, p]));
    while left.len() > 3 {
        let n = left.len();
        let corner = |i: usize| [left[(i + n - 1) % n], left[i], left[(i + 1) % n]];
        // an ear turns the right way and is free of other corners, its sides included
        let is_clear = |&i: &usize| {
            let ear = corner(i);
            turn(ear) > 0.0 && left.iter().all(|p| ear.contains(p) || sides(ear, *p) < 0.0)
        };
        // failing that, a corner on a straight line, or a repeated one, can always go
        let is_ear = |&i: &usize| {
            let ear = corner(i);
            turn(ear) >= 0.0
                && left
                    .iter()
                    .all(|p| ear.contains(p) || sides(ear, *p) <= 0.0)
        };
        let Some(ear) = (0..n).find(is_clear).or_else(|| (0..n).find(is_ear)) else {
            return;
        };
        triangles.push(corner(ear));
        left.remove(ear);
    }
}

/// Twice the area, along the normal of a polygon.
fn area_vector(vertices: &[Point]) -> Vector {
    let o = vertices[0];
    vertices
        .windows(2)
        .map(|w| (w[0] - o).cross(&(w[1] - o)))
        .sum()
}
