//! Limits of motions.

use kinworld::planning;
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, Reals, array1, array2};
use crate::describe::count;
use crate::error::{call, call_detached};
use crate::robot::Robot;

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
