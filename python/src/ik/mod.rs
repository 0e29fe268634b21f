//! Inverse kinematics.

mod arguments;
mod batch;
mod differential_ik;
mod goal;
mod search;
mod solution;
mod velocity_ik;

pub(crate) use arguments::Goals;
pub(crate) use batch::inverse_kinematics;
pub(crate) use differential_ik::{
    analytic, differential, residual, residual_jacobian, subdivide, towards,
};
pub(crate) use goal::{Objective, objective};
pub(crate) use search::{solve, solve_batch, solve_nearby, solve_path};
pub(crate) use solution::Solution;
pub(crate) use velocity_ik::{
    VelocitySolution, VelocityTask, joint_velocity_task, position_barrier, velocity, velocity_task,
};
