//! A step that is the very minimum within its box, not only one that goes down.

use super::step::{Step, dot};

impl Step {
    /// The step that minimises `½ |J d + r|² + ½ damping |d|²` with `lower ≤ d ≤ upper`, exactly: an active set that takes up
    /// the first limit on the way, and lets go the one that pulls inwards most.
    ///
    /// `true` for each variable at a limit that holds it back; `None` where the numbers are too bad for any step.
    pub(super) fn minimize(
        &mut self,
        lower: &[f64],
        upper: &[f64],
        damping: f64,
    ) -> Option<Vec<bool>> {
        let n = lower.len();
        self.held.fill(false);
        for k in 0..n {
            self.step[k] = 0.0_f64.min(upper[k]).max(lower[k]);
        }
        let mut before = self.step.clone();

        // each set of limits comes up at most once; rounding could bring it back, and is held off by a count
        for _ in 0..20 * (n + 1) {
            before.copy_from_slice(&self.step);
            self.free.clear();
            self.free.extend((0..n).filter(|&k| !self.held[k]));
            if !self.solve_free(damping) {
                return None;
            }

            // as far as the first limit
            let mut share = 1.0;
            let mut meets = None;
            for (&k, &end) in self.free.iter().zip(&self.right) {
                let limit = if end > upper[k] {
                    upper[k]
                } else if end < lower[k] {
                    lower[k]
                } else {
                    continue;
                };
                let until = (limit - before[k]) / (end - before[k]);
                if until < share {
                    (share, meets) = (until, Some((k, limit)));
                }
            }
            for (&k, &end) in self.free.iter().zip(&self.right) {
                self.step[k] = before[k] + share * (end - before[k]);
                self.step[k] = self.step[k].min(upper[k]).max(lower[k]);
            }
            if let Some((k, limit)) = meets {
                self.step[k] = limit;
                self.held[k] = true;
                continue;
            }

            // all is well inside: does a limit hold what would rather come in?
            let pull = |k: usize| {
                let slope = self.gradient[k]
                    + dot(&self.hessian[k * n..][..n], &self.step)
                    + damping * self.step[k];
                if self.step[k] <= lower[k] {
                    -slope
                } else {
                    slope
                }
            };
            let inwards = (0..n)
                .filter(|&k| self.held[k] && lower[k] < upper[k])
                .map(|k| (k, pull(k)))
                .max_by(|a, b| a.1.total_cmp(&b.1));
            match inwards {
                Some((k, pull)) if pull > 1e-12 * self.largest_curvature().max(damping) => {
                    self.held[k] = false;
                }
                _ => break,
            }
        }
        Some(self.held.clone())
    }
}
