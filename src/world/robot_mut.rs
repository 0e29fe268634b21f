//! Mutable view of a robot in a world.

use super::attachment::{Attachments, update_attached};
use super::robot_ref::{find_dof, find_link};
use super::table::Table;
use super::{Key, LinkRef, PlacedRobot, RigidObject, RigidObjectId, RobotId, RobotRef};
use crate::Result;
use crate::kinematics;
use crate::robot::LinkId;

/// Mutable view of a robot in a world; [attached objects](super::WorldModel::attach) move with it.
///
/// Limits are not enforced, as in Klampt. A call that fails changes nothing.
#[derive(Debug)]
pub struct RobotMut<'a> {
    pub(super) id: RobotId,
    pub(super) row: &'a mut PlacedRobot,
    pub(super) attachments: &'a Attachments,
    pub(super) objects: &'a mut Table<RigidObjectId, RigidObject>,
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
        update_attached(self.attachments, self.objects, self.id, self.row);
        Ok(())
    }

    /// Sets the velocity (n), rad/s or m/s; the configuration stays.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn set_velocity(&mut self, dq: &[f64]) -> Result<()> {
        self.row.state.set_velocity(&self.row.robot, dq)?;
        update_attached(self.attachments, self.objects, self.id, self.row);
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
