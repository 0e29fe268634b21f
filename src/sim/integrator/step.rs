//! Accepted steps and their dense output.

use super::Ode;
use super::explicit::Start;
use super::stepper::{End, Stepper};
use crate::{Error, Result};

/// Accepted step, whose interior can be interpolated.
#[derive(Debug)]
pub struct Step<'a> {
    pub(super) start: Start<'a>,
    pub(super) t: f64,
    pub(super) stepper: &'a mut Stepper,
    pub(super) end: &'a mut End,
}

impl Step<'_> {
    /// Time of its beginning, s.
    #[must_use]
    pub fn t_start(&self) -> f64 {
        self.start.t
    }

    /// Time of its end, s.
    #[must_use]
    pub fn t_end(&self) -> f64 {
        self.t
    }

    /// Values at its beginning.
    #[must_use]
    pub fn y_start(&self) -> &[f64] {
        self.start.y
    }

    /// Values at its end.
    #[must_use]
    pub fn y_end(&self) -> &[f64] {
        &self.end.y
    }

    /// Writes the values at time `t` within the step (dense output).
    ///
    /// [`Dopri5`](crate::sim::Method::Dopri5) has an interpolant of order 4; [`Dop853`](crate::sim::Method::Dop853) one of order 7, which takes
    /// three more evaluations per step; all others use the cubic Hermite interpolant of the values and rates at both
    /// ends.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `y` does not fit; [`Error::Invalid`] for a time outside the step; errors of the
    /// equation.
    pub fn interpolate<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        t: f64,
        y: &mut [f64],
    ) -> Result<()> {
        crate::kinematics::check_length("values", self.end.y.len(), y)?;
        if !(self.start.t <= t && t <= self.t) {
            let problem = format!(
                "is {t} s, the step goes from {} s to {} s",
                self.start.t, self.t
            );
            return Err(Error::invalid("time within a step", problem));
        }
        if t >= self.t {
            y.copy_from_slice(&self.end.y);
            return Ok(());
        }
        self.end.find_rates(ode, self.t)?;
        let x = (t - self.start.t) / self.start.h;
        self.stepper.interpolate(ode, self.start, &*self.end, x, y)
    }
}
