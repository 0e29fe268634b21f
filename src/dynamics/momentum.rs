//! Linear and angular momentum of the whole robot.

use nalgebra::Matrix6xX;

use super::Workspace;
use crate::kernel;
use crate::kinematics::{self, State};
use crate::math::{Point, Vector, Wrench};
use crate::robot::Robot;

/// The momentum of the robot in world axes: angular about the world point `p_w`, kg·m²/s, and linear, kg·m/s.
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
        state.bodies(),
        state.velocity(),
        p_w.coords.into(),
        &mut ws.velocities,
    );
    Wrench::new(sum.moment.into(), sum.force.into())
}

/// The linear momentum of the robot in world axes, kg·m/s.
#[must_use]
pub fn linear_momentum(robot: &Robot, state: &State) -> Vector {
    momentum(robot, state, &Point::origin()).force
}

/// The angular momentum of the robot about its centre of mass in world axes, kg·m²/s.
///
/// What the links have by moving around the centre of mass counts as much as what they have by turning; Klampt's
/// `getAngularMomentum` leaves the former out.
#[must_use]
pub fn angular_momentum(robot: &Robot, state: &State) -> Vector {
    momentum(robot, state, &kinematics::com(robot, state)).moment
}

/// The matrix `A` (6 × n) that makes `A q̇` the momentum about the centre of mass: angular rows first, world axes.
///
/// Orin, Goswami, Lee (2013): centroidal dynamics of a humanoid robot.
#[must_use]
pub fn centroidal_momentum_matrix(robot: &Robot, state: &State) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(robot.n_dofs());
    centroidal_momentum_matrix_into(robot, state, &mut Workspace::new(robot), &mut out);
    out
}

/// [`centroidal_momentum_matrix`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per coordinate, or the workspace was made for a smaller robot.
pub fn centroidal_momentum_matrix_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut Matrix6xX<f64>,
) {
    assert_eq!(out.ncols(), robot.n_dofs(), "one column per coordinate");
    let com = kinematics::com(robot, state);
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<6>();
    kernel::momentum_columns(
        robot.tree(),
        state.bodies(),
        com.coords.into(),
        &mut ws.crba,
        columns,
    );
}
