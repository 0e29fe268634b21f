//! Collision, distance, contact, ray and point queries on one shape or two.
//!
//! A shape is passed with the pose of its frame in the world: `collides((&cup, &x_cup), (&table, &x_table))`. Results
//! are in the world. Every query rejects a pose that is not finite or is no rigid motion, and shapes that extend beyond
//! 1e50 m; poses that are orthonormal only to a few digits are re-orthonormalized.
//!
//! | query | applies to |
//! |---|---|
//! | [`collides`], [`within_distance`], [`distance`], [`contacts`] | the shapes with their margins |
//! | [`first_collision`], [`first_within`], [`nearest`] of many shapes | the shapes with their margins |
//! | [`ray_cast`], [`support`], [`contains_point`] | the shapes without their margins |
//!
//! Two shapes touch, and so collide, when they are closer than the rounding: 16 units in the last place of the lengths
//! involved, about 1e-14 m for shapes of a metre.

mod contacts;
mod many;
mod pair;

pub use contacts::{ContactPair, contacts};
pub(crate) use many::nearer_at;
pub use many::{first_collision, first_within, nearest};

use super::Geometry;
use super::check::{check_direction, check_points, check_pose, orthonormal};
use super::narrow;
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};
use pair::{Pair, Placement};

/// A shape and the pose of its frame in the world.
pub type At<'a> = (&'a Geometry, &'a Pose);

/// Distance of two shapes, with their closest points.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Distance {
    /// Separation less both margins, m; 0 where they overlap or touch, infinite where one shape is empty.
    pub distance: f64,
    /// Closest point of the first shape without its margin, `None` where the distance is 0 or infinite.
    pub on_a: Option<Point>,
    /// Closest point of the second shape without its margin, `None` where the distance is 0 or infinite.
    pub on_b: Option<Point>,
}

/// Intersection of a ray with a surface.
#[doc(alias = "RayIntersection")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The point, in the world.
    pub point: Point,
    /// Distance from the origin of the ray, m.
    pub distance: f64,
    /// The unit normal, in the world: outward from a solid, by the order of its vertices from a triangle.
    pub normal: Vector,
    /// Index of the member in the outermost group, 0 where the geometry is no group.
    pub member: usize,
    /// Index of the triangle of a mesh or the point of a cloud, 0 for other shapes.
    pub element: usize,
}

/// Returns whether two shapes overlap or touch, margins included.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive, query};
/// use kinworld::{Point, Pose};
///
/// let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let (here, there) = (Pose::identity(), Pose::translation(1.0, 0.0, 0.0));
/// assert!(query::collides((&sphere, &here), (&sphere, &there))?); // they touch
///
/// let away = Pose::translation(1.25, 0.0, 0.0);
/// assert_eq!(query::distance((&sphere, &here), (&sphere, &away))?.distance, 0.25);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "intersection_test")]
#[doc(alias = "collide")]
#[doc(alias = "mj_collision")]
pub fn collides(a: At<'_>, b: At<'_>) -> Result<bool> {
    check(&[a, b])?;
    Ok(collides_at(a, b))
}

/// Returns whether the [`distance`] of two shapes is at most `d`.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion, or a `d` that is not a number.
#[doc(alias = "withinDistance")]
#[doc(alias = "tolerance_verification")]
pub fn within_distance(a: At<'_>, b: At<'_>, d: f64) -> Result<bool> {
    check(&[a, b])?;
    if d.is_nan() {
        return Err(Error::invalid("distance to be within", "is not a number"));
    }
    Ok(within_distance_at(a, b, d))
}

/// Distance of two shapes, with their closest points.
///
/// It is 0 exactly where they [collide](collides); for the depth of an overlap use [`contacts`].
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion.
#[doc(alias = "computeDistance")]
#[doc(alias = "mj_geomDistance")]
#[doc(alias = "closest_points")]
pub fn distance(a: At<'_>, b: At<'_>) -> Result<Distance> {
    check(&[a, b])?;
    Ok(distance_at(a, b))
}

/// First surface that a ray hits within `max` metres, from either side, margins excluded.
///
/// A ray that starts inside a solid hits its far side. Points, segments and clouds are never hit.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion, an origin that is not finite, a direction
/// that is zero or not finite, or a `max` that is negative or not a number.
#[doc(alias = "rayCast")]
#[doc(alias = "mj_ray")]
#[doc(alias = "cast_ray")]
pub fn ray_cast(a: At<'_>, origin: &Point, direction: &Vector, max: f64) -> Result<Option<RayHit>> {
    check(&[a])?;
    check_points("a ray", &[*origin])?;
    let direction = check_direction("ray direction", direction)?;
    if max < 0.0 || max.is_nan() {
        return Err(Error::invalid(
            "ray length",
            format!("must be 0 or more, got {max}"),
        ));
    }
    Ok(ray_cast_at(a, origin, &direction, max))
}

/// Support point: the farthest point of a shape in a direction, margin excluded; `None` for an empty shape.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion, or a direction that is zero or not finite.
#[doc(alias = "support_mapping")]
pub fn support((geometry, pose): At<'_>, direction: &Vector) -> Result<Option<Point>> {
    check(&[(geometry, pose)])?;
    let pose = orthonormal(pose);
    let local = pose.inverse_transform_vector(&check_direction("support direction", direction)?);
    let points = geometry
        .body()
        .pieces
        .iter()
        .map(|piece| piece.support(&local));
    let farthest = points.max_by(|p, q| local.dot(&p.coords).total_cmp(&local.dot(&q.coords)));
    Ok(farthest.map(|p| pose * p))
}

/// Returns whether a point is inside a solid or on its surface, margin excluded.
///
/// Surfaces contain nothing: a mesh must be [marked as solid](Geometry::with_solid) first.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose or a point that is not finite, or a pose that is no rigid motion.
#[doc(alias = "point_in_shape")]
pub fn contains_point(a: At<'_>, point: &Point) -> Result<bool> {
    check(&[a])?;
    check_points("a query", &[*point])?;
    Ok(contains_point_at(a, point))
}

fn check(shapes: &[At<'_>]) -> Result<()> {
    shapes.iter().try_for_each(|(geometry, pose)| {
        check_pose("a geometry", pose)?;
        if geometry.body().is_sound() && pose.translation.vector.amax() <= narrow::FARTHEST {
            return Ok(());
        }
        let problem = format!(
            "its bounding box is not finite or extends beyond {:e} m",
            narrow::FARTHEST
        );
        Err(Error::invalid("geometry", problem))
    })
}

/// [`within_distance`] for valid poses.
#[inline]
pub(crate) fn within_distance_at(a: At<'_>, b: At<'_>, d: f64) -> bool {
    d >= 0.0 && Pair::new(a, b).is_within(d)
}

/// [`within_distance_at`] with a cached separating direction: faster where the shapes are still separated along `last`,
/// a unit vector in the world from a to b, or zero. `last` is updated where a new direction had to be computed; the
/// result does not depend on it.
#[inline]
pub(crate) fn within_distance_from(a: At<'_>, b: At<'_>, d: f64, last: &mut Vector) -> bool {
    d >= 0.0 && Pair::new(a, b).is_within_from(d, last)
}

/// [`collides`] for valid poses.
#[inline]
pub(crate) fn collides_at(a: At<'_>, b: At<'_>) -> bool {
    Pair::new(a, b).is_within(0.0)
}

/// [`distance`] for valid poses.
#[inline]
pub(crate) fn distance_at(a: At<'_>, b: At<'_>) -> Distance {
    Pair::new(a, b).distance()
}

/// [`ray_cast`] for a unit direction and a valid pose.
pub(crate) fn ray_cast_at(
    (geometry, pose): At<'_>,
    origin: &Point,
    direction: &Vector,
    max: f64,
) -> Option<RayHit> {
    let pose = orthonormal(pose);
    let (from, along) = (
        pose.inverse_transform_point(origin),
        pose.inverse_transform_vector(direction),
    );
    let body = geometry.body();
    let hit = narrow::nearest_hit(body, &from, &along, max)?;
    let piece = &body.pieces[hit.piece];
    Some(RayHit {
        point: origin + direction * hit.distance,
        distance: hit.distance,
        normal: pose * hit.normal,
        member: body.parts[piece.part as usize].member as usize,
        element: piece.element as usize,
    })
}

/// [`contains_point`] for a valid pose.
#[inline]
pub(crate) fn contains_point_at(a: At<'_>, point: &Point) -> bool {
    Placement::new(a).contains(point)
}
