//! Distance of two pieces: the one function on which every query of two bodies rests.

use super::frame::{Frame, Moved};
use super::gjk;
use super::piece::{Core, Piece};
use super::simplex::{self, Closest};
use crate::math::linear::array3;
use crate::math::{Point, Vector};

/// Two pieces, their closest points in the frame of body a, and their separation.
#[derive(Debug, Clone, Copy)]
pub(in crate::geometry) struct Near {
    /// Distance less radii and all margins; negative where they overlap.
    pub(in crate::geometry) separation: f64,
    /// On the shapes: radii included, margins excluded.
    pub(in crate::geometry) on_a: Point,
    pub(in crate::geometry) on_b: Point,
    /// The indices of the pieces.
    pub(in crate::geometry) pieces: (usize, usize),
    /// The unit vector from a to b, zero where the cores overlap.
    pub(in crate::geometry) direction: Vector,
}

/// Proof that two pieces are farther apart than the limit, along this unit vector from a to b.
#[derive(Debug, Clone, Copy)]
pub(super) struct Separated(pub(super) Vector);

/// Computes the distance of two pieces, unless it is proved to be more than `limit`.
pub(super) fn near(
    frame: &Frame,
    pieces: (usize, usize),
    (a, b): (&Piece, &Piece),
    limit: f64,
) -> Result<Near, Separated> {
    let inflation = a.inflation() + b.inflation() + frame.margins;
    let limit = limit + inflation;
    let x = &frame.x_ab;
    let found = match (a.core.vertices(), &b.core) {
        (Some(p), Core::Point([q])) => simplex::closest(p, &[x * q]),
        (Some(p), Core::Segment(q)) => simplex::closest(p, &[x * q[0], x * q[1]]),
        (Some(p), Core::Triangle(q)) => {
            let q = array3(|k| x * q[k]);
            match &a.core {
                // two triangles are the common case
                Core::Triangle(p) if limit < f64::INFINITY => {
                    simplex::triangles(p, &q, limit.max(0.0) + frame.tolerance)?
                }
                _ => simplex::closest(p, &q),
            }
        }
        _ => {
            let moved = Moved {
                core: &b.core,
                x_ab: x,
            };
            gjk::closest(&a.core, &moved, limit, frame.tolerance)?
        }
    };
    Ok(on_surfaces(pieces, a, b, found, inflation))
}

/// The closest points on the shapes, from those on the cores.
#[inline]
fn on_surfaces(
    pieces: (usize, usize),
    a: &Piece,
    b: &Piece,
    found: Closest,
    inflation: f64,
) -> Near {
    let difference = found.on_b - found.on_a;
    let length = difference.norm();
    let is_separated = found.distance > 0.0 && length > 0.0;
    let direction = if is_separated {
        difference / length
    } else {
        Vector::zeros()
    };
    Near {
        separation: found.distance - inflation,
        on_a: found.on_a + direction * a.radius,
        on_b: found.on_b - direction * b.radius,
        pieces,
        direction,
    }
}
