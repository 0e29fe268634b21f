//! Mutable view of a robot in a world.

use super::attachment::{Attachments, update_attached};
use super::robot_ref::{find_dof, find_link};
use super::table::Table;
use super::{Key, LinkRef, PlacedRobot, RigidObject, RigidObjectId, RobotId, RobotRef, WorldModel};
use crate::kinematics;
use crate::robot::LinkId;
use crate::{Error, Result};

/// Mutable view of a robot in a world; [attached objects](super::WorldModel::attach) move with it.
///
/// Limits are not enforced, as in Klampt. A call that fails changes nothing.
#[derive(Debug)]
pub struct RobotMut<'a> {
    pub(super) id: RobotId,
    pub(super) row: &'a mut PlacedRobot,
    pub(super) attachments: &'a Attachments,
    pub(super) objects: Objects<'a>,
}

/// Rigid objects that may be attached to a robot in a view.
#[derive(Debug)]
pub(super) enum Objects<'a> {
    /// All of the world.
    All(&'a mut Table<RigidObjectId, RigidObject>),
    /// Those that are attached to it.
    Attached(Vec<(RigidObjectId, &'a mut RigidObject)>),
}

impl Objects<'_> {
    /// Updates the poses and velocities of the objects attached to a robot.
    fn update(&mut self, attachments: &Attachments, id: RobotId, row: &PlacedRobot) {
        match self {
            Self::All(table) => update_attached(attachments, table, id, row),
            Self::Attached(objects) => {
                for (object_id, object) in objects {
                    if let Some(attached) = attachments.get(object_id) {
                        attached.update(object, row);
                    }
                }
            }
        }
    }
}

impl WorldModel {
    /// Mutable views of several robots at once, in the order of the keys; [attached objects](Self::attach) move with them.
    ///
    /// # Errors
    ///
    /// As [`robot`](Self::robot), and [`Error::Invalid`] for a robot that is named twice.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{Robot, WorldModel};
    ///
    /// let mut world = WorldModel::new();
    /// let arm = Robot::load("data/robots/planar3R.rob")?.value;
    /// let (left, right) = (world.add_robot(arm.clone()), world.add_robot(arm));
    ///
    /// // the right arm mirrors the left one
    /// let [left, mut right] = world.robots_mut_many([left, right])?;
    /// let mirrored: Vec<f64> = left.view().state().config().iter().map(|q| -q).collect();
    /// right.set_config(&mirrored)?;
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn robots_mut_many<'k, const N: usize>(
        &mut self,
        keys: [impl Into<Key<'k, RobotId>>; N],
    ) -> Result<[RobotMut<'_>; N]> {
        let mut ids = [None; N];
        for (slot, key) in ids.iter_mut().zip(keys) {
            *slot = Some(self.robots.get(key.into())?.0);
        }
        for (i, id) in ids.iter().enumerate() {
            if let (Some(twice), true) = (id, ids[..i].contains(id)) {
                let what = format!("robot `{}`", self.robots.get(Key::Id(*twice))?.1.name);
                return Err(Error::invalid(what, "is named twice for one call"));
            }
        }

        // each object belongs to the robot that holds it
        let attachments = &self.attachments;
        let mut objects: [Vec<(RigidObjectId, &mut RigidObject)>; N] =
            std::array::from_fn(|_| Vec::new());
        for (object_id, object) in self.rigid_objects.rows_mut() {
            let holder = attachments.get(&object_id).map(|attached| attached.robot());
            let holder = holder.and_then(|robot| ids.iter().position(|id| *id == Some(robot)));
            if let Some(k) = holder {
                objects[k].push((object_id, object));
            }
        }
        let mut rows: [Option<(RobotId, &mut PlacedRobot)>; N] = std::array::from_fn(|_| None);
        for (id, row) in self.robots.rows_mut() {
            if let Some(k) = ids.iter().position(|wanted| *wanted == Some(id)) {
                rows[k] = Some((id, row));
            }
        }
        let mut objects = objects.into_iter();
        Ok(rows.map(|row| {
            let (id, row) = row.expect("every id was found, and none twice");
            RobotMut {
                id,
                row,
                attachments,
                objects: Objects::Attached(objects.next().expect("one list per robot")),
            }
        }))
    }
}

impl RobotMut<'_> {
    /// Read-only view of the robot.
    #[must_use]
    pub fn view(&self) -> RobotRef<'_> {
        RobotRef {
            id: self.id,
            row: self.row,
        }
    }

    /// A link, by id, index or name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound), which lists the names that exist.
    pub fn link<'k>(&self, key: impl Into<Key<'k, LinkId>>) -> Result<LinkRef<'_>> {
        let id = find_link(&self.row.robot, key.into())?;
        Ok(LinkRef {
            robot: self.view(),
            id,
        })
    }

    /// Sets the configuration (n), rad or m; the velocity stays.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
    /// [`Error::Invalid`](crate::Error::Invalid).
    pub fn set_config(&mut self, q: &[f64]) -> Result<()> {
        self.row.state.set_config(&self.row.robot, q)?;
        self.objects.update(self.attachments, self.id, self.row);
        Ok(())
    }

    /// Sets the velocity (n), rad/s or m/s; the configuration stays.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn set_velocity(&mut self, dq: &[f64]) -> Result<()> {
        self.row.state.set_velocity(&self.row.robot, dq)?;
        self.objects.update(self.attachments, self.id, self.row);
        Ok(())
    }

    /// Sets the position of the dof of one link, rad or m.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for an unknown link,
    /// [`Error::Invalid`](crate::Error::Invalid) for one without a dof or a number that is not finite.
    pub fn set_dof_position<'k>(
        &mut self,
        link: impl Into<Key<'k, LinkId>>,
        position: f64,
    ) -> Result<()> {
        let dof = find_dof(&self.row.robot, link.into())?;
        let mut q = self.row.state.config().to_vec();
        q[dof] = position;
        self.set_config(&q)
    }

    /// Sets the values of all drivers; dofs without a driver stay.
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) where there is not one value per driver,
    /// [`Error::Invalid`](crate::Error::Invalid) for one that is not finite.
    pub fn set_driver_values(&mut self, values: &[f64]) -> Result<()> {
        let mut q = self.row.state.config().to_vec();
        kinematics::config_from_drivers(&self.row.robot, values, &mut q)?;
        self.set_config(&q)
    }

    /// Sets the velocities of all drivers; dofs without a driver stay.
    ///
    /// # Errors
    ///
    /// As [`set_driver_values`](Self::set_driver_values).
    pub fn set_driver_velocities(&mut self, velocities: &[f64]) -> Result<()> {
        let mut dq = self.row.state.velocity().to_vec();
        kinematics::velocity_from_drivers(&self.row.robot, velocities, &mut dq)?;
        self.set_velocity(&dq)
    }
}
