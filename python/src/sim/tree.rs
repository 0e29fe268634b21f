//! Robots and rigid objects as mechanisms.

use kinworld::sim::{BaseMotion, Forces, IntegratorState, JointStops, KinematicTree, Pd};
use kinworld::{Pose, Robot as Model};
use pyo3::prelude::*;

use super::control::{Controlled, Problem, ask};
use crate::convert::{PoseIn, Reals, Vec6};
use crate::error::{call, error};

impl Controlled for KinematicTree {
    fn motion(&mut self, state: &IntegratorState) -> kinworld::Result<[Vec<f64>; 2]> {
        Ok([self.config(&state.y), self.velocity(&state.y)])
    }

    fn command(&mut self, forces: Vec<f64>) -> kinworld::Result<()> {
        self.forces.joint = forces;
        Ok(())
    }
}

/// Gains and targets of a controller: ``{"p": ..., "d": ..., "position": ..., "velocity": ...}``.
#[derive(Default)]
pub(crate) struct PdIn(pub(super) Pd);

impl<'a, 'py> FromPyObject<'a, 'py> for PdIn {
    type Error = PyErr;

    #[cfg(feature = "stubs")]
    const INPUT_TYPE: pyo3::inspect::PyStaticExpr = pyo3::type_hint_subscript!(
        pyo3::type_hint_identifier!("builtins", "dict"),
        pyo3::type_hint_identifier!("builtins", "str"),
        pyo3::type_hint_identifier!("numpy.typing", "ArrayLike")
    );

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let dict = object.cast::<pyo3::types::PyDict>()?;
        let mut pd = Pd::default();
        for (key, value) in dict.iter() {
            let list = value.extract::<Reals>()?.to_vec();
            match key.extract::<String>()?.as_str() {
                "p" => pd.p = list,
                "d" => pd.d = list,
                "position" => pd.position = list,
                "velocity" => pd.velocity = list,
                other => {
                    return Err(error(format!(
                        "pd has the keys p, d, position and velocity, not {other:?}"
                    )));
                }
            }
        }
        Ok(Self(pd))
    }
}

/// ``True`` for what the robot's file says, or a slip velocity.
#[derive(FromPyObject)]
pub(crate) enum FrictionIn {
    File(bool),
    Slip(f64),
}

impl FrictionIn {
    pub(super) fn slip(&self) -> Option<f64> {
        match self {
            Self::File(false) => None,
            Self::File(true) => Some(Forces::FRICTION_SMOOTHING),
            Self::Slip(slip) => Some(*slip),
        }
    }
}

/// ``True`` for stops of stiffness and damping that fit the robot, or both numbers.
#[derive(FromPyObject)]
pub(crate) enum StopsIn {
    Fitting(bool),
    Numbers(f64, f64),
}

impl StopsIn {
    pub(super) fn build(&self, robot: &Model, q: &[f64]) -> PyResult<Option<JointStops>> {
        match self {
            Self::Fitting(false) => Ok(None),
            Self::Fitting(true) => call(|| JointStops::of_robot(robot, q).map(Some)),
            Self::Numbers(stiffness, damping) => {
                call(|| Ok(Some(JointStops::new(robot, *stiffness, *damping))))
            }
        }
    }
}

/// A pose (4 × 4), or a function of time that gives one, or one with velocity and acceleration (6 each).
#[derive(FromPyObject)]
pub(crate) enum BaseIn {
    Pose(PoseIn),
    Function(Py<PyAny>),
}

#[derive(FromPyObject)]
enum MotionIn {
    All(PoseIn, Vec6, Vec6),
    Pose(PoseIn),
}

/// The motion of a base as a function of the user gives it; its errors are kept.
pub(super) fn moving_base(
    function: Py<PyAny>,
    problem: Problem,
) -> impl Fn(f64) -> BaseMotion + Send + Sync + 'static {
    move |t| {
        let motion: PyResult<MotionIn> =
            Python::attach(|py| function.bind(py).call1((t,))?.extract());
        match motion {
            Ok(MotionIn::Pose(pose)) => BaseMotion::at(pose.0),
            Ok(MotionIn::All(pose, velocity, acceleration)) => {
                let mut motion = BaseMotion::at(pose.0);
                motion.velocity = kinworld::math::Motion::from_angular_first(velocity.0);
                motion.acceleration = kinworld::math::Motion::from_angular_first(acceleration.0);
                motion
            }
            Err(error) => {
                problem.keep(error);
                // refused by the library
                BaseMotion::at(Pose::translation(f64::NAN, 0.0, 0.0))
            }
        }
    }
}

/// A force of the user at every evaluation, instead of once per step.
pub(super) fn user_force(
    function: Py<PyAny>,
    problem: Problem,
) -> impl Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync + 'static {
    move |t, q, dq, tau| {
        let forces = ask::<Reals>(&function, t, [q, dq]).and_then(|forces| {
            if forces.len() == tau.len() {
                return Ok(forces);
            }
            Err(error(format!(
                "the force function gave {} numbers, expected {}",
                forces.len(),
                tau.len()
            )))
        });
        match forces {
            Ok(forces) => {
                for (tau, force) in tau.iter_mut().zip(&*forces) {
                    *tau += force;
                }
            }
            Err(error) => {
                problem.keep(error);
                tau.fill(f64::NAN);
            }
        }
    }
}
