//! Motions within limits along paths.

mod cartesian;
mod limits;
mod path;
mod several;
mod space;
mod trajectory;

use kinworld::planning::{PathDynamics, TimeParameterization};
use pyo3::prelude::*;

use crate::convert::{LinkKey, Vec3};
use crate::error::call;
use crate::inertia::Inertia;
use crate::robot::Robot;

pub(crate) use cartesian::CartesianPath;
pub(crate) use limits::MotionLimits;
pub(crate) use path::GeometricPath;
pub(crate) use several::{JointMotion, PrioritizedPlan};
pub(crate) use trajectory::SmoothTrajectory;

/// The dynamics of a robot where one is given, with friction or without, and with a body on a link.
fn dynamics<'a>(
    robot: Option<&'a Bound<'_, Robot>>,
    gravity: Vec3,
    friction: bool,
    payload: Option<(LinkKey, PyRef<'_, Inertia>)>,
) -> PyResult<Option<PathDynamics<'a>>> {
    let Some(robot) = robot else {
        return Ok(None);
    };
    let model = &robot.get().model;
    let mut dynamics = PathDynamics::new(model, gravity.vector());
    if !friction {
        dynamics = dynamics.without_friction();
    }
    if let Some((link, inertia)) = payload {
        let link = link.of(model)?;
        dynamics = call(|| dynamics.with_payload(link, &inertia.0))?;
    }
    Ok(Some(dynamics))
}

/// The time parameterization within limits, of torque with the dynamics of a robot.
fn within<'a>(
    limits: &'a kinworld::planning::MotionLimits,
    dynamics: Option<&'a PathDynamics<'a>>,
) -> TimeParameterization<'a> {
    let time = TimeParameterization::new(limits);
    match dynamics {
        Some(dynamics) => time.with_dynamics(dynamics),
        None => time,
    }
}
