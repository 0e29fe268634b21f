//! Pairs that a world never tests for collision.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::{EntityId, PairFilter, WorldModel};
use crate::Result;

impl WorldModel {
    /// Switches a pair off for every [`WorldCollider`](super::WorldCollider) of this world, in either order: what a file says
    /// once for all, such as the masks of MJCF.
    ///
    /// A robot stands for all its links, twice the same robot for its self pairs. The pairs of one query are those of its
    /// [`PairFilter`]. Worlds are saved without them, which a warning says.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for an element that is not in the world.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::world::{PairFilter, RigidObject, Terrain, WorldCollider};
    /// use kinworld::geometry::Primitive;
    /// use kinworld::Point;
    ///
    /// let mut world = WorldModel::new();
    /// let ball = Primitive::sphere(Point::origin(), 0.1)?;
    /// let floor = world.add_terrain(Terrain::new("floor", Some(ball.clone().into())))?;
    /// let crate_ = world.add_rigid_object(RigidObject {
    ///     geometry: Some(ball.into()),
    ///     ..RigidObject::new("crate")
    /// })?;
    /// world.ignore_pair(floor, crate_)?;
    /// let collider = WorldCollider::new(&world, &PairFilter::default())?;
    /// assert!(!collider.is_enabled(floor, crate_));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn ignore_pair(&mut self, a: impl Into<EntityId>, b: impl Into<EntityId>) -> Result<()> {
        let (a, b) = (a.into(), b.into());
        self.name(a)?;
        self.name(b)?;
        self.ignored.insert((a.min(b), a.max(b)));
        Ok(())
    }

    /// Pairs that are [switched off](Self::ignore_pair), smaller id first, sorted; those of elements that were removed are
    /// left out.
    pub fn ignored_pairs(&self) -> impl Iterator<Item = (EntityId, EntityId)> + '_ {
        let pairs = self.ignored.iter().copied();
        pairs.filter(|(a, b)| self.has(*a) && self.has(*b))
    }

    /// A filter with the pairs of this world as well.
    pub(super) fn filter_with_ignored<'f>(&self, filter: &'f PairFilter) -> Cow<'f, PairFilter> {
        if self.ignored.is_empty() {
            return Cow::Borrowed(filter);
        }
        let pairs = self.ignored_pairs();
        Cow::Owned(pairs.fold(filter.clone(), |filter, (a, b)| filter.ignore_pair(a, b)))
    }

    fn has(&self, entity: EntityId) -> bool {
        match entity {
            EntityId::Terrain(id) => self.terrain(id).is_ok(),
            EntityId::RigidObject(id) => self.rigid_object(id).is_ok(),
            EntityId::Robot(id) => self.robot(id).is_ok(),
            EntityId::Link(id, link) => {
                let robot = self.robot(id);
                robot.is_ok_and(|robot| link.index() < robot.model().links().len())
            }
        }
    }

    /// Adopts the pairs of an appended world under the new handles.
    pub(super) fn adopt_ignored(
        &mut self,
        pairs: impl Iterator<Item = (EntityId, EntityId)>,
        new: &BTreeMap<EntityId, EntityId>,
    ) {
        let renamed = |entity: EntityId| match entity {
            EntityId::Link(robot, link) => match new.get(&EntityId::Robot(robot))? {
                EntityId::Robot(robot) => Some(EntityId::Link(*robot, link)),
                _ => None,
            },
            other => new.get(&other).copied(),
        };
        for (a, b) in pairs {
            if let (Some(a), Some(b)) = (renamed(a), renamed(b)) {
                self.ignored.insert((a.min(b), a.max(b)));
            }
        }
    }
}
