//! Forward kinematics, Jacobians, centre of mass, distances between configurations, inverse kinematics. Layer 3.
//!
//! A [`State`] holds a configuration, a velocity and the link poses that follow from them, always consistent.
//! Everything else is a function of a [`Robot`](crate::Robot) and its state, inputs first; functions that end in
//! `_into` write into memory of the caller and do not allocate.
//!
//! A state belongs to the robot that it was made for, and knows it: with another one, functions that return a `Result` fail
//! with both names, and the others panic with the same message. Ids carry no robot: those of another one panic or name another
//! link.
//!
//! # The space of configurations
//!
//! Each joint type has its own distance, interpolation and integration. Degrees of freedom without a joint count as
//! normal.
//!
//! | joint | [`interpolate`] | [`distance`], squares summed | [`integrate`] |
//! |---|---|---|---|
//! | weld | linear | nothing | adds |
//! | normal | linear | difference | adds |
//! | spin | along the shorter arc | wrapped difference | adds |
//! | floating | linear; the shortest rotation | difference of x, y, z; angle of the rotation | adds; rotates |
//! | floating planar | linear; along the shorter arc | difference of x, y; wrapped difference | adds |
//! | ball and socket | the shortest rotation | angle of the rotation | rotates |
//!
//! Angles of spin joints, yaws and rolls come out in `[0, 2π)`, pitches in `[-π/2, π/2]`. At a pitch of ±π/2
//! (gimbal lock) the rates of the three angles cannot produce every angular velocity: steps and rates leave out the
//! missing component.
//!
//! # Drivers
//!
//! | driver | value from dofs | dofs from value |
//! |---|---|---|
//! | normal, translation, rotation | `u = q` | `q = u` |
//! | affine | mean of `(q_i - offset_i) / scale_i`, scales of 0 left out | `q_i = scale_i · u + offset_i` |
//!
//! Velocities follow the same table without offsets. A [`DriverSpace`] writes it as one matrix, and adds the
//! degrees of freedom that no driver moves.

mod columns;
mod com;
mod config_space;
mod derivatives;
mod driver_space;
mod drivers;
mod hessian;
pub mod ik;
mod jacobian;
mod joint_blocks;
mod limits;
mod loops;
mod recording;
mod reference;
mod relative;
mod row_order;
mod sample;
mod state;
mod sub_robot;
mod transform;
mod velocity;

pub use columns::{
    jacobian_columns, jacobian_columns_into, orientation_jacobian_columns,
    orientation_jacobian_columns_into, position_jacobian_columns, position_jacobian_columns_into,
};
pub use com::{com, com_jacobian, com_jacobian_into, com_velocity, total_inertia, total_mass};
pub use config_space::{
    changes, difference, difference_into, distance, integrate, integrate_into, interpolate,
    interpolate_deriv, interpolate_into, neutral,
};
pub(crate) use config_space::{embed, weighted_distance};
pub use derivatives::{
    AccelerationDerivatives, VelocityDerivatives, acceleration_derivatives, com_jacobian_dot,
    velocity_derivatives,
};
pub use driver_space::{DriverDof, DriverSpace};
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
pub(crate) use joint_blocks::{dofs_of_rotations, euler_angular_velocity, euler_rates};
pub(crate) use limits::is_plain;
pub use limits::{beyond_limits, clamp_to_limits, first_beyond_limits, in_limits};
pub use loops::{loop_drift, loop_errors, loop_jacobian};
pub use recording::{Instant, Recording, Samples};
pub use reference::{Reference, frame_jacobian, frame_jacobian_into};
pub use relative::{relative_jacobian, relative_pose, relative_velocity};
pub use row_order::{RowOrder, jacobian_in_order};
pub(crate) use sample::{Draw, between, draws};
pub use sample::{sample, sample_into, sample_with};
pub(crate) use state::{LARGEST, check, check_length, check_values};
pub use state::{Snapshot, State};
pub use sub_robot::SubRobot;
pub use transform::{local_direction, local_position, world_direction, world_position};
pub use velocity::{
    angular_acceleration, angular_velocity, frame_velocity, jacobian_dot, jacobian_dot_into,
    jacobian_dot_times_velocity, point_acceleration, point_velocity,
};
