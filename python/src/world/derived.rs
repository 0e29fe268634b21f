//! Worlds made from a world, and all that changes while things move.

use std::collections::BTreeMap;

use kinworld::geometry::PartOptions;
use pyo3::prelude::*;

use super::{Entity, EntityIn, World, entity};
use crate::convert::{ElementKey, PoseIn};
use crate::describe::names;
use crate::error::{call, fail};
use crate::geometry::Geometry;
use crate::interrupt::in_background;
use crate::robot::Robot;

/// States of all robots and poses of all rigid objects at some time, see `World.poses`.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct WorldPoses(kinworld::world::WorldPoses);

#[pymethods]
impl WorldPoses {
    /// The names of the robots.
    #[getter]
    fn robots(&self) -> Vec<&str> {
        self.0.robots.iter().map(|r| r.name.as_str()).collect()
    }

    /// The names of the rigid objects.
    #[getter]
    fn rigid_objects(&self) -> Vec<&str> {
        let objects = self.0.rigid_objects.iter();
        objects.map(|object| object.name.as_str()).collect()
    }

    fn __repr__(&self) -> String {
        let (robots, objects) = (self.robots(), self.rigid_objects());
        format!(
            "WorldPoses: robots [{}], rigid objects [{}]",
            names(&robots),
            names(&objects)
        )
    }
}

impl World {
    fn derived(
        &self,
        py: Python<'_>,
        make: impl FnOnce(kinworld::WorldModel) -> kinworld::Result<kinworld::WorldModel>
        + Send
        + 'static,
    ) -> PyResult<Self> {
        let model = self.model.clone();
        Ok(Self {
            model: in_background(py, None, move |_| make(model))?,
            problems: self.problems.clone(),
        })
    }
}

#[pymethods]
impl World {
    /// The states of all robots and rigid objects, to be set again.
    fn poses(&self) -> WorldPoses {
        WorldPoses(self.model.poses())
    }

    /// Sets the states of all robots and rigid objects that ``poses`` names.
    fn set_poses(&mut self, poses: &WorldPoses) -> PyResult<()> {
        call(|| self.model.set_poses(&poses.0))
    }

    /// The world with the convex hull of each shape instead of the shape.
    fn with_hulls(&self, py: Python<'_>) -> PyResult<Self> {
        self.derived(py, move |world| world.with_hulls())
    }

    /// The world with convex parts of each mesh instead of the mesh, at most ``max_parts`` of them.
    ///
    /// ``concavity`` is how deep a part may be hollow, as a share of the size of the mesh, ``resolution`` the number of
    /// voxels along its longest side.
    #[pyo3(signature = (max_parts=None, *, concavity=None, resolution=None))]
    fn with_convex_parts(
        &self,
        py: Python<'_>,
        max_parts: Option<usize>,
        concavity: Option<f64>,
        resolution: Option<u32>,
    ) -> PyResult<Self> {
        let mut options = PartOptions::default();
        if let Some(max_parts) = max_parts {
            options = options.with_max_parts(max_parts);
        }
        if let Some(concavity) = concavity {
            options = options.with_concavity(concavity);
        }
        if let Some(resolution) = resolution {
            options = options.with_resolution(resolution);
        }
        self.derived(py, move |world| world.with_convex_parts(&options))
    }

    /// The world with robots of at most ``count`` spheres per link, which contain the links.
    fn with_spheres(&self, py: Python<'_>, count: usize) -> PyResult<Self> {
        self.derived(py, move |world| world.with_spheres(count))
    }

    /// The world with everything moved by a pose (4 × 4).
    fn placed(&self, py: Python<'_>, pose: PoseIn) -> PyResult<Self> {
        self.derived(py, move |world| world.placed(&pose.0))
    }

    /// Builds what collision queries need, which the first one would do otherwise.
    fn prepare(&self, py: Python<'_>) {
        py.detach(|| self.model.prepare());
    }

    /// Replaces the description of a robot, which keeps its name and its place; returns the old one.
    fn replace_robot(&mut self, key: ElementKey, robot: &Bound<'_, Robot>) -> PyResult<Robot> {
        let model = &self.model;
        let id = key.find(
            model.n_robots(),
            "robot",
            |i| model.robot(i).map(|robot| robot.id()),
            |name| model.robot(name).map(|robot| robot.id()),
        )?;
        let new = robot.get().model.clone();
        call(|| self.model.replace_robot(id, new)).map(Robot::new)
    }

    /// Switches a pair off for all colliders and spaces of the world; a robot stands for all its links.
    fn ignore_pair(&mut self, a: EntityIn, b: EntityIn) -> PyResult<()> {
        let (a, b) = (a.of(&self.model)?, b.of(&self.model)?);
        call(|| self.model.ignore_pair(a, b))
    }

    /// Pairs that are switched off by `ignore_pair`, or by masks of the file.
    #[getter]
    fn ignored_pairs(&self) -> Vec<(Entity, Entity)> {
        let pairs = self.model.ignored_pairs();
        pairs
            .map(|pair| entity::pair_of(&self.model, pair))
            .collect()
    }

    /// The shape of a link, a rigid object or a terrain, in its own frame; ``None`` where it has none.
    fn geometry(&self, element: EntityIn) -> PyResult<Option<Geometry>> {
        let id = element.of(&self.model)?;
        let placed = self.model.geometry(id);
        Ok(placed.map(|placed| Geometry(placed.geometry)))
    }

    /// Other properties of an element from its file.
    fn properties_of(&self, element: EntityIn) -> PyResult<BTreeMap<String, String>> {
        let id = element.of(&self.model)?;
        self.model.properties_of(id).cloned().map_err(fail)
    }

    /// Sets a property of an element, or takes it away.
    #[pyo3(signature = (element, name, value))]
    fn set_property(
        &mut self,
        element: EntityIn,
        name: String,
        value: Option<String>,
    ) -> PyResult<()> {
        let id = element.of(&self.model)?;
        let properties = self.model.properties_of_mut(id).map_err(fail)?;
        match value {
            Some(value) => properties.insert(name, value),
            None => properties.remove(&name),
        };
        Ok(())
    }

    /// Klampt's numbers of all elements: terrains, then rigid objects, then each robot followed by its links.
    #[getter]
    fn klampt_ids(&self) -> Vec<(usize, Entity)> {
        let ids = self.model.klampt_ids();
        (0..ids.len())
            .filter_map(|number| Some((number, entity(&self.model, ids.entity(number)?))))
            .collect()
    }
}
