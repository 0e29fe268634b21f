//! Arrays that go out: new ones, in C order.

use kinworld::nalgebra::{Dim, Matrix, RawStorage};
use numpy::ndarray::{Ix1, Ix2, IxDyn};
use numpy::{IntoPyArray, PyArray, PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use super::raw;

macro_rules! array {
    ($(#[$doc:meta])* $name:ident, $target:ty, $module:literal, $element:literal) => {
        $(#[$doc])*
        pub(crate) struct $name<'py>(pub(crate) Bound<'py, $target>);

        impl<'py> IntoPyObject<'py> for $name<'py> {
            type Target = $target;
            type Output = Bound<'py, Self::Target>;
            type Error = std::convert::Infallible;

            #[cfg(feature = "stubs")]
            const OUTPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::type_hint_subscript!(
                pyo3::type_hint_identifier!("numpy.typing", "NDArray"),
                pyo3::type_hint_identifier!($module, $element)
            );

            #[inline]
            fn into_pyobject(self, _: Python<'py>) -> Result<Self::Output, Self::Error> {
                Ok(self.0)
            }
        }
    };
}
array!(
    /// A vector.
    Array1, PyArray<f64, Ix1>, "numpy", "float64"
);
array!(
    /// A matrix.
    Array2, PyArray<f64, Ix2>, "numpy", "float64"
);
array!(
    /// Numbers of any shape.
    ArrayN, PyArray<f64, IxDyn>, "numpy", "float64"
);
array!(
    /// Numbers of any shape, in single precision.
    Singles, PyArray<f32, IxDyn>, "numpy", "float32"
);
array!(
    /// Colours.
    Bytes, PyArray<u8, IxDyn>, "numpy", "uint8"
);
array!(
    /// Numbers of elements.
    Words, PyArray<u32, IxDyn>, "numpy", "uint32"
);
array!(
    /// Indices, in rows.
    Indices, PyArray<u32, Ix2>, "numpy", "uint32"
);
array!(
    /// Answers.
    Bools, PyArray<bool, Ix1>, "numpy", "bool_"
);

/// A vector with these numbers.
#[inline]
pub(crate) fn array1<'py>(py: Python<'py>, numbers: &[f64]) -> Array1<'py> {
    Array1(raw::new(py, Ix1(numbers.len()), |out| {
        out.copy_from_slice(numbers)
    }))
}

/// A matrix with these numbers, row by row, which `fill` writes.
#[inline]
pub(crate) fn array2<'py>(
    py: Python<'py>,
    rows: usize,
    columns: usize,
    fill: impl FnOnce(&mut [f64]),
) -> Array2<'py> {
    Array2(raw::new(py, Ix2(rows, columns), fill))
}

/// An array of many numbers, which moves to NumPy; they have to be as many as the shape says.
pub(crate) fn array_n<'py>(
    py: Python<'py>,
    shape: &[usize],
    numbers: Vec<f64>,
) -> PyResult<ArrayN<'py>> {
    numpy::ndarray::ArrayD::from_shape_vec(IxDyn(shape), numbers)
        .map(|array| ArrayN(array.into_pyarray(py)))
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

/// A matrix of nalgebra.
#[inline]
pub(crate) fn matrix<'py, R: Dim, C: Dim, S: RawStorage<f64, R, C>>(
    py: Python<'py>,
    matrix: &Matrix<f64, R, C, S>,
) -> Array2<'py> {
    let (rows, columns) = matrix.shape();
    array2(py, rows, columns, |out| {
        for (i, row) in out.chunks_exact_mut(columns.max(1)).enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = matrix[(i, j)];
            }
        }
    })
}

/// A matrix of six rows from its columns; with `swap` the last three rows come first.
#[inline]
pub(crate) fn six_rows<'py>(py: Python<'py>, columns: &[f64], swap: bool) -> Array2<'py> {
    array2(py, 6, columns.len() / 6, |out| {
        write_six_rows(columns, swap, out);
    })
}

/// Writes the rows of [`six_rows`].
#[inline]
pub(crate) fn write_six_rows(columns: &[f64], swap: bool, out: &mut [f64]) {
    let n = columns.len() / 6;
    let (top, bottom) = out.split_at_mut(3 * n);
    let (first, second) = if swap { (bottom, top) } else { (top, bottom) };
    for (half, rows) in [first, second].into_iter().enumerate() {
        let (a, rest) = rows.split_at_mut(n);
        let (b, c) = rest.split_at_mut(n);
        let rows = a.iter_mut().zip(b).zip(c);
        for (((a, b), c), column) in rows.zip(columns.chunks_exact(6)) {
            (*a, *b, *c) = (column[3 * half], column[3 * half + 1], column[3 * half + 2]);
        }
    }
}

/// Points, one per row.
pub(crate) fn points<'py>(py: Python<'py>, points: &[kinworld::Point]) -> Array2<'py> {
    array2(py, points.len(), 3, |out| {
        for (row, point) in out.chunks_exact_mut(3).zip(points) {
            row.copy_from_slice(point.coords.as_slice());
        }
    })
}

impl<'py> Bools<'py> {
    /// An array with these answers.
    pub(crate) fn new(py: Python<'py>, answers: Vec<bool>) -> Self {
        Self(PyArray1::from_vec(py, answers))
    }
}

/// An array that the caller wants filled.
pub(crate) struct Out<'py>(pub(crate) Bound<'py, PyArray<f64, IxDyn>>);

impl Out<'_> {
    /// Has the numbers written by a function, if the array has this shape and C order.
    pub(crate) fn write(
        &self,
        shape: &[usize],
        fill: impl FnOnce(&mut [f64]) -> PyResult<()>,
    ) -> PyResult<()> {
        if self.0.shape() != shape {
            let found = self.0.shape();
            return Err(PyValueError::new_err(format!(
                "out needs the shape {shape:?}, it has {found:?}"
            )));
        }
        if !raw::is_in_order(&self.0) {
            return Err(PyValueError::new_err(
                "out needs to be contiguous, in C order",
            ));
        }
        let mut writable = self.0.try_readwrite().map_err(|problem| {
            PyValueError::new_err(format!("out cannot be written: {problem}"))
        })?;
        fill(writable.as_slice_mut()?)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Out<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::type_hint_subscript!(
        pyo3::type_hint_identifier!("numpy.typing", "NDArray"),
        pyo3::type_hint_identifier!("numpy", "float64")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = object.cast::<PyArray<f64, IxDyn>>();
        array
            .map(|array| Self(array.to_owned()))
            .map_err(|_| PyTypeError::new_err("out needs to be an array of float64"))
    }
}
