//! Where a robot is: forward kinematics, Jacobians, centre of mass, metric. Floor 3.
//!
//! A [`State`] holds a configuration, a velocity and the poses that follow from them, always consistent.
//! Everything else is a function of a [`Robot`](crate::Robot) and its state, inputs first; functions that
//! end in `_into` write into memory that the caller owns and do not allocate.
//!
//! A state belongs to the robot that it was made for: a function given another robot's state panics where the
//! sizes differ, and answers nonsense where they do not. The same holds for ids.
//!
//! # The space of configurations
//!
//! Each joint type measures and moves in its own way. Coordinates of no joint count as normal.
//!
//! | joint | [`interpolate`] | [`distance`], squares summed | [`integrate`] |
//! |---|---|---|---|
//! | weld | linear | nothing | adds |
//! | normal | linear | difference | adds |
//! | spin | the short way round | wrapped difference | adds |
//! | floating | linear; the shortest rotation | difference of x, y, z; angle of the rotation | adds; turns |
//! | floating planar | linear; the short way round | difference of x, y; wrapped difference | adds |
//! | ball and socket | the shortest rotation | angle of the rotation | turns |
//!
//! Angles of spin joints, yaws and rolls come out in `[0, 2π)`, pitches in `[-π/2, π/2]`. Three angles cannot
//! follow every rotation where the pitch is a right angle: there, steps and rates leave out what they cannot do.
//!
//! # Drivers
//!
//! | driver | value from coordinates | coordinates from value |
//! |---|---|---|
//! | normal, translation, rotation | `u = q` | `q = u` |
//! | affine | mean of `(q_i - offset_i) / scale_i`, scales of 0 left out | `q_i = scale_i · u + offset_i` |
//!
//! Velocities follow the same table without offsets. A [`DriverSpace`] has this as one matrix, and the coordinates that no
//! driver moves with it.

mod blocks;
mod columns;
mod com;
mod driver_space;
mod drivers;
mod hessian;
pub mod ik;
mod jacobian;
mod limits;
mod metric;
mod motion;
mod place;
mod recording;
mod reference;
mod row_order;
mod sample;
mod slopes;
mod state;
mod sub_robot;

pub(crate) use blocks::{rates, turning};
pub use columns::{
    jacobian_columns, jacobian_columns_into, orientation_jacobian_columns,
    orientation_jacobian_columns_into, position_jacobian_columns, position_jacobian_columns_into,
};
pub use com::{com, com_jacobian, com_jacobian_into, com_velocity, total_inertia, total_mass};
pub use driver_space::{DriverCoordinate, DriverSpace};
pub use drivers::{
    config_from_drivers, config_to_drivers, velocity_from_drivers, velocity_to_drivers,
};
pub use hessian::{
    orientation_hessian, orientation_hessian_into, position_hessian, position_hessian_into,
};
pub use jacobian::{
    jacobian, jacobian_into, orientation_jacobian, orientation_jacobian_into, position_jacobian,
    position_jacobian_into,
};
pub(crate) use limits::is_plain;
pub use limits::{clamp_to_limits, first_beyond_limits, in_limits};
pub use metric::{
    changes, difference, difference_into, distance, integrate, integrate_into, interpolate,
    interpolate_deriv, interpolate_into, neutral,
};
pub(crate) use metric::{picture, weighted_distance};
pub use motion::{
    angular_acceleration, angular_velocity, frame_velocity, jacobian_dot, jacobian_dot_into,
    jacobian_dot_times_velocity, point_acceleration, point_velocity,
};
pub use place::{local_direction, local_position, world_direction, world_position};
pub use recording::{Instant, Recording, Samples};
pub use reference::{Reference, frame_jacobian, frame_jacobian_into};
pub use row_order::{RowOrder, jacobian_in_order};
pub(crate) use sample::sample_numbers;
pub use sample::{sample, sample_into, sample_with};
pub use slopes::{
    AccelerationDerivatives, VelocityDerivatives, acceleration_derivatives, com_jacobian_dot,
    velocity_derivatives,
};
pub use state::{Snapshot, State};
pub(crate) use state::{check, check_length, check_values};
pub use sub_robot::SubRobot;
