//! What searches and proofs return.

use std::sync::Arc;
use std::time::Duration;

use kinworld::Robot as Model;
use kinworld::kinematics::ik;
use kinworld::planning::{self, Budget, RobotCSpace, Termination};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::collider::Nearest;
use crate::convert::{Array2, array2};
use crate::describe::count;
use crate::ik::Solution;

/// How much a search may cost; without `iterations` as many samples as fit in its time, without that too those of the library.
pub(crate) fn budget(
    time: Option<f64>,
    seed: u64,
    iterations: Option<usize>,
    range: f64,
    shortcuts: usize,
) -> PyResult<Budget> {
    let mut budget = Budget::default()
        .seed(seed)
        .range(range)
        .shortcuts(shortcuts);
    if let Some(most) = iterations.or(time.and(Some(usize::MAX))) {
        budget = budget.max_iterations(most);
    }
    let Some(seconds) = time else {
        return Ok(budget);
    };
    let limit = Duration::try_from_secs_f64(seconds).map_err(|_| {
        PyValueError::new_err(format!("time is a number of seconds, not {seconds}"))
    })?;
    Ok(budget.max_time(limit))
}

/// Why a search ended.
pub(crate) fn termination(termination: Termination) -> &'static str {
    match termination {
        Termination::Found => "found",
        Termination::Iterations => "iterations",
        Termination::Time => "time",
        Termination::Cancelled => "cancelled",
        Termination::TooThin => "too thin",
        Termination::NoGoal => "no goal",
        _ => "other",
    }
}

/// Outcome of a proof about all configurations of an edge.
#[pyclass(frozen, get_all, module = "kinworld")]
pub(crate) struct Proof {
    /// ``"free"``, ``"collision"`` or ``"near"``.
    pub(super) outcome: &'static str,
    /// Position on the edge, 0 to 1, of a collision or of a place that is too near.
    pub(super) t: Option<f64>,
    /// The obstacle, in words.
    pub(super) reason: Option<String>,
    /// The distance at a place that is too near.
    pub(super) nearest: Option<Py<Nearest>>,
}

#[pymethods]
impl Proof {
    fn __bool__(&self) -> bool {
        self.outcome == "free"
    }

    fn __repr__(&self) -> String {
        match (&self.t, &self.reason) {
            (Some(t), Some(reason)) => format!("Proof: {} at {t:.4}: {reason}", self.outcome),
            (Some(t), None) => format!("Proof: {} at {t:.4}", self.outcome),
            _ => format!("Proof: {}", self.outcome),
        }
    }
}

/// Result of a search.
#[pyclass(frozen, module = "kinworld")]
pub(crate) struct Plan {
    path: Option<Vec<Vec<f64>>>,
    n: usize,
    /// The robot of objectives.
    robot: Option<Arc<Model>>,
    unreached: Vec<(usize, ik::Solution)>,
    /// ``"found"``, ``"iterations"``, ``"time"``, ``"cancelled"``, ``"too thin"`` or ``"no goal"``.
    #[pyo3(get)]
    termination: &'static str,
    /// Number of samples.
    #[pyo3(get)]
    iterations: usize,
    /// The index of the start of the path, of several.
    #[pyo3(get)]
    start: Option<usize>,
    /// The index of the goal that the path reaches, of several.
    #[pyo3(get)]
    goal: Option<usize>,
}

impl Plan {
    /// The result of a search in a space of `n` coordinates, for one goal or for several.
    pub(crate) fn new(plan: planning::Plan, n: usize, several: bool) -> Self {
        Self {
            path: plan.path,
            n,
            robot: None,
            unreached: plan.unreached,
            termination: termination(plan.termination),
            iterations: plan.iterations,
            start: None,
            goal: plan.goal.filter(|_| several),
        }
    }

    /// With the index of the start, of several.
    pub(super) fn with_start(self, start: Option<usize>) -> Self {
        Self { start, ..self }
    }

    /// With the robot of the objectives.
    pub(super) fn of_robot(self, space: &RobotCSpace) -> Self {
        let robot = space.robots().next();
        let robot = robot.and_then(|id| space.world().robot(id).ok());
        Self {
            robot: robot.map(|robot| Arc::clone(robot.model())),
            ..self
        }
    }

    /// The configurations of the path, none where none was found.
    pub(crate) fn configurations(&self) -> &[Vec<f64>] {
        self.path.as_deref().unwrap_or_default()
    }
}

#[pymethods]
impl Plan {
    /// Whether there is a path.
    #[getter]
    fn found(&self) -> bool {
        self.path.is_some()
    }

    /// The path (k × n); ``None`` where none was found.
    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> Option<Array2<'py>> {
        let path = self.path.as_ref()?;
        Some(array2(py, path.len(), self.n, |out| {
            for (row, q) in out.chunks_exact_mut(self.n.max(1)).zip(path) {
                row.copy_from_slice(q);
            }
        }))
    }

    /// Goals that inverse kinematics does not reach: their indices, and how near it gets.
    #[getter]
    fn unreached(&self) -> Vec<(usize, Solution)> {
        let Some(robot) = &self.robot else {
            return Vec::new();
        };
        let each = self.unreached.iter();
        each.map(|(goal, nearest)| (*goal, Solution::new(robot, nearest.clone())))
            .collect()
    }

    fn __bool__(&self) -> bool {
        self.path.is_some()
    }

    pub(crate) fn __repr__(&self) -> String {
        match &self.path {
            Some(path) => format!(
                "Plan: {} of {}, {}",
                count(path.len(), "configuration"),
                count(self.n, "dof"),
                count(self.iterations, "sample")
            ),
            None => format!(
                "Plan: none found ({}), {}",
                self.termination,
                count(self.iterations, "sample")
            ),
        }
    }
}
