//! Other properties from files, kept as text by key.

use std::collections::BTreeMap;

use super::{EntityId, Key, WorldModel};
use crate::Result;

impl WorldModel {
    /// Other properties from the file of this world, by key.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// Mutable access to the [properties](Self::properties).
    pub fn properties_mut(&mut self) -> &mut BTreeMap<String, String> {
        &mut self.properties
    }

    /// Other properties of a terrain, a rigid object or a robot from the file of the world, by key.
    ///
    /// Those from the robot's own file are in [`Robot::properties`](crate::Robot::properties).
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for what is not there, [`Error::Invalid`](crate::Error::Invalid)
    /// for a link, which has none.
    pub fn properties_of(&self, entity: impl Into<EntityId>) -> Result<&BTreeMap<String, String>> {
        Ok(match entity.into() {
            EntityId::Terrain(id) => &self.terrain(id)?.properties,
            EntityId::RigidObject(id) => &self.rigid_object(id)?.properties,
            EntityId::Robot(id) => &self.robots.get(Key::Id(id))?.1.properties,
            link @ EntityId::Link(..) => return Err(self.link_is_fixed(link, "given properties")?),
        })
    }

    /// Mutable access to the [properties of an element](Self::properties_of).
    ///
    /// # Errors
    ///
    /// As [`properties_of`](Self::properties_of).
    pub fn properties_of_mut(
        &mut self,
        entity: impl Into<EntityId>,
    ) -> Result<&mut BTreeMap<String, String>> {
        Ok(match entity.into() {
            EntityId::Terrain(id) => &mut self.terrains.get_mut(Key::Id(id))?.properties,
            EntityId::RigidObject(id) => &mut self.rigid_objects.get_mut(Key::Id(id))?.properties,
            EntityId::Robot(id) => &mut self.robots.get_mut(Key::Id(id))?.properties,
            link @ EntityId::Link(..) => return Err(self.link_is_fixed(link, "given properties")?),
        })
    }
}
