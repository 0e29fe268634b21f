//! Poses and rotations: 4 × 4 and 3 × 3 arrays.

use kinworld::math::{se3, so3};
use kinworld::{Pose, Rotation};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Rows;
use super::array::{self, Reals};
use super::out::{Array2, array2};
use crate::error::fail;

/// A pose: a 4 × 4 array, of which the rotation is checked.
#[derive(Clone, Copy)]
pub(crate) struct PoseIn(pub(crate) Pose);

/// Poses: an N × 4 × 4 array, of which every rotation is checked.
pub(crate) struct PosesIn(pub(crate) Vec<Pose>);

/// A rotation: a 3 × 3 array, which is checked.
#[derive(Clone, Copy)]
pub(crate) struct RotationIn(pub(crate) Rotation);

impl<'a, 'py> FromPyObject<'a, 'py> for PoseIn {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let rows = square::<4>(object, "pose")?;
        se3::from_rows(rows).map(Self).map_err(fail)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for PosesIn {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = array::converted(&object, 3)?;
        let shape: Vec<usize> = array.getattr("shape")?.extract()?;
        if shape[1..] != [4, 4] {
            return Err(PyValueError::new_err(format!(
                "poses are an N × 4 × 4 array, got one of shape ({}, {}, {})",
                shape[0], shape[1], shape[2]
            )));
        }
        let flat = array.call_method1("reshape", ((-1,),))?;
        let numbers = flat.extract::<Reals>()?;
        let (rows, _) = numbers.as_chunks::<16>();
        rows.iter()
            .enumerate()
            .map(|(i, row)| {
                let (row, _) = row.as_chunks::<4>();
                se3::from_rows([row[0], row[1], row[2], row[3]])
                    .map_err(|problem| PyValueError::new_err(format!("pose {i}: {problem}")))
            })
            .collect::<PyResult<Vec<_>>>()
            .map(Self)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for RotationIn {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let rows = square::<3>(object, "rotation")?;
        so3::from_rows(rows).map(Self).map_err(fail)
    }
}

/// Rows of a square array.
fn square<const N: usize>(object: Borrowed<'_, '_, PyAny>, what: &str) -> PyResult<[[f64; N]; N]> {
    let refused = |found: &str| {
        PyValueError::new_err(format!(
            "a {what} is a {N} × {N} array, got {found}; `kinworld.se3` and `kinworld.so3` make them from quaternions \
             and angles"
        ))
    };
    let rows = object.extract::<Rows>().map_err(|problem| {
        let is_shape = problem.is_instance_of::<PyValueError>(object.py());
        if is_shape {
            refused(&problem.value(object.py()).to_string())
        } else {
            problem
        }
    })?;
    if (rows.count, rows.width) != (N, N) {
        return Err(refused(&format!(
            "one of shape ({}, {})",
            rows.count, rows.width
        )));
    }
    let mut out = [[0.0; N]; N];
    for (row, numbers) in out.iter_mut().zip(rows.numbers.chunks_exact(N)) {
        row.copy_from_slice(numbers);
    }
    Ok(out)
}

/// A pose as a 4 × 4 array.
#[inline]
pub(crate) fn pose_array<'py>(py: Python<'py>, pose: &Pose) -> Array2<'py> {
    array2(py, 4, 4, |out| write_pose(pose, out))
}

/// The 16 numbers of a pose, row by row.
#[inline]
pub(crate) fn write_pose(pose: &Pose, out: &mut [f64]) {
    let (r, t) = (pose.rotation.matrix(), &pose.translation);
    for i in 0..3 {
        out[4 * i] = r[(i, 0)];
        out[4 * i + 1] = r[(i, 1)];
        out[4 * i + 2] = r[(i, 2)];
        out[4 * i + 3] = t.vector[i];
    }
    out[12..16].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
}

/// A rotation as a 3 × 3 array.
pub(crate) fn rotation_array<'py>(py: Python<'py>, rotation: &Rotation) -> Array2<'py> {
    super::out::matrix(py, rotation.matrix())
}
