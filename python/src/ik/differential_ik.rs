//! Differential and analytic inverse kinematics, residuals.

use kinworld::Robot as Model;
use kinworld::kinematics::ik::{self};
use pyo3::prelude::*;

use super::arguments::{Goals, RobotIn};
use crate::convert::{
    Array1, Array2, ArrayN, DofKey, LinkKey, PoseIn, Reals, array_n, array1, array2, matrix,
    write_pose,
};
use crate::error::{call, error};
use crate::state::State;

/// Residual (k) of objectives at a state, m and rad.
#[pyfunction]
pub(crate) fn residual<'py>(
    py: Python<'py>,
    state: &State,
    objectives: Goals<'py>,
) -> PyResult<Array1<'py>> {
    let goals = objectives.of(&*state.model(py)?)?;
    state
        .ask(py, |robot, state| ik::residual(robot, state, &goals))
        .map(|r| array1(py, &r))
}

/// Jacobian (k × n) of the residual of objectives at a state.
#[pyfunction]
pub(crate) fn residual_jacobian<'py>(
    py: Python<'py>,
    state: &State,
    objectives: Goals<'py>,
) -> PyResult<Array2<'py>> {
    let goals = objectives.of(&*state.model(py)?)?;
    state
        .ask(py, |robot, state| {
            ik::residual_jacobian(robot, state, &goals)
        })
        .map(|j| matrix(py, &j))
}

/// Joint velocities (n) that move a link with a twist (6, angular first, world axes) within the limits.
///
/// ``dt`` is the time for which positions stay within their limits; ``velocity_limits`` (n × 2) replace those of the
/// robot. `towards` gives the twist to a goal.
#[pyfunction]
#[pyo3(signature = (state, link, twist, *, dt=None, damping=None, velocity_limits=None, active=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn differential<'py>(
    py: Python<'py>,
    state: &State,
    link: LinkKey,
    twist: crate::convert::Vec6,
    dt: Option<f64>,
    damping: Option<f64>,
    velocity_limits: Option<Vec<[f64; 2]>>,
    active: Option<Vec<DofKey>>,
) -> PyResult<Array1<'py>> {
    let model = state.model(py)?;
    let twist = kinworld::math::Motion::from_angular_first(twist.0);
    let task = ik::VelocityTask::twist(link.of(&model)?, &twist);
    let options = options(&model, dt, damping, velocity_limits, active)?;
    state
        .ask(py, |robot, state| {
            ik::differential(robot, state, &[task], &options)
        })
        .map(|found| array1(py, &found.dq))
}

/// Options of a step; `None` for what is the default.
pub(super) fn options(
    model: &Model,
    dt: Option<f64>,
    damping: Option<f64>,
    velocity_limits: Option<Vec<[f64; 2]>>,
    active: Option<Vec<DofKey>>,
) -> PyResult<ik::DifferentialOptions> {
    let mut options = ik::DifferentialOptions::default();
    if let Some(dt) = dt {
        options = options.with_dt(dt);
    }
    if let Some(damping) = damping {
        options = options.with_damping(damping);
    }
    if let Some(limits) = velocity_limits {
        options = options.with_velocity_limits(limits);
    }
    if let Some(active) = active {
        options = options.with_active(DofKey::all_of(&active, model)?);
    }
    Ok(options)
}

/// The twist (6, angular first, world axes) that moves a link from the pose ``now`` to ``goal`` (4 × 4 each).
///
/// ``gain`` is the share of the error that is removed per second, 1/s.
#[pyfunction]
#[pyo3(signature = (now, goal, gain=1.0))]
pub(crate) fn towards(py: Python<'_>, now: PoseIn, goal: PoseIn, gain: f64) -> Array1<'_> {
    let task = ik::VelocityTask::towards(kinworld::LinkId::new(0), &now.0, &goal.0, gain);
    let mut twist = [0.0; 6];
    for (half, part) in twist.chunks_exact_mut(3).zip([task.angular, task.linear]) {
        half.copy_from_slice(part.unwrap_or_default().as_slice());
    }
    array1(py, &twist)
}

/// Poses (k × 4 × 4) that divide the motion from ``a`` to ``b`` (4 × 4 each) into equal steps of at most ``max_angle``
/// rad and ``max_distance`` m; without ``a``, with ``b``.
#[pyfunction]
pub(crate) fn subdivide<'py>(
    py: Python<'py>,
    a: PoseIn,
    b: PoseIn,
    max_angle: f64,
    max_distance: f64,
) -> PyResult<ArrayN<'py>> {
    let poses = call(|| Ok(ik::subdivide(&a.0, &b.0, max_angle, max_distance)))?;
    let mut numbers = vec![0.0; 16 * poses.len()];
    for (out, pose) in numbers.chunks_exact_mut(16).zip(&poses) {
        write_pose(pose, out);
    }
    array_n(py, &[poses.len(), 4, 4], numbers)
}

/// All configurations (k × n) of an arm with a spherical wrist that put a link at a pose (4 × 4), by closed formulas.
///
/// Raises where the arm has no such solution: it needs six joints, an ortho-parallel base and a spherical wrist.
#[pyfunction]
#[pyo3(signature = (robot, link, pose, near=None))]
pub(crate) fn analytic<'py>(
    py: Python<'py>,
    robot: RobotIn<'py>,
    link: LinkKey,
    pose: PoseIn,
    near: Option<Reals>,
) -> PyResult<Array2<'py>> {
    let model = robot.model()?;
    let (id, q0) = (link.of(&model)?, robot.start(near.as_ref())?);
    let found = call(|| {
        let Some(mut arm) = ik::Analytic::find(&model, id, &q0, &ik::Options::default())? else {
            return Ok(None);
        };
        arm.solve(&pose.0, &q0).map(Some)
    })?;
    let found = found.ok_or_else(|| {
        error(format!(
            "link `{}` is not moved by six joints with an ortho-parallel base and a spherical wrist; use `solve`",
            model.link(id).name()
        ))
    })?;
    let n = model.n_dofs();
    Ok(array2(py, found.len(), n, |out| {
        for (row, solution) in out.chunks_exact_mut(n.max(1)).zip(&found) {
            row.copy_from_slice(&solution.q);
        }
    }))
}
