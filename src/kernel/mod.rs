//! The flat tree of moving bodies and the algorithms on it. Floor 1: plain numbers, no robot.
//!
//! Algorithms are written once over [`Scalar`](crate::math::Scalar), with plain arrays inside.

mod forward;
mod jacobian;
mod linear;
mod tree;

pub(crate) use forward::{Frame, Frames, forward};
pub(crate) use jacobian::{column, jacobian};
pub(crate) use tree::{Body, Kind, Tree};
