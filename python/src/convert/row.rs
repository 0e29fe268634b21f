//! Numbers in a row that are read where they lie.

use pyo3::prelude::*;

use super::{Reals, raw};

/// Numbers in a row for a short call: an array of `float64` in C order is kept as it is, all else is copied.
///
/// The numbers are looked up when they are used, after all arguments were converted: converting may run any code.
pub(crate) struct Row<'py>(Kept<'py>);

enum Kept<'py> {
    Array(Bound<'py, PyAny>),
    Copied(Reals),
}

impl Row<'_> {
    /// The numbers, until Python runs again.
    #[inline]
    pub(crate) fn numbers(&self) -> &[f64] {
        match &self.0 {
            // an array that has changed meanwhile has no numbers, which is a wrong length
            Kept::Array(array) => raw::read(array, 1).map_or(&[], |(numbers, _)| numbers),
            Kept::Copied(numbers) => numbers,
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Row<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if raw::read(&object, 1).is_some() {
            return Ok(Self(Kept::Array(object.to_owned())));
        }
        Ok(Self(Kept::Copied(object.extract()?)))
    }
}
