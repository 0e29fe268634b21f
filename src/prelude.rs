//! The names that most programs need, for `use kinworld::prelude::*`.
//!
//! [`Result`](crate::Result) and [`Error`](crate::Error) are left out, since other crates have the same names; so are
//! functions, which read better with their module: `dynamics::mass_matrix`.
//!
//! ```
//! use kinworld::dynamics;
//! use kinworld::prelude::*;
//!
//! // a weight of 2 kg on a massless arm of 0.5 m
//! let mut arm = LinkSpec::new("arm", None, LinkMotion::Revolute(-Vector::y()));
//! arm.inertia = Inertia { mass: 2.0, com: Point::new(0.5, 0.0, 0.0), ..Inertia::zero() };
//!
//! let mut builder = RobotBuilder::new("pendulum");
//! builder.add_link(arm);
//! let pendulum = builder.build()?;
//!
//! let torque = dynamics::holding_torque(&pendulum, &State::new(&pendulum), &GRAVITY);
//! assert!((torque[0] - 2.0 * 9.81 * 0.5).abs() < 1e-12);
//! # Ok::<(), kinworld::Error>(())
//! ```

pub use crate::geometry::{Geometry, Mesh, Placed, Primitive};
pub use crate::kinematics::State;
pub use crate::math::{GRAVITY, Inertia, Motion, Point, Pose, Rotation, Vector, Wrench};
pub use crate::planning::CSpace;
pub use crate::robot::{
    DofId, JointKind, Limits, LinkId, LinkMotion, LinkSpec, Robot, RobotBuilder,
};
pub use crate::world::{EntityId, PairFilter, WorldCollider, WorldModel};
pub use nalgebra;
