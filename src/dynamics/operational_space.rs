//! Operational-space dynamics of a task, after Khatib.

use nalgebra::{DMatrix, DVector};

use super::inverse::generalised_forces;
use super::task::{Task, project};
use super::{Loads, Workspace};
use crate::kinematics::State;
use crate::math::Vector;
use crate::robot::Robot;
use crate::{Error, Result};

/// Operational-space dynamics along a task: `Λ ẍ + μ + p = F`, where `τ = Jᵀ F + Nᵀ τ₀`.
///
/// Khatib (1987): a unified approach for motion and force control of robot manipulators. With a damping, `Λ` is
/// `(J M⁻¹ Jᵀ + damping 1)⁻¹`, and so in everything derived from it.
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct TaskDynamics {
    /// Operational-space inertia `Λ = (J M⁻¹ Jᵀ)⁻¹` (k × k).
    pub inertia: DMatrix<f64>,
    /// Coriolis and centrifugal forces `μ = Λ (J M⁻¹ C q̇ − J̇ q̇)` (k).
    pub coriolis: DVector<f64>,
    /// Gravity forces `p = Λ J M⁻¹ G` (k), which hold the robot.
    pub gravity: DVector<f64>,
    /// Dynamically consistent inverse `J̄ = M⁻¹ Jᵀ Λ` (n × k): `J J̄ = 1`, and of all `q̇` with `J q̇ = ẋ`, `J̄ ẋ` has the
    /// least kinetic energy.
    pub inverse: DMatrix<f64>,
    /// Null-space projector `N = 1 − J̄ J` (n × n): forces `Nᵀ τ₀` do not accelerate the task, velocities `N q̇` do not
    /// move it.
    pub null_space: DMatrix<f64>,
}

/// Operational-space inertia (k × k) of a task: `Λ = (J M⁻¹ Jᵀ + damping 1)⁻¹`.
///
/// Khatib (1987). The drift of the task is ignored.
///
/// # Errors
///
/// [`Error::Invalid`], naming a row, where rows are linearly dependent, as in a singular configuration, and undamped. Else as [`constrained_dynamics`](super::constrained_dynamics).
pub fn operational_space_inertia(
    robot: &Robot,
    state: &State,
    task: &Task<'_>,
) -> Result<DMatrix<f64>> {
    state.check_robot(robot)?;
    let mut out = DMatrix::zeros(task.len(), task.len());
    operational_space_inertia_into(robot, state, task, &mut Workspace::new(robot), &mut out)?;
    Ok(out)
}

/// [`operational_space_inertia`] without allocation, once the workspace has been used with as many rows.
///
/// # Errors
///
/// As [`operational_space_inertia`]; `out` is unchanged.
///
/// # Panics
///
/// If `out` is not k × k, or the workspace was made for a smaller robot.
pub fn operational_space_inertia_into(
    robot: &Robot,
    state: &State,
    task: &Task<'_>,
    ws: &mut Workspace,
    out: &mut DMatrix<f64>,
) -> Result<()> {
    state.check_robot(robot)?;
    let k = task.len();
    assert_eq!(
        out.shape(),
        (k, k),
        "a row and a column per row of the task"
    );
    project(robot, state, task, ws)?;
    invert(ws, out)
}

/// Operational-space dynamics of a task: inertia, forces, inverse and null space, as a controller needs them.
///
/// # Errors
///
/// As [`operational_space_inertia`], and [`Error::Invalid`] where gravity is not finite.
///
/// # Examples
///
/// ```
/// use kinworld::dynamics::{self, Task};
/// use kinworld::math::Inertia;
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector};
/// use nalgebra::dmatrix;
///
/// // two carriages on one rail, the second on the first
/// let mut robot = RobotBuilder::new("rail");
/// let mut parent = None;
/// for (name, mass) in [("carriage", 3.0), ("slider", 1.0)] {
///     let mut link = LinkSpec::new(name, parent, LinkMotion::Prismatic(Vector::x()));
///     link.inertia = Inertia { mass, ..Inertia::zero() };
///     parent = Some(robot.add_link(link));
/// }
/// let robot = robot.build()?;
///
/// // a force on the slider does not feel the mass of the carriage, whose motor is free
/// let position = dmatrix![1.0, 1.0];
/// let task = Task::new(&position, &[0.0]);
/// let task_space = dynamics::task_dynamics(&robot, &State::new(&robot), &Vector::zeros(), &task)?;
/// assert!((task_space.inertia[(0, 0)] - 1.0).abs() < 1e-14);
/// assert!(task_space.inverse[0].abs() < 1e-14 && (task_space.inverse[1] - 1.0).abs() < 1e-14);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn task_dynamics(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    task: &Task<'_>,
) -> Result<TaskDynamics> {
    state.check_robot(robot)?;
    let mut out = TaskDynamics::default();
    task_dynamics_into(
        robot,
        state,
        gravity,
        task,
        &mut Workspace::new(robot),
        &mut out,
    )?;
    Ok(out)
}

/// [`task_dynamics`] without allocation, once `ws` and `out` have been used with as many rows.
///
/// # Errors
///
/// As [`task_dynamics`]; the contents of `out` are then unspecified.
///
/// # Panics
///
/// If the workspace was made for a smaller robot.
pub fn task_dynamics_into(
    robot: &Robot,
    state: &State,
    gravity: &Vector,
    task: &Task<'_>,
    ws: &mut Workspace,
    out: &mut TaskDynamics,
) -> Result<()> {
    state.check_robot(robot)?;
    Loads::from(gravity).check(robot)?;
    project(robot, state, task, ws)?;
    let (n, k) = (robot.n_dofs(), task.len());
    let TaskDynamics {
        inertia,
        coriolis,
        gravity: weight,
        inverse,
        null_space,
    } = out;
    resize(inertia, k, k);
    invert(ws, inertia)?;

    // Λ (J M⁻¹ C q̇ − J̇ q̇) and Λ J M⁻¹ G
    let Workspace {
        rnea,
        rest,
        column,
        solved,
        gram,
        ..
    } = ws;
    for (out, dq, loads) in [
        (&mut *coriolis, state.velocity(), Loads::default()),
        (&mut *weight, &**rest, Loads::from(gravity)),
    ] {
        let forces = &mut column[..n];
        generalised_forces(robot, state, [dq, rest], &loads, rnea, forces);
        if out.len() != k {
            *out = DVector::zeros(k);
        }
        out.fill(0.0);
        for (solved, force) in solved.chunks_exact(k.max(1)).zip(&*forces) {
            for (out, s) in out.iter_mut().zip(solved) {
                *out += s * force;
            }
        }
    }
    for (out, drift) in coriolis.iter_mut().zip(task.drift) {
        *out -= drift;
    }
    gram.solve(coriolis.as_mut_slice());
    gram.solve(weight.as_mut_slice());

    // J̄ᵀ = Λ J M⁻¹, one column per dof
    resize(inverse, n, k);
    for (i, solved) in solved.chunks_exact_mut(k.max(1)).enumerate() {
        gram.solve(solved);
        for (c, x) in solved.iter().enumerate() {
            inverse[(i, c)] = *x;
        }
    }
    resize(null_space, n, n);
    null_space.fill_with_identity();
    null_space.gemm(-1.0, inverse, &task.jacobian, 1.0);
    Ok(())
}

/// Gives a matrix a shape; unlike nalgebra's resizing, it does not allocate where the shape is the same.
fn resize(out: &mut DMatrix<f64>, rows: usize, columns: usize) {
    if out.shape() != (rows, columns) {
        *out = DMatrix::zeros(rows, columns);
    }
}

/// The inverse of the matrix in `ws.gram`.
fn invert(ws: &mut Workspace, out: &mut DMatrix<f64>) -> Result<()> {
    if let Some(row) = ws.gram.dependent_row() {
        let problem = format!(
            "row {row} of its Jacobian is zero or linearly dependent on others here, so its inertia is undefined; leave it \
             out, or give the task a damping"
        );
        return Err(Error::invalid("task", problem));
    }
    out.fill_with_identity();
    for mut column in out.column_iter_mut() {
        ws.gram.solve(column.as_mut_slice());
    }

    // both triangles are exact to rounding; make them equal
    out.fill_lower_triangle_with_upper_triangle();
    Ok(())
}
