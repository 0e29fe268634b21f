//! Worlds moved as a whole.

use super::WorldModel;
use crate::Result;
use crate::geometry::check_pose;
use crate::math::Pose;
use crate::robot::RobotBuilder;

impl WorldModel {
    /// The same world with everything in it moved by a pose, in world axes: roots of robots, rigid objects with their
    /// velocities, and the shapes of terrains.
    ///
    /// Handles, names, configurations and attachments are the same. A pose of the old world, `x_wo`, becomes `pose * x_wo`.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a pose that is not finite or whose matrix is no rotation, and where a
    /// moved shape is not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{Pose, WorldModel};
    ///
    /// let cell = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let upstairs = cell.placed(&Pose::translation(0.0, 0.0, 3.0))?;
    /// let height = |world: &WorldModel| world.rigid_object("can").map(|can| can.pose.translation.vector.z);
    /// assert!((height(&upstairs)? - height(&cell)? - 3.0).abs() < 1e-12);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn placed(&self, pose: &Pose) -> Result<Self> {
        check_pose("the world", pose)?;
        let mut world = self.clone();
        for robot in self.robots() {
            let mut builder = RobotBuilder::from(&**robot.model());
            for link in builder
                .links
                .iter_mut()
                .filter(|link| link.parent.is_none())
            {
                link.placement = pose * link.placement;
            }
            world.replace_robot(robot.id(), builder.build()?)?;
        }
        for (id, object) in self.rigid_objects() {
            // the link carries what is attached to it
            if self.attachment(id).is_some() {
                continue;
            }
            let mut moved = world.rigid_object_mut(id)?;
            moved.set_pose(&(pose * object.pose))?;
            moved.set_velocity(
                &(pose.rotation * object.angular_velocity),
                &(pose.rotation * object.velocity),
            )?;
        }
        let map = pose.to_homogeneous();
        for (id, terrain) in self.terrains() {
            let shape = terrain.geometry.as_ref();
            let shape = shape.map(|shape| shape.transformed(&map)).transpose()?;
            world.terrain_mut(id)?.set_geometry(shape);
        }
        Ok(world)
    }
}
