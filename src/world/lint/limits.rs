//! Plausibility of joint limits.

use std::f64::consts::TAU;

use super::{Warnings, listed};
use crate::math::Digits;
use crate::robot::{JointKind, LinkMotion};
use crate::world::RobotRef;

/// Largest plausible number of revolutions of a joint.
const MAX_TURNS: f64 = 10.0;

/// Checks the limits of every dof.
pub(super) fn limits(robot: RobotRef<'_>, found: &mut Warnings) {
    let model = robot.model();
    let label = format!("robot `{}`", robot.name());
    let (mut stuck, mut still, mut degrees, mut outside) = (vec![], vec![], vec![], vec![]);
    let dofs = model
        .dofs()
        .iter()
        .zip(model.limits())
        .zip(model.initial_config());
    for ((&link, limits), &q) in dofs {
        let is_weld = model
            .joint_of(link)
            .is_none_or(|joint| joint.kind == JointKind::Weld);
        if is_weld {
            continue;
        }
        let name = model.link(link).name().to_owned();
        let is_revolute = matches!(model.link(link).motion(), LinkMotion::Revolute(_));
        let widest = limits.q_min.abs().max(limits.q_max.abs());
        if limits.q_min >= limits.q_max {
            stuck.push(name.clone());
        } else if is_revolute && widest.is_finite() && widest > MAX_TURNS * TAU {
            degrees.push(name.clone());
        }
        if limits.v_max <= 0.0 {
            still.push(name.clone());
        }
        // a hair outside is a rounded number
        const TOLERANCE: f64 = 1e-4;
        if limits.q_min <= limits.q_max
            && (q < limits.q_min - TOLERANCE || q > limits.q_max + TOLERANCE)
        {
            outside.push(format!(
                "{name} ({} is not in {} … {})",
                Digits(q),
                Digits(limits.q_min),
                Digits(limits.q_max)
            ));
        }
    }
    for (names, problem, help) in [
        (
            stuck,
            "dofs that cannot move, since their lower limit is not below the upper",
            "a joint without motion is a fixed one",
        ),
        (
            degrees,
            "angles with limits of more than ten revolutions",
            "are they degrees? limits are in radians",
        ),
        (
            still,
            "dofs that cannot move, since their velocity limit is 0",
            "leave the limit out, or give the real one",
        ),
        (
            outside,
            "dofs that start outside of their limits",
            "planners refuse a start like that; set another configuration",
        ),
    ] {
        if !names.is_empty() {
            found.add(&label, format!("{problem}: {}", listed(&names)), help);
        }
    }
}
