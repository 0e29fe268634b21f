//! Inverse kinematics: the configurations that bring links to where they should be.
//!
//! An [`Objective`] says what a link should do: a point of it at a point, on a line or on a plane; the link turned in one way,
//! or with one axis along a direction; all that seen from the world, from another link, or from a thing. Several count at
//! once.
//!
//! | to | see |
//! |---|---|
//! | solve goals from a configuration, and from random ones if that fails | [`solve`] |
//! | ask of every answer whether it is feasible, as of a collision test | [`solve_global`] |
//! | stay near to where the robot is | [`solve_nearby`] |
//! | follow a path of poses without a jump | [`solve_along`] |
//! | have every posture of an arm with a spherical wrist, by closed formulas (feature `opw`) | `Analytic` |
//! | know the velocity that moves links as they should, within limits | [`differential`] |
//! | solve the same goals for many targets, with no memory but that of the answer | [`Solver`] |
//! | solve many problems on all processors | [`solve_batch`] |
//! | know the nearest pose that meets a goal, or a random one | [`Objective::closest`], [`Objective::sample`] |
//! | know the residual and its derivative | [`residual`], [`residual_jacobian`] |
//!
//! # The method
//!
//! The residual `r` of all goals is lowered by damped least squares: each step minimises `½ |J d + r|² + ½ μ |d|²` within
//! the limits, with an active set, and the damping `μ` falls while steps keep their promise (Levenberg, Marquardt; Nielsen
//! 1999). Near a goal the damping is nothing and the digits double with each step.
//!
//! Where limits end a descent before its goal, it is tried again with angles that may turn on, for a place beyond a limit is
//! within the limits again after a whole turn. Then come random starts. All of it depends on the seed alone.
//!
//! Drivers move what they hold together as one; welds stay; coordinates that are not active stay. What is reached counts to
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
//! // a pose that can be reached, because the hand has been there
//! let mut there = State::new(&arm);
//! there.set_config(&arm, &[0.4, -0.3, 0.8, 0.2, 0.6, -0.1])?;
//! let goal = Objective::pose(hand, &there.pose(&arm, hand));
//!
//! let state = State::new(&arm);
//! let found = ik::solve(&arm, &[goal], state.config(), &Options::default())?;
//! assert!(found.is_success() && found.error() < 1e-9);
//! # Ok::<(), kinworld::Error>(())
//! ```

#[cfg(feature = "opw")]
mod analytic;
mod closest;
mod descent;
mod differential;
mod exact;
mod objective;
mod options;
mod path;
mod residual;
mod search;
mod solution;
mod solver;
mod step;
mod system;
mod term;
mod variables;

#[cfg(feature = "opw")]
pub use analytic::Analytic;
pub use differential::{Differential, VelocitySolution, VelocityTask, differential};
pub use objective::{Anchor, Objective, PositionGoal, RotationGoal};
pub use options::{Options, Posture};
pub use path::{Along, Path, solve_along, steps};
pub use residual::{residual, residual_jacobian};
pub use search::{Problem, solve, solve_batch, solve_global, solve_nearby};
pub use solution::{ActiveLimit, Bound, Solution, Stop};
pub use solver::Solver;
