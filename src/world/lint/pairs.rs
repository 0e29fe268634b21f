//! Useless and always colliding pairs of links.

use super::{Warnings, listed};
use crate::math::Pose;
use crate::robot::{LinkId, LinkMotion, Robot};
use crate::world::RobotRef;
use crate::world::collider::colliding_links;

/// Largest number of pairs to check; more would take long.
const MAX_PAIRS: usize = 100_000;

/// Checks for links that collide at the current configuration, and for pairs that need no test.
pub(super) fn pairs(robot: RobotRef<'_>, found: &mut Warnings) {
    let model = robot.model();
    let label = format!("robot `{}`", robot.name());
    let named =
        |(a, b): (LinkId, LinkId)| format!("{} – {}", model.link(a).name(), model.link(b).name());
    // missing geometry is a warning of its own
    let colliding = colliding_links(model, robot.state());
    let colliding: Vec<String> = colliding.into_iter().map(named).collect();
    if !colliding.is_empty() {
        let problem = format!("links that collide where it stands: {}", listed(&colliding));
        found.add(&label, problem, "if they always do, switch the pairs off: `noselfcollision`, or `disable_collisions` of an SRDF");
    }

    let radii: Vec<Option<f64>> = model
        .links()
        .iter()
        .map(|link| link.shape().and_then(radius))
        .collect();
    let (mut separated, mut shapeless) = (Vec::new(), Vec::new());
    for (a, b) in model.self_collision_pairs().take(MAX_PAIRS) {
        let radius = |link: LinkId| radii.get(link.index()).copied().flatten();
        match (radius(a), radius(b)) {
            (Some(ra), Some(rb)) if nearest(model, a, b) > ra + rb => separated.push(named((a, b))),
            (Some(_), Some(_)) => {}
            _ => shapeless.push(named((a, b))),
        }
    }
    if !separated.is_empty() {
        let problem = format!(
            "{} pairs that are tested can never touch: {}",
            separated.len(),
            listed(&separated)
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

/// Bounding radius of a shape about the origin of its link, m.
fn radius(shape: &crate::Geometry) -> Option<f64> {
    let around = shape.aabb(&Pose::identity())?;
    let farthest = around.min.coords.abs().sup(&around.max.coords.abs());
    Some(farthest.norm())
}

/// Lower bound on the distance between the origins of two links over all configurations, m.
///
/// The links are connected by a chain of segments of known length; folded up, its ends are at least the longest segment less
/// the sum of all others apart.
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
                // a prismatic joint counts as a segment of up to its largest travel
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
