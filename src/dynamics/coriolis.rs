//! The Coriolis matrix, and the rate and the partial derivatives of the mass matrix.

use nalgebra::DMatrix;

use super::Workspace;
use crate::kernel::{self, Coriolis, add_ball_mass_derivative};
use crate::kinematics::State;
use crate::math::Simd;
use crate::robot::{DofId, Robot};

/// Coriolis matrix `C(q, q̇)` (n × n) from the Christoffel symbols: `C q̇` are the
/// [`coriolis_forces`](super::coriolis_forces).
///
/// Many matrices give the same forces. This one is
///
/// ```text
/// C_ij = ½ Σ_k (∂M_ij/∂q_k + ∂M_ik/∂q_j − ∂M_jk/∂q_i) q̇_k
/// ```
///
/// linear in `q̇`, with `Ṁ − 2 C` skew-symmetric and `Ṁ = C + Cᵀ`, as passivity-based and adaptive control require.
/// Klampt's `getCoriolisForceMatrix` is the same matrix, but wrong for prismatic links below revolute ones. Computed as
/// half the derivative of the Coriolis forces with respect to velocity, O(n d) with the depth d of the tree: Echeandia, Wensing (2021).
///
/// # Examples
///
/// ```
/// use kinworld::{Robot, State, dynamics};
/// # let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/robots/arm6.urdf");
/// let robot = Robot::load(file)?.value;
/// let mut state = State::new(&robot);
/// state.set_velocity(&robot, &[0.1, 0.2, -0.3, 0.4, -0.5, 0.6])?;
///
/// let c = dynamics::coriolis_matrix(&robot, &state);
/// let m_dot = dynamics::mass_matrix_dot(&robot, &state);
/// let skew = m_dot - 2.0 * c;
/// assert!((&skew + skew.transpose()).amax() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
#[doc(alias = "computeCoriolisMatrix")]
#[doc(alias = "getCoriolisForceMatrix")]
pub fn coriolis_matrix(robot: &Robot, state: &State) -> DMatrix<f64> {
    let mut out = zeros(robot);
    coriolis_matrix_into(robot, state, &mut Workspace::new(robot), &mut out);
    out
}

/// [`coriolis_matrix`] without allocation.
///
/// # Panics
///
/// If `out` is not n × n, or the workspace was made for a smaller robot.
pub fn coriolis_matrix_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) {
    assert_shape(robot, out);
    Simd::chosen().run(Coriolis {
        tree: robot.tree(),
        bodies: state.bodies(robot),
        dq: state.velocity(),
        scratch: &mut ws.derivatives,
        out: out.as_mut_slice(),
    });
}

/// Time derivative `Ṁ` (n × n) of the [`mass_matrix`](super::mass_matrix) at the velocity of the state: `C + Cᵀ` with
/// the [`coriolis_matrix`].
#[must_use]
#[doc(alias = "getMassMatrixTimeDeriv")]
pub fn mass_matrix_dot(robot: &Robot, state: &State) -> DMatrix<f64> {
    let mut out = zeros(robot);
    mass_matrix_dot_into(robot, state, &mut Workspace::new(robot), &mut out);
    out
}

/// [`mass_matrix_dot`] without allocation.
///
/// # Panics
///
/// As [`coriolis_matrix_into`].
pub fn mass_matrix_dot_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) {
    coriolis_matrix_into(robot, state, ws, out);
    for i in 0..robot.n_dofs() {
        for j in 0..=i {
            let rate = out[(i, j)] + out[(j, i)];
            out[(i, j)] = rate;
            out[(j, i)] = rate;
        }
    }
}

/// Partial derivative `∂M/∂q_k` (n × n, symmetric) of the [`mass_matrix`](super::mass_matrix) with respect to one dof.
///
/// By composite bodies; see [`mass_matrix_derivatives`] for all dofs.
///
/// # Panics
///
/// If the dof belongs to a larger robot.
#[must_use]
#[doc(alias = "getMassMatrixDeriv")]
pub fn mass_matrix_derivative(robot: &Robot, state: &State, dof: DofId) -> DMatrix<f64> {
    let mut out = zeros(robot);
    mass_matrix_derivative_into(robot, state, dof, &mut Workspace::new(robot), &mut out);
    out
}

/// [`mass_matrix_derivative`] without allocation.
///
/// # Panics
///
/// If `out` is not n × n, the dof belongs to a larger robot, or the workspace was made for a smaller one.
pub fn mass_matrix_derivative_into(
    robot: &Robot,
    state: &State,
    dof: DofId,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) {
    assert_shape(robot, out);
    gather(robot, state, ws);
    let (tree, out) = (robot.tree(), out.as_mut_slice());
    ws.composites.mass_derivative(tree, dof.index(), out);
    add_ball_mass_derivative(tree, state.bodies(robot), dof.index(), out);
}

/// Partial derivatives `∂M/∂q_k` for each dof `k`: n matrices of n × n, of whose entries O(n d²) are not zero.
#[must_use]
pub fn mass_matrix_derivatives(robot: &Robot, state: &State) -> Vec<DMatrix<f64>> {
    let mut ws = Workspace::new(robot);
    gather(robot, state, &mut ws);
    let derivative = |k| {
        let mut out = zeros(robot);
        let (tree, numbers) = (robot.tree(), out.as_mut_slice());
        ws.composites.mass_derivative(tree, k, numbers);
        add_ball_mass_derivative(tree, state.bodies(robot), k, numbers);
        out
    };
    (0..robot.n_dofs()).map(derivative).collect()
}

/// Gathers the composite bodies at rest, about the origin of the first body.
fn gather(robot: &Robot, state: &State, ws: &mut Workspace) {
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    let p_w = bodies.first().map_or([0.0; 3], kernel::Frame::origin);
    ws.composites.gather(tree, bodies, &ws.rest, p_w);
}

fn zeros(robot: &Robot) -> DMatrix<f64> {
    DMatrix::zeros(robot.n_dofs(), robot.n_dofs())
}

#[track_caller]
fn assert_shape(robot: &Robot, out: &DMatrix<f64>) {
    let n = robot.n_dofs();
    assert_eq!(out.shape(), (n, n), "a row and a column per dof");
}
