//! Self-collisions of a robot without a world.

use super::scene::world_bounds;
use super::sweep::sweep;
use crate::geometry::query;
use crate::kinematics::State;
use crate::math::Pose;
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Colliding pairs among the enabled link pairs of a robot, smaller id first, sorted.
///
/// For a single state; to check many configurations, freeze a [`WorldCollider`](super::WorldCollider).
///
/// # Errors
///
/// [`Error::MissingGeometry`](crate::Error::MissingGeometry) where links lack geometry that they should have;
/// [`self_collisions_with`] accepts that.
///
/// # Panics
///
/// If the state belongs to another robot.
pub fn self_collisions(robot: &Robot, state: &State) -> Result<Vec<(LinkId, LinkId)>> {
    self_collisions_with(robot, state, SelfCollisionOptions::default())
}

/// What a query of [self-collisions](self_collisions_with) accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct SelfCollisionOptions {
    /// Accepts links without collision geometry that they should have: they collide with nothing. False by default.
    pub allow_missing_geometry: bool,
}

impl SelfCollisionOptions {
    /// The same options with another [`allow_missing_geometry`](Self::allow_missing_geometry).
    #[must_use]
    pub fn with_allow_missing_geometry(mut self, allow: bool) -> Self {
        self.allow_missing_geometry = allow;
        self
    }
}

/// As [`self_collisions`], with options.
///
/// # Errors
///
/// As [`self_collisions`], unless missing geometry is accepted.
///
/// # Panics
///
/// If the state belongs to another robot.
///
/// # Examples
///
/// ```
/// use kinworld::world::{SelfCollisionOptions, self_collisions, self_collisions_with};
/// use kinworld::io::{LoadOptions, Loader};
/// use kinworld::{Error, State};
///
/// // its meshes are not loaded
/// let options = LoadOptions::default().with_load_geometry(false);
/// let arm = Loader::with_options(options).robot("data/robots/arm6.urdf")?.value;
/// let state = State::new(&arm);
/// let refused = self_collisions(&arm, &state);
/// assert!(matches!(refused, Err(Error::MissingGeometry { .. })));
/// let accepting = SelfCollisionOptions::default().with_allow_missing_geometry(true);
/// assert_eq!(self_collisions_with(&arm, &state, accepting)?, []);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn self_collisions_with(
    robot: &Robot,
    state: &State,
    options: SelfCollisionOptions,
) -> Result<Vec<(LinkId, LinkId)>> {
    let missing = robot.missing_geometry();
    if !missing.is_empty() && !options.allow_missing_geometry {
        let named = missing
            .into_iter()
            .map(|(link, why)| (robot.link(link).name().to_owned(), why));
        return Err(Error::missing_geometry(named.collect()));
    }
    Ok(colliding_links(robot, state))
}

/// Colliding pairs among the enabled pairs of links with geometry.
pub(crate) fn colliding_links(robot: &Robot, state: &State) -> Vec<(LinkId, LinkId)> {
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
