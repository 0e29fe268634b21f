//! Name, shape and pose of the element of an [`EntityId`].

use super::{EntityId, Key, RigidObjectId, TerrainId, WorldModel};
use crate::geometry::{Geometry, Placed};
use crate::math::Pose;
use crate::{Error, Result};

impl WorldModel {
    /// Name of an element; of a link, `robot[link]` as in Klampt.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for what is not in the world.
    pub fn name(&self, entity: impl Into<EntityId>) -> Result<String> {
        Ok(match entity.into() {
            EntityId::Terrain(id) => self.terrain(id)?.name.clone(),
            EntityId::RigidObject(id) => self.rigid_object(id)?.name.clone(),
            EntityId::Robot(id) => self.robot(id)?.name().to_owned(),
            EntityId::Link(id, link) => {
                let robot = self.robot(id)?;
                format!("{}[{}]", robot.name(), robot.link(link)?.name())
            }
        })
    }

    /// Looks up an element by name: a terrain, a rigid object, a robot, or a link as `robot[link]`.
    ///
    /// Names may repeat; the first in the order of [`klampt_ids`](Self::klampt_ids) counts.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names of terrains, rigid objects and robots.
    pub fn entity(&self, name: &str) -> Result<EntityId> {
        let terrain = |(id, t): (TerrainId, &super::Terrain)| (t.name == name).then(|| id.into());
        let object =
            |(id, o): (RigidObjectId, &super::RigidObject)| (o.name == name).then(|| id.into());
        let robot_or_link = |robot: super::RobotRef<'_>| {
            let rest = name.strip_prefix(robot.name())?;
            if rest.is_empty() {
                return Some(robot.id().into());
            }
            let link = rest.strip_prefix('[')?.strip_suffix(']')?;
            let link = robot.model().link_id(link).ok()?;
            Some(EntityId::Link(robot.id(), link))
        };
        (self.terrains().find_map(terrain))
            .or_else(|| self.rigid_objects().find_map(object))
            .or_else(|| self.robots().find_map(robot_or_link))
            .ok_or_else(|| {
                let terrains = self.terrains().map(|(_, t)| t.name.as_str());
                let objects = self.rigid_objects().map(|(_, o)| o.name.as_str());
                let robots = self.robots().map(|robot| robot.name());
                Error::not_found("element", name, terrains.chain(objects).chain(robots))
            })
    }

    /// Handle of a terrain, by index or name.
    ///
    /// # Errors
    ///
    /// As [`terrain`](Self::terrain).
    pub fn terrain_id<'k>(&self, key: impl Into<Key<'k, TerrainId>>) -> Result<TerrainId> {
        Ok(self.terrains.get(key.into())?.0)
    }

    /// Handle of a rigid object, by index or name.
    ///
    /// # Errors
    ///
    /// As [`rigid_object`](Self::rigid_object).
    pub fn rigid_object_id<'k>(
        &self,
        key: impl Into<Key<'k, RigidObjectId>>,
    ) -> Result<RigidObjectId> {
        Ok(self.rigid_objects.get(key.into())?.0)
    }

    /// World pose of a terrain (always the identity), a rigid object or a link; `None` for a robot, which has none, and for
    /// an element that is not in the world.
    #[must_use]
    pub fn pose(&self, entity: impl Into<EntityId>) -> Option<Pose> {
        match entity.into() {
            EntityId::Terrain(id) => self.terrain(id).ok().map(|_| Pose::identity()),
            EntityId::RigidObject(id) => self.rigid_object(id).ok().map(|object| object.pose),
            EntityId::Robot(_) => None,
            EntityId::Link(id, link) => Some(self.robot(id).ok()?.link(link).ok()?.pose()),
        }
    }

    /// Collision geometry of a terrain, a rigid object or a link at its current pose; `None` where there is none.
    #[must_use]
    pub fn geometry(&self, entity: impl Into<EntityId>) -> Option<Placed> {
        let entity = entity.into();
        let geometry = self.shape(entity)?.clone();
        Some(Placed::new(geometry, self.pose(entity)?))
    }

    /// Collision geometry in its own frame.
    pub(super) fn shape(&self, entity: EntityId) -> Option<&Geometry> {
        match entity {
            EntityId::Terrain(id) => self.terrain(id).ok()?.geometry.as_ref(),
            EntityId::RigidObject(id) => self.rigid_object(id).ok()?.geometry.as_ref(),
            EntityId::Robot(_) => None,
            EntityId::Link(id, link) => {
                let (_, row) = self.robots.get(Key::Id(id)).ok()?;
                row.robot.links().get(link.index())?.shape()
            }
        }
    }
}
