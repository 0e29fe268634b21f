//! The smallest ball around points.

use super::Sphere;
use crate::math::Point;

/// A point and what the shape reaches beyond it in every direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Padded {
    pub(super) p: Point,
    pub(super) pad: f64,
}

/// A ball around padded points, nearly the smallest: its centre goes towards the farthest of them in ever smaller steps
/// (Bădoiu and Clarkson 2003). `None` where there are no points.
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
        let (reach, farthest) = farthest(points, &center);
        if reach < best.radius {
            best = Sphere {
                center,
                radius: reach,
            };
        }
        center += (farthest.p - center) / f64::from(step + 2);
    }

    // what rounding took away
    best.radius += 1e-12 * (best.radius + best.center.coords.amax());
    Some(best)
}

/// How far points reach from a place, and which one does.
pub(super) fn farthest(points: &[Padded], from: &Point) -> (f64, Padded) {
    let mut best = (f64::NEG_INFINITY, points[0]);
    for point in points {
        let reach = (point.p - from).norm() + point.pad;
        if reach > best.0 {
            best = (reach, *point);
        }
    }
    best
}

/// The smallest ball around two.
pub(super) fn around_two(a: &Sphere, b: &Sphere) -> f64 {
    let apart = (b.center - a.center).norm();
    (0.5 * (apart + a.radius + b.radius))
        .max(a.radius)
        .max(b.radius)
}

const STEPS: u32 = 60;
