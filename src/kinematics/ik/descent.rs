//! From a start downhill to where the residual vanishes, or gets no smaller.

use super::step::{Step, dot};
use super::system::System;

/// Memory for descents of one system.
#[derive(Debug, Clone)]
pub(super) struct Descent {
    step: Step,
    jacobian: Vec<f64>,
    residual: Vec<f64>,
    trial: Vec<f64>,
    x_trial: Vec<f64>,
    /// Steps that were tried since the search began.
    pub(super) iterations: usize,
}

/// When a descent is over, beside the number of steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Until {
    /// Every goal is within its tolerance.
    pub(super) reached: bool,
    /// So many steps lower the square of the residual by less than this share.
    pub(super) slower_than: f64,
    /// Damping to begin with, as a share of what the quickest variable moves.
    pub(super) damping: f64,
}

impl Until {
    /// For one of many starts: whoever gets on too slowly makes room for the next.
    pub(super) const HOPELESS: Self = Self {
        reached: true,
        slower_than: 0.1,
        damping: 0.1,
    };
    /// For the best of them: to the very bottom.
    pub(super) const BOTTOM: Self = Self {
        slower_than: 1e-9,
        ..Self::HOPELESS
    };
    /// For wishes, which weigh next to nothing.
    pub(super) const AT_REST: Self = Self {
        reached: false,
        slower_than: 1e-12,
        damping: 1e-9,
    };
}

/// How a descent ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Reached,
    NoProgress,
    OutOfSteps,
}

impl Descent {
    pub(super) fn new(system: &System<'_>) -> Self {
        let (n, rows) = (system.variables.len(), system.most_rows());
        Self {
            step: Step::new(n),
            jacobian: vec![0.0; n * rows],
            residual: vec![0.0; rows],
            trial: vec![0.0; rows],
            x_trial: vec![0.0; n],
            iterations: 0,
        }
    }

    /// Half the square of the residual after the last descent.
    pub(super) fn cost(&self, rows: usize) -> f64 {
        half_square(&self.residual[..rows])
    }

    /// Levenberg and Marquardt's method with Nielsen's damping: a step that gains what it promised lowers the damping, one
    /// that does not raises it, and `x` never leaves the box.
    ///
    /// Nielsen (1999): damping parameter in Marquardt's method.
    pub(super) fn run(
        &mut self,
        system: &mut System<'_>,
        x: &mut [f64],
        (lower, upper): (&[f64], &[f64]),
        until: Until,
        max_steps: usize,
    ) -> End {
        let rows = system.rows();
        let used = rows * x.len();
        system.residual(x, &mut self.residual[..rows]);
        let mut cost = half_square(&self.residual[..rows]);
        let (mut damping, mut growth) = (None, 2.0);
        let (mut steps, mut accepted, mut cost_before) = (0, 0, cost);
        loop {
            if until.reached && system.is_reached() {
                return End::Reached;
            }
            if accepted == PATIENCE {
                if cost > cost_before * (1.0 - until.slower_than) {
                    return End::NoProgress;
                }
                (accepted, cost_before) = (0, cost);
            }
            system.jacobian(&mut self.jacobian[..used]);
            let residual = &self.residual[..rows];
            self.step.linearize(residual, &self.jacobian[..used]);
            let smallest = SMALLEST * self.step.largest_curvature();
            let mut mu = damping.unwrap_or(until.damping * self.step.largest_curvature());

            // raise the damping until a step gains something
            loop {
                if steps == max_steps {
                    return End::OutOfSteps;
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
                if !(predicted > 0.0 && longest > SHORTEST) {
                    return End::NoProgress;
                }
                system.residual(&self.x_trial, &mut self.trial[..rows]);
                let trial_cost = half_square(&self.trial[..rows]);
                let gain = (cost - trial_cost) / predicted;
                if gain > ENOUGH {
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

/// After so many steps a descent has to show what it has gained.
const PATIENCE: usize = 8;
/// The least damping, as a share of what the quickest variable moves: enough to divide by.
const SMALLEST: f64 = 1e-14;
/// A step that changes no variable by more, relative to its size, is none.
const SHORTEST: f64 = 1e-15;
/// A step is taken if it gains this share of what it promised.
const ENOUGH: f64 = 1e-4;
