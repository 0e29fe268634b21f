//! Arguments that robots, tables and limbs are built from.

use kinworld::Pose;
use kinworld::robot::Limits;
use pyo3::prelude::*;

use crate::convert::PoseIn;
use crate::error::error;

/// Limits of a joint, unlimited where not given.
pub(crate) fn limits_of(
    position: Option<[f64; 2]>,
    velocity: Option<f64>,
    acceleration: Option<f64>,
    torque: Option<f64>,
) -> Limits {
    let mut limits = position.map_or_else(Limits::default, |[lower, upper]| {
        Limits::position(lower, upper)
    });
    if let Some(velocity) = velocity {
        limits = limits.with_velocity(velocity);
    }
    if let Some(acceleration) = acceleration {
        limits = limits.with_acceleration(acceleration);
    }
    if let Some(torque) = torque {
        limits = limits.with_torque(torque);
    }
    limits
}

/// The kind of a joint by its name.
pub(crate) fn joint_kind(name: &str) -> PyResult<kinworld::robot::JointKind> {
    use kinworld::robot::JointKind as Kind;
    [
        Kind::Weld,
        Kind::Normal,
        Kind::Spin,
        Kind::Floating,
        Kind::FloatingPlanar,
        Kind::BallAndSocket,
        Kind::Closed,
    ]
    .into_iter()
    .find(|kind| kind.name() == name)
    .ok_or_else(|| {
        error(format!(
            "unknown joint {name:?}; expected weld, normal, spin, floating, floatingplanar, ballandsocket or closed"
        ))
    })
}

/// A pose, or none.
pub(crate) fn pose_or_identity(pose: Option<PoseIn>) -> Pose {
    pose.map_or_else(Pose::identity, |pose| pose.0)
}
