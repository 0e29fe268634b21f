//! The stepper: one integration method with its memory.

use super::explicit::{Explicit, Start, cubic};
use super::newmark::Newmark;
use super::split::Split;
use super::{Method, Ode};
use crate::Result;

/// Integration method with its memory.
#[derive(Debug, Clone)]
pub(super) enum Stepper {
    Explicit(Explicit),
    Split(Split),
    Newmark(Box<Newmark>),
}

/// Values at the end of a step, and the rates there once they are evaluated.
#[derive(Debug, Clone, Default)]
pub(super) struct End {
    pub(super) y: Vec<f64>,
    pub(super) f: Vec<f64>,
    pub(super) has_f: bool,
}

impl End {
    /// Evaluates the rates at time `t` unless they are known.
    pub(super) fn find_rates<O: Ode + ?Sized>(&mut self, ode: &mut O, t: f64) -> Result<()> {
        if !self.has_f {
            ode.rates(t, &self.y, &mut self.f)?;
            self.has_f = true;
        }
        Ok(())
    }
}

impl Stepper {
    pub(super) fn new(method: Method) -> Self {
        match method {
            Method::SemiImplicitEuler => Self::Split(Split::new(false)),
            Method::VelocityVerlet => Self::Split(Split::new(true)),
            Method::GeneralizedAlpha { rho } => {
                Self::Newmark(Box::new(Newmark::generalized_alpha(rho)))
            }
            other => match other.tableau() {
                Some(tableau) => Self::Explicit(Explicit::new(tableau)),
                None => Self::Newmark(Box::new(Newmark::trapezoidal())),
            },
        }
    }

    pub(super) fn prepare<O: Ode + ?Sized>(&mut self, ode: &O) {
        match self {
            Self::Explicit(explicit) => explicit.prepare(ode.size()),
            Self::Split(split) => split.prepare(ode.size()),
            Self::Newmark(newmark) => newmark.prepare(ode),
        }
    }

    /// Discards data carried from step to step, after a discontinuity.
    pub(super) fn reset(&mut self) {
        if let Self::Newmark(newmark) = self {
            newmark.reset();
        }
    }

    /// Marks the last step as accepted.
    pub(super) fn accept(&mut self) {
        if let Self::Newmark(newmark) = self {
            newmark.accept();
        }
    }

    pub(super) fn step<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        end: &mut End,
    ) -> Result<()> {
        end.has_f = match self {
            Self::Explicit(explicit) => {
                explicit.step(ode, start, &mut end.y)?;
                false
            }
            Self::Split(split) => split.step(ode, start, [&mut end.y, &mut end.f])?,
            Self::Newmark(newmark) => {
                newmark.step(ode, start, [&mut end.y, &mut end.f])?;
                true
            }
        };
        Ok(())
    }

    /// Writes the values at fraction `x` of the last step; requires the rates at its end.
    pub(super) fn interpolate<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        start: Start<'_>,
        end: &End,
        x: f64,
        y: &mut [f64],
    ) -> Result<()> {
        let end = [&end.y[..], &end.f[..]];
        match self {
            Self::Explicit(explicit) => explicit.interpolate(ode, start, end, x, y),
            Self::Split(_) | Self::Newmark(_) => {
                cubic(start, end, x, y);
                Ok(())
            }
        }
    }
}
