//! Which methods there are, and how long their steps are.

use super::tableau::{self, Tableau};
use crate::{Error, Result};

/// How a step is made.
///
/// | method | order | rates per step | steps |
/// |---|---|---|---|
/// | [`ExplicitEuler`](Self::ExplicitEuler) | 1 | 1 | of one length |
/// | [`ExplicitMidpoint`](Self::ExplicitMidpoint) | 2 | 2 | of one length |
/// | [`Rk33`](Self::Rk33), [`Rk44`](Self::Rk44), [`Rk67`](Self::Rk67) | 3, 4, 6 | 3, 4, 7 | of one length |
/// | [`Ode23`](Self::Ode23), [`Dopri5`](Self::Dopri5), [`Dop853`](Self::Dop853) | 3, 5, 8 | 3, 6, 12 | of one length, or chosen |
/// | [`SemiImplicitEuler`](Self::SemiImplicitEuler) | 1 | 1 | of one length; second order only |
/// | [`VelocityVerlet`](Self::VelocityVerlet) | 2 | 1 | of one length; second order only |
/// | [`Trapezoidal`](Self::Trapezoidal) | 2 | implicit | of one length |
/// | [`GeneralizedAlpha`](Self::GeneralizedAlpha) | 2 | implicit | of one length; second order only |
///
/// *Second order only* means equations that [say so](super::Ode::is_second_order), and for implicit ones also those that
/// [make such steps by themselves](super::Ode::implicit_accelerations).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Euler's: along the rates at the beginning.
    ExplicitEuler,
    /// Along the rates half way.
    ExplicitMidpoint,
    /// Heun's of order 3.
    Rk33,
    /// The classical one.
    Rk44,
    /// Butcher's of order 6 in seven stages.
    Rk67,
    /// Bogacki and Shampine's 3(2).
    Ode23,
    /// Dormand and Prince's 5(4).
    Dopri5,
    /// Dormand and Prince's 8(5, 3).
    Dop853,
    /// Velocities first, then positions by the new ones: symplectic where forces follow from positions.
    SemiImplicitEuler,
    /// Half a kick, a drift, half a kick. Forces that depend on velocities see the one that the acceleration before
    /// predicts, so that the order stays 2.
    VelocityVerlet,
    /// The trapezoidal rule; for positions and velocities it is Newmark's with β = 1/4 and γ = 1/2.
    Trapezoidal,
    /// Chung and Hulbert (1993): as [`Trapezoidal`](Self::Trapezoidal), but fast oscillations are damped.
    GeneralizedAlpha {
        /// What is left of a very fast oscillation after each step, 0 to 1; Exudyn's is 0.9.
        rho: f64,
    },
}

impl Method {
    /// The table of an explicit Runge–Kutta method, `None` for the others.
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

    /// The power of the step that the error of a whole run goes with.
    #[must_use]
    pub fn order(self) -> u32 {
        match self {
            Self::SemiImplicitEuler => 1,
            Self::VelocityVerlet | Self::Trapezoidal | Self::GeneralizedAlpha { .. } => 2,
            explicit => explicit.tableau().map_or(0, Tableau::order),
        }
    }

    /// Whether it is for [equations of second order](super::Ode::is_second_order) only.
    #[must_use]
    pub fn needs_second_order(self) -> bool {
        matches!(
            self,
            Self::SemiImplicitEuler | Self::VelocityVerlet | Self::GeneralizedAlpha { .. }
        )
    }

    /// Whether steps are found by an iteration.
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

/// How long steps are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Steps {
    /// So many of the same length from the beginning of a run to its end.
    Count(usize),
    /// Of this length, s; the last may be shorter.
    Length(f64),
    /// As long as the error allows: for methods that [tell it](Tableau::has_estimate).
    Adaptive(Tolerance),
}

/// What error a step may have, and how long it may be.
///
/// The error of number `i` is measured in units of `absolute + relative · max(|y_i|, |y_i'|)`, before and after the
/// step; the root of the mean of all squares must not exceed 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// As a part of each number.
    pub relative: f64,
    /// In the unit of each number.
    pub absolute: f64,
    /// The first step, s; `None` to find one.
    pub first: Option<f64>,
    /// The shortest step, s: where the error asks for less, the run fails. Steps that time can no longer resolve fail in
    /// any case.
    pub shortest: f64,
    /// The longest step, s.
    pub longest: f64,
    /// How many times longer than the one before a step may be.
    pub growth: f64,
}

impl Default for Tolerance {
    /// 10⁻⁸ and 10⁻¹⁰, any step, up to five times longer than the one before.
    fn default() -> Self {
        Self {
            relative: 1e-8,
            absolute: 1e-10,
            first: None,
            shortest: 0.0,
            longest: f64::INFINITY,
            growth: 5.0,
        }
    }
}

impl Steps {
    pub(super) fn check(self, method: Method) -> Result<()> {
        let refuse = |problem: String| Err(Error::invalid("steps", problem));
        let is_positive = |x: f64| x > 0.0 && x.is_finite();
        match self {
            Self::Count(0) => refuse("0 of them lead nowhere".to_owned()),
            Self::Count(_) => Ok(()),
            Self::Length(h) if !is_positive(h) => {
                refuse(format!("a length of {h} s, it must be finite and positive"))
            }
            Self::Length(_) => Ok(()),
            Self::Adaptive(tolerance) => {
                if !method.tableau().is_some_and(Tableau::has_estimate) {
                    return refuse(format!(
                        "{method:?} does not tell its error, it needs steps of one length"
                    ));
                }
                let Tolerance {
                    relative,
                    absolute,
                    first,
                    shortest,
                    longest,
                    growth,
                } = tolerance;
                let is_good = relative >= 0.0
                    && absolute >= 0.0
                    && is_positive(relative + absolute)
                    && first.is_none_or(is_positive)
                    && shortest >= 0.0
                    && longest > 0.0
                    && shortest <= longest
                    && growth > 1.0;
                if is_good {
                    return Ok(());
                }
                refuse(format!(
                    "{tolerance:?} cannot be kept: an error above 0, lengths above 0 and in order, and a growth above 1"
                ))
            }
        }
    }
}
