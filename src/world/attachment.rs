//! Rigid objects attached to links of robots.

use std::collections::{BTreeMap, BTreeSet};

use super::table::Table;
use super::{EntityId, Key, PlacedRobot, RigidObject, RigidObjectId, RobotId, WorldModel};
use crate::geometry::check_pose;
use crate::kinematics;
use crate::math::Pose;
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// Attachment of a rigid object to a link: pose in the link, and elements that the object may touch.
///
/// See [`WorldModel::attach`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Attachment {
    robot: RobotId,
    link: LinkId,
    x_lo: Pose,
    touch: BTreeSet<EntityId>,
}

/// All attachments of a world, in the order of the objects.
pub(super) type Attachments = BTreeMap<RigidObjectId, Attachment>;

impl Attachment {
    /// The robot that the object is attached to.
    #[must_use]
    pub fn robot(&self) -> RobotId {
        self.robot
    }

    /// The link that the object is attached to.
    #[must_use]
    pub fn link(&self) -> LinkId {
        self.link
    }

    /// The object's frame in the frame of the link.
    #[must_use]
    pub fn pose_in_link(&self) -> &Pose {
        &self.x_lo
    }

    /// Elements that the object may touch, besides its link; a robot stands for all its links.
    pub fn touch(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.touch.iter().copied()
    }

    /// Returns whether the object may touch an element: its link, or one of [`touch`](Self::touch).
    #[must_use]
    pub fn may_touch(&self, entity: impl Into<EntityId>) -> bool {
        let entity = entity.into();
        let robot = entity.robot().map(EntityId::Robot);
        entity == EntityId::Link(self.robot, self.link)
            || self.touch.contains(&entity)
            || robot.is_some_and(|robot| self.touch.contains(&robot))
    }
}

impl WorldModel {
    /// Attaches a rigid object to a link at its current pose: from here on it moves with the link.
    ///
    /// The object stays a rigid object, under its handle and [Klampt's number](Self::klampt_ids), with the pose and the
    /// velocity that follow from the link. Its mass is not added to that of the robot: see [`Robot::with_payload`].
    ///
    /// | pair | tested by a [`WorldCollider`](super::WorldCollider) |
    /// |---|---|
    /// | the object and its link | never |
    /// | the object and elements of `touch`: fingers, a robot with all its links, the terrain or object on which it stands | never |
    /// | the object and everything else, other links of the robot included | yes |
    ///
    /// An attached object can be attached to another link. Files do not store attachments, only the pose of the object.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object, a link or an element of `touch` that is not in the world, [`Error::Invalid`] where
    /// `link` is no link; then nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::world::{PairFilter, WorldCollider};
    ///
    /// let mut world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let hand = world.robot("arm")?.link("flange")?.entity();
    /// let ball = world.rigid_object_id("ball")?;
    /// world.attach(ball, hand, &[])?;
    ///
    /// let before = world.rigid_object(ball)?.pose;
    /// world.robot_mut("arm")?.set_dof_position(0, 1.0)?;
    /// assert_ne!(world.rigid_object(ball)?.pose, before);
    ///
    /// let collider = WorldCollider::new(&world, &PairFilter::default())?;
    /// assert!(!collider.is_enabled(ball, hand));
    /// world.detach(ball)?;
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn attach<'k>(
        &mut self,
        object: impl Into<Key<'k, RigidObjectId>>,
        link: impl Into<EntityId>,
        touch: &[EntityId],
    ) -> Result<()> {
        let (object, row) = self.rigid_objects.get(object.into())?;
        let (x_wo, link) = (row.pose, link.into());
        let x_wl = self.pose(link).unwrap_or_else(Pose::identity);
        self.attach_at(object, link, x_wl.inverse() * x_wo, touch)
    }

    /// Attaches a rigid object to a link at a given pose of its frame in that of the link; see [`attach`](Self::attach).
    ///
    /// # Errors
    ///
    /// As [`attach`](Self::attach), and [`Error::Invalid`] for a pose that is not finite or whose matrix is no rotation.
    pub fn grasp<'k>(
        &mut self,
        object: impl Into<Key<'k, RigidObjectId>>,
        link: impl Into<EntityId>,
        x_lo: &Pose,
        touch: &[EntityId],
    ) -> Result<()> {
        let object = self.rigid_object_id(object)?;
        self.attach_at(object, link.into(), *x_lo, touch)?;
        self.update_attached();
        Ok(())
    }

    /// Detaches a rigid object: it keeps its pose and its velocity.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object that is not in the world, [`Error::Invalid`] for one that is not attached.
    pub fn detach<'k>(&mut self, object: impl Into<Key<'k, RigidObjectId>>) -> Result<Attachment> {
        let (id, row) = self.rigid_objects.get(object.into())?;
        let attached = self.attachments.remove(&id);
        attached.ok_or_else(|| {
            Error::invalid(
                format!("rigid object `{}`", row.name),
                "is not attached to a link",
            )
        })
    }

    /// Attachment of a rigid object; `None` if it is not attached.
    #[must_use]
    pub fn attachment(&self, object: RigidObjectId) -> Option<&Attachment> {
        self.attachments.get(&object)
    }

    /// All attached objects, in the order in which they were added.
    pub fn attachments(&self) -> impl ExactSizeIterator<Item = (RigidObjectId, &Attachment)> {
        self.attachments
            .iter()
            .map(|(id, attached)| (*id, attached))
    }

    /// Link that moves an element: a link itself, the link of an attached object; `None` for all else.
    #[must_use]
    pub fn carrier(&self, entity: impl Into<EntityId>) -> Option<(RobotId, LinkId)> {
        match entity.into() {
            EntityId::Link(robot, link) => Some((robot, link)),
            EntityId::RigidObject(id) => self
                .attachment(id)
                .map(|attached| (attached.robot, attached.link)),
            EntityId::Robot(_) | EntityId::Terrain(_) => None,
        }
    }

    fn attach_at(
        &mut self,
        object: RigidObjectId,
        holder: EntityId,
        x_lo: Pose,
        touch: &[EntityId],
    ) -> Result<()> {
        let what = self.name(holder)?;
        let EntityId::Link(robot, link) = holder else {
            let problem = "is no link: objects are attached to links";
            return Err(Error::invalid(
                format!("{} `{what}`", holder.kind()),
                problem,
            ));
        };
        for &entity in touch {
            self.name(entity)?;
        }
        let object_name = &self.rigid_object(object)?.name;
        check_pose(&format!("rigid object `{object_name}` in `{what}`"), &x_lo)?;
        let attached = Attachment {
            robot,
            link,
            x_lo,
            touch: touch.iter().copied().collect(),
        };
        self.attachments.insert(object, attached);
        Ok(())
    }

    /// Updates the poses and velocities of all attached objects.
    pub(super) fn update_attached(&mut self) {
        for (id, row) in self.robots.iter() {
            update_attached(&self.attachments, &mut self.rigid_objects, id, row);
        }
    }

    /// Attachments after a robot is replaced by another; links are matched by name.
    pub(super) fn reattached(&self, id: RobotId, old: &Robot, new: &Robot) -> Result<Attachments> {
        let mut attachments = self.attachments.clone();
        for (&object, attached) in attachments
            .iter_mut()
            .filter(|(_, attached)| attached.robot == id)
        {
            let name = old.link(attached.link).name();
            attached.link = new.link_id(name).map_err(|_| {
                let what = format!("robot `{}`", new.name());
                let object = self.rigid_object(object).map_or("", |object| &object.name);
                let problem = format!(
                    "has no link `{name}`, to which `{object}` is attached: detach it first"
                );
                Error::invalid(what, problem)
            })?;
        }
        for attached in attachments.values_mut() {
            let renamed = |entity: EntityId| match entity {
                EntityId::Link(robot, link) if robot == id => {
                    let link = new.link_id(old.link(link).name()).ok()?;
                    Some(EntityId::Link(robot, link))
                }
                other => Some(other),
            };
            attached.touch = attached.touch.iter().copied().filter_map(renamed).collect();
        }
        Ok(attachments)
    }

    /// Drops all attachments that involve a removed element.
    pub(super) fn drop_attachments(&mut self, gone: EntityId) {
        if let EntityId::RigidObject(object) = gone {
            self.attachments.remove(&object);
        }
        self.attachments
            .retain(|_, attached| EntityId::Robot(attached.robot) != gone);
        for attached in self.attachments.values_mut() {
            attached.touch.retain(|entity| {
                *entity != gone && entity.robot().map(EntityId::Robot) != Some(gone)
            });
        }
    }

    /// Takes over the attachments of another world, whose handles are mapped by `new`.
    pub(super) fn adopt_attachments(
        &mut self,
        other: Attachments,
        new: &BTreeMap<EntityId, EntityId>,
    ) {
        let here = |entity: EntityId| match (entity, new.get(&entity)) {
            (EntityId::Link(robot, link), _) => match new.get(&robot.into()) {
                Some(EntityId::Robot(robot)) => Some(EntityId::Link(*robot, link)),
                _ => None,
            },
            (_, found) => found.copied(),
        };
        for (object, attached) in other {
            let (object, holder) = (
                here(object.into()),
                here(EntityId::Link(attached.robot, attached.link)),
            );
            let (Some(EntityId::RigidObject(object)), Some(EntityId::Link(robot, link))) =
                (object, holder)
            else {
                continue;
            };
            let attached = Attachment {
                robot,
                link,
                touch: attached.touch.into_iter().filter_map(here).collect(),
                ..attached
            };
            self.attachments.insert(object, attached);
        }
    }
}

/// Updates the poses and velocities of the objects attached to a robot.
pub(super) fn update_attached(
    attachments: &Attachments,
    objects: &mut Table<RigidObjectId, RigidObject>,
    id: RobotId,
    row: &PlacedRobot,
) {
    for (&object, attached) in attachments
        .iter()
        .filter(|(_, attached)| attached.robot == id)
    {
        let Ok(object) = objects.get_mut(Key::Id(object)) else {
            continue;
        };
        attached.update(object, row);
    }
}

impl Attachment {
    /// Updates the pose and the velocity of the object from the state of its robot.
    pub(super) fn update(&self, object: &mut RigidObject, row: &PlacedRobot) {
        let (robot, state, link) = (&row.robot, &row.state, self.link);
        let origin = self.x_lo.translation.vector.into();
        object.pose = state.pose(robot, link) * self.x_lo;
        object.velocity = kinematics::point_velocity(robot, state, link, &origin);
        object.angular_velocity = kinematics::angular_velocity(robot, state, link);
    }
}
