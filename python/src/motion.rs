//! Motions within limits along paths.

use kinworld::planning::{self, PathDynamics, TimeParameterization};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, LinkKey, PoseIn, Reals, Rows, Vec3, array1, array2, matrix};
use crate::describe::{count, number};
use crate::error::{call, call_detached};
use crate::inertia::Inertia;
use crate::planning::Space;
use crate::robot::Robot;
use crate::state::GRAVITY;
use crate::trajectory::Trajectory;

/// Limits of velocity, acceleration, jerk and torque of each degree of freedom; infinite where there is none.
///
/// >>> import kinworld as kw
/// >>> limits = kw.MotionLimits.of(kw.Robot.load("data/robots/arm6.urdf"))
/// >>> limits = limits.with_acceleration([10] * 6)
/// >>> limits.acceleration[0], limits.torque[0]
/// (np.float64(10.0), np.float64(240.0))
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct MotionLimits(pub(crate) planning::MotionLimits);

#[pymethods]
impl MotionLimits {
    /// No limits, for n degrees of freedom.
    #[new]
    fn new(n: usize) -> Self {
        Self(planning::MotionLimits::new(n))
    }

    /// The limits of a robot, as its file has them.
    #[staticmethod]
    fn of(robot: &Bound<'_, Robot>) -> Self {
        Self(planning::MotionLimits::of(&robot.get().model))
    }

    /// The limits of a robot with those of a ``joint_limits.yaml`` in MoveIt's form.
    #[staticmethod]
    fn load(py: Python<'_>, robot: &Bound<'_, Robot>, path: std::path::PathBuf) -> PyResult<Self> {
        let robot = &robot.get().model;
        let loaded = call_detached(py, || planning::MotionLimits::load(robot, path))?;
        let (limits, problems) = crate::error::loaded(py, loaded)?;
        crate::error::warn(py, &problems)?;
        Ok(Self(limits))
    }

    /// The limits of several robots, one after the other.
    #[staticmethod]
    fn joined(parts: Vec<PyRef<'_, Self>>) -> Self {
        let parts: Vec<_> = parts.iter().map(|part| part.0.clone()).collect();
        Self(planning::MotionLimits::joined(&parts))
    }

    /// The same with other limits of the magnitude of the velocity (n).
    fn with_velocity(&self, limits: Reals) -> PyResult<Self> {
        call(|| self.0.clone().with_velocity(&limits).map(Self))
    }

    /// The same with other limits of the magnitude of the acceleration (n).
    fn with_acceleration(&self, limits: Reals) -> PyResult<Self> {
        call(|| self.0.clone().with_acceleration(&limits).map(Self))
    }

    /// The same with other limits of the magnitude of the jerk (n).
    fn with_jerk(&self, limits: Reals) -> PyResult<Self> {
        call(|| self.0.clone().with_jerk(&limits).map(Self))
    }

    /// The same with other limits of the magnitude of the torque (n).
    fn with_torque(&self, limits: Reals) -> PyResult<Self> {
        call(|| self.0.clone().with_torque(&limits).map(Self))
    }

    /// The limits of a motion that is slower: times ``speed``, its square for accelerations, its cube for jerks.
    fn scaled(&self, speed: f64) -> PyResult<Self> {
        call(|| self.0.clone().scaled(speed).map(Self))
    }

    /// Number of degrees of freedom.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.0.n_dofs()
    }

    /// Smallest and largest velocities (n × 2).
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let ranges = self.0.velocity();
        array2(py, ranges.len(), 2, |out| {
            for (row, range) in out.chunks_exact_mut(2).zip(ranges) {
                row.copy_from_slice(range);
            }
        })
    }

    /// Largest magnitudes of accelerations (n).
    #[getter]
    fn acceleration<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.acceleration())
    }

    /// Largest magnitudes of jerks (n).
    #[getter]
    fn jerk<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.jerk())
    }

    /// Largest magnitudes of torques (n).
    #[getter]
    fn torque<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.torque())
    }

    fn __repr__(&self) -> String {
        format!("MotionLimits: {}", count(self.0.n_dofs(), "dof"))
    }
}

/// The dynamics of a robot, with friction or without, and with a body on a link.
fn dynamics<'a>(
    robot: &'a Robot,
    gravity: Vec3,
    friction: bool,
    payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
) -> PyResult<PathDynamics<'a>> {
    let mut dynamics = PathDynamics::new(&robot.model, gravity.vector());
    if !friction {
        dynamics = dynamics.without_friction();
    }
    match payload {
        None => Ok(dynamics),
        Some((link, inertia)) => {
            let link = link.of(&robot.model)?;
            call(|| dynamics.with_payload(link, &inertia.0))
        }
    }
}

/// A path q(s) of piecewise polynomials, without time.
///
/// >>> import kinworld as kw
/// >>> path = kw.GeometricPath.blended([[0, 0], [3, 0], [3, 4]], 0.01)
/// >>> limits = kw.MotionLimits(2).with_velocity([1, 1]).with_acceleration([2, 2])
/// >>> motion = path.time_optimal(limits)
/// >>> motion.check(limits) is None, 8 < motion.duration < 9
/// (True, True)
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct GeometricPath(pub(crate) planning::GeometricPath);

#[pymethods]
impl GeometricPath {
    /// Straight lines through waypoints (k × n); the parameter is the length.
    #[staticmethod]
    fn polyline(waypoints: Rows) -> PyResult<Self> {
        call(|| planning::GeometricPath::polyline(&waypoints.to_vecs()).map(Self))
    }

    /// Straight lines through waypoints (k × n), with corners rounded by parabolas that leave them by ``deviation`` at most.
    #[staticmethod]
    fn blended(waypoints: Rows, deviation: f64) -> PyResult<Self> {
        call(|| planning::GeometricPath::blended(&waypoints.to_vecs(), deviation).map(Self))
    }

    /// The natural cubic spline through waypoints (k × n).
    #[staticmethod]
    fn spline(waypoints: Rows) -> PyResult<Self> {
        call(|| planning::GeometricPath::spline(&waypoints.to_vecs()).map(Self))
    }

    /// The natural cubic spline through waypoints (k × n) at these parameters (k).
    #[staticmethod]
    fn spline_at(parameters: Reals, waypoints: Rows) -> PyResult<Self> {
        let waypoints = waypoints.to_vecs();
        call(|| planning::GeometricPath::spline_at(&parameters, &waypoints).map(Self))
    }

    /// Cubic pieces with these values and derivatives (k × n each) at these parameters (k).
    #[staticmethod]
    fn hermite(parameters: Reals, values: Rows, derivatives: Rows) -> PyResult<Self> {
        let (values, derivatives) = (values.to_vecs(), derivatives.to_vecs());
        call(|| planning::GeometricPath::hermite(&parameters, &values, &derivatives).map(Self))
    }

    /// Polynomial pieces between ``breaks``: of each piece, of each dof, the coefficients from the constant up.
    #[staticmethod]
    fn polynomials(
        n_dofs: usize,
        degree: usize,
        breaks: Reals,
        coefficients: Reals,
    ) -> PyResult<Self> {
        let (breaks, coefficients) = (breaks.to_vec(), coefficients.to_vec());
        call(|| {
            planning::GeometricPath::polynomials(n_dofs, degree, breaks, coefficients).map(Self)
        })
    }

    /// Number of degrees of freedom.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.0.n_dofs()
    }

    /// Largest degree of the polynomials.
    #[getter]
    fn degree(&self) -> usize {
        self.0.degree()
    }

    /// Parameters at which pieces begin, and the end.
    #[getter]
    fn breaks<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.breaks())
    }

    /// Coefficients of the pieces, as `polynomials` takes them.
    #[getter]
    fn coefficients<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.coefficients())
    }

    /// Parameters at which a motion has to stop.
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.corners())
    }

    /// Difference of the last and the first parameter.
    #[getter]
    fn length(&self) -> f64 {
        self.0.length()
    }

    /// The configuration (n) at a parameter.
    fn at<'py>(&self, py: Python<'py>, s: f64) -> Array1<'py> {
        array1(py, &self.0.at(s))
    }

    /// The first derivative (n) at a parameter.
    fn derivative_at<'py>(&self, py: Python<'py>, s: f64) -> Array1<'py> {
        array1(py, &self.0.derivative_at(s))
    }

    /// The second derivative (n) at a parameter.
    fn second_derivative_at<'py>(&self, py: Python<'py>, s: f64) -> Array1<'py> {
        array1(py, &self.0.second_derivative_at(s))
    }

    /// The fastest motion along the path within limits, from rest to rest or between path speeds.
    ///
    /// Limits of torque count with a ``robot``, whose joints may have ``friction`` and a link of which may carry a
    /// ``payload``: a link and an inertia in its frame. ``grid`` are parameters between which the path acceleration is
    /// constant; without it there are about ``intervals`` of them, and more where it jumps. ``path_speed`` bounds the speed of the
    /// parameter: of a path that `Space.follow` gives, that of the link, m/s.
    #[pyo3(signature = (limits, *, robot=None, gravity=GRAVITY, friction=true, payload=None, intervals=None, grid=None, end_speeds=(0.0, 0.0), path_speed=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn time_optimal(
        &self,
        py: Python<'_>,
        limits: &Bound<'_, MotionLimits>,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
        intervals: Option<usize>,
        grid: Option<Reals>,
        end_speeds: (f64, f64),
        path_speed: Option<f64>,
    ) -> PyResult<SmoothTrajectory> {
        let robot = robot.map(|robot| robot.get());
        let dynamics = robot.map(|robot| dynamics(robot, gravity, friction, payload));
        let dynamics = dynamics.transpose()?;
        let mut time = TimeParameterization::new(&limits.get().0);
        if let Some(dynamics) = &dynamics {
            time = time.with_dynamics(dynamics);
        }
        if let Some(intervals) = intervals {
            time = time.with_intervals(intervals);
        }
        if let Some(grid) = grid {
            time = time.with_grid(&grid);
        }
        time = time.with_end_speeds(end_speeds.0, end_speeds.1);
        if let Some(speed) = path_speed {
            time = time.with_path_speed(speed);
        }
        call_detached(py, || time.solve(&self.0)).map(SmoothTrajectory)
    }

    fn __repr__(&self) -> String {
        format!(
            "GeometricPath: {} of {}, length {}",
            count(self.0.breaks().len() - 1, "piece"),
            count(self.0.n_dofs(), "dof"),
            number(self.0.length())
        )
    }
}

/// A motion with continuous velocity, from rest to rest, made by `GeometricPath.time_optimal`.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct SmoothTrajectory(pub(crate) planning::SmoothTrajectory);

#[pymethods]
impl SmoothTrajectory {
    /// Duration, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.0.duration()
    }

    /// Number of degrees of freedom.
    #[getter]
    fn n_dofs(&self) -> usize {
        self.0.n_dofs()
    }

    /// Times between which it is smooth, s.
    #[getter]
    fn knots<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.knots())
    }

    /// The path that it follows.
    #[getter]
    fn path(&self) -> GeometricPath {
        GeometricPath(self.0.path().clone())
    }

    /// The configuration (n) at a time.
    fn at<'py>(&self, py: Python<'py>, time: f64) -> Array1<'py> {
        array1(py, &self.0.at(time))
    }

    /// The velocity (n) at a time.
    fn velocity_at<'py>(&self, py: Python<'py>, time: f64) -> Array1<'py> {
        array1(py, &self.0.velocity_at(time))
    }

    /// The acceleration (n) at a time.
    fn acceleration_at<'py>(&self, py: Python<'py>, time: f64) -> Array1<'py> {
        array1(py, &self.0.acceleration_at(time))
    }

    /// Configuration, velocity and acceleration (n each) at a time.
    fn state_at<'py>(&self, py: Python<'py>, time: f64) -> (Array1<'py>, Array1<'py>, Array1<'py>) {
        let [q, dq, ddq] = self.0.state_at(time);
        (array1(py, &q), array1(py, &dq), array1(py, &ddq))
    }

    /// A trajectory with a milestone every ``step`` s.
    fn discretized(&self, step: f64) -> PyResult<Trajectory> {
        call(|| self.0.discretized(step).map(Trajectory))
    }

    /// The first limit that it violates, in words; ``None`` where it holds all. Torques count with a robot.
    #[pyo3(signature = (limits, *, robot=None, gravity=GRAVITY, friction=true, payload=None))]
    fn check(
        &self,
        limits: &Bound<'_, MotionLimits>,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
    ) -> PyResult<Option<String>> {
        let robot = robot.map(|robot| robot.get());
        let dynamics = robot.map(|robot| dynamics(robot, gravity, friction, payload));
        let dynamics = dynamics.transpose()?;
        let found = call(|| self.0.check(&limits.get().0, dynamics.as_ref()))?;
        Ok(found.map(|violation| violation.to_string()))
    }

    /// The largest part of each limit that it uses: velocity, acceleration, jerk and torque (n each), 0 without a limit.
    #[pyo3(signature = (limits, *, robot=None, gravity=GRAVITY, friction=true, payload=None))]
    fn utilization<'py>(
        &self,
        py: Python<'py>,
        limits: &Bound<'_, MotionLimits>,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
    ) -> PyResult<(Array1<'py>, Array1<'py>, Array1<'py>, Array1<'py>)> {
        let robot = robot.map(|robot| robot.get());
        let dynamics = robot.map(|robot| dynamics(robot, gravity, friction, payload));
        let dynamics = dynamics.transpose()?;
        let used = call(|| self.0.utilization(&limits.get().0, dynamics.as_ref()))?;
        Ok((
            array1(py, &used.velocity),
            array1(py, &used.acceleration),
            array1(py, &used.jerk),
            array1(py, &used.torque),
        ))
    }

    fn __repr__(&self) -> String {
        format!(
            "SmoothTrajectory: {}, {} s",
            count(self.0.n_dofs(), "dof"),
            number(self.0.duration())
        )
    }
}

/// A path of a link's frame: lines, arcs and screws, one after the other.
///
/// Its parameter grows with the distance of the frame's origin, m, or with 0.2 m per rad where that is more.
///
/// >>> import numpy as np, kinworld as kw
/// >>> path = kw.CartesianPath(6, np.eye(4)).moved((0, 0, 0.2)).arc((0, 0.1, 0.2), (1, 0, 0), np.pi)
/// >>> path.end[:3, 3].round(9).tolist()
/// [0.0, 0.2, 0.2]
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct CartesianPath(planning::CartesianPath);

#[pymethods]
impl CartesianPath {
    /// A path of a link, by index, that begins at a pose (4 × 4) in the world.
    #[new]
    fn new(link: usize, start: PoseIn) -> Self {
        Self(planning::CartesianPath::new(
            kinworld::LinkId::new(link),
            &start.0,
        ))
    }

    /// On along a straight line to a pose (4 × 4).
    fn line(&self, to: PoseIn) -> PyResult<Self> {
        call(|| self.0.clone().line(&to.0).map(Self))
    }

    /// On along a straight line by a vector (3) in world axes, m.
    fn moved(&self, by: Vec3) -> PyResult<Self> {
        call(|| self.0.clone().moved(&by.vector()).map(Self))
    }

    /// On along a straight line by a vector (3) in the axes of the link, m.
    fn moved_locally(&self, by: Vec3) -> PyResult<Self> {
        call(|| self.0.clone().moved_locally(&by.vector()).map(Self))
    }

    /// On along an arc about an axis (3) through a point (3), by an angle in rad; the rotation stays.
    fn arc(&self, center: Vec3, axis: Vec3, angle: f64) -> PyResult<Self> {
        let path = self.0.clone();
        call(|| path.arc(&center.point(), &axis.vector(), angle).map(Self))
    }

    /// On by a screw about an axis (3) through a point (3): an angle in rad and a shift in m.
    fn screw(&self, through: Vec3, axis: Vec3, angle: f64, advance: f64) -> PyResult<Self> {
        let path = self.0.clone();
        call(|| {
            path.screw(&through.point(), &axis.vector(), angle, advance)
                .map(Self)
        })
    }

    /// Index of the link.
    #[getter]
    fn link(&self) -> usize {
        self.0.link().index()
    }

    /// Pose (4 × 4) of the link at the end.
    #[getter]
    fn end<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.0.end().to_homogeneous())
    }

    /// Length: the parameter at the end.
    #[getter]
    fn length(&self) -> f64 {
        self.0.length()
    }

    /// Parameters at the ends of its pieces.
    #[getter]
    fn ends<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.ends())
    }

    /// Pose (4 × 4) of the link at a parameter.
    fn at<'py>(&self, py: Python<'py>, s: f64) -> Array2<'py> {
        matrix(py, &self.0.at(s).to_homogeneous())
    }

    fn __repr__(&self) -> String {
        format!(
            "CartesianPath: {}, length {}",
            count(self.0.ends().len(), "piece"),
            number(self.0.length())
        )
    }
}

#[pymethods]
impl Space {
    /// Configurations of which a link follows a Cartesian path, in steps of ``step`` m: the path as far as it goes, the parameter
    /// that is reached, the largest distance from the Cartesian path, and where and why it ends early.
    fn follow(
        &self,
        py: Python<'_>,
        path: &Bound<'_, CartesianPath>,
        start: Reals,
        step: f64,
    ) -> PyResult<(Option<GeometricPath>, f64, f64, Option<(f64, String)>)> {
        let path = &path.get().0;
        let found = call_detached(py, || self.inner.follow(path, &start, step))?;
        Ok((
            found.path.map(GeometricPath),
            found.reached,
            found.deviation,
            found.stop.map(|stop| (stop.at, stop.reason)),
        ))
    }

    /// Waypoints (k × n) with corners rounded where that is free, by ``deviation`` at most.
    fn rounded(&self, waypoints: Rows, deviation: f64) -> PyResult<GeometricPath> {
        call(|| {
            self.inner
                .rounded(&waypoints.to_vecs(), deviation)
                .map(GeometricPath)
        })
    }

    /// The fastest free motion along waypoints (k × n) with rounded corners; torques count with a robot.
    #[pyo3(signature = (waypoints, limits, *, deviation=0.05, robot=None, gravity=GRAVITY, friction=true, payload=None))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn motion_along(
        &self,
        py: Python<'_>,
        waypoints: Rows,
        limits: &Bound<'_, MotionLimits>,
        deviation: f64,
        robot: Option<&Bound<'_, Robot>>,
        gravity: Vec3,
        friction: bool,
        payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
    ) -> PyResult<SmoothTrajectory> {
        let robot = robot.map(|robot| robot.get());
        let dynamics = robot.map(|robot| dynamics(robot, gravity, friction, payload));
        let dynamics = dynamics.transpose()?;
        let mut time = TimeParameterization::new(&limits.get().0);
        if let Some(dynamics) = &dynamics {
            time = time.with_dynamics(dynamics);
        }
        let waypoints = waypoints.to_vecs();
        call_detached(py, || self.inner.motion_along(&waypoints, deviation, &time))
            .map(SmoothTrajectory)
    }

    /// The first time at which a motion is not free, and the reason; ``None`` where it is free.
    fn motion_collision(
        &self,
        py: Python<'_>,
        motion: &Bound<'_, SmoothTrajectory>,
    ) -> PyResult<Option<(f64, String)>> {
        let motion = &motion.get().0;
        let found = call_detached(py, || self.inner.motion_collision(motion))?;
        Ok(found.map(|(time, obstacle)| (time, obstacle.display(self.inner.world()).to_string())))
    }
}
