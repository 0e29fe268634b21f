//! Step control: fixed and adaptive step lengths.

use super::method::Tolerance;
use super::run::{IntegratorState, stopped};
use super::stepper::End;
use super::{Ode, Steps};
use crate::{Cause, Error, Result};

/// Step control of a run: planned times, or an error tolerance.
#[derive(Debug)]
pub(super) struct Control {
    steps: Steps,
    from: f64,
    to: f64,
    // fixed steps: index of the next planned time
    number: usize,
    // adaptive steps: length of the next, 0 where it must be estimated
    h: f64,
    was_rejected: bool,
    pub(super) order: f64,
}

/// Result of a trial step.
#[derive(Debug)]
pub(super) enum Trial {
    /// Completed with this error, in units of the tolerance.
    Made(f64),
    /// Failed, with the reason, and the error of a callback that is not of this library.
    Failed(String, Option<Cause>),
}

impl Control {
    pub(super) fn new(steps: Steps, from: f64, to: f64) -> Self {
        let first = match steps {
            Steps::Adaptive(Tolerance {
                initial_step: Some(h),
                ..
            }) => h,
            _ => 0.0,
        };
        Self {
            steps,
            from,
            to,
            number: 1,
            h: first,
            was_rejected: false,
            order: 1.0,
        }
    }

    /// Returns whether the initial step has still to be estimated.
    pub(super) fn needs_first_step(&self) -> bool {
        matches!(self.steps, Steps::Adaptive(_)) && self.h == 0.0
    }

    /// Estimates the initial step: Hairer, Nørsett, Wanner (1993), section II.4, shortened. An Euler step shows how
    /// fast rates change; the step is that at which a method of order 4 would see an error of a hundredth.
    pub(super) fn estimate_first_step<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &IntegratorState,
        f: &[f64],
        scratch: &mut End,
    ) -> Result<()> {
        let Steps::Adaptive(tolerance) = self.steps else {
            return Ok(());
        };
        let unit = |i: usize| tolerance.absolute + tolerance.relative * state.y[i].abs();
        let count = (state.y.len().max(1)) as f64;
        let size = |of: &dyn Fn(usize) -> f64| {
            let square = |i: usize| {
                // a tolerance of zero gives no scale
                let part = of(i) / unit(i).max(f64::MIN_POSITIVE);
                if part.is_finite() { part * part } else { 0.0 }
            };
            ((0..state.y.len()).map(square).sum::<f64>() / count).sqrt()
        };
        let (of_y, of_f) = (size(&|i| state.y[i]), size(&|i| f[i]));
        let guess = if of_y < 1e-5 || of_f < 1e-5 {
            1e-6
        } else {
            0.01 * of_y / of_f
        };
        let guess = guess.min(self.to - self.from);
        for (i, y) in scratch.y.iter_mut().enumerate() {
            *y = state.y[i] + guess * f[i];
        }
        let rates = ode.rates(state.t + guess, &scratch.y, &mut scratch.f);
        rates.map_err(|error| stopped(state.t, &error))?;
        let of_change = size(&|i| scratch.f[i] - f[i]) / guess;
        let steepest = of_f.max(of_change);
        let h = if steepest <= 1e-15 {
            (guess * 1e-3).max(1e-6)
        } else {
            (0.01 / steepest).powf(0.2)
        };
        self.h = h
            .min(100.0 * guess)
            .clamp(tolerance.min_step, tolerance.max_step);
        Ok(())
    }

    /// End time and length of the next step.
    pub(super) fn next(&self, t: f64) -> Result<(f64, f64)> {
        let end = self.planned(t);
        if end > t {
            return Ok((end, end - t));
        }
        Err(Error::Stopped {
            time: t,
            problem: format!(
                "a step of zero length: {:e} s is below the resolution of time here",
                match self.steps {
                    Steps::Count(n) => (self.to - self.from) / n as f64,
                    Steps::Length(h) => h,
                    Steps::Adaptive(_) => self.h,
                }
            ),
            cause: None,
        })
    }

    /// Planned end of a step from `t`.
    fn planned(&self, t: f64) -> f64 {
        match self.steps {
            Steps::Count(n) if self.number >= n => self.to,
            Steps::Count(n) => self.from + (self.to - self.from) * (self.number as f64 / n as f64),
            Steps::Length(h) => self.snapped_to_end(self.from + h * self.number as f64, h),
            Steps::Adaptive(_) => self.snapped_to_end(t + self.h, self.h),
        }
    }

    /// `t`, or the end of the run where it is closer than 10⁻⁶ h: no tiny last step remains.
    fn snapped_to_end(&self, t: f64, h: f64) -> f64 {
        if t + 1e-6 * h >= self.to { self.to } else { t }
    }

    /// Updates the index of planned times: the state has reached time `t`.
    pub(super) fn advance_to(&mut self, t: f64) {
        // an event may end a step early; the next step then ends at the same planned time
        while !matches!(self.steps, Steps::Adaptive(_)) {
            let planned = self.planned(t);
            if planned > t || planned >= self.to {
                return;
            }
            self.number += 1;
        }
    }

    /// Returns whether a step from `t` is accepted; else the next trial is shorter.
    pub(super) fn evaluate(&mut self, t: f64, h: f64, trial: Trial) -> Result<bool> {
        let Steps::Adaptive(tolerance) = self.steps else {
            return match trial {
                Trial::Made(_) => Ok(true),
                Trial::Failed(problem, cause) => Err(Error::Stopped {
                    time: t,
                    problem,
                    cause,
                }),
            };
        };
        let (error, cause, foreign) = match trial {
            Trial::Made(error) if error.is_finite() => (error, None, None),
            Trial::Made(_) => {
                let problem = "its error is not finite".to_owned();
                (f64::INFINITY, Some(problem), None)
            }
            Trial::Failed(problem, foreign) => (f64::INFINITY, Some(problem), foreign),
        };
        let ideal = SAFETY * error.powf(-1.0 / self.order);
        if error <= 1.0 {
            let most = if self.was_rejected {
                1.0
            } else {
                tolerance.max_growth
            };
            let factor = if ideal.is_finite() {
                ideal.clamp(SHRINK, most)
            } else {
                most
            };

            // a step cut short by the end of the run tells nothing about the next
            self.h = if h < 0.99 * self.h {
                self.h.max(h * factor)
            } else {
                h * factor
            };
            self.h = self.h.clamp(tolerance.min_step, tolerance.max_step);
            self.was_rejected = false;
            return Ok(true);
        }
        let shorter = h * if cause.is_some() {
            SHRINK
        } else {
            ideal.clamp(SHRINK, SAFETY)
        };
        if shorter < tolerance.min_step || t + shorter <= t {
            let cause = cause.unwrap_or_else(|| match error {
                0.0..1e4 => format!("its error is {error:.1} times the tolerance"),
                _ => format!("its error is {error:.1e} times the tolerance"),
            });
            return Err(Error::Stopped {
                time: t,
                problem: format!(
                    "a step of {h:e} s fails and a shorter one is below the smallest step: {cause}"
                ),
                cause: foreign,
            });
        }
        self.h = shorter;
        self.was_rejected = true;
        Ok(false)
    }
}

/// Safety factor of the step length.
const SAFETY: f64 = 0.9;
/// Smallest ratio of a step to the one before.
const SHRINK: f64 = 0.2;
