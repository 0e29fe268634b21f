//! Walks through two trees at once.

use nalgebra::Matrix3;

use super::body::Body;
use super::bvh::Node;
use super::gjk::{self, Support};
use super::piece::{Core, Piece};
use super::simplex::{self, Closest};
use super::stack::Stack;
use crate::math::{Point, Pose, Vector};

/// Where body b is, seen from body a, and how exact numbers are there.
#[derive(Debug)]
pub(in crate::geometry) struct Frame {
    pub(in crate::geometry) x_ab: Pose,
    /// How far the margins of both bodies reach.
    pub(in crate::geometry) margins: f64,
    /// Absolute values of the rotation.
    abs: Matrix3<f64>,
    /// Distances up to here are rounding: the bodies touch.
    pub(in crate::geometry) touch: f64,
}

/// Two pieces, their closest points in the frame of body a, and how far apart they are.
#[derive(Debug, Clone, Copy)]
pub(in crate::geometry) struct Near {
    /// The distance with radii and all margins taken off; negative where they overlap.
    pub(in crate::geometry) gap: f64,
    /// On the shapes, radii taken into account, margins not.
    pub(in crate::geometry) on_a: Point,
    pub(in crate::geometry) on_b: Point,
    /// The indices of the pieces.
    pub(in crate::geometry) pieces: (usize, usize),
    /// The unit vector from a to b, zero where the cores overlap.
    pub(in crate::geometry) direction: Vector,
}

impl Frame {
    /// The frame for two orthonormal poses in the world.
    pub(in crate::geometry) fn new(
        (a, x_wa): (&Body, &Pose),
        (b, x_wb): (&Body, &Pose),
        margins: f64,
    ) -> Self {
        let x_ab = x_wa.inv_mul(x_wb);
        let world = x_wa.translation.vector.norm() + x_wb.translation.vector.norm();
        let local = a.reach + b.reach + x_ab.translation.vector.norm();
        Self {
            abs: x_ab.rotation.matrix().abs(),
            x_ab,
            margins,
            touch: f64::EPSILON * (16.0 * local + 2.0 * world),
        }
    }

    /// Whether two boxes are farther apart than `limit`: the separating axis test of Gottschalk (1996).
    fn apart(&self, a: &Node, b: &Node, limit: f64) -> bool {
        let limit = limit + self.margins + self.touch;
        let r = self.x_ab.rotation.matrix();
        let d = self.x_ab * b.center - a.center;
        let reach_a = a.half + self.abs * b.half;
        if (0..3).any(|i| d[i].abs() - reach_a[i] > limit) {
            return true;
        }
        let (e, reach_b) = (r.tr_mul(&d), b.half + self.abs.tr_mul(&a.half));
        if (0..3).any(|j| e[j].abs() - reach_b[j] > limit) {
            return true;
        }
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                // along the cross product of axis i of a and axis j of b, whose length is sin
                let reach = a.half[i1] * self.abs[(i2, j)]
                    + a.half[i2] * self.abs[(i1, j)]
                    + b.half[j1] * self.abs[(i, j2)]
                    + b.half[j2] * self.abs[(i, j1)];
                let gap = (d[i2] * r[(i1, j)] - d[i1] * r[(i2, j)]).abs() - reach;
                // not scaled: between nearly parallel axes rounding must not decide; most end at the first comparison
                if gap > self.touch && gap > limit * r[(i1, j)].hypot(r[(i2, j)]) + self.touch {
                    return true;
                }
            }
        }
        false
    }

    /// No pieces in two boxes are nearer than this.
    fn bound(&self, a: &Node, b: &Node) -> f64 {
        let d = self.x_ab * b.center - a.center;
        let e = self.x_ab.rotation.matrix().tr_mul(&d);
        let beyond =
            |d: &Vector, reach: Vector| (d.abs() - reach).sup(&Vector::zeros()).norm_squared();
        let in_a = beyond(&d, a.half + self.abs * b.half);
        let in_b = beyond(&e, b.half + self.abs.tr_mul(&a.half));
        in_a.max(in_b).sqrt() - self.margins
    }

    /// The two pieces' distance, `None` where it is proved to be more than `limit`.
    fn near(&self, pieces: (usize, usize), a: &Piece, b: &Piece, limit: f64) -> Option<Near> {
        let reach = a.reach() + b.reach() + self.margins;
        let limit = limit + reach;
        let x = &self.x_ab;
        let found = match (a.core.corners(), &b.core) {
            (Some(p), Core::Point([q])) => simplex::closest(p, &[x * q]),
            (Some(p), Core::Segment(q)) => simplex::closest(p, &q.map(|q| x * q)),
            (Some(p), Core::Triangle(q)) => {
                let q = q.map(|q| x * q);
                // two triangles are the common case: most end here
                if let Core::Triangle(p) = &a.core
                    && simplex::far_apart(p, &q, limit.max(0.0) + self.touch)
                {
                    return None;
                }
                simplex::closest(p, &q)
            }
            _ => {
                let b = Moved { core: &b.core, x };
                gjk::closest(&a.core, &b, limit, self.touch)?
            }
        };
        Some(surface_points(pieces, a, b, found, reach))
    }
}

/// A core in the frame of the other body.
struct Moved<'a> {
    core: &'a Core,
    x: &'a Pose,
}

impl Support for Moved<'_> {
    fn support(&self, direction: &Vector) -> Point {
        let local = self.x.rotation.inverse_transform_vector(direction);
        self.x * self.core.support(&local)
    }

    fn is_round(&self) -> bool {
        self.core.is_round()
    }
}

/// The closest points on the shapes, from those on the cores.
fn surface_points(
    pieces: (usize, usize),
    a: &Piece,
    b: &Piece,
    found: Closest,
    reach: f64,
) -> Near {
    let apart = found.on_b - found.on_a;
    let length = apart.norm();
    let direction = if found.distance > 0.0 && length > 0.0 {
        apart / length
    } else {
        Vector::zeros()
    };
    Near {
        gap: found.distance - reach,
        on_a: found.on_a + direction * a.radius,
        on_b: found.on_b - direction * b.radius,
        pieces,
        direction,
    }
}

/// Whether any two pieces are within `limit` of each other.
pub(in crate::geometry) fn any_near(frame: &Frame, a: &Body, b: &Body, limit: f64) -> bool {
    let mut found = false;
    walk(frame, a, b, limit, |pieces| {
        found = frame
            .near(pieces, &a.pieces[pieces.0], &b.pieces[pieces.1], limit)
            .is_some_and(|near| near.gap <= limit);
        found
    });
    found
}

/// All pairs of pieces within `limit` of each other.
pub(in crate::geometry) fn all_near(frame: &Frame, a: &Body, b: &Body, limit: f64) -> Vec<Near> {
    let mut found = Vec::new();
    walk(frame, a, b, limit, |pieces| {
        let near = frame.near(pieces, &a.pieces[pieces.0], &b.pieces[pieces.1], limit);
        found.extend(near.filter(|near| near.gap <= limit));
        false
    });
    found
}

/// Visits the pairs of pieces whose leaves are within `limit`, until `visit` says that it is enough.
fn walk(
    frame: &Frame,
    a: &Body,
    b: &Body,
    limit: f64,
    mut visit: impl FnMut((usize, usize)) -> bool,
) {
    let (Some(root_a), Some(root_b)) = (a.nodes.first(), b.nodes.first()) else {
        return;
    };
    // most pairs end here
    if frame.apart(root_a, root_b, limit) {
        return;
    }
    let mut open = Stack::new((0_u32, 0_u32));
    while let Some((i, j)) = open.pop() {
        let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
        if frame.apart(na, nb, limit) {
            continue;
        }
        let mut pairs = match split(na, nb) {
            Split::A(children) => children.map(|i| (i, j)),
            Split::B(children) => children.map(|j| (i, j)),
            Split::Neither => {
                for i in na.pieces() {
                    for j in nb.pieces() {
                        if visit((i, j)) {
                            return;
                        }
                    }
                }
                continue;
            }
        };
        // boxes whose middles are nearer are opened first: there the shapes are likely to meet
        let middles = |(i, j): (u32, u32)| {
            let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
            (frame.x_ab * nb.center - na.center).norm_squared()
        };
        if middles(pairs[0]) < middles(pairs[1]) {
            pairs.swap(0, 1);
        }
        open.push(pairs);
    }
}

/// The closest pair of pieces, `None` where all are proved to be farther apart than `limit`.
///
/// The search ends where a pair is as near as `enough`.
pub(in crate::geometry) fn nearest(
    frame: &Frame,
    a: &Body,
    b: &Body,
    limit: f64,
    enough: f64,
) -> Option<Near> {
    let mut best: Option<Near> = None;
    let mut limit = limit;
    let (root_a, root_b) = (a.nodes.first()?, b.nodes.first()?);
    let mut open = Stack::new((frame.bound(root_a, root_b), 0_u32, 0_u32));
    while let Some((bound, i, j)) = open.pop() {
        if bound > limit + frame.touch {
            continue;
        }
        let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
        let pairs = match split(na, nb) {
            Split::A(children) => children.map(|i| (i, j)),
            Split::B(children) => children.map(|j| (i, j)),
            Split::Neither => {
                for i in na.pieces() {
                    for j in nb.pieces() {
                        let near = frame.near((i, j), &a.pieces[i], &b.pieces[j], limit);
                        if let Some(near) =
                            near.filter(|near| best.is_none_or(|b| near.gap < b.gap))
                        {
                            limit = limit.min(near.gap);
                            best = Some(near);
                            if near.gap <= enough {
                                return best;
                            }
                        }
                    }
                }
                continue;
            }
        };
        let mut pairs = pairs.map(|(i, j)| {
            (
                frame.bound(&a.nodes[i as usize], &b.nodes[j as usize]),
                i,
                j,
            )
        });
        // the nearer pair goes last, so that it is opened first
        if pairs[0].0 < pairs[1].0 {
            pairs.swap(0, 1);
        }
        open.push(pairs);
    }
    best
}

/// Which of two nodes to open.
enum Split {
    A([u32; 2]),
    B([u32; 2]),
    Neither,
}

fn split(a: &Node, b: &Node) -> Split {
    match (a.children(), b.children()) {
        (Some(children), None) => Split::A(children),
        (Some(children), Some(_)) if a.size() >= b.size() => Split::A(children),
        (_, Some(children)) => Split::B(children),
        (None, None) => Split::Neither,
    }
}
