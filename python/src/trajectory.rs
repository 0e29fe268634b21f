//! Trajectories: configurations at times.

use kinworld::planning::{self, RobotTrajectory};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, Reals, Rows, array1, array2};
use crate::describe::{count, number};
use crate::error::{call, call_detached};
use crate::robot::Robot;

/// Configurations at times, with straight lines in between.
///
/// >>> import kinworld as kw
/// >>> t = kw.Trajectory([0, 2], [[0, 0], [1, 4]])
/// >>> t.at(1)
/// array([0.5, 2. ])
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Trajectory(pub(crate) planning::Trajectory);

#[pymethods]
impl Trajectory {
    #[new]
    fn new(times: Reals, milestones: Rows) -> PyResult<Self> {
        call(|| {
            Ok(Self(planning::Trajectory::new(
                times.to_vec(),
                milestones.to_vecs(),
            )?))
        })
    }

    /// The configurations of a path, one second apart.
    #[staticmethod]
    fn from_path(path: Rows) -> PyResult<Self> {
        call(|| Ok(Self(planning::Trajectory::from_path(path.to_vecs())?)))
    }

    /// Loads a trajectory from a file: ``.traj`` of Klampt, or CSV.
    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Self> {
        let mut loader = kinworld::io::Loader::new();
        let loaded = call_detached(py, || loader.trajectory(path))?;
        crate::error::loaded(py, loaded).map(|(trajectory, _)| Self(trajectory))
    }

    /// Saves the trajectory; the suffix is the format.
    fn save(&self, py: Python<'_>, path: std::path::PathBuf) -> PyResult<()> {
        call_detached(py, || self.0.save(path))
    }

    /// The times (k), s.
    #[getter]
    fn times<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.times())
    }

    /// The configurations (k × n) at the times.
    #[getter]
    fn milestones<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let rows = self.0.milestones();
        let n = rows.first().map_or(0, Vec::len);
        array2(py, rows.len(), n, |out| {
            for (row, q) in out.chunks_exact_mut(n.max(1)).zip(rows) {
                row.copy_from_slice(q);
            }
        })
    }

    /// Time between the first and the last configuration, s.
    #[getter]
    fn duration(&self) -> f64 {
        self.0.duration()
    }

    /// The configuration (n) at a time; before the start the first, after the end the last.
    ///
    /// With ``robot``, in between it is interpolated joint by joint: spin joints the short way round, rotations of
    /// floating bases about one axis.
    #[pyo3(signature = (time, robot=None))]
    fn at<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        robot: Option<&Bound<'py, Robot>>,
    ) -> PyResult<Array1<'py>> {
        call(|| match robot {
            None => Ok(self.0.at(time)),
            Some(robot) => RobotTrajectory::new(&robot.get().model, &self.0)?.at(time),
        })
        .map(|q| array1(py, &q))
    }

    /// The velocity (n) at a time; with ``robot``, of what `at` gives.
    #[pyo3(signature = (time, robot=None))]
    fn velocity_at<'py>(
        &self,
        py: Python<'py>,
        time: f64,
        robot: Option<&Bound<'py, Robot>>,
    ) -> PyResult<Array1<'py>> {
        call(|| match robot {
            None => Ok(self.0.velocity_at(time)),
            Some(robot) => RobotTrajectory::new(&robot.get().model, &self.0)?.velocity_at(time),
        })
        .map(|v| array1(py, &v))
    }

    /// The path of a robot through the milestones with a milestone every ``step`` s.
    fn discretized(&self, robot: &Bound<'_, Robot>, step: f64) -> PyResult<Self> {
        call(|| {
            RobotTrajectory::new(&robot.get().model, &self.0)?
                .discretized(step)
                .map(Self)
        })
    }

    /// Time of the first configuration, s.
    #[getter]
    fn start_time(&self) -> f64 {
        self.0.start_time()
    }

    /// Time of the last configuration, s.
    #[getter]
    fn end_time(&self) -> f64 {
        self.0.end_time()
    }

    /// The trajectory with all times multiplied by a factor.
    fn time_scaled(&self, factor: f64) -> PyResult<Self> {
        call(|| self.0.time_scaled(factor).map(Self))
    }

    /// This trajectory, then another.
    fn followed_by(&self, then: &Self) -> PyResult<Self> {
        call(|| self.0.followed_by(&then.0).map(Self))
    }

    /// The trajectory up to a time, and from it.
    fn split(&self, time: f64) -> PyResult<(Self, Self)> {
        call(|| Ok(self.0.split(time))).map(|(a, b)| (Self(a), Self(b)))
    }

    fn __len__(&self) -> usize {
        self.0.times().len()
    }

    pub(crate) fn __repr__(&self) -> String {
        let dofs = self.0.milestones().first().map_or(0, Vec::len);
        format!(
            "Trajectory: {} of {}, {} s to {} s",
            count(self.0.times().len(), "milestone"),
            count(dofs, "dof"),
            number(self.0.start_time()),
            number(self.0.end_time())
        )
    }
}
