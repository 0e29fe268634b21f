//! Partial derivatives of velocities and accelerations of links and points.

use nalgebra::{Matrix3xX, Matrix6xX};

use super::State;
use super::com::total_mass;
use super::state::check;
use super::transform::world_position;
use crate::Result;
use crate::kernel::{self, Composites, PointPartials};
use crate::math::Point;
use crate::robot::{LinkId, Robot};

/// Partial derivatives of a spatial velocity: 6 × n each, angular rows first, world axes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct VelocityDerivatives {
    /// By configuration.
    pub dv_dq: Matrix6xX<f64>,
    /// By velocity: the [`jacobian`](super::jacobian).
    pub dv_dv: Matrix6xX<f64>,
}

/// Partial derivatives of a spatial acceleration: 6 × n each, angular rows first, world axes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AccelerationDerivatives {
    /// By configuration.
    pub da_dq: Matrix6xX<f64>,
    /// By velocity.
    pub da_dv: Matrix6xX<f64>,
    /// By acceleration: the [`jacobian`](super::jacobian).
    pub da_da: Matrix6xX<f64>,
}

/// Partial derivatives, by configuration and velocity, of the [`angular_velocity`](super::angular_velocity) of
/// `link` and the [`point_velocity`](super::point_velocity) of a point fixed to it.
///
/// The linear rows of `dv_dq` are those of [`jacobian_dot`](super::jacobian_dot), because a position has symmetric
/// second derivatives. The angular rows are not.
#[must_use]
#[doc(alias = "getFrameVelocityDerivatives")]
pub fn velocity_derivatives(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
) -> VelocityDerivatives {
    let at_rest = vec![0.0; robot.n_dofs()];
    let [dv_dq, _, _, dv_dv] = partials(robot, state, link, p_link, &at_rest);
    VelocityDerivatives { dv_dq, dv_dv }
}

/// Partial derivatives, by configuration, velocity and acceleration, of the
/// [`angular_acceleration`](super::angular_acceleration) of `link` and the
/// [`point_acceleration`](super::point_acceleration) of a point fixed to it.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
/// [`Error::Invalid`](crate::Error::Invalid).
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Point, State, Vector, kinematics};
///
/// let mut robot = RobotBuilder::new("wheel");
/// let wheel = robot.add_link(LinkSpec::new("wheel", None, LinkMotion::Revolute(Vector::z())));
/// let robot = robot.build()?;
/// let mut state = State::new(&robot);
/// state.set_velocity(&robot, &[3.0])?;
///
/// // a point of the rim has the centripetal acceleration r ω²: its derivative by ω is 2 r ω
/// let rim = Point::new(0.5, 0.0, 0.0);
/// let partials = kinematics::acceleration_derivatives(&robot, &state, wheel, &rim, &[0.0])?;
/// assert_eq!(partials.da_dv[(3, 0)], -3.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "getFrameAccelerationDerivatives")]
pub fn acceleration_derivatives(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    ddq: &[f64],
) -> Result<AccelerationDerivatives> {
    state.check_robot(robot)?;
    check("acceleration", robot, ddq)?;
    let [_, da_dq, da_dv, da_da] = partials(robot, state, link, p_link, ddq);
    Ok(AccelerationDerivatives {
        da_dq,
        da_dv,
        da_da,
    })
}

/// Time derivative of the [`com_jacobian`](super::com_jacobian) at the velocity of the state, 3 × n in world axes;
/// zero for a robot without mass.
///
/// It is also the derivative of [`com_velocity`](super::com_velocity) by the configuration, because a position has
/// symmetric second derivatives.
#[must_use]
pub fn com_jacobian_dot(robot: &Robot, state: &State) -> Matrix3xX<f64> {
    let n = robot.n_dofs();
    let mass = total_mass(robot);
    let mut out = Matrix3xX::zeros(n);
    if mass <= 0.0 {
        return out;
    }
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    let p_w = bodies.first().map_or([0.0; 3], kernel::Frame::origin);
    let mut composites = Composites::new(tree);
    composites.gather(tree, bodies, state.velocity(), p_w);
    let mut columns = vec![[0.0; 6]; n];
    composites.momentum_columns_dot([0.0; 3], &mut columns);
    for (k, [_, _, _, force @ ..]) in columns.iter().enumerate() {
        out.set_column(k, &(nalgebra::Vector3::from(*force) / mass));
    }
    out
}

/// The derivatives of the velocity by q, and of the acceleration by q, dq and ddq.
fn partials(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    ddq: &[f64],
) -> [Matrix6xX<f64>; 4] {
    let mut out = std::array::from_fn(|_| Matrix6xX::zeros(robot.n_dofs()));
    let [a, b, c, d] = &mut out;
    kernel::point_derivatives(
        robot.tree(),
        state.bodies(robot),
        robot.attachment(link).body,
        world_position(robot, state, link, p_link).coords.into(),
        state.velocity(),
        ddq,
        &mut PointPartials {
            dv_dq: a.as_mut_slice().as_chunks_mut().0,
            da_dq: b.as_mut_slice().as_chunks_mut().0,
            da_dv: c.as_mut_slice().as_chunks_mut().0,
            da_da: d.as_mut_slice().as_chunks_mut().0,
        },
    );
    out
}
