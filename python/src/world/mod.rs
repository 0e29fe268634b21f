//! Worlds: robots, rigid objects and terrains together.

mod attachment;
mod cloud;
mod derived;
mod elements;
mod entity;
mod files;
mod views;

use std::path::PathBuf;

use kinworld::WorldModel;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

pub(crate) use attachment::Attachment;
pub(crate) use cloud::{cloud_of, with_cloud};
pub(crate) use derived::WorldPoses;
pub(crate) use elements::{RigidObjects, Robots, Terrains};
pub(crate) use entity::{Entity, EntityIn, entity, object_id, pair_of, robot_id};
pub(crate) use files::load;
pub(crate) use views::{RigidObjectView, RobotView, TerrainView};

use crate::collider::Collider;
use crate::convert::{Array2, ElementKey, PoseIn, pose_array};
use crate::describe::count;
use crate::error::{Diagnostics, call, call_detached, diagnostics, fail, warn};
use crate::interrupt::in_background;
use crate::load::LoadOptions;
use crate::objects::{RigidObject, Terrain};
use crate::planning::Space;
use crate::robot::Robot;

/// A world: robots, rigid objects and terrains with names.
///
/// >>> import kinworld as kw
/// >>> world = kw.load("data/robots/arm6.urdf", "data/terrains/table.env")
/// >>> world
/// World: 1 robot, 0 rigid objects, 1 terrain
/// >>> world.robots["arm6"].set_config([0.5, 1, 0, 0, 0, 0])
/// >>> world.collider().pairs()
/// [(Entity('table'), Entity('arm6[wrist]')), (Entity('table'), Entity('arm6[flange]'))]
#[pyclass(module = "kinworld")]
#[derive(Default)]
pub(crate) struct World {
    pub(crate) model: WorldModel,
    problems: Vec<kinworld::Diagnostic>,
}

impl World {
    /// What the loaders reported.
    pub(crate) fn problems(&self) -> &[kinworld::Diagnostic] {
        &self.problems
    }
}

#[pymethods]
impl World {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The robots, by name or index.
    #[getter]
    fn robots(slf: Py<Self>) -> Robots {
        Robots(slf)
    }

    /// The rigid objects, by name or index.
    #[getter]
    fn rigid_objects(slf: Py<Self>) -> RigidObjects {
        RigidObjects(slf)
    }

    /// The terrains, by name or index.
    #[getter]
    fn terrains(slf: Py<Self>) -> Terrains {
        Terrains(slf)
    }

    /// A robot, by name or index; the first by default.
    #[pyo3(signature = (key=None))]
    fn robot(slf: &Bound<'_, Self>, key: Option<ElementKey>) -> PyResult<Py<RobotView>> {
        let id = {
            let world = slf.try_borrow()?;
            let model = &world.model;
            match key {
                None => model.robot(0).map_err(fail)?.id(),
                Some(key) => key.find(
                    model.n_robots(),
                    "robot",
                    |i| model.robot(i).map(|robot| robot.id()),
                    |name| model.robot(name).map(|robot| robot.id()),
                )?,
            }
        };
        RobotView::new(slf.clone().unbind(), id, slf.py())
    }

    /// A rigid object, by name or index.
    fn rigid_object(slf: &Bound<'_, Self>, key: ElementKey) -> PyResult<RigidObjectView> {
        let world = slf.try_borrow()?;
        let model = &world.model;
        let id = key.find(
            model.n_rigid_objects(),
            "rigid object",
            |i| model.rigid_object_id(i),
            |name| model.rigid_object_id(name),
        )?;
        Ok(RigidObjectView {
            world: slf.clone().unbind(),
            id,
        })
    }

    /// A terrain, by name or index.
    fn terrain(slf: &Bound<'_, Self>, key: ElementKey) -> PyResult<TerrainView> {
        let world = slf.try_borrow()?;
        let model = &world.model;
        let id = key.find(
            model.n_terrains(),
            "terrain",
            |i| model.terrain_id(i),
            |name| model.terrain_id(name),
        )?;
        Ok(TerrainView {
            world: slf.clone().unbind(),
            id,
        })
    }

    /// Adds a robot, a rigid object, a terrain, all of another world, or all of a file. Returns what was added.
    #[pyo3(signature = (what, name=None, *, options=None))]
    fn add(
        &mut self,
        py: Python<'_>,
        what: &Bound<'_, PyAny>,
        name: Option<&str>,
        options: Option<&LoadOptions>,
    ) -> PyResult<Vec<Entity>> {
        let added = if let Ok(robot) = what.cast::<Robot>() {
            vec![self.model.add_robot(robot.get().model.clone()).into()]
        } else if let Ok(object) = what.cast::<RigidObject>() {
            vec![call(|| self.model.add_rigid_object(object.get().0.clone()))?.into()]
        } else if let Ok(terrain) = what.cast::<Terrain>() {
            vec![call(|| self.model.add_terrain(terrain.get().0.clone()))?.into()]
        } else if let Ok(world) = what.cast::<Self>() {
            let other = world.try_borrow()?.model.clone();
            self.model.append(other)
        } else if let Ok(path) = what.extract::<PathBuf>() {
            let mut loader = LoadOptions::loader(options);
            // what is shared is not copied; a load that fails or is ended changes nothing
            let mut model = self.model.clone();
            let (model, loaded) = in_background(py, None, move |_| {
                let loaded = loader.add_file(&mut model, path)?;
                Ok((model, loaded))
            })?;
            self.model = model;
            warn(py, &loaded.diagnostics)?;
            self.problems.extend(loaded.diagnostics);
            loaded.value
        } else {
            let given = what.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "expected a Robot, RigidObject, Terrain, World or a path, got {given}"
            )));
        };
        if let (Some(name), [only]) = (name, added.as_slice()) {
            call(|| self.model.rename(*only, name))?;
        }
        Ok(added
            .into_iter()
            .map(|id| entity(&self.model, id))
            .collect())
    }

    /// Removes a robot, a rigid object or a terrain; handles of others stay valid.
    fn remove(&mut self, element: EntityIn) -> PyResult<()> {
        let id = element.of(&self.model)?;
        call(|| self.model.remove(id))
    }

    /// Renames a robot, a rigid object or a terrain.
    fn rename(&mut self, element: EntityIn, name: &str) -> PyResult<()> {
        let id = element.of(&self.model)?;
        call(|| self.model.rename(id, name))
    }

    /// Attaches a rigid object to a link, where it is: it moves with the link, and may touch it and the elements in ``touch``.
    #[pyo3(signature = (rigid_object, link, *, touch=Vec::new()))]
    fn attach(
        &mut self,
        rigid_object: ElementKey,
        link: EntityIn,
        touch: Vec<EntityIn>,
    ) -> PyResult<()> {
        let model = &self.model;
        let object = object_id(model, &rigid_object)?;
        let link = link.of(model)?;
        let touch = touch
            .iter()
            .map(|element| element.of(model))
            .collect::<PyResult<Vec<_>>>()?;
        call(|| self.model.attach(object, link, &touch))
    }

    /// Attaches a rigid object to a link at the pose (4 × 4) ``pose`` in the link's frame.
    #[pyo3(signature = (rigid_object, link, pose, *, touch=Vec::new()))]
    fn grasp(
        &mut self,
        rigid_object: ElementKey,
        link: EntityIn,
        pose: PoseIn,
        touch: Vec<EntityIn>,
    ) -> PyResult<()> {
        let model = &self.model;
        let object = object_id(model, &rigid_object)?;
        let link = link.of(model)?;
        let touch = touch
            .iter()
            .map(|element| element.of(model))
            .collect::<PyResult<Vec<_>>>()?;
        call(|| self.model.grasp(object, link, &pose.0, &touch))
    }

    /// Detaches a rigid object; it stays where it is.
    fn detach(&mut self, rigid_object: ElementKey) -> PyResult<()> {
        let object = object_id(&self.model, &rigid_object)?;
        call(|| self.model.detach(object)).map(|_| ())
    }

    /// The element of a name: a robot, a rigid object, a terrain, or a link as ``robot[link]``.
    fn entity(&self, name: &str) -> PyResult<Entity> {
        call(|| self.model.entity(name)).map(|id| entity(&self.model, id))
    }

    /// Pose (4 × 4) of a link, a rigid object or a terrain; ``None`` for a robot as a whole.
    fn pose<'py>(&self, py: Python<'py>, element: EntityIn) -> PyResult<Option<Array2<'py>>> {
        let id = element.of(&self.model)?;
        Ok(self.model.pose(id).map(|pose| pose_array(py, &pose)))
    }

    /// A snapshot for collision queries.
    ///
    /// ``ignore`` lists elements, or pairs of elements, that are not tested; ``margin`` is a distance in metres that
    /// counts as touching. Where collision geometry is missing this raises `MissingGeometryError`, unless
    /// ``allow_missing_geometry`` is set.
    #[pyo3(signature = (*, ignore=Vec::new(), margin=0.0, allow_missing_geometry=false))]
    fn collider(
        &self,
        py: Python<'_>,
        ignore: Vec<Bound<'_, PyAny>>,
        margin: f64,
        allow_missing_geometry: bool,
    ) -> PyResult<Collider> {
        let filter = entity::filter(&self.model, &ignore, margin, allow_missing_geometry)?;
        Collider::new(py, &self.model, &filter)
    }

    /// The configuration space of one or more robots, for planning; of all robots by default.
    ///
    /// ``resolution`` is the distance between checks along an edge; ``active`` names the joints that move, by dof index or
    /// joint name of the first robot.
    #[pyo3(signature = (*robots: "int | str", resolution=None, active=None, ignore=Vec::new(), margin=0.0, allow_missing_geometry=false))]
    #[expect(
        clippy::too_many_arguments,
        reason = "keyword-only arguments of Python"
    )]
    fn space(
        &self,
        py: Python<'_>,
        robots: Vec<ElementKey>,
        resolution: Option<f64>,
        active: Option<Vec<crate::convert::DofKey>>,
        ignore: Vec<Bound<'_, PyAny>>,
        margin: f64,
        allow_missing_geometry: bool,
    ) -> PyResult<Space> {
        let filter = entity::filter(&self.model, &ignore, margin, allow_missing_geometry)?;
        Space::of(
            py,
            &self.model,
            &robots,
            resolution,
            active.as_deref(),
            &filter,
        )
    }

    /// Saves the world with its meshes. Returns warnings about what is lost.
    ///
    /// ``format`` is ``"world"``, ``"mjcf"``, ``"sdf"``, ``"glb"``, ``"rob"`` or ``"urdf"`` where the suffix does not tell; an
    /// ``.xml`` is a world of Klampt without it.
    #[pyo3(signature = (path, *, force=false, format=None))]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        force: bool,
        format: Option<&str>,
    ) -> PyResult<Diagnostics> {
        let options = crate::io::saving(force, format)?;
        call_detached(py, || self.model.save_with(path, &options)).map(|lost| diagnostics(&lost))
    }

    /// The warnings of the loaders.
    #[getter]
    fn diagnostics(&self) -> Diagnostics {
        diagnostics(&self.problems)
    }

    /// Suspicious contents: masses, inertias, limits and meshes that are probably mistakes.
    fn lint(&self) -> Diagnostics {
        diagnostics(&self.model.lint())
    }

    /// Elements that lack collision geometry which they should have, each with the reason.
    #[getter]
    fn missing_geometry(&self) -> Vec<(Entity, &'static str)> {
        let missing = self.model.missing_geometry();
        missing
            .into_iter()
            .map(|(id, reason)| (entity(&self.model, id), reason.name()))
            .collect()
    }

    /// Other properties from the file.
    #[getter]
    fn properties(&self) -> std::collections::BTreeMap<String, String> {
        self.model.properties().clone()
    }

    /// A world of its own with the same contents; meshes and robots are shared, since they never change.
    fn copy(&self) -> Self {
        Self {
            model: self.model.clone(),
            problems: self.problems.clone(),
        }
    }

    fn __copy__(&self) -> Self {
        self.copy()
    }

    #[expect(unused_variables, reason = "the memo of Python")]
    fn __deepcopy__(&self, memo: &Bound<'_, PyAny>) -> Self {
        self.copy()
    }

    pub(crate) fn __repr__(&self) -> String {
        format!(
            "World: {}, {}, {}",
            count(self.model.n_robots(), "robot"),
            count(self.model.n_rigid_objects(), "rigid object"),
            count(self.model.n_terrains(), "terrain")
        )
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let bytes = crate::pickle::to_bytes(&slf.try_borrow()?.model)?;
        Ok((
            slf.get_type().getattr("_from_bytes")?,
            (PyBytes::new(slf.py(), &bytes),),
        ))
    }

    #[staticmethod]
    fn _from_bytes(bytes: &[u8]) -> PyResult<Self> {
        crate::pickle::from_bytes(bytes).map(|model| Self {
            model,
            problems: Vec::new(),
        })
    }
}
