//! The robots, rigid objects and terrains of a world, by name or index.

use pyo3::prelude::*;

use super::{RigidObjectView, RobotView, TerrainView, World};
use crate::convert::{ElementKey, RigidObjectIterator, RobotIterator, TerrainIterator};

macro_rules! elements {
    ($(#[$doc:meta])* $name:ident, $view:ty, $iterator:ident, $find:ident, $count:ident, $names:expr) => {
        $(#[$doc])*
        #[pyclass(frozen, module = "kinworld")]
        pub(crate) struct $name(pub(super) Py<World>);

        impl $name {
            fn all_names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
                let world = self.0.bind(py).try_borrow()?;
                let names: fn(&kinworld::WorldModel) -> Vec<String> = $names;
                Ok(names(&world.model))
            }
        }

        #[pymethods]
        impl $name {
            fn __getitem__(&self, py: Python<'_>, key: ElementKey) -> PyResult<$view> {
                World::$find(self.0.bind(py), key.into())
            }

            fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
                Ok(self.0.bind(py).try_borrow()?.model.$count())
            }

            fn __contains__(&self, py: Python<'_>, name: &str) -> PyResult<bool> {
                Ok(self.all_names(py)?.iter().any(|other| other == name))
            }

            fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<$iterator<'py>> {
                let list = pyo3::types::PyList::empty(py);
                for i in 0..self.__len__(py)? {
                    let key = i.into_pyobject(py)?.extract::<ElementKey>()?;
                    list.append(self.__getitem__(py, key)?)?;
                }
                $iterator::over(&list)
            }

            /// The names.
            fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
                self.all_names(py)
            }

            fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
                let all = self.all_names(py)?;
                let names = crate::describe::names(&all);
                Ok(format!("{}([{names}])", stringify!($name)))
            }
        }
    };
}

elements!(
    /// The robots of a world, by name or index.
    Robots, Py<RobotView>, RobotIterator, robot, n_robots,
    |model| model.robots().map(|robot| robot.name().to_owned()).collect()
);
elements!(
    /// The rigid objects of a world, by name or index.
    RigidObjects, RigidObjectView, RigidObjectIterator, rigid_object, n_rigid_objects,
    |model| model.rigid_objects().map(|(_, object)| object.name.clone()).collect()
);
elements!(
    /// The terrains of a world, by name or index.
    Terrains, TerrainView, TerrainIterator, terrain, n_terrains,
    |model| model.terrains().map(|(_, terrain)| terrain.name.clone()).collect()
);
