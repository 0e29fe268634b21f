//! Numbers that come in: whatever NumPy makes an array of.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyTuple};

use super::raw;

/// Numbers in a row: an array of one dimension, a list, a tuple.
pub(crate) struct Reals(Store);

/// Up to 16 numbers in place, more on the heap.
enum Store {
    Few([f64; FEW], usize),
    Many(Vec<f64>),
}

const FEW: usize = 16;

impl Store {
    #[inline]
    fn copy(numbers: &[f64]) -> Self {
        if numbers.len() <= FEW {
            let mut few = [0.0; FEW];
            few[..numbers.len()].copy_from_slice(numbers);
            Self::Few(few, numbers.len())
        } else {
            Self::Many(numbers.to_vec())
        }
    }
}

impl std::ops::Deref for Reals {
    type Target = [f64];

    #[inline]
    fn deref(&self) -> &[f64] {
        match &self.0 {
            Store::Few(few, length) => &few[..*length],
            Store::Many(many) => many,
        }
    }
}

impl Reals {
    /// The numbers on the heap.
    pub(crate) fn to_vec(&self) -> Vec<f64> {
        (**self).to_vec()
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Reals {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Some((numbers, _)) = raw::read(&object, 1) {
            return Ok(Self(Store::copy(numbers)));
        }
        if let Some(store) = items(&object) {
            return store.map(Self);
        }
        let array = converted(&object, 1)?;
        let (numbers, _) = raw::read(&array, 1).ok_or_else(|| PyTypeError::new_err(NO_NUMBERS))?;
        Ok(Self(Store::copy(numbers)))
    }
}

/// The numbers of a list or of a tuple; `None` for all other objects.
fn items(object: &Bound<'_, PyAny>) -> Option<PyResult<Store>> {
    let count = if let Ok(list) = object.cast::<PyList>() {
        list.len()
    } else {
        object.cast::<PyTuple>().ok()?.len()
    };
    let read = || {
        let mut numbers = Vec::new();
        let mut few = [0.0; FEW];
        for (i, item) in object.try_iter()?.enumerate() {
            let item = item?;
            let number = item.extract::<f64>().map_err(|error| {
                let py = object.py();
                if error.is_instance_of::<PyTypeError>(py) {
                    let kind = item.get_type();
                    PyTypeError::new_err(format!("expected numbers, found {kind} at position {i}"))
                } else {
                    error
                }
            })?;
            if count <= FEW && i < FEW {
                few[i] = number;
            } else {
                numbers.push(number);
            }
        }
        Ok(if count <= FEW && numbers.is_empty() {
            Store::Few(few, count)
        } else {
            Store::Many(numbers)
        })
    };
    Some(read())
}

/// Numbers in rows: an array of two dimensions, a list of lists; numbers in one row are one row.
pub(crate) struct Rows {
    /// The numbers, row by row.
    pub(crate) numbers: Vec<f64>,
    /// Number of rows.
    pub(crate) count: usize,
    /// Numbers per row.
    pub(crate) width: usize,
}

impl Rows {
    /// Refuses rows of another width.
    pub(crate) fn of_width(&self, width: usize, what: &str) -> PyResult<&[f64]> {
        check_width((self.count, self.width), width, what)?;
        Ok(&self.numbers)
    }

    /// The rows, each a vector.
    pub(crate) fn to_vecs(&self) -> Vec<Vec<f64>> {
        if self.width == 0 {
            return vec![Vec::new(); self.count];
        }
        self.numbers
            .chunks_exact(self.width)
            .map(<[f64]>::to_vec)
            .collect()
    }
}

/// Refuses rows of another width.
pub(super) fn check_width(
    (count, found): (usize, usize),
    width: usize,
    what: &str,
) -> PyResult<()> {
    if found == width {
        return Ok(());
    }
    Err(PyValueError::new_err(format!(
        "{what} needs rows of {width} numbers, got an array of shape ({count}, {found})"
    )))
}

impl<'a, 'py> FromPyObject<'a, 'py> for Rows {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array;
        let (numbers, [count, width]) = match raw::read(&object, 2) {
            Some(read) => read,
            None => {
                array = converted(&object, 2)?;
                raw::read(&array, 2).ok_or_else(|| PyTypeError::new_err(NO_NUMBERS))?
            }
        };
        Ok(Self {
            numbers: numbers.to_vec(),
            count,
            width,
        })
    }
}

/// Three numbers: a point or a direction.
#[derive(Clone, Copy)]
pub(crate) struct Vec3(pub(crate) [f64; 3]);

/// Six numbers: a spatial vector, angular first.
#[derive(Clone, Copy)]
pub(crate) struct Vec6(pub(crate) [f64; 6]);

macro_rules! fixed {
    ($name:ident, $count:literal) => {
        impl<'a, 'py> FromPyObject<'a, 'py> for $name {
            type Error = PyErr;

            #[cfg(feature = "stubs")]
            const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
                pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

            #[inline]
            fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
                let numbers = object.extract::<Reals>()?;
                <[f64; $count]>::try_from(&*numbers).map(Self).map_err(|_| {
                    PyValueError::new_err(format!(
                        "expected {} numbers, got {}",
                        $count,
                        numbers.len()
                    ))
                })
            }
        }
    };
}
fixed!(Vec3, 3);
fixed!(Vec6, 6);

impl Vec3 {
    /// As a point.
    pub(crate) fn point(self) -> kinworld::Point {
        kinworld::Point::from(self.0)
    }

    /// As a vector.
    pub(crate) fn vector(self) -> kinworld::Vector {
        kinworld::Vector::from(self.0)
    }
}

/// An array of `float64` in C order with the same numbers, as NumPy converts them.
///
/// Text, objects and complex numbers are refused, and so is another number of dimensions.
pub(super) fn converted<'py>(
    object: &Bound<'py, PyAny>,
    dimensions: usize,
) -> PyResult<Bound<'py, PyAny>> {
    static ASARRAY: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let py = object.py();
    let asarray = ASARRAY
        .get_or_try_init(py, || {
            PyResult::Ok(py.import("numpy")?.getattr("asarray")?.unbind())
        })?
        .bind(py);
    let array = asarray.call1((object,))?;
    let kind: char = array.getattr("dtype")?.getattr("kind")?.extract()?;
    if !matches!(kind, 'b' | 'f' | 'i' | 'u') {
        let given = object.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "expected numbers, got {given}"
        )));
    }
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    if shape.len() != dimensions {
        let wanted = [
            "a number",
            "an array of one dimension",
            "an array of two dimensions",
            "an array of three dimensions",
        ]
        .get(dimensions)
        .unwrap_or(&"another array");
        let shape: Vec<String> = shape.iter().map(usize::to_string).collect();
        let comma = if shape.len() == 1 { "," } else { "" };
        let shape = shape.join(", ");
        return Err(PyValueError::new_err(format!(
            "expected {wanted}, got one of shape ({shape}{comma})"
        )));
    }
    let array = array.call_method1("astype", ("=f8",))?;
    py.import("numpy")?
        .call_method1("ascontiguousarray", (array,))
}

const NO_NUMBERS: &str = "expected an array of numbers";
