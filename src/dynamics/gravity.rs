//! Derivative of the gravity forces with respect to the configuration.

use nalgebra::DMatrix;

use super::Workspace;
use crate::kernel;
use crate::kinematics::State;
use crate::math::Vector;
use crate::robot::Robot;

/// Derivative `∂G/∂q` (n × n) of the [`gravity_forces`](super::gravity_forces).
///
/// It is the second derivative of the [`potential_energy`](super::potential_energy), and so symmetric: the stiffness of
/// gravity, positive definite at a stable equilibrium. O(n d) with the depth d of the tree.
#[must_use]
#[doc(alias = "computeGeneralizedGravityDerivatives")]
pub fn gravity_forces_derivative(robot: &Robot, state: &State, gravity: &Vector) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(robot.n_dofs(), robot.n_dofs());
    let ws = &mut Workspace::new(robot);
    gravity_forces_derivative_into(robot, state, gravity, ws, &mut out);
    out
}

/// [`gravity_forces_derivative`] without allocation.
///
/// # Panics
///
/// If `out` is not n × n, or the workspace was made for a smaller robot.
pub fn gravity_forces_derivative_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) {
    let n = robot.n_dofs();
    assert_eq!(out.shape(), (n, n), "a row and a column per dof");
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    let columns = &mut ws.moments[..n];
    kernel::first_moment_jacobian(tree, bodies, columns);

    // U = −g · Σ m c
    let up = (-gravity).into();
    kernel::first_moment_curvature(tree, bodies, columns, up, out.as_mut_slice());
}
