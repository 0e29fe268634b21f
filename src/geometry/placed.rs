//! A geometry and where it is.

use super::Geometry;
use super::bounds::Aabb;
use crate::math::Pose;

/// A geometry at a pose in the world; a clone shares the geometry, never the pose.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placed {
    /// The shape, in its own frame.
    pub geometry: Geometry,
    /// The pose of that frame in the world.
    pub pose: Pose,
}

impl Placed {
    /// A geometry at a pose.
    #[must_use]
    pub fn new(geometry: impl Into<Geometry>, pose: Pose) -> Self {
        Self {
            geometry: geometry.into(),
            pose,
        }
    }

    /// A box around it with its margin, `None` for an empty shape; see [`Geometry::aabb`].
    #[must_use]
    pub fn aabb(&self) -> Option<Aabb> {
        self.geometry.aabb(&self.pose)
    }

    /// The smallest box around it without its margin, `None` for an empty shape.
    #[must_use]
    pub fn aabb_tight(&self) -> Option<Aabb> {
        self.geometry.aabb_tight(&self.pose)
    }
}
