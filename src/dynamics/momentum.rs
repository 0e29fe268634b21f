//! Linear and angular momentum of the whole robot.

use nalgebra::Matrix6xX;

use super::Workspace;
use crate::kernel;
use crate::kinematics::{self, State};
use crate::math::{Point, Vector, Wrench};
use crate::robot::Robot;

/// Momentum of the robot in world axes: angular about the world point `p_w`, kg·m²/s, and linear, kg·m/s.
#[must_use]
pub fn momentum(robot: &Robot, state: &State, p_w: &Point) -> Wrench {
    momentum_with(robot, state, p_w, &mut Workspace::new(robot))
}

/// [`momentum`] without allocation.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
#[must_use]
pub fn momentum_with(robot: &Robot, state: &State, p_w: &Point, ws: &mut Workspace) -> Wrench {
    let sum = kernel::momentum(
        robot.tree(),
        state.bodies(robot),
        state.velocity(),
        p_w.coords.into(),
        &mut ws.velocities,
    );
    Wrench {
        moment: sum.moment.into(),
        force: sum.force.into(),
    }
}

/// Linear momentum of the robot in world axes, kg·m/s.
#[must_use]
#[doc(alias = "getLinearMomentum")]
pub fn linear_momentum(robot: &Robot, state: &State) -> Vector {
    momentum(robot, state, &Point::origin()).force
}

/// Angular momentum of the robot about its centre of mass in world axes, kg·m²/s.
///
/// Includes the orbital part, of links that move around the centre of mass, which Klampt's `getAngularMomentum` leaves
/// out.
#[must_use]
#[doc(alias = "getAngularMomentum")]
pub fn angular_momentum(robot: &Robot, state: &State) -> Vector {
    momentum(robot, state, &kinematics::com(robot, state)).moment
}

/// Centroidal momentum matrix `A` (6 × n): `A q̇` is the momentum about the centre of mass; angular rows first, world
/// axes.
///
/// Orin, Goswami, Lee (2013): centroidal dynamics of a humanoid robot.
#[must_use]
#[doc(alias = "ccrba")]
#[doc(alias = "computeCentroidalMap")]
pub fn centroidal_momentum_matrix(robot: &Robot, state: &State) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(robot.n_dofs());
    centroidal_momentum_matrix_into(robot, state, &mut Workspace::new(robot), &mut out);
    out
}

/// [`centroidal_momentum_matrix`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per dof, or the workspace was made for a smaller robot.
pub fn centroidal_momentum_matrix_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut Matrix6xX<f64>,
) {
    assert_eq!(out.ncols(), robot.n_dofs(), "one column per dof");
    let com = kinematics::com(robot, state);
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<6>();
    kernel::momentum_columns(
        robot.tree(),
        state.bodies(robot),
        com.coords.into(),
        &mut ws.crba,
        columns,
    );
}
