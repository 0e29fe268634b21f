//! The point within bounds that violates rows of inequalities least.

use super::active_set::{ActiveSet, Limits, Objective, Outcome};
use super::basis::Basis;
use crate::kinematics::ik::damped_step::dot;

/// Scratch of searches.
#[derive(Debug, Clone, Default)]
pub(super) struct LeastViolation {
    /// Excess of each row at the point, and its rate along the step (r).
    excess: Vec<f64>,
    rate: Vec<f64>,
    /// The violated rows and their targets.
    rows: Vec<f64>,
    target: Vec<f64>,
    /// Bounds of the step, and the step (m).
    lower: Vec<f64>,
    upper: Vec<f64>,
    step: Vec<f64>,
}

impl LeastViolation {
    /// Moves `x` (m), which is within its bounds, to where the sum of squares of the positive parts of `row · x − limit` is
    /// least.
    ///
    /// Newton's method for a function that is quadratic in pieces, with a step within the bounds and an exact line search:
    /// Mangasarian (2002), "A finite Newton method for classification", damped only as far as the rows leave directions free.
    /// The steps end where no violated row changes.
    pub(super) fn minimize(
        &mut self,
        set: &mut ActiveSet,
        basis: &Basis,
        limits: &Limits<'_>,
        x: &mut [f64],
    ) -> Outcome {
        let m = x.len();
        self.rate.resize(limits.limits.len(), 0.0);
        for line in [&mut self.lower, &mut self.upper, &mut self.step] {
            line.resize(m, 0.0);
        }
        let mut before = f64::INFINITY;
        for _ in 0..MOST_STEPS {
            self.measure(limits, x);
            let violation: f64 = self.excess.iter().map(|e| e.max(0.0).powi(2)).sum();
            if violation <= 0.0 || violation >= before * (1.0 - 1e-14) {
                return Outcome::Minimum;
            }
            if !violation.is_finite() {
                return Outcome::Overflow;
            }
            before = violation;

            // the violated rows by themselves
            self.rows.clear();
            self.target.clear();
            let mut largest = 0.0_f64;
            for (row, excess) in limits.rows.chunks_exact(m).zip(&self.excess) {
                if *excess > 0.0 {
                    self.rows.extend_from_slice(row);
                    self.target.push(-excess);
                    largest = largest.max(dot(row, row));
                }
            }
            if largest == 0.0 {
                return Outcome::Minimum;
            }
            for k in 0..m {
                (self.lower[k], self.upper[k]) = (limits.lower[k] - x[k], limits.upper[k] - x[k]);
            }
            self.step.fill(0.0);
            let objective = Objective {
                rows: &self.rows,
                target: &self.target,
                damping: DAMPING * largest,
                basis,
            };
            let bounds = Limits {
                lower: &self.lower,
                upper: &self.upper,
                rows: &[],
                limits: &[],
            };
            if set.minimize(&objective, &bounds, &mut self.step) == Outcome::Overflow {
                return Outcome::Overflow;
            }
            for (rate, row) in self.rate.iter_mut().zip(limits.rows.chunks_exact(m)) {
                *rate = dot(row, &self.step);
            }
            let fraction = self.line_search();
            for k in 0..m {
                let end = x[k] + fraction * self.step[k];
                x[k] = end.min(limits.upper[k]).max(limits.lower[k]);
            }
        }
        Outcome::Stopped
    }

    fn measure(&mut self, limits: &Limits<'_>, x: &[f64]) {
        self.excess.clear();
        let rows = limits.rows.chunks_exact(x.len()).zip(limits.limits);
        self.excess
            .extend(rows.map(|(row, limit)| dot(row, x) - limit));
    }

    /// Fraction of the step, up to 1, at which the violation is least: its derivative rises in straight pieces, whose root is
    /// found by Newton's method between bounds.
    fn line_search(&self) -> f64 {
        let at = |fraction: f64| {
            let (mut derivative, mut curvature) = (0.0, 0.0);
            for (excess, rate) in self.excess.iter().zip(&self.rate) {
                let there = excess + fraction * rate;
                if there > 0.0 {
                    derivative += there * rate;
                    curvature += rate * rate;
                }
            }
            (derivative, curvature)
        };
        let (mut low, mut high, mut fraction) = (0.0, 1.0, 1.0);
        for _ in 0..60 {
            let (derivative, curvature) = at(fraction);
            if derivative > 0.0 {
                high = fraction;
            } else {
                low = fraction;
            }
            if derivative == 0.0 || low >= 1.0 || high - low < 1e-15 {
                break;
            }
            let next = fraction - derivative / curvature;
            fraction = if low < next && next < high {
                next
            } else {
                0.5 * (low + high)
            };
        }
        fraction
    }
}

/// Most steps; a few are enough, and the answer says what is left in any case.
const MOST_STEPS: usize = 50;
/// Damping relative to the largest square of a row.
const DAMPING: f64 = 1e-10;
