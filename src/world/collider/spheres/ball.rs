//! Balls in single precision.

use crate::math::Point;

#[derive(Debug, Clone, Copy)]
pub(super) struct Ball {
    pub(super) center: [f32; 3],
    pub(super) radius: f32,
}

impl Ball {
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

    /// A ball around balls.
    pub(super) fn around(balls: &[Self]) -> Self {
        let Some(first) = balls.first() else {
            return Self::NONE;
        };
        // towards the farthest in ever smaller steps, as for points
        let center = |ball: &Self| Point::from(ball.center.map(f64::from));
        let mut c = center(first);
        let mut best = (f64::INFINITY, c);
        for step in 0..100 {
            let reach = |ball: &Self| (center(ball) - c).norm() + f64::from(ball.radius);
            let farthest = balls.iter().max_by(|a, b| reach(a).total_cmp(&reach(b)));
            let farthest = farthest.unwrap_or(first);
            if reach(farthest) < best.0 {
                best = (reach(farthest), c);
            }
            c += (center(farthest) - c) / f64::from(step + 2);
        }
        Self::new(&best.1, best.0 * (1.0 + 1e-6))
    }
}
