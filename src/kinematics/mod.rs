//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric. Floor 3.
//!
//! A [`State`] holds a configuration, a velocity and the poses that follow from them, always consistent.
//! Everything else is a function of a [`Robot`](crate::Robot) and its state, inputs first; functions that
//! end in `_into` write into memory that the caller owns and do not allocate.
//!
//! A state belongs to the robot that it was made for: a function given another robot's state panics where the
//! sizes differ, and answers nonsense where they do not. The same holds for ids.

mod jacobian;
mod place;
mod state;

pub use jacobian::{
    jacobian, jacobian_into, orientation_jacobian, orientation_jacobian_into, position_jacobian,
    position_jacobian_into,
};
pub use place::{local_direction, local_position, world_direction, world_position};
pub use state::{Snapshot, State};
