//! Motion and limits of joints.

use super::document::{Joint, Kind, Origin};
use super::rules::Rules;
use crate::Diagnostic;
use crate::io::report::FileReport;
use crate::math::{Pose, Rotation, Vector, so3};
use crate::robot::{JointKind, Limits, LinkMotion};

/// The motion of one degree of freedom, its limits, and the joint that owns it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Coordinate {
    pub(super) motion: LinkMotion,
    pub(super) limits: Limits,
    pub(super) kind: Option<JointKind>,
}

/// A free body: x, y, z, then rotations about z, y, x.
pub(super) const FREE: [LinkMotion; 6] = [
    LinkMotion::Prismatic(Vector::new(1.0, 0.0, 0.0)),
    LinkMotion::Prismatic(Vector::new(0.0, 1.0, 0.0)),
    LinkMotion::Prismatic(Vector::new(0.0, 0.0, 1.0)),
    LinkMotion::Revolute(Vector::new(0.0, 0.0, 1.0)),
    LinkMotion::Revolute(Vector::new(0.0, 1.0, 0.0)),
    LinkMotion::Revolute(Vector::new(1.0, 0.0, 0.0)),
];

/// The degree of freedom of a joint that has at most one.
pub(super) fn coordinate(
    joint: &Joint,
    rules: &Rules<'_>,
    report: FileReport<'_>,
) -> Result<Coordinate, Diagnostic> {
    if joint.kind == Kind::Fixed {
        return Ok(fixed(joint, rules));
    }
    let axis = axis(joint, rules, report)?;
    let (motion, kind) = match joint.kind {
        Kind::Prismatic => (LinkMotion::Prismatic(axis), JointKind::Normal),
        Kind::Continuous => (LinkMotion::Revolute(axis), JointKind::Spin),
        _ => (LinkMotion::Revolute(axis), JointKind::Normal),
    };
    Ok(Coordinate {
        motion,
        limits: limits(joint, rules, report),
        kind: Some(kind),
    })
}

/// No degree of freedom, or one fixed at zero.
///
/// Klampt keeps the `effort` of an optional `<limit>`.
fn fixed(joint: &Joint, rules: &Rules<'_>) -> Coordinate {
    if !rules.keep_fixed {
        return Coordinate {
            motion: LinkMotion::Fixed,
            limits: Limits::UNLIMITED,
            kind: None,
        };
    }
    let effort = joint.limit.as_ref().and_then(|limit| limit.effort);
    let effort = effort.filter(|_| rules.klampt.is_some());
    Coordinate {
        motion: LinkMotion::Revolute(Vector::z()),
        limits: Limits {
            q_min: 0.0,
            q_max: 0.0,
            v_min: 0.0,
            v_max: 0.0,
            a_max: 0.0,
            tau_max: effort.map_or(f64::INFINITY, f64::abs),
            ..Limits::UNLIMITED
        },
        kind: Some(JointKind::Weld),
    }
}

/// The axis; x by default.
///
/// It is normalised, as all readers of ROS do; under Klampt's rules it keeps its length, which
/// multiplies the joint position.
pub(super) fn axis(
    joint: &Joint,
    rules: &Rules<'_>,
    report: FileReport<'_>,
) -> Result<Vector, Diagnostic> {
    /// Largest relative difference that counts as rounding.
    const ROUNDING: f64 = 1e-3;
    let Some(given) = &joint.axis else {
        return Ok(Vector::x());
    };
    let subject = format!("joint `{}`", joint.name);
    let axis = Vector::from(given.value);
    let length = axis.norm();
    if !(length > 1e-9 && length.is_finite()) {
        let problem = format!("its axis has no direction (its length is {length})");
        return Err(report.error(given.position, &subject, problem));
    }
    if rules.klampt.is_some() {
        return Ok(axis);
    }
    if (length - 1.0).abs() > ROUNDING {
        let problem = format!("its axis has length {length}; made a unit vector, as ROS does");
        report.warn(given.position, &subject, problem);
    }
    Ok(axis / length)
}

/// The limits of a joint with one degree of freedom.
fn limits(joint: &Joint, rules: &Rules<'_>, report: FileReport<'_>) -> Limits {
    let subject = format!("joint `{}`", joint.name);
    let is_endless = joint.kind == Kind::Continuous;
    let mut limits = Limits {
        a_max: rules.default_a_max,
        ..Limits::UNLIMITED
    };
    let Some(given) = &joint.limit else {
        if !is_endless {
            let problem = "it has no <limit>; it gets no limits";
            report.warn(joint.position, &subject, problem);
        }
        return limits;
    };
    if !is_endless {
        if given.lower.is_none() && given.upper.is_none() {
            let problem = "<limit> has neither `lower` nor `upper`; both are 0, so it cannot move";
            report.warn(given.position, &subject, problem);
        }
        limits.q_min = given.lower.unwrap_or(0.0);
        limits.q_max = given.upper.unwrap_or(0.0);
    }
    let magnitude = |name: &str, value: Option<f64>| match value {
        None => {
            let problem = format!("<limit> has no `{name}`; it gets none");
            report.warn(given.position, &subject, problem);
            f64::INFINITY
        }
        Some(value) if value < 0.0 => {
            let problem = format!("`{name}` of <limit> is negative; its magnitude is used");
            report.warn(given.position, &subject, problem);
            -value
        }
        Some(value) => value,
    };
    limits.v_max = magnitude("velocity", given.velocity);
    limits.v_min = -limits.v_max;
    limits.tau_max = magnitude("effort", given.effort);
    if given.acceleration.is_some() {
        limits.a_max = magnitude("acceleration", given.acceleration);
    }
    limits
}

/// The limits of each degree of freedom of a planar or floating joint: infinite.
pub(super) fn free_limits(joint: &Joint) -> Limits {
    let Some(given) = &joint.limit else {
        return Limits::UNLIMITED;
    };
    let v_max = given.velocity.map_or(f64::INFINITY, f64::abs);
    Limits {
        v_min: -v_max,
        v_max,
        tau_max: given.effort.map_or(f64::INFINITY, f64::abs),
        ..Limits::UNLIMITED
    }
}

/// The pose of an `<origin>`.
pub(super) fn pose(origin: &Origin) -> Pose {
    let [x, y, z] = origin.xyz.unwrap_or_default();
    let rotation = match (origin.quat_xyzw, origin.rpy) {
        (Some(quaternion), _) => {
            so3::from_xyzw(quaternion).expect("finite and not zero: the parser has checked it")
        }
        (None, Some(rpy)) => so3::from_rpy(rpy),
        (None, None) => Rotation::identity(),
    };
    Pose::from_parts(nalgebra::Translation3::new(x, y, z), rotation)
}

/// Two directions in the plane normal to `axis`; with it they are right-handed.
///
/// Around an axis of the frame they are the next two axes in order: x and y around z.
pub(super) fn plane(axis: &Vector) -> (Vector, Vector) {
    let unit = axis.normalize();
    let next = Vector::ith((axis.iamax() + 1) % 3, 1.0);
    let first = (next - unit * unit.dot(&next)).normalize();
    (first, unit.cross(&first))
}
