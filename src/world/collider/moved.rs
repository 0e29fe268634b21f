//! Rigid objects that a workspace has elsewhere than the world had them when it was frozen.

use std::ops::Range;

use super::Workspace;
use super::scene::{FrozenObject, Scene};
use super::sweep::sweep;
use crate::geometry::{Aabb, check_pose};
use crate::math::Pose;
use crate::world::RigidObjectId;
use crate::{Error, Result};

/// The parts of a scene that stand still there and not in a workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Moved {
    /// Of each part that stands still in the scene, its place in the lists; empty until something moves.
    slots: Vec<u32>,
    parts: Vec<usize>,
    poses: Vec<Pose>,
    boxes: Vec<Aabb>,
    /// Memory of the sweep.
    order: Vec<u32>,
}

/// The slot of what stands still.
const STILL: u32 = u32::MAX;

impl Workspace {
    /// Puts a rigid object elsewhere for the queries to come; the world and other workspaces see nothing of it.
    ///
    /// `pose` is that of the object's frame in the world. Any object can be moved that no robot holds, as often as
    /// one likes; back at its [pose](Self::pose) in the frozen world it counts as if it had never moved. A query takes a
    /// little longer for every object that is elsewhere, so freeze the world anew where most of it has changed for good.
    /// Which pairs are tested stays as it is.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object that was not in the world; [`Error::Invalid`] for one without a shape, for one that
    /// a robot [holds](crate::WorldModel::attach) and takes along, and for a pose that is not finite, that does not rotate,
    /// or that puts the shape out of the numbers. Then nothing changes.
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
            let problem = format!("moves with robot `{robot}`, which holds it: move the robot");
            return Err(Error::invalid(object.label(), problem));
        }
        // a label only for who needs one
        check_pose("", pose).or_else(|_| check_pose(&object.label(), pose))?;
        if *pose == scene.poses[part] {
            self.moved.put_back(part);
            return Ok(());
        }
        let Some(bounds) = scene.parts[part].bounds_at(pose) else {
            let problem = "its pose puts it out of the numbers";
            return Err(Error::invalid(object.label(), problem));
        };
        self.moved.put(part, pose, bounds, scene.n_still());
        Ok(())
    }

    /// Where a rigid object is in this workspace: its frame in the world, in the hand of a robot as well.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object that was not in the world, [`Error::Invalid`] for one without a shape.
    pub fn pose(&self, object: RigidObjectId) -> Result<Pose> {
        let part = self.scene.object(object)?.part()?;
        Ok(*self.placed(part).1)
    }
}

impl FrozenObject {
    /// Its part of the scene.
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
    /// Whether a part is elsewhere.
    #[inline]
    pub(super) fn has(&self, part: usize) -> bool {
        self.slot(part).is_some()
    }

    /// Where a part is that is elsewhere.
    #[inline]
    pub(super) fn pose(&self, part: usize) -> Option<&Pose> {
        self.slot(part).map(|slot| &self.poses[slot])
    }

    /// The box around a part that is elsewhere.
    #[inline]
    pub(super) fn bounds(&self, part: usize) -> Option<&Aabb> {
        self.slot(part).map(|slot| &self.boxes[slot])
    }

    /// Everything that is elsewhere, and the boxes around it.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &Aabb)> {
        self.parts.iter().copied().zip(&self.boxes)
    }

    #[inline]
    fn slot(&self, part: usize) -> Option<usize> {
        let slot = *self.slots.get(part)?;
        (slot != STILL).then_some(slot as usize)
    }

    /// Puts a part elsewhere, one of `n_still` that stand still.
    fn put(&mut self, part: usize, pose: &Pose, bounds: Aabb, n_still: usize) {
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

    /// Has a part stand where the scene has it.
    fn put_back(&mut self, part: usize) {
        let Some(slot) = self.slot(part) else { return };
        self.slots[part] = STILL;
        self.parts.swap_remove(slot);
        self.poses.swap_remove(slot);
        self.boxes.swap_remove(slot);
        if let Some(&last) = self.parts.get(slot) {
            self.slots[last] = slot as u32;
        }
    }

    /// Has all stand where the scene has it.
    pub(super) fn clear(&mut self) {
        for &part in &self.parts {
            self.slots[part] = STILL;
        }
        self.parts.clear();
        self.poses.clear();
        self.boxes.clear();
        self.order.clear();
    }

    /// Calls `found` with the pairs that count, whose boxes overlap, and of which one is elsewhere and one among `parts`:
    /// smaller number first.
    pub(super) fn overlapping(
        &mut self,
        scene: &Scene,
        moving: &[Aabb],
        parts: &Range<usize>,
        mut found: impl FnMut(usize, usize),
    ) {
        if self.parts.is_empty() {
            return;
        }
        let n_still = scene.n_still();
        let mut push = |a: usize, b: usize| {
            if scene.is_enabled(a, b) {
                found(a, b);
            }
        };

        // against what robots move
        for (&part, bounds) in self.parts.iter().zip(&self.boxes) {
            let links = if parts.contains(&part) {
                n_still..scene.parts.len()
            } else {
                parts.start.max(n_still)..parts.end
            };
            for link in links {
                if moving[link - n_still].overlaps(bounds) {
                    push(part, link);
                }
            }
        }

        // against what stands still, and against each other
        if parts.start >= n_still {
            return;
        }
        for (&part, bounds) in self.parts.iter().zip(&self.boxes) {
            scene.tree.overlapping(bounds, |still| {
                let still = still as usize;
                let is_asked = parts.contains(&part) || parts.contains(&still);
                if is_asked && !self.has(still) {
                    push(part.min(still), part.max(still));
                }
            });
        }
        sweep(&self.boxes, &mut self.order, |a, b| {
            let (a, b) = (self.parts[a], self.parts[b]);
            if parts.contains(&a) || parts.contains(&b) {
                push(a.min(b), a.max(b));
            }
        });
    }
}
