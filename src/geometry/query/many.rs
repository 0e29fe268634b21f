//! Queries of one shape against many: a broad phase over boxes, pruned by the results so far.

use super::pair::Pair;
use super::{At, Distance, check, collides_at, within_distance_at};
use crate::geometry::Aabb;
use crate::geometry::check::orthonormal;
use crate::{Error, Result};

/// Index of the first of many shapes that overlaps or touches a shape, margins included; `None` where none does.
///
/// The answer is that of [`collides`](super::collides) in a loop. Shapes with disjoint boxes are skipped; nothing is
/// allocated.
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
/// let poses = [3.0, 0.75, 0.25].map(|x| Pose::translation(x, 0.0, 0.0));
/// let spheres = poses.each_ref().map(|pose| (&sphere, pose));
///
/// let hand = (&sphere, &Pose::identity());
/// assert_eq!(query::first_collision(hand, &spheres)?, Some(1));
/// assert_eq!(query::first_collision(hand, &spheres[..1])?, None);
/// let (index, nearest) = query::nearest(hand, &spheres[..1])?.unwrap();
/// assert_eq!((index, nearest.distance), (0, 2.0));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "broadphase")]
pub fn first_collision(a: At<'_>, others: &[At<'_>]) -> Result<Option<usize>> {
    first(a, others, 0.0, collides_at)
}

/// Index of the first of many shapes whose [`distance`](super::distance()) from a shape is at most `d`; `None` where
/// there is none.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion, or a `d` that is not a number.
pub fn first_within(a: At<'_>, others: &[At<'_>], d: f64) -> Result<Option<usize>> {
    if d.is_nan() {
        return Err(Error::invalid("distance to be within", "is not a number"));
    }
    first(a, others, d, |a, b| within_distance_at(a, b, d))
}

/// Index and distance of the nearest of many shapes, with the closest points; `None` for no shapes, or where all are
/// infinitely far.
///
/// The answer is the least [`distance`](super::distance()) of all; of several that are equal, such as 0 for all that
/// collide, that of the first. The nearest boxes are tested first, and their distances prune the rest.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion.
pub fn nearest(a: At<'_>, others: &[At<'_>]) -> Result<Option<(usize, Distance)>> {
    check(&[a])?;
    check(others)?;
    Ok(nearest_at(a, others))
}

fn first(
    a: At<'_>,
    others: &[At<'_>],
    d: f64,
    is_near: impl Fn(At<'_>, At<'_>) -> bool,
) -> Result<Option<usize>> {
    check(&[a])?;
    check(others)?;
    let around_a = bounds(a);
    Ok(others
        .iter()
        .position(|&b| separation(around_a.as_ref(), b) <= d && is_near(a, b)))
}

/// [`nearest`] for valid poses.
fn nearest_at(a: At<'_>, others: &[At<'_>]) -> Option<(usize, Distance)> {
    let around_a = bounds(a);
    let mut open: Vec<(f64, usize)> = (0..others.len())
        .map(|i| (separation(around_a.as_ref(), others[i]), i))
        .filter(|(separation, _)| separation.is_finite())
        .collect();
    open.sort_unstable_by(|(x, i), (y, j)| x.total_cmp(y).then(i.cmp(j)));
    let mut best: Option<(usize, Distance)> = None;
    for (separation, i) in open {
        let least = best.map_or(f64::INFINITY, |(_, found)| found.distance);
        // of those that collide the first comes first
        if separation > least || least <= 0.0 {
            break;
        }
        let Some(found) = nearer_at(a, others[i], least) else {
            continue;
        };
        let is_better = |(first, best): (usize, Distance)| {
            let by_distance = found.distance.total_cmp(&best.distance);
            by_distance.then(i.cmp(&first)).is_lt()
        };
        if best.is_none_or(is_better) {
            best = Some((i, found));
        }
    }
    best.filter(|(_, found)| found.distance.is_finite())
}

/// Distance of two shapes, `None` where it is more than `limit`, which is faster; poses must be valid.
pub(crate) fn nearer_at(a: At<'_>, b: At<'_>, limit: f64) -> Option<Distance> {
    let pair = Pair::new(a, b);
    pair.is_within(limit).then(|| pair.distance())
}

/// Axis-aligned box around a shape in the world.
fn bounds((geometry, pose): At<'_>) -> Option<Aabb> {
    geometry.aabb(&orthonormal(pose))
}

/// Lower bound on the distance of a shape from a box, infinite where one of them is empty.
fn separation(around_a: Option<&Aabb>, b: At<'_>) -> f64 {
    let around_b = bounds(b);
    around_a
        .zip(around_b.as_ref())
        .map_or(f64::INFINITY, |(a, b)| a.separation(b))
}
