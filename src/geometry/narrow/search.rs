//! Traversals of two trees at once.
//!
//! The order matters for speed only: pruned parts are proved to be too far away, by a separating plane.

use super::body::Body;
use super::bvh::Node;
use super::frame::{Frame, Hint};
use super::near::{Near, near};
use super::stack::Stack;
use super::wide_search::Both;
use crate::math::{Vector, mix};

/// Separation of any two pieces that are within `limit` of each other, `None` where there are none.
pub(in crate::geometry) fn any_near(frame: &Frame, a: &Body, b: &Body, limit: f64) -> Option<f64> {
    let mut found = None;
    walk(frame, a, b, limit, |near| {
        found = Some(near.separation);
        true
    });
    found
}

/// [`any_near`] with a cached separating direction: two bodies of one piece each are first tested along `last`, a unit
/// vector from a to b in the frame of a, or zero. Where a new direction had to be computed, the error holds it.
pub(in crate::geometry) fn any_near_from(
    frame: &Frame,
    a: &Body,
    b: &Body,
    limit: f64,
    last: &Vector,
) -> Result<f64, Option<Vector>> {
    let ([p], [q]) = (&a.pieces[..], &b.pieces[..]) else {
        return any_near(frame, a, b, limit).ok_or(None);
    };
    if *last != Vector::zeros() {
        let separation = Hint::new(frame, last).bound_of_pieces(frame, p, q);
        if separation > limit + frame.tolerance {
            return Err(None);
        }
    }
    let d = frame.x_ab * b.nodes[0].center - a.nodes[0].center;
    if frame.separated(&a.nodes[0], &b.nodes[0], &d, limit) {
        return Err(None);
    }
    match near(frame, (0, 0), (p, q), limit) {
        Ok(near) if near.separation <= limit => Ok(near.separation),
        Ok(near) => Err(Some(near.direction)),
        Err(separated) => Err(Some(separated.0)),
    }
}

/// The pairs of pieces within `limit` of each other: all of them or, where there are more than `max_pairs`, the
/// closest.
///
/// Ties, such as all pairs that overlap, are broken by a hash, so that the kept pairs are spread over the surface.
pub(in crate::geometry) fn nearest_pairs(
    frame: &Frame,
    a: &Body,
    b: &Body,
    limit: f64,
    max_pairs: usize,
) -> Vec<Near> {
    let order = |x: &Near, y: &Near| {
        let by_separation = x.separation.total_cmp(&y.separation);
        by_separation.then_with(|| shuffled(x.pieces).cmp(&shuffled(y.pieces)))
    };
    let mut found: Vec<Near> = Vec::new();
    // the last of the kept pairs once there were too many: pairs after it are not among the closest
    let mut last: Option<Near> = None;
    walk(frame, a, b, limit, |near| {
        if last.as_ref().is_some_and(|last| order(&near, last).is_gt()) {
            return false;
        }
        found.push(near);
        if max_pairs > 0 && found.len() >= 2 * max_pairs {
            found.select_nth_unstable_by(max_pairs - 1, order);
            found.truncate(max_pairs);
            last = Some(found[max_pairs - 1]);
        }
        max_pairs == 0
    });
    if found.len() > max_pairs {
        found.sort_unstable_by(order);
        found.truncate(max_pairs);
    } else if last.is_some() {
        found.sort_unstable_by(order);
    }
    found
}

/// Hash of a pair, a bijection: the finalizer of SplitMix64.
#[inline]
fn shuffled((i, j): (usize, usize)) -> u64 {
    mix((i as u64) << 32 | j as u64)
}

/// Visits the pairs of pieces within `limit`, until `visit` returns true.
fn walk(frame: &Frame, a: &Body, b: &Body, limit: f64, mut visit: impl FnMut(Near) -> bool) {
    if a.nodes.is_empty() || b.nodes.is_empty() {
        return;
    }
    let d = frame.x_ab * b.nodes[0].center - a.nodes[0].center;
    if frame.separated(&a.nodes[0], &b.nodes[0], &d, limit) {
        return;
    }
    if let ([p], [q]) = (&a.pieces[..], &b.pieces[..]) {
        let found = near(frame, (0, 0), (p, q), limit).ok();
        let _ = found
            .filter(|near| near.separation <= limit)
            .is_some_and(visit);
        return;
    }
    if let Some(both) = Both::new(frame, a, b) {
        both.walk(limit, visit);
        return;
    }
    let mut walk = Walk {
        frame,
        bodies: (a, b),
        limit,
        hint: None,
        open: Stack::new((0, 0)),
    };
    let mut pair = walk.next();
    while let Some((i, j)) = pair {
        let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
        pair = match split(na, nb) {
            Split::A(children) => walk.enter(children.map(|i| (i, j))),
            Split::B(children) => walk.enter(children.map(|j| (i, j))),
            Split::Neither => {
                for i in na.pieces() {
                    for j in nb.pieces() {
                        if walk.near((i, j)).is_some_and(&mut visit) {
                            return;
                        }
                    }
                }
                walk.next()
            }
        };
    }
}

/// A pair of nodes.
type Nodes = (u32, u32);

/// State of a traversal.
struct Walk<'a> {
    frame: &'a Frame,
    bodies: (&'a Body, &'a Body),
    limit: f64,
    /// Direction that separated the last pieces: it is likely to separate their neighbours.
    hint: Option<Hint>,
    open: Stack<Nodes>,
}

impl Walk<'_> {
    /// The next pair of nodes on the stack that may be within the limit.
    #[inline]
    fn next(&mut self) -> Option<Nodes> {
        while let Some(pair) = self.open.pop() {
            if !self.is_separated(pair, &self.between(pair)) {
                return Some(pair);
            }
        }
        None
    }

    /// The closer of two pairs of nodes, or else the next; the farther one is pushed.
    #[inline]
    fn enter(&mut self, [p, q]: [Nodes; 2]) -> Option<Nodes> {
        // the pair with the closest centres is opened first
        let (dp, dq) = (self.between(p), self.between(q));
        let ((near, d), far) = if dq.norm_squared() <= dp.norm_squared() {
            ((q, dq), p)
        } else {
            ((p, dp), q)
        };
        self.open.push(far);
        if self.is_separated(near, &d) {
            self.next()
        } else {
            Some(near)
        }
    }

    /// Two pieces, if they are within the limit.
    #[inline]
    fn near(&mut self, (i, j): (usize, usize)) -> Option<Near> {
        let (a, b) = (&self.bodies.0.pieces[i], &self.bodies.1.pieces[j]);
        let bound = |hint: &Hint| hint.bound_of_pieces(self.frame, a, b);
        if self.hint.as_ref().map_or(f64::NEG_INFINITY, bound) > self.limit + self.frame.tolerance {
            return None;
        }
        let direction = match near(self.frame, (i, j), (a, b), self.limit) {
            Ok(near) if near.separation <= self.limit => return Some(near),
            Ok(near) => near.direction,
            Err(separated) => separated.0,
        };
        self.hint = Some(Hint::new(self.frame, &direction));
        None
    }

    /// From the centre of the first node to that of the second, in the frame of a.
    #[inline]
    fn between(&self, pair: Nodes) -> Vector {
        let (a, b) = self.nodes(pair);
        self.frame.x_ab * b.center - a.center
    }

    /// Returns whether two nodes are proved to be farther apart than the limit; `d` is between their centres.
    #[inline]
    fn is_separated(&self, pair: Nodes, d: &Vector) -> bool {
        let (a, b) = self.nodes(pair);
        let bound = |hint: &Hint| hint.bound(self.frame, a, b);
        self.hint.as_ref().map_or(f64::NEG_INFINITY, bound) > self.limit + self.frame.tolerance
            || self.frame.separated(a, b, d, self.limit)
    }

    #[inline]
    fn nodes(&self, (i, j): Nodes) -> (&Node, &Node) {
        (
            &self.bodies.0.nodes[i as usize],
            &self.bodies.1.nodes[j as usize],
        )
    }
}

/// The closest pair of pieces, `None` where there are no pieces.
///
/// Of pairs within [`Frame::tolerance`] of the closest any may be found, as long as none touches: neighbours that share
/// the closest vertex need not be tested.
///
/// The search ends where a pair is as close as `enough`.
pub(in crate::geometry) fn nearest(frame: &Frame, a: &Body, b: &Body, enough: f64) -> Option<Near> {
    if let ([p], [q]) = (&a.pieces[..], &b.pieces[..]) {
        return near(frame, (0, 0), (p, q), f64::INFINITY).ok();
    }
    if let Some(both) = Both::new(frame, a, b) {
        return both.nearest(enough);
    }
    let mut best: Option<Near> = None;
    let mut limit = f64::INFINITY;
    let (root_a, root_b) = (a.nodes.first()?, b.nodes.first()?);
    let mut hint = Hint::none();
    let bound =
        |hint: &Hint, na: &Node, nb: &Node| frame.bound(na, nb).max(hint.bound(frame, na, nb));
    let mut open = Stack::new((bound(&hint, root_a, root_b), 0_u32, 0_u32));
    while let Some((lowest, i, j)) = open.pop() {
        let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
        let beyond = limit + frame.tolerance;
        // the hint may be better than when the pair was pushed
        if lowest > beyond || hint.bound(frame, na, nb) > beyond {
            continue;
        }
        let pairs = match split(na, nb) {
            Split::A(children) => children.map(|i| (i, j)),
            Split::B(children) => children.map(|j| (i, j)),
            Split::Neither => {
                for i in na.pieces() {
                    for j in nb.pieces() {
                        let pair = (&a.pieces[i], &b.pieces[j]);
                        if hint.bound_of_pieces(frame, pair.0, pair.1) > limit + frame.tolerance {
                            continue;
                        }
                        let found = near(frame, (i, j), pair, limit);
                        if let Some(near) = found.ok().filter(|near| near.separation < limit) {
                            limit = near.separation;
                            best = Some(near);
                            if near.separation <= enough {
                                return best;
                            }
                            hint = Hint::new(frame, &near.direction);
                        }
                    }
                }
                continue;
            }
        };
        let mut pairs = pairs.map(|(i, j)| {
            let lowest = bound(&hint, &a.nodes[i as usize], &b.nodes[j as usize]);
            (lowest, i, j)
        });
        // the closer pair is pushed last, so that it is opened first
        if pairs[0].0 < pairs[1].0 {
            pairs.swap(0, 1);
        }
        let [far, near] = pairs;
        open.push(far);
        open.push(near);
    }
    best
}

/// The node of a pair to open.
enum Split {
    A([u32; 2]),
    B([u32; 2]),
    Neither,
}

#[inline]
fn split(a: &Node, b: &Node) -> Split {
    match (a.children(), b.children()) {
        (Some(children), None) => Split::A(children),
        (Some(children), Some(_)) if a.size() >= b.size() => Split::A(children),
        (_, Some(children)) => Split::B(children),
        (None, None) => Split::Neither,
    }
}
