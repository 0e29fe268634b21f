//! Integration methods and step control.

use super::tableau::{self, Tableau};
use crate::{Error, Result};

/// Integration method.
///
/// | method | order | evaluations per step | steps |
/// |---|---|---|---|
/// | [`ExplicitEuler`](Self::ExplicitEuler) | 1 | 1 | fixed |
/// | [`ExplicitMidpoint`](Self::ExplicitMidpoint) | 2 | 2 | fixed |
/// | [`Rk33`](Self::Rk33), [`Rk44`](Self::Rk44), [`Rk67`](Self::Rk67) | 3, 4, 6 | 3, 4, 7 | fixed |
/// | [`Ode23`](Self::Ode23), [`Dopri5`](Self::Dopri5), [`Dop853`](Self::Dop853) | 3, 5, 8 | 3, 6, 12 | fixed or adaptive |
/// | [`SemiImplicitEuler`](Self::SemiImplicitEuler) | 1 | 1 | fixed; second order only |
/// | [`VelocityVerlet`](Self::VelocityVerlet) | 2 | 1 | fixed; second order only |
/// | [`Trapezoidal`](Self::Trapezoidal) | 2 | implicit | fixed |
/// | [`GeneralizedAlpha`](Self::GeneralizedAlpha) | 2 | implicit | fixed; second order only |
///
/// *Second order only*: for equations [of second order](super::Ode::is_second_order); implicit methods also take those
/// that [make implicit steps themselves](super::Ode::n_implicit_accelerations).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Explicit Euler method.
    ExplicitEuler,
    /// Explicit midpoint method.
    ExplicitMidpoint,
    /// Heun's method of order 3.
    Rk33,
    /// Classical Runge–Kutta method of order 4.
    Rk44,
    /// Butcher's method of order 6 in seven stages.
    Rk67,
    /// Bogacki–Shampine 3(2).
    Ode23,
    /// Dormand–Prince 5(4).
    Dopri5,
    /// Dormand–Prince 8(5, 3).
    Dop853,
    /// Semi-implicit Euler: velocities first, then positions with the new velocities; symplectic where forces depend on
    /// positions only.
    SemiImplicitEuler,
    /// Velocity Verlet (kick, drift, kick). Velocity-dependent forces see the velocity that the previous acceleration
    /// predicts, so that the order stays 2.
    VelocityVerlet,
    /// Trapezoidal rule; in positions and velocities it is Newmark's method with β = 1/4 and γ = 1/2.
    Trapezoidal,
    /// Generalized-α method (Chung and Hulbert 1993): as [`Trapezoidal`](Self::Trapezoidal), with numerical damping of
    /// high frequencies.
    GeneralizedAlpha {
        /// Spectral radius at infinite frequency: the remaining part of a very fast oscillation after each step, 0 to
        /// 1; Exudyn's default is 0.9.
        rho: f64,
    },
}

impl Method {
    /// Butcher tableau of an explicit Runge–Kutta method, `None` for the others.
    #[must_use]
    pub fn tableau(self) -> Option<&'static Tableau> {
        Some(match self {
            Self::ExplicitEuler => &tableau::EULER,
            Self::ExplicitMidpoint => &tableau::MIDPOINT,
            Self::Rk33 => &tableau::RK33,
            Self::Rk44 => &tableau::RK44,
            Self::Rk67 => &tableau::RK67,
            Self::Ode23 => &tableau::ODE23,
            Self::Dopri5 => &tableau::DOPRI5,
            Self::Dop853 => &tableau::DOP853,
            _ => return None,
        })
    }

    /// Order of convergence: the global error is proportional to this power of the step.
    #[must_use]
    pub fn order(self) -> u32 {
        match self {
            Self::SemiImplicitEuler => 1,
            Self::VelocityVerlet | Self::Trapezoidal | Self::GeneralizedAlpha { .. } => 2,
            explicit => explicit.tableau().map_or(0, Tableau::order),
        }
    }

    /// Returns whether it is for [equations of second order](super::Ode::is_second_order) only.
    #[must_use]
    pub fn needs_second_order(self) -> bool {
        matches!(
            self,
            Self::SemiImplicitEuler | Self::VelocityVerlet | Self::GeneralizedAlpha { .. }
        )
    }

    /// Returns whether each step is solved by iteration.
    pub(super) fn is_implicit(self) -> bool {
        matches!(self, Self::Trapezoidal | Self::GeneralizedAlpha { .. })
    }

    pub(super) fn check(self) -> Result<()> {
        match self {
            Self::GeneralizedAlpha { rho } if !(0.0..=1.0).contains(&rho) => {
                let problem = format!("rho is {rho}, it must lie between 0 and 1");
                Err(Error::invalid("generalized-alpha", problem))
            }
            _ => Ok(()),
        }
    }
}

/// Step control: fixed steps or an error tolerance.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Steps {
    /// This many steps of equal length from the beginning of a run to its end.
    Count(usize),
    /// Steps of this length, s; the last may be shorter.
    Length(f64),
    /// Steps chosen by an error tolerance: for methods with [an error estimate](Tableau::has_estimate).
    Adaptive(Tolerance),
}

/// Error tolerance and step limits of adaptive step control.
///
/// The error of value `i` is measured in units of `absolute + relative · max(|y_i|, |y_i'|)`, with the values before and
/// after the step; a step is accepted where the root mean square over all values is at most 1.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Tolerance {
    /// Relative tolerance.
    #[doc(alias = "rtol")]
    pub relative: f64,
    /// Absolute tolerance, in the unit of each value.
    #[doc(alias = "atol")]
    pub absolute: f64,
    /// Initial step, s; `None` to estimate one.
    pub initial_step: Option<f64>,
    /// Smallest step, s: a run fails where the error needs a smaller one. Steps that the resolution of time cannot
    /// represent fail in any case.
    pub min_step: f64,
    /// Largest step, s.
    pub max_step: f64,
    /// Largest ratio of a step to the one before.
    pub max_growth: f64,
}

impl Default for Tolerance {
    /// Relative 10⁻⁸ and absolute 10⁻¹⁰; steps of any length, up to five times the one before.
    fn default() -> Self {
        Self {
            relative: 1e-8,
            absolute: 1e-10,
            initial_step: None,
            min_step: 0.0,
            max_step: f64::INFINITY,
            max_growth: 5.0,
        }
    }
}

impl Tolerance {
    /// Default tolerance with this relative and absolute tolerance.
    #[must_use]
    pub fn new(relative: f64, absolute: f64) -> Self {
        Self::default()
            .with_relative(relative)
            .with_absolute(absolute)
    }

    /// Sets the relative tolerance.
    #[must_use]
    pub fn with_relative(mut self, relative: f64) -> Self {
        self.relative = relative;
        self
    }

    /// Sets the absolute tolerance, in the unit of each value.
    #[must_use]
    pub fn with_absolute(mut self, absolute: f64) -> Self {
        self.absolute = absolute;
        self
    }

    /// Sets the initial step, s; `None` to estimate one.
    #[must_use]
    pub fn with_initial_step(mut self, initial_step: Option<f64>) -> Self {
        self.initial_step = initial_step;
        self
    }

    /// Sets the smallest step, s.
    #[must_use]
    pub fn with_min_step(mut self, min_step: f64) -> Self {
        self.min_step = min_step;
        self
    }

    /// Sets the largest step, s.
    #[must_use]
    pub fn with_max_step(mut self, max_step: f64) -> Self {
        self.max_step = max_step;
        self
    }

    /// Sets the largest ratio of a step to the one before.
    #[must_use]
    pub fn with_max_growth(mut self, max_growth: f64) -> Self {
        self.max_growth = max_growth;
        self
    }
}

impl Steps {
    pub(super) fn check(self, method: Method) -> Result<()> {
        let refuse = |problem: String| Err(Error::invalid("steps", problem));
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        match self {
            Self::Count(0) => refuse("their number must be positive".to_owned()),
            Self::Count(_) => Ok(()),
            Self::Length(h) if !is_positive(h) => {
                refuse(format!("a length of {h} s, it must be finite and positive"))
            }
            Self::Length(_) => Ok(()),
            Self::Adaptive(tolerance) => {
                if !method.tableau().is_some_and(Tableau::has_estimate) {
                    return refuse(format!(
                        "{method:?} has no error estimate, it needs fixed steps"
                    ));
                }
                let Tolerance {
                    relative,
                    absolute,
                    initial_step,
                    min_step,
                    max_step,
                    max_growth,
                } = tolerance;
                let is_good = relative >= 0.0
                    && absolute >= 0.0
                    && is_positive(relative + absolute)
                    && initial_step.is_none_or(is_positive)
                    && min_step >= 0.0
                    && max_step > 0.0
                    && min_step <= max_step
                    && max_growth > 1.0;
                if is_good {
                    return Ok(());
                }
                refuse(format!(
                    "{tolerance:?}: needs a tolerance above 0, step lengths above 0 and in order, and a growth above 1"
                ))
            }
        }
    }
}
