//! Motions with continuous velocity.

use kinworld::planning;
use pyo3::prelude::*;

use super::{GeometricPath, MotionLimits, dynamics};
use crate::convert::{Array1, LinkKey, Reals, Vec3, array1};
use crate::describe::{count, number};
use crate::error::call;
use crate::inertia::Inertia;
use crate::robot::Robot;
use crate::state::GRAVITY;
use crate::trajectory::Trajectory;

/// A motion with continuous velocity, along a path by `GeometricPath.time_optimal`, or `point_to_point`.
///
/// >>> import kinworld as kw
/// >>> limits = kw.MotionLimits(1).with_velocity([2]).with_acceleration([4]).with_jerk([16])
/// >>> motion = kw.SmoothTrajectory.point_to_point([1.0], [11.0], limits)
/// >>> round(motion.duration, 9)
/// 5.75
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct SmoothTrajectory(pub(crate) planning::SmoothTrajectory);

#[pymethods]
impl SmoothTrajectory {
    /// The fastest motion between two configurations (n each) within limits of velocity, acceleration and jerk.
    ///
    /// It begins and ends at rest, or with these velocities and accelerations (n each); all degrees of freedom arrive together, after
    /// ``duration`` seconds at least. With ``straight`` it keeps to the straight line between the two.
    #[staticmethod]
    #[pyo3(signature = (start, goal, limits, *, start_velocity=None, start_acceleration=None, goal_velocity=None, goal_acceleration=None, straight=false, duration=0.0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn point_to_point(
        start: Reals,
        goal: Reals,
        limits: &Bound<'_, MotionLimits>,
        start_velocity: Option<Reals>,
        start_acceleration: Option<Reals>,
        goal_velocity: Option<Reals>,
        goal_acceleration: Option<Reals>,
        straight: bool,
        duration: f64,
    ) -> PyResult<Self> {
        let limits = &limits.get().0;
        let rest = vec![0.0; limits.n_dofs()];
        let given =
            |rates: &Option<Reals>| rates.as_ref().map_or_else(|| rest.clone(), |r| r.to_vec());
        call(|| {
            let mut motion = planning::PointToPoint::new(limits)
                .with_start(&given(&start_velocity), &given(&start_acceleration))?
                .with_goal(&given(&goal_velocity), &given(&goal_acceleration))?
                .with_duration(duration)?;
            if straight {
                motion = motion.with_straight_line();
            }
            motion.solve(&start, &goal).map(Self)
        })
    }

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
        let dynamics = dynamics(robot, gravity, friction, payload)?;
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
        let dynamics = dynamics(robot, gravity, friction, payload)?;
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
