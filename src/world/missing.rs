//! Elements that lack collision geometry that they should have.

use super::{EntityId, PairFilter, WorldModel};
use crate::MissingGeometry;
use crate::geometry::Geometry;
use crate::math::Pose;
use crate::robot::LinkId;

impl WorldModel {
    /// The elements that lack collision geometry that they should have, and why; a robot stands for its links where none of
    /// them has any geometry.
    ///
    /// [`WorldCollider::new`](super::WorldCollider::new) refuses a world in which they could hide a collision, unless the
    /// [filter](PairFilter::allow_missing_geometry) accepts it.
    #[must_use]
    pub fn missing_geometry(&self) -> Vec<(EntityId, MissingGeometry)> {
        let terrains = self.terrains().filter_map(|(id, terrain)| {
            let why = lack(terrain.missing_geometry, terrain.geometry.as_ref())?;
            Some((EntityId::from(id), why))
        });
        let objects = self.rigid_objects().filter_map(|(id, object)| {
            let why = lack(object.missing_geometry, object.geometry.as_ref())?;
            Some((EntityId::from(id), why))
        });
        let mut missing: Vec<_> = terrains.chain(objects).collect();
        for robot in self.robots() {
            for (link, why) in robot.model().missing_geometry() {
                if why == MissingGeometry::NoShapes {
                    missing.push((robot.id().into(), why));
                    break;
                }
                missing.push((EntityId::Link(robot.id(), link), why));
            }
        }
        missing
    }

    /// The elements without geometry that could hide a collision of a pair that a filter leaves in and of which one `counts`.
    pub(super) fn hidden_by(
        &self,
        filter: &PairFilter,
        counts: &dyn Fn(EntityId) -> bool,
    ) -> Vec<(EntityId, MissingGeometry)> {
        let mut missing = self.missing_geometry();
        if missing.is_empty() {
            return missing;
        }
        // what can collide: all that has a shape, and all that should have one
        let mut bodies: Vec<EntityId> = self.shaped().collect();
        for (entity, _) in &missing {
            bodies.extend(self.bodies_of(*entity));
        }
        missing.retain(|(entity, _)| {
            self.bodies_of(*entity).into_iter().any(|a| {
                let is_pair = |b: EntityId| (counts(a) || counts(b)) && self.is_pair(filter, a, b);
                bodies.iter().any(|&b| is_pair(b))
            })
        });
        missing
    }

    /// An element itself, or the links of a robot.
    fn bodies_of(&self, entity: EntityId) -> Vec<EntityId> {
        match (entity, self.robot_of(entity)) {
            (EntityId::Robot(id), Some(robot)) => {
                let links = 0..robot.links().len();
                links.map(|i| EntityId::Link(id, LinkId::new(i))).collect()
            }
            _ => vec![entity],
        }
    }

    /// The elements with a shape.
    fn shaped(&self) -> impl Iterator<Item = EntityId> + '_ {
        let terrains = self.terrains().map(|(id, _)| EntityId::from(id));
        let objects = self.rigid_objects().map(|(id, _)| EntityId::from(id));
        let links = self.robots().flat_map(|robot| {
            let id = robot.id();
            let links = 0..robot.model().links().len();
            links.map(move |i| EntityId::Link(id, LinkId::new(i)))
        });
        let all = terrains.chain(objects).chain(links);
        all.filter(|&entity| self.shape(entity).is_some())
    }

    /// Returns whether a pair is tested once both have a shape.
    fn is_pair(&self, filter: &PairFilter, a: EntityId, b: EntityId) -> bool {
        let touches = |a: EntityId, b: EntityId| match a {
            EntityId::RigidObject(id) => {
                (self.attachment(id)).is_some_and(|held| held.may_touch(b))
            }
            _ => false,
        };
        let is_wanted = match (a, b) {
            (EntityId::Terrain(_), EntityId::Terrain(_)) => false,
            (EntityId::Link(r, i), EntityId::Link(s, j)) if r == s => self
                .robot_of(a)
                .is_some_and(|robot| robot.self_collision_wanted(i, j)),
            _ => a != b && !touches(a, b) && !touches(b, a),
        };
        is_wanted && !filter.ignores(a, b)
    }

    fn robot_of(&self, entity: EntityId) -> Option<&crate::Robot> {
        let robot = self.robot(entity.robot()?).ok()?;
        Some(robot.row.robot.as_ref())
    }
}

/// What an element with this shape lacks.
fn lack(known: Option<MissingGeometry>, shape: Option<&Geometry>) -> Option<MissingGeometry> {
    let is_empty = || shape.is_some_and(|shape| shape.aabb(&Pose::identity()).is_none());
    known.or_else(|| is_empty().then_some(MissingGeometry::Empty))
}
