//! Rigid objects in the hands of robots.

use std::collections::{BTreeMap, BTreeSet};

use super::table::Table;
use super::{EntityId, Key, PlacedRobot, RigidObject, RigidObjectId, RobotId, WorldModel};
use crate::geometry::check_pose;
use crate::kinematics;
use crate::math::Pose;
use crate::robot::{LinkId, Robot};
use crate::{Error, Result};

/// How a link holds a rigid object: where, and what the object may touch.
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
    /// The robot that holds the object.
    #[must_use]
    pub fn robot(&self) -> RobotId {
        self.robot
    }

    /// The link that holds the object.
    #[must_use]
    pub fn link(&self) -> LinkId {
        self.link
    }

    /// The object's frame in the frame of the link.
    #[must_use]
    pub fn pose_in_link(&self) -> &Pose {
        &self.x_lo
    }

    /// What the object may touch, besides the link that holds it; a robot stands for all its links.
    pub fn touch(&self) -> impl Iterator<Item = EntityId> + '_ {
        self.touch.iter().copied()
    }

    /// Whether the object may touch something: the link that holds it, or what the rule names.
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
    /// Puts a rigid object into the hand of a robot, where it is now: from here on it moves with the link.
    ///
    /// The object stays a rigid object, under its handle and [Klampt's number](Self::klampt_ids), with the pose and the
    /// velocity that the link gives it. Its mass is not added to the
    /// robot's: see [`Robot::with_payload`] for that.
    ///
    /// | pair | tested by a [`WorldCollider`](super::WorldCollider) |
    /// |---|---|
    /// | the object and the link that holds it | never |
    /// | the object and what `touch` names: fingers, a robot with all its links, the terrain or the object on which it stands | never |
    /// | the object and everything else, other links of the robot included | yes |
    ///
    /// An object that is held already changes hands. Files do not keep attachments: saved, the object is where it is.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object, a link or something of `touch` that is not in the world, [`Error::Invalid`] for
    /// a holder that is no link; then nothing changes.
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
        self.hold(object, link, x_wl.inverse() * x_wo, touch)
    }

    /// [`attach`](Self::attach) with the object's frame put to a pose in that of the link first.
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
        self.hold(object, link.into(), *x_lo, touch)?;
        self.follow();
        Ok(())
    }

    /// Takes a rigid object out of the hand that holds it: it stays where it is, with the velocity that it has.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an object that is not in the world, [`Error::Invalid`] for one that nothing holds.
    pub fn detach<'k>(&mut self, object: impl Into<Key<'k, RigidObjectId>>) -> Result<Attachment> {
        let (id, row) = self.rigid_objects.get(object.into())?;
        let held = self.attachments.remove(&id);
        held.ok_or_else(|| Error::invalid(format!("rigid object `{}`", row.name), "is in no hand"))
    }

    /// How a rigid object is held; `None` for one that is in no hand.
    #[must_use]
    pub fn attachment(&self, object: RigidObjectId) -> Option<&Attachment> {
        self.attachments.get(&object)
    }

    /// All objects that are held, in the order in which they were added.
    pub fn attachments(&self) -> impl ExactSizeIterator<Item = (RigidObjectId, &Attachment)> {
        self.attachments.iter().map(|(id, held)| (*id, held))
    }

    /// What moves an element: a link itself, a held object with the link that holds it; `None` for all else.
    #[must_use]
    pub fn carrier(&self, entity: impl Into<EntityId>) -> Option<(RobotId, LinkId)> {
        match entity.into() {
            EntityId::Link(robot, link) => Some((robot, link)),
            EntityId::RigidObject(id) => self.attachment(id).map(|held| (held.robot, held.link)),
            EntityId::Robot(_) | EntityId::Terrain(_) => None,
        }
    }

    fn hold(
        &mut self,
        object: RigidObjectId,
        holder: EntityId,
        x_lo: Pose,
        touch: &[EntityId],
    ) -> Result<()> {
        let what = self.name(holder)?;
        let EntityId::Link(robot, link) = holder else {
            let problem = "holds nothing: name the link of a robot";
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
        let held = Attachment {
            robot,
            link,
            x_lo,
            touch: touch.iter().copied().collect(),
        };
        self.attachments.insert(object, held);
        Ok(())
    }

    /// Moves every object that is held to where its link has it.
    pub(super) fn follow(&mut self) {
        for (id, row) in self.robots.iter() {
            follow(&self.attachments, &mut self.rigid_objects, id, row);
        }
    }

    /// Where the links that hold something are in a robot that takes the place of another, by their names.
    pub(super) fn rehung(&self, id: RobotId, old: &Robot, new: &Robot) -> Result<Attachments> {
        let mut attachments = self.attachments.clone();
        for (&object, held) in attachments.iter_mut().filter(|(_, held)| held.robot == id) {
            let name = old.link(held.link).name();
            held.link = new.link_id(name).map_err(|_| {
                let what = format!("robot `{}`", new.name());
                let object = self.rigid_object(object).map_or("", |object| &object.name);
                let problem =
                    format!("has no link `{name}`, which holds `{object}`: detach it first");
                Error::invalid(what, problem)
            })?;
        }
        for held in attachments.values_mut() {
            let renamed = |entity: EntityId| match entity {
                EntityId::Link(robot, link) if robot == id => {
                    let link = new.link_id(old.link(link).name()).ok()?;
                    Some(EntityId::Link(robot, link))
                }
                other => Some(other),
            };
            held.touch = held.touch.iter().copied().filter_map(renamed).collect();
        }
        Ok(attachments)
    }

    /// Forgets all that something which leaves the world has to do with what is held.
    pub(super) fn let_go(&mut self, gone: EntityId) {
        if let EntityId::RigidObject(object) = gone {
            self.attachments.remove(&object);
        }
        self.attachments
            .retain(|_, held| EntityId::Robot(held.robot) != gone);
        for held in self.attachments.values_mut() {
            held.touch.retain(|entity| {
                *entity != gone && entity.robot().map(EntityId::Robot) != Some(gone)
            });
        }
    }

    /// Takes over what is held in another world, whose handles have others here.
    pub(super) fn adopt(&mut self, other: Attachments, new: &BTreeMap<EntityId, EntityId>) {
        let here = |entity: EntityId| match (entity, new.get(&entity)) {
            (EntityId::Link(robot, link), _) => match new.get(&robot.into()) {
                Some(EntityId::Robot(robot)) => Some(EntityId::Link(*robot, link)),
                _ => None,
            },
            (_, found) => found.copied(),
        };
        for (object, held) in other {
            let (object, holder) = (
                here(object.into()),
                here(EntityId::Link(held.robot, held.link)),
            );
            let (Some(EntityId::RigidObject(object)), Some(EntityId::Link(robot, link))) =
                (object, holder)
            else {
                continue;
            };
            let held = Attachment {
                robot,
                link,
                touch: held.touch.into_iter().filter_map(here).collect(),
                ..held
            };
            self.attachments.insert(object, held);
        }
    }
}

/// Moves what a robot holds to where its links have it.
pub(super) fn follow(
    attachments: &Attachments,
    objects: &mut Table<RigidObjectId, RigidObject>,
    id: RobotId,
    row: &PlacedRobot,
) {
    for (&object, held) in attachments.iter().filter(|(_, held)| held.robot == id) {
        let Ok(object) = objects.get_mut(Key::Id(object)) else {
            continue;
        };
        let (robot, state, link) = (&row.robot, &row.state, held.link);
        let origin = held.x_lo.translation.vector.into();
        object.pose = state.pose(robot, link) * held.x_lo;
        object.velocity = kinematics::point_velocity(robot, state, link, &origin);
        object.angular_velocity = kinematics::angular_velocity(robot, state, link);
    }
}
