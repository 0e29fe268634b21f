//! Points and directions between a link and the world.

use super::State;
use crate::math::{Point, Vector};
use crate::robot::{LinkId, Robot};

/// World position of a point fixed to `link`.
#[must_use]
#[inline]
#[doc(alias = "getWorldPosition")]
pub fn world_position(robot: &Robot, state: &State, link: LinkId, p_link: &Point) -> Point {
    state.pose(robot, link) * p_link
}

/// Position of a world point in the frame of `link`.
///
/// The pose is inverted with the transposed rotation, which is exact as far as the rotations of the robot are
/// orthonormal.
#[must_use]
#[inline]
#[doc(alias = "getLocalPosition")]
pub fn local_position(robot: &Robot, state: &State, link: LinkId, p_world: &Point) -> Point {
    state.pose(robot, link).inverse_transform_point(p_world)
}

/// A direction fixed to `link`, in world axes.
#[must_use]
#[inline]
#[doc(alias = "getWorldDirection")]
pub fn world_direction(robot: &Robot, state: &State, link: LinkId, d_link: &Vector) -> Vector {
    state.pose(robot, link) * d_link
}

/// A direction of the world, in the axes of `link`.
#[must_use]
#[inline]
#[doc(alias = "getLocalDirection")]
pub fn local_direction(robot: &Robot, state: &State, link: LinkId, d_world: &Vector) -> Vector {
    state.pose(robot, link).inverse_transform_vector(d_world)
}
