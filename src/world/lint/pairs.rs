//! Whether the pairs of links that are tested are worth it.

use super::{Findings, listed};
use crate::math::Pose;
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::world::RobotRef;

/// Pairs that are looked at; more would take long.
const MOST: usize = 100_000;

/// Remarks on links that collide at the start, and on pairs that need no test.
pub(super) fn pairs(robot: RobotRef<'_>, found: &mut Findings) {
    let model = robot.model();
    let label = format!("robot `{}`", robot.name());
    let named =
        |(a, b): (LinkId, LinkId)| format!("{} – {}", model.link(a).name(), model.link(b).name());
    let colliding: Vec<String> = robot.self_collisions().into_iter().map(named).collect();
    if !colliding.is_empty() {
        let problem = format!("links that collide where it stands: {}", listed(&colliding));
        found.add(&label, problem, "if they always do, switch the pairs off: `noselfcollision`, or `disable_collisions` of an SRDF");
    }

    let radii: Vec<Option<f64>> = model
        .links()
        .iter()
        .map(|link| link.shape().and_then(radius))
        .collect();
    let (mut apart, mut shapeless) = (Vec::new(), Vec::new());
    for (a, b) in model.self_collision_pairs().take(MOST) {
        let radius = |link: LinkId| radii.get(link.index()).copied().flatten();
        match (radius(a), radius(b)) {
            (Some(ra), Some(rb)) if nearest(model, a, b) > ra + rb => apart.push(named((a, b))),
            (Some(_), Some(_)) => {}
            _ => shapeless.push(named((a, b))),
        }
    }
    if !apart.is_empty() {
        let problem = format!(
            "{} pairs that are tested can never touch: {}",
            apart.len(),
            listed(&apart)
        );
        found.add(
            &label,
            problem,
            "switching them off makes every collision test faster",
        );
    }
    if !shapeless.is_empty() {
        let problem = format!(
            "pairs that are to be tested, of links without a shape: {}",
            listed(&shapeless)
        );
        found.add(&label, problem, "were the meshes found?");
    }
}

/// How far a shape reaches from the origin of its link.
fn radius(shape: &crate::Geometry) -> Option<f64> {
    let around = shape.aabb(&Pose::identity())?;
    let farthest = around.min.coords.abs().sup(&around.max.coords.abs());
    Some(farthest.norm())
}

/// A distance that the origins of two links never fall below, whatever the configuration.
///
/// From one to the other leads a chain of stretches of known length: it folds up to no less than the longest of them
/// without all others.
fn nearest(model: &Robot, a: LinkId, b: LinkId) -> f64 {
    let meet = model.lowest_common_ancestor(a, b);
    let (mut longest, mut sum) = (0.0_f64, 0.0);
    for end in [a, b] {
        let mut next = Some(end);
        while let Some(link) = next.filter(|link| Some(*link) != meet) {
            let part = model.link(link);
            let mut length = part.placement().translation.vector.norm();
            if let LinkMotion::Prismatic(axis) = part.motion() {
                let limits = part.dof().and_then(|dof| model.limits().get(dof.index()));
                let farthest = limits.map_or(f64::INFINITY, |l| l.q_min.abs().max(l.q_max.abs()));
                // what slides may fold any stretch
                sum += axis.norm() * farthest;
            }
            if length.is_nan() {
                length = 0.0;
            }
            longest = longest.max(length);
            sum += length;
            next = part.parent();
        }
    }
    let folded = longest - (sum - longest);
    if folded.is_finite() {
        folded.max(0.0)
    } else {
        0.0
    }
}
