//! Questions about one shape or two.
//!
//! A shape and the pose of its frame in the world stand side by side: `collides((&cup, &x_cup), (&table, &x_table))`.
//! Answers are in the world. Every question refuses a pose that is not finite or does not rotate, and
//! shapes that reach farther than 1e50 m; poses
//! that are orthonormal only to a few digits are made exact first.
//!
//! | question | judges by |
//! |---|---|
//! | [`collides`], [`within_distance`], [`distance`], [`contacts`] | the shapes with their margins |
//! | [`first_collision`], [`first_within`], [`nearest`] of many shapes | the shapes with their margins |
//! | [`ray_cast`], [`support`], [`contains_point`] | the shapes alone |
//!
//! Two shapes touch, and so collide, when they are nearer than numbers can tell: 16 units in the last place of the
//! lengths at hand, about 1e-14 m for shapes of a metre.

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

/// How far apart two shapes are.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Distance {
    /// The gap less both margins, m; 0 where they overlap or touch, infinite where one shape is empty.
    pub distance: f64,
    /// The nearest point of the first shape without its margin, `None` where the distance is 0 or infinite.
    pub on_a: Option<Point>,
    /// The nearest point of the second shape without its margin, `None` where the distance is 0 or infinite.
    pub on_b: Option<Point>,
}

/// Where a ray meets a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RayHit {
    /// The point, in the world.
    pub point: Point,
    /// How far it is from the origin of the ray, m.
    pub distance: f64,
    /// The unit normal, in the world: outward from a solid, by the order of its corners from a triangle.
    pub normal: Vector,
    /// The index in the outermost group, 0 where the geometry is no group.
    pub member: usize,
    /// The triangle of a mesh or the point of a cloud, 0 for other shapes.
    pub element: usize,
}

/// Whether two shapes overlap or touch, margins included.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or does not rotate.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive, query};
/// use kinworld::{Point, Pose};
///
/// let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let (here, there) = (Pose::identity(), Pose::translation(1.0, 0.0, 0.0));
/// assert!(query::collides((&ball, &here), (&ball, &there))?); // they touch
///
/// let apart = Pose::translation(1.25, 0.0, 0.0);
/// assert_eq!(query::distance((&ball, &here), (&ball, &apart))?.distance, 0.25);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn collides(a: At<'_>, b: At<'_>) -> Result<bool> {
    check(&[a, b])?;
    Ok(collides_at(a, b))
}

/// Whether the [`distance`] of two shapes is at most `d`.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or does not rotate, or a `d` that is not a number.
pub fn within_distance(a: At<'_>, b: At<'_>, d: f64) -> Result<bool> {
    check(&[a, b])?;
    if d.is_nan() {
        return Err(Error::invalid("distance to be within", "is not a number"));
    }
    Ok(within_distance_at(a, b, d))
}

/// How far apart two shapes are, with the points where they are nearest.
///
/// It is 0 exactly where they [collide](collides); for the depth of an overlap ask [`contacts`].
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or does not rotate.
pub fn distance(a: At<'_>, b: At<'_>) -> Result<Distance> {
    check(&[a, b])?;
    Ok(distance_at(a, b))
}

/// The first surface that a ray meets within `max` metres, seen from either side, margins left out.
///
/// A ray that starts inside a solid meets its far side. Points, segments and clouds are never hit.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or does not rotate, an origin that is not finite, a direction that
/// is zero or not finite, or a `max` that is negative or not a number.
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

/// The point of a shape that is farthest in a direction, margin left out, `None` for an empty shape.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or does not rotate, or a direction that is zero or not finite.
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

/// Whether a point is inside a solid or on its surface, margin left out.
///
/// Surfaces contain nothing: a mesh must be [marked as solid](Geometry::with_solid) first.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose or a point that is not finite, or a pose that does not rotate.
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
            "reaches farther than {:e} m or out of the numbers",
            narrow::FARTHEST
        );
        Err(Error::invalid("geometry", problem))
    })
}

/// [`within_distance`] for poses that are known to be good.
pub(crate) fn within_distance_at(a: At<'_>, b: At<'_>, d: f64) -> bool {
    d >= 0.0 && Pair::new(a, b).is_within(d)
}

/// The same, sooner where they still are apart along `last`: a unit vector in the world from a to b, or zero. It becomes the
/// direction along which they are now, where that was looked for; the answer does not depend on it.
pub(crate) fn within_distance_from(a: At<'_>, b: At<'_>, d: f64, last: &mut Vector) -> bool {
    d >= 0.0 && Pair::new(a, b).is_within_from(d, last)
}

/// [`collides`] for poses that are known to be good.
pub(crate) fn collides_at(a: At<'_>, b: At<'_>) -> bool {
    Pair::new(a, b).is_within(0.0)
}

/// [`distance`] for poses that are known to be good.
pub(crate) fn distance_at(a: At<'_>, b: At<'_>) -> Distance {
    Pair::new(a, b).distance()
}

/// [`ray_cast`] for a unit direction and a pose that are known to be good.
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

/// [`contains_point`] for a pose that is known to be good.
pub(crate) fn contains_point_at(a: At<'_>, point: &Point) -> bool {
    Placement::new(a).contains(point)
}
