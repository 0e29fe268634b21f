//! Where two shapes press on each other, and how deep.

use super::pair::Pair;
use super::{At, check};
use crate::geometry::narrow::{self, Near, Piece};
use crate::geometry::parry::{self, Press};
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// A place where two shapes touch, overlap or nearly touch.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Contact {
    /// On the surface of the first shape without its margin, in the world.
    pub point_a: Point,
    /// On the surface of the second shape without its margin, in the world.
    pub point_b: Point,
    /// The unit vector out of the first shape into the second, in the world.
    pub normal: Vector,
    /// How far the shapes with their margins are in each other along the normal, m; negative for a gap.
    pub depth: f64,
    /// The member of the group and its triangle or point on the first shape, as in [`RayHit`](super::RayHit).
    pub element_a: (usize, usize),
    /// The member of the group and its triangle or point on the second shape.
    pub element_b: (usize, usize),
}

/// The places where two shapes overlap or are nearer than `prediction`, deepest first, at most `max` of them.
///
/// Faces that meet give the corners of the area in which they do. Pieces are compared one by one: a solid as a whole, a
/// mesh triangle by triangle, so that for meshes the depth is that of a triangle. There is a contact wherever the
/// [`distance`](super::distance()) is at most `prediction`, except where one shape is wholly inside a solid mesh, away
/// from its surface.
///
/// # Errors
///
/// [`Error::Invalid`] for a pose that is not finite or does not rotate, or a prediction that is negative or not finite.
///
/// # Examples
///
/// ```
/// use kinworld::geometry::{Geometry, Primitive, query};
/// use kinworld::{Point, Pose, Vector};
///
/// let ground = Geometry::from(Primitive::cuboid(Pose::identity(), Vector::new(4.0, 4.0, 1.0))?);
/// let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
/// let (here, sunk) = (Pose::identity(), Pose::translation(0.0, 0.0, 0.875));
/// let contacts = query::contacts((&ground, &here), (&ball, &sunk), 0.0, 8)?;
/// assert_eq!(contacts.len(), 1);
/// assert!((contacts[0].depth - 0.125).abs() < 1e-12);
/// assert!((contacts[0].normal - Vector::z()).norm() < 1e-12);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn contacts(a: At<'_>, b: At<'_>, prediction: f64, max: usize) -> Result<Vec<Contact>> {
    check(&[a, b])?;
    if !(prediction.is_finite() && prediction >= 0.0) {
        let problem = format!("must be a number from 0 up, got {prediction}");
        return Err(Error::invalid("contact prediction", problem));
    }
    let pair = Pair::new(a, b);
    let limit = prediction.max(pair.frame.touch);
    let mut found: Vec<Contact> = narrow::all_near(&pair.frame, pair.a.body, pair.b.body, limit)
        .iter()
        .flat_map(|near| contacts_of_pieces(&pair, near, limit))
        .collect();
    found.sort_by(|x, y| y.depth.total_cmp(&x.depth));

    // neighbouring triangles find the same place
    let same = 1e-9 * (pair.a.body.reach + pair.b.body.reach);
    let mut kept: Vec<Contact> = Vec::new();
    for contact in found {
        if kept.len() >= max {
            break;
        }
        let is_same = |other: &Contact| {
            (other.point_a - contact.point_a).norm() <= same
                && (other.point_b - contact.point_b).norm() <= same
                && other.normal.dot(&contact.normal) > 1.0 - 1e-6
        };
        if !kept.iter().any(is_same) {
            kept.push(contact);
        }
    }
    Ok(kept)
}

/// The contacts of two pieces that are known to be within `limit`: never none.
fn contacts_of_pieces(pair: &Pair<'_>, near: &Near, limit: f64) -> Vec<Contact> {
    let (a, b) = (
        &pair.a.body.pieces[near.pieces.0],
        &pair.b.body.pieces[near.pieces.1],
    );
    let margins = a.margin + b.margin + pair.frame.margins;
    let x_ab = &pair.frame.x_ab;
    let mut presses = parry::face_contacts(a, b, x_ab, limit + margins);
    presses.retain(|press| press.distance - margins <= limit);
    // parry leaves out the nearest points where edges cross in the air
    let gap = near.gap + margins + pair.frame.touch;
    let is_apart = near.direction != Vector::zeros();
    let nearer = |press: &Press| press.distance <= gap;
    if presses.is_empty() || is_apart && !presses.iter().any(nearer) {
        presses.push(single(pair, near, a, b, margins));
    }
    let contact = |press: Press| {
        let (on_a, on_b) = (pair.a.pose * press.on_a, pair.a.pose * press.on_b);
        let normal = pair.a.pose * press.normal;
        let (of_a, of_b) = (pair.a.element(a), pair.b.element(b));
        let depth = margins - press.distance;
        if pair.swapped {
            Contact {
                point_a: on_b,
                point_b: on_a,
                normal: -normal,
                depth,
                element_a: of_b,
                element_b: of_a,
            }
        } else {
            Contact {
                point_a: on_a,
                point_b: on_b,
                normal,
                depth,
                element_a: of_a,
                element_b: of_b,
            }
        }
    };
    presses.into_iter().map(contact).collect()
}

/// The one contact of two pieces: the nearest points, or the shortest way out where their cores overlap.
fn single(pair: &Pair<'_>, near: &Near, a: &Piece, b: &Piece, margins: f64) -> Press {
    let nearest = |normal: Vector| Press {
        on_a: near.on_a,
        on_b: near.on_b,
        normal,
        distance: near.gap + margins,
    };
    if near.direction != Vector::zeros() {
        return nearest(near.direction);
    }
    parry::deepest(a, b, &pair.frame.x_ab).unwrap_or_else(|| {
        // cores that touch without depth: any direction that leads from one to the other
        let apart = pair.frame.x_ab * b.middle() - a.middle();
        nearest(apart.try_normalize(0.0).unwrap_or_else(Vector::z))
    })
}
