//! IK searches in one call.

use super::{Objective, Options, Solution, Solver};
use crate::Result;
use crate::robot::Robot;
use crate::threads;

/// Searches for a configuration that meets the goals, from `q0` (n), then from random starts; else the closest one.
///
/// The solution from `q0` itself has priority, so that a robot near its goal stays near.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Length`](crate::Error::Length) for invalid goals, options
/// and configurations. An unreachable goal is no error.
#[doc(alias = "solveIK")]
#[doc(alias = "inverse_kinematics")]
pub fn solve(
    robot: &Robot,
    goals: &[Objective],
    q0: &[f64],
    options: &Options,
) -> Result<Solution> {
    Solver::new(robot, goals, options)?.solve(q0)
}

/// [`solve`] that accepts only configurations that the caller judges feasible.
///
/// # Errors
///
/// As [`solve`].
///
/// # Examples
///
/// A hand at a point, but with the elbow up:
///
/// ```
/// use kinworld::kinematics::ik::{self, Objective, Options};
/// use kinworld::{Point, Robot, State};
///
/// let arm = Robot::load("data/robots/planar3R.rob")?.value;
/// let goal = Objective::point(arm.link_id("link2")?, Point::new(1.0, 0.0, 0.0), Point::new(1.5, 0.0, 0.5));
/// let elbow_is_up = |q: &[f64]| q[0] > 0.3;
/// let found = ik::solve_global(&arm, &[goal], &[0.0; 3], &Options::default(), elbow_is_up)?;
/// assert!(found.is_success() && found.q[0] > 0.3);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn solve_global(
    robot: &Robot,
    goals: &[Objective],
    q0: &[f64],
    options: &Options,
    is_feasible: impl FnMut(&[f64]) -> bool,
) -> Result<Solution> {
    Solver::new(robot, goals, options)?.solve_feasible(q0, is_feasible)
}

/// [`solve`] within `deviation`, rad or m, of `q0` in every active degree of freedom.
///
/// # Errors
///
/// As [`solve`], and for a deviation that is negative or not a number.
pub fn solve_nearby(
    robot: &Robot,
    goals: &[Objective],
    q0: &[f64],
    deviation: f64,
    options: &Options,
) -> Result<Solution> {
    Solver::new(robot, goals, options)?
        .with_max_deviation(deviation)?
        .solve(q0)
}

/// Goals and a start configuration.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Problem {
    /// The goals.
    pub goals: Vec<Objective>,
    /// The configuration (n) to start from.
    pub start: Vec<f64>,
}

impl Problem {
    /// A problem of these goals from this configuration.
    pub fn new(goals: impl Into<Vec<Objective>>, start: impl Into<Vec<f64>>) -> Self {
        Self {
            goals: goals.into(),
            start: start.into(),
        }
    }
}

/// [`solve`] for many problems, results in their order; with the feature `parallel` on all threads of rayon's
/// current pool, with the same results.
///
/// # Errors
///
/// As [`solve`], for the first invalid problem, which the error counts from 0, where it is one of a value or a length.
pub fn solve_batch(
    robot: &Robot,
    problems: &[Problem],
    options: &Options,
) -> Result<Vec<Solution>> {
    let all = threads::map(problems, &|k, problem: &Problem| {
        let found = solve(robot, &problem.goals, &problem.start, options);
        found.map_err(|error| error.numbered("problem", k))
    });
    all.into_iter().collect()
}
