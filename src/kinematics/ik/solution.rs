//! Result of an IK search.

use crate::robot::DofId;

/// Best configuration that a search found, with its errors and the reason why the search ended.
///
/// An unreachable goal is no error: [`q`](Self::q) is then the closest configuration found.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Solution {
    /// The configuration (n); inactive degrees of freedom are unchanged.
    pub q: Vec<f64>,
    /// Residual of the goals at `q`, weights included: see [`residual`](super::residual).
    pub residual: Vec<f64>,
    /// Largest distance of a point from its target, m.
    pub position_error: f64,
    /// Largest angle between a link and its target orientation, rad.
    pub rotation_error: f64,
    /// Number of steps tried, over all starts.
    pub iterations: usize,
    /// Number of starts, the given one included.
    pub starts: usize,
    /// The active degrees of freedom that are at a limit.
    pub active_limits: Vec<ActiveLimit>,
    /// Reason why the search ended.
    pub termination: Termination,
}

/// A degree of freedom that is at a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ActiveLimit {
    /// The degree of freedom.
    pub dof: DofId,
    /// The limit.
    pub bound: Bound,
}

/// Lower or upper limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bound {
    /// The lower limit.
    Lower,
    /// The upper limit.
    Upper,
}

/// Reason why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Termination {
    /// Every goal is within its tolerance and the configuration is feasible.
    Reached,
    /// Goals were reached, but by no feasible configuration.
    Infeasible,
    /// A local minimum: no step and no other start improves the residual.
    NoProgress,
    /// The last descent used up its iterations while the residual still fell.
    OutOfIterations,
}

impl Solution {
    /// Returns whether every goal is reached by a feasible configuration.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.termination == Termination::Reached
    }

    /// The larger of the two errors, with 1 m equal to 1 rad.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.position_error.max(self.rotation_error)
    }
}
