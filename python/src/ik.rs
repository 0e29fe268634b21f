//! Inverse kinematics.

use std::sync::Arc;

use kinworld::kinematics::ik::{self, Anchor, PositionGoal, RotationGoal, Termination};
use kinworld::{Point, Pose, Robot as Model};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;

use crate::convert::{
    Array1, Array2, ArrayN, DofKey, LinkKey, PoseIn, Reals, RotationIn, Vec3, array_n, array1,
    array2, matrix, pose_array, write_pose,
};
use crate::describe::{count, numbers, triple};
use crate::error::{call, call_detached, error};
use crate::interrupt::{Watch, in_background, in_short_chunks};
use crate::planning::Space;
use crate::robot::Robot;
use crate::state::State;

/// A goal for the pose of a link: position, rotation, or both. Functions of `kinworld.ik` look up the link by name.
#[pyclass(frozen, module = "kinworld.ik")]
pub(crate) struct Objective {
    link: LinkKey,
    relative_to: Option<LinkKey>,
    frame: Option<Pose>,
    position: PositionGoal,
    rotation: RotationGoal,
    weights: (f64, f64),
}

impl Objective {
    /// An objective of the library, of this robot.
    pub(crate) fn from_model(objective: ik::Objective, robot: &Model) -> Self {
        let (relative_to, frame) = match objective.anchor {
            Anchor::Link(link) => (Some(LinkKey::known(link, robot)), None),
            Anchor::Object(pose) => (None, Some(pose)),
            _ => (None, None),
        };
        Self {
            link: LinkKey::known(objective.link, robot),
            relative_to,
            frame,
            position: objective.position,
            rotation: objective.rotation,
            weights: (objective.position_weight, objective.rotation_weight),
        }
    }

    pub(crate) fn of(&self, robot: &Model) -> PyResult<ik::Objective> {
        let link = self.link.of(robot)?;
        let mut objective = ik::Objective::position(link, self.position.clone())
            .with_rotation(self.rotation)
            .with_weights(self.weights.0, self.weights.1);
        if let Some(base) = &self.relative_to {
            objective = objective.relative_to(Anchor::Link(base.of(robot)?));
        } else if let Some(frame) = self.frame {
            objective = objective.relative_to(Anchor::Object(frame));
        }
        Ok(objective)
    }
}

#[pymethods]
impl Objective {
    /// Number of equations.
    #[getter]
    fn rows(&self) -> usize {
        self.position.rows() + self.rotation.rows()
    }

    /// The pose (4 × 4) of the link that satisfies the goal and is nearest to ``near`` (4 × 4), as goals in the world.
    fn closest<'py>(
        &self,
        py: Python<'py>,
        robot: &Bound<'py, Robot>,
        near: PoseIn,
    ) -> PyResult<Array2<'py>> {
        let goal = self.of(&robot.get().model)?;
        call(|| goal.closest(&near.0)).map(|pose| pose_array(py, &pose))
    }

    /// A random pose (4 × 4) of the link that satisfies the goal, about ``radius`` m from ``near`` (4 × 4) where it is free.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        robot: &Bound<'py, Robot>,
        near: PoseIn,
        radius: f64,
        seed: u64,
    ) -> PyResult<Array2<'py>> {
        let goal = self.of(&robot.get().model)?;
        call(|| goal.sample(&near.0, radius, seed)).map(|pose| pose_array(py, &pose))
    }

    fn __repr__(&self) -> String {
        let mut parts = vec![format!("link {}", self.link)];
        match &self.position {
            PositionGoal::Free => {}
            PositionGoal::Point { target, .. } => {
                parts.push(format!("position {}", triple(target.coords)));
            }
            PositionGoal::Line {
                through, direction, ..
            } => parts.push(format!(
                "on the line through {} along {}",
                triple(through.coords),
                triple(*direction)
            )),
            PositionGoal::Plane {
                through, normal, ..
            } => parts.push(format!(
                "in the plane through {} across {}",
                triple(through.coords),
                triple(*normal)
            )),
            PositionGoal::Points(pairs) => parts.push(count(pairs.len(), "point")),
        }
        match &self.rotation {
            RotationGoal::Free => {}
            RotationGoal::Axis { d_link, target } => parts.push(format!(
                "axis {} along {}",
                triple(*d_link),
                triple(*target)
            )),
            RotationGoal::Fixed(_) => parts.push("rotation".to_owned()),
        }
        match (&self.relative_to, &self.frame) {
            (Some(base), _) => parts.push(format!("relative to link {base}")),
            (None, Some(_)) => parts.push("relative to a frame".to_owned()),
            (None, None) => {}
        }
        format!("Objective: {}", parts.join(", "))
    }
}

/// A goal for the pose of a link.
///
/// - ``pose`` (4 × 4): the pose of the link, position and rotation.
/// - ``position`` (3): the position of the point ``local`` (3) of the link.
/// - ``line`` (point, direction) or ``plane`` (point, normal): that point is on a line or in a plane.
/// - ``points``: pairs of a point of the link (3) and its position (3).
/// - ``rotation`` (3 × 3): the rotation of the link.
/// - ``axis`` (direction of the link, direction of the world): two directions are parallel.
///
/// Targets are in the world, in the frame of the link ``relative_to``, or in ``frame`` (4 × 4).
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> goal = kw.ik.objective("link2", position=(1.5, 0, 1), local=(1, 0, 0))
/// >>> kw.ik.solve(arm, goal).solved
/// True
#[pyfunction]
#[pyo3(signature = (link, *, pose=None, position=None, local=Vec3([0.0; 3]), line=None, plane=None, points=None,
    rotation=None, axis=None, relative_to=None, frame=None, weights=(1.0, 1.0)))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn objective(
    link: LinkKey,
    pose: Option<PoseIn>,
    position: Option<Vec3>,
    local: Vec3,
    line: Option<(Vec3, Vec3)>,
    plane: Option<(Vec3, Vec3)>,
    points: Option<Vec<(Vec3, Vec3)>>,
    rotation: Option<RotationIn>,
    axis: Option<(Vec3, Vec3)>,
    relative_to: Option<LinkKey>,
    frame: Option<PoseIn>,
    weights: (f64, f64),
) -> PyResult<Objective> {
    let p_link = local.point();
    let given = [
        pose.is_some(),
        position.is_some(),
        line.is_some(),
        plane.is_some(),
        points.is_some(),
    ];
    if given.iter().filter(|&&is_given| is_given).count() > 1 {
        return Err(PyValueError::new_err(
            "give one of pose, position, line, plane and points",
        ));
    }
    if [pose.is_some(), rotation.is_some(), axis.is_some()]
        .iter()
        .filter(|&&is_given| is_given)
        .count()
        > 1
    {
        return Err(PyValueError::new_err("give one of pose, rotation and axis"));
    }
    if relative_to.is_some() && frame.is_some() {
        return Err(PyValueError::new_err("give relative_to or frame, not both"));
    }
    let position = if let Some(PoseIn(pose)) = pose {
        PositionGoal::Point {
            p_link,
            target: pose * p_link,
        }
    } else if let Some(target) = position {
        PositionGoal::Point {
            p_link,
            target: target.point(),
        }
    } else if let Some((through, direction)) = line {
        PositionGoal::Line {
            p_link,
            through: through.point(),
            direction: direction.vector(),
        }
    } else if let Some((through, normal)) = plane {
        PositionGoal::Plane {
            p_link,
            through: through.point(),
            normal: normal.vector(),
        }
    } else if let Some(points) = points {
        let pairs: Vec<(Point, Point)> = points
            .into_iter()
            .map(|(a, b)| (a.point(), b.point()))
            .collect();
        PositionGoal::Points(pairs)
    } else {
        PositionGoal::Free
    };
    let rotation = if let Some(PoseIn(pose)) = pose {
        RotationGoal::Fixed(pose.rotation)
    } else if let Some(RotationIn(rotation)) = rotation {
        RotationGoal::Fixed(rotation)
    } else if let Some((d_link, target)) = axis {
        RotationGoal::Axis {
            d_link: d_link.vector(),
            target: target.vector(),
        }
    } else {
        RotationGoal::Free
    };
    if position.rows() + rotation.rows() == 0 {
        return Err(PyValueError::new_err(
            "an objective needs a pose, a position or a rotation",
        ));
    }
    Ok(Objective {
        link,
        relative_to,
        frame: frame.map(|frame| frame.0),
        position,
        rotation,
        weights,
    })
}

/// Best configuration that a search found.
#[pyclass(frozen, module = "kinworld.ik")]
pub(crate) struct Solution {
    robot: Arc<Model>,
    inner: ik::Solution,
}

#[pymethods]
impl Solution {
    /// The configuration (n).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.q)
    }

    /// Whether the goals are reached.
    #[getter]
    fn solved(&self) -> bool {
        self.inner.is_success()
    }

    /// The residual (m or rad) of each equation.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.residual)
    }

    /// Largest position error, m.
    #[getter]
    fn position_error(&self) -> f64 {
        self.inner.position_error
    }

    /// Largest rotation error, rad.
    #[getter]
    fn rotation_error(&self) -> f64 {
        self.inner.rotation_error
    }

    /// Number of iterations.
    #[getter]
    fn iterations(&self) -> usize {
        self.inner.iterations
    }

    /// Number of start configurations.
    #[getter]
    fn starts(&self) -> usize {
        self.inner.starts
    }

    /// The joints at a limit, each with ``"lower"`` or ``"upper"``.
    #[getter]
    fn active_limits(&self) -> Vec<(&str, &'static str)> {
        let limits = self.inner.active_limits.iter();
        limits
            .map(|limit| (self.robot.dof_name(limit.dof), bound(limit.bound)))
            .collect()
    }

    /// ``"reached"``, ``"infeasible"``, ``"no progress"`` or ``"out of iterations"``.
    #[getter]
    fn termination(&self) -> &'static str {
        termination(&self.inner.termination)
    }

    fn __bool__(&self) -> bool {
        self.inner.is_success()
    }

    fn __repr__(&self) -> String {
        let s = &self.inner;
        let q = numbers(&s.q);
        if s.is_success() {
            return format!(
                "Solution: reached at {q}, {}",
                count(s.iterations, "iteration")
            );
        }
        format!(
            "Solution: {}, position error {:.3e} m, rotation error {:.3e} rad, at {q}",
            termination(&s.termination),
            s.position_error,
            s.rotation_error
        )
    }
}

fn termination(reason: &Termination) -> &'static str {
    match reason {
        Termination::Reached => "reached",
        Termination::Infeasible => "infeasible",
        Termination::NoProgress => "no progress",
        _ => "out of iterations",
    }
}

fn bound(bound: ik::Bound) -> &'static str {
    match bound {
        ik::Bound::Lower => "lower",
        ik::Bound::Upper => "upper",
    }
}

/// One objective, or several.
pub(crate) struct Goals<'py>(Vec<Bound<'py, Objective>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Goals<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("kinworld._core.ik", "Objective"),
        pyo3::type_hint_subscript!(
            pyo3::type_hint_identifier!("collections.abc", "Sequence"),
            pyo3::type_hint_identifier!("kinworld._core.ik", "Objective")
        )
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(one) = object.cast::<Objective>() {
            return Ok(Self(vec![one.to_owned()]));
        }
        let several: Vec<Bound<'py, Objective>> = object.extract().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err(
                "expected an objective or a list of them, see `kinworld.ik.objective`",
            )
        })?;
        Ok(Self(several))
    }
}

impl Goals<'_> {
    pub(crate) fn of(&self, robot: &Model) -> PyResult<Vec<ik::Objective>> {
        self.0.iter().map(|goal| goal.get().of(robot)).collect()
    }
}

/// A robot, or a state of one.
pub(crate) enum RobotIn<'py> {
    Robot(Bound<'py, Robot>),
    State(Bound<'py, State>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for RobotIn<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("kinworld._core", "Robot"),
        pyo3::type_hint_identifier!("kinworld._core", "State")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(robot) = object.cast::<Robot>() {
            return Ok(Self::Robot(robot.to_owned()));
        }
        match object.cast::<State>() {
            Ok(state) => Ok(Self::State(state.to_owned())),
            Err(_) => {
                let given = object.get_type().name()?;
                Err(pyo3::exceptions::PyTypeError::new_err(format!(
                    "expected a Robot or a State, got {given}"
                )))
            }
        }
    }
}

impl RobotIn<'_> {
    fn model(&self) -> PyResult<Arc<Model>> {
        match self {
            Self::Robot(robot) => Ok(robot.get().model.clone()),
            Self::State(state) => state.try_borrow()?.model(state.py()),
        }
    }

    /// The start of a search: what is given, else the configuration of the state, else the initial one.
    fn start(&self, given: Option<&Reals>) -> PyResult<Vec<f64>> {
        match (given, self) {
            (Some(q), _) => Ok(q.to_vec()),
            (None, Self::Robot(robot)) => Ok(robot.get().model.initial_config().to_vec()),
            (None, Self::State(state)) => state
                .try_borrow()?
                .ask(state.py(), |_, state| Ok(state.config().to_vec())),
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
fn options(
    robot: &Model,
    tolerance: f64,
    iterations: usize,
    restarts: usize,
    seed: u64,
    active: Option<&[DofKey]>,
    posture: Option<&Reals>,
    secondary: Option<&Goals<'_>>,
) -> PyResult<ik::Options> {
    let mut options = ik::Options::default()
        .with_tolerance(tolerance)
        .with_max_iterations(iterations)
        .with_restarts(restarts)
        .with_seed(seed);
    if let Some(active) = active {
        options = options.with_active(DofKey::all_of(active, robot)?);
    }
    if let Some(q) = posture {
        options = options.with_posture(ik::Posture::near(q.to_vec()));
    }
    if let Some(goals) = secondary {
        options = options.with_secondary(goals.of(robot)?);
    }
    Ok(options)
}

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
        let inner = one_solution(py, iterations, move || {
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
    let inner = one_solution(py, iterations, move || {
        ik::solve_nearby(&theirs, &goals, &q0, deviation, &options)
    })?;
    Ok(Solution {
        robot: model,
        inner,
    })
}

/// Iterations that take about 50 ms on a robot of seven degrees of freedom.
const FEW: usize = 10_000;

/// Solves one problem, in a thread of its own where that may take long.
fn one_solution(
    py: Python<'_>,
    iterations: usize,
    solve: impl FnOnce() -> kinworld::Result<ik::Solution> + Send + 'static,
) -> PyResult<ik::Solution> {
    if iterations <= FEW {
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
    let found = in_short_chunks(py, problems.len(), |range| {
        ik::solve_batch(&model, &problems[range], &options)
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
        options = options.with_active(DofKey::all_of(&active, &model)?);
    }
    state
        .ask(py, |robot, state| {
            ik::differential(robot, state, &[task], &options)
        })
        .map(|found| array1(py, &found.dq))
}

/// The twist (6, angular first, world axes) that moves a link from the pose ``now`` to ``goal`` (4 × 4 each).
///
/// ``gain`` is the share of the way per second, 1/s.
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
