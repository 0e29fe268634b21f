//! How velocities and accelerations change with the motion.

use nalgebra::{Matrix3xX, Matrix6xX};

use super::State;
use super::com::total_mass;
use super::place::world_position;
use super::state::check;
use crate::Result;
use crate::kernel::{self, Composites, PointPartials};
use crate::math::Point;
use crate::robot::{LinkId, Robot};

/// The partial derivatives of a velocity: 6 × n each, angular rows first, world axes.
#[derive(Debug, Clone, PartialEq)]
pub struct VelocityDerivatives {
    /// By configuration.
    pub by_config: Matrix6xX<f64>,
    /// By velocity: the [`jacobian`](super::jacobian).
    pub by_velocity: Matrix6xX<f64>,
}

/// The partial derivatives of an acceleration: 6 × n each, angular rows first, world axes.
#[derive(Debug, Clone, PartialEq)]
pub struct AccelerationDerivatives {
    /// By configuration.
    pub by_config: Matrix6xX<f64>,
    /// By velocity.
    pub by_velocity: Matrix6xX<f64>,
    /// By acceleration: the [`jacobian`](super::jacobian).
    pub by_acceleration: Matrix6xX<f64>,
}

/// How [`angular_velocity`](super::angular_velocity) of `link` and [`point_velocity`](super::point_velocity) of a point
/// fixed to it change with configuration and velocity, each with the other held.
///
/// Rows of the point by configuration are those of [`jacobian_dot`](super::jacobian_dot): a position has symmetric
/// second derivatives. Those of the angular velocity are not.
#[must_use]
pub fn velocity_derivatives(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
) -> VelocityDerivatives {
    let at_rest = vec![0.0; robot.n_dofs()];
    let [by_config, _, _, by_velocity] = slopes(robot, state, link, p_link, &at_rest);
    VelocityDerivatives {
        by_config,
        by_velocity,
    }
}

/// How [`angular_acceleration`](super::angular_acceleration) of `link` and
/// [`point_acceleration`](super::point_acceleration) of a point fixed to it change with configuration, velocity and
/// acceleration, each with the others held.
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
/// // a point of the rim is pulled inwards with r ω²: twice r ω more for each rad/s
/// let rim = Point::new(0.5, 0.0, 0.0);
/// let slopes = kinematics::acceleration_derivatives(&robot, &state, wheel, &rim, &[0.0])?;
/// assert_eq!(slopes.by_velocity[(3, 0)], -3.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn acceleration_derivatives(
    robot: &Robot,
    state: &State,
    link: LinkId,
    p_link: &Point,
    ddq: &[f64],
) -> Result<AccelerationDerivatives> {
    check("acceleration", robot, ddq)?;
    let [_, by_config, by_velocity, by_acceleration] = slopes(robot, state, link, p_link, ddq);
    Ok(AccelerationDerivatives {
        by_config,
        by_velocity,
        by_acceleration,
    })
}

/// The rate of the [`com_jacobian`](super::com_jacobian) at the velocity of the state, 3 × n in world axes; zero for a
/// robot without mass.
///
/// It is also how [`com_velocity`](super::com_velocity) changes with the configuration: a position has symmetric second
/// derivatives.
#[must_use]
pub fn com_jacobian_dot(robot: &Robot, state: &State) -> Matrix3xX<f64> {
    let n = robot.n_dofs();
    let mass = total_mass(robot);
    let mut out = Matrix3xX::zeros(n);
    if mass <= 0.0 {
        return out;
    }
    let (tree, bodies) = (robot.tree(), state.bodies());
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

/// Of the velocity by configuration; of the acceleration by configuration, velocity and itself.
fn slopes(
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
        state.bodies(),
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
