//! Motion planning: configuration spaces, checks of configurations and edges, planners, trajectories. Layer 5.
//!
//! | to | see |
//! |---|---|
//! | check a configuration, and get the reason where it is not free | [`CSpace::is_free`], [`RobotCSpace::obstacle`] |
//! | check the straight edge between two | [`CSpace::is_edge_free`], [`RobotCSpace::edge_collision`], or [`RobotCSpace::prove_edge`] for a proof without samples |
//! | get the distance to the nearest obstacle | [`RobotCSpace::clearance`] |
//! | keep a distance in a control loop | [`RobotCSpace::distance_barrier_with`] for a [`DifferentialSolver`](crate::kinematics::ik::DifferentialSolver) |
//! | find out which pairs of links need no test | [`SelfCollisionMask`] |
//! | move a rigid object by itself | [`RigidObjectCSpace`] |
//! | keep a cup upright, a hand on a line, or a loop closed along a path | [`ConstrainedSpace`] with a [`RobotConstraint`], or a [`Constraint`] of your own |
//! | find a path | [`plan`], or [`RrtConnect`] in a space of your own |
//! | find many in one scene, also while objects move in it | [`RoadMap`] |
//! | find a short one, and the nearest of several goals | [`Budget::improve`], with any of these |
//! | find one with the planners of `oxmpl` (feature of that name) | `plan_with_oxmpl`, `OxmplProblem` |
//! | check a path of another planner as [`plan`] does | [`plan_with`] |
//! | follow a path as fast as limits of velocity, acceleration and torque allow | [`TimeParameterization`] of a [`GeometricPath`] |
//! | bend it evenly, at a distance from obstacles, as a B-spline | [`RobotCSpace::smoothed`], [`RobotCSpace::smooth_motion_along`]; with rounded corners where no such curve is free: [`RobotCSpace::fastest_motion_along`] |
//! | go from one state to another, as fast as limits of velocity, acceleration and jerk allow | [`PointToPoint`] |
//! | move a link along lines, arcs and screws | [`RobotCSpace::follow`] of a [`CartesianPath`]; several links at once: [`RobotCSpace::follow_together`] |
//! | plan several robots one after the other, on one clock | [`plan_prioritized`] |
//! | follow a path in time | [`Trajectory`], [`RobotTrajectory`] |
//!
//! # Threads
//!
//! A space is an immutable description, `Send + Sync` and cheap to clone: threads share one `&RobotCSpace`. The scratch memory
//! of its checks is a [`Workspace`], one per thread. Each check comes in two forms: the short one borrows a workspace from a
//! pool in the space, the one that ends in `_with` takes that of the caller. Equal seeds give equal paths on every machine.
//!
//! # Sphere pre-filter
//!
//! Spheres around and inside of links ([`RobotCSpace::with_sphere_prefilter`]) decide about most configurations, eight or
//! sixteen at once, and the shapes themselves about the rest, so that the answers are theirs.
//! [`Workspace::prefilter_counts`] counts which decided. A robot whose links are spheres, as
//! [`WorldModel::with_spheres`](crate::WorldModel::with_spheres) makes it or a file has it, is checked so from the start.
//!
//! Clouds of points are indexed for the spheres, once for all poses: a field of distances tells most spheres apart from all
//! points, a tree finds the nearest ones of the rest. Before, leave out the points of the robot itself
//! ([`WorldModel::without_robots`](crate::WorldModel::without_robots)), and those that say nothing new
//! ([`PointCloud::thinned`](crate::geometry::PointCloud::thinned)).
//!
//! # Certified intervals
//!
//! Where the shapes themselves decide about an edge, its samples are checked coarse to fine. Between two of them one distance
//! query tries to prove that nothing near can collide on all of the interval; what is proved needs no more checks, and the
//! answer stays that of the samples.
//!
//! The path of a [`plan`] is proved so as a whole: pair by pair, of an interval that is halved only those that were left,
//! with bounds of speed for the posture there. With a pre-filter, spheres that are larger by what a body moves between two samples
//! prove most of it.
//!
//! # Examples
//!
//! ```
//! use kinworld::WorldModel;
//! use kinworld::planning::{Budget, CSpace, RobotCSpace, plan};
//!
//! let world = WorldModel::load("data/worlds/cell.xml")?.value;
//! let arm = world.robot("arm")?.id();
//! let space = RobotCSpace::new(&world, &[arm])?;
//!
//! let upright = vec![0.0; space.n_dofs()];
//! let mut aside = upright.clone();
//! aside[0] = 1.0;
//! let found = plan(&space, &upright, &aside, &Budget::default())?;
//! assert_eq!(found.path.expect("nothing is in the way").last(), Some(&aside));
//! # Ok::<(), kinworld::Error>(())
//! ```

mod active;
#[cfg(feature = "oxmpl")]
mod adapter;
mod budget;
mod cartesian;
mod clearance;
mod clock;
mod configuration;
mod constrained_space;
mod constraint;
mod coupling;
mod cspace;
mod distance_barrier;
mod edge;
mod embedded_space;
mod goals;
mod improve;
mod limits;
mod many;
mod mask;
mod neighbours;
mod obstacle;
mod path_motion;
mod prefilter;
mod result;
mod rigid_object;
mod roadmap;
mod robot_constraint;
mod robot_cspace;
mod robot_plan;
mod rrt_connect;
mod several;
mod shortcut;
mod smoothing;
mod time;
mod trajectory;
mod tree;
mod weights;
mod workspace;

#[cfg(feature = "oxmpl")]
pub use adapter::{OxmplGoal, OxmplPlanner, OxmplProblem, OxmplSpace, OxmplState, plan_with_oxmpl};
pub use budget::Budget;
pub use cartesian::{CartesianPath, Followed, Stop};
pub use clearance::Clearance;
pub use constrained_space::ConstrainedSpace;
pub use constraint::Constraint;
pub use cspace::CSpace;
pub use distance_barrier::{DistanceBarrier, NearPairs};
pub use edge::{EdgeCollision, EdgeQuery, Proof};
pub use embedded_space::EmbeddedSpace;
pub use goals::{Goal, plan_between, plan_to_goals};
pub use mask::{LearnedPair, MaskOptions, PairClass, SelfCollisionMask};
pub use obstacle::{Obstacle, ObstacleDisplay};
pub use path_motion::PathMotion;
pub use prefilter::PrefilterCounts;
pub use result::{Plan, Termination};
pub use rigid_object::RigidObjectCSpace;
pub use roadmap::{EdgeState, Repair, RoadMap, RoadMapEdge, Scene};
pub(crate) use roadmap::{Owner as RoadMapOwner, Parts as RoadMapParts};
pub use robot_constraint::RobotConstraint;
pub use robot_cspace::RobotCSpace;
pub use robot_plan::{plan, plan_observed, plan_to_any, plan_with};
pub use rrt_connect::RrtConnect;
pub use several::{
    FailedOrder, JointMotion, PrioritizedOptions, PrioritizedPlan, Separation, plan_prioritized,
};
pub use smoothing::Smoothing;
pub use time::{
    GeometricPath, LimitKind, MotionLimits, PathDynamics, PointToPoint, SmoothTrajectory,
    TimeParameterization, Utilization, Violation,
};
pub use trajectory::{RobotTrajectory, Trajectory};
pub use workspace::Workspace;
