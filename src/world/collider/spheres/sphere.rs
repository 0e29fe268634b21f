//! A bounding sphere in single precision.

use crate::math::Point;

/// A sphere, m.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sphere32 {
    pub(super) center: [f32; 3],
    pub(super) radius: f32,
}

impl Sphere32 {
    pub(super) const NONE: Self = Self {
        center: [0.0; 3],
        radius: 0.0,
    };

    pub(super) fn new(center: &Point, radius: f64) -> Self {
        Self {
            center: [0, 1, 2].map(|k| center[k] as f32),
            radius: radius as f32,
        }
    }

    /// Returns a sphere around spheres, nearly the smallest.
    pub(super) fn around(spheres: &[Self]) -> Self {
        let Some(first) = spheres.first() else {
            return Self::NONE;
        };
        // steps of decreasing length towards the farthest (Bădoiu and Clarkson 2003), as for points
        let center = |sphere: &Self| Point::from(sphere.center.map(f64::from));
        let mut c = center(first);
        let mut best = (f64::INFINITY, c);
        for step in 0..100 {
            let extent = |sphere: &Self| (center(sphere) - c).norm() + f64::from(sphere.radius);
            let farthest = spheres
                .iter()
                .max_by(|a, b| extent(a).total_cmp(&extent(b)));
            let farthest = farthest.unwrap_or(first);
            if extent(farthest) < best.0 {
                best = (extent(farthest), c);
            }
            c += (center(farthest) - c) / f64::from(step + 2);
        }
        Self::new(&best.1, best.0 * (1.0 + 1e-6))
    }
}
