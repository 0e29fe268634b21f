//! Rigid objects of a world, free to move.

use super::KinematicTree;
use crate::Result;
use crate::math::Vector;
use crate::robot::{JointKind, RobotBuilder};
use crate::sim::integrator::IntegratorState;
use crate::world::RigidObject;

impl KinematicTree {
    /// A rigid object as a body that floats, the last link of a robot of its own; and where and how it moves at time 0.
    ///
    /// Coordinates are counted from the pose that it has now, along the axes that it has now, so that no pose is singular.
    /// What a sensor reads is in the world as ever. Nothing touches: contact is not part of this.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) where its numbers are not finite, or its inertia is none.
    ///
    /// # Examples
    ///
    /// A crate is thrown, and put back into its world a second later:
    ///
    /// ```
    /// use kinworld::sim::{Integrator, KinematicTree, Mechanism, Method, Steps};
    /// use kinworld::world::RigidObject;
    /// use kinworld::{Point, Vector, WorldModel};
    ///
    /// let mut world = WorldModel::new();
    /// let mut crate_ = RigidObject::new("crate");
    /// crate_.velocity = Vector::new(3.0, 0.0, 5.0);
    /// crate_.angular_velocity = Vector::new(0.0, 2.0, 0.0);
    /// crate_.inertia.moment.fill_diagonal(0.1);
    /// let id = world.add_rigid_object(crate_)?;
    ///
    /// let (mut tree, mut state) = KinematicTree::of_object(world.rigid_object(id)?)?;
    /// tree.forces.gravity = Vector::new(0.0, 0.0, -10.0);
    /// Integrator::new(Method::Rk44, Steps::Count(100))?.run(&mut tree, &mut state, 1.0, &mut ())?;
    ///
    /// tree.evaluate(1.0, &state.y)?;
    /// let link = tree.robot().link_id("crate")?;
    /// let motion = tree.point_motion(link, &Point::origin())?;
    /// world.rigid_object_mut(id)?.set_pose(&motion.pose())?;
    /// let place = world.rigid_object(id)?.pose.translation.vector;
    /// assert!((place - Vector::new(3.0, 0.0, 0.0)).norm() < 1e-12);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn of_object(object: &RigidObject) -> Result<(Self, IntegratorState)> {
        let mut robot = RobotBuilder::new(object.name.clone());
        let body =
            robot.add_virtual_chain(JointKind::Floating, &object.name, None, &object.pose)?;
        robot.links[body.index()].inertia = object.inertia;
        let mut tree = Self::new(robot.build()?);
        let local = |v: &Vector| object.pose.rotation.inverse_transform_vector(v);
        let (v, w) = (local(&object.velocity), local(&object.angular_velocity));

        // where the angles are zero, yaw, pitch and roll turn about z, y and x
        let state = tree.initial_state(0.0, &[0.0; 6], &[v.x, v.y, v.z, w.z, w.y, w.x])?;
        Ok((tree, state))
    }
}
