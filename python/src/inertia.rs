//! Mass, centre of mass and moment of inertia.

use kinworld::math::{Inertia as Model, Motion};
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, PoseIn, Reals, Rows, Vec3, Vec6, array1, matrix};
use crate::error::{call, error};

/// Mass (kg), centre of mass (3, m) and moment of inertia about it (3 × 3, kg·m²) of a rigid body, in a frame.
///
/// >>> import kinworld as kw
/// >>> kw.Inertia.cuboid(12.0, (1, 1, 1)).moment
/// array([[2., 0., 0.],
///        [0., 2., 0.],
///        [0., 0., 2.]])
#[pyclass(frozen, from_py_object, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Inertia(pub(crate) Model);

#[pymethods]
impl Inertia {
    #[new]
    #[pyo3(signature = (mass=0.0, com=Vec3([0.0; 3]), moment=None))]
    fn new(mass: f64, com: Vec3, moment: Option<Rows>) -> PyResult<Self> {
        let mut inertia = Model::zero();
        inertia.mass = mass;
        inertia.com = com.point();
        if let Some(moment) = moment {
            inertia.moment = matrix3(&moment, "moment")?;
        }
        Ok(Self(inertia))
    }

    /// Of a box with these side lengths (3), m, about its centre.
    #[staticmethod]
    fn cuboid(mass: f64, size: Vec3) -> PyResult<Self> {
        call(|| Model::cuboid(mass, size.vector())).map(Self)
    }

    /// Of a ball about its centre.
    #[staticmethod]
    fn sphere(mass: f64, radius: f64) -> PyResult<Self> {
        call(|| Model::sphere(mass, radius)).map(Self)
    }

    /// Of a cylinder along z about its centre.
    #[staticmethod]
    fn cylinder(mass: f64, radius: f64, height: f64) -> PyResult<Self> {
        call(|| Model::cylinder(mass, radius, height)).map(Self)
    }

    /// Of a capsule along z about its centre; ``length`` without the caps.
    #[staticmethod]
    fn capsule(mass: f64, radius: f64, length: f64) -> PyResult<Self> {
        call(|| Model::capsule(mass, radius, length)).map(Self)
    }

    /// Of a thin rod along z about its centre.
    #[staticmethod]
    fn rod(mass: f64, length: f64) -> PyResult<Self> {
        call(|| Model::rod(mass, length)).map(Self)
    }

    /// From ten parameters, see ``parameters``.
    #[staticmethod]
    fn from_parameters(parameters: Reals) -> PyResult<Self> {
        let ten = <&[f64; 10]>::try_from(&*parameters).map_err(|_| {
            error(format!(
                "parameters are ten numbers, got {}",
                parameters.len()
            ))
        })?;
        call(|| Ok(Self(Model::from_parameters(ten))))
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.0.mass
    }

    /// Centre of mass (3), m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.com.coords.as_slice())
    }

    /// Moment of inertia (3 × 3) about the centre of mass, kg·m².
    #[getter]
    fn moment<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.0.moment)
    }

    /// The inertia in another frame, in which this frame has the pose (4 × 4).
    fn transformed(&self, pose: PoseIn) -> Self {
        Self(self.0.transformed(&pose.0))
    }

    /// The inertia of two bodies that are fixed to each other.
    fn merged(&self, other: &Self) -> Self {
        Self(self.0.merged(&other.0))
    }

    fn __add__(&self, other: &Self) -> Self {
        self.merged(other)
    }

    /// Moment of inertia (3 × 3) about a point (3).
    fn moment_about<'py>(&self, py: Python<'py>, p: Vec3) -> Array2<'py> {
        matrix(py, &self.0.moment_about(&p.point()))
    }

    /// Momentum (6) at a spatial velocity (6), both angular first, about the frame's origin.
    fn momentum<'py>(&self, py: Python<'py>, velocity: Vec6) -> Array1<'py> {
        let momentum = self.0.momentum(&Motion::from_angular_first(velocity.0));
        array1(py, &momentum.to_angular_first())
    }

    /// Kinetic energy at a spatial velocity (6), angular first, J.
    fn kinetic_energy(&self, velocity: Vec6) -> f64 {
        self.0
            .kinetic_energy(&Motion::from_angular_first(velocity.0))
    }

    /// The ten parameters in which the dynamics are linear: m, m·c (3), and the moment about the origin: xx, xy, yy, xz,
    /// yz, zz.
    #[getter]
    fn parameters<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.parameters())
    }

    /// The spatial inertia (6 × 6), angular first.
    #[getter]
    fn matrix<'py>(&self, py: Python<'py>) -> Array2<'py> {
        matrix(py, &self.0.matrix())
    }

    fn __repr__(&self) -> String {
        let com = &self.0.com;
        format!(
            "Inertia: {} kg at ({}, {}, {})",
            self.0.mass, com.x, com.y, com.z
        )
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (Bound<'py, PyAny>, (f64, Array1<'py>, Array2<'py>)) {
        let (py, it) = (slf.py(), &slf.get().0);
        (
            slf.get_type().into_any(),
            (
                it.mass,
                array1(py, it.com.coords.as_slice()),
                matrix(py, &it.moment),
            ),
        )
    }
}

/// A matrix of three rows.
pub(crate) fn matrix3(rows: &Rows, what: &str) -> PyResult<kinworld::nalgebra::Matrix3<f64>> {
    let numbers = rows.of_width(3, what)?;
    if rows.count != 3 {
        return Err(error(format!("{what} is a 3 × 3 array")));
    }
    Ok(kinworld::nalgebra::Matrix3::from_row_slice(numbers))
}
