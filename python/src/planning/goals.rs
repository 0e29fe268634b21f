//! Goals of a plan.

use kinworld::Robot as Model;
use kinworld::planning::{Goal, RobotCSpace};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::convert::{Reals, Rows};
use crate::error::call;
use crate::ik::{Goals, Objective};

/// A configuration (n), or several (k × n).
pub(super) struct Configurations {
    pub(super) all: Vec<Vec<f64>>,
    /// Whether there may be several.
    pub(super) several: bool,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Configurations {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr =
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike");

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let problem = match object.extract::<Reals>() {
            Ok(q) => {
                return Ok(Self {
                    all: vec![q.to_vec()],
                    several: false,
                });
            }
            Err(problem) => problem,
        };
        match object.extract::<Rows>() {
            Ok(rows) => Ok(Self {
                all: rows.to_vecs(),
                several: true,
            }),
            Err(_) => Err(problem),
        }
    }
}

/// The goals of an argument, and whether there may be several.
pub(super) fn goals(space: &RobotCSpace, goal: &Bound<'_, PyAny>) -> PyResult<(Vec<Goal>, bool)> {
    let problem = match goal.extract::<Configurations>() {
        Ok(given) => {
            let all = given.all.into_iter().map(Goal::Config);
            return Ok((all.collect(), given.several));
        }
        Err(problem) => problem,
    };
    if goal.cast::<Objective>().is_ok() {
        return Ok((vec![objectives(space, goal)?], false));
    }
    let Ok(list) = goal.extract::<Vec<Bound<'_, PyAny>>>() else {
        return Err(problem);
    };
    let is_objectives = |item: &Bound<'_, PyAny>| item.extract::<Goals<'_>>().is_ok();
    if !list.iter().any(is_objectives) {
        return Err(problem);
    }
    let each = list.iter().map(|item| match item.extract::<Reals>() {
        Ok(q) => Ok(Goal::Config(q.to_vec())),
        Err(_) => objectives(space, item),
    });
    Ok((each.collect::<PyResult<_>>()?, true))
}

/// The goal to meet an objective, or several at once.
fn objectives(space: &RobotCSpace, goal: &Bound<'_, PyAny>) -> PyResult<Goal> {
    let [robot] = space.robots().collect::<Vec<_>>()[..] else {
        let problem = "objectives are for spaces of one robot";
        return Err(PyTypeError::new_err(problem));
    };
    let robot: &Model = call(|| space.world().robot(robot))?.model();
    let goal: Goals<'_> = goal.extract()?;
    Ok(Goal::Objectives(goal.of(robot)?))
}
