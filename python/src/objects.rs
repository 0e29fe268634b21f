//! Rigid objects and terrains that are in no world yet.

use kinworld::world as kw;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::convert::{Array1, Array2, PoseIn, Vec3, array1, pose_array};
use crate::describe::{number, shape_or_none};
use crate::error::{Diagnostics, call_detached, diagnostics, loaded};
use crate::geometry::Geometry;
use crate::inertia::Inertia;
use crate::interrupt::in_background;
use crate::load::LoadOptions;

/// A free rigid body: a shape, a mass, a pose. `World.add` puts a copy into a world.
#[pyclass(frozen, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct RigidObject(pub(crate) kw::RigidObject);

#[pymethods]
impl RigidObject {
    #[new]
    #[pyo3(signature = (name, geometry=None, *, mass=1.0, com=Vec3([0.0; 3]), moment=None, pose=None, friction=0.5,
        restitution=0.0))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn new(
        name: String,
        geometry: Option<&Geometry>,
        mass: f64,
        com: Vec3,
        moment: Option<crate::convert::Rows>,
        pose: Option<PoseIn>,
        friction: f64,
        restitution: f64,
    ) -> PyResult<Self> {
        let mut object = kw::RigidObject::new(name);
        object.geometry = geometry.map(|geometry| geometry.0.clone());
        object.inertia.mass = mass;
        object.inertia.com = com.point();
        if let Some(moment) = moment {
            let rows = moment.of_width(3, "moment")?;
            if moment.count != 3 {
                return Err(pyo3::exceptions::PyValueError::new_err(
                    "moment is a 3 × 3 array",
                ));
            }
            object.inertia.moment = kinworld::nalgebra::Matrix3::from_row_slice(rows);
        }
        if let Some(pose) = pose {
            object.pose = pose.0;
        }
        object.contact.friction = friction;
        object.contact.restitution = restitution;
        Ok(Self(object))
    }

    /// Loads a rigid object; a mesh alone becomes one of 1 kg.
    #[staticmethod]
    #[pyo3(signature = (path, *, options=None))]
    fn load(
        py: Python<'_>,
        path: std::path::PathBuf,
        options: Option<&LoadOptions>,
    ) -> PyResult<Self> {
        let mut loader = LoadOptions::loader(options);
        loaded(
            py,
            in_background(py, None, move |_| loader.rigid_object(path))?,
        )
        .map(|(object, _)| Self(object))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self) -> f64 {
        self.0.inertia.mass
    }

    /// Pose (4 × 4).
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> Array2<'py> {
        pose_array(py, &self.0.pose)
    }

    /// The shape.
    #[getter]
    fn geometry(&self) -> Option<Geometry> {
        self.0.geometry.clone().map(Geometry)
    }

    /// Mass, centre of mass and moment of inertia.
    #[getter]
    fn inertia(&self) -> Inertia {
        Inertia(self.0.inertia)
    }

    /// Velocity (3) of the frame's origin in world axes, m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.velocity.as_slice())
    }

    /// Angular velocity (3) in world axes, rad/s.
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, self.0.angular_velocity.as_slice())
    }

    /// Friction, restitution, stiffness and damping of its surface, as files give them.
    #[getter]
    fn contact(&self) -> (f64, f64, f64, f64) {
        let contact = self.0.contact;
        (
            contact.friction,
            contact.restitution,
            contact.stiffness,
            contact.damping,
        )
    }

    /// Other properties of the file.
    #[getter]
    fn properties(&self) -> std::collections::BTreeMap<String, String> {
        self.0.properties.clone()
    }

    /// Why the object lacks the collision geometry that it should have; ``None`` where it does not.
    #[getter]
    fn missing_geometry(&self) -> Option<&'static str> {
        self.0.missing_geometry.map(|reason| reason.name())
    }

    /// Saves the object as a rigid-object file with its mesh. Returns warnings about what is lost.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: std::path::PathBuf, force: bool) -> PyResult<Diagnostics> {
        let options = kinworld::io::SaveOptions::default().with_force(force);
        call_detached(py, || self.0.save_with(path, &options)).map(|lost| diagnostics(&lost))
    }

    fn __repr__(&self) -> String {
        format!(
            "RigidObject '{}': {} kg, {}",
            self.0.name,
            number(self.0.inertia.mass),
            shape_or_none(self.0.geometry.as_ref())
        )
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = crate::pickle::to_bytes(&slf.get().0)?;
        Ok((
            slf.get_type().getattr("_from_bytes")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        crate::pickle::from_bytes(bytes).map(Self)
    }
}

/// A static shape. `World.add` puts a copy into a world.
#[pyclass(frozen, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Terrain(pub(crate) kw::Terrain);

#[pymethods]
impl Terrain {
    #[new]
    #[pyo3(signature = (name, geometry=None))]
    fn new(name: String, geometry: Option<&Geometry>) -> Self {
        Self(kw::Terrain::new(
            name,
            geometry.map(|geometry| geometry.0.clone()),
        ))
    }

    /// Loads a terrain.
    #[staticmethod]
    #[pyo3(signature = (path, *, options=None))]
    fn load(
        py: Python<'_>,
        path: std::path::PathBuf,
        options: Option<&LoadOptions>,
    ) -> PyResult<Self> {
        let mut loader = LoadOptions::loader(options);
        loaded(py, in_background(py, None, move |_| loader.terrain(path))?)
            .map(|(terrain, _)| Self(terrain))
    }

    /// The name.
    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The shape.
    #[getter]
    fn geometry(&self) -> Option<Geometry> {
        self.0.geometry.clone().map(Geometry)
    }

    /// Friction of each part, as the file gives it.
    #[getter]
    fn friction(&self) -> Vec<f64> {
        self.0.friction.clone()
    }

    /// Other properties of the file.
    #[getter]
    fn properties(&self) -> std::collections::BTreeMap<String, String> {
        self.0.properties.clone()
    }

    /// Why the terrain lacks the collision geometry that it should have; ``None`` where it does not.
    #[getter]
    fn missing_geometry(&self) -> Option<&'static str> {
        self.0.missing_geometry.map(|reason| reason.name())
    }

    /// Saves the terrain as a file with its mesh. Returns warnings about what is lost.
    #[pyo3(signature = (path, *, force=false))]
    fn save(&self, py: Python<'_>, path: std::path::PathBuf, force: bool) -> PyResult<Diagnostics> {
        let options = kinworld::io::SaveOptions::default().with_force(force);
        call_detached(py, || self.0.save_with(path, &options)).map(|lost| diagnostics(&lost))
    }

    fn __repr__(&self) -> String {
        let shape = shape_or_none(self.0.geometry.as_ref());
        format!("Terrain '{}': {shape}", self.0.name)
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = crate::pickle::to_bytes(&slf.get().0)?;
        Ok((
            slf.get_type().getattr("_from_bytes")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        crate::pickle::from_bytes(bytes).map(Self)
    }
}
