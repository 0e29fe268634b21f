//! Polygons into triangles.

use crate::geometry::cut_ears;
use crate::math::{Point, Vector};

/// Appends the `n - 2` triangles of a polygon of `n` corners: by cutting ears, so that a polygon with notches stays
/// what it is; as a fan where it is too broken for that.
pub(super) fn triangulate(vertices: &[Point], corners: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let fan = |corners: &[u32]| {
        let first = corners.first().copied().unwrap_or(0);
        let rest = corners.get(1..).unwrap_or(&[]);
        rest.windows(2)
            .map(move |pair| [first, pair[0], pair[1]])
            .collect::<Vec<_>>()
    };
    // cutting ears costs the square of the corners
    const LARGE: usize = 4096;
    let normal = normal(vertices, corners);
    if corners.len() <= 3 || corners.len() > LARGE || is_convex(vertices, corners, &normal) {
        triangles.extend(fan(corners));
        return;
    }
    let mut left = corners.to_vec();
    cut_ears(&mut left, triangles, |t| turn(vertices, t, &normal));
    triangles.extend(fan(&left));
}

/// The area vector, twice as long (Newell's method).
fn normal(vertices: &[Point], corners: &[u32]) -> Vector {
    let at = |i: usize| vertices[corners[i % corners.len()] as usize].coords;
    (0..corners.len()).map(|i| at(i).cross(&at(i + 1))).sum()
}

fn around(corners: &[u32], i: usize) -> [u32; 3] {
    let n = corners.len();
    [corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]]
}

/// How much a triangle turns the polygon's way; negative at a notch.
fn turn(vertices: &[Point], [a, b, c]: [u32; 3], normal: &Vector) -> f64 {
    let [a, b, c] = [a, b, c].map(|i| vertices[i as usize]);
    (b - a).cross(&(c - b)).dot(normal)
}

fn is_convex(vertices: &[Point], corners: &[u32], normal: &Vector) -> bool {
    (0..corners.len()).all(|i| turn(vertices, around(corners, i), normal) >= 0.0)
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
    fn a_broken_polygon_still_gives_two_triangles_fewer_than_corners() {
        let vertices = [Point::origin(); 4];
        let mut triangles = Vec::new();
        triangulate(&vertices, &[0, 1, 2, 3, 2, 1], &mut triangles);
        assert_eq!(triangles.len(), 4);
        triangulate(&vertices, &[0, 1], &mut triangles);
        assert_eq!(triangles.len(), 4);
    }
}
