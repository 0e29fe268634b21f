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
    /// The index of the start of the path, of several.
    pub start: Option<usize>,
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
            start: None,
            goal: None,
            unreached: Vec::new(),
        }
    }

    /// Sets the indices of the ends of the path among some.
    pub(super) fn name_ends(&mut self, starts: &[Vec<f64>], goals: &[Vec<f64>]) {
        let path = self.path.as_deref().unwrap_or_default();
        let index =
            |q: Option<&Vec<f64>>, all: &[Vec<f64>]| all.iter().position(|end| Some(end) == q);
        self.start = index(path.first(), starts);
        self.goal = index(path.last(), goals);
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
    /// Paths were found, but none was proved: something thin is in the way.
    TooThin,
    /// Inverse kinematics reaches none of the goals.
    NoGoal,
}
