//! The flat tree of moving bodies and the algorithms on it. Floor 1: plain numbers, no robot.
//!
//! Algorithms are written once over [`Scalar`](crate::math::Scalar), with plain arrays inside.

mod com;
#[cfg(test)]
mod dual;
mod forward;
mod jacobian;
mod linear;
mod tree;
mod velocity;

pub(crate) use com::{first_moment, first_moment_jacobian, moment_about};
pub(crate) use forward::{Frame, Frames, forward};
pub(crate) use jacobian::{column, jacobian};
pub(crate) use tree::{Body, Kind, Tree};
pub(crate) use velocity::{bias, jacobian_dot, velocity};
