//! Many configurations at once, on all cores: rows in, rows out.

use std::ops::Range;

use kinworld::batch::Workspace;
use kinworld::{LinkId, Robot as Model, batch};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::convert::{ArrayN, LinkKey, LongRows, Out, Singles, Vec3, array_n};
use crate::interrupt::{QUICK, fill_in_chunks, zeros};
use crate::robot::Robot;
use crate::state::GRAVITY;

/// An array of a shape, rows by rows filled by a function: a new one, or `out`.
fn filled<'py>(
    py: Python<'py>,
    shape: &[usize],
    out: Option<Out<'py>>,
    fill: impl FnMut(Range<usize>, &mut [f64]) -> kinworld::Result<()> + Send,
) -> PyResult<ArrayN<'py>> {
    let (count, width) = (shape[0], shape[1..].iter().product());
    let Some(out) = out else {
        let mut numbers = zeros(count, width)?;
        fill_in_chunks(py, (count, width), QUICK, &mut numbers, fill)?;
        return array_n(py, shape, numbers);
    };
    out.write(shape, |numbers| {
        fill_in_chunks(py, (count, width), QUICK, numbers, fill)
    })?;
    Ok(ArrayN(out.0))
}

fn links_of(keys: Option<Vec<LinkKey>>, model: &Model) -> PyResult<Vec<LinkId>> {
    match keys {
        None => Ok((0..model.links().len()).map(LinkId::new).collect()),
        Some(keys) => keys.iter().map(|key| key.of(model)).collect(),
    }
}

/// Refuses arrays of another number of rows.
fn same_count(q: &LongRows<'_>, other: &LongRows<'_>, what: &str) -> PyResult<()> {
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
    q: LongRows<'py>,
    links: Option<Vec<LinkKey>>,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let links = links_of(links, model)?;
    let n = model.n_dofs();
    let (rows, mut ws) = (q.of_width(n, "q")?, Workspace::new(model));
    filled(py, &[q.count, links.len(), 4, 4], out, |range, out| {
        let (out, _) = out.as_chunks_mut::<16>();
        batch::pose_matrices_into(model, &rows[at(range, n)], &links, &mut ws, out)
    })
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
    q: LongRows<'py>,
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
    let mut numbers = zeros(shape.0, shape.1)?;
    fill_in_chunks(py, shape, QUICK, &mut numbers, |range, out| {
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
    q: LongRows<'py>,
    link: LinkKey,
    p: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    let (link, rows) = (link.of(model)?, q.of_width(n, "q")?);
    let (mut ws, p) = (Workspace::new(model).with_row_major(), p.point());
    filled(py, &[q.count, 6, n], out, |range, out| {
        batch::jacobians_into(model, &rows[at(range, n)], link, &p, &mut ws, out)
    })
}

/// Mass matrices (N × n × n) at configurations ``q`` (N × n).
#[pyfunction]
#[pyo3(signature = (robot, q, *, out=None))]
pub(crate) fn mass_matrices<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: LongRows<'py>,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    let rows = q.of_width(n, "q")?;
    let mut ws = Workspace::new(model);
    filled(py, &[q.count, n, n], out, |range, out| {
        batch::mass_matrices_into(model, &rows[at(range, n)], &mut ws, out)
    })
}

/// Coriolis, centrifugal and gravity forces (N × n) at ``q`` and ``dq`` (N × n each).
#[pyfunction]
#[pyo3(signature = (robot, q, dq, *, gravity=GRAVITY, out=None))]
pub(crate) fn bias_forces<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: LongRows<'py>,
    dq: LongRows<'py>,
    gravity: Vec3,
    out: Option<Out<'py>>,
) -> PyResult<ArrayN<'py>> {
    let model = &*robot.get().model;
    let n = model.n_dofs();
    same_count(&q, &dq, "dq")?;
    let (a, b) = (q.of_width(n, "q")?, dq.of_width(n, "dq")?);
    let (mut ws, gravity) = (Workspace::new(model), gravity.vector());
    filled(py, &[q.count, n], out, |range, out| {
        let rows = at(range, n);
        batch::bias_forces_into(model, &a[rows.clone()], &b[rows], &gravity, &mut ws, out)
    })
}

/// Joint forces (N × n) for accelerations ``ddq`` at ``q`` and ``dq`` (N × n each).
#[pyfunction]
#[pyo3(signature = (robot, q, dq, ddq, *, gravity=GRAVITY, out=None))]
pub(crate) fn inverse_dynamics<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: LongRows<'py>,
    dq: LongRows<'py>,
    ddq: LongRows<'py>,
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
    filled(py, &[q.count, n], out, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::inverse_dynamics_into(model, a, b, c, &g, &mut ws, out)
    })
}

/// Accelerations (N × n) for joint forces ``tau`` at ``q`` and ``dq`` (N × n each).
#[pyfunction]
#[pyo3(signature = (robot, q, dq, tau, *, gravity=GRAVITY, out=None))]
pub(crate) fn forward_dynamics<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: LongRows<'py>,
    dq: LongRows<'py>,
    tau: LongRows<'py>,
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
    filled(py, &[q.count, n], out, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::forward_dynamics_into(model, a, b, c, &g, &mut ws, out)
    })
}

/// Derivatives (N × 3 × n × n) of the inverse dynamics: by q, by dq, by ddq.
#[pyfunction]
#[pyo3(signature = (robot, q, dq, ddq, *, gravity=GRAVITY, out=None))]
pub(crate) fn inverse_dynamics_derivatives<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: LongRows<'py>,
    dq: LongRows<'py>,
    ddq: LongRows<'py>,
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
    let (mut ws, g) = (Workspace::new(model).with_row_major(), gravity.vector());
    filled(py, &[q.count, 3, n, n], out, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::inverse_dynamics_derivatives_into(model, a, b, c, &g, &mut ws, out)
    })
}

/// Derivatives (N × 3 × n × n) of the forward dynamics: by q, by dq, by tau.
#[pyfunction]
#[pyo3(signature = (robot, q, dq, tau, *, gravity=GRAVITY, out=None))]
pub(crate) fn forward_dynamics_derivatives<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    q: LongRows<'py>,
    dq: LongRows<'py>,
    tau: LongRows<'py>,
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
    let (mut ws, g) = (Workspace::new(model).with_row_major(), gravity.vector());
    filled(py, &[q.count, 3, n, n], out, |range, out| {
        let (a, b, c) = thirds(a, b, c, at(range, n));
        batch::forward_dynamics_derivatives_into(model, a, b, c, &g, &mut ws, out)
    })
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
