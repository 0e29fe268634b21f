//! Inverse kinematics: configurations that bring links to target positions and orientations.
//!
//! An [`Objective`] is a target for one link: a point of it at a point, on a line or on a plane; its orientation,
//! or the direction of one axis; relative to the world, to another link, or to an object. Several objectives
//! combine.
//!
//! | to | see |
//! |---|---|
//! | solve goals from a configuration, then from random ones | [`solve`] |
//! | accept only feasible solutions, such as collision-free ones | [`solve_global`] |
//! | stay near the current configuration | [`solve_nearby`] |
//! | follow a path of poses without joint jumps | [`solve_path`] |
//! | compute every posture of a 6R arm with a spherical wrist in closed form | [`Analytic`] |
//! | compute joint velocities for link velocities, within limits | [`differential`] |
//! | the same with priorities and barriers, step after step without allocation | [`DifferentialSolver`] |
//! | solve for many targets without allocation but for the solution | [`Solver`] |
//! | solve many problems on all processors | [`solve_batch`] |
//! | compute the nearest pose that meets a goal, or a random one | [`Objective::closest`], [`Objective::sample`] |
//! | evaluate the residual and its derivative | [`residual`], [`residual_jacobian`] |
//!
//! # The method
//!
//! The residual `r` of all goals is minimised by damped least squares (Levenberg-Marquardt): each step minimises `½
//! |J d + r|² + ½ μ |d|²` within the limits, with an active set, and the damping `μ` falls while steps achieve the
//! predicted reduction (Nielsen 1999). Near a goal the damping vanishes and convergence is quadratic.
//!
//! Where limits stop a descent before its goal, it is repeated with periodic angles unlimited, because an angle
//! beyond a limit may lie within it again after a full turn. Then random starts follow. The result depends on the
//! seed alone.
//!
//! A driver moves its links together; welds and inactive degrees of freedom stay. Goals count as reached within
//! [`Options::tolerance`] (1e-9 m and 1e-9 rad), whatever the weights.
//!
//! # Examples
//!
//! ```
//! use kinworld::kinematics::ik::{self, Objective, Options};
//! use kinworld::{Robot, State};
//!
//! let arm = Robot::load("data/robots/arm6.rob")?.value;
//! let hand = arm.link_id("flange")?;
//!
//! // a reachable pose: that of the hand in another configuration
//! let mut there = State::new(&arm);
//! there.set_config(&arm, &[0.4, -0.3, 0.8, 0.2, 0.6, -0.1])?;
//! let goal = Objective::pose(hand, &there.pose(&arm, hand));
//!
//! let state = State::new(&arm);
//! let found = ik::solve(&arm, &[goal], state.config(), &Options::default())?;
//! assert!(found.is_success() && found.error() < 1e-9);
//! # Ok::<(), kinworld::Error>(())
//! ```

mod analytic;
mod closest;
mod damped_step;
mod differential;
mod levenberg_marquardt;
mod objective;
mod options;
mod ortho_parallel;
mod path;
mod residual;
mod residual_term;
mod search;
mod solution;
mod solver;
mod system;
mod variables;

pub use analytic::Analytic;
pub use differential::{
    DifferentialOptions, DifferentialSolver, JointVelocityTask, PositionBarrier,
    VelocityConstraints, VelocityProblem, VelocitySolution, VelocityTask, differential,
};
pub use objective::{Anchor, Objective, PositionGoal, RotationGoal};
pub use options::{Options, Posture};
pub use path::{Path, PathSolution, solve_path, subdivide};
pub use residual::{residual, residual_jacobian};
pub use search::{Problem, solve, solve_batch, solve_global, solve_nearby};
pub use solution::{ActiveLimit, Bound, Solution, Termination};
pub use solver::Solver;
