//! Walks through two trees at once.
//!
//! The order matters for speed only: what is left out is proved to be too far away, by a plane between the parts.

use super::body::Body;
use super::bvh::Node;
use super::frame::{Frame, Hint};
use super::near::{Near, near};
use super::stack::Stack;

/// Whether any two pieces are within `limit` of each other.
pub(in crate::geometry) fn any_near(frame: &Frame, a: &Body, b: &Body, limit: f64) -> bool {
    let mut found = false;
    walk(frame, a, b, limit, |_| {
        found = true;
        true
    });
    found
}

/// All pairs of pieces within `limit` of each other.
pub(in crate::geometry) fn all_near(frame: &Frame, a: &Body, b: &Body, limit: f64) -> Vec<Near> {
    let mut found = Vec::new();
    walk(frame, a, b, limit, |near| {
        found.push(near);
        false
    });
    found
}

/// Visits the pairs of pieces within `limit`, until `visit` says that it is enough.
fn walk(frame: &Frame, a: &Body, b: &Body, limit: f64, mut visit: impl FnMut(Near) -> bool) {
    let (Some(root_a), Some(root_b)) = (a.nodes.first(), b.nodes.first()) else {
        return;
    };
    // most pairs end here
    if frame.apart(root_a, root_b, limit) {
        return;
    }
    let mut hint = Hint::none();
    let beyond = limit + frame.touch;
    // what overlaps most is opened first
    let nearer_last = |pairs: [(u32, u32); 2]| {
        let apart = |(i, j): (u32, u32)| {
            let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
            (frame.x_ab * nb.center - na.center).norm_squared()
        };
        if apart(pairs[0]) < apart(pairs[1]) {
            [pairs[1], pairs[0]]
        } else {
            pairs
        }
    };
    let mut open = Stack::new((0_u32, 0_u32));
    while let Some((i, j)) = open.pop() {
        let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
        if hint.bound(frame, na, nb) > beyond || frame.apart(na, nb, limit) {
            continue;
        }
        match split(na, nb) {
            Split::A(children) => open.push(nearer_last(children.map(|i| (i, j)))),
            Split::B(children) => open.push(nearer_last(children.map(|j| (i, j)))),
            Split::Neither => {
                for i in na.pieces() {
                    for j in nb.pieces() {
                        let pair = (&a.pieces[i], &b.pieces[j]);
                        if hint.bound_of_pieces(frame, pair.0, pair.1) > beyond {
                            continue;
                        }
                        match near(frame, (i, j), pair, limit) {
                            Ok(near) if near.gap <= limit => {
                                if visit(near) {
                                    return;
                                }
                            }
                            Ok(near) => hint = Hint::new(frame, &near.direction),
                            // neighbours are likely to be apart in the same direction
                            Err(apart) => hint = Hint::new(frame, &apart.0),
                        }
                    }
                }
            }
        }
    }
}

/// The closest pair of pieces, `None` where there are no pieces.
///
/// The search ends where a pair is as near as `enough`.
pub(in crate::geometry) fn nearest(frame: &Frame, a: &Body, b: &Body, enough: f64) -> Option<Near> {
    let mut best: Option<Near> = None;
    let mut limit = f64::INFINITY;
    let (root_a, root_b) = (a.nodes.first()?, b.nodes.first()?);
    let mut hint = Hint::none();
    let bound =
        |hint: &Hint, na: &Node, nb: &Node| frame.bound(na, nb).max(hint.bound(frame, na, nb));
    let mut open = Stack::new((bound(&hint, root_a, root_b), 0_u32, 0_u32));
    while let Some((lowest, i, j)) = open.pop() {
        let (na, nb) = (&a.nodes[i as usize], &b.nodes[j as usize]);
        let beyond = limit + frame.touch;
        // the hint may be better than when the pair was put aside
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
                        if hint.bound_of_pieces(frame, pair.0, pair.1) > limit + frame.touch {
                            continue;
                        }
                        let found = near(frame, (i, j), pair, limit);
                        if let Some(near) = found.ok().filter(|near| near.gap < limit) {
                            limit = near.gap;
                            best = Some(near);
                            if near.gap <= enough {
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
