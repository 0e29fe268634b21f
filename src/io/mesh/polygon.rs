//! Triangulation of polygons, strips and fans.

use crate::geometry::clip_ears;
use crate::math::{Point, Vector};

/// The triangles of a list: three indices each.
pub(super) fn triples(indices: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    indices.as_chunks().0.iter().copied()
}

/// The triangles of a strip: each index with the two before it, every second triangle with reversed orientation.
pub(super) fn strip(indices: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let (second, third) = (indices.iter().skip(1), indices.iter().skip(2));
    let triples = indices.iter().zip(second).zip(third).enumerate();
    triples.map(|(i, ((&a, &b), &c))| match i % 2 {
        0 => [a, b, c],
        _ => [b, a, c],
    })
}

/// The triangles of a fan: all share the first index.
pub(super) fn fan(indices: &[u32]) -> impl Iterator<Item = [u32; 3]> {
    let (first, second) = (indices.iter().take(1).cycle(), indices.iter().skip(1));
    let triples = first.zip(second).zip(indices.iter().skip(2));
    triples.map(|((&a, &b), &c)| [a, b, c])
}

/// Appends the `n - 2` triangles of a polygon of `n` vertices: by ear clipping, so that concave polygons keep their
/// outline; as a fan if the polygon is too degenerate for that.
pub(super) fn triangulate(vertices: &[Point], indices: &[u32], triangles: &mut Vec<[u32; 3]>) {
    let normal = normal(vertices, indices);
    if indices.len() <= 3 || is_convex(vertices, indices, &normal) {
        triangles.extend(fan(indices));
        return;
    }
    let mut left = indices.to_vec();
    clip_ears(&mut left, triangles, |t| turn(vertices, t, &normal));
    triangles.extend(fan(&left));
}

/// Twice the area vector of a polygon (Newell's method).
fn normal(vertices: &[Point], indices: &[u32]) -> Vector {
    let next = indices.iter().cycle().skip(1);
    let edges = indices.iter().zip(next);
    edges
        .map(|(&a, &b)| at(vertices, a).coords.cross(&at(vertices, b).coords))
        .sum()
}

/// Orientation of a triangle relative to the polygon's; negative at a concave vertex.
fn turn(vertices: &[Point], triangle: [u32; 3], normal: &Vector) -> f64 {
    let [a, b, c] = triangle.map(|i| at(vertices, i));
    (b - a).cross(&(c - b)).dot(normal)
}

fn is_convex(vertices: &[Point], indices: &[u32], normal: &Vector) -> bool {
    let (second, third) = (
        indices.iter().cycle().skip(1),
        indices.iter().cycle().skip(2),
    );
    let mut triples = indices.iter().zip(second).zip(third);
    triples.all(|((&a, &b), &c)| turn(vertices, [a, b, c], normal) >= 0.0)
}

/// The vertex at an index; readers have checked that it exists.
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
        // a square of side 2 with a notch down to its centre: area 3; a fan from vertex 0 would cover the notch
        let points = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 1.0], [0.0, 2.0]];
        let vertices = points.map(|[x, y]| Point::new(x, y, 0.0));
        for start in 0..5_u32 {
            let indices: Vec<u32> = (0..5).map(|i| (i + start) % 5).collect();
            let mut triangles = Vec::new();
            triangulate(&vertices, &indices, &mut triangles);
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
        let indices: Vec<u32> = (0..1000).collect();
        let mut triangles = Vec::new();
        triangulate(&vertices, &indices, &mut triangles);
        assert_eq!(triangles.len(), 998);
        let up = Vector::z();
        assert!(triangles.iter().all(|&t| turn(&vertices, t, &up) > 0.0));
        let twice: f64 = normal(&vertices, &indices).z;
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
