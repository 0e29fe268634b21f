//! Polygons, strips and fans into triangles.

use crate::geometry::clip_ears;
use crate::math::{Point, Vector};

/// The triangles of a list: every three corners are one.
pub(super) fn triples(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    corners.as_chunks().0.iter().copied()
}

/// The triangles of a strip: a corner makes one with the two before it, and every other one is turned around.
pub(super) fn strip(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let (second, third) = (corners.iter().skip(1), corners.iter().skip(2));
    let triples = corners.iter().zip(second).zip(third).enumerate();
    triples.map(|(i, ((&a, &b), &c))| match i % 2 {
        0 => [a, b, c],
        _ => [b, a, c],
    })
}

/// The triangles of a fan: all of them share the first corner.
pub(super) fn fan(corners: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let (first, second) = (corners.iter().take(1).cycle(), corners.iter().skip(1));
    let triples = first.zip(second).zip(corners.iter().skip(2));
    triples.map(|((&a, &b), &c)| [a, b, c])
}

/// Appends the `n - 2` triangles of a polygon of `n` corners: by cutting ears, so that a polygon with notches stays
/// what it is; as a fan where it is too broken for that.
pub(super) fn triangulate(vertices: &[Point], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let normal = normal(vertices, corners);
    if corners.len() <= 3 || is_convex(vertices, corners, &normal) {
        triangles.extend(fan(corners));
        return;
    }
    let mut left = corners.to_vec();
    clip_ears(&mut left, triangles, |t| turn(vertices, t, &normal));
    triangles.extend(fan(&left));
}

/// The area vector, twice as long (Newell's method).
fn normal(vertices: &[Point], corners: &[u32]) -> Vector {
    let next = corners.iter().cycle().skip(1);
    let edges = corners.iter().zip(next);
    edges
        .map(|(&a, &b)| at(vertices, a).coords.cross(&at(vertices, b).coords))
        .sum()
}

/// How much a triangle turns the polygon's way; negative at a notch.
fn turn(vertices: &[Point], triangle: [u32; 3], normal: &Vector) -> f64 {
    let [a, b, c] = triangle.map(|i| at(vertices, i));
    (b - a).cross(&(c - b)).dot(normal)
}

fn is_convex(vertices: &[Point], corners: &[u32], normal: &Vector) -> bool {
    let (second, third) = (
        corners.iter().cycle().skip(1),
        corners.iter().cycle().skip(2),
    );
    let mut triples = corners.iter().zip(second).zip(third);
    triples.all(|((&a, &b), &c)| turn(vertices, [a, b, c], normal) >= 0.0)
}

/// A vertex; readers number only those that there are.
fn at(vertices: &[Point], i: u32) -> Point {
    vertices.get(i as usize).copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(vertices: &[Point], triangles: &[[u32; 3]]) -> f64 {
        let up = Vector::z();
        triangles
            .iter()
            .map(|&t| turn(vertices, t, &up) / 2.0)
            .sum()
    }

    #[test]
    fn a_polygon_with_a_notch_keeps_its_area_and_orientation() {
        // a square of side 2 with a notch down to its centre: area 3; a fan from corner 0 would cover the notch
        let points = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]];
        let vertices = points.map(|[x, y]| Point::new(x, y, 0.0));
        for start in 0..5_u32 {
            let corners: Vec<u32> = (0..5).map(|i| (i + start) % 5).collect();
            let mut triangles = Vec::new();
            triangulate(&vertices, &corners, &mut triangles);
            assert_eq!(triangles.len(), 3);
            let up = Vector::z();
            assert!(triangles.iter().all(|&t| turn(&vertices, t, &up) > 0.0));
            assert!((area(&vertices, &triangles) - 3.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_spiral_of_a_thousand_corners_keeps_its_area() {
        let arm = |r: f64| move |i: u32| (r + 0.01 * f64::from(i), 0.1 * f64::from(i));
        let (outer, inner) = ((0..500).map(arm(1.0)), (0..500).rev().map(arm(0.7)));
        let vertices: Vec<_> = outer
            .chain(inner)
            .map(|(r, angle)| Point::new(r * angle.cos(), r * angle.sin(), 0.0))
            .collect();
        let corners: Vec<u32> = (0..1000).collect();
        let mut triangles = Vec::new();
        triangulate(&vertices, &corners, &mut triangles);
        assert_eq!(triangles.len(), 998);
        let up = Vector::z();
        assert!(triangles.iter().all(|&t| turn(&vertices, t, &up) > 0.0));
        let twice: f64 = normal(&vertices, &corners).z;
        assert!((area(&vertices, &triangles) - twice / 2.0).abs() < 1e-9 * twice);
    }

    #[test]
    fn a_broken_polygon_still_gives_two_triangles_fewer_than_corners() {
        let vertices = [Point::origin(); 4];
        let mut triangles = Vec::new();
        triangulate(&vertices, &[0, 1, 2, 3, 2, 1], &mut triangles);
        assert_eq!(triangles.len(), 4);
        triangulate(&vertices, &[0, 1], &mut triangles);
        assert_eq!(triangles.len(), 4);
    }
}
