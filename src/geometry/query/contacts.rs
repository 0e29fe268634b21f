//! Contact points of two shapes, with normal and depth.

use std::collections::HashMap;

use super::pair::Pair;
use super::{At, check};
use crate::geometry::narrow::{self, Near, Piece};
use crate::geometry::parry::{self, PressurePoint};
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// Pair of points where two shapes touch, overlap or nearly touch.
#[doc(alias = "contact_manifold")]
#[doc(alias = "mjContact")]
#[doc(alias = "CollisionResult")]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct ContactPair {
    /// Point on the surface of the first shape without its margin, in the world.
    pub point_a: Point,
    /// Point on the surface of the second shape without its margin, in the world.
    pub point_b: Point,
    /// Unit normal out of the first shape into the second, in the world.
    pub normal: Vector,
    /// Penetration depth of the shapes with their margins along the normal, m; negative where they are separated.
    pub depth: f64,
    /// Member of the group and its triangle or point on the first shape, as in [`RayHit`](super::RayHit).
    pub element_a: (usize, usize),
    /// Member of the group and its triangle or point on the second shape.
    pub element_b: (usize, usize),
}

/// Contact points of two shapes that overlap or are closer than `prediction`, deepest first, at most `max` of them.
///
/// Faces that meet give the vertices of their common area. Pieces are compared one by one: a solid as a whole, a mesh
/// triangle by triangle, so that for meshes the depth is that of a triangle. There is a contact wherever the
/// [`distance`](super::distance()) is at most `prediction`, except where one shape is wholly inside a solid mesh, away
/// from its surface.
///
/// Memory is bounded: where more than 16,384 pairs of pieces are that close, the closest of them are kept; ties, such
/// as all that overlap, are broken by a hash, so that the kept pairs are spread over the surface.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or is no rigid motion, or a prediction that is negative or not
/// finite.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive, query};
/// use kinworld::{Point, Pose, Vector};
///
/// let ground = Geometry::from(Primitive::cuboid(Pose::identity(), Vector::new(4.0, 4.0, 1.0))?);
/// let sphere = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let (here, sunk) = (Pose::identity(), Pose::translation(0.0, 0.0, 0.875));
/// let contacts = query::contacts((&ground, &here), (&sphere, &sunk), 0.0, 8)?;
/// assert_eq!(contacts.len(), 1);
/// assert!((contacts[0].depth - 0.125).abs() < 1e-12);
/// assert!((contacts[0].normal - Vector::z()).norm() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "contact_manifold")]
#[doc(alias = "mjContact")]
#[doc(alias = "penetration_depth")]
pub fn contacts(a: At<'_>, b: At<'_>, prediction: f64, max: usize) -> Result<Vec<ContactPair>> {
    check(&[a, b])?;
    if !(prediction.is_finite() && prediction >= 0.0) {
        let problem = format!("must be a number from 0 up, got {prediction}");
        return Err(Error::invalid("contact prediction", problem));
    }
    Ok(contacts_among(a, b, prediction, max, MAX_PAIRS))
}

/// The largest number of pairs of pieces that are kept.
const MAX_PAIRS: usize = 1 << 14;

/// [`contacts`] among at most `max_pairs` pairs of pieces, for valid poses.
fn contacts_among(
    a: At<'_>,
    b: At<'_>,
    prediction: f64,
    max: usize,
    max_pairs: usize,
) -> Vec<ContactPair> {
    let pair = Pair::new(a, b);
    let limit = prediction.max(pair.frame.tolerance);
    let (body_a, body_b) = (pair.a.body, pair.b.body);
    let near = narrow::nearest_pairs(&pair.frame, body_a, body_b, limit, max_pairs);
    let mut found: Vec<ContactPair> = near
        .iter()
        .flat_map(|near| contacts_of_pieces(&pair, near, limit))
        .collect();
    found.sort_by(|x, y| y.depth.total_cmp(&x.depth));

    // neighbouring triangles find the same point
    let mut distinct =
        DistinctContacts::new(1e-9 * (body_a.bounding_radius + body_b.bounding_radius));
    found.retain(|contact| distinct.len() < max && distinct.add(contact));
    found
}

/// Contacts of which no two coincide, hashed into cells so large that equal ones are in neighbouring cells.
struct DistinctContacts {
    same: f64,
    cells: HashMap<[i64; 3], Vec<ContactPair>>,
    len: usize,
}

impl DistinctContacts {
    fn new(same: f64) -> Self {
        Self {
            same,
            cells: HashMap::new(),
            len: 0,
        }
    }

    fn len(&self) -> usize {
        self.len
    }

    /// Adds a contact, unless it coincides with another.
    fn add(&mut self, contact: &ContactPair) -> bool {
        // conversions saturate, and then more are compared than need be
        let cell = contact
            .point_a
            .coords
            .map(|x| (x / (2.0 * self.same)) as i64);
        for i in 0..27 {
            let near = [i % 3, i / 3 % 3, i / 9];
            let near = [0, 1, 2].map(|k| cell[k].saturating_add(near[k] - 1));
            let there = self.cells.get(&near);
            if there.is_some_and(|there| there.iter().any(|other| self.is_same(contact, other))) {
                return false;
            }
        }
        self.cells.entry(cell.into()).or_default().push(*contact);
        self.len += 1;
        true
    }

    fn is_same(&self, a: &ContactPair, b: &ContactPair) -> bool {
        (b.point_a - a.point_a).norm() <= self.same
            && (b.point_b - a.point_b).norm() <= self.same
            && b.normal.dot(&a.normal) > 1.0 - 1e-6
    }
}

/// Contacts of two pieces that are known to be within `limit`: at least one.
fn contacts_of_pieces(pair: &Pair<'_>, near: &Near, limit: f64) -> Vec<ContactPair> {
    let (a, b) = (
        &pair.a.body.pieces[near.pieces.0],
        &pair.b.body.pieces[near.pieces.1],
    );
    let margins = a.margin + b.margin + pair.frame.margins;
    let x_ab = &pair.frame.x_ab;
    let mut points = parry::face_contacts(a, b, x_ab, limit + margins);
    points.retain(|point| point.distance - margins <= limit);
    // parry omits the closest points where edges cross without touching
    let separation = near.separation + margins + pair.frame.tolerance;
    let is_separated = near.direction != Vector::zeros();
    let nearer = |point: &PressurePoint| point.distance <= separation;
    if points.is_empty() || is_separated && !points.iter().any(nearer) {
        points.push(single(pair, near, a, b, margins));
    }
    let contact = |point: PressurePoint| {
        let (on_a, on_b) = (pair.a.pose * point.on_a, pair.a.pose * point.on_b);
        let normal = pair.a.pose * point.normal;
        let (of_a, of_b) = (pair.a.element(a), pair.b.element(b));
        let depth = margins - point.distance;
        if pair.swapped {
            ContactPair {
                point_a: on_b,
                point_b: on_a,
                normal: -normal,
                depth,
                element_a: of_b,
                element_b: of_a,
            }
        } else {
            ContactPair {
                point_a: on_a,
                point_b: on_b,
                normal,
                depth,
                element_a: of_a,
                element_b: of_b,
            }
        }
    };
    points.into_iter().map(contact).collect()
}

/// The one contact of two pieces: the closest points, or the deepest penetration where their cores overlap.
fn single(pair: &Pair<'_>, near: &Near, a: &Piece, b: &Piece, margins: f64) -> PressurePoint {
    let nearest = |normal: Vector| PressurePoint {
        on_a: near.on_a,
        on_b: near.on_b,
        normal,
        distance: near.separation + margins,
    };
    if near.direction != Vector::zeros() {
        return nearest(near.direction);
    }
    parry::deepest(a, b, &pair.frame.x_ab).unwrap_or_else(|| {
        // cores that touch without depth: any direction that leads from one to the other
        let difference = pair.frame.x_ab * b.middle() - a.middle();
        nearest(difference.try_normalize(0.0).unwrap_or_else(Vector::z))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Geometry, Primitive};
    use crate::math::{Pose, Rotation};

    /// Two spheres of 360 triangles that overlap.
    fn spheres() -> ([Geometry; 2], [Pose; 2]) {
        let sphere = |r| Primitive::sphere(Point::origin(), r).and_then(|sphere| sphere.to_mesh());
        let shapes = [1.0, 0.7].map(|r| Geometry::from(sphere(r).expect("a good sphere")));
        let rotation = Rotation::from_euler_angles(0.3, -0.4, 0.5);
        let there = Pose::from_parts(Vector::new(0.9, 0.2, 0.1).into(), rotation);
        (shapes, [Pose::identity(), there])
    }

    #[test]
    fn bounded_contacts_are_all_of_them_where_there_is_room_and_else_the_deepest() {
        let (shapes, poses) = spheres();
        let pair = Pair::new((&shapes[0], &poses[0]), (&shapes[1], &poses[1]));
        for prediction in [0.0_f64, 0.02, 0.2] {
            let limit = prediction.max(pair.frame.tolerance);
            let near =
                |most| narrow::nearest_pairs(&pair.frame, pair.a.body, pair.b.body, limit, most);
            let all = near(usize::MAX / 2);
            assert!(all.len() > 40, "{prediction}: {}", all.len());
            let separations = |pairs: &[Near]| {
                let mut separations: Vec<f64> = pairs.iter().map(|near| near.separation).collect();
                separations.sort_by(f64::total_cmp);
                separations
            };
            assert!(near(0).is_empty());
            for most in [1, 7, all.len() / 3, all.len() - 1] {
                let some = near(most);
                assert_eq!(
                    separations(&some),
                    separations(&all)[..most],
                    "{prediction}"
                );
                // each pair once
                let mut pieces: Vec<_> = some.iter().map(|near| near.pieces).collect();
                pieces.sort_unstable();
                pieces.dedup();
                assert_eq!(pieces.len(), most);
            }
            let pieces = |pairs: &[Near]| -> Vec<_> { pairs.iter().map(|n| n.pieces).collect() };
            assert_eq!(pieces(&near(all.len())), pieces(&all), "{prediction}");

            // reference: each against all before it
            let mut found: Vec<ContactPair> = all
                .iter()
                .flat_map(|near| contacts_of_pieces(&pair, near, limit))
                .collect();
            found.sort_by(|x, y| y.depth.total_cmp(&x.depth));
            let same = DistinctContacts::new(
                1e-9 * (pair.a.body.bounding_radius + pair.b.body.bounding_radius),
            );
            let mut expected: Vec<ContactPair> = Vec::new();
            for contact in &found {
                if !expected.iter().any(|other| same.is_same(contact, other)) {
                    expected.push(*contact);
                }
            }
            let ask = |max, most| {
                let (a, b) = ((&shapes[0], &poses[0]), (&shapes[1], &poses[1]));
                contacts_among(a, b, prediction, max, most)
            };
            assert!(expected.len() < found.len(), "some are at the same place");
            assert_eq!(ask(usize::MAX, all.len()), expected);
            assert_eq!(ask(5, all.len()), expected[..5]);
            assert_eq!(ask(usize::MAX, 1 << 14), expected);
        }
    }

    #[test]
    fn a_place_at_the_edge_of_a_cell_is_found_from_the_next() {
        let at = |x: f64| ContactPair {
            point_a: Point::new(x, -x, 0.0),
            point_b: Point::origin(),
            normal: Vector::x(),
            depth: 0.0,
            element_a: (0, 0),
            element_b: (0, 0),
        };
        for x in [0.0, 1.0, -1.0, 2.0, 1e3, 1e300] {
            let mut distinct = DistinctContacts::new(0.5);
            assert!(distinct.add(&at(x - 0.1)));
            assert!(!distinct.add(&at(x + 0.1)) && !distinct.add(&at(x - 0.3)));
            assert_eq!(distinct.add(&at(x + 0.6)), x < 1e10);
        }
        let mut distinct = DistinctContacts::new(0.0);
        assert!(distinct.add(&at(0.0)) && !distinct.add(&at(0.0)) && distinct.add(&at(1e-300)));
    }
}
