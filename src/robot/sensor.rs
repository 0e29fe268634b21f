//! Sensors of a robot: which quantities are measured at which frames.

use super::check::is_finite;
use super::edit::LinkImage;
use super::{LinkId, Robot, RobotBuilder};
use crate::math::Pose;
use crate::{Error, Result};

/// Sensor at a frame of a link, as a robot's file describes it.
///
/// [`sim::Sensor`](crate::sim::Sensor) is made of one, and measures it in a simulation.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct FrameSensor {
    /// The name.
    pub name: String,
    /// The link.
    pub link: LinkId,
    /// The frame in that of the link.
    pub frame: Pose,
    /// What is measured.
    pub quantity: Quantity,
}

/// Quantity measured at a frame of a link. *Local* means in the axes of the frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Quantity {
    /// Position of the origin, m (3).
    Position,
    /// Displacement from the reference configuration, m (3).
    Displacement,
    /// Tait–Bryan angles, rad (3): `R = Rx(a) Ry(b) Rz(c)`, see [`so3::to_xyz`](crate::math::so3::to_xyz).
    Rotation,
    /// Rotation matrix from the frame to the world, by rows (9).
    RotationMatrix,
    /// Unit quaternion from the frame to the world, w first, w ≥ 0 (4).
    Quaternion,
    /// Velocity of the origin, m/s (3).
    Velocity,
    /// Velocity of the origin, local.
    VelocityLocal,
    /// Acceleration of the origin, m/s² (3).
    Acceleration,
    /// Acceleration of the origin, local.
    AccelerationLocal,
    /// Angular velocity, rad/s (3).
    AngularVelocity,
    /// Angular velocity, local.
    AngularVelocityLocal,
    /// Angular acceleration, rad/s² (3).
    AngularAcceleration,
    /// Angular acceleration, local.
    AngularAccelerationLocal,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 13] = [
        Self::Position,
        Self::Displacement,
        Self::Rotation,
        Self::RotationMatrix,
        Self::Quaternion,
        Self::Velocity,
        Self::VelocityLocal,
        Self::Acceleration,
        Self::AccelerationLocal,
        Self::AngularVelocity,
        Self::AngularVelocityLocal,
        Self::AngularAcceleration,
        Self::AngularAccelerationLocal,
    ];

    /// Name in files, such as `velocity_local`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Position => "position",
            Self::Displacement => "displacement",
            Self::Rotation => "rotation",
            Self::RotationMatrix => "rotation_matrix",
            Self::Quaternion => "quaternion",
            Self::Velocity => "velocity",
            Self::VelocityLocal => "velocity_local",
            Self::Acceleration => "acceleration",
            Self::AccelerationLocal => "acceleration_local",
            Self::AngularVelocity => "angular_velocity",
            Self::AngularVelocityLocal => "angular_velocity_local",
            Self::AngularAcceleration => "angular_acceleration",
            Self::AngularAccelerationLocal => "angular_acceleration_local",
        }
    }
}

impl FrameSensor {
    /// Sensor of a quantity at a frame of a link.
    #[must_use]
    pub fn new(name: impl Into<String>, link: LinkId, frame: Pose, quantity: Quantity) -> Self {
        Self {
            name: name.into(),
            link,
            frame,
            quantity,
        }
    }

    /// The sensor after an edit, `None` where its link was removed.
    pub(super) fn after(&self, image: &dyn Fn(LinkId) -> Option<LinkImage>) -> Option<Self> {
        let (link, frame) = match image(self.link)? {
            LinkImage::Link(link) => (link, self.frame),
            LinkImage::Part(link, x) => (link, x * self.frame),
            LinkImage::Removed => return None,
        };
        Some(Self {
            link,
            frame,
            ..self.clone()
        })
    }
}

impl Robot {
    /// The sensors that its file describes.
    #[must_use]
    pub fn sensors(&self) -> &[FrameSensor] {
        &self.sensors
    }
}

impl RobotBuilder {
    /// Refuses sensors at links that do not exist, and frames that are not finite.
    pub(super) fn check_sensors(&self) -> Result<()> {
        let n = self.links.len();
        for sensor in &self.sensors {
            let refuse =
                |problem: String| Err(Error::invalid(format!("sensor `{}`", sensor.name), problem));
            if sensor.link.index() >= n {
                return refuse(format!("there are only {n} links"));
            }
            if !is_finite(&sensor.frame) {
                return refuse("its frame is not finite".to_owned());
            }
        }
        Ok(())
    }
}
