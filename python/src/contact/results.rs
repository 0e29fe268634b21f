//! Contact forces in equilibrium, and the region of support.

use kinworld::Robot as Model;
use kinworld::contact as kw;
use pyo3::prelude::*;

use super::cone::vectors;
use crate::convert::{Array1, Array2, array1, array2};
use crate::describe::{count, first, number};

/// Contact forces that balance a load.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct Equilibrium(pub(super) kw::Equilibrium);

#[pymethods]
impl Equilibrium {
    /// Forces (k × 3) of the contacts, N.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Array2<'py> {
        vectors(py, &self.0.forces)
    }

    /// The part (6) of the load that is not balanced, moment first.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.residual.to_angular_first())
    }

    /// Size of the residual relative to the load.
    #[getter]
    fn error(&self) -> f64 {
        self.0.error
    }

    /// Whether the load is balanced.
    #[getter]
    fn holds(&self) -> bool {
        self.0.holds()
    }

    fn __bool__(&self) -> bool {
        self.0.holds()
    }

    fn __repr__(&self) -> String {
        let holds = if self.0.holds() { "holds" } else { "fails" };
        format!("Equilibrium: {holds}, error {:.1e}", self.0.error)
    }
}

/// Contact forces and motor forces that hold a robot in gravity.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct RobotEquilibrium(
    pub(super) kw::RobotEquilibrium,
    pub(super) std::sync::Arc<Model>,
);

#[pymethods]
impl RobotEquilibrium {
    /// Forces (k × 3) of the contacts, N.
    #[getter]
    fn forces<'py>(&self, py: Python<'py>) -> Array2<'py> {
        vectors(py, &self.0.forces)
    }

    /// Forces of the drivers, N·m or N.
    #[getter]
    fn drivers<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.drivers)
    }

    /// Joint forces (n) that are not balanced.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.0.residual)
    }

    /// Size of the residual relative to gravity.
    #[getter]
    fn error(&self) -> f64 {
        self.0.error
    }

    /// Whether gravity is balanced.
    #[getter]
    fn holds(&self) -> bool {
        self.0.holds()
    }

    /// Largest driver force relative to its limit.
    #[getter]
    fn effort(&self) -> f64 {
        self.0.effort(&self.1)
    }

    fn __bool__(&self) -> bool {
        self.0.holds()
    }

    fn __repr__(&self) -> String {
        let holds = if self.0.holds() { "holds" } else { "fails" };
        format!("RobotEquilibrium: {holds}, error {:.1e}", self.0.error)
    }
}

/// Horizontal positions of the centre of mass in static equilibrium.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct SupportPolygon(pub(super) kw::SupportPolygon);

#[pymethods]
impl SupportPolygon {
    /// The corners (k × 2), counterclockwise, m.
    #[getter]
    fn vertices<'py>(&self, py: Python<'py>) -> Array2<'py> {
        let vertices = &self.0.vertices;
        array2(py, vertices.len(), 2, |out| {
            for (row, vertex) in out.chunks_exact_mut(2).zip(vertices) {
                row.copy_from_slice(vertex.coords.as_slice());
            }
        })
    }

    /// Whether the polygon is bounded.
    #[getter]
    fn is_bounded(&self) -> bool {
        self.0.is_bounded
    }

    /// Area, m².
    #[getter]
    fn area(&self) -> f64 {
        self.0.area()
    }

    /// Distance of (x, y) from the edge, m; negative outside.
    fn margin(&self, x: f64, y: f64) -> f64 {
        self.0.margin(x, y)
    }

    /// Whether (x, y) is inside.
    fn contains(&self, x: f64, y: f64) -> bool {
        self.0.contains(x, y)
    }

    fn __repr__(&self) -> String {
        let vertices = first(&self.0.vertices, |p| {
            format!("({}, {})", number(p.x), number(p.y))
        });
        format!(
            "SupportPolygon: {}: {vertices}",
            count(self.0.vertices.len(), "corner")
        )
    }
}
