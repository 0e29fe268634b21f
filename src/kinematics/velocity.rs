//! Velocities and accelerations of links and of points on them, in world axes.

use nalgebra::Matrix6xX;

use super::state::check;
use super::transform::world_position;
use super::{Reference, State};
use crate::Result;
use crate::kernel;
use crate::math::{Motion, Point, Vector};
use crate::robot::{LinkId, Robot};

/// The velocity of a point fixed to `link`, in world axes, m/s.
#[must_use]
#[doc(alias = "getPointVelocity")]
pub fn point_velocity(robot: &Robot, state: &State, link: LinkId, p_link: &Point) -> Vector {
    twist(robot, state, link, p_link, state.velocity()).linear
}

/// The angular velocity of `link`, in world axes, rad/s.
#[must_use]
#[doc(alias = "getAngularVelocity")]
pub fn angular_velocity(robot: &Robot, state: &State, link: LinkId) -> Vector {
    twist(robot, state, link, &Point::origin(), state.velocity()).angular
}

/// The velocity of the frame of `link`, about the point and in the axes that `reference` names.
///
/// It is [`frame_jacobian`](super::frame_jacobian) times the velocity of the state.
#[must_use]
#[doc(alias = "getFrameVelocity")]
pub fn frame_velocity(robot: &Robot, state: &State, link: LinkId, reference: Reference) -> Motion {
    let velocity = twist(robot, state, link, &Point::origin(), state.velocity());
    reference.express(&state.pose(robot, link), velocity)
}

/// The acceleration of a point fixed to `link`, in world axes, m/s²: `J · ddq + J̇ · dq`.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
/// [`Error::Invalid`](crate::Error::Invalid).
#[doc(alias = "getPointAcceleration")]
#[doc(alias = "getFrameClassicalAcceleration")]
pub fn point_acceleration(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    ddq: &[f64],
) -> Result<Vector> {
    state.check_robot(robot)?;
    check("acceleration", robot, ddq)?;
    let bias = jacobian_dot_times_velocity(robot, state, link, p_link);
    Ok((twist(robot, state, link, p_link, ddq) + bias).linear)
}

/// The angular acceleration of `link`, in world axes, rad/s².
///
/// # Errors
///
/// As [`point_acceleration`].
#[doc(alias = "getAngularAcceleration")]
pub fn angular_acceleration(
    robot: &Robot,
    state: &State,
    link: LinkId,
    ddq: &[f64],
) -> Result<Vector> {
    state.check_robot(robot)?;
    check("acceleration", robot, ddq)?;
    let origin = Point::origin();
    let bias = jacobian_dot_times_velocity(robot, state, link, &origin);
    Ok((twist(robot, state, link, &origin, ddq) + bias).angular)
}

/// `J̇ · dq`: acceleration of `link` and of a point fixed to it, in world axes, at `ddq = 0`.
#[must_use]
pub fn jacobian_dot_times_velocity(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
) -> Motion {
    let p_w = world_position(robot, state, link, p_link);
    let body = robot.attachment(link).body;
    let [angular, linear] = kernel::bias(
        robot.tree(),
        state.bodies(robot),
        body,
        p_w.coords.into(),
        state.velocity(),
    );
    Motion {
        angular: angular.into(),
        linear: linear.into(),
    }
}

/// Time derivative of the [`jacobian`](super::jacobian) at the velocity of the state: 6 × n, world axes,
/// orientation rows first.
#[must_use]
#[doc(alias = "getFrameJacobianTimeVariation")]
#[doc(alias = "mj_jacDot")]
pub fn jacobian_dot(robot: &Robot, state: &State, link: LinkId, p_link: &Point) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(robot.n_dofs());
    jacobian_dot_into(robot, state, link, p_link, &mut out);
    out
}

/// [`jacobian_dot`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per degree of freedom.
pub fn jacobian_dot_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    out: &mut Matrix6xX<f64>,
) {
    assert_eq!(
        out.ncols(),
        robot.n_dofs(),
        "one column per degree of freedom"
    );
    let p_w = world_position(robot, state, link, p_link);
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<6>();
    columns.fill([0.0; 6]);
    kernel::jacobian_dot(
        robot.tree(),
        state.bodies(robot),
        robot.attachment(link).body,
        p_w.coords.into(),
        state.velocity(),
        columns,
    );
}

/// `J · rates` of a point fixed to `link`.
#[inline]
fn twist(robot: &Robot, state: &State, link: LinkId, p_link: &Point, rates: &[f64]) -> Motion {
    let p_w = world_position(robot, state, link, p_link);
    let body = robot.attachment(link).body;
    let [angular, linear] = kernel::velocity(
        robot.tree(),
        state.bodies(robot),
        body,
        p_w.coords.into(),
        rates,
    );
    Motion {
        angular: angular.into(),
        linear: linear.into(),
    }
}
