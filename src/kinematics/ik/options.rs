//! How to search.

use super::Objective;
use crate::kinematics::{check, check_length};
use crate::robot::{DofId, Robot};
use crate::{Error, Result};

/// How to search for a configuration.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::Options;
///
/// // one descent from the start, no other tries
/// let near = Options { restarts: 0, ..Options::default() };
/// assert_eq!(near.tolerance, 1e-9);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// The largest distance, m, and the largest angle, rad, that count as reached, for each objective.
    pub tolerance: f64,
    /// Steps of one descent.
    pub max_iterations: usize,
    /// How many random starts follow where the given one does not lead to the goal.
    pub restarts: usize,
    /// What the random starts are drawn from: the same seed gives the same answer on every machine.
    pub seed: u64,
    /// The coordinates that may move, each with what its driver moves along; `None` for all that move a goal.
    ///
    /// Welds never move.
    pub active: Option<Vec<DofId>>,
    /// Lower and upper limit of every coordinate (n) of the robot; `None` for its own.
    pub limits: Option<Vec<[f64; 2]>>,
    /// Wishes that count only as far as the goals leave them free.
    pub secondary: Vec<Objective>,
    /// A configuration to stay near to as far as the goals leave it free: Klampt's bias.
    pub posture: Option<Posture>,
}

/// A configuration to stay near to.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Posture {
    /// The configuration (n).
    pub config: Vec<f64>,
    /// What a coordinate's distance from it counts (n), none of them negative; `None` for 1 each.
    pub weights: Option<Vec<f64>>,
}

impl Posture {
    /// Near to a configuration, all coordinates alike.
    #[must_use]
    pub fn near(config: impl Into<Vec<f64>>) -> Self {
        Self {
            config: config.into(),
            weights: None,
        }
    }

    /// What the distance of coordinate `i` counts.
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
    /// Refuses numbers that mean nothing.
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
