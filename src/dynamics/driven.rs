//! Dynamics in the dofs of the drivers: gears, mimic joints, welds.

use nalgebra::DMatrix;

use super::inverse::generalised_forces;
use super::mass_matrix::mass_matrix_rows;
use super::{Loads, Workspace};
use crate::kinematics::{DriverDof, DriverSpace, State, check_length, check_values};
use crate::math::Vector;
use crate::robot::Robot;
use crate::{Error, Result};

/// Mass matrix `Sᵀ M S` (m × m) in the dofs of the drivers.
///
/// With `q = S y + q₀` and a constant `S`, `(Sᵀ M S) ÿ + Sᵀ (C q̇ + G) = Sᵀ τ`, where the state of the robot has
/// `q̇ = S ẏ`. The constraint forces of the drivers do no work and drop out.
///
/// # Panics
///
/// If the space is that of a robot of another size.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::DriverSpace;
/// use kinworld::math::Inertia;
/// use kinworld::robot::{DriverKind, LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector, dynamics};
///
/// // one motor opens both fingers
/// let mut gripper = RobotBuilder::new("gripper");
/// let mut fingers = Vec::new();
/// for name in ["left", "right"] {
///     let mut finger = LinkSpec::new(name, None, LinkMotion::Prismatic(Vector::x()));
///     finger.inertia = Inertia { mass: 0.1, ..Inertia::zero() };
///     fingers.push(gripper.add_link(finger));
/// }
/// let kind = DriverKind::Affine { links: fingers, scale: vec![1.0, -1.0], offset: vec![0.0; 2] };
/// gripper.add_driver("open", kind, None);
/// let gripper = gripper.build()?;
/// let (state, space) = (State::new(&gripper), DriverSpace::new(&gripper));
///
/// let m = dynamics::driver_mass_matrix(&gripper, &state, &space);
/// assert_eq!(m.as_slice(), [0.2]);
/// let ddy = dynamics::driver_forward_dynamics(&gripper, &state, &Vector::zeros(), &space, &[1.0])?;
/// assert!((ddy[0] - 5.0).abs() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
pub fn driver_mass_matrix(robot: &Robot, state: &State, space: &DriverSpace) -> DMatrix<f64> {
    let mut out = DMatrix::zeros(space.len(), space.len());
    driver_mass_matrix_into(robot, state, space, &mut Workspace::new(robot), &mut out);
    out
}

/// [`driver_mass_matrix`] without allocation.
///
/// # Panics
///
/// As [`driver_mass_matrix`], if `out` is not m × m, or the workspace was made for a smaller robot.
pub fn driver_mass_matrix_into(
    robot: &Robot,
    state: &State,
    space: &DriverSpace,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) {
    let m = space.len();
    assert_eq!(out.shape(), (m, m), "a row and a column per driver dof");
    project(robot, state, space, ws, out.as_mut_slice());
    out.fill_lower_triangle_with_upper_triangle();
}

/// Driver forces (m) for the driver accelerations `ddy`: `(Sᵀ M S) ÿ + Sᵀ (C q̇ + G − Σ Jᵀ f)`.
///
/// # Errors
///
/// [`Error::Length`]; [`Error::Invalid`] for a number that is not finite or a wrench on a link that does not exist.
///
/// # Panics
///
/// As [`driver_mass_matrix`].
pub fn driver_inverse_dynamics<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    space: &DriverSpace,
    ddy: &[f64],
) -> Result<Vec<f64>> {
    state.check_robot(robot)?;
    let (mut ws, mut out) = (Workspace::new(robot), vec![0.0; space.len()]);
    driver_inverse_dynamics_into(robot, state, loads, space, ddy, &mut ws, &mut out)?;
    Ok(out)
}

/// [`driver_inverse_dynamics`] without allocation.
///
/// # Errors
///
/// As [`driver_inverse_dynamics`], also where `out` does not have one value per driver dof; nothing is written then.
///
/// # Panics
///
/// As [`driver_inverse_dynamics`], or if the workspace was made for a smaller robot.
pub fn driver_inverse_dynamics_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    space: &DriverSpace,
    ddy: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    state.check_robot(robot)?;
    let (loads, n) = (loads.into(), robot.n_dofs());
    loads.check(robot)?;
    check_length("output", space.len(), out)?;
    let Workspace {
        rnea,
        column,
        solved,
        ..
    } = ws;
    solved.resize(n, 0.0);
    space.velocity_into(ddy, solved)?;
    let (motion, tau) = ([state.velocity(), solved], &mut column[..n]);
    generalised_forces(robot, state, motion, &loads, rnea, tau);
    space.forces_into(tau, out);
    Ok(())
}

/// Driver forces (m) for zero acceleration: `Sᵀ (C q̇ + G)`.
///
/// # Panics
///
/// As [`driver_mass_matrix`].
#[must_use]
pub fn driver_bias_forces(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    space: &DriverSpace,
) -> Vec<f64> {
    let mut out = vec![0.0; space.len()];
    space.forces_into(&super::bias_forces(robot, state, gravity), &mut out);
    out
}

/// Driver accelerations `ÿ` (m) under the driver forces `u`.
///
/// [`space.velocity(ÿ)`](DriverSpace::velocity) gives the accelerations of the robot's dofs, and
/// [`space.forces(τ)`](DriverSpace::forces) the driver forces of forces on those. Constraint forces of the drivers are
/// not computed.
///
/// # Errors
///
/// [`Error::Length`]; [`Error::Invalid`] for a number that is not finite, a wrench on a link that does not exist, or
/// naming the driver or the link of a [singular dof](super#singular-dofs).
///
/// # Panics
///
/// As [`driver_mass_matrix`].
pub fn driver_forward_dynamics<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    space: &DriverSpace,
    u: &[f64],
) -> Result<Vec<f64>> {
    state.check_robot(robot)?;
    let (mut ws, mut out) = (Workspace::new(robot), vec![0.0; space.len()]);
    driver_forward_dynamics_into(robot, state, loads, space, u, &mut ws, &mut out)?;
    Ok(out)
}

/// [`driver_forward_dynamics`] without allocation, once the workspace has been used with this space.
///
/// # Errors
///
/// As [`driver_forward_dynamics`], also where `out` does not have one value per driver dof; the contents of `out` are then
/// unspecified.
///
/// # Panics
///
/// As [`driver_forward_dynamics`], or if the workspace was made for a smaller robot.
pub fn driver_forward_dynamics_into<'a>(
    robot: &Robot,
    state: &State,
    loads: impl Into<Loads<'a>>,
    space: &DriverSpace,
    u: &[f64],
    ws: &mut Workspace,
    out: &mut [f64],
) -> Result<()> {
    state.check_robot(robot)?;
    let loads = loads.into();
    loads.check(robot)?;
    check_values("driver forces", space.len(), u)?;
    check_length("output", space.len(), out)?;
    factorize(robot, state, space, ws)?;
    let Workspace {
        rnea,
        column,
        rest,
        gram,
        ..
    } = ws;
    let (motion, tau) = ([state.velocity(), rest], &mut column[..robot.n_dofs()]);
    generalised_forces(robot, state, motion, &loads, rnea, tau);
    space.forces_into(tau, out);
    for (out, u) in out.iter_mut().zip(u) {
        *out = u - *out;
    }
    gram.solve(out);
    Ok(())
}

/// Inverse (m × m) of the [`driver_mass_matrix`].
///
/// # Errors
///
/// As [`driver_forward_dynamics`].
///
/// # Panics
///
/// As [`driver_mass_matrix`].
pub fn driver_mass_matrix_inverse(
    robot: &Robot,
    state: &State,
    space: &DriverSpace,
) -> Result<DMatrix<f64>> {
    state.check_robot(robot)?;
    let (mut ws, m) = (Workspace::new(robot), space.len());
    factorize(robot, state, space, &mut ws)?;
    let mut out = DMatrix::identity(m, m);
    for mut column in out.column_iter_mut() {
        ws.gram.solve(column.as_mut_slice());
    }

    // both triangles are exact to rounding; make them equal
    out.fill_lower_triangle_with_upper_triangle();
    Ok(out)
}

/// Factorises `Sᵀ M S` in `ws.gram`.
fn factorize(robot: &Robot, state: &State, space: &DriverSpace, ws: &mut Workspace) -> Result<()> {
    let mut gram = std::mem::take(&mut ws.gram);
    project(robot, state, space, ws, gram.cleared(space.len()));
    ws.gram = gram;
    ws.gram.factorize("mass matrix of the drivers", ROUNDING)?;
    let Some(row) = ws.gram.dependent_row() else {
        return Ok(());
    };
    let what = match space.dofs()[row] {
        DriverDof::Driver(d) => format!("driver `{}`", robot.drivers()[d].name),
        DriverDof::Dof(dof) => {
            format!("link `{}`", robot.link(robot.dofs()[dof.index()]).name())
        }
    };
    Err(Error::invalid(
        what,
        "its dof has no inertia here, so that its acceleration is undefined; what it moves needs a mass, an axis, and a \
         direction of motion that no other dof has",
    ))
}

/// Writes the upper triangle of `Sᵀ M S`, column-major.
fn project(robot: &Robot, state: &State, space: &DriverSpace, ws: &mut Workspace, out: &mut [f64]) {
    let (n, m) = (robot.n_dofs(), space.len());
    assert_eq!(space.offset().len(), n, "the space of this robot");
    let mass = &mut ws.matrix[..n * n];
    mass_matrix_rows(robot, state, &mut ws.mass, &mut ws.crba, mass);
    out.fill(0.0);
    for (i, row, a) in space.entries() {
        for (j, column, b) in space.entries() {
            if row <= column {
                out[column * m + row] += a * mass[i * n + j] * b;
            }
        }
    }
}

/// Remainder of a diagonal entry, relative, below which its dof counts as dependent on others; see `singular.rs`.
const ROUNDING: f64 = 1e-13;
