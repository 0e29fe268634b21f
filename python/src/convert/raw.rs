//! The one place that reads and writes the memory of NumPy's arrays.
//!
//! Arrays are read while the interpreter is attached, and copied or used before any code of Python runs; those of batches are
//! borrowed, see `long_rows`.

#![expect(
    unsafe_code,
    reason = "arrays of NumPy are read and filled through pointers"
)]

use numpy::ndarray::Dimension;
use numpy::npyffi::{
    self, NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_OWNDATA, NPY_ARRAY_WRITEABLE,
    NPY_TYPES, PyArrayObject,
};
use numpy::{PyArray, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;

/// The numbers of an array of `float64` in C order with a number of dimensions, as they lie; `None` for all other objects.
#[inline]
pub(super) fn read<'a>(
    object: &'a Bound<'_, PyAny>,
    dimensions: usize,
) -> Option<(&'a [f64], [usize; 2])> {
    let pointer = object.as_ptr();
    // SAFETY: `PyArray_Check` takes any object; what it accepts is laid out as a `PyArrayObject`, whose `dimensions` has
    // `nd` entries, and whose data holds their product of aligned numbers where the flags and the type say so.
    // The interpreter is attached for as long as `object` is borrowed, and callers copy the numbers before they call it.
    unsafe {
        if npyffi::PyArray_Check(object.py(), pointer) == 0 {
            return None;
        }
        let array = &*pointer.cast::<PyArrayObject>();
        let wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
        let descriptor = &*array.fields.descr;
        if usize::try_from(array.fields.nd) != Ok(dimensions)
            || array.fields.flags & wanted != wanted
            || descriptor.fields.type_num != NPY_TYPES::NPY_DOUBLE as i32
            || descriptor.fields.byteorder as u8 == b'>'
        {
            return None;
        }
        let mut shape = [1; 2];
        for (axis, length) in shape.iter_mut().enumerate().take(dimensions) {
            *length = usize::try_from(*array.fields.dimensions.add(axis)).ok()?;
        }
        let length = shape[0] * shape[1];
        if length == 0 {
            return Some((&[], shape));
        }
        Some((
            std::slice::from_raw_parts(array.fields.data.cast::<f64>(), length),
            shape,
        ))
    }
}

/// Whether the numbers of an array lie aligned and in C order.
pub(super) fn is_in_order<T, D>(array: &Bound<'_, PyArray<T, D>>) -> bool {
    let wanted = NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    // SAFETY: an array of NumPy is laid out as a `PyArrayObject`
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    flags & wanted == wanted
}

/// Refills an array that [`new`] made, if nobody but `array` has it and it still is as it was made.
///
/// The caller has the only way to the array: references, views and buffers of others count, and weak references are looked
/// for. That holds where the interpreter has its lock.
#[inline]
pub(super) fn refill<'py, D: Dimension>(
    array: &Bound<'py, PyArray<f64, D>>,
    shape: &D,
    fill: impl FnOnce(&mut [f64]),
) -> Option<Bound<'py, PyArray<f64, D>>> {
    let wanted =
        NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED | NPY_ARRAY_WRITEABLE | NPY_ARRAY_OWNDATA;
    let lengths = shape.slice();
    // SAFETY: an array of NumPy is laid out as a `PyArrayObject`, whose `dimensions` has `nd` entries, and whose data holds
    // their product of aligned numbers where flags and type say so. Nobody else has the array, and the interpreter is
    // attached: there is no other reference to its numbers.
    unsafe {
        let fields = &(*array.as_array_ptr()).fields;
        let descriptor = &*fields.descr;
        if pyo3::ffi::Py_REFCNT(array.as_ptr()) != 1
            || !fields.weakreflist.is_null()
            || !fields.base.is_null()
            || fields.flags & wanted != wanted
            || descriptor.fields.type_num != NPY_TYPES::NPY_DOUBLE as i32
            || descriptor.fields.byteorder as u8 == b'>'
            || usize::try_from(fields.nd) != Ok(lengths.len())
        {
            return None;
        }
        for (axis, &length) in lengths.iter().enumerate() {
            if usize::try_from(*fields.dimensions.add(axis)) != Ok(length) {
                return None;
            }
        }
        fill(std::slice::from_raw_parts_mut(
            fields.data.cast::<f64>(),
            shape.size(),
        ));
    }
    Some(array.clone())
}

/// A new array in C order, zero before it is filled by `fill`.
#[inline]
pub(super) fn new<'py, D: Dimension>(
    py: Python<'py>,
    shape: D,
    fill: impl FnOnce(&mut [f64]),
) -> Bound<'py, PyArray<f64, D>> {
    let length = shape.size();
    // SAFETY: nobody else has the new array, which has room for `length` numbers, and all its bytes are written before a
    // reference to them exists. Zero bytes are the number zero.
    unsafe {
        let array = PyArray::<f64, D>::new(py, shape, false);
        std::ptr::write_bytes(array.data(), 0, length);
        let data = std::slice::from_raw_parts_mut(array.data(), length);
        fill(data);
        array
    }
}
