//! Elements of worlds, and links of their robots.

use kinworld::world::PairFilter;
use kinworld::{EntityId, WorldModel};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;
use pyo3::types::{PyString, PyTuple};

use super::{RigidObjectView, RobotView, TerrainView};
use crate::convert::ElementKey;
use crate::error::fail;

/// A robot, a link, a rigid object or a terrain of a world, with the name that it had.
#[pyclass(frozen, module = "kinworld")]
#[derive(Clone)]
pub(crate) struct Entity {
    pub(crate) id: EntityId,
    name: String,
}

/// An element of a world, named.
pub(crate) fn entity(model: &WorldModel, id: EntityId) -> Entity {
    Entity {
        id,
        name: name_of(model, id),
    }
}

/// The name of an element.
pub(crate) fn name_of(model: &WorldModel, id: EntityId) -> String {
    model.name(id).unwrap_or_else(|_| id.to_string())
}

/// Two elements, named.
pub(crate) fn pair_of(model: &WorldModel, (a, b): (EntityId, EntityId)) -> (Entity, Entity) {
    (entity(model, a), entity(model, b))
}

#[pymethods]
impl Entity {
    /// The name; of a link, ``robot[link]``.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// ``"robot"``, ``"link"``, ``"rigid object"`` or ``"terrain"``.
    #[getter]
    fn kind(&self) -> &'static str {
        self.id.kind()
    }

    /// The index of the link in its robot; ``None`` for other elements.
    #[getter]
    fn link(&self) -> Option<usize> {
        match self.id {
            EntityId::Link(_, link) => Some(link.index()),
            _ => None,
        }
    }

    pub(crate) fn __str__(&self) -> &str {
        &self.name
    }

    fn __repr__(&self) -> String {
        format!("Entity('{}')", self.name)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        if let Ok(other) = other.cast::<Self>() {
            return self.id == other.get().id;
        }
        other
            .cast::<PyString>()
            .is_ok_and(|name| name.to_cow().is_ok_and(|name| name == self.name))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.name.hash(&mut hasher);
        hasher.finish()
    }
}

/// An element of a world: its name, an [`Entity`], a view, or a robot and one of its links.
pub(crate) enum EntityIn {
    Id(EntityId),
    Name(String),
    Link(Box<Self>, crate::convert::LinkKey),
}

impl EntityIn {
    /// The element of a world.
    pub(crate) fn of(&self, model: &WorldModel) -> PyResult<EntityId> {
        match self {
            Self::Id(id) => {
                model.name(*id).map_err(fail)?;
                Ok(*id)
            }
            Self::Name(name) => model.entity(name).map_err(fail),
            Self::Link(robot, link) => {
                let id = robot.of(model)?;
                let EntityId::Robot(id) = id else {
                    let kind = id.kind();
                    return Err(PyTypeError::new_err(format!("a {kind} has no links")));
                };
                let link = link.of(model.robot(id).map_err(fail)?.model())?;
                Ok(EntityId::Link(id, link))
            }
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for EntityIn {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("builtins", "str"),
        pyo3::type_hint_identifier!("kinworld._core", "Entity"),
        pyo3::type_hint_identifier!("kinworld._core", "RobotView"),
        pyo3::type_hint_identifier!("kinworld._core", "RigidObjectView"),
        pyo3::type_hint_identifier!("kinworld._core", "TerrainView"),
        pyo3::type_hint_subscript!(
            pyo3::type_hint_identifier!("builtins", "tuple"),
            pyo3::type_hint_identifier!("typing", "Any"),
            pyo3::type_hint_identifier!("typing", "Any")
        )
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(name) = object.cast::<PyString>() {
            return Ok(Self::Name(name.to_cow()?.into_owned()));
        }
        if let Ok(entity) = object.cast::<Entity>() {
            return Ok(Self::Id(entity.get().id));
        }
        if let Ok(robot) = object.cast::<RobotView>() {
            return Ok(Self::Id(robot.borrow().id.into()));
        }
        if let Ok(view) = object.cast::<RigidObjectView>() {
            return Ok(Self::Id(view.get().id.into()));
        }
        if let Ok(view) = object.cast::<TerrainView>() {
            return Ok(Self::Id(view.get().id.into()));
        }
        if let Ok(pair) = object.cast::<PyTuple>()
            && pair.len() == 2
        {
            let robot = pair.get_item(0)?.extract()?;
            return Ok(Self::Link(Box::new(robot), pair.get_item(1)?.extract()?));
        }
        let given = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "expected an element of a world – a name, an Entity, a view or (robot, link) –, got {given}"
        )))
    }
}

/// A filter that ignores elements and pairs of elements.
pub(super) fn filter(
    model: &WorldModel,
    ignore: &[Bound<'_, PyAny>],
    margin: f64,
    allow_missing_geometry: bool,
) -> PyResult<PairFilter> {
    let mut filter = PairFilter::default();
    for entry in ignore {
        if let Ok(pair) = entry.cast::<PyTuple>()
            && pair.len() == 2
        {
            let (a, b): (EntityIn, EntityIn) = pair.extract()?;
            filter = filter.ignore_pair(a.of(model)?, b.of(model)?);
        } else {
            filter = filter.ignore(entry.extract::<EntityIn>()?.of(model)?);
        }
    }
    if margin.to_bits() != 0.0_f64.to_bits() {
        for robot in model.robots() {
            filter = filter.with_margin_of(robot.id(), margin);
        }
    }
    if allow_missing_geometry {
        filter = filter.allow_missing_geometry();
    }
    Ok(filter)
}

/// The robot of a key.
pub(crate) fn robot_id(model: &WorldModel, key: &ElementKey) -> PyResult<kinworld::world::RobotId> {
    key.find(
        model.n_robots(),
        "robot",
        |i| model.robot(i).map(|robot| robot.id()),
        |name| model.robot(name).map(|robot| robot.id()),
    )
}

/// The rigid object of a key.
pub(crate) fn object_id(
    model: &WorldModel,
    key: &ElementKey,
) -> PyResult<kinworld::world::RigidObjectId> {
    key.find(
        model.n_rigid_objects(),
        "rigid object",
        |i| model.rigid_object_id(i),
        |name| model.rigid_object_id(name),
    )
}
