//! Robot world models: load a robot, move it, ask where it is, test it for collision.

#![cfg_attr(not(test), warn(clippy::unwrap_used))]

mod error;
pub mod geometry;
pub mod guide;
pub mod io;
mod kernel;
pub mod kinematics;
pub mod math;
pub mod robot;
pub mod world;

/// The result of a call that can fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub use error::{Diagnostic, Error, LoadError, Loaded, Severity};
pub use geometry::Geometry;
pub use kinematics::State;
pub use math::{Point, Pose, Rotation, Vector};
pub use robot::{DofId, LinkId, Robot, RobotBuilder};
pub use world::{EntityId, WorldModel};
