//! Worlds of robots, rigid objects and terrains, and collision queries on them. Layer 4.
//!
//! A [`WorldModel`] owns configurations and poses; robots and shapes are shared, so a clone is cheap and independent of the
//! original. Elements are looked up by name, by index or by stable handle; [`RobotRef`], [`RobotMut`] and [`LinkRef`] are
//! views with the kinematics and dynamics of a robot as methods. Files are read in [`io`](crate::io).
//!
//! ```
//! use kinworld::WorldModel;
//! use kinworld::math::{Point, Vector};
//! use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
//!
//! let mut builder = RobotBuilder::new("door");
//! builder.add_link(LinkSpec::new("leaf", None, LinkMotion::Revolute(Vector::z())));
//!
//! let mut world = WorldModel::new();
//! let door = world.add_robot(builder.build()?);
//! world.robot_mut("door")?.set_config(&[std::f64::consts::FRAC_PI_2])?;
//!
//! let handle = world.robot(door)?.link("leaf")?.world_position(&Point::new(0.9, 0.0, 1.0));
//! assert!((handle - Point::new(0.0, 0.9, 1.0)).norm() < 1e-15);
//! # Ok::<(), kinworld::Error>(())
//! ```

mod append;
mod attachment;
mod collider;
mod entity;
mod hulls;
mod id;
mod ignored;
mod klampt_ids;
mod link_ref;
mod lint;
mod missing;
mod names;
mod placed;
mod poses;
mod prepare;
mod properties;
mod robot_dynamics;
mod robot_mut;
mod robot_ref;
mod self_filter;
#[cfg(feature = "serde")]
mod serialized;
mod spheres;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

pub use attachment::Attachment;
pub(crate) use collider::{Bounds, SphereChecker, Unresolved, Verdict};
pub use collider::{
    PairFilter, SelfCollisionOptions, Workspace, WorldCollider, WorldDistance, WorldRayHit,
    self_collisions, self_collisions_with,
};
pub use entity::{ContactParameters, RigidObject, RigidObjectMut, Terrain, TerrainMut};
pub(crate) use hulls::{hull_links, hull_object};
pub use id::{EntityId, Key, RigidObjectId, RobotId, TerrainId};
pub use klampt_ids::KlamptIds;
pub use link_ref::LinkRef;
pub use poses::{RigidObjectPose, RobotPose, WorldPoses};
pub use robot_mut::RobotMut;
pub use robot_ref::RobotRef;
pub use spheres::{SpherizeOptions, Spherized};

use self::attachment::Attachments;
use self::id::Handle;
use self::robot_mut::Objects;
use self::table::{Row, Table};
use crate::kinematics::State;
use crate::robot::Robot;
use crate::{Error, Result};

/// A world of robots, rigid objects and terrains, with their configurations and poses.
///
/// A clone is cheap: it shares robots and shapes, but no poses and configurations.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "serialized::RawWorld", try_from = "serialized::RawWorld")
)]
pub struct WorldModel {
    terrains: Table<TerrainId, Terrain>,
    rigid_objects: Table<RigidObjectId, RigidObject>,
    robots: Table<RobotId, PlacedRobot>,
    attachments: Attachments,
    /// Pairs that are never tested, smaller id first.
    ignored: BTreeSet<(EntityId, EntityId)>,
    /// Other properties from the file, by key.
    properties: BTreeMap<String, String>,
    /// Number of handles given out, of all kinds.
    n_handles: u64,
}

/// A robot of a world and its state.
#[derive(Debug, Clone)]
struct PlacedRobot {
    name: String,
    robot: Arc<Robot>,
    state: State,
    properties: BTreeMap<String, String>,
}

impl WorldModel {
    /// An empty world.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a robot under its own name, at rest in its initial configuration.
    pub fn add_robot(&mut self, robot: impl Into<Arc<Robot>>) -> RobotId {
        let robot = robot.into();
        let id = self.next_handle();
        let row = PlacedRobot {
            name: robot.name().to_owned(),
            state: State::new(&robot),
            robot,
            properties: BTreeMap::new(),
        };
        self.robots.push(id, row);
        id
    }

    /// Adds a rigid object.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a pose, a velocity, a mass or a contact parameter cannot be used; then nothing
    /// changes.
    pub fn add_rigid_object(&mut self, object: RigidObject) -> Result<RigidObjectId> {
        object.check()?;
        let id = self.next_handle();
        self.rigid_objects.push(id, object);
        Ok(id)
    }

    /// Adds a terrain.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a friction coefficient cannot be used; then nothing changes.
    pub fn add_terrain(&mut self, terrain: Terrain) -> Result<TerrainId> {
        terrain.check()?;
        let id = self.next_handle();
        self.terrains.push(id, terrain);
        Ok(id)
    }

    /// Removes an element from the world; all other handles stay valid. Objects attached to a robot keep their poses.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for what is not there, [`Error::Invalid`] for a link, which only
    /// [`replace_robot`](Self::replace_robot) can remove.
    pub fn remove(&mut self, entity: impl Into<EntityId>) -> Result<()> {
        let entity = entity.into();
        match entity {
            EntityId::Terrain(id) => self.terrains.remove(Key::Id(id)).map(drop)?,
            EntityId::RigidObject(id) => self.rigid_objects.remove(Key::Id(id)).map(drop)?,
            EntityId::Robot(id) => self.robots.remove(Key::Id(id)).map(drop)?,
            link @ EntityId::Link(..) => return Err(self.link_is_fixed(link, "removed")?),
        }
        self.drop_attachments(entity);
        Ok(())
    }

    /// Renames a terrain, a rigid object or a robot.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for what is not there, [`Error::Invalid`] for a link, which only
    /// [`replace_robot`](Self::replace_robot) can rename.
    pub fn rename(&mut self, entity: impl Into<EntityId>, name: impl Into<String>) -> Result<()> {
        match entity.into() {
            EntityId::Terrain(id) => self.terrains.get_mut(Key::Id(id))?.rename(name.into()),
            EntityId::RigidObject(id) => {
                self.rigid_objects.get_mut(Key::Id(id))?.rename(name.into());
            }
            EntityId::Robot(id) => self.robots.get_mut(Key::Id(id))?.rename(name.into()),
            link @ EntityId::Link(..) => return Err(self.link_is_fixed(link, "renamed")?),
        }
        Ok(())
    }

    /// Replaces a robot by another under the same handle and name, and returns the old one.
    ///
    /// Where both have dofs for links of the same names in the same order, the configuration and the velocity are kept;
    /// otherwise the new robot is at rest in its initial configuration. Attached objects stay attached to the links of the
    /// same names.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a robot that is not there, [`Error::Invalid`] for one that lacks a link to which
    /// an object is attached; then nothing changes.
    pub fn replace_robot(
        &mut self,
        id: RobotId,
        robot: impl Into<Arc<Robot>>,
    ) -> Result<Arc<Robot>> {
        let robot = robot.into();
        let (_, row) = self.robots.get(Key::Id(id))?;
        let attachments = self.reattached(id, &row.robot, &robot)?;
        let state = if moving_links(&row.robot).eq(moving_links(&robot)) {
            State::restore(&robot, &row.state.snapshot())?
        } else {
            State::new(&robot)
        };
        let row = self.robots.get_mut(Key::Id(id))?;
        row.state = state;
        let old = std::mem::replace(&mut row.robot, robot);
        self.attachments = attachments;
        self.update_attached();
        Ok(old)
    }

    /// Number of robots.
    #[must_use]
    pub fn n_robots(&self) -> usize {
        self.robots.len()
    }

    /// Number of rigid objects.
    #[must_use]
    pub fn n_rigid_objects(&self) -> usize {
        self.rigid_objects.len()
    }

    /// Number of terrains.
    #[must_use]
    pub fn n_terrains(&self) -> usize {
        self.terrains.len()
    }

    /// The robots, in the order in which they were added.
    pub fn robots(&self) -> impl ExactSizeIterator<Item = RobotRef<'_>> {
        self.robots.iter().map(|(id, row)| RobotRef { id, row })
    }

    /// The rigid objects, in the order in which they were added.
    pub fn rigid_objects(&self) -> impl ExactSizeIterator<Item = (RigidObjectId, &RigidObject)> {
        self.rigid_objects.iter()
    }

    /// The terrains, in the order in which they were added.
    pub fn terrains(&self) -> impl ExactSizeIterator<Item = (TerrainId, &Terrain)> {
        self.terrains.iter()
    }

    /// A robot, by handle, index or name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn robot<'k>(&self, key: impl Into<Key<'k, RobotId>>) -> Result<RobotRef<'_>> {
        let (id, row) = self.robots.get(key.into())?;
        Ok(RobotRef { id, row })
    }

    /// Mutable view of a robot, by handle, index or name; [attached objects](Self::attach) move with it.
    ///
    /// # Errors
    ///
    /// As [`robot`](Self::robot).
    pub fn robot_mut<'k>(&mut self, key: impl Into<Key<'k, RobotId>>) -> Result<RobotMut<'_>> {
        let key = key.into();
        let (id, _) = self.robots.get(key)?;
        Ok(RobotMut {
            id,
            row: self.robots.get_mut(key)?,
            attachments: &self.attachments,
            objects: Objects::All(&mut self.rigid_objects),
        })
    }

    /// A rigid object, by handle, index or name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn rigid_object<'k>(&self, key: impl Into<Key<'k, RigidObjectId>>) -> Result<&RigidObject> {
        Ok(self.rigid_objects.get(key.into())?.1)
    }

    /// Mutable view of a rigid object, by handle, index or name.
    ///
    /// # Errors
    ///
    /// As [`rigid_object`](Self::rigid_object).
    pub fn rigid_object_mut<'k>(
        &mut self,
        key: impl Into<Key<'k, RigidObjectId>>,
    ) -> Result<RigidObjectMut<'_>> {
        let key = key.into();
        let (id, _) = self.rigid_objects.get(key)?;
        let holder = match self.attachments.get(&id) {
            Some(attached) => Some(self.name(EntityId::Link(attached.robot(), attached.link()))?),
            None => None,
        };
        let object = self.rigid_objects.get_mut(key)?;
        Ok(RigidObjectMut { object, holder })
    }

    /// A terrain, by handle, index or name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn terrain<'k>(&self, key: impl Into<Key<'k, TerrainId>>) -> Result<&Terrain> {
        Ok(self.terrains.get(key.into())?.1)
    }

    /// Mutable view of a terrain, by handle, index or name.
    ///
    /// # Errors
    ///
    /// As [`terrain`](Self::terrain).
    pub fn terrain_mut<'k>(
        &mut self,
        key: impl Into<Key<'k, TerrainId>>,
    ) -> Result<TerrainMut<'_>> {
        let terrain = self.terrains.get_mut(key.into())?;
        Ok(TerrainMut { terrain })
    }

    /// Klampt's numbering of the current elements of the world.
    #[must_use]
    pub fn klampt_ids(&self) -> KlamptIds<'_> {
        KlamptIds::new(self)
    }

    fn next_handle<I: Handle>(&mut self) -> I {
        self.n_handles += 1;
        I::numbered(self.n_handles)
    }

    /// The error for a change that is not possible for a link.
    fn link_is_fixed(&self, link: EntityId, change: &str) -> Result<Error> {
        let what = format!("link `{}`", self.name(link)?);
        let problem = format!(
            "cannot be {change}, since a robot never changes: edit `RobotBuilder::from(&robot)`, build it and call \
             `replace_robot`"
        );
        Ok(Error::invalid(what, problem))
    }
}

impl Row for PlacedRobot {
    const KIND: &'static str = "robot";

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }
}

/// Names of the links that have a dof.
fn moving_links(robot: &Robot) -> impl Iterator<Item = &str> {
    robot.dofs().iter().map(|&link| robot.link(link).name())
}
