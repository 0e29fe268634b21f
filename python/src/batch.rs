//! Many configurations at once, on all cores: rows in, rows out.

use std::ops::Range;

use kinworld::batch::Workspace;
use kinworld::{LinkId, Pose, Robot as Model, batch};
use numpy::{IntoPyArray, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{ArrayN, LinkKey, Out, Rows, Singles, Vec3, array_n, write_pose};
use crate::interrupt::in_chunks;
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
    let (n, mut ws, mut poses) = (model.n_dofs(), Workspace::new(model), Vec::new());
    let shape = (q.count, 16 * links.len());
    let numbers = in_chunks(py, shape, 0.0, |range, out| {
        poses.resize(range.len() * links.len(), Pose::identity());
        batch::poses_into(model, &rows[at(range, n)], &links, &mut ws, &mut poses)?;
        for (out, pose) in out.chunks_exact_mut(16).zip(&poses) {
            write_pose(pose, out);
        }
        Ok(())
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
    let (n, mut ws, mut poses) = (model.n_dofs(), Workspace::new(model), Vec::new());
    let shape = (q.count, 16 * links.len());
    let numbers = in_chunks(py, shape, 0.0, |range, out| {
        poses.resize(
            range.len() * links.len(),
            kinworld::nalgebra::IsometryMatrix3::identity(),
        );
        batch::poses_f32_into(model, &rows[at(range, n)], &links, &mut ws, &mut poses)?;
        for (out, pose) in out.chunks_exact_mut(16).zip(&poses) {
            out.copy_from_slice(pose.to_homogeneous().transpose().as_slice());
        }
        Ok(())
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
    let (mut ws, p) = (Workspace::new(model), p.point());
    let numbers = in_chunks(py, (q.count, 6 * n), 0.0, |range, out| {
        batch::jacobians_into(model, &rows[at(range, n)], link, &p, &mut ws, out)?;
        transpose(out, 6, n);
        Ok(())
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
    let mut ws = Workspace::new(model);
    let numbers = in_chunks(py, (q.count, n * n), 0.0, |range, out| {
        batch::mass_matrices_into(model, &rows[at(range, n)], &mut ws, out)
    })?;
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
    let (mut ws, gravity) = (Workspace::new(model), gravity.vector());
    let numbers = in_chunks(py, (q.count, n), 0.0, |range, out| {
        let rows = at(range, n);
        batch::bias_forces_into(model, &a[rows.clone()], &b[rows], &gravity, &mut ws, out)
    })?;
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
    let (mut ws, g) = (Workspace::new(model), gravity.vector());
    let numbers = in_chunks(py, (q.count, n), 0.0, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::inverse_dynamics_into(model, a, b, c, &g, &mut ws, out)
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
    let (mut ws, g) = (Workspace::new(model), gravity.vector());
    let numbers = in_chunks(py, (q.count, n), 0.0, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::forward_dynamics_into(model, a, b, c, &g, &mut ws, out)
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
    let (mut ws, g) = (Workspace::new(model), gravity.vector());
    let numbers = in_chunks(py, (q.count, 3 * n * n), 0.0, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::inverse_dynamics_derivatives_into(model, a, b, c, &g, &mut ws, out)?;
        transpose(out, n, n);
        Ok(())
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
    let (mut ws, g) = (Workspace::new(model), gravity.vector());
    let numbers = in_chunks(py, (q.count, 3 * n * n), 0.0, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::forward_dynamics_derivatives_into(model, a, b, c, &g, &mut ws, out)?;
        transpose(out, n, n);
        Ok(())
    })?;
    give(py, &[q.count, 3, n, n], numbers, out)
}

/// The numbers of rows of `n`.
fn at(rows: Range<usize>, n: usize) -> Range<usize> {
    rows.start * n..rows.end * n
}

/// The same part of three arrays.
fn thirds<'a>(
    a: &'a [f64],
    b: &'a [f64],
    c: &'a [f64],
    part: Range<usize>,
) -> (&'a [f64], &'a [f64], &'a [f64]) {
    (&a[part.clone()], &b[part.clone()], &c[part])
}

/// Matrices in column order to row order.
fn transpose(numbers: &mut [f64], rows: usize, columns: usize) {
    let mut matrix = vec![0.0; rows * columns];
    if matrix.is_empty() {
        return;
    }
    for block in numbers.chunks_exact_mut(rows * columns) {
        matrix.copy_from_slice(block);
        for i in 0..rows {
            for j in 0..columns {
                block[i * columns + j] = matrix[j * rows + i];
            }
        }
    }
}
