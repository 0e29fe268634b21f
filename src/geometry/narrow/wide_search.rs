//! Traversals of two wide trees at once.
//!
//! As in the scalar traversals of [`search`](super::search), the order matters for speed only: pruned parts are proved
//! to be too far away, and [`near()`](super::near::near()) decides in double precision.

use std::cell::Cell;

use super::body::Body;
use super::extremes::Open;
use super::frame::{Frame, Hint};
use super::leaves::{Leaves, Side};
use super::near::{Near, near};
use super::relative::{Direction, Relative, View};
use super::wide::{Bounds, Child, Wide};
use crate::math::{Lanes, Level, Vector, Work};

/// Two wide trees and their frame.
pub(super) struct Both<'a> {
    pub(super) frame: &'a Frame,
    pub(super) a: &'a Body,
    pub(super) b: &'a Body,
    pub(super) wide_a: &'a Wide,
    pub(super) wide_b: &'a Wide,
    pub(super) relative: Relative,
}

impl<'a> Both<'a> {
    /// `None` where single precision does not suffice, or for bodies of a few pieces, for which it does not pay.
    pub(super) fn new(frame: &'a Frame, a: &'a Body, b: &'a Body) -> Option<Self> {
        if a.pieces.len().max(b.pieces.len()) <= FEW_PIECES {
            return None;
        }
        let (wide_a, wide_b) = (a.wide.as_ref()?, b.wide.as_ref()?);
        let relative = Relative::new(frame, wide_a, wide_b)?;
        (wide_a.simd == wide_b.simd).then_some(Self {
            frame,
            a,
            b,
            wide_a,
            wide_b,
            relative,
        })
    }

    /// Visits the pairs of pieces within `limit`, until `visit` returns true.
    pub(super) fn walk(&self, limit: f64, mut visit: impl FnMut(Near) -> bool) {
        self.wide_a.simd.run(Walk {
            both: self,
            limit,
            visit: &mut visit,
        });
    }

    /// Any two pieces within `limit`.
    #[inline]
    pub(super) fn any(&self, limit: f64) -> Option<Near> {
        let mut found = None;
        self.walk(limit, |near| {
            found = Some(near);
            true
        });
        found
    }

    /// The node of a pair to open: the larger that can be.
    #[inline(always)]
    pub(super) fn step(&self, (a, b): (Child, Child)) -> Step {
        match (a.leaf_or_node(), b.leaf_or_node()) {
            (Ok(a), Ok(b)) => Step::Leaves(a, b),
            (Err(a), Ok(_)) => Step::OpenA(a),
            (Ok(_), Err(b)) => Step::OpenB(b),
            (Err(na), Err(nb)) => {
                let size = |bounds: &Bounds| bounds.half.iter().map(|h| h * h).sum::<f32>();
                if size(self.wide_a.bounds(a)) >= size(self.wide_b.bounds(b)) {
                    Step::OpenA(na)
                } else {
                    Step::OpenB(nb)
                }
            }
        }
    }

    /// The limit in single precision, rounding included.
    #[inline]
    pub(super) fn beyond(&self, limit: f64) -> f32 {
        self.relative.limit(limit + self.frame.margins)
    }

    /// Pairs two leaves, the fuller as lanes.
    #[inline(always)]
    pub(super) fn opposite(&self, (a, b): (usize, usize)) -> Opposite<'_> {
        let (body_a, body_b) = (self.a, self.b);
        let a = Side::new(body_a, self.wide_a, a);
        let b = Side::new(body_b, self.wide_b, b);
        if a.range().count > b.range().count {
            Opposite {
                rows: b,
                lanes: a,
                view: &self.relative.ab,
                swapped: true,
            }
        } else {
            Opposite {
                rows: a,
                lanes: b,
                view: &self.relative.ba,
                swapped: false,
            }
        }
    }
}

/// Two leaves, one as rows and the other as lanes.
pub(super) struct Opposite<'a> {
    pub(super) rows: Side<'a>,
    pub(super) lanes: Side<'a>,
    /// Maps points of the rows into the frame of the lanes.
    pub(super) view: &'a View,
    /// True if the lanes are those of a.
    pub(super) swapped: bool,
}

impl Opposite<'_> {
    /// Converts a direction from a to b into one from the rows to the lanes.
    #[inline(always)]
    pub(super) fn direction(&self, direction: &Direction) -> Direction {
        if self.swapped {
            direction.reversed()
        } else {
            *direction
        }
    }

    /// Orders a value of a row and a value of a lane, that of a first.
    #[inline(always)]
    pub(super) fn in_order<T>(&self, (row, lane): (T, T)) -> (T, T) {
        if self.swapped {
            (lane, row)
        } else {
            (row, lane)
        }
    }
}

/// Bodies of no more pieces are tested piece by piece.
pub(super) const FEW_PIECES: usize = 4;

pub(super) enum Step {
    OpenA(usize),
    OpenB(usize),
    Leaves(usize, usize),
}

thread_local! {
    /// Nodes still to open, kept for the next traversal to save allocations.
    pub(super) static OPEN: Cell<Open> = const { Cell::new(Vec::new()) };
}

/// All pairs within a limit; compiled once for all visitors.
struct Walk<'a> {
    both: &'a Both<'a>,
    limit: f64,
    visit: &'a mut dyn FnMut(Near) -> bool,
}

impl Work for Walk<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(mut self) {
        let both = self.both;
        let beyond = both.beyond(self.limit);
        let mut direction = both.relative.center_direction();
        let mut hint = Hint::none();
        let mut open = OPEN.take();
        open.clear();
        open.push((0.0, both.wide_a.root, both.wide_b.root));
        'walk: while let Some((_, a, b)) = open.pop() {
            match both.step((a, b)) {
                Step::OpenA(node) => {
                    let (children, mask) = both.wide_a.children::<N>(node);
                    let one = both.wide_b.bounds(b);
                    let many = both.wide_a.node::<N, L>(node);
                    let slack = both.relative.slack;
                    let (near, squares) = both.relative.ba.near(one, many, mask, beyond, slack);
                    push(&mut open, near, &squares, Opened::A(children, b));
                }
                Step::OpenB(node) => {
                    let (children, mask) = both.wide_b.children::<N>(node);
                    let one = both.wide_a.bounds(a);
                    let many = both.wide_b.node::<N, L>(node);
                    let slack = both.relative.slack;
                    let (near, squares) = both.relative.ab.near(one, many, mask, beyond, slack);
                    push(&mut open, near, &squares, Opened::B(a, children));
                }
                Step::Leaves(a, b) => {
                    let opposite = both.opposite((a, b));
                    let mut within = Leaves::<N, L>::within(&opposite, beyond, &direction);
                    // by reference, for to move it is to copy 1.3 kB
                    let Some((leaves, rows)) = &mut within else {
                        continue;
                    };
                    let mut rows = *rows;
                    let faces = leaves.faces();
                    while rows != 0 {
                        let row = rows.trailing_zeros() as usize;
                        rows &= rows - 1;
                        let ahead = leaves.ahead(row, beyond);
                        let mut lanes = leaves.near(row, ahead, beyond, &faces);
                        while lanes != 0 {
                            let lane = lanes.trailing_zeros() as usize;
                            lanes &= lanes - 1;
                            match self.test(opposite.in_order(leaves.pieces(row, lane)), &hint) {
                                Tested::Enough => break 'walk,
                                Tested::Near | Tested::Hinted => {}
                                Tested::Separated(v) => {
                                    hint = Hint::new(both.frame, &v);
                                    direction = both.relative.direction(&v);
                                    leaves.set_direction(&opposite.direction(&direction));
                                    lanes &= leaves.ahead(row, beyond);
                                }
                            }
                        }
                    }
                }
            }
        }
        OPEN.set(open);
    }
}

/// Outcome of a test of two pieces.
enum Tested {
    /// They are within the limit, and the visitor stops.
    Enough,
    Near,
    /// The current direction separates them.
    Hinted,
    /// They are separated in this direction.
    Separated(Vector),
}

impl Walk<'_> {
    #[inline(never)]
    fn test(&mut self, (i, j): (u32, u32), hint: &Hint) -> Tested {
        let both = self.both;
        let (i, j) = (i as usize, j as usize);
        let pair = (&both.a.pieces[i], &both.b.pieces[j]);
        if hint.bound_of_pieces(both.frame, pair.0, pair.1) > self.limit + both.frame.tolerance {
            return Tested::Hinted;
        }
        match near(both.frame, (i, j), pair, self.limit) {
            Ok(near) if near.separation <= self.limit => {
                if (self.visit)(near) {
                    Tested::Enough
                } else {
                    Tested::Near
                }
            }
            Ok(near) => Tested::Separated(near.direction),
            Err(separated) => Tested::Separated(separated.0),
        }
    }
}

/// The children of one part, and the other part.
#[derive(Clone, Copy)]
pub(super) enum Opened<'a> {
    A(&'a [Child], Child),
    B(Child, &'a [Child]),
}

impl Opened<'_> {
    /// The pair of a lane.
    #[inline(always)]
    fn pair(&self, lane: usize) -> (Child, Child) {
        match *self {
            Self::A(children, b) => (children[lane], b),
            Self::B(a, children) => (a, children[lane]),
        }
    }
}

/// Pushes the pairs of some lanes, the one with the least key last.
#[inline(always)]
pub(super) fn push<const N: usize, L: Level>(
    open: &mut Open,
    mut mask: u32,
    keys: &Lanes<N, L, f32>,
    opened: Opened<'_>,
) {
    let first = open.len();
    while mask != 0 {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        let (a, b) = opened.pair(lane);
        let entry = (keys.values()[lane], a, b);
        let mut at = open.len();
        open.push(entry);
        while at > first && open[at - 1].0 < entry.0 {
            open[at] = open[at - 1];
            at -= 1;
        }
        open[at] = entry;
    }
}

/// Pushes the pairs of some lanes, one with a small key last: where a close pair is known already, sorting costs more
/// than it saves.
#[inline(always)]
pub(super) fn push_roughly<const N: usize, L: Level>(
    open: &mut Open,
    mut mask: u32,
    keys: &Lanes<N, L, f32>,
    opened: Opened<'_>,
) {
    while mask != 0 {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask - 1;
        let (a, b) = opened.pair(lane);
        let mut entry = (keys.values()[lane], a, b);
        // the least so far stays on top
        if let Some(top) = open.last_mut().filter(|top| top.0 < entry.0) {
            std::mem::swap(top, &mut entry);
        }
        open.push(entry);
    }
}
