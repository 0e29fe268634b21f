//! Bounding spheres of points.

use super::Sphere;
use crate::math::Point;

/// A point, and the inflation of the shape around it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Padded {
    pub(super) p: Point,
    pub(super) pad: f64,
}

/// Bounding sphere of padded points, nearly the smallest: its centre moves towards the farthest of them in ever smaller
/// steps (Bădoiu and Clarkson 2003). `None` where there are no points.
pub(super) fn around(points: &[Padded]) -> Option<Sphere> {
    let n = points.len() as f64;
    let sum = points
        .iter()
        .fold(Point::origin(), |sum, point| sum + point.p.coords / n);
    if points.is_empty() {
        return None;
    }
    let mut center = sum;
    let mut best = Sphere {
        center,
        radius: f64::INFINITY,
    };
    for step in 0..STEPS {
        let (radius, farthest) = farthest(points, &center);
        if radius < best.radius {
            best = Sphere { center, radius };
        }
        center += (farthest.p - center) / f64::from(step + 2);
    }

    // covers the rounding
    best.radius += 1e-12 * (best.radius + best.center.coords.amax());
    Some(best)
}

/// The largest distance of padded points from a point, and the point that has it.
pub(super) fn farthest(points: &[Padded], from: &Point) -> (f64, Padded) {
    let mut best = (f64::NEG_INFINITY, points[0]);
    for point in points {
        let radius = (point.p - from).norm() + point.pad;
        if radius > best.0 {
            best = (radius, *point);
        }
    }
    best
}

/// Radius of the smallest sphere around two.
pub(super) fn around_two(a: &Sphere, b: &Sphere) -> f64 {
    let distance = (b.center - a.center).norm();
    (0.5 * (distance + a.radius + b.radius))
        .max(a.radius)
        .max(b.radius)
}

const STEPS: u32 = 60;
