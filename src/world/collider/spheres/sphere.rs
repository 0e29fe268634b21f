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
        if spheres.len() == 1 {
            return *first;
        }
        // steps of decreasing length towards the farthest (Bădoiu and Clarkson 2003), as for points
        let centers: Vec<(Point, f64)> = spheres
            .iter()
            .map(|s| (s.center.map(f64::from).into(), s.radius.into()))
            .collect();
        let mut c = centers[0].0;
        let mut best = (f64::INFINITY, c);
        for step in 0..100 {
            let (mut farthest, mut extent) = (c, f64::NEG_INFINITY);
            for (center, radius) in &centers {
                let this = (center - c).norm() + radius;
                if this >= extent {
                    (farthest, extent) = (*center, this);
                }
            }
            if extent < best.0 {
                best = (extent, c);
            }
            c += (farthest - c) / f64::from(step + 2);
        }
        Self::new(&best.1, best.0 * (1.0 + 1e-6))
    }
}
