//! Iterators that say what they give.

use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

macro_rules! iterator {
    ($(#[$doc:meta])* $name:ident, $item:literal) => {
        $(#[$doc])*
        pub(crate) struct $name<'py>(Bound<'py, PyIterator>);

        impl<'py> $name<'py> {
            /// An iterator over a list.
            pub(crate) fn over(list: &Bound<'py, PyList>) -> PyResult<Self> {
                list.try_iter().map(Self)
            }
        }

        impl<'py> IntoPyObject<'py> for $name<'py> {
            type Target = PyIterator;
            type Output = Bound<'py, Self::Target>;
            type Error = std::convert::Infallible;

            #[cfg(feature = "stubs")]
            const OUTPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::type_hint_subscript!(
                pyo3::type_hint_identifier!("collections.abc", "Iterator"),
                pyo3::type_hint_identifier!("kinworld._core", $item)
            );

            fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Self::Error> {
                Ok(self.0)
            }
        }
    };
}

iterator!(
    /// Links of a robot.
    LinkIterator, "Link"
);
iterator!(
    /// Robots of a world.
    RobotIterator, "RobotView"
);
iterator!(
    /// Rigid objects of a world.
    RigidObjectIterator, "RigidObjectView"
);
iterator!(
    /// Terrains of a world.
    TerrainIterator, "TerrainView"
);
