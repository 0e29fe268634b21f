//! What a world holds besides robots: rigid objects and terrains.

use crate::geometry::Geometry;
use crate::math::{Inertia, Pose, Vector};

/// How a surface behaves in contact.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactParameters {
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// N/m; infinite for a rigid surface.
    pub stiffness: f64,
    /// N·s/m; infinite for a rigid surface.
    pub damping: f64,
}

impl Default for ContactParameters {
    fn default() -> Self {
        Self {
            friction: 0.5,
            restitution: 0.0,
            stiffness: f64::INFINITY,
            damping: f64::INFINITY,
        }
    }
}

/// A body that can be anywhere, without a motor.
#[derive(Debug, Clone)]
pub struct RigidObject {
    /// The name, which need not be unique.
    pub name: String,
    /// The shape in the object's frame, if it has one.
    pub geometry: Option<Geometry>,
    /// The pose of the object's frame in the world.
    pub pose: Pose,
    /// Velocity of the frame's origin in world axes, m/s.
    pub velocity: Vector,
    /// Angular velocity in world axes, rad/s.
    pub angular_velocity: Vector,
    /// Mass, centre of mass and moment of inertia in the object's frame.
    pub inertia: Inertia,
    /// How its surface behaves in contact.
    pub contact: ContactParameters,
}

/// A shape that never moves.
#[derive(Debug, Clone)]
pub struct Terrain {
    /// The name, which need not be unique.
    pub name: String,
    /// The shape in the world, if it has one.
    pub geometry: Option<Geometry>,
    /// Coulomb friction coefficient: one for all, or one per triangle.
    pub friction: Vec<f64>,
}
