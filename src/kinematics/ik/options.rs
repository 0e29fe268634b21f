//! Options of the IK solvers.

use super::Objective;
use crate::kinematics::{check, check_length};
use crate::robot::{DofId, Robot};
use crate::{Error, Result};

/// Options of an IK search.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::Options;
///
/// // one descent from the start, no random starts
/// let near = Options::default().with_restarts(0);
/// assert_eq!(near.tolerance, 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// Largest distance, m, and largest angle, rad, at which an objective counts as reached.
    pub tolerance: f64,
    /// Largest number of steps of one descent.
    pub max_iterations: usize,
    /// Number of random starts after the given one has failed.
    pub restarts: usize,
    /// Seed of the random starts: the same seed gives the same solution on every machine.
    pub seed: u64,
    /// The degrees of freedom that may move, each together with all links of its driver; `None` for all that
    /// move a goal.
    ///
    /// Welds never move.
    pub active: Option<Vec<DofId>>,
    /// Lower and upper limit of every degree of freedom (n); `None` for the limits of the robot.
    pub limits: Option<Vec<[f64; 2]>>,
    /// Secondary objectives, met as far as the goals leave freedom.
    pub secondary: Vec<Objective>,
    /// Configuration to stay near as far as the goals leave freedom (Klampt's bias configuration).
    pub posture: Option<Posture>,
}

/// A preferred configuration.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "setBiasConfig")]
pub struct Posture {
    /// The configuration (n).
    pub config: Vec<f64>,
    /// Weights of the distance from it (n), none of them negative; `None` for 1 each.
    pub weights: Option<Vec<f64>>,
}

impl Posture {
    /// A preferred configuration with equal weights.
    #[must_use]
    pub fn near(config: impl Into<Vec<f64>>) -> Self {
        Self {
            config: config.into(),
            weights: None,
        }
    }

    /// Sets the weight of each degree of freedom (n), none of them negative.
    #[must_use]
    pub fn with_weights(mut self, weights: impl Into<Vec<f64>>) -> Self {
        self.weights = Some(weights.into());
        self
    }

    /// Weight of degree of freedom `i`.
    pub(super) fn weight(&self, i: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[i])
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-9,
            max_iterations: 200,
            restarts: 100,
            seed: 0,
            active: None,
            limits: None,
            secondary: Vec::new(),
            posture: None,
        }
    }
}

impl Options {
    /// Sets the tolerance, m and rad.
    #[must_use]
    pub fn with_tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the number of steps of one descent.
    #[must_use]
    pub fn with_max_iterations(mut self, max_iterations: usize) -> Self {
        self.max_iterations = max_iterations;
        self
    }

    /// Sets the number of random starts.
    #[must_use]
    pub fn with_restarts(mut self, restarts: usize) -> Self {
        self.restarts = restarts;
        self
    }

    /// Sets the seed of the random starts.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Sets the degrees of freedom that may move.
    #[must_use]
    pub fn with_active(mut self, active: impl Into<Vec<DofId>>) -> Self {
        self.active = Some(active.into());
        self
    }

    /// Sets the lower and upper limit of every degree of freedom (n).
    #[must_use]
    pub fn with_limits(mut self, limits: impl Into<Vec<[f64; 2]>>) -> Self {
        self.limits = Some(limits.into());
        self
    }

    /// Sets the secondary objectives.
    #[must_use]
    pub fn with_secondary(mut self, secondary: impl Into<Vec<Objective>>) -> Self {
        self.secondary = secondary.into();
        self
    }

    /// Sets the preferred configuration.
    #[must_use]
    pub fn with_posture(mut self, posture: Posture) -> Self {
        self.posture = Some(posture);
        self
    }

    /// Refuses invalid numbers.
    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            let problem = format!("is {}, it must be finite and not negative", self.tolerance);
            return Err(Error::invalid("tolerance", problem));
        }
        if let Some(posture) = &self.posture {
            check("posture", robot, &posture.config)?;
            if let Some(weights) = &posture.weights {
                check_length("weights of the posture", robot.n_dofs(), weights)?;
                if !weights.iter().all(|w| w.is_finite() && *w >= 0.0) {
                    let problem = "they must be finite and not negative";
                    return Err(Error::invalid("weights of the posture", problem));
                }
            }
        }
        self.secondary
            .iter()
            .try_for_each(|objective| objective.check(robot))
    }
}
