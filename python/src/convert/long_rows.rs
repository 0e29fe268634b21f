//! Rows of batches, which are read where they lie.

use numpy::{PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

use super::{Rows, array, raw};

/// Numbers in rows for work that goes on while the interpreter is released: an array of `float64` in C order is borrowed,
/// all else is copied.
///
/// As with the functions of NumPy, the array must not be written by another thread meanwhile.
pub(crate) struct LongRows<'py> {
    numbers: Numbers<'py>,
    /// Number of rows.
    pub(crate) count: usize,
    width: usize,
}

enum Numbers<'py> {
    Borrowed(PyReadonlyArray2<'py, f64>),
    Copied(Vec<f64>),
}

impl LongRows<'_> {
    /// Refuses rows of another width.
    pub(crate) fn of_width(&self, width: usize, what: &str) -> PyResult<&[f64]> {
        array::check_width((self.count, self.width), width, what)?;
        match &self.numbers {
            Numbers::Borrowed(array) => Ok(array.as_slice()?),
            Numbers::Copied(numbers) => Ok(numbers),
        }
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for LongRows<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        // an array that is being written is copied
        if let Some((_, [count, width])) = raw::read(&object, 2)
            && let Ok(array) = object.cast::<PyArray2<f64>>()
            && let Ok(array) = array.try_readonly()
        {
            return Ok(Self {
                numbers: Numbers::Borrowed(array),
                count,
                width,
            });
        }
        let rows = object.extract::<Rows>()?;
        Ok(Self {
            count: rows.count,
            width: rows.width,
            numbers: Numbers::Copied(rows.numbers),
        })
    }
}
