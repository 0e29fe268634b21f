//! Arrays that calls returned and that nobody has any longer.

use numpy::PyArray;
use numpy::ndarray::{Dimension, Ix1, Ix2};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

use super::{Array1, Array2, raw};

/// The last two arrays that a call returned. One that its caller has dropped becomes the result of the next call, which
/// saves making and freeing an array, a quarter of the time of a short call; two, because `x = call()` drops the old one
/// after the call.
pub(crate) struct Recycled<D: Dimension> {
    kept: [Option<Py<PyArray<f64, D>>>; 2],
    older: usize,
}

impl<D: Dimension> Default for Recycled<D> {
    fn default() -> Self {
        Self {
            kept: [None, None],
            older: 0,
        }
    }
}

impl<D: Dimension> Recycled<D> {
    /// An array of a shape whose numbers `fill` writes, all of them.
    #[inline]
    fn filled<'py>(
        &mut self,
        py: Python<'py>,
        shape: D,
        mut fill: impl FnMut(&mut [f64]),
    ) -> Bound<'py, PyArray<f64, D>> {
        for array in self.kept.iter().flatten() {
            if let Some(array) = raw::refill(array.bind(py), &shape, &mut fill) {
                return array;
            }
        }
        let array = raw::new(py, shape, fill);
        if counts_are_exact(py) {
            self.kept[self.older] = Some(array.clone().unbind());
            self.older = 1 - self.older;
        }
        array
    }
}

impl Recycled<Ix1> {
    /// A vector with these numbers.
    #[inline]
    pub(crate) fn array1<'py>(&mut self, py: Python<'py>, numbers: &[f64]) -> Array1<'py> {
        Array1(self.filled(py, Ix1(numbers.len()), |out| out.copy_from_slice(numbers)))
    }
}

impl Recycled<Ix2> {
    /// A matrix whose numbers, row by row, `fill` writes, all of them.
    #[inline]
    pub(crate) fn array2<'py>(
        &mut self,
        py: Python<'py>,
        rows: usize,
        columns: usize,
        fill: impl FnMut(&mut [f64]),
    ) -> Array2<'py> {
        Array2(self.filled(py, Ix2(rows, columns), fill))
    }
}

/// Whether the count of references of an object says who has it: not in an interpreter without a lock.
fn counts_are_exact(py: Python<'_>) -> bool {
    static EXACT: PyOnceLock<bool> = PyOnceLock::new();
    *EXACT.get_or_init(py, || {
        let disabled = py
            .import("sysconfig")
            .and_then(|module| module.call_method1("get_config_var", ("Py_GIL_DISABLED",)))
            .and_then(|value| value.is_truthy());
        disabled.is_ok_and(|disabled| !disabled)
    })
}
