//! Jacobians of points and links.

use nalgebra::{Matrix3xX, Matrix6xX};

use super::State;
use super::transform::world_position;
use crate::kernel;
use crate::math::Point;
use crate::robot::{LinkId, Robot};

/// The Jacobian of a point fixed to `link`, in world axes: orientation rows first, position rows below.
///
/// `J` satisfies `(ω, v) = J · dq`, where `ω` is the angular velocity of the link and `v` the velocity of the
/// point.
///
/// | symbol | shape | unit | frame |
/// |---|---|---|---|
/// | `p_link` | 3 | m | in `link` |
/// | `J` rows 0–2 | 3 × n | 1, or 0 for a prismatic joint | in the world |
/// | `J` rows 3–5 | 3 × n | m/rad, or 1 for a prismatic joint | in the world |
///
/// Columns of degrees of freedom that do not move the link are zero.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{Point, State, Vector, kinematics};
///
/// let mut robot = RobotBuilder::new("hand of a clock");
/// let hand = robot.add_link(LinkSpec::new("hand", None, LinkMotion::Revolute(-Vector::z())));
/// let robot = robot.build()?;
///
/// // at three o'clock the tip of the hand, 2 m long, goes down
/// let j = kinematics::jacobian(&robot, &State::new(&robot), hand, &Point::new(2.0, 0.0, 0.0));
/// assert_eq!(j.column(0).as_slice(), [0.0, 0.0, -1.0, 0.0, -2.0, 0.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
#[doc(alias = "getJacobian")]
#[doc(alias = "getFrameJacobian")]
#[doc(alias = "mj_jac")]
pub fn jacobian(robot: &Robot, state: &State, link: LinkId, p_link: &Point) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(robot.n_dofs());
    jacobian_into(robot, state, link, p_link, &mut out);
    out
}

/// [`jacobian`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per degree of freedom.
pub fn jacobian_into(
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
    let body = robot.attachment(link).body;
    kernel::jacobian(
        robot.tree(),
        state.bodies(robot),
        body,
        p_w.coords.into(),
        columns,
    );
}

/// The position Jacobian of a point fixed to `link`, in world axes.
///
/// `J` satisfies `v = J · dq`, where `v` is the velocity of the point.
///
/// | symbol | shape | unit | frame |
/// |---|---|---|---|
/// | `p_link` | 3 | m | in `link` |
/// | `J` | 3 × n | m/rad, or 1 for a prismatic joint | in the world |
///
/// Columns of degrees of freedom that do not move the link are zero.
#[must_use]
#[doc(alias = "getPositionJacobian")]
#[doc(alias = "mj_jac")]
pub fn position_jacobian(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
) -> Matrix3xX<f64> {
    let mut out = Matrix3xX::zeros(robot.n_dofs());
    position_jacobian_into(robot, state, link, p_link, &mut out);
    out
}

/// [`position_jacobian`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per degree of freedom.
pub fn position_jacobian_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    out: &mut Matrix3xX<f64>,
) {
    let p_w = world_position(robot, state, link, p_link);
    half_into(robot, state, link, &p_w, Half::Linear, out);
}

/// The orientation Jacobian of `link`, in world axes.
///
/// `J` satisfies `ω = J · dq`, where `ω` is the angular velocity of the link.
///
/// Columns of degrees of freedom that do not rotate the link are zero.
#[must_use]
#[doc(alias = "getOrientationJacobian")]
pub fn orientation_jacobian(robot: &Robot, state: &State, link: LinkId) -> Matrix3xX<f64> {
    let mut out = Matrix3xX::zeros(robot.n_dofs());
    orientation_jacobian_into(robot, state, link, &mut out);
    out
}

/// [`orientation_jacobian`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per degree of freedom.
pub fn orientation_jacobian_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    out: &mut Matrix3xX<f64>,
) {
    half_into(robot, state, link, &Point::origin(), Half::Angular, out);
}

/// The upper or the lower rows of a 6 × n Jacobian.
#[derive(Clone, Copy)]
enum Half {
    Angular,
    Linear,
}

#[inline]
fn half_into(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_w: &Point,
    half: Half,
    out: &mut Matrix3xX<f64>,
) {
    assert_eq!(
        out.ncols(),
        robot.n_dofs(),
        "one column per degree of freedom"
    );
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<3>();
    columns.fill([0.0; 3]);
    for i in robot.tree().chain(robot.attachment(link).body) {
        let [w, v] = kernel::column(robot.tree(), state.bodies(robot), i, p_w.coords.into());
        columns[i] = match half {
            Half::Angular => w,
            Half::Linear => v,
        };
    }
}
