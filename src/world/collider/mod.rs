//! Collision queries on a frozen world: colliding pairs, distances, ray casts.

mod approach;
mod clearance;
mod collisions;
mod distance;
mod filter;
mod margins;
mod memory;
mod moved;
mod moved_pairs;
mod nearest;
mod pool;
mod ray;
mod scan;
mod scene;
mod self_collision;
mod spheres;
mod sweep;
mod tree;
mod workspace;

use std::sync::Arc;

pub use distance::WorldDistance;
pub use filter::PairFilter;
pub use ray::WorldRayHit;
pub(crate) use self_collision::colliding_links;
pub use self_collision::{SelfCollisionOptions, self_collisions, self_collisions_with};
pub(crate) use spheres::{Bounds, SphereChecker, Unresolved, Verdict};
pub use workspace::Workspace;

use self::pool::Pool;
use self::scene::Scene;
use super::{EntityId, WorldModel};
use crate::{Error, MissingGeometry, Result};

/// Immutable snapshot of a world for collision queries; threads share it, each with its own [`Workspace`].
///
/// It keeps the shapes, the poses of terrains and rigid objects, and the [enabled pairs](PairFilter); later changes of the
/// world do not affect it. Robots [move](Workspace::set_config) in a workspace, with their
/// [attached objects](WorldModel::attach), and so do [rigid objects](Workspace::set_pose). Each query has two forms: the
/// plain one is about the world as it was frozen, in a workspace [from a pool](Self::with_workspace); the one ending in
/// `_with` is about the robots and objects of a workspace and, after its first use, allocates nothing.
///
/// Pairs are listed once, sorted, in the order of [`klampt_ids`](WorldModel::klampt_ids). Links are tested with their
/// collision geometry.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive};
/// use kinworld::math::{Point, Vector};
/// use kinworld::robot::{Element, LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::world::{PairFilter, Terrain, WorldCollider, WorldModel};
///
/// // a sphere on a prismatic joint along x, and a wall at 2 m
/// let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let wall = Primitive::aabb(Point::new(2.0, -1.0, -1.0), Point::new(3.0, 1.0, 1.0))?;
/// let mut builder = RobotBuilder::new("slider");
/// let mut link = LinkSpec::new("carriage", None, LinkMotion::Prismatic(Vector::x()));
/// link.collision.push(Element::new(sphere));
/// builder.add_link(link);
///
/// let mut world = WorldModel::new();
/// let slider = world.add_robot(builder.build()?);
/// let wall = world.add_terrain(Terrain::new("wall", Some(wall.into())))?;
///
/// let collider = WorldCollider::new(&world, &PairFilter::default())?;
/// assert_eq!(collider.distance(slider, wall)?.distance, 1.5);
///
/// let mut ws = collider.workspace();
/// ws.set_config(slider, &[1.75])?;
/// assert!(collider.first_collision_with(&mut ws).is_some());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct WorldCollider {
    scene: Arc<Scene>,
    initial: Workspace,
    pool: Arc<Pool>,
    missing: Arc<[(EntityId, MissingGeometry)]>,
}

impl WorldCollider {
    /// Freezes a world and [prepares](WorldModel::prepare) its shapes, so that no query has to build a tree.
    ///
    /// Collisions among static elements are computed by the first query about all pairs, once.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] where the filter names something that is not in the world; [`Error::Invalid`] for a margin that is
    /// negative or not finite, and for an element whose bounding box is not finite; [`Error::MissingGeometry`] for elements
    /// that should have collision geometry and do not, where that could hide a collision of a pair that counts.
    pub fn new(world: &WorldModel, filter: &PairFilter) -> Result<Self> {
        Self::of_bodies(world, filter, &|_| true)
    }

    /// [`new`](Self::new) for queries of pairs of which one `counts`: geometry that other pairs lack is no error.
    pub(crate) fn of_bodies(
        world: &WorldModel,
        filter: &PairFilter,
        counts: &dyn Fn(EntityId) -> bool,
    ) -> Result<Self> {
        filter.check(world)?;
        let filter = world.filter_with_ignored(filter);
        let missing = world.hidden_by(&filter, counts);
        if !missing.is_empty() && !filter.allows_missing_geometry() {
            let named = missing.iter().map(|&(id, why)| Ok((world.name(id)?, why)));
            return Err(Error::missing_geometry(named.collect::<Result<_>>()?));
        }
        let scene = Arc::new(Scene::new(world, &filter)?);
        let initial = Workspace::new(&scene)?;
        let pool = Arc::default();
        Ok(Self {
            scene,
            initial,
            pool,
            missing: missing.into(),
        })
    }

    /// Elements that should have collision geometry and do not, where that could hide a collision: empty unless the filter
    /// [accepts](PairFilter::allow_missing_geometry) it.
    #[must_use]
    pub fn missing_geometry(&self) -> &[(EntityId, MissingGeometry)] {
        &self.missing
    }

    /// A new workspace with robots and objects at the poses of the frozen world.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        self.initial.clone()
    }

    /// All elements with collision geometry: terrains, rigid objects, links.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = EntityId> + '_ {
        let parts = self.scene.by_id.iter();
        parts.map(|&part| self.scene.parts[part as usize].entity)
    }

    /// All enabled pairs. A world of a thousand shapes has half a million.
    pub fn pairs(&self) -> impl Iterator<Item = (EntityId, EntityId)> + '_ {
        self.scene.all_pairs().map(|pair| self.sorted(pair))
    }

    /// Returns whether a pair is enabled, in either order; `false` without collision geometry.
    #[must_use]
    pub fn is_enabled(&self, a: impl Into<EntityId>, b: impl Into<EntityId>) -> bool {
        let part = |entity| self.scene.part_of(entity);
        match (part(a.into()), part(b.into())) {
            (Some(a), Some(b)) => self.scene.is_enabled(a.min(b), a.max(b)),
            _ => false,
        }
    }

    /// The margin of a pair, m; `None` where it is not enabled.
    pub(crate) fn margin(&self, a: EntityId, b: EntityId) -> Option<f64> {
        let [a, b] = [a, b].map(|entity| self.scene.part_of(entity));
        let (a, b) = a.zip(b)?;
        let pair = (a.min(b), a.max(b));
        let is_enabled = self.scene.is_enabled(pair.0, pair.1);
        is_enabled.then(|| self.scene.margins.of(pair))
    }

    /// The elements of two parts, smaller id first.
    fn sorted(&self, pair: (usize, usize)) -> (EntityId, EntityId) {
        let (a, b) = self.entities(pair);
        (a.min(b), a.max(b))
    }

    /// The elements of two parts.
    #[inline]
    fn entities(&self, (a, b): (usize, usize)) -> (EntityId, EntityId) {
        (self.scene.parts[a].entity, self.scene.parts[b].entity)
    }

    /// Refuses a workspace that was made for another collider.
    #[inline]
    fn check_owns(&self, ws: &Workspace) -> Result<()> {
        if Arc::ptr_eq(&self.scene, &ws.scene) {
            return Ok(());
        }
        Err(self.foreign(ws))
    }

    /// Panics where a workspace was made for another collider.
    fn assert_owns(&self, ws: &Workspace) {
        if !Arc::ptr_eq(&self.scene, &ws.scene) {
            panic!("{}", self.foreign(ws));
        }
    }

    #[cold]
    fn foreign(&self, ws: &Workspace) -> Error {
        let problem = format!(
            "belongs to another collider, {}: take one from `workspace` of this one, {}",
            names(&ws.scene),
            names(&self.scene)
        );
        Error::invalid("workspace", problem)
    }

    /// The parts of an element: itself, or the links of a robot without attached objects.
    fn parts_of(&self, entity: EntityId) -> Result<std::ops::Range<usize>> {
        let range = match entity {
            EntityId::Robot(id) => self.scene.robots[self.initial.robot(id)?].links.clone(),
            _ => self
                .scene
                .part_of(entity)
                .map_or(0..0, |part| part..part + 1),
        };
        if range.is_empty() {
            return Err(Error::invalid(
                entity.to_string(),
                "has no collision geometry here",
            ));
        }
        Ok(range)
    }
}

/// The robots of a scene by name, for messages.
fn names(scene: &Scene) -> String {
    let names: Vec<String> = scene
        .robots
        .iter()
        .map(|r| format!("`{}`", r.robot.name()))
        .collect();
    match names.as_slice() {
        [] => "without robots".to_owned(),
        names => format!("of {}", names.join(", ")),
    }
}
