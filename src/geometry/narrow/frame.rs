//! Relative pose of two bodies, and separation tests of their parts.

use nalgebra::Matrix3;

use super::body::Body;
use super::bvh::Node;
use super::gjk::Support;
use super::piece::{Core, Piece};
use crate::math::{Point, Pose, Vector};

/// Pose of body b in the frame of body a, with the tolerance of computed distances.
#[derive(Debug)]
pub(in crate::geometry) struct Frame {
    pub(in crate::geometry) x_ab: Pose,
    /// Sum of the margins of both bodies.
    pub(in crate::geometry) margins: f64,
    /// Distances up to this are rounding: the bodies touch.
    pub(in crate::geometry) tolerance: f64,
    /// Absolute values of the rotation: extents of the half edges of b along the axes of a.
    abs: Matrix3<f64>,
}

/// A direction that may separate two bodies, or parts of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hint {
    /// The unit vector from a to b in the frame of a; zero for no hint.
    in_a: Vector,
    in_b: Vector,
    /// Coordinate of the origin of b along the direction.
    pub(super) offset: f64,
}

impl Frame {
    /// The frame for two orthonormal poses in the world.
    #[inline]
    pub(in crate::geometry) fn new(
        (a, x_wa): (&Body, &Pose),
        (b, x_wb): (&Body, &Pose),
        margins: f64,
    ) -> Self {
        let x_ab = x_wa.inv_mul(x_wb);
        let world = x_wa.translation.vector.norm() + x_wb.translation.vector.norm();
        let local = a.bounding_radius + b.bounding_radius + x_ab.translation.vector.norm();
        Self {
            margins,
            tolerance: f64::EPSILON * (16.0 * local + 2.0 * world),
            abs: x_ab.rotation.matrix().abs(),
            x_ab,
        }
    }

    /// Returns whether two boxes are farther apart than `limit`: the separating axis test of Gottschalk (1996).
    ///
    /// `d` is the vector from the centre of the first to that of the second, in the frame of a.
    #[inline]
    pub(super) fn separated(&self, a: &Node, b: &Node, d: &Vector, limit: f64) -> bool {
        // a box that contains the other's centre overlaps it
        if (0..3).all(|i| d[i].abs() <= a.half[i]) {
            return false;
        }
        let limit = limit + self.margins + self.tolerance;
        let r = self.x_ab.rotation.matrix();
        let extent_a = a.half + self.abs * b.half;
        if (0..3).any(|i| d[i].abs() - extent_a[i] > limit) {
            return true;
        }
        let (e, extent_b) = (r.tr_mul(d), b.half + self.abs.tr_mul(&a.half));
        if (0..3).any(|j| e[j].abs() - extent_b[j] > limit) {
            return true;
        }
        // from the other two components, since the cosine is insensitive to small angles
        let sine = |i1: usize, i2: usize, j: usize| {
            let (y, z) = (r[(i1, j)], r[(i2, j)]);
            (y * y + z * z).sqrt()
        };
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                // along the cross product of axis i of a and axis j of b
                let extent = a.half[i1] * self.abs[(i2, j)]
                    + a.half[i2] * self.abs[(i1, j)]
                    + b.half[j1] * self.abs[(i, j2)]
                    + b.half[j2] * self.abs[(i, j1)];
                let separation = (d[i2] * r[(i1, j)] - d[i1] * r[(i2, j)]).abs() - extent;
                // most end here; the slack is not scaled, so that rounding decides nothing between nearly parallel axes
                if separation > self.tolerance
                    && separation > limit * sine(i1, i2, j) + self.tolerance
                {
                    return true;
                }
            }
        }
        false
    }

    /// Lower bound on the distance of the pieces in two boxes.
    #[inline]
    pub(super) fn bound(&self, a: &Node, b: &Node) -> f64 {
        let d = self.x_ab * b.center - a.center;
        let e = self.x_ab.rotation.matrix().tr_mul(&d);
        let beyond =
            |d: &Vector, extent: Vector| (d.abs() - extent).sup(&Vector::zeros()).norm_squared();
        let in_a = beyond(&d, a.half + self.abs * b.half);
        let in_b = beyond(&e, b.half + self.abs.tr_mul(&a.half));
        in_a.max(in_b).sqrt() - self.margins
    }
}

impl Hint {
    /// A hint from a unit vector in the frame of a.
    #[inline]
    pub(super) fn new(frame: &Frame, direction: &Vector) -> Self {
        Self {
            in_a: *direction,
            in_b: frame.x_ab.rotation.inverse_transform_vector(direction),
            offset: direction.dot(&frame.x_ab.translation.vector),
        }
    }

    /// A hint that proves nothing.
    #[inline]
    pub(super) fn none() -> Self {
        Self {
            in_a: Vector::zeros(),
            in_b: Vector::zeros(),
            offset: 0.0,
        }
    }

    /// Lower bound on the distance of two boxes.
    #[inline]
    pub(super) fn bound(&self, frame: &Frame, a: &Node, b: &Node) -> f64 {
        let low = self.in_b.dot(&b.center.coords) - self.in_b.abs().dot(&b.half);
        let high = self.in_a.dot(&a.center.coords) + self.in_a.abs().dot(&a.half);
        self.offset + low - high - frame.margins
    }

    /// Lower bound on the distance of two pieces.
    #[inline]
    pub(super) fn bound_of_pieces(&self, frame: &Frame, a: &Piece, b: &Piece) -> f64 {
        self.offset - self.support_of_a(a) - self.support_of_b(b) - frame.margins
    }

    /// Support value of a piece of a towards b.
    #[inline]
    pub(super) fn support_of_a(&self, piece: &Piece) -> f64 {
        piece.core.support_value(&self.in_a) + piece.inflation()
    }

    /// Support value of a piece of b towards a.
    #[inline]
    pub(super) fn support_of_b(&self, piece: &Piece) -> f64 {
        piece.core.support_value(&-self.in_b) + piece.inflation()
    }
}

/// A core in the frame of the other body.
pub(super) struct Moved<'a> {
    pub(super) core: &'a Core,
    pub(super) x_ab: &'a Pose,
}

impl Support for Moved<'_> {
    #[inline]
    fn support(&self, direction: &Vector) -> Point {
        let local = self.x_ab.rotation.inverse_transform_vector(direction);
        self.x_ab * self.core.support(&local)
    }

    #[inline]
    fn center(&self) -> Point {
        self.x_ab * self.core.center()
    }

    #[inline]
    fn is_round(&self) -> bool {
        self.core.is_round()
    }
}
