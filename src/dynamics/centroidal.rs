//! Rate of the momentum about the centre of mass.

use nalgebra::Matrix6xX;

use super::Workspace;
use crate::kinematics::{self, State};
use crate::math::Wrench;
use crate::robot::Robot;

/// Time derivative `Ȧ` (6 × n) of the [`centroidal_momentum_matrix`](super::centroidal_momentum_matrix) at the velocity
/// of the state: angular rows first, world axes, about the moving centre of mass.
///
/// The rate of the momentum `h` about the centre of mass is `ḣ = A q̈ + Ȧ q̇`: Orin, Goswami, Lee (2013).
#[must_use]
#[doc(alias = "dccrba")]
pub fn centroidal_momentum_matrix_dot(robot: &Robot, state: &State) -> Matrix6xX<f64> {
    let mut out = Matrix6xX::zeros(robot.n_dofs());
    let ws = &mut Workspace::new(robot);
    centroidal_momentum_matrix_dot_into(robot, state, ws, &mut out);
    out
}

/// [`centroidal_momentum_matrix_dot`] without allocation.
///
/// # Panics
///
/// If `out` does not have one column per dof, or the workspace was made for a smaller robot.
pub fn centroidal_momentum_matrix_dot_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut Matrix6xX<f64>,
) {
    let n = robot.n_dofs();
    assert_eq!(out.ncols(), n, "one column per dof");
    let com = kinematics::com(robot, state).coords;
    let (tree, bodies, dq) = (robot.tree(), state.bodies(robot), state.velocity());
    ws.composites.gather(tree, bodies, dq, com.into());
    let com_velocity = kinematics::com_velocity(robot, state);
    let (columns, _) = out.as_mut_slice().as_chunks_mut::<6>();
    ws.composites
        .momentum_columns_dot(com_velocity.into(), columns);
}

/// Rate `Ȧ q̇` of the momentum about the centre of mass at zero acceleration; angular N·m, linear N, world axes.
///
/// # Examples
///
/// ```
/// use kinworld::{Robot, State, dynamics};
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/arm6.urdf");
/// let robot = Robot::load(file)?.value;
///
/// // zero at rest
/// let bias = dynamics::centroidal_momentum_bias(&robot, &State::new(&robot));
/// assert_eq!(bias.force.norm(), 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn centroidal_momentum_bias(robot: &Robot, state: &State) -> Wrench {
    let matrix = centroidal_momentum_matrix_dot(robot, state);
    let dq = nalgebra::DVectorView::from_slice(state.velocity(), robot.n_dofs());
    Wrench::from(matrix * dq)
}
