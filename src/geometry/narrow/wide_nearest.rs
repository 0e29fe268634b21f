//! The nearest pieces of two bodies, through wide trees.

use super::facing::{self, Few, Open};
use super::frame::Hint;
use super::gjk::{Aim, Support};
use super::near::{Near, near};
use super::piece::Piece;
use super::relative::Way;
use super::wide_search::{Both, OPEN, Opened, Step, push};
use crate::math::{Lanes, Level, Point, Vector, Work};

impl Both<'_> {
    /// The closest pair of pieces; the search ends where a pair is as near as `enough`.
    pub(super) fn nearest(&self, enough: f64) -> Option<Near> {
        let mut best = None;
        self.wide_a.simd.run(Nearest {
            both: self,
            enough,
            best: &mut best,
            way: self.relative.first_way(),
            hint: Hint::none(),
            beyond: f32::INFINITY,
        });
        best
    }
}

/// How far a search has come.
struct Nearest<'a> {
    both: &'a Both<'a>,
    enough: f64,
    best: &'a mut Option<Near>,
    /// From a to b between the nearest pieces so far.
    way: Way,
    /// The same in double precision.
    hint: Hint,
    /// What single precision puts farther away than this is farther than what was found.
    beyond: f32,
}

/// Whether a search is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Over,
    Open,
}

/// What became of two pieces.
enum Tested {
    /// The direction of the nearest pair so far tells them apart.
    Hinted,
    /// They are the nearest pair now.
    Nearer,
    /// They are apart along this direction, which is zero where none is known.
    Farther(Vector),
}

impl Work for Nearest<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(mut self) {
        let mut open = OPEN.take();
        open.clear();
        self.aim::<N, L>(&mut open);
        if self.hop::<N, L>(&mut open) == Is::Open && self.settle::<N, L>(&mut open) == Is::Open {
            self.walk::<N, L>(&mut open);
        }
        OPEN.set(open);
    }
}

impl Nearest<'_> {
    /// Takes the direction between the convex hulls, or one on the way to it: of bodies that bulge towards each other the
    /// nearest pieces lie in it, or close to it.
    #[inline(always)]
    fn aim<const N: usize, L: Level>(&mut self, open: &mut Open) {
        let both = self.both;
        let mut aim = Aim::new();
        for _ in 0..MOST_HOPS {
            let (way, towards_a) = (self.way, negative(&self.way.in_b));
            let a = facing::farthest::<N, L>(both.a, both.wide_a, &way.in_a, open);
            let b = facing::farthest::<N, L>(both.b, both.wide_b, &towards_a, open);
            let corner = |piece: &Piece, direction: &[f32; 3]| -> Point {
                piece.core.support(&Vector::from(direction.map(f64::from)))
            };
            let on_a = corner(&both.a.pieces[a.piece as usize], &way.in_a);
            let on_b = corner(&both.b.pieces[b.piece as usize], &towards_a);
            let Some(direction) = aim.next(on_a, both.frame.x_ab * on_b) else {
                break;
            };
            self.way = both.relative.way(&direction);
        }
    }

    /// Tests the pieces that reach farthest towards each other, as long as that brings them nearer.
    #[inline(always)]
    fn hop<const N: usize, L: Level>(&mut self, open: &mut Open) -> Is {
        let both = self.both;
        for _ in 0..MOST_HOPS {
            let towards_a = negative(&self.way.in_b);
            let a = facing::farthest::<N, L>(both.a, both.wide_a, &self.way.in_a, open);
            let b = facing::farthest::<N, L>(both.b, both.wide_b, &towards_a, open);
            // where the bodies reach into each other nothing is gained
            let are_apart = self.way.offset > a.top + b.top;
            if !matches!(self.test(a.piece, b.piece), Tested::Nearer) {
                break;
            }
            if self.is_enough() {
                return Is::Over;
            }
            if !are_apart {
                break;
            }
        }
        Is::Open
    }

    /// Tests all pieces that can be nearer than what was found, if the direction shows that they are few.
    #[inline(always)]
    fn settle<const N: usize, L: Level>(&mut self, open: &mut Open) -> Is {
        let (both, way, beyond) = (self.both, self.way, self.beyond);
        let towards_a = negative(&way.in_b);
        let top_a = facing::farthest::<N, L>(both.a, both.wide_a, &way.in_a, open).top;
        let top_b = facing::farthest::<N, L>(both.b, both.wide_b, &towards_a, open).top;
        // a pair is left out where `offset - top of a - top of b` is more than the distance
        let least = way.offset - beyond;
        let (mut few_a, mut few_b) = (Few::new(), Few::new());
        let (least_a, least_b) = (least - top_b, least - top_a);
        let are_few =
            facing::beyond::<N, L>(both.a, both.wide_a, &way.in_a, least_a, (open, &mut few_a))
                && facing::beyond::<N, L>(
                    both.b,
                    both.wide_b,
                    &towards_a,
                    least_b,
                    (open, &mut few_b),
                );
        let is_near = |a: f32, b: f32| a + b >= least;
        let mut left = MOST_PAIRS;
        for a in few_a.items() {
            for b in few_b.items() {
                left -= u32::from(is_near(a.top, b.top));
                if left == 0 || !are_few {
                    return Is::Open;
                }
            }
        }
        if !are_few {
            return Is::Open;
        }
        for a in few_a.items() {
            for b in few_b.items() {
                if is_near(a.top, b.top) {
                    self.test(a.piece, b.piece);
                    if self.is_enough() {
                        return Is::Over;
                    }
                }
            }
        }
        Is::Over
    }

    /// The walk through both trees.
    #[inline(always)]
    fn walk<const N: usize, L: Level>(&mut self, open: &mut Open) {
        let both = self.both;
        let (mut seen, mut turn, mut settled) = (0_u32, FIRST_TURN, self.beyond);
        open.push((0.0, both.wide_a.root, both.wide_b.root));
        while let Some((lowest, a, b)) = open.pop() {
            if lowest > self.beyond * self.beyond {
                continue;
            }
            match both.step((a, b)) {
                Step::OpenA(node) => {
                    let (children, mask) = both.wide_a.children::<N>(node);
                    let one = both.wide_b.bounds(b);
                    let many = both.wide_a.node::<N, L>(node);
                    let bounds = both.relative.ba.bound(one, many, &self.way.reversed());
                    let near = mask & !bounds.above(Lanes::splat(self.beyond * self.beyond));
                    push(open, near, &bounds, Opened::A(children, b));
                }
                Step::OpenB(node) => {
                    let (children, mask) = both.wide_b.children::<N>(node);
                    let one = both.wide_a.bounds(a);
                    let many = both.wide_b.node::<N, L>(node);
                    let bounds = both.relative.ab.bound(one, many, &self.way);
                    let near = mask & !bounds.above(Lanes::splat(self.beyond * self.beyond));
                    push(open, near, &bounds, Opened::B(a, children));
                }
                Step::Leaves(a, b) => {
                    if self.leaves::<N, L>(a, b) == Is::Over {
                        return;
                    }
                    seen += 1;
                    if seen == turn {
                        turn *= 4;
                        if self.beyond < settled {
                            settled = self.beyond;
                            if self.settle::<N, L>(open) == Is::Over {
                                return;
                            }
                        }
                    }
                }
            }
        }
    }

    /// Tests the pieces of two leaves.
    #[inline(always)]
    fn leaves<const N: usize, L: Level>(&mut self, a: usize, b: usize) -> Is {
        let (mut leaves, turned) = self.both.leaves::<N, L>((a, b), &self.way);
        // what told the last pieces apart, in the frame of the lanes: neighbours are often apart along the same
        let mut lately: Option<[f32; 3]> = None;
        for row in 0..leaves.n_rows() {
            let ahead = leaves.ahead(row, self.beyond);
            if ahead == 0 {
                continue;
            }
            let axes = leaves.axes(row, self.beyond);
            let mut lanes = axes.roughly_near(ahead);
            if let Some(direction) = &lately {
                lanes = axes.near_along(lanes, direction);
            }
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let (row_piece, lane_piece) = leaves.pieces(row, lane);
                let tested = if turned {
                    self.test(lane_piece, row_piece)
                } else {
                    self.test(row_piece, lane_piece)
                };
                match tested {
                    Tested::Hinted => {}
                    Tested::Nearer => {
                        if self.is_enough() {
                            return Is::Over;
                        }
                        leaves.look(&if turned {
                            self.way.reversed()
                        } else {
                            self.way
                        });
                        lanes &= leaves.ahead(row, self.beyond);
                    }
                    Tested::Farther(direction) => {
                        let way = self.both.relative.way(&direction);
                        let direction = if turned { way.in_a } else { way.in_b };
                        lanes = axes.near_along(lanes, &direction);
                        lately = Some(direction);
                    }
                }
            }
        }
        Is::Open
    }

    fn is_enough(&self) -> bool {
        self.limit() <= self.enough
    }

    /// The least distance so far.
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |near| near.gap)
    }

    /// Keeps two pieces if they are nearer than all before.
    #[inline(never)]
    fn test(&mut self, i: u32, j: u32) -> Tested {
        let (both, limit) = (self.both, self.limit());
        let (i, j) = (i as usize, j as usize);
        let pair = (&both.a.pieces[i], &both.b.pieces[j]);
        // neighbours that share the nearest corner are no nearer than it; but what touches is never left out
        let touch = both.frame.touch;
        if self.hint.bound_of_pieces(both.frame, pair.0, pair.1) > (limit - touch).max(2.0 * touch)
        {
            return Tested::Hinted;
        }
        let nearer = match near(both.frame, (i, j), pair, limit) {
            Ok(near) if near.gap < limit => near,
            Ok(near) => return Tested::Farther(near.direction),
            Err(apart) => return Tested::Farther(apart.0),
        };
        *self.best = Some(nearer);
        self.hint = Hint::new(both.frame, &nearer.direction);
        self.way = both.relative.way(&nearer.direction);
        self.beyond = both.beyond(nearer.gap);
        Tested::Nearer
    }
}

/// More hops rarely lead nearer.
const MOST_HOPS: usize = 12;
/// More pairs than this are left to the walk.
const MOST_PAIRS: u32 = 256;
/// After so many pairs of leaves the direction is good enough to be looked along, then after four times as many.
const FIRST_TURN: u32 = 4;

#[inline(always)]
fn negative(v: &[f32; 3]) -> [f32; 3] {
    [-v[0], -v[1], -v[2]]
}
