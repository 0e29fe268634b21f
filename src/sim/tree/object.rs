//! Rigid objects of a world as trees.

use super::KinematicTree;
use crate::Result;
use crate::math::Vector;
use crate::robot::{JointKind, RobotBuilder};
use crate::sim::integrator::IntegratorState;
use crate::world::RigidObject;

impl KinematicTree {
    /// Tree of a rigid object as a floating body, the last link of its own robot; and its initial state at time 0.
    ///
    /// Positions are relative to the object's present pose and axes, so that the start is not singular. Sensors measure
    /// in the world. Contact is not modelled.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for numbers that are not finite, or a zero inertia.
    ///
    /// # Examples
    ///
    /// A crate is thrown, and put back into its world a second later:
    ///
    /// ```
    /// use kinworld::sim::{Evaluation, Integrator, KinematicTree, Mechanism, Method, Steps};
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
    /// let link = tree.robot().link_id("crate")?;
    /// let motion = tree.at(1.0, &state.y)?.point_motion(link, &Point::origin())?;
    /// world.rigid_object_mut(id)?.set_pose(&motion.pose())?;
    /// let position = world.rigid_object(id)?.pose.translation.vector;
    /// assert!((position - Vector::new(3.0, 0.0, 0.0)).norm() < 1e-12);
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

        // at zero angles yaw, pitch and roll rotate about z, y and x
        let state = tree.initial_state(0.0, &[0.0; 6], &[v.x, v.y, v.z, w.z, w.y, w.x])?;
        Ok((tree, state))
    }
}
