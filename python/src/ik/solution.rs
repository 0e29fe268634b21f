//! Solutions of inverse kinematics.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::kinematics::ik::{self, Termination};
use pyo3::prelude::*;

use crate::convert::{Array1, array1};
use crate::describe::{count, numbers};

/// Best configuration that a search found.
#[pyclass(frozen, module = "kinworld.ik")]
pub(crate) struct Solution {
    pub(super) robot: Arc<Model>,
    pub(super) inner: ik::Solution,
}

impl Solution {
    /// The solution for a robot.
    pub(crate) fn new(robot: &Arc<Model>, inner: ik::Solution) -> Self {
        let robot = Arc::clone(robot);
        Self { robot, inner }
    }
}

#[pymethods]
impl Solution {
    /// The configuration (n).
    #[getter]
    fn q<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.q)
    }

    /// Whether the goals are reached.
    #[getter]
    fn solved(&self) -> bool {
        self.inner.is_success()
    }

    /// The residual (m or rad) of each equation.
    #[getter]
    fn residual<'py>(&self, py: Python<'py>) -> Array1<'py> {
        array1(py, &self.inner.residual)
    }

    /// Largest position error, m.
    #[getter]
    fn position_error(&self) -> f64 {
        self.inner.position_error
    }

    /// Largest rotation error, rad.
    #[getter]
    fn rotation_error(&self) -> f64 {
        self.inner.rotation_error
    }

    /// Number of iterations.
    #[getter]
    fn iterations(&self) -> usize {
        self.inner.iterations
    }

    /// Number of start configurations.
    #[getter]
    fn starts(&self) -> usize {
        self.inner.starts
    }

    /// The joints at a limit, each with ``"lower"`` or ``"upper"``.
    #[getter]
    fn active_limits(&self) -> Vec<(&str, &'static str)> {
        let limits = self.inner.active_limits.iter();
        limits
            .map(|limit| (self.robot.dof_name(limit.dof), bound(limit.bound)))
            .collect()
    }

    /// ``"reached"``, ``"infeasible"``, ``"no progress"`` or ``"out of iterations"``.
    #[getter]
    fn termination(&self) -> &'static str {
        termination(&self.inner.termination)
    }

    fn __bool__(&self) -> bool {
        self.inner.is_success()
    }

    fn __repr__(&self) -> String {
        let s = &self.inner;
        let q = numbers(&s.q);
        if s.is_success() {
            return format!(
                "Solution: reached at {q}, {}",
                count(s.iterations, "iteration")
            );
        }
        format!(
            "Solution: {}, position error {:.3e} m, rotation error {:.3e} rad, at {q}",
            termination(&s.termination),
            s.position_error,
            s.rotation_error
        )
    }
}

fn termination(reason: &Termination) -> &'static str {
    match reason {
        Termination::Reached => "reached",
        Termination::Infeasible => "infeasible",
        Termination::NoProgress => "no progress",
        _ => "out of iterations",
    }
}

fn bound(bound: ik::Bound) -> &'static str {
    match bound {
        ik::Bound::Lower => "lower",
        ik::Bound::Upper => "upper",
    }
}
