//! Gravity forces of a robot at rest, by the names that robotics courses use.

use super::gravity_forces;
use crate::kinematics::State;
use crate::math::Vector;
use crate::robot::Robot;

/// Generalised forces (n) of gravity on a robot: `Σ J_comᵀ m g` over the links, J of the centre of mass of each.
///
/// Equal to `−`[`gravity_forces`], the sign of Exudyn's `StaticTorques`. The [`holding_torque`] has the opposite sign.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mut cabin = LinkSpec::new("cabin", None, LinkMotion::Prismatic(Vector::z()));
/// cabin.inertia = Inertia { mass: 500.0, ..Inertia::zero() };
/// let mut lift = RobotBuilder::new("lift");
/// lift.add_link(cabin);
/// let lift = lift.build()?;
///
/// let (state, gravity) = (State::new(&lift), Vector::new(0.0, 0.0, -9.81));
/// assert_eq!(dynamics::static_torques(&lift, &state, &gravity), [-4905.0]);
/// assert_eq!(dynamics::holding_torque(&lift, &state, &gravity), [4905.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
#[doc(alias = "StaticTorques")]
pub fn static_torques(robot: &Robot, state: &State, gravity: &Vector) -> Vec<f64> {
    let mut out = gravity_forces(robot, state, gravity);
    for tau in &mut out {
        *tau = -*tau;
    }
    out
}

/// Motor forces (n) that keep a robot at rest: the [`gravity_forces`].
#[must_use]
pub fn holding_torque(robot: &Robot, state: &State, gravity: &Vector) -> Vec<f64> {
    gravity_forces(robot, state, gravity)
}
