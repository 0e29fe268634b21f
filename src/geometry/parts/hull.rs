//! Hulls of ill-conditioned point sets: many points in one plane, on one line, or all but coincident.

use nalgebra::Matrix3;

use crate::geometry::hull::ConvexHull;
use crate::geometry::spheres::directions;
use crate::geometry::{Aabb, Mesh, parry};
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// A hull that contains all points and exceeds theirs by some millionths of its size at most; flat ones get a
/// thickness, a millionth of `size`.
///
/// The hull of the farthest points in some directions is extended by the point farthest beyond each face, until none is
/// farther than 1e-7. Points left out lie nearly in faces or on edges, where they would make slivers; a small
/// enlargement contains them.
pub(super) fn around(points: &[Point], size: f64) -> Result<ConvexHull> {
    let found = incremental(points).or_else(|| incremental(&thickened(points, size)));
    found.map_or_else(|| of_box(points, size), Ok)
}

/// Thickness of flat parts, relative to the size of the whole.
const FLAT: f64 = 1e-6;

/// Points on both sides of the plane or the line in which the points lie.
fn thickened(points: &[Point], size: f64) -> Vec<Point> {
    let mean = points.iter().map(|p| p.coords).sum::<Vector>() / points.len() as f64;
    let square = |p: &Point| (p.coords - mean) / size * ((p.coords - mean) / size).transpose();
    let scatter: Matrix3<f64> = points.iter().map(square).sum();
    let axes = scatter.symmetric_eigen().eigenvectors;
    let mut thick = points.to_vec();
    for k in 0..3 {
        let axis: Vector = axes.column(k).into();
        let heights = points.iter().map(|p| axis.dot(&p.coords));
        let ends = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
        let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), ends);
        if high - low < FLAT * size {
            let step = axis * (FLAT * size);
            thick = thick.iter().flat_map(|p| [p - step, p + step]).collect();
        }
    }
    thick
}

/// Allowed distance of points beyond a face, where the points range from -1 to 1.
const NEAR: f64 = 1e-7;

/// Largest relative enlargement of the final hull.
const GROWTH: f64 = 1e-5;

const MAX_ROUNDS: usize = 64;

fn of_box(points: &[Point], size: f64) -> Result<ConvexHull> {
    let none = || Error::invalid("a convex part", "has no points");
    let bounds = Aabb::around(points.iter().copied()).ok_or_else(none)?;
    ConvexHull::new(&bounds.inflated(FLAT * size).corners())
}

fn incremental(points: &[Point]) -> Option<ConvexHull> {
    let normalized = parry::normalized(points)?;
    let mut left: Vec<usize> = (0..normalized.len()).collect();
    let mut chosen: Vec<usize> = directions()
        .filter_map(|direction| farthest(&normalized, &left, &direction))
        .collect();
    for _ in 0..MAX_ROUNDS {
        chosen.sort_unstable();
        chosen.dedup();
        let vertices: Vec<Point> = chosen.iter().map(|&i| normalized[i].into()).collect();
        let hull = ConvexHull::new(&vertices).ok()?;
        let faces = faces(&hull);
        // the hull only grows: points that it contains now stay inside
        let is_beyond = |i: &usize| {
            let p = &normalized[*i];
            faces
                .iter()
                .any(|(normal, offset)| normal.dot(p) - offset > NEAR)
        };
        left.retain(is_beyond);
        let before = chosen.len();
        for (normal, offset) in &faces {
            let found = farthest(&normalized, &left, normal);
            let found = found.filter(|&i| normal.dot(&normalized[i]) - offset > NEAR);
            chosen.extend(found.filter(|i| chosen[..before].binary_search(i).is_err()));
        }
        if left.is_empty() {
            let given: Vec<Point> = chosen.iter().map(|&i| points[i]).collect();
            return enlarged(&hull, &faces, &vertices, &given);
        }
        if chosen.len() == before {
            return None;
        }
    }
    None
}

/// The farthest point in a direction; ties to rounding are broken towards an extreme point.
fn farthest(points: &[Vector], among: &[usize], direction: &Vector) -> Option<usize> {
    let along = |i: &&usize| direction.dot(&points[**i]);
    let most = among
        .iter()
        .map(|i| along(&i))
        .fold(f64::NEG_INFINITY, f64::max);
    // a direction that no face or edge is likely to be perpendicular to
    let aside = Vector::new(0.461_94, 0.314_15, -0.829_28);
    let equal = among.iter().filter(|i| along(i) >= most - NEAR);
    equal
        .max_by(|i, j| aside.dot(&points[**i]).total_cmp(&aside.dot(&points[**j])))
        .copied()
}

/// Outward unit normals and offsets.
fn faces(hull: &ConvexHull) -> Vec<(Vector, f64)> {
    let face = |[a, b, c]: [Point; 3]| {
        let normal = (b - a).cross(&(c - a)).try_normalize(SLIVER)?;
        Some((normal, normal.dot(&a.coords)))
    };
    hull.surface()
        .triangle_vertices()
        .filter_map(face)
        .collect()
}

/// Faces with less than half of this area have no normal.
const SLIVER: f64 = 1e-12;

/// A hull given by its `vertices` and `faces` where points range from -1 to 1, with the original points `given`,
/// enlarged about its centre until it contains points up to [`NEAR`] beyond its faces; `None` where the enlargement
/// would be large.
fn enlarged(
    hull: &ConvexHull,
    faces: &[(Vector, f64)],
    vertices: &[Point],
    given: &[Point],
) -> Option<ConvexHull> {
    let original = |v: &Point| vertices.iter().position(|c| c == v).map(|i| given[i]);
    let vertices: Vec<Point> = hull
        .vertices()
        .iter()
        .map(original)
        .collect::<Option<_>>()?;
    let mean = |points: &[Point]| {
        let sum: Vector = points.iter().map(|p| p.coords).sum();
        sum / points.len() as f64
    };
    let middle = mean(hull.vertices());
    let depths = faces
        .iter()
        .map(|(normal, offset)| offset - normal.dot(&middle));
    let depth = depths.fold(f64::INFINITY, f64::min);
    let growth = 1.01 * NEAR / depth;
    if !(depth > 0.0 && growth < GROWTH) {
        return None;
    }
    let middle = Point::from(mean(&vertices));
    let vertices = vertices
        .iter()
        .map(|p| middle + (p - middle) * (1.0 + growth));
    let surface = Mesh::new(vertices.collect(), hull.surface().triangles().to_vec());
    surface.ok().map(ConvexHull::of_surface)
}
