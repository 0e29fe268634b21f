//! View of a link of a robot in a world.

use nalgebra::{DMatrix, Matrix3xX, Matrix6xX};

use super::{EntityId, RobotRef};
use crate::Result;
use crate::geometry::Placed;
use crate::kinematics;
use crate::math::{Point, Pose, Vector};
use crate::robot::{DofId, Limits, Link, LinkId};

/// View of a link of a robot in a world: pose, velocity, Jacobians.
///
/// Every method is one call of [`kinematics`] at the current state of the robot.
#[derive(Debug, Clone, Copy)]
pub struct LinkRef<'a> {
    pub(super) robot: RobotRef<'a>,
    pub(super) id: LinkId,
}

impl<'a> LinkRef<'a> {
    /// Index in the robot's list of links.
    #[must_use]
    pub fn id(&self) -> LinkId {
        self.id
    }

    /// The handle in the world.
    #[must_use]
    pub fn entity(&self) -> EntityId {
        EntityId::Link(self.robot.id, self.id)
    }

    /// The name, without that of the robot.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.model().name()
    }

    /// The robot that it belongs to.
    #[must_use]
    pub fn robot(&self) -> RobotRef<'a> {
        self.robot
    }

    /// Description of the link: placement, axis, mass, shapes.
    #[must_use]
    pub fn model(&self) -> &'a Link {
        self.robot.row.robot.link(self.id)
    }

    /// The parent; `None` where the link is a child of the world.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        let robot = self.robot;
        self.model().parent().map(|id| Self { robot, id })
    }

    /// Limits of its dof; `None` for a fixed link.
    #[must_use]
    pub fn limits(&self) -> Option<&'a Limits> {
        self.robot.row.robot.limits_of(self.id)
    }

    /// Pose of the link in the world (Klampt's `getTransform`).
    #[must_use]
    #[doc(alias("transform", "getTransform", "oMi", "xpos"))]
    pub fn pose(&self) -> Pose {
        self.robot.row.state.pose(&self.robot.row.robot, self.id)
    }

    /// Pose in the parent; in the world for a link without one.
    #[must_use]
    pub fn pose_in_parent(&self) -> Pose {
        let row = self.robot.row;
        row.state.pose_in_parent(&row.robot, self.id)
    }

    /// Collision geometry at the current pose; `None` where there is none.
    #[must_use]
    pub fn geometry(&self) -> Option<Placed> {
        let shape = self.model().shape()?.clone();
        Some(Placed::new(shape, self.pose()))
    }

    /// World position of a point of the link, m.
    #[must_use]
    #[doc(alias = "getWorldPosition")]
    pub fn world_position(&self, p_link: &Point) -> Point {
        let row = self.robot.row;
        kinematics::world_position(&row.robot, &row.state, self.id, p_link)
    }

    /// Position of a world point in the frame of the link, m.
    #[must_use]
    #[doc(alias = "getLocalPosition")]
    pub fn local_position(&self, p_world: &Point) -> Point {
        let row = self.robot.row;
        kinematics::local_position(&row.robot, &row.state, self.id, p_world)
    }

    /// Rotates a direction from the link to world axes.
    #[must_use]
    #[doc(alias = "getWorldDirection")]
    pub fn world_direction(&self, d_link: &Vector) -> Vector {
        let row = self.robot.row;
        kinematics::world_direction(&row.robot, &row.state, self.id, d_link)
    }

    /// Rotates a direction from world axes to those of the link.
    #[must_use]
    #[doc(alias = "getLocalDirection")]
    pub fn local_direction(&self, d_world: &Vector) -> Vector {
        let row = self.robot.row;
        kinematics::local_direction(&row.robot, &row.state, self.id, d_world)
    }

    /// Jacobian (6 × n) of a point of the link in world axes, orientation rows first.
    #[must_use]
    #[doc(alias("getJacobian", "getFrameJacobian", "mj_jac"))]
    pub fn jacobian(&self, p_link: &Point) -> Matrix6xX<f64> {
        let row = self.robot.row;
        kinematics::jacobian(&row.robot, &row.state, self.id, p_link)
    }

    /// Jacobian (3 × n) of the position of a point of the link in world axes.
    #[must_use]
    #[doc(alias = "getPositionJacobian")]
    pub fn position_jacobian(&self, p_link: &Point) -> Matrix3xX<f64> {
        let row = self.robot.row;
        kinematics::position_jacobian(&row.robot, &row.state, self.id, p_link)
    }

    /// Jacobian (3 × n) of the orientation in world axes.
    #[must_use]
    #[doc(alias = "getOrientationJacobian")]
    pub fn orientation_jacobian(&self) -> Matrix3xX<f64> {
        let row = self.robot.row;
        kinematics::orientation_jacobian(&row.robot, &row.state, self.id)
    }

    /// [`jacobian`](Self::jacobian), only the columns of some dofs, in their order.
    #[must_use]
    pub fn jacobian_columns(&self, p_link: &Point, dofs: &[DofId]) -> Matrix6xX<f64> {
        let row = self.robot.row;
        kinematics::jacobian_columns(&row.robot, &row.state, self.id, p_link, dofs)
    }

    /// Second derivatives (3 × n × n) of the position of a point of the link in world axes.
    #[must_use]
    pub fn position_hessian(&self, p_link: &Point) -> [DMatrix<f64>; 3] {
        let row = self.robot.row;
        kinematics::position_hessian(&row.robot, &row.state, self.id, p_link)
    }

    /// Velocity of the origin of the link in world axes, m/s.
    #[must_use]
    #[doc(alias = "getVelocity")]
    pub fn velocity(&self) -> Vector {
        self.point_velocity(&Point::origin())
    }

    /// Velocity of a point of the link in world axes, m/s.
    #[must_use]
    #[doc(alias = "getPointVelocity")]
    pub fn point_velocity(&self, p_link: &Point) -> Vector {
        let row = self.robot.row;
        kinematics::point_velocity(&row.robot, &row.state, self.id, p_link)
    }

    /// Angular velocity in world axes, rad/s.
    #[must_use]
    #[doc(alias = "getAngularVelocity")]
    pub fn angular_velocity(&self) -> Vector {
        let row = self.robot.row;
        kinematics::angular_velocity(&row.robot, &row.state, self.id)
    }

    /// Acceleration of a point of the link in world axes under the accelerations `ddq` (n), m/s².
    ///
    /// # Errors
    ///
    /// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
    /// [`Error::Invalid`](crate::Error::Invalid).
    pub fn point_acceleration(&self, p_link: &Point, ddq: &[f64]) -> Result<Vector> {
        let row = self.robot.row;
        kinematics::point_acceleration(&row.robot, &row.state, self.id, p_link, ddq)
    }

    /// Angular acceleration in world axes under the accelerations `ddq` (n), rad/s².
    ///
    /// # Errors
    ///
    /// As [`point_acceleration`](Self::point_acceleration).
    pub fn angular_acceleration(&self, ddq: &[f64]) -> Result<Vector> {
        let row = self.robot.row;
        kinematics::angular_acceleration(&row.robot, &row.state, self.id, ddq)
    }
}
