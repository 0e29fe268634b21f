//! From here to there without collision: spaces of configurations, ways between them, a planner. Floor 5.
//!
//! | to | see |
//! |---|---|
//! | ask whether a configuration is free, and if not, why | [`RobotCSpace::obstacle`] |
//! | ask for the straight way between two | [`RobotCSpace::first_contact`], or [`RobotCSpace::prove_edge`] for a proof without samples |
//! | ask how near the nearest obstacle is | [`RobotCSpace::clearance`] |
//! | find out which pairs of links need no test | [`SelfCollisionMask`] |
//! | move a rigid object by itself | [`RigidObjectCSpace`] |
//! | keep a cup upright, a hand on a line, or a loop closed all along | [`Constrained`] with a [`RobotConstraint`], or a [`Constraint`] of your own |
//! | find a way | [`plan`], or [`RrtConnect`] in a space of your own |
//! | find one with the planners of `oxmpl` (feature of that name) | `plan_with_oxmpl`, `OxmplProblem` |
//! | check a path of another planner as [`plan`] does | [`plan_with`] |
//! | move along one in time | [`Trajectory`], [`RobotTrajectory`] |
//!
//! # Three tiers
//!
//! Balls around and inside of links ([`RobotCSpace::with_tiers`]) decide about most configurations, eight or sixteen at
//! once, and the shapes themselves about the rest, so that the answers are theirs. [`RobotCSpace::tiers`] counts which
//! decided. A robot whose links are balls, as [`WorldModel::with_spheres`](crate::WorldModel::with_spheres) makes it or a file
//! has it, is checked so from the start.
//!
//! # Stretches
//!
//! Where the shapes themselves decide about a way, its samples are looked at coarse to fine. Between two of them one look
//! tries to prove that nothing near comes together on all of the stretch; what is proved needs no more looks, and the answer
//! stays that of the samples.
//!
//! A space owns what its checks need: clone it to ask from another thread. Equal seeds give equal paths on every machine.
//!
//! # Examples
//!
//! ```
//! use kinworld::WorldModel;
//! use kinworld::planning::{Budget, RobotCSpace, plan};
//!
//! let world = WorldModel::load("data/worlds/cell.xml")?.value;
//! let arm = world.robot("arm")?.id();
//! let mut space = RobotCSpace::new(&world, &[arm])?;
//!
//! let upright = vec![0.0; space.n_coordinates()];
//! let mut aside = upright.clone();
//! aside[0] = 1.0;
//! let found = plan(&mut space, &upright, &aside, &Budget::default())?;
//! assert_eq!(found.path.expect("nothing is in the way").last(), Some(&aside));
//! # Ok::<(), kinworld::Error>(())
//! ```

#[cfg(feature = "oxmpl")]
mod adapter;
mod clearance;
mod clock;
mod constrained;
mod constraint;
mod coupling;
mod cspace;
mod edge;
mod embedded;
mod limits;
mod look;
mod mask;
mod neighbours;
mod obstacle;
mod proof;
mod rigid_object;
mod robot_constraint;
mod robot_cspace;
mod robot_plan;
mod rrt_connect;
mod shortcut;
mod stretch;
mod tiers;
mod trajectory;
mod weights;

#[cfg(feature = "oxmpl")]
pub use adapter::{OxmplGoal, OxmplPlanner, OxmplProblem, OxmplSpace, OxmplState, plan_with_oxmpl};
pub use clearance::Clearance;
pub use constrained::Constrained;
pub use constraint::Constraint;
pub use cspace::CSpace;
pub use edge::Contact;
pub use embedded::Embedded;
pub use mask::{LearnedPair, MaskOptions, PairClass, SelfCollisionMask};
pub use obstacle::{Obstacle, Told};
pub use proof::Proof;
pub use rigid_object::RigidObjectCSpace;
pub use robot_constraint::RobotConstraint;
pub use robot_cspace::RobotCSpace;
pub use robot_plan::{plan, plan_watched, plan_with};
pub use rrt_connect::{Budget, Plan, RrtConnect, Stop};
pub use tiers::Tiers;
pub use trajectory::{RobotTrajectory, Trajectory};
