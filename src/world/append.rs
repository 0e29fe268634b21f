//! Appending one world to another.

use std::collections::BTreeMap;

use super::{EntityId, RigidObjectId, RobotId, TerrainId, WorldModel};

impl WorldModel {
    /// Appends all elements of another world and returns their new handles: terrains, rigid objects, robots.
    ///
    /// Names are kept and may repeat. Attached objects stay attached. Properties of both worlds are joined, line after line.
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::world::Terrain;
    ///
    /// let mut floor = WorldModel::new();
    /// floor.add_terrain(Terrain::new("floor", None))?;
    /// let mut world = floor.clone();
    /// let added = world.append(floor);
    /// assert_eq!((added.len(), world.n_terrains()), (1, 2));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn append(&mut self, other: Self) -> Vec<EntityId> {
        let olds = (other.terrains.iter().map(|(id, _)| EntityId::from(id)))
            .chain(other.rigid_objects.iter().map(|(id, _)| id.into()))
            .chain(other.robots.iter().map(|(id, _)| id.into()));
        let olds: Vec<EntityId> = olds.collect();
        let mut added = Vec::new();
        for terrain in other.terrains.into_rows() {
            let id: TerrainId = self.next_handle();
            self.terrains.push(id, terrain);
            added.push(id.into());
        }
        for object in other.rigid_objects.into_rows() {
            let id: RigidObjectId = self.next_handle();
            self.rigid_objects.push(id, object);
            added.push(id.into());
        }
        for robot in other.robots.into_rows() {
            let id: RobotId = self.next_handle();
            self.robots.push(id, robot);
            added.push(id.into());
        }
        let new: BTreeMap<_, _> = olds.into_iter().zip(added.iter().copied()).collect();
        self.adopt_attachments(other.attachments, &new);
        self.adopt_ignored(other.ignored.into_iter(), &new);
        for (key, value) in other.properties {
            let joined = self.properties.entry(key).or_default();
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.push_str(&value);
        }
        added
    }
}
