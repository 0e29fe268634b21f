//! Levenberg-Marquardt descent from a start to a root or a local minimum of the residual.

use super::damped_step::{Step, dot};
use super::system::System;

/// Scratch for descents of one system.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    step: Step,
    jacobian: Vec<f64>,
    residual: Vec<f64>,
    trial: Vec<f64>,
    x_trial: Vec<f64>,
    /// Number of steps tried since the search began.
    pub(super) iterations: usize,
}

/// When a descent ends, beside the number of steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct StopRule {
    /// Ends when every goal is within its tolerance.
    pub(super) stop_when_reached: bool,
    /// Ends when [`PROGRESS_WINDOW`] steps lower the squared residual by less than this fraction.
    pub(super) min_decrease: f64,
    /// Initial damping, relative to the largest curvature.
    pub(super) initial_damping: f64,
}

impl StopRule {
    /// For one of many starts: ends early when progress is slow.
    pub(super) const RESTART: Self = Self {
        stop_when_reached: true,
        min_decrease: 0.1,
        initial_damping: 0.1,
    };
    /// For the best start: descends until it converges.
    pub(super) const CONVERGE: Self = Self {
        min_decrease: 1e-9,
        ..Self::RESTART
    };
    /// For secondary objectives, whose weights are tiny.
    pub(super) const SECONDARY: Self = Self {
        stop_when_reached: false,
        min_decrease: 1e-12,
        initial_damping: 1e-9,
    };
}

/// Reason why a descent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Reached,
    NoProgress,
    OutOfIterations,
}

impl Descent {
    pub(super) fn new(system: &System<'_>) -> Self {
        let (n, rows) = (system.variables.len(), system.max_rows());
        Self {
            step: Step::new(n),
            jacobian: vec![0.0; n * rows],
            residual: vec![0.0; rows],
            trial: vec![0.0; rows],
            x_trial: vec![0.0; n],
            iterations: 0,
        }
    }

    /// Half the squared residual after the last descent.
    pub(super) fn cost(&self, rows: usize) -> f64 {
        half_square(&self.residual[..rows])
    }

    /// Levenberg-Marquardt with Nielsen's damping: a step that achieves its predicted reduction lowers the
    /// damping, one that does not raises it, and `x` never leaves the box.
    ///
    /// Nielsen (1999): damping parameter in Marquardt's method.
    pub(super) fn run(
        &mut self,
        system: &mut System<'_>,
        x: &mut [f64],
        (lower, upper): (&[f64], &[f64]),
        rule: StopRule,
        max_steps: usize,
    ) -> End {
        let rows = system.rows();
        let used = rows * x.len();
        system.residual(x, &mut self.residual[..rows]);
        let mut cost = half_square(&self.residual[..rows]);
        let (mut damping, mut growth) = (None, 2.0);
        let (mut steps, mut accepted, mut cost_before) = (0, 0, cost);
        loop {
            if rule.stop_when_reached && system.is_reached() {
                return End::Reached;
            }
            if accepted == PROGRESS_WINDOW {
                if cost > cost_before * (1.0 - rule.min_decrease) {
                    return End::NoProgress;
                }
                (accepted, cost_before) = (0, cost);
            }
            system.jacobian(&mut self.jacobian[..used]);
            let residual = &self.residual[..rows];
            self.step.linearize(residual, &self.jacobian[..used]);
            let smallest = MIN_DAMPING * self.step.largest_curvature();
            let mut mu = damping.unwrap_or(rule.initial_damping * self.step.largest_curvature());

            // raise the damping until a step reduces the residual
            loop {
                if steps == max_steps {
                    return End::OutOfIterations;
                }
                steps += 1;
                self.iterations += 1;
                mu = mu.max(smallest);
                if !self.step.solve(x, lower, upper, mu) {
                    return End::NoProgress;
                }
                let mut longest = 0.0_f64;
                for k in 0..x.len() {
                    longest = longest.max(self.step.step[k].abs() / (1.0 + x[k].abs()));
                    self.x_trial[k] = (x[k] + self.step.step[k]).min(upper[k]).max(lower[k]);
                }
                let predicted = self.step.predicted();
                if !(predicted > 0.0 && longest > MIN_STEP) {
                    return End::NoProgress;
                }
                system.residual(&self.x_trial, &mut self.trial[..rows]);
                let trial_cost = half_square(&self.trial[..rows]);
                let gain = (cost - trial_cost) / predicted;
                if gain > MIN_GAIN {
                    x.copy_from_slice(&self.x_trial);
                    std::mem::swap(&mut self.residual, &mut self.trial);
                    cost = trial_cost;
                    accepted += 1;
                    damping = Some(mu * (1.0 - (2.0 * gain - 1.0).powi(3)).max(0.1));
                    growth = 2.0;
                    break;
                }
                mu *= growth;
                growth *= 2.0;
            }
        }
    }
}

fn half_square(residual: &[f64]) -> f64 {
    0.5 * dot(residual, residual)
}

/// Number of accepted steps after which progress is checked.
const PROGRESS_WINDOW: usize = 8;
/// Smallest damping, relative to the largest curvature: keeps the matrix positive definite.
const MIN_DAMPING: f64 = 1e-14;
/// Smallest relative change of a variable that counts as a step.
const MIN_STEP: f64 = 1e-15;
/// Smallest fraction of the predicted reduction at which a step is accepted.
const MIN_GAIN: f64 = 1e-4;
