//! Elements of a world, as handles that stay valid.

use kinworld::world::{RigidObjectId, RobotId, TerrainId};
use pyo3::prelude::*;

use super::{Entity, World, entity};
use crate::convert::{Array1, Array2, PoseIn, Reals, Vec3, array1, matrix, pose_array};
use crate::describe::{count, number, numbers, shape_or_none, triple};
use crate::error::{call, fail};
use crate::geometry::Geometry;
use crate::inertia::Inertia;
use crate::state::State;

/// A robot of a world: a state that moves the robot there, and all that is attached to it.
#[pyclass(extends = State, module = "kinworld")]
pub(crate) struct RobotView {
    pub(crate) id: RobotId,
}

impl RobotView {
    /// The robot of a world.
    pub(crate) fn new(world: Py<World>, id: RobotId, py: Python<'_>) -> PyResult<Py<Self>> {
        Py::new(py, (Self { id }, State::in_world(world, id)))
    }
}

#[pymethods]
impl RobotView {
    /// The name in the world, which may differ from that of the robot's description.
    #[getter]
    fn name(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::read(slf, |world, id| {
            Ok(world.model.robot(id)?.name().to_owned())
        })
    }

    /// The world.
    #[getter]
    fn world(slf: PyRef<'_, Self>) -> Option<Py<World>> {
        let py = slf.py();
        slf.as_super().place().map(|(world, _)| world.clone_ref(py))
    }

    /// The robot as an element of its world.
    #[getter]
    fn entity(slf: &Bound<'_, Self>) -> PyResult<Entity> {
        Self::read(slf, |world, id| Ok(entity(&world.model, id.into())))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        Self::read(slf, |world, id| {
            let robot = world.model.robot(id)?;
            Ok(format!(
                "Robot '{}' of a world: {}, {}, at {}",
                robot.name(),
                count(robot.config().len(), "dof"),
                count(robot.n_links(), "link"),
                numbers(robot.config())
            ))
        })
    }
}

impl RobotView {
    fn read<T>(
        slf: &Bound<'_, Self>,
        query: impl FnOnce(&World, RobotId) -> kinworld::Result<T>,
    ) -> PyResult<T> {
        let view = slf.try_borrow()?;
        let id = view.id;
        let (world, _) = view
            .as_super()
            .place()
            .expect("the state of a view is in a world");
        let world = world.bind(slf.py()).try_borrow()?;
        call(|| query(&world, id))
    }
}

/// A rigid object of a world.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct RigidObjectView {
    pub(crate) world: Py<World>,
    pub(crate) id: RigidObjectId,
}

impl RigidObjectView {
    fn read<T>(
        &self,
        py: Python<'_>,
        query: impl FnOnce(&kinworld::world::RigidObject) -> T,
    ) -> PyResult<T> {
        let world = self.world.bind(py).try_borrow()?;
        world.model.rigid_object(self.id).map(query).map_err(fail)
    }
}

#[pymethods]
impl RigidObjectView {
    /// The name.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |object| object.name.clone())
    }

    /// The object as an element of its world.
    #[getter]
    fn entity(&self, py: Python<'_>) -> PyResult<Entity> {
        Ok(entity(
            &self.world.bind(py).try_borrow()?.model,
            self.id.into(),
        ))
    }

    /// Pose (4 × 4) in the world.
    #[getter]
    fn pose<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.read(py, |object| pose_array(py, &object.pose))
    }

    #[setter(pose)]
    fn assign_pose(&self, py: Python<'_>, pose: PoseIn) -> PyResult<()> {
        self.set_pose(py, pose)
    }

    /// Sets the pose (4 × 4) in the world.
    fn set_pose(&self, py: Python<'_>, pose: PoseIn) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        call(|| world.model.rigid_object_mut(self.id)?.set_pose(&pose.0))
    }

    /// Velocity (3) of the frame's origin in world axes, m/s.
    #[getter]
    fn velocity<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.read(py, |object| array1(py, object.velocity.as_slice()))
    }

    /// Angular velocity (3) in world axes, rad/s.
    #[getter]
    fn angular_velocity<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.read(py, |object| array1(py, object.angular_velocity.as_slice()))
    }

    /// Sets the velocities (3 each): angular, linear.
    fn set_velocity(&self, py: Python<'_>, angular: Vec3, linear: Vec3) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        call(|| {
            world
                .model
                .rigid_object_mut(self.id)?
                .set_velocity(&angular.vector(), &linear.vector())
        })
    }

    /// Mass, kg.
    #[getter]
    fn mass(&self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |object| object.inertia.mass)
    }

    /// Centre of mass (3) in the object's frame, m.
    #[getter]
    fn com<'py>(&self, py: Python<'py>) -> PyResult<Array1<'py>> {
        self.read(py, |object| {
            array1(py, object.inertia.com.coords.as_slice())
        })
    }

    /// Moment of inertia (3 × 3) about the centre of mass in the object's axes, kg·m².
    #[getter]
    fn moment<'py>(&self, py: Python<'py>) -> PyResult<Array2<'py>> {
        self.read(py, |object| matrix(py, &object.inertia.moment))
    }

    /// The shape in the object's frame.
    #[getter]
    fn geometry(&self, py: Python<'_>) -> PyResult<Option<Geometry>> {
        self.read(py, |object| object.geometry.clone().map(Geometry))
    }

    /// Sets the shape, or takes it away.
    #[pyo3(signature = (geometry))]
    fn set_geometry(&self, py: Python<'_>, geometry: Option<&Geometry>) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        let geometry = geometry.map(|geometry| geometry.0.clone());
        call(|| {
            world
                .model
                .rigid_object_mut(self.id)?
                .set_geometry(geometry);
            Ok(())
        })
    }

    /// Mass, centre of mass and moment of inertia.
    #[getter]
    fn inertia(&self, py: Python<'_>) -> PyResult<Inertia> {
        self.read(py, |object| Inertia(object.inertia))
    }

    /// Sets mass, centre of mass and moment of inertia.
    fn set_inertia(&self, py: Python<'_>, inertia: &Inertia) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        call(|| {
            world
                .model
                .rigid_object_mut(self.id)?
                .set_inertia(&inertia.0)
        })
    }

    /// Friction, restitution, stiffness and damping of its surface, as files give them.
    #[getter]
    fn contact(&self, py: Python<'_>) -> PyResult<(f64, f64, f64, f64)> {
        self.read(py, |object| {
            let contact = object.contact;
            (
                contact.friction,
                contact.restitution,
                contact.stiffness,
                contact.damping,
            )
        })
    }

    /// Sets friction, restitution, stiffness and damping of its surface.
    fn set_contact(
        &self,
        py: Python<'_>,
        friction: f64,
        restitution: f64,
        stiffness: f64,
        damping: f64,
    ) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        call(|| {
            let mut object = world.model.rigid_object_mut(self.id)?;
            let mut contact = object.object().contact;
            contact.friction = friction;
            contact.restitution = restitution;
            contact.stiffness = stiffness;
            contact.damping = damping;
            object.set_contact(&contact)
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        self.read(py, |object| {
            format!(
                "Rigid object '{}' of a world: {} kg, {}, at {}",
                object.name,
                number(object.inertia.mass),
                shape_or_none(object.geometry.as_ref()),
                triple(object.pose.translation.vector)
            )
        })
    }
}

/// A terrain of a world.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct TerrainView {
    pub(crate) world: Py<World>,
    pub(crate) id: TerrainId,
}

#[pymethods]
impl TerrainView {
    /// The name.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        let world = self.world.bind(py).try_borrow()?;
        Ok(world.model.terrain(self.id).map_err(fail)?.name.clone())
    }

    /// The terrain as an element of its world.
    #[getter]
    fn entity(&self, py: Python<'_>) -> PyResult<Entity> {
        Ok(entity(
            &self.world.bind(py).try_borrow()?.model,
            self.id.into(),
        ))
    }

    /// The shape in the world.
    #[getter]
    fn geometry(&self, py: Python<'_>) -> PyResult<Option<Geometry>> {
        let world = self.world.bind(py).try_borrow()?;
        Ok(world
            .model
            .terrain(self.id)
            .map_err(fail)?
            .geometry
            .clone()
            .map(Geometry))
    }

    /// Friction of each part, as the file gives it.
    #[getter]
    fn friction(&self, py: Python<'_>) -> PyResult<Vec<f64>> {
        let world = self.world.bind(py).try_borrow()?;
        Ok(world.model.terrain(self.id).map_err(fail)?.friction.clone())
    }

    /// Sets the friction of each part.
    fn set_friction(&self, py: Python<'_>, friction: Reals) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        call(|| {
            world
                .model
                .terrain_mut(self.id)?
                .set_friction(friction.to_vec())
        })
    }

    /// Sets the shape, or takes it away.
    #[pyo3(signature = (geometry))]
    fn set_geometry(&self, py: Python<'_>, geometry: Option<&Geometry>) -> PyResult<()> {
        let mut world = self.world.bind(py).try_borrow_mut()?;
        let geometry = geometry.map(|geometry| geometry.0.clone());
        call(|| {
            world.model.terrain_mut(self.id)?.set_geometry(geometry);
            Ok(())
        })
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let world = self.world.bind(py).try_borrow()?;
        let terrain = world.model.terrain(self.id).map_err(fail)?;
        let shape = shape_or_none(terrain.geometry.as_ref());
        Ok(format!("Terrain '{}' of a world: {shape}", terrain.name))
    }
}
