//! What distance and ray queries find.

use kinworld::WorldModel;
use pyo3::prelude::*;

use crate::convert::{Array1, array1};
use crate::world::{Entity, entity};

/// The distance of two elements, m, and their nearest points (3) in the world.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Nearest {
    /// Distance, m; 0 where they overlap or touch.
    #[pyo3(get)]
    distance: f64,
    /// One element.
    #[pyo3(get)]
    a: Entity,
    /// The other.
    #[pyo3(get)]
    b: Entity,
    on_a: Option<[f64; 3]>,
    on_b: Option<[f64; 3]>,
}

impl Nearest {
    pub(crate) fn new(world: &WorldModel, found: &kinworld::world::WorldDistance) -> Self {
        Self {
            distance: found.distance,
            a: entity(world, found.a),
            b: entity(world, found.b),
            on_a: found.on_a.map(|p| p.coords.into()),
            on_b: found.on_b.map(|p| p.coords.into()),
        }
    }
}

#[pymethods]
impl Nearest {
    /// The nearest point (3) of ``a``; ``None`` where they overlap.
    #[getter]
    fn on_a<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.on_a.map(|p| array1(py, &p))
    }

    /// The nearest point (3) of ``b``; ``None`` where they overlap.
    #[getter]
    fn on_b<'py>(&self, py: Python<'py>) -> Option<Array1<'py>> {
        self.on_b.map(|p| array1(py, &p))
    }

    fn __float__(&self) -> f64 {
        self.distance
    }

    fn __repr__(&self) -> String {
        format!(
            "Nearest: {:.6} m, '{}' to '{}'",
            self.distance,
            self.a.__str__(),
            self.b.__str__()
        )
    }
}

/// Where a ray hits an element.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Hit {
    /// The element.
    #[pyo3(get)]
    pub(super) entity: Entity,
    /// Distance from the origin of the ray, m.
    #[pyo3(get)]
    pub(super) distance: f64,
    pub(super) point: [f64; 3],
    pub(super) normal: [f64; 3],
}

#[pymethods]
impl Hit {
    /// The point (3) in the world.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.point)
    }

    /// The normal (3) of the surface, towards the origin of the ray.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.normal)
    }

    fn __repr__(&self) -> String {
        format!("Hit: '{}' at {:.6} m", self.entity.__str__(), self.distance)
    }
}
