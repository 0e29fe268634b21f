//! Pose, Jacobian and velocity of one link as observed from another.

use nalgebra::{DVectorView, Matrix6xX, Vector6};

use super::{State, jacobian};
use crate::math::{Motion, Point, Pose, Vector};
use crate::robot::{LinkId, Robot};

/// Pose of `link` in the frame of `reference`.
///
/// ```
/// use kinworld::{State, WorldModel, kinematics};
///
/// let world = WorldModel::load("data/robots/planar3R.rob")?.value;
/// let arm = world.robot(0)?;
/// let (tip, elbow) = (arm.link(2)?, arm.link(1)?);
/// let pose = kinematics::relative_pose(arm.model(), arm.state(), tip.id(), elbow.id());
/// assert!((elbow.pose() * pose).translation.vector.metric_distance(&tip.pose().translation.vector) < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
#[doc(alias = "getRelativePose")]
pub fn relative_pose(robot: &Robot, state: &State, link: LinkId, reference: LinkId) -> Pose {
    state.pose(robot, reference).inverse() * state.pose(robot, link)
}

/// Jacobian of a point of `link` as observed from `reference`, 6 × n, angular rows first, in the axes of `reference`.
///
/// Times the velocity of the robot, it is the angular velocity of `link` relative to `reference`, rad/s, then the velocity
/// of the point relative to the frame of `reference`, m/s. With a reference that does not move it is
/// [`jacobian`](super::jacobian()) in the axes of the reference.
#[must_use]
#[doc(alias = "getRelativeJacobian")]
pub fn relative_jacobian(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    reference: LinkId,
) -> Matrix6xX<f64> {
    let x_wr = state.pose(robot, reference);
    let p_r = x_wr.inverse_transform_point(&(state.pose(robot, link) * p_link));
    // the same point, as one of the reference
    let carried = jacobian(robot, state, reference, &p_r);
    let mut out = jacobian(robot, state, link, p_link) - carried;
    for mut column in out.column_iter_mut() {
        let motion = Motion::from(Vector6::from_iterator(column.iter().copied()));
        let local = |v: &Vector| x_wr.rotation.inverse_transform_vector(v);
        let motion = Motion {
            angular: local(&motion.angular),
            linear: local(&motion.linear),
        };
        column.copy_from(&Vector6::from(motion));
    }
    out
}

/// Velocity of a point of `link` as observed from `reference`, in the axes of `reference`, rad/s and m/s.
///
/// It is [`relative_jacobian`] times the velocity of the state.
#[must_use]
#[doc(alias = "getRelativeVelocity")]
pub fn relative_velocity(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    reference: LinkId,
) -> Motion {
    let dq = DVectorView::from_slice(state.velocity(), state.velocity().len());
    let velocity: Vector6<f64> = relative_jacobian(robot, state, link, p_link, reference) * dq;
    velocity.into()
}
