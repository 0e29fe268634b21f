//! Quality of the fit of convex parts.

use crate::geometry::hull::ConvexHull;
use crate::geometry::{Geometry, Primitive, query};
use crate::math::{Point, Pose};

/// Largest distance of parts from a shape and its inside, over the centres of faces and edges.
pub(super) fn overshoot(shape: &Geometry, hulls: &[ConvexHull]) -> f64 {
    let here = Pose::identity();
    let middles = hulls
        .iter()
        .flat_map(|hull| hull.surface().triangle_vertices());
    let middles = middles.flat_map(|[a, b, c]| {
        let edge = |a: &Point, b: &Point| nalgebra::center(a, b);
        let face = Point::from((a.coords + b.coords + c.coords) / 3.0);
        [face, edge(&a, &b), edge(&b, &c), edge(&c, &a)]
    });
    let distance = |p: Point| {
        let point = Primitive::point(p).ok()?;
        let found = query::distance_at((shape, &here), (&point.into(), &here));
        Some((found.distance, p))
    };
    let mut distances: Vec<(f64, Point)> = middles.filter_map(distance).collect();
    distances.sort_unstable_by(|(x, _), (y, _)| y.total_cmp(x));
    let beyond = distances.into_iter().find(|(_, p)| !encloses(shape, p));
    beyond.map_or(0.0, |(distance, _)| distance)
}

/// Returns whether a point is inside a mesh, marked as solid or not.
fn encloses(shape: &Geometry, p: &Point) -> bool {
    let body = shape.body();
    (0_u32..).zip(&body.parts).any(|(i, part)| {
        part.bounds.is_some_and(|bounds| bounds.contains(p))
            && body.winding_number(i, p).abs() > 0.5
    })
}
