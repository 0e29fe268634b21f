//! Results of searches.

use crate::kinematics::ik::Solution;

/// Result of a search.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Plan {
    /// Waypoints of a free path from the start to the goal, both included; `None` where none was found.
    pub path: Option<Vec<Vec<f64>>>,
    /// Reason why the search ended.
    pub termination: Termination,
    /// Number of samples that were drawn.
    pub iterations: usize,
    /// The index of the goal that the path reaches, of several.
    pub goal: Option<usize>,
    /// Goals of [`plan_to_goals`](super::plan_to_goals) that inverse kinematics does not reach, by their indices, and how near it
    /// gets.
    pub unreached: Vec<(usize, Solution)>,
}

impl Plan {
    /// The result of a search of your own, for [`plan_with`](super::plan_with).
    #[must_use]
    pub fn new(path: Option<Vec<Vec<f64>>>, termination: Termination, iterations: usize) -> Self {
        Self {
            path,
            termination,
            iterations,
            goal: None,
            unreached: Vec::new(),
        }
    }
}

/// Reason why a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Termination {
    /// A path was found.
    Found,
    /// The maximum number of samples was drawn.
    Iterations,
    /// The maximum duration was over.
    Time,
    /// The observer ended it.
    Cancelled,
    /// Paths were found, but none passed a finer check: something thin is in the way.
    TooThin,
    /// Inverse kinematics reaches none of the goals.
    NoGoal,
}
