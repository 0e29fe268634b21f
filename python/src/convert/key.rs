//! Keys: names, indices and the objects that they stand for.

use kinworld::{DofId, LinkId, Robot};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;
use pyo3::types::{PyInt, PyString};

use crate::error::fail;
use crate::robot::Link;

/// A name or an index, not looked up yet.
enum Key {
    Index(isize),
    Name(String),
}

impl Key {
    fn read(object: &Bound<'_, PyAny>, wanted: &str) -> PyResult<Self> {
        if let Ok(name) = object.cast::<PyString>() {
            return Ok(Self::Name(name.to_cow()?.into_owned()));
        }
        if let Ok(index) = object.cast::<PyInt>() {
            return Ok(Self::Index(index.extract().unwrap_or(isize::MAX)));
        }
        // whole numbers of NumPy
        if let Ok(index) = object.call_method0("__index__") {
            return Ok(Self::Index(index.extract().unwrap_or(isize::MAX)));
        }
        let given = object.get_type().name()?;
        Err(PyTypeError::new_err(format!(
            "expected {wanted}, got {given}"
        )))
    }
}

/// The index that counts from the end where it is negative.
pub(crate) fn index(index: isize, count: usize, what: &str) -> PyResult<usize> {
    let from_start = if index < 0 {
        index.checked_add_unsigned(count)
    } else {
        Some(index)
    };
    from_start
        .and_then(|i| usize::try_from(i).ok())
        .filter(|&i| i < count)
        .ok_or_else(|| PyIndexError::new_err(format!("{what} {index} of {count}")))
}

/// A link: its name, its index or the [`Link`] itself; a joint's name stands for the link that it moves.
pub(crate) struct LinkKey(LinkKeyKind);

enum LinkKeyKind {
    Key(Key),
    Link(LinkId, usize),
}

impl std::fmt::Display for LinkKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.0 {
            LinkKeyKind::Key(Key::Name(name)) => f.write_str(&crate::describe::quoted(name)),
            LinkKeyKind::Key(Key::Index(i)) => i.fmt(f),
            LinkKeyKind::Link(id, _) => id.index().fmt(f),
        }
    }
}

impl LinkKey {
    /// The key of a link that is known.
    pub(crate) fn known(link: LinkId, robot: &Robot) -> Self {
        Self(LinkKeyKind::Link(link, robot.links().len()))
    }

    /// The link of a robot.
    #[inline]
    pub(crate) fn of(&self, robot: &Robot) -> PyResult<LinkId> {
        match &self.0 {
            LinkKeyKind::Key(Key::Index(i)) => {
                index(*i, robot.links().len(), "link").map(LinkId::new)
            }
            LinkKeyKind::Key(Key::Name(name)) => {
                let link = robot.link_id(name);
                link.or_else(|problem| robot.link_of_joint(name).map_err(|_| problem))
                    .map_err(fail)
            }
            LinkKeyKind::Link(id, count) if *count == robot.links().len() => Ok(*id),
            LinkKeyKind::Link(..) => Err(PyIndexError::new_err("the link is one of another robot")),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for LinkKey {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("builtins", "int"),
        pyo3::type_hint_identifier!("builtins", "str"),
        pyo3::type_hint_identifier!("kinworld._core", "Link")
    );

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(link) = object.cast::<Link>() {
            let link = link.get();
            return Ok(Self(LinkKeyKind::Link(link.id, link.robot.links().len())));
        }
        Key::read(&object, "the name or the index of a link").map(|key| Self(LinkKeyKind::Key(key)))
    }
}

/// A degree of freedom: its index or the name of its joint.
pub(crate) struct DofKey(Key);

impl DofKey {
    /// The degree of freedom of a robot.
    pub(crate) fn of(&self, robot: &Robot) -> PyResult<DofId> {
        match &self.0 {
            Key::Index(i) => index(*i, robot.n_dofs(), "dof").map(DofId::new),
            Key::Name(name) => robot.dof_id(name).map_err(fail),
        }
    }

    /// Degrees of freedom of a robot.
    pub(crate) fn all_of(keys: &[Self], robot: &Robot) -> PyResult<Vec<DofId>> {
        keys.iter().map(|key| key.of(robot)).collect()
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for DofKey {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("builtins", "int"),
        pyo3::type_hint_identifier!("builtins", "str")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Key::read(&object, "the name of a joint or the index of a dof").map(Self)
    }
}

/// A robot, a rigid object or a terrain of a world: its name or its index among its kind.
pub(crate) struct ElementKey(Key);

impl ElementKey {
    /// Looks it up by `name` or, for one of `count`, by `index`.
    pub(crate) fn find<T>(
        &self,
        count: usize,
        what: &str,
        by_index: impl FnOnce(usize) -> kinworld::Result<T>,
        by_name: impl FnOnce(&str) -> kinworld::Result<T>,
    ) -> PyResult<T> {
        match &self.0 {
            Key::Index(i) => by_index(index(*i, count, what)?).map_err(fail),
            Key::Name(name) => by_name(name).map_err(fail),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for ElementKey {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("builtins", "int"),
        pyo3::type_hint_identifier!("builtins", "str")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        Key::read(&object, "a name or an index").map(Self)
    }
}
