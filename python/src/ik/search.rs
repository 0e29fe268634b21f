//! Searches.

use kinworld::Pose;
use kinworld::kinematics::ik::{self, Termination};
use pyo3::prelude::*;

use super::Solution;
use super::arguments::{Goals, RobotIn, options};
use crate::convert::{Array2, DofKey, LinkKey, PoseIn, Reals, array2};
use crate::error::call_detached;
use crate::interrupt::{Watch, in_background, in_blocks};
use crate::planning::Space;

/// Solves inverse kinematics within the limits, from ``start`` or where the state is, then from random configurations.
///
/// Where the goals cannot be reached, the best configuration is returned and ``solved`` is false. With ``space``, the
/// solution is also free of collisions. ``active`` names the joints that move; ``posture`` (n) is a configuration to stay
/// near, ``secondary`` are goals of lower priority; ``limits`` (n × 2) replace those of the robot.
#[pyfunction]
#[pyo3(signature = (robot, objectives, start=None, *, space=None, tolerance=1e-9, iterations=100, restarts=100, seed=0,
    active=None, posture=None, secondary=None, limits=None, progress=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn solve(
    py: Python<'_>,
    robot: RobotIn<'_>,
    objectives: Goals<'_>,
    start: Option<Reals>,
    space: Option<&Space>,
    tolerance: f64,
    iterations: usize,
    restarts: usize,
    seed: u64,
    active: Option<Vec<DofKey>>,
    posture: Option<Reals>,
    secondary: Option<Goals<'_>>,
    limits: Option<Vec<[f64; 2]>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Solution> {
    let model = robot.model()?;
    let (goals, q0) = (objectives.of(&model)?, robot.start(start.as_ref())?);
    let mut options = options(
        &model,
        tolerance,
        iterations,
        restarts,
        seed,
        active.as_deref(),
        posture.as_ref(),
        secondary.as_ref(),
    )?;
    if let Some(limits) = limits {
        options = options.with_limits(limits);
    }
    let mut watch = Watch::new(progress);
    let robot = model.clone();
    let Some(space) = space else {
        let iterations = iterations.saturating_mul(restarts.max(1));
        let inner = one_solution(py, &model, iterations, move || {
            ik::solve(&robot, &goals, &q0, &options)
        })?;
        return Ok(Solution {
            robot: model,
            inner,
        });
    };
    let inner = call_detached(py, || {
        let mut failed = None;
        let mut tried = 0;
        let solution = ik::solve_global(&model, &goals, &q0, &options, |q| {
            tried += 1;
            // an interrupted search takes the next solution that it finds
            !watch.goes_on(tried)
                || space.free(q).unwrap_or_else(|problem| {
                    failed = Some(problem);
                    true
                })
        });
        failed.map_or(solution, Err)
    });
    watch.finish()?;
    Ok(Solution {
        robot: model,
        inner: inner?,
    })
}

/// Solves inverse kinematics with each joint within ``deviation`` of the start.
#[pyfunction]
#[pyo3(signature = (robot, objectives, deviation, start=None, *, tolerance=1e-9, iterations=100, active=None))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn solve_nearby(
    py: Python<'_>,
    robot: RobotIn<'_>,
    objectives: Goals<'_>,
    deviation: f64,
    start: Option<Reals>,
    tolerance: f64,
    iterations: usize,
    active: Option<Vec<DofKey>>,
) -> PyResult<Solution> {
    let model = robot.model()?;
    let (goals, q0) = (objectives.of(&model)?, robot.start(start.as_ref())?);
    let options = options(
        &model,
        tolerance,
        iterations,
        0,
        0,
        active.as_deref(),
        None,
        None,
    )?;
    let theirs = model.clone();
    let inner = one_solution(py, &model, iterations, move || {
        ik::solve_nearby(&theirs, &goals, &q0, deviation, &options)
    })?;
    Ok(Solution {
        robot: model,
        inner,
    })
}

/// Iterations that take less than 50 ms on a robot of seven degrees of freedom.
const FEW: usize = if cfg!(debug_assertions) { 200 } else { 10_000 };

/// Solves one problem, in a thread of its own where that may take long.
fn one_solution(
    py: Python<'_>,
    robot: &kinworld::Robot,
    iterations: usize,
    solve: impl FnOnce() -> kinworld::Result<ik::Solution> + Send + 'static,
) -> PyResult<ik::Solution> {
    // an iteration solves equations of as many unknowns as there are dofs
    let size = (robot.n_dofs() / 7).max(1);
    if iterations.saturating_mul(size * size) <= FEW {
        return call_detached(py, solve);
    }
    in_background(py, None, move |_| solve())
}

/// Solves many problems on all cores: objectives and a start (n) each.
#[pyfunction]
#[pyo3(signature = (robot, problems, *, tolerance=1e-9, iterations=100, restarts=100, seed=0))]
pub(crate) fn solve_batch(
    py: Python<'_>,
    robot: RobotIn<'_>,
    problems: Vec<(Goals<'_>, Reals)>,
    tolerance: f64,
    iterations: usize,
    restarts: usize,
    seed: u64,
) -> PyResult<Vec<Solution>> {
    let model = robot.model()?;
    let options = options(
        &model, tolerance, iterations, restarts, seed, None, None, None,
    )?;
    let problems = problems
        .iter()
        .map(|(goals, start)| Ok(ik::Problem::new(goals.of(&model)?, start.to_vec())))
        .collect::<PyResult<Vec<_>>>()?;
    let theirs = model.clone();
    // one problem may take long
    let found = in_blocks(py, problems.len(), (0, 1), move |range| {
        ik::solve_batch(&theirs, &problems[range], &options)
    })?;
    Ok(found
        .into_iter()
        .map(|inner| Solution {
            robot: model.clone(),
            inner,
        })
        .collect())
}

/// Follows a path of poses (K × 4 × 4) with a link: configurations (m × n), and whether the end was reached.
///
/// Steps are at most ``max_distance`` m and ``max_angle`` rad long, and at least ``min_steps`` between two waypoints. A
/// step that moves a joint by more than ``max_change`` (rad or m) is halved, at most ``max_halvings`` times.
#[pyfunction]
#[pyo3(signature = (robot, link, waypoints, start=None, *, max_distance=None, max_angle=None, min_steps=None,
    max_change=None, max_halvings=None, tolerance=1e-9))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn solve_path<'py>(
    py: Python<'py>,
    robot: RobotIn<'py>,
    link: LinkKey,
    waypoints: Vec<PoseIn>,
    start: Option<Reals>,
    max_distance: Option<f64>,
    max_angle: Option<f64>,
    min_steps: Option<usize>,
    max_change: Option<f64>,
    max_halvings: Option<u32>,
    tolerance: f64,
) -> PyResult<(Array2<'py>, bool)> {
    let model = robot.model()?;
    let q0 = robot.start(start.as_ref())?;
    let waypoints: Vec<Pose> = waypoints.into_iter().map(|pose| pose.0).collect();
    let mut path = ik::Path::new(link.of(&model)?, waypoints);
    if let Some(metres) = max_distance {
        path = path.with_max_distance(metres);
    }
    if let Some(radians) = max_angle {
        path = path.with_max_angle(radians);
    }
    if let Some(steps) = min_steps {
        path = path.with_min_steps(steps);
    }
    if let Some(change) = max_change {
        path = path.with_max_change(change);
    }
    if let Some(halvings) = max_halvings {
        path = path.with_max_halvings(halvings);
    }
    let options = ik::Options::default().with_tolerance(tolerance);
    let theirs = model.clone();
    let found = in_background(py, None, move |_| {
        ik::solve_path(&theirs, &path, &q0, &options)
    })?;
    let n = model.n_dofs();
    let configs = array2(py, found.configs.len(), n, |out| {
        for (row, q) in out.chunks_exact_mut(n.max(1)).zip(&found.configs) {
            row.copy_from_slice(q);
        }
    });
    Ok((configs, found.termination == Termination::Reached))
}
