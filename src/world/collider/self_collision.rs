//! Self-collisions of a robot without a world.

use super::scene::world_bounds;
use super::sweep::sweep;
use crate::geometry::query;
use crate::kinematics::State;
use crate::math::Pose;
use crate::robot::{LinkId, Robot};

/// Colliding pairs among the enabled link pairs of a robot, smaller id first, sorted.
///
/// For a single state; to check many configurations, freeze a [`WorldCollider`](super::WorldCollider).
///
/// # Panics
///
/// If the state belongs to another robot.
#[must_use]
pub fn self_collisions(robot: &Robot, state: &State) -> Vec<(LinkId, LinkId)> {
    let mut links = Vec::new();
    let mut boxes = Vec::new();
    for (index, link) in robot.links().iter().enumerate() {
        let Some(shape) = link.shape() else { continue };
        let id = LinkId::new(index);
        let pose = state.pose(robot, id);
        let bounds = shape.aabb(&Pose::identity());
        if let Some(bounds) = bounds.and_then(|bounds| world_bounds(&bounds, &pose)) {
            links.push((id, shape, pose));
            boxes.push(bounds);
        }
    }
    let mut pairs = Vec::new();
    sweep(&boxes, &mut Vec::new(), |a, b| {
        let ((i, shape_a, pose_a), (j, shape_b, pose_b)) = (&links[a], &links[b]);
        if robot.self_collision_enabled(*i, *j)
            && query::collides_at((shape_a, pose_a), (shape_b, pose_b))
        {
            pairs.push((*i, *j));
        }
    });
    pairs.sort_unstable();
    pairs
}
