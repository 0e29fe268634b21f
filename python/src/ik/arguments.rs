//! Arguments of searches.

use std::sync::Arc;

use kinworld::Robot as Model;
use kinworld::kinematics::ik::{self};
use pyo3::prelude::*;
#[cfg(feature = "stubs")]
use pyo3::type_hint_union;

use super::Objective;
use crate::convert::{DofKey, Reals};
use crate::robot::Robot;
use crate::state::State;

/// One objective, or several.
pub(crate) struct Goals<'py>(Vec<Bound<'py, Objective>>);

impl<'a, 'py> FromPyObject<'a, 'py> for Goals<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("kinworld._core.ik", "Objective"),
        pyo3::type_hint_subscript!(
            pyo3::type_hint_identifier!("collections.abc", "Sequence"),
            pyo3::type_hint_identifier!("kinworld._core.ik", "Objective")
        )
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(one) = object.cast::<Objective>() {
            return Ok(Self(vec![one.to_owned()]));
        }
        let several: Vec<Bound<'py, Objective>> = object.extract().map_err(|_| {
            pyo3::exceptions::PyTypeError::new_err(
                "expected an objective or a list of them, see `kinworld.ik.objective`",
            )
        })?;
        Ok(Self(several))
    }
}

impl Goals<'_> {
    pub(crate) fn of(&self, robot: &Model) -> PyResult<Vec<ik::Objective>> {
        self.0.iter().map(|goal| goal.get().of(robot)).collect()
    }
}

/// A robot, or a state of one.
pub(crate) enum RobotIn<'py> {
    Robot(Bound<'py, Robot>),
    State(Bound<'py, State>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for RobotIn<'py> {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = type_hint_union!(
        pyo3::type_hint_identifier!("kinworld._core", "Robot"),
        pyo3::type_hint_identifier!("kinworld._core", "State")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(robot) = object.cast::<Robot>() {
            return Ok(Self::Robot(robot.to_owned()));
        }
        match object.cast::<State>() {
            Ok(state) => Ok(Self::State(state.to_owned())),
            Err(_) => {
                let given = object.get_type().name()?;
                Err(pyo3::exceptions::PyTypeError::new_err(format!(
                    "expected a Robot or a State, got {given}"
                )))
            }
        }
    }
}

impl RobotIn<'_> {
    pub(super) fn model(&self) -> PyResult<Arc<Model>> {
        match self {
            Self::Robot(robot) => Ok(robot.get().model.clone()),
            Self::State(state) => state.try_borrow()?.model(state.py()),
        }
    }

    /// The start of a search: what is given, else the configuration of the state, else the initial one.
    pub(super) fn start(&self, given: Option<&Reals>) -> PyResult<Vec<f64>> {
        match (given, self) {
            (Some(q), _) => Ok(q.to_vec()),
            (None, Self::Robot(robot)) => Ok(robot.get().model.initial_config().to_vec()),
            (None, Self::State(state)) => state
                .try_borrow()?
                .ask(state.py(), |_, state| Ok(state.config().to_vec())),
        }
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "keyword-only arguments of Python"
)]
pub(super) fn options(
    robot: &Model,
    tolerance: f64,
    iterations: usize,
    restarts: usize,
    seed: u64,
    active: Option<&[DofKey]>,
    posture: Option<&Reals>,
    secondary: Option<&Goals<'_>>,
) -> PyResult<ik::Options> {
    let mut options = ik::Options::default()
        .with_tolerance(tolerance)
        .with_max_iterations(iterations)
        .with_restarts(restarts)
        .with_seed(seed);
    if let Some(active) = active {
        options = options.with_active(DofKey::all_of(active, robot)?);
    }
    if let Some(q) = posture {
        options = options.with_posture(ik::Posture::near(q.to_vec()));
    }
    if let Some(goals) = secondary {
        options = options.with_secondary(goals.of(robot)?);
    }
    Ok(options)
}
