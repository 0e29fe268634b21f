//! How long the next step is.

use super::method::Tolerance;
use super::run::{Phase, stopped};
use super::stepper::End;
use super::{Ode, Steps};
use crate::{Error, Result};

/// The plan of a run: times to reach, or errors to keep.
#[derive(Debug)]
pub(super) struct Control {
    steps: Steps,
    from: f64,
    to: f64,
    // of steps of one length: the number of the time that comes next
    number: usize,
    // of chosen steps: the length of the next, 0 where it must be found
    h: f64,
    was_rejected: bool,
    pub(super) order: f64,
}

/// What came of a step.
#[derive(Debug)]
pub(super) enum Trial {
    /// This error, 1 for as much as is allowed.
    Made(f64),
    /// Nothing, and why.
    Failed(String),
}

impl Control {
    pub(super) fn new(steps: Steps, from: f64, to: f64) -> Self {
        let first = match steps {
            Steps::Adaptive(Tolerance { first: Some(h), .. }) => h,
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

    /// Whether the first length has still to be found.
    pub(super) fn needs_first(&self) -> bool {
        matches!(self.steps, Steps::Adaptive(_)) && self.h == 0.0
    }

    /// A first length: Hairer, Nørsett, Wanner (1993), section II.4, in short. One step of Euler's shows how fast rates
    /// change, and the length is that at which a method of order 4 would see a hundredth of the error.
    pub(super) fn find_first<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        phase: &Phase,
        f: &[f64],
        room: &mut End,
    ) -> Result<()> {
        let Steps::Adaptive(tolerance) = self.steps else {
            return Ok(());
        };
        let unit = |i: usize| tolerance.absolute + tolerance.relative * phase.y[i].abs();
        let count = (phase.y.len().max(1)) as f64;
        let size = |of: &dyn Fn(usize) -> f64| {
            let square = |i: usize| {
                // where nothing is allowed, nothing is known of sizes
                let part = of(i) / unit(i).max(f64::MIN_POSITIVE);
                if part.is_finite() { part * part } else { 0.0 }
            };
            ((0..phase.y.len()).map(square).sum::<f64>() / count).sqrt()
        };
        let (of_y, of_f) = (size(&|i| phase.y[i]), size(&|i| f[i]));
        let guess = if of_y < 1e-5 || of_f < 1e-5 {
            1e-6
        } else {
            0.01 * of_y / of_f
        };
        let guess = guess.min(self.to - self.from);
        for (i, y) in room.y.iter_mut().enumerate() {
            *y = phase.y[i] + guess * f[i];
        }
        let rates = ode.rates(phase.t + guess, &room.y, &mut room.f);
        rates.map_err(|error| stopped(phase.t, &error))?;
        let of_change = size(&|i| room.f[i] - f[i]) / guess;
        let steepest = of_f.max(of_change);
        let h = if steepest <= 1e-15 {
            (guess * 1e-3).max(1e-6)
        } else {
            (0.01 / steepest).powf(0.2)
        };
        self.h = h
            .min(100.0 * guess)
            .clamp(tolerance.shortest, tolerance.longest);
        Ok(())
    }

    /// When the next step ends, and its length.
    pub(super) fn next(&self, t: f64) -> Result<(f64, f64)> {
        let end = self.planned(t);
        if end > t {
            return Ok((end, end - t));
        }
        Err(Error::Stopped {
            time: t,
            problem: format!(
                "a step of no length: time cannot resolve {:e} s here",
                match self.steps {
                    Steps::Count(n) => (self.to - self.from) / n as f64,
                    Steps::Length(h) => h,
                    Steps::Adaptive(_) => self.h,
                }
            ),
        })
    }

    /// When a step from `t` is to end.
    fn planned(&self, t: f64) -> f64 {
        match self.steps {
            Steps::Count(n) if self.number >= n => self.to,
            Steps::Count(n) => self.from + (self.to - self.from) * (self.number as f64 / n as f64),
            Steps::Length(h) => self.near_the_end(self.from + h * self.number as f64, h),
            Steps::Adaptive(_) => self.near_the_end(t + self.h, self.h),
        }
    }

    /// A time, or the end of the run where that is hardly later: no crumb of a step remains.
    fn near_the_end(&self, t: f64, h: f64) -> f64 {
        if t + 1e-6 * h >= self.to { self.to } else { t }
    }

    /// The phase has come to this time.
    pub(super) fn moved(&mut self, t: f64) {
        // an event may end a step early; the next leads to the same time then
        while !matches!(self.steps, Steps::Adaptive(_)) {
            let planned = self.planned(t);
            if planned > t || planned >= self.to {
                return;
            }
            self.number += 1;
        }
    }

    /// Whether a step from `t` counts; else the next try is shorter.
    pub(super) fn judge(&mut self, t: f64, h: f64, trial: Trial) -> Result<bool> {
        let Steps::Adaptive(tolerance) = self.steps else {
            return match trial {
                Trial::Made(_) => Ok(true),
                Trial::Failed(problem) => Err(Error::Stopped { time: t, problem }),
            };
        };
        let (error, cause) = match trial {
            Trial::Made(error) if error.is_finite() => (error, None),
            Trial::Made(_) => (f64::INFINITY, Some("its error is not finite".to_owned())),
            Trial::Failed(problem) => (f64::INFINITY, Some(problem)),
        };
        let ideal = SAFETY * error.powf(-1.0 / self.order);
        if error <= 1.0 {
            let most = if self.was_rejected {
                1.0
            } else {
                tolerance.growth
            };
            let factor = if ideal.is_finite() {
                ideal.clamp(SHRINK, most)
            } else {
                most
            };

            // a step cut short by the end of the run says nothing of the next
            self.h = if h < 0.99 * self.h {
                self.h.max(h * factor)
            } else {
                h * factor
            };
            self.h = self.h.clamp(tolerance.shortest, tolerance.longest);
            self.was_rejected = false;
            return Ok(true);
        }
        let shorter = h * if cause.is_some() {
            SHRINK
        } else {
            ideal.clamp(SHRINK, SAFETY)
        };
        if shorter < tolerance.shortest || t + shorter <= t {
            let cause =
                cause.unwrap_or_else(|| format!("its error is {error:.1} times what is allowed"));
            return Err(Error::Stopped {
                time: t,
                problem: format!(
                    "a step of {h:e} s is too long, and a shorter one is not allowed: {cause}"
                ),
            });
        }
        self.h = shorter;
        self.was_rejected = true;
        Ok(false)
    }
}

/// A step is made this much shorter than it might be.
const SAFETY: f64 = 0.9;
/// A step is at least this part of the one before.
const SHRINK: f64 = 0.2;
