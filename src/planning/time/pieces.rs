//! Motions along paths of low degree as polynomials of time.

use super::along::Along;
use super::path::GeometricPath;

/// The configuration in each interval of a motion as a polynomial of the time since it began: on a path of degree 2 at constant
/// path acceleration it is one of degree 4, on one of degree 3 it is one of degree 6.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Pieces {
    Quartic(Polynomials<5>),
    Sextic(Polynomials<7>),
}

impl Pieces {
    /// `None` for a path of a higher degree than 3.
    pub(super) fn new(along: &Along) -> Option<Self> {
        match along.path.degree() {
            0..=2 => Some(Self::Quartic(Polynomials::new(along))),
            3 => Some(Self::Sextic(Polynomials::new(along))),
            _ => None,
        }
    }

    /// Adds the integral of the configuration over the first part of an interval.
    pub(super) fn integrate(&self, interval: usize, t: f64, sum: &mut [f64]) {
        match self {
            Self::Quartic(all) => all.integrate(interval, t, sum),
            Self::Sextic(all) => all.integrate(interval, t, sum),
        }
    }

    pub(super) fn configuration(&self, interval: usize, t: f64, q: &mut [f64]) {
        match self {
            Self::Quartic(all) => all.derivative::<0>(interval, t, q),
            Self::Sextic(all) => all.derivative::<0>(interval, t, q),
        }
    }

    pub(super) fn velocity(&self, interval: usize, t: f64, dq: &mut [f64]) {
        match self {
            Self::Quartic(all) => all.derivative::<1>(interval, t, dq),
            Self::Sextic(all) => all.derivative::<1>(interval, t, dq),
        }
    }

    pub(super) fn acceleration(&self, interval: usize, t: f64, ddq: &mut [f64]) {
        match self {
            Self::Quartic(all) => all.derivative::<2>(interval, t, ddq),
            Self::Sextic(all) => all.derivative::<2>(interval, t, ddq),
        }
    }
}

/// Polynomials with so many coefficients.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Polynomials<const WIDTH: usize> {
    n_dofs: usize,
    /// Of each interval and dof, from the constant term on.
    coefficients: Vec<[f64; WIDTH]>,
}

impl<const WIDTH: usize> Polynomials<WIDTH> {
    fn new(along: &Along) -> Self {
        let path: &GeometricPath = &along.path;
        let n_dofs = path.n_dofs();
        let mut coefficients = Vec::with_capacity((along.times.len() - 1) * n_dofs);
        for interval in 0..along.times.len() - 1 {
            let (piece, [at, v, h]) = along.start_of(interval);
            for dof in 0..n_dofs {
                let c = path.of(piece, dof);
                let [c0, c1, c2, c3] = [0, 1, 2, 3].map(|k| c.get(k).copied().unwrap_or(0.0));
                // the powers of s = v t + h t² in the polynomial of the path from there on
                let b0 = c0 + at * (c1 + at * (c2 + at * c3));
                let b1 = c1 + at * (2.0 * c2 + at * 3.0 * c3);
                let b2 = c2 + at * 3.0 * c3;
                let all = [
                    b0,
                    b1 * v,
                    b1 * h + b2 * v * v,
                    v * (2.0 * b2 * h + c3 * v * v),
                    h * (b2 * h + 3.0 * c3 * v * v),
                    3.0 * c3 * v * h * h,
                    c3 * h * h * h,
                ];
                coefficients.push(std::array::from_fn(|k| all[k]));
            }
        }
        Self {
            n_dofs,
            coefficients,
        }
    }

    fn of(&self, interval: usize) -> &[[f64; WIDTH]] {
        &self.coefficients[interval * self.n_dofs..][..self.n_dofs]
    }

    fn integrate(&self, interval: usize, t: f64, sum: &mut [f64]) {
        for (sum, c) in sum.iter_mut().zip(self.of(interval)) {
            let terms = (0..WIDTH).rev();
            *sum += t * terms.fold(0.0, |value, k| value * t + c[k] / (k + 1) as f64);
        }
    }

    /// The derivative of this order, from 0 on.
    fn derivative<const ORDER: usize>(&self, interval: usize, t: f64, out: &mut [f64]) {
        for (out, c) in out.iter_mut().zip(self.of(interval)) {
            let factor = |k: usize| (0..ORDER).map(|i| (k - i) as f64).product::<f64>();
            let terms = (ORDER..WIDTH).rev();
            *out = terms.fold(0.0, |value, k| value * t + factor(k) * c[k]);
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
        are_its_polynomials(GeometricPath::blended(&waypoints, 0.3).unwrap());
        are_its_polynomials(GeometricPath::spline(&waypoints).unwrap());
        let quintic = GeometricPath::polynomials(1, 5, vec![0.0, 1.0], vec![1.0; 6]).unwrap();
        let grid = Grid::uniform(&quintic, 4);
        let (x, u) = (vec![1.0; grid.len() + 1], vec![0.0; grid.len()]);
        let along = Along::new(quintic, grid, Profile { x, u });
        assert!(Pieces::new(&along).is_none());
    }

    fn are_its_polynomials(path: GeometricPath) {
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
