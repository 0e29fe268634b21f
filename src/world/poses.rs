//! Configurations and poses of a world as plain data.

use super::WorldModel;
use super::entity::check_velocity;
use crate::geometry::check_pose;
use crate::kinematics::{Snapshot, State};
use crate::math::{Pose, Vector};
use crate::{Error, Result};

/// States of all robots and rigid objects of a world: all that changes while they move.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldPoses {
    /// One per robot, in the order in which they were added.
    pub robots: Vec<RobotPose>,
    /// One per rigid object, in the order in which they were added.
    pub rigid_objects: Vec<RigidObjectPose>,
}

/// State of a robot.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RobotPose {
    /// The robot's name.
    pub name: String,
    /// Configuration and velocity.
    pub state: Snapshot,
}

/// Pose and velocity of a rigid object.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidObjectPose {
    /// The object's name.
    pub name: String,
    /// The pose of the object's frame in the world.
    pub pose: Pose,
    /// Velocity of the frame's origin in world axes, m/s.
    pub velocity: Vector,
    /// Angular velocity in world axes, rad/s.
    pub angular_velocity: Vector,
}

impl WorldModel {
    /// The states of all robots and rigid objects.
    #[must_use]
    pub fn poses(&self) -> WorldPoses {
        let robots = self.robots().map(|robot| RobotPose {
            name: robot.name().to_owned(),
            state: robot.state().snapshot(),
        });
        let rigid_objects = self.rigid_objects().map(|(_, object)| RigidObjectPose {
            name: object.name.clone(),
            pose: object.pose,
            velocity: object.velocity,
            angular_velocity: object.angular_velocity,
        });
        WorldPoses {
            robots: robots.collect(),
            rigid_objects: rigid_objects.collect(),
        }
    }

    /// Restores states taken from this world, or from one with the same robots and rigid objects in the same order.
    /// [Attached objects](Self::attach) follow their links.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] or [`Error::Length`] where names, numbers of dofs or values do not fit; then nothing
    /// changes.
    pub fn set_poses(&mut self, poses: &WorldPoses) -> Result<()> {
        check_names(
            "robots",
            self.robots.iter().map(|(_, row)| row.name.as_str()),
            poses.robots.iter().map(|pose| pose.name.as_str()),
        )?;
        check_names(
            "rigid objects",
            self.rigid_objects().map(|(_, object)| object.name.as_str()),
            poses.rigid_objects.iter().map(|pose| pose.name.as_str()),
        )?;
        let states = (self.robots.iter().zip(&poses.robots))
            .map(|((_, row), pose)| State::restore(&row.robot, &pose.state))
            .collect::<Result<Vec<_>>>()?;
        for pose in &poses.rigid_objects {
            let label = format!("rigid object `{}`", pose.name);
            check_pose(&label, &pose.pose)?;
            check_velocity(&label, &pose.angular_velocity, &pose.velocity)?;
        }

        // nothing can fail from here on
        for (row, state) in self.robots.iter_mut().zip(states) {
            row.state = state;
        }
        for (object, pose) in self.rigid_objects.iter_mut().zip(&poses.rigid_objects) {
            object.pose = pose.pose;
            object.velocity = pose.velocity;
            object.angular_velocity = pose.angular_velocity;
        }
        self.update_attached();
        Ok(())
    }
}

/// Refuses two lists of names that differ.
fn check_names<'a>(
    what: &str,
    here: impl ExactSizeIterator<Item = &'a str>,
    given: impl ExactSizeIterator<Item = &'a str>,
) -> Result<()> {
    let (n_here, n_given) = (here.len(), given.len());
    let problem = if n_here != n_given {
        format!("the world has {n_here}, the poses are of {n_given}")
    } else if let Some((i, (a, b))) = here.zip(given).enumerate().find(|(_, (a, b))| a != b) {
        format!("number {i} of the world is `{a}`, that of the poses `{b}`")
    } else {
        return Ok(());
    };
    Err(Error::invalid(format!("poses of {what}"), problem))
}
