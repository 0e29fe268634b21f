//! Friction cones and point contacts.

use kinworld::Vector;
use kinworld::contact as kw;
use pyo3::prelude::*;

use crate::convert::{Array1, Array2, Vec3, array1, array2};
use crate::describe::triple;
use crate::error::call;
use crate::geometry::ContactPair;

/// Coulomb's friction cone: forces that push along ``normal`` (3) with a tangential part of at most ``friction`` times
/// the normal part.
#[pyclass(frozen, module = "kinworld.contact")]
pub(crate) struct FrictionCone(kw::FrictionCone);

#[pymethods]
impl FrictionCone {
    #[new]
    fn new(normal: Vec3, friction: f64) -> PyResult<Self> {
        call(|| kw::FrictionCone::new(normal.vector(), friction)).map(Self)
    }

    /// The unit normal (3).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.normal().as_slice())
    }

    /// Coefficient of friction.
    #[getter]
    fn friction(&self) -> f64 {
        self.0.friction()
    }

    /// Angle between the normal and the surface of the cone, rad.
    #[getter]
    fn angle(&self) -> f64 {
        self.0.angle()
    }

    /// The cone of the opposite normal: of the reaction.
    fn reflected(&self) -> Self {
        Self(self.0.reflected())
    }

    /// Two unit vectors (2 × 3) at right angles to the normal and each other.
    #[getter]
    fn tangents<'py>(&self, py: Python<'py>) -> Array2<'py> {
        vectors(py, &self.0.tangents())
    }

    /// How far a force (3) is outside the cone, N; 0 or less within.
    fn excess(&self, force: Vec3) -> f64 {
        self.0.excess(&force.vector())
    }

    /// Whether a force (3) is within the cone.
    fn contains(&self, force: Vec3) -> bool {
        self.0.contains(&force.vector())
    }

    /// The nearest force (3) within the cone.
    fn project<'py>(&self, py: Python<'py>, force: Vec3) -> Array1<'py> {
        array1(py, self.0.project(&force.vector()).as_slice())
    }

    /// Edges (n × 3) of an inscribed pyramid.
    fn edges<'py>(&self, py: Python<'py>, n: usize) -> PyResult<Array2<'py>> {
        call(|| Ok(self.0.edges(n))).map(|edges| vectors(py, &edges))
    }

    fn __repr__(&self) -> String {
        let normal = triple(*self.0.normal());
        format!(
            "FrictionCone: normal {normal}, friction {}",
            self.0.friction()
        )
    }
}

/// A point contact on a body: a point (3) in the world, the normal (3) into the body, the coefficient of friction.
#[pyclass(frozen, from_py_object, module = "kinworld.contact")]
#[derive(Clone)]
pub(crate) struct ContactPoint(pub(super) kw::ContactPoint);

#[pymethods]
impl ContactPoint {
    #[new]
    fn new(point: Vec3, normal: Vec3, friction: f64) -> PyResult<Self> {
        call(|| kw::ContactPoint::new(point.point(), normal.vector(), friction)).map(Self)
    }

    /// The contact on the first shape of a pair that collision detection found.
    #[staticmethod]
    fn between(pair: &Bound<'_, ContactPair>, friction: f64) -> PyResult<Self> {
        call(|| kw::ContactPoint::between(&pair.get().0, friction)).map(Self)
    }

    /// The point (3), m.
    #[getter]
    fn point<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.point.coords.as_slice())
    }

    /// The unit normal (3), into the body.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.cone.normal().as_slice())
    }

    /// Coefficient of friction.
    #[getter]
    fn friction(&self) -> f64 {
        self.0.cone.friction()
    }

    /// The friction cone.
    #[getter]
    fn cone(&self) -> FrictionCone {
        FrictionCone(self.0.cone)
    }

    /// The contact on the other body.
    fn reflected(&self) -> Self {
        Self(self.0.reflected())
    }

    fn __repr__(&self) -> String {
        let (p, n) = (&self.0.point, self.0.cone.normal());
        format!(
            "ContactPoint(({}, {}, {}), ({}, {}, {}), {})",
            p.x,
            p.y,
            p.z,
            n.x,
            n.y,
            n.z,
            self.0.cone.friction()
        )
    }
}

/// Vectors, one per row.
pub(super) fn vectors<'py>(py: Python<'py>, vectors: &[Vector]) -> Array2<'py> {
    array2(py, vectors.len(), 3, |out| {
        for (row, vector) in out.chunks_exact_mut(3).zip(vectors) {
            row.copy_from_slice(vector.as_slice());
        }
    })
}
