//! Differential IK: joint velocities for link velocities, for control loops.

mod active_set;
mod basis;
mod constraints;
mod factors;
mod least_violation;
mod options;
mod problem;
mod rows;
mod solver;
mod task;

pub use constraints::{PositionBarrier, VelocityConstraints};
pub use options::DifferentialOptions;
pub use problem::{VelocityProblem, VelocitySolution};
pub use solver::DifferentialSolver;
pub use task::{JointVelocityTask, VelocityTask};

use crate::Result;
use crate::kinematics::State;
use crate::robot::Robot;

/// Joint velocity within all limits that best meets the tasks: `min ½ Σ |w (J dq − v)|² + ½ damping |dq|²`, one level of
/// priority after the other.
///
/// Velocities stay within their limits, and so do positions after `dt` at this velocity; a degree of freedom beyond
/// a limit returns as fast as it may. The minimum is exact, found by an active set. A [`DifferentialSolver`] does the same
/// in memory that is kept, takes constraints and tasks for joints, and explains priorities.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Length`](crate::Error::Length) for invalid tasks and options, and a state of
/// another robot.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{self, DifferentialOptions, VelocityTask};
/// use kinworld::{Point, Robot, State, Vector};
///
/// let arm = Robot::load("data/robots/planar3R.rob")?.value;
/// let mut state = State::new(&arm);
/// state.set_config(&arm, &[0.3, 0.4, 0.5])?;
/// let up = VelocityTask::point(arm.link_id("link2")?, Point::new(1.0, 0.0, 0.0), Vector::z() * 0.1);
/// let found = ik::differential(&arm, &state, &[up], &DifferentialOptions::default())?;
/// assert!(found.residual.iter().all(|r| r.abs() < 1e-6));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "diff_ik")]
#[doc(alias = "velocity_ik")]
pub fn differential(
    robot: &Robot,
    state: &State,
    tasks: &[VelocityTask],
    options: &DifferentialOptions,
) -> Result<VelocitySolution> {
    let mut solver = DifferentialSolver::new(robot, options)?;
    solver.solve(state, &VelocityProblem::new(robot, tasks))?;
    Ok(solver.into_solution())
}
