//! The exact minimum of damped least squares within a box.

use super::damped_step::{Step, dot};

impl Step {
    /// Finds the step that minimises `½ |J d + r|² + ½ damping |d|²` with `lower ≤ d ≤ upper` exactly: an
    /// active set that adds the first bound on the path and releases the one with the largest inward gradient.
    ///
    /// Returns `true` for each variable at an active bound; `None` where the matrix is not positive definite or
    /// not finite.
    pub(super) fn minimize(
        &mut self,
        lower: &[f64],
        upper: &[f64],
        damping: f64,
    ) -> Option<Vec<bool>> {
        let n = lower.len();
        self.at_bound.fill(false);
        for k in 0..n {
            self.step[k] = 0.0_f64.min(upper[k]).max(lower[k]);
        }
        let mut before = self.step.clone();

        // each active set occurs at most once; the count guards against cycles by rounding
        for _ in 0..20 * (n + 1) {
            before.copy_from_slice(&self.step);
            self.free.clear();
            self.free.extend((0..n).filter(|&k| !self.at_bound[k]));
            if !self.solve_free(damping) {
                return None;
            }

            // up to the first bound
            let mut fraction = 1.0;
            let mut meets = None;
            for (&k, &end) in self.free.iter().zip(&self.rhs) {
                let limit = if end > upper[k] {
                    upper[k]
                } else if end < lower[k] {
                    lower[k]
                } else {
                    continue;
                };
                let until = (limit - before[k]) / (end - before[k]);
                if until < fraction {
                    (fraction, meets) = (until, Some((k, limit)));
                }
            }
            for (&k, &end) in self.free.iter().zip(&self.rhs) {
                self.step[k] = before[k] + fraction * (end - before[k]);
                self.step[k] = self.step[k].min(upper[k]).max(lower[k]);
            }
            if let Some((k, limit)) = meets {
                self.step[k] = limit;
                self.at_bound[k] = true;
                continue;
            }

            // at the minimum of this set: release the bound with the largest inward gradient
            let pull = |k: usize| {
                let derivative = self.gradient[k]
                    + dot(&self.hessian[k * n..][..n], &self.step)
                    + damping * self.step[k];
                if self.step[k] <= lower[k] {
                    -derivative
                } else {
                    derivative
                }
            };
            let release = (0..n)
                .filter(|&k| self.at_bound[k] && lower[k] < upper[k])
                .map(|k| (k, pull(k)))
                .max_by(|a, b| a.1.total_cmp(&b.1));
            match release {
                Some((k, pull)) if pull > 1e-12 * self.largest_curvature().max(damping) => {
                    self.at_bound[k] = false;
                }
                _ => break,
            }
        }
        Some(self.at_bound.clone())
    }
}
