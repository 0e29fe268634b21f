//! What a search found.

use crate::robot::DofId;

/// The best configuration that a search found, and what is to be said about it.
///
/// A goal that cannot be reached is an answer too: [`q`](Self::q) is then as near as it gets.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Solution {
    /// The configuration (n): coordinates that were not active are as they were.
    pub q: Vec<f64>,
    /// Rows of the goals at `q`, weights included: see [`residual`](super::residual).
    pub residual: Vec<f64>,
    /// How far the worst point is from where it should be, m.
    pub position_error: f64,
    /// How far the worst link is from how it should be turned, rad.
    pub rotation_error: f64,
    /// Steps that were tried, over all starts.
    pub iterations: usize,
    /// How many starts it took, the given one included.
    pub starts: usize,
    /// The active coordinates that are at a limit.
    pub active_limits: Vec<ActiveLimit>,
    /// Why the search ended.
    pub stop: Stop,
}

/// An active coordinate at a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ActiveLimit {
    /// The coordinate.
    pub dof: DofId,
    /// Which of its limits.
    pub bound: Bound,
}

/// Which limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Bound {
    /// The smallest value.
    Lower,
    /// The largest value.
    Upper,
}

/// Why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Stop {
    /// Every goal is within its tolerance, and the configuration is feasible.
    Reached,
    /// Goals were reached, but never by a configuration that was feasible.
    Infeasible,
    /// Nothing nearby is better, and no other start led further.
    NoProgress,
    /// The last descent ran out of steps while it was still getting better.
    OutOfIterations,
}

impl Solution {
    /// Whether every goal is reached by a feasible configuration.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.stop == Stop::Reached
    }

    /// The larger of the two errors, 1 m counting as 1 rad.
    #[must_use]
    pub fn error(&self) -> f64 {
        self.position_error.max(self.rotation_error)
    }
}
