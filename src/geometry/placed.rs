//! A geometry at a pose.

use super::Geometry;
use super::bounds::Aabb;
use super::query::{self, At, Distance, RayHit};
use crate::Result;
use crate::math::{Point, Pose, Vector};

/// A geometry at a pose in the world; a clone shares the geometry, not the pose.
#[doc(alias = "CollisionObject")]
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Placed {
    /// The shape, in its own frame.
    pub geometry: Geometry,
    /// The pose of that frame in the world.
    pub pose: Pose,
}

impl Placed {
    /// Places a geometry at a pose.
    #[must_use]
    pub fn new(geometry: impl Into<Geometry>, pose: Pose) -> Self {
        Self {
            geometry: geometry.into(),
            pose,
        }
    }

    /// Axis-aligned box around it with its margin, `None` for an empty shape; see [`Geometry::aabb`].
    #[must_use]
    pub fn aabb(&self) -> Option<Aabb> {
        self.geometry.aabb(&self.pose)
    }

    /// The smallest axis-aligned box around it without its margin, `None` for an empty shape.
    #[must_use]
    pub fn aabb_tight(&self) -> Option<Aabb> {
        self.geometry.aabb_tight(&self.pose)
    }

    /// Returns whether it overlaps or touches another; see [`query::collides`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a pose that is not finite or is no rigid motion.
    pub fn collides(&self, other: &Self) -> Result<bool> {
        query::collides(self.at(), other.at())
    }

    /// Returns whether its distance to another is at most `d`; see [`query::within_distance`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an invalid pose, or a `d` that is not a number.
    pub fn within_distance(&self, other: &Self, d: f64) -> Result<bool> {
        query::within_distance(self.at(), other.at(), d)
    }

    /// Distance to another and the closest points; see [`query::distance`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a pose that is not finite or is no rigid motion.
    pub fn distance(&self, other: &Self) -> Result<Distance> {
        query::distance(self.at(), other.at())
    }

    /// First surface that a ray hits within `max` metres; see [`query::ray_cast`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an invalid pose or ray.
    pub fn ray_cast(&self, origin: &Point, direction: &Vector, max: f64) -> Result<Option<RayHit>> {
        query::ray_cast(self.at(), origin, direction, max)
    }

    /// The farthest point in a direction; see [`query::support`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an invalid pose or direction.
    pub fn support(&self, direction: &Vector) -> Result<Option<Point>> {
        query::support(self.at(), direction)
    }

    /// Returns whether a point is inside a solid or on its surface; see [`query::contains_point`].
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for an invalid pose or point.
    pub fn contains_point(&self, point: &Point) -> Result<bool> {
        query::contains_point(self.at(), point)
    }

    fn at(&self) -> At<'_> {
        (&self.geometry, &self.pose)
    }
}
