//! A frozen world and the questions of collision: which pairs, how near, what a ray meets.

mod approach;
mod clearance;
mod collisions;
mod distance;
mod filter;
mod margins;
mod memory;
mod moved;
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
pub use self_collision::self_collisions;
pub(crate) use spheres::{Bounds, SphereChecker, Verdict};
pub use workspace::Workspace;

use self::pool::Pool;
use self::scene::Scene;
use super::{EntityId, WorldModel};
use crate::{Error, Result};

/// A world frozen for questions of collision: share it between threads and give each a [`Workspace`].
///
/// It keeps the shapes, the places of terrains and rigid objects, and the [pairs](PairFilter) that count; nothing
/// that happens to the world afterwards reaches it. Robots [move](Workspace::set_config) in a workspace, with
/// [what they hold](WorldModel::attach), and so do [rigid objects](Workspace::set_pose). A question comes in two forms: the
/// short one asks about the world as it was frozen, in a workspace [from a pool](Self::with_workspace); the one ending in
/// `_with` asks about the robots and objects of a workspace and, once that has been used, allocates nothing.
///
/// Pairs are listed once, sorted, in the order of [`klampt_ids`](WorldModel::klampt_ids). Links are judged by their
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
/// // a ball that slides along x towards a wall at 2 m
/// let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let wall = Primitive::aabb(Point::new(2.0, -1.0, -1.0), Point::new(3.0, 1.0, 1.0))?;
/// let mut builder = RobotBuilder::new("slider");
/// let mut link = LinkSpec::new("ball", None, LinkMotion::Prismatic(Vector::x()));
/// link.collision.push(Element::new(ball));
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
    home: Workspace,
    pool: Arc<Pool>,
}

impl WorldCollider {
    /// Freezes a world and [prepares](WorldModel::prepare) its shapes, so that no question builds a tree.
    ///
    /// One thing is left until somebody asks about all pairs: which of those that stand still collide, found once.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] where the filter names something that is not in the world, [`Error::Invalid`] for a margin of it
    /// that is no length, and where something is so far away that its numbers are not finite.
    pub fn new(world: &WorldModel, filter: &PairFilter) -> Result<Self> {
        let scene = Arc::new(Scene::new(world, filter)?);
        let home = Workspace::new(&scene)?;
        let pool = Arc::default();
        Ok(Self { scene, home, pool })
    }

    /// A workspace with robots and objects where they were when the world was frozen.
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        self.home.clone()
    }

    /// Everything with a shape: terrains, rigid objects, links.
    pub fn elements(&self) -> impl ExactSizeIterator<Item = EntityId> + '_ {
        let parts = self.scene.by_id.iter();
        parts.map(|&part| self.scene.parts[part as usize].entity)
    }

    /// Every pair that is tested. A world of a thousand shapes has half a million.
    pub fn pairs(&self) -> impl Iterator<Item = (EntityId, EntityId)> + '_ {
        self.scene.all_pairs().map(|pair| self.sorted(pair))
    }

    /// Whether a pair is tested, whatever its order; `false` for what has no shape.
    #[must_use]
    pub fn is_enabled(&self, a: impl Into<EntityId>, b: impl Into<EntityId>) -> bool {
        let part = |entity| self.scene.part_of(entity);
        match (part(a.into()), part(b.into())) {
            (Some(a), Some(b)) => self.scene.is_enabled(a.min(b), a.max(b)),
            _ => false,
        }
    }

    /// The elements of two parts, smaller id first.
    fn sorted(&self, pair: (usize, usize)) -> (EntityId, EntityId) {
        let (a, b) = self.entities(pair);
        (a.min(b), a.max(b))
    }

    /// The elements of two parts.
    fn entities(&self, (a, b): (usize, usize)) -> (EntityId, EntityId) {
        (self.scene.parts[a].entity, self.scene.parts[b].entity)
    }

    /// Stops where a workspace was made for another collider.
    fn assert_owns(&self, ws: &Workspace) {
        assert!(
            Arc::ptr_eq(&self.scene, &ws.scene),
            "the workspace belongs to another collider"
        );
    }

    /// The parts that an element stands for: itself, or the links of a robot without what they hold.
    fn parts_of(&self, entity: EntityId) -> Result<std::ops::Range<usize>> {
        let range = match entity {
            EntityId::Robot(id) => self.scene.robots[self.home.robot(id)?].links.clone(),
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
