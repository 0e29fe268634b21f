//! Kinetic and potential energy.

use super::Workspace;
use crate::kernel;
use crate::kinematics::{self, State};
use crate::math::Vector;
use crate::robot::Robot;

/// Kinetic energy of the robot, J: `½ q̇ᵀ M q̇`.
#[must_use]
#[doc(alias = "computeKineticEnergy")]
#[doc(alias = "getKineticEnergy")]
pub fn kinetic_energy(robot: &Robot, state: &State) -> f64 {
    kinetic_energy_with(robot, state, &mut Workspace::new(robot))
}

/// [`kinetic_energy`] without allocation.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
#[must_use]
pub fn kinetic_energy_with(robot: &Robot, state: &State, ws: &mut Workspace) -> f64 {
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    kernel::kinetic_energy(tree, bodies, state.velocity(), &mut ws.velocities)
}

/// Potential energy of all links, J: `U = −m g · c`, zero where the centre of mass is at the world's origin.
#[must_use]
#[doc(alias = "computePotentialEnergy")]
pub fn potential_energy(robot: &Robot, state: &State, gravity: &Vector) -> f64 {
    let com = kinematics::com(robot, state);
    -kinematics::total_mass(robot) * gravity.dot(&com.coords)
}
