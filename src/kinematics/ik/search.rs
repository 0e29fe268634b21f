//! Searches in one call.

use super::{Objective, Options, Solution, Solver};
use crate::Result;
use crate::robot::Robot;

/// A configuration that reaches the goals, or the one that comes nearest: from `q0` (n), then from random starts.
///
/// The answer from `q0` itself is taken where there is one, so that a robot near its goal stays near.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Length`](crate::Error::Length) for goals, options and
/// configurations that cannot be used. A goal that cannot be reached is no error.
pub fn solve(
    robot: &Robot,
    goals: &[Objective],
    q0: &[f64],
    options: &Options,
) -> Result<Solution> {
    Solver::new(robot, goals, options)?.solve(q0)
}

/// [`solve`] that goes on until a configuration that reaches the goals is feasible too, as the caller judges.
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

/// [`solve`] in which no active coordinate goes further than `deviation`, rad or m, from `q0`.
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
        .within(deviation)?
        .solve(q0)
}

/// Goals and a start.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Problem {
    /// What links should do.
    pub goals: Vec<Objective>,
    /// The configuration (n) to start from.
    pub start: Vec<f64>,
}

/// [`solve`] for many problems, in their order; with the feature `parallel` on all threads of rayon's current pool, with
/// the same answers.
///
/// # Errors
///
/// As [`solve`], for the first problem that cannot be used.
pub fn solve_batch(
    robot: &Robot,
    problems: &[Problem],
    options: &Options,
) -> Result<Vec<Solution>> {
    let solve_one = |problem: &Problem| solve(robot, &problem.goals, &problem.start, options);
    #[cfg(feature = "parallel")]
    {
        use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

        let all: Vec<_> = problems.par_iter().map(solve_one).collect();
        all.into_iter().collect()
    }
    #[cfg(not(feature = "parallel"))]
    {
        problems.iter().map(solve_one).collect()
    }
}
