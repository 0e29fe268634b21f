//! Mass matrix, its Cholesky factor and its inverse.

use nalgebra::DMatrix;

use super::Workspace;
use super::singular::check_resistance;
use crate::Result;
use crate::kernel::{self, Crba, single};
use crate::kinematics::State;
use crate::math::Simd;
use crate::robot::Robot;

/// Mass matrix `M(q)` (n × n), symmetric: the kinetic energy is `½ q̇ᵀ M q̇`.
///
/// Composite-rigid-body algorithm, O(n d) with the depth d of the tree: Featherstone (2008), table 6.2. Entries of two
/// dofs on different branches are zero.
///
/// # Examples
///
/// ```
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// let mass = |mass| Inertia { mass, ..Inertia::zero() };
/// let mut crane = RobotBuilder::new("crane");
/// let mut bridge = LinkSpec::new("bridge", None, LinkMotion::Prismatic(Vector::x()));
/// bridge.inertia = mass(300.0);
/// let bridge = crane.add_link(bridge);
/// let mut hook = LinkSpec::new("hook", Some(bridge), LinkMotion::Prismatic(Vector::z()));
/// hook.inertia = mass(50.0);
/// crane.add_link(hook);
/// let crane = crane.build()?;
///
/// // the mass of the hook adds to that of the bridge
/// let m = dynamics::mass_matrix(&crane, &State::new(&crane));
/// assert_eq!(m.as_slice(), [350.0, 0.0, 0.0, 50.0]);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
#[doc(alias = "crba")]
#[doc(alias = "getMassMatrix")]
#[doc(alias = "mj_crb")]
#[doc(alias = "mj_fullM")]
pub fn mass_matrix(robot: &Robot, state: &State) -> DMatrix<f64> {
    let mut out = zeros(robot);
    mass_matrix_into(robot, state, &mut Workspace::new(robot), &mut out);
    out
}

/// [`mass_matrix`] without allocation.
///
/// # Panics
///
/// If `out` is not n × n, or the workspace was made for a smaller robot.
pub fn mass_matrix_into(robot: &Robot, state: &State, ws: &mut Workspace, out: &mut DMatrix<f64>) {
    assert_shape(robot, out);
    mass_matrix_rows(robot, state, &mut ws.mass, &mut ws.crba, out.as_mut_slice());
}

/// The lower triangle of the [`mass_matrix`], diagonal included, for factorisations that read no more, such as
/// [`nalgebra::Cholesky`]; above the diagonal `out` is unspecified. Without allocation.
///
/// # Panics
///
/// If `out` is not n × n, or the workspace was made for a smaller robot.
///
/// # Examples
///
/// ```
/// use kinworld::{Robot, State, dynamics};
/// use nalgebra::{Cholesky, DMatrix, DVector};
///
/// let robot = Robot::load("data/robots/arm6.urdf")?.value;
/// let (state, mut ws) = (State::new(&robot), dynamics::Workspace::new(&robot));
/// let mut lower = DMatrix::zeros(6, 6);
/// dynamics::mass_matrix_lower_into(&robot, &state, &mut ws, &mut lower);
/// let factor = Cholesky::new(lower).expect("positive definite");
/// let ddq = factor.solve(&DVector::repeat(6, 1.0));
/// let tau = dynamics::mass_matrix(&robot, &state) * ddq;
/// assert!(tau.iter().all(|tau| (tau - 1.0).abs() < 1e-9));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn mass_matrix_lower_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) {
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    if !tree.has_ancestor_tiles() {
        return mass_matrix_into(robot, state, ws, out);
    }
    assert_shape(robot, out);
    ws.mass.lower_half(tree, bodies, out.as_mut_slice());
}

/// Cholesky factor `L` (n × n, lower triangular) with `M = Lᵀ L`: row `i` is non-zero only at `i` and its ancestors.
///
/// The factor of `M = L Lᵀ` is less sparse, and not the same. Featherstone (2008), table 6.3.
///
/// # Errors
///
/// [`Error::Invalid`](crate::Error::Invalid), naming the link of a [singular dof](super#singular-dofs).
pub fn mass_matrix_cholesky(robot: &Robot, state: &State) -> Result<DMatrix<f64>> {
    state.check_robot(robot)?;
    let mut out = zeros(robot);
    mass_matrix_cholesky_into(robot, state, &mut Workspace::new(robot), &mut out)?;
    Ok(out)
}

/// [`mass_matrix_cholesky`] without allocation.
///
/// # Errors
///
/// As [`mass_matrix_cholesky`]; `out` is unchanged.
///
/// # Panics
///
/// If `out` is not n × n, or the workspace was made for a smaller robot.
pub fn mass_matrix_cholesky_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) -> Result<()> {
    state.check_robot(robot)?;
    assert_shape(robot, out);
    let rows = factors(robot, state, ws)?;
    out.fill(0.0);
    for (i, row) in rows.chunks_exact(robot.n_dofs().max(1)).enumerate() {
        let root = row[i].sqrt();
        for j in robot.tree().chain(Some(i)) {
            out[(i, j)] = if j == i { root } else { root * row[j] };
        }
    }
    Ok(())
}

/// Inverse of the [`mass_matrix`] (n × n).
///
/// To solve for one vector, [`forward_dynamics`](super::forward_dynamics) is faster.
///
/// O(n²): Carpentier (2018), "Analytical inverse of the joint space inertia matrix"; where branches are short, as in most
/// robots of up to 40 dofs, by factors as sparse as the tree: Featherstone (2008), table 6.3.
///
/// # Errors
///
/// As [`mass_matrix_cholesky`].
#[doc(alias = "computeMinverse")]
#[doc(alias = "getMassMatrixInv")]
pub fn mass_matrix_inverse(robot: &Robot, state: &State) -> Result<DMatrix<f64>> {
    state.check_robot(robot)?;
    let mut out = zeros(robot);
    mass_matrix_inverse_into(robot, state, &mut Workspace::new(robot), &mut out)?;
    Ok(out)
}

/// [`mass_matrix_inverse`] without allocation.
///
/// # Errors
///
/// As [`mass_matrix_cholesky`]; `out` is unchanged.
///
/// # Panics
///
/// If `out` is not n × n, or the workspace was made for a smaller robot.
pub fn mass_matrix_inverse_into(
    robot: &Robot,
    state: &State,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) -> Result<()> {
    state.check_robot(robot)?;
    assert_shape(robot, out);
    let tree = robot.tree();
    if !tree.ball_joints().is_empty() {
        let rows = factors(robot, state, ws)?;
        kernel::invert(tree, rows, out.as_mut_slice());
        return Ok(());
    }
    if tree.has_short_branches() {
        ws.inverse
            .factorize(tree, state.bodies(robot), &mut ws.mass);
        check_resistance(robot, ws.inverse.effective_inertias(tree))?;
        ws.inverse.write(tree, out.as_mut_slice());
        return Ok(());
    }
    let (simd, inverse) = (Simd::chosen(), ws.derivatives.mass_inverse());
    inverse.factorize(simd, tree, state.bodies(robot));
    check_resistance(robot, inverse.effective_inertias(tree))?;
    inverse.write(simd, tree, out.as_mut_slice());
    Ok(())
}

/// `L` and `D` of the mass matrix, row-major, see [`kernel::factorize`].
pub(super) fn factors<'w>(
    robot: &Robot,
    state: &State,
    ws: &'w mut Workspace,
) -> Result<&'w [f64]> {
    state.check_robot(robot)?;
    let (tree, n) = (robot.tree(), robot.n_dofs());
    let (rows, stiff) = (&mut ws.matrix[..n * n], &mut ws.column[..n]);
    mass_matrix_rows(robot, state, &mut ws.mass, &mut ws.crba, rows);
    for i in 0..n {
        stiff[i] = rows[i * n + i];
    }
    kernel::factorize(tree, rows);
    check_resistance(robot, (0..n).map(|i| (rows[i * n + i], stiff[i])))?;
    Ok(rows)
}

/// Writes the mass matrix, row-major.
pub(super) fn mass_matrix_rows(
    robot: &Robot,
    state: &State,
    mass: &mut single::Crba,
    crba: &mut Crba<f64>,
    out: &mut [f64],
) {
    let (tree, bodies) = (robot.tree(), state.bodies(robot));
    if tree.has_ancestor_tiles() {
        mass.mass_matrix(tree, bodies, out);
    } else {
        kernel::crba(tree, bodies, crba, out);
    }
}

fn zeros(robot: &Robot) -> DMatrix<f64> {
    DMatrix::zeros(robot.n_dofs(), robot.n_dofs())
}

#[track_caller]
#[inline]
fn assert_shape(robot: &Robot, out: &DMatrix<f64>) {
    let n = robot.n_dofs();
    assert_eq!(out.shape(), (n, n), "a row and a column per dof");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::Tree;
    use crate::math::{Inertia, Vector};
    use crate::robot::{LinkMotion, LinkSpec, RobotBuilder};

    /// Arms of three revolute links with different axes, side by side on a cart.
    fn arms(links: usize) -> Robot {
        let mut robot = RobotBuilder::new("arms");
        let mut cart = LinkSpec::new("cart", None, LinkMotion::Prismatic(Vector::x()));
        cart.inertia.mass = 50.0;
        let cart = robot.add_link(cart);
        let mut last = cart;
        for k in 1..links {
            let parent = if k % 3 == 1 { cart } else { last };
            let axis = [Vector::x(), Vector::y(), Vector::z()][k % 3];
            let motion = LinkMotion::Revolute(axis);
            let mut link = LinkSpec::new(format!("link {k}"), Some(parent), motion);
            link.inertia = Inertia {
                mass: 1.0,
                com: [0.1, 0.2, 0.3].into(),
                moment: nalgebra::Matrix3::identity(),
            };
            last = robot.add_link(link);
        }
        robot.build().expect("a robot")
    }

    #[test]
    fn robots_with_more_dofs_than_mask_bits_are_supported() {
        let large = arms(Tree::MAX_MASKED_BODIES + 5);
        let small = arms(11);
        let mut ws = Workspace::new(&large);
        for robot in [&large, &small] {
            let n = robot.n_dofs();
            let state = State::new(robot);
            let (mut mass, mut inverse) = (zeros(robot), zeros(robot));
            mass_matrix_into(robot, &state, &mut ws, &mut mass);
            mass_matrix_inverse_into(robot, &state, &mut ws, &mut inverse).expect("masses");
            let error = (mass * inverse - DMatrix::<f64>::identity(n, n)).amax();
            assert!(error < 1e-12, "{n} dofs: {error:e}");
        }
    }

    #[test]
    fn tiles_of_large_trees_hold_the_recursion_up_each_branch() {
        for links in [150, 301] {
            let robot = arms(links);
            let mut state = State::new(&robot);
            let q: Vec<f64> = (0..links).map(|i| (i as f64).sin()).collect();
            state.set_config(&robot, &q).expect("a configuration");
            let mut expected = zeros(&robot);
            let (tree, bodies) = (robot.tree(), state.bodies(&robot));
            kernel::crba(tree, bodies, &mut Crba::new(tree), expected.as_mut_slice());
            let error = (mass_matrix(&robot, &state) - &expected).amax();
            assert!(error < 1e-13 * expected.amax(), "{links} links: {error:e}");
        }
    }
}
