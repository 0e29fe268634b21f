//! Motions along paths of low degree as polynomials of time.

use super::along::Along;
use super::path::GeometricPath;

/// The configuration in each interval of a motion as a polynomial of the time since it began: on a path of degree 2 at constant
/// path acceleration it is one of degree 4.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Pieces {
    n_dofs: usize,
    /// Of each interval and dof, from the constant term on.
    coefficients: Vec<[f64; WIDTH]>,
}

/// Coefficients of a polynomial.
const WIDTH: usize = 5;

impl Pieces {
    /// `None` for a path of a higher degree than 2.
    pub(super) fn new(along: &Along) -> Option<Self> {
        let path: &GeometricPath = &along.path;
        if path.degree() > 2 {
            return None;
        }
        let n_dofs = path.n_dofs();
        let mut coefficients = Vec::with_capacity((along.times.len() - 1) * n_dofs);
        for interval in 0..along.times.len() - 1 {
            let (piece, [at, speed, half]) = along.start_of(interval);
            for dof in 0..n_dofs {
                let c = path.of(piece, dof);
                let [c0, c1, c2] = [0, 1, 2].map(|k| c.get(k).copied().unwrap_or(0.0));
                // at + speed t + half t² in c0 + c1 s + c2 s²
                let first = c1 + 2.0 * c2 * at;
                coefficients.push([
                    c0 + at * (c1 + c2 * at),
                    first * speed,
                    first * half + c2 * speed * speed,
                    2.0 * c2 * speed * half,
                    c2 * half * half,
                ]);
            }
        }
        Some(Self {
            n_dofs,
            coefficients,
        })
    }

    fn of(&self, interval: usize) -> &[[f64; WIDTH]] {
        &self.coefficients[interval * self.n_dofs..][..self.n_dofs]
    }

    /// Adds the integral of the configuration over the first part of an interval.
    pub(super) fn integrate(&self, interval: usize, t: f64, sum: &mut [f64]) {
        for (sum, [a, b, c, d, e]) in sum.iter_mut().zip(self.of(interval)) {
            *sum += t * (a + t * (b / 2.0 + t * (c / 3.0 + t * (d / 4.0 + t * (e / 5.0)))));
        }
    }

    pub(super) fn configuration(&self, interval: usize, t: f64, q: &mut [f64]) {
        for (q, [a, b, c, d, e]) in q.iter_mut().zip(self.of(interval)) {
            *q = a + t * (b + t * (c + t * (d + t * e)));
        }
    }

    pub(super) fn velocity(&self, interval: usize, t: f64, dq: &mut [f64]) {
        for (dq, [_, b, c, d, e]) in dq.iter_mut().zip(self.of(interval)) {
            *dq = b + t * (2.0 * c + t * (3.0 * d + t * 4.0 * e));
        }
    }

    pub(super) fn acceleration(&self, interval: usize, t: f64, ddq: &mut [f64]) {
        for (ddq, [_, _, c, d, e]) in ddq.iter_mut().zip(self.of(interval)) {
            *ddq = 2.0 * c + t * (6.0 * d + t * 12.0 * e);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::planning::time::profile::{Grid, Profile};

    #[test]
    fn polynomials_are_the_motion_and_its_integral() {
        let waypoints = [[0.0, 1.0], [2.0, 0.5], [1.0, -1.0]];
        let path = GeometricPath::blended(&waypoints, 0.3).unwrap();
        let grid = Grid::uniform(&path, 20);
        // faster up to the middle, and slower again
        let count = grid.len();
        let u: Vec<f64> = (0..count)
            .map(|i| if 2 * i < count { 0.7 } else { -0.4 })
            .collect();
        let mut x = vec![0.1];
        for (i, u) in u.iter().enumerate() {
            x.push(x[i] + 2.0 * u * grid.step(i));
        }
        let along = Along::new(path, grid, Profile { x, u });
        let pieces = Pieces::new(&along).unwrap();
        let [mut q, mut dq, mut ddq] = [(); 3].map(|()| [0.0; 2]);
        let [mut q2, mut dq2, mut ddq2] = [(); 3].map(|()| [0.0; 2]);
        let near = |a: [f64; 2], b: [f64; 2]| (0..2).all(|k| (a[k] - b[k]).abs() < 1e-12);
        for interval in 0..count {
            let length = along.times[interval + 1] - along.times[interval];
            for part in [0.0, 0.3, 1.0] {
                let t = part * length;
                along.configuration_within(interval, t, &mut q);
                along.velocity_and_acceleration(interval, t, &mut dq, &mut ddq);
                pieces.configuration(interval, t, &mut q2);
                pieces.velocity(interval, t, &mut dq2);
                pieces.acceleration(interval, t, &mut ddq2);
                assert!(near(q, q2) && near(dq, dq2) && near(ddq, ddq2));
            }
            // Simpson's rule, whose error is of the fifth order
            let mut sum = [1.0; 2];
            pieces.integrate(interval, length, &mut sum);
            let at = |part: f64| {
                let mut q = [0.0; 2];
                along.configuration_within(interval, part * length, &mut q);
                q
            };
            let [a, b, c] = [0.0, 0.5, 1.0].map(at);
            let simpson = |k: usize| 1.0 + length / 6.0 * (a[k] + 4.0 * b[k] + c[k]);
            assert!((0..2).all(|k| (sum[k] - simpson(k)).abs() < length.powi(5)));
        }
    }
}
