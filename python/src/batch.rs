//! Many configurations at once, on all cores: rows in, rows out.

use kinworld::{LinkId, Robot as Model, batch};
use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{ArrayN, LinkKey, Out, Rows, Singles, Vec3, array_n, write_pose};
use crate::error::call_detached;
use crate::robot::Robot;
use crate::state::GRAVITY;

/// Numbers as an array of a shape: a new one, or `out`.
fn give<'py>(
    py: Python<'py>,
    shape: &[usize],
    numbers: Vec<f64>,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let Some(Out(out)) = out else {
        return array_n(py, shape, numbers);
    };
    if out.shape() != shape {
        let found = out.shape();
        return Err(PyValueError::new_err(format!(
            "out needs the shape {shape:?}, it has {found:?}"
        )));
    }
    {
        let mut writable = out.try_readwrite().map_err(|problem| {
            PyValueError::new_err(format!("out cannot be written: {problem}"))
        })?;
        match writable.as_slice_mut() {
            Ok(slice) => slice.copy_from_slice(&numbers),
            Err(_) => {
                return Err(PyValueError::new_err(
                    "out needs to be contiguous, in C order",
                ));
            }
        }
    }
    Ok(ArrayN(out))
}

fn links_of(keys: Option<Vec<LinkKey>>, model: &Model) -> PyResult<Vec<LinkId>> {
    match keys {
        None => Ok((0..model.links().len()).map(LinkId::new).collect()),
        Some(keys) => keys.iter().map(|key| key.of(model)).collect(),
    }
}

/// Refuses arrays of another number of rows.
fn same_count(q: &Rows, other: &Rows, what: &str) -> PyResult<()> {
    if q.count == other.count {
        return Ok(());
    }
    let (a, b) = (q.count, other.count);
    Err(PyValueError::new_err(format!(
        "q has {a} rows, {what} has {b}"
    )))
}

/// Poses (N × L × 4 × 4) of links, all by default, at configurations ``q`` (N × n).
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/planar3R.rob")
/// >>> kw.batch.poses(arm, arm.sample(0, 1000), ["link2"]).shape
/// (1000, 1, 4, 4)
#[pyfunction]
#[pyo3(signature = (robot, q, links=None, *, out=None))]
pub(crate) fn poses<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    links: Option<Vec<LinkKey>>,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let links = links_of(links, model)?;
    let rows = q.of_width(model.n_dofs(), "q")?;
    let numbers = call_detached(py, || {
        let poses = batch::poses(model, rows, &links)?;
        let mut numbers = vec![0.0; 16 * poses.len()];
        for (out, pose) in numbers.chunks_exact_mut(16).zip(&poses) {
            write_pose(pose, out);
        }
        Ok(numbers)
    })?;
    give(py, &[q.count, links.len(), 4, 4], numbers, out)
}

/// Poses (N × L × 4 × 4) of links in single precision, for pictures and learning: twice as many per second.
#[pyfunction]
#[pyo3(signature = (robot, q, links=None))]
#[expect(
    clippy::cast_possible_truncation,
    reason = "single precision is what is asked for"
)]
pub(crate) fn poses_f32<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    links: Option<Vec<LinkKey>>,
) -> PyResult<Singles<'py>> {
    let model = &*robot.get().model;
    let links = links_of(links, model)?;
    let rows: Vec<f32> = q
        .of_width(model.n_dofs(), "q")?
        .iter()
        .map(|&x| x as f32)
        .collect();
    let numbers = call_detached(py, || {
        let poses = batch::poses_f32(model, &rows, &links)?;
        let mut numbers = Vec::with_capacity(16 * poses.len());
        for pose in &poses {
            let matrix = pose.to_homogeneous().transpose();
            numbers.extend_from_slice(matrix.as_slice());
        }
        Ok(numbers)
    })?;
    let shape = numpy::ndarray::IxDyn(&[q.count, links.len(), 4, 4]);
    numpy::ndarray::ArrayD::from_shape_vec(shape, numbers)
        .map(|array| Singles(array.into_pyarray(py)))
        .map_err(|problem| PyValueError::new_err(problem.to_string()))
}

/// Jacobians (N × 6 × n) of the point ``p`` of a link at configurations ``q`` (N × n), angular rows first.
#[pyfunction]
#[pyo3(signature = (robot, q, link, p=Vec3([0.0; 3]), *, out=None))]
pub(crate) fn jacobians<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    link: LinkKey,
    p: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    let (link, rows) = (link.of(model)?, q.of_width(n, "q")?);
    let numbers = call_detached(py, || {
        let columns = batch::jacobians(model, rows, link, &p.point())?;
        Ok(transposed(columns, 6, n))
    })?;
    give(py, &[q.count, 6, n], numbers, out)
}

/// Mass matrices (N × n × n) at configurations ``q`` (N × n).
#[pyfunction]
#[pyo3(signature = (robot, q, *, out=None))]
pub(crate) fn mass_matrices<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    let rows = q.of_width(n, "q")?;
    let numbers = call_detached(py, || batch::mass_matrices(model, rows))?;
    give(py, &[q.count, n, n], numbers, out)
}

/// Coriolis, centrifugal and gravity forces (N × n) at ``q`` and ``dq`` (N × n each).
#[pyfunction]
#[pyo3(signature = (robot, q, dq, *, gravity=GRAVITY, out=None))]
pub(crate) fn bias_forces<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    dq: Rows,
    gravity: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    same_count(&q, &dq, "dq")?;
    let (a, b) = (q.of_width(n, "q")?, dq.of_width(n, "dq")?);
    let numbers = call_detached(py, || batch::bias_forces(model, a, b, &gravity.vector()))?;
    give(py, &[q.count, n], numbers, out)
}

/// Joint forces (N × n) for accelerations ``ddq`` at ``q`` and ``dq`` (N × n each).
#[pyfunction]
#[pyo3(signature = (robot, q, dq, ddq, *, gravity=GRAVITY, out=None))]
pub(crate) fn inverse_dynamics<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    dq: Rows,
    ddq: Rows,
    gravity: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    same_count(&q, &dq, "dq")?;
    same_count(&q, &ddq, "ddq")?;
    let (a, b, c) = (
        q.of_width(n, "q")?,
        dq.of_width(n, "dq")?,
        ddq.of_width(n, "ddq")?,
    );
    let numbers = call_detached(py, || {
        batch::inverse_dynamics(model, a, b, c, &gravity.vector())
    })?;
    give(py, &[q.count, n], numbers, out)
}

/// Accelerations (N × n) for joint forces ``tau`` at ``q`` and ``dq`` (N × n each).
#[pyfunction]
#[pyo3(signature = (robot, q, dq, tau, *, gravity=GRAVITY, out=None))]
pub(crate) fn forward_dynamics<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    dq: Rows,
    tau: Rows,
    gravity: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    same_count(&q, &dq, "dq")?;
    same_count(&q, &tau, "tau")?;
    let (a, b, c) = (
        q.of_width(n, "q")?,
        dq.of_width(n, "dq")?,
        tau.of_width(n, "tau")?,
    );
    let numbers = call_detached(py, || {
        batch::forward_dynamics(model, a, b, c, &gravity.vector())
    })?;
    give(py, &[q.count, n], numbers, out)
}

/// Derivatives (N × 3 × n × n) of the inverse dynamics: by q, by dq, by ddq.
#[pyfunction]
#[pyo3(signature = (robot, q, dq, ddq, *, gravity=GRAVITY, out=None))]
pub(crate) fn inverse_dynamics_derivatives<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    dq: Rows,
    ddq: Rows,
    gravity: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    same_count(&q, &dq, "dq")?;
    same_count(&q, &ddq, "ddq")?;
    let (a, b, c) = (
        q.of_width(n, "q")?,
        dq.of_width(n, "dq")?,
        ddq.of_width(n, "ddq")?,
    );
    let numbers = call_detached(py, || {
        batch::inverse_dynamics_derivatives(model, a, b, c, &gravity.vector())
            .map(|columns| transposed(columns, n, n))
    })?;
    give(py, &[q.count, 3, n, n], numbers, out)
}

/// Derivatives (N × 3 × n × n) of the forward dynamics: by q, by dq, by tau.
#[pyfunction]
#[pyo3(signature = (robot, q, dq, tau, *, gravity=GRAVITY, out=None))]
pub(crate) fn forward_dynamics_derivatives<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: Rows,
    dq: Rows,
    tau: Rows,
    gravity: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    same_count(&q, &dq, "dq")?;
    same_count(&q, &tau, "tau")?;
    let (a, b, c) = (
        q.of_width(n, "q")?,
        dq.of_width(n, "dq")?,
        tau.of_width(n, "tau")?,
    );
    let numbers = call_detached(py, || {
        batch::forward_dynamics_derivatives(model, a, b, c, &gravity.vector())
            .map(|columns| transposed(columns, n, n))
    })?;
    give(py, &[q.count, 3, n, n], numbers, out)
}

/// Matrices in column order to row order.
fn transposed(mut numbers: Vec<f64>, rows: usize, columns: usize) -> Vec<f64> {
    let mut matrix = vec![0.0; rows * columns];
    if matrix.is_empty() {
        return numbers;
    }
    for block in numbers.chunks_exact_mut(rows * columns) {
        matrix.copy_from_slice(block);
        for i in 0..rows {
            for j in 0..columns {
                block[i * columns + j] = matrix[j * rows + i];
            }
        }
    }
    numbers
}
