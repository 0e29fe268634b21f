//! Paths without time.

use kinworld::planning;
use pyo3::prelude::*;

use super::{MotionLimits, SmoothTrajectory, dynamics, within};
use crate::convert::{Array1, LinkKey, Reals, Rows, Vec3, array1};
use crate::describe::{count, number};
use crate::error::{call, call_detached};
use crate::inertia::Inertia;
use crate::robot::Robot;
use crate::state::GRAVITY;

/// A path q(s) of piecewise polynomials, without time.
///
/// >>> import kinworld as kw
/// >>> path = kw.GeometricPath.blended([[0, 0], [3, 0], [3, 4]], 0.01)
/// >>> limits = kw.MotionLimits(2).with_velocity([1, 1]).with_acceleration([2, 2])
/// >>> motion = path.time_optimal(limits)
/// >>> motion.check(limits) is None, 7.8 < motion.duration < 8
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
        let dynamics = dynamics(robot, gravity, friction, payload)?;
        let mut time = within(&limits.get().0, dynamics.as_ref());
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
