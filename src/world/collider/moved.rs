//! Rigid objects that were moved in a workspace.

use super::moved_pairs::MovedPairs;
use super::scene::FrozenObject;
use super::{Workspace, WorldCollider};
use crate::geometry::{Aabb, check_pose};
use crate::math::Pose;
use crate::world::{EntityId, RigidObjectId, RobotId};
use crate::{Error, Result};

/// Static parts of a scene that have another pose in a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Moved {
    /// Slot of each static part in the lists; empty until something moves.
    slots: Vec<u32>,
    parts: Vec<usize>,
    poses: Vec<Pose>,
    boxes: Vec<Aabb>,
    /// Overlaps with each other and with what was not moved.
    pub(super) pairs: MovedPairs,
}

/// Slot of a part that was not moved.
const STILL: u32 = u32::MAX;

impl Workspace {
    /// Sets the pose of a rigid object for later queries; the world and other workspaces do not change.
    ///
    /// `pose` is that of the object's frame in the world. Any object that is not attached can be moved, any number of times;
    /// back at its [pose](Self::pose) in the frozen world it costs nothing. Every moved object makes queries a little slower,
    /// so freeze the world again where most of it has changed for good. The enabled pairs stay the same.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object that was not in the world; [`Error::Invalid`] for one without a shape, for one that
    /// is [attached](crate::WorldModel::attach) to a robot, for a pose that is not finite or whose matrix is no rotation, and
    /// for one at which the bounding box is not finite. Then nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::world::{PairFilter, WorldCollider};
    /// use kinworld::{Pose, WorldModel};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?.id();
    /// let ball = world.rigid_object_id("ball")?;
    /// let collider = WorldCollider::new(&world, &PairFilter::default())?;
    ///
    /// let mut ws = collider.workspace();
    /// let before = ws.pose(ball)?;
    /// assert!(collider.distance_with(arm, ball, &mut ws)?.distance > 0.0);
    ///
    /// let hand = world.robot(arm)?.link("flange")?.pose();
    /// ws.set_pose(ball, &hand)?;
    /// assert_eq!(collider.distance_with(arm, ball, &mut ws)?.distance, 0.0);
    /// assert!(collider.robot_collision_with(arm, &mut ws)?.is_some());
    ///
    /// ws.set_pose(ball, &before)?;
    /// assert!(collider.robot_collision_with(arm, &mut ws)?.is_none());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn set_pose(&mut self, object: RigidObjectId, pose: &Pose) -> Result<()> {
        let scene = &*self.scene;
        let object = scene.object(object)?;
        let part = object.part()?;
        if let Some(robot) = &object.holder {
            let problem = format!("is attached to robot `{robot}`: move the robot");
            return Err(Error::invalid(object.label(), problem));
        }
        // the label is only built for an error
        check_pose("", pose).or_else(|_| check_pose(&object.label(), pose))?;
        if *pose == scene.poses[part] {
            self.moved.put_back(part);
            return Ok(());
        }
        let Some(bounds) = scene.parts[part].bounds_at(pose) else {
            let problem = "its bounding box at this pose is not finite";
            return Err(Error::invalid(object.label(), problem));
        };
        self.moved.put(part, pose, bounds, scene.n_still());
        Ok(())
    }

    /// Pose of a rigid object in this workspace: its frame in the world, also of an attached one.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object that was not in the world, [`Error::Invalid`] for one without a shape.
    pub fn pose(&self, object: RigidObjectId) -> Result<Pose> {
        let part = self.scene.object(object)?.part()?;
        Ok(*self.placed(part).1)
    }
}

impl WorldCollider {
    /// Box around a rigid object at a pose, with its share of margins; nothing that is outside of the boxes of two elements
    /// collides.
    pub(crate) fn object_box(&self, object: RigidObjectId, pose: &Pose) -> Result<Aabb> {
        let object = self.scene.object(object)?;
        let part = &self.scene.parts[object.part()?];
        part.bounds_at(pose).ok_or_else(|| {
            let problem = "its bounding box at this pose is not finite";
            Error::invalid(object.label(), problem)
        })
    }
}

impl Workspace {
    /// The links of a robot and what is attached to it, with boxes around them where they are, as those of
    /// [`object_box`](WorldCollider::object_box).
    pub(crate) fn robot_boxes(
        &self,
        robot: RobotId,
    ) -> Result<impl Iterator<Item = (EntityId, &Aabb)>> {
        let parts = self.scene.robots[self.robot(robot)?].parts.clone();
        let n_still = self.scene.n_still();
        Ok(parts.map(move |part| (self.scene.parts[part].entity, &self.boxes[part - n_still])))
    }
}

impl FrozenObject {
    /// Index of its part in the scene.
    fn part(&self) -> Result<usize> {
        let problem = "has no collision geometry here";
        self.part
            .ok_or_else(|| Error::invalid(self.label(), problem))
    }

    fn label(&self) -> String {
        format!("rigid object `{}`", self.name)
    }
}

impl Moved {
    /// Returns whether a part was moved.
    #[inline]
    pub(super) fn has(&self, part: usize) -> bool {
        self.slot(part).is_some()
    }

    /// Pose of a moved part; `None` for others.
    #[inline]
    pub(super) fn pose(&self, part: usize) -> Option<&Pose> {
        self.slot(part).map(|slot| &self.poses[slot])
    }

    /// Box of a moved part; `None` for others.
    #[inline]
    pub(super) fn bounds(&self, part: usize) -> Option<&Aabb> {
        self.slot(part).map(|slot| &self.boxes[slot])
    }

    /// All moved parts with their boxes.
    pub(super) fn iter(&self) -> impl ExactSizeIterator<Item = (usize, &Aabb)> {
        self.parts.iter().copied().zip(&self.boxes)
    }

    #[inline]
    fn slot(&self, part: usize) -> Option<usize> {
        let slot = *self.slots.get(part)?;
        (slot != STILL).then_some(slot as usize)
    }

    /// Moves a part, one of `n_still` static ones.
    fn put(&mut self, part: usize, pose: &Pose, bounds: Aabb, n_still: usize) {
        self.pairs.change(part, n_still);
        if let Some(slot) = self.slot(part) {
            (self.poses[slot], self.boxes[slot]) = (*pose, bounds);
            return;
        }
        self.slots.resize(n_still, STILL);
        self.slots[part] = self.parts.len() as u32;
        self.parts.push(part);
        self.poses.push(*pose);
        self.boxes.push(bounds);
    }

    /// Resets a part to its pose in the scene.
    fn put_back(&mut self, part: usize) {
        let Some(slot) = self.slot(part) else { return };
        self.pairs.change(part, self.slots.len());
        self.slots[part] = STILL;
        self.parts.swap_remove(slot);
        self.poses.swap_remove(slot);
        self.boxes.swap_remove(slot);
        if let Some(&last) = self.parts.get(slot) {
            self.slots[last] = slot as u32;
        }
    }

    /// Resets all parts to their poses in the scene.
    pub(super) fn clear(&mut self) {
        for &part in &self.parts {
            self.slots[part] = STILL;
        }
        self.parts.clear();
        self.poses.clear();
        self.boxes.clear();
        self.pairs.clear();
    }
}
