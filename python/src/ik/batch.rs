//! Poses of a link, many at once: arrays in, arrays out.

use kinworld::kinematics::ik;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::arguments::options;
use crate::convert::{ArrayN, Bools, LinkKey, LongRows, PosesIn, array_n};
use crate::interrupt::{in_blocks, zeros};
use crate::robot::Robot;

/// Solves inverse kinematics for N poses (N × 4 × 4) of a link, from ``starts`` (N × n), by default the initial
/// configuration, then from random ones.
///
/// Returns the configurations (N × n), whether each reaches its pose (N), and the errors (N × 2) that are left, m and rad.
/// Each problem has the answer of `kinworld.ik.solve`, which has all options.
///
/// >>> import kinworld as kw
/// >>> arm = kw.Robot.load("data/robots/arm6.urdf")
/// >>> goals = kw.batch.poses(arm, arm.sample(0, 100), [arm.links[-1].name])[:, 0]
/// >>> q, solved, errors = kw.batch.inverse_kinematics(arm, arm.links[-1].name, goals)
/// >>> q.shape, bool(solved.all()), bool((errors < 1e-8).all())
/// ((100, 6), True, True)
#[pyfunction]
#[pyo3(signature = (robot, link, poses, starts=None, *, tolerance=1e-9, iterations=100, restarts=100, seed=0))]
#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(crate) fn inverse_kinematics<'py>(
    py: Python<'py>,
    robot: &Bound<'py, Robot>,
    link: LinkKey,
    poses: PosesIn,
    starts: Option<LongRows<'py>>,
    tolerance: f64,
    iterations: usize,
    restarts: usize,
    seed: u64,
) -> PyResult<(ArrayN<'py>, Bools<'py>, ArrayN<'py>)> {
    let model = robot.get().model.clone();
    let (n, count) = (model.n_dofs(), poses.0.len());
    let link = link.of(&model)?;
    let options = options(
        &model, tolerance, iterations, restarts, seed, None, None, None,
    )?;
    let starts = match &starts {
        None => None,
        Some(rows) if rows.count == count => Some(rows.of_width(n, "starts")?.to_vec()),
        Some(rows) => {
            let given = rows.count;
            return Err(PyValueError::new_err(format!(
                "poses has {count} rows, starts has {given}"
            )));
        }
    };
    // the memory for the answers is there before the work begins
    let (mut q, mut errors) = (zeros(count, n)?, zeros(count, 2)?);
    let mut solved = zeros(count, 1)?;
    let targets = poses.0;
    // one problem may take long
    let found = in_blocks(py, count, (0, 1), move |range| {
        let problem = |i: usize| {
            let start = match &starts {
                Some(rows) => &rows[n * i..n * (i + 1)],
                None => model.initial_config(),
            };
            ik::Problem::new([ik::Objective::pose(link, &targets[i])], start)
        };
        ik::solve_batch(&model, &range.map(problem).collect::<Vec<_>>(), &options)
    })?;
    for (i, found) in found.iter().enumerate() {
        q[n * i..n * (i + 1)].copy_from_slice(&found.q);
        solved[i] = found.is_success();
        errors[2 * i] = found.position_error;
        errors[2 * i + 1] = found.rotation_error;
    }
    Ok((
        array_n(py, &[count, n], q)?,
        Bools::new(py, solved),
        array_n(py, &[count, 2], errors)?,
    ))
}
