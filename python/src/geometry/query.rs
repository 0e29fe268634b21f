//! Queries of one or two shapes: collisions, distances, contacts, rays.

use kinworld::geometry::query;
use pyo3::prelude::*;

use super::{Geometry, IDENTITY};
use crate::convert::{Array1, PoseIn, Vec3, array1};
use crate::describe::triple;
use crate::error::call;

#[pymethods]
impl Geometry {
    /// Whether the shape at ``pose`` and another at ``other_pose`` touch or overlap.
    #[pyo3(signature = (other, *, pose=IDENTITY, other_pose=IDENTITY))]
    fn collides(&self, other: &Self, pose: PoseIn, other_pose: PoseIn) -> PyResult<bool> {
        call(|| query::collides((&self.0, &pose.0), (&other.0, &other_pose.0)))
    }

    /// Whether two shapes are within a distance, m.
    #[pyo3(signature = (other, distance, *, pose=IDENTITY, other_pose=IDENTITY))]
    fn within_distance(
        &self,
        other: &Self,
        distance: f64,
        pose: PoseIn,
        other_pose: PoseIn,
    ) -> PyResult<bool> {
        call(|| query::within_distance((&self.0, &pose.0), (&other.0, &other_pose.0), distance))
    }

    /// Distance of two shapes, m; 0 where they touch or overlap.
    #[pyo3(signature = (other, *, pose=IDENTITY, other_pose=IDENTITY))]
    fn distance(&self, other: &Self, pose: PoseIn, other_pose: PoseIn) -> PyResult<f64> {
        call(|| Ok(query::distance((&self.0, &pose.0), (&other.0, &other_pose.0))?.distance))
    }

    /// Nearest points (3 each) of two shapes in the world; ``None`` where they overlap.
    #[pyo3(signature = (other, *, pose=IDENTITY, other_pose=IDENTITY))]
    fn nearest_points<'py>(
        &self,
        py: Python<'py>,
        other: &Self,
        pose: PoseIn,
        other_pose: PoseIn,
    ) -> PyResult<Option<(Array1<'py>, Array1<'py>)>> {
        let found = call(|| query::distance((&self.0, &pose.0), (&other.0, &other_pose.0)))?;
        Ok(found.on_a.zip(found.on_b).map(|(a, b)| {
            (
                array1(py, a.coords.as_slice()),
                array1(py, b.coords.as_slice()),
            )
        }))
    }

    /// Contacts of two shapes that are at most ``prediction`` apart, at most ``max`` of them.
    #[pyo3(signature = (other, *, pose=IDENTITY, other_pose=IDENTITY, prediction=0.0, max=100))]
    fn contacts(
        &self,
        other: &Self,
        pose: PoseIn,
        other_pose: PoseIn,
        prediction: f64,
        max: usize,
    ) -> PyResult<Vec<ContactPair>> {
        let pairs = call(|| {
            query::contacts(
                (&self.0, &pose.0),
                (&other.0, &other_pose.0),
                prediction,
                max,
            )
        })?;
        Ok(pairs.into_iter().map(ContactPair).collect())
    }

    /// Distance, point (3) and normal (3) of the first hit of a ray, or ``None``.
    #[pyo3(signature = (origin, direction, *, pose=IDENTITY, max=f64::INFINITY))]
    fn ray_cast<'py>(
        &self,
        py: Python<'py>,
        origin: Vec3,
        direction: Vec3,
        pose: PoseIn,
        max: f64,
    ) -> PyResult<Option<(f64, Array1<'py>, Array1<'py>)>> {
        let hit = call(|| {
            query::ray_cast(
                (&self.0, &pose.0),
                &origin.point(),
                &direction.vector(),
                max,
            )
        })?;
        Ok(hit.map(|hit| {
            (
                hit.distance,
                array1(py, hit.point.coords.as_slice()),
                array1(py, hit.normal.as_slice()),
            )
        }))
    }

    /// Whether a point (3) of the world is inside the shape.
    #[pyo3(signature = (point, *, pose=IDENTITY))]
    fn contains_point(&self, point: Vec3, pose: PoseIn) -> PyResult<bool> {
        call(|| query::contains_point((&self.0, &pose.0), &point.point()))
    }

    /// The farthest point (3) of the shape along a direction (3); ``None`` for an empty shape.
    #[pyo3(signature = (direction, *, pose=IDENTITY))]
    fn support<'py>(
        &self,
        py: Python<'py>,
        direction: Vec3,
        pose: PoseIn,
    ) -> PyResult<Option<Array1<'py>>> {
        let found = call(|| query::support((&self.0, &pose.0), &direction.vector()))?;
        Ok(found.map(|p| array1(py, p.coords.as_slice())))
    }
}

/// Points where two shapes touch, overlap or nearly touch.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct ContactPair(pub(crate) query::ContactPair);

#[pymethods]
impl ContactPair {
    /// The point (3) of the first shape in the world.
    #[getter]
    fn point_a<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.point_a.coords.as_slice())
    }

    /// The point (3) of the second shape in the world.
    #[getter]
    fn point_b<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.point_b.coords.as_slice())
    }

    /// The normal (3), from the first shape to the second.
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.normal.as_slice())
    }

    /// Depth of the overlap, m; negative where they are apart.
    #[getter]
    fn depth(&self) -> f64 {
        self.0.depth
    }

    fn __repr__(&self) -> String {
        format!(
            "ContactPair: depth {:.6} m, {} and {}",
            self.0.depth,
            triple(self.0.point_a.coords),
            triple(self.0.point_b.coords)
        )
    }
}
