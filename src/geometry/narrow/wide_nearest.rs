//! The nearest pieces of two bodies, through wide trees.

use super::facing::{self, Facing, Few, Open};
use super::frame::Hint;
use super::leaves::{Leaves, Side};
use super::near::{Near, near};
use super::relative::Way;
use super::tops::{TOPS, Tops};
use super::triangles::{Gaps, Waiting};
use super::wide_search::{Both, OPEN, Opened, Step, push_roughly};
use crate::math::{Lanes, Level, Work};

impl Both<'_> {
    /// The closest pair of pieces; the search ends where a pair is as near as `enough`.
    pub(super) fn nearest(&self, enough: f64) -> Option<Near> {
        let [root_a, root_b] = [&self.a.nodes[0], &self.b.nodes[0]];
        let mut open = OPEN.take();
        open.clear();
        let aimed = self.aim(enough, &mut open);
        let mut best = None;
        if !(aimed.is_apart || self.frame.bound(root_a, root_b) > enough) {
            // whether parts touch is told several times sooner than how far they are apart
            OPEN.set(open);
            best = self.any(enough);
            if best.is_some() {
                return best;
            }
            open = OPEN.take();
            open.clear();
        }
        let mut tops = TOPS.take();
        tops[0].start(self.wide_a.ranges.len());
        tops[1].start(self.wide_b.ranges.len());
        self.wide_a.simd.run(Nearest {
            both: self,
            enough,
            best: &mut best,
            way: aimed.way,
            hint: Hint::none(),
            ends: aimed.ends,
            beyond: f32::INFINITY,
            waiting: Waiting::new(),
            tops: &mut tops,
            open: &mut open,
        });
        TOPS.set(tops);
        OPEN.set(open);
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
    /// The same in double precision, once some pieces were found.
    hint: Hint,
    /// The pieces that reach farthest along it, where they are known.
    ends: Option<(Facing, Facing)>,
    /// What single precision puts farther away than this is farther than what was found.
    beyond: f32,
    /// Pairs of pieces that wait until there are enough of them.
    waiting: Waiting,
    tops: &'a mut [Tops; 2],
    open: &'a mut Open,
}

/// Whether a search is over.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Over,
    Open,
}

impl Work for Nearest<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(mut self) {
        if self.hop::<N, L>() == Is::Open && self.settle::<N, L>() == Is::Open {
            self.walk::<N, L>();
        }
    }
}

impl Nearest<'_> {
    /// Tests the pieces that reach farthest towards each other, as long as that brings them nearer.
    #[inline(always)]
    fn hop<const N: usize, L: Level>(&mut self) -> Is {
        for _ in 0..MOST_HOPS {
            let (a, b) = self.ends::<N, L>();
            // where the bodies reach into each other nothing is gained
            let are_apart = self.way.offset > a.top + b.top;
            if !self.test((a.piece, b.piece)) {
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

    /// The pieces that reach farthest towards each other.
    #[inline(always)]
    fn ends<const N: usize, L: Level>(&mut self) -> (Facing, Facing) {
        if let Some(ends) = self.ends {
            return ends;
        }
        let ends = self.both.ends::<N, L>(&self.way, self.open);
        self.ends = Some(ends);
        ends
    }

    /// Tests all pieces that can be nearer than what was found, if the direction shows that they are few.
    #[inline(always)]
    fn settle<const N: usize, L: Level>(&mut self) -> Is {
        let (top_a, top_b) = self.ends::<N, L>();
        let (both, way) = (self.both, self.way);
        let towards_a = way.in_b.map(|x| -x);
        // a pair is left out where `offset - top of a - top of b` is more than the distance
        let least = way.offset - self.beyond;
        let (mut few_a, mut few_b) = (Few::new(), Few::new());
        let (least_a, least_b) = (least - top_b.top, least - top_a.top);
        let (in_a, in_b) = ((&mut *self.open, &mut few_a), &mut few_b);
        let are_few = facing::beyond::<N, L>(both.a, both.wide_a, &way.in_a, least_a, in_a)
            && facing::beyond::<N, L>(
                both.b,
                both.wide_b,
                &towards_a,
                least_b,
                (&mut *self.open, in_b),
            );
        if !are_few {
            return Is::Open;
        }
        // neighbours that share the nearest corner are no nearer than it: only double precision tells
        let hint = self.hint;
        let tops_a = few_a.tops(|piece| hint.top_of_a(&both.a.pieces[piece]));
        let tops_b = few_b.tops(|piece| hint.top_of_b(&both.b.pieces[piece]));
        let gap = |i: usize, j: usize| hint.offset - tops_a[i] - tops_b[j] - both.frame.margins;
        let pairs = || {
            let n_b = few_b.items().len();
            (0..few_a.items().len()).flat_map(move |i| (0..n_b).map(move |j| (i, j)))
        };
        let least = self.least_hinted();
        if pairs().filter(|&(i, j)| gap(i, j) <= least).count() > MOST_PAIRS {
            return Is::Open;
        }
        for (i, j) in pairs() {
            if gap(i, j) <= self.least_hinted() {
                let (a, b) = (few_a.items()[i], few_b.items()[j]);
                if self.look_at::<N, L>((a.place, b.place)) == Is::Over {
                    return Is::Over;
                }
            }
        }
        self.settle_waiting();
        Is::Over
    }

    /// Pieces that the hint puts farther apart than this are not nearer than what was found; but what touches is never
    /// left out.
    fn least_hinted(&self) -> f64 {
        let touch = self.both.frame.touch;
        (self.limit() - touch).max(2.0 * touch)
    }

    /// The walk through both trees.
    #[inline(always)]
    fn walk<const N: usize, L: Level>(&mut self) {
        let both = self.both;
        let (mut seen, mut turn, mut settled) = (0_u32, FIRST_TURN, self.beyond);
        self.open.push((0.0, both.wide_a.root, both.wide_b.root));
        while let Some((lowest, a, b)) = self.open.pop() {
            if lowest > self.beyond * self.beyond {
                continue;
            }
            match both.step((a, b)) {
                Step::OpenA(node) => {
                    let (children, mask) = both.wide_a.children::<N>(node);
                    let one = both.wide_b.bounds(b);
                    let many = both.wide_a.node::<N, L>(node);
                    let bounds = both.relative.ba.bound(one, many, &self.way.reversed());
                    let near = mask & !bounds.gt(Lanes::splat(self.beyond * self.beyond));
                    push_roughly(self.open, near, &bounds, Opened::A(children, b));
                }
                Step::OpenB(node) => {
                    let (children, mask) = both.wide_b.children::<N>(node);
                    let one = both.wide_a.bounds(a);
                    let many = both.wide_b.node::<N, L>(node);
                    let bounds = both.relative.ab.bound(one, many, &self.way);
                    let near = mask & !bounds.gt(Lanes::splat(self.beyond * self.beyond));
                    push_roughly(self.open, near, &bounds, Opened::B(a, children));
                }
                Step::Leaves(a, b) => {
                    if !self.can_be_nearer::<N, L>(a, b) {
                        continue;
                    }
                    if self.leaves::<N, L>(a, b) == Is::Over {
                        return;
                    }
                    seen += 1;
                    if seen == turn {
                        turn *= 4;
                        if self.beyond < settled {
                            settled = self.beyond;
                            if self.settle::<N, L>() == Is::Over {
                                return;
                            }
                        }
                    }
                }
            }
        }
        self.settle_waiting();
    }

    /// Whether the direction leaves it open that pieces of two leaves are nearer than what was found.
    #[inline(always)]
    fn can_be_nearer<const N: usize, L: Level>(&mut self, a: usize, b: usize) -> bool {
        let (both, way) = (self.both, &self.way);
        let a_side = Side::new(both.a, both.wide_a, a);
        let b_side = Side::new(both.b, both.wide_b, b);
        let [tops_a, tops_b] = &mut *self.tops;
        let top_a = tops_a.of(a, || most(&a_side.top::<N, L>(&way.in_a)));
        let top_b = tops_b.of(b, || most(&b_side.top::<N, L>(&way.in_b.map(|x| -x))));
        way.offset - top_a - top_b <= self.beyond
    }

    /// Looks at the pieces of two leaves.
    #[inline(always)]
    fn leaves<const N: usize, L: Level>(&mut self, a: usize, b: usize) -> Is {
        let opposite = self.both.opposite((a, b));
        let within = Leaves::<N, L>::within(&opposite, self.beyond, &self.way);
        let Some((mut leaves, mut rows)) = within else {
            return Is::Open;
        };
        while rows != 0 {
            let row = rows.trailing_zeros() as usize;
            rows &= rows - 1;
            let ahead = leaves.ahead(row, self.beyond);
            if ahead == 0 {
                continue;
            }
            let mut lanes = leaves.roughly_near(row, ahead, self.beyond);
            while lanes != 0 {
                let lane = lanes.trailing_zeros() as usize;
                lanes &= lanes - 1;
                let beyond = self.beyond;
                let pair = opposite.in_order(leaves.places(row, lane));
                if self.look_at::<N, L>(pair) == Is::Over {
                    return Is::Over;
                }
                if self.beyond < beyond {
                    leaves.look(&opposite.way(&self.way));
                    lanes &= leaves.ahead(row, self.beyond);
                }
            }
        }
        Is::Open
    }

    /// Whether the direction proves, in double precision, that two pieces are not nearer than what was found.
    #[inline(never)]
    fn is_hinted(&self, (a, b): (u32, u32)) -> bool {
        let both = self.both;
        let a = &both.a.pieces[both.wide_a.piece_at(a) as usize];
        let b = &both.b.pieces[both.wide_b.piece_at(b) as usize];
        self.hint.bound_of_pieces(both.frame, a, b) > self.least_hinted()
    }

    /// Two pieces, by their places: triangles wait until there are as many as lanes.
    #[inline(always)]
    fn look_at<const N: usize, L: Level>(&mut self, pair: (u32, u32)) -> Is {
        let both = self.both;
        if !(both.wide_a.is_plain_at(pair.0) && both.wide_b.is_plain_at(pair.1)) {
            self.test((both.wide_a.piece_at(pair.0), both.wide_b.piece_at(pair.1)));
        } else if self.waiting.add(pair, N) {
            self.settle_waiting();
        }
        if self.is_enough() { Is::Over } else { Is::Open }
    }

    /// Tests those that wait, as far as they can be nearer than what was found, the most likely first.
    #[inline(never)]
    fn settle_waiting(&mut self) {
        let both = self.both;
        let pairs = self.waiting.take();
        let mut gaps = Gaps::none();
        both.wide_a.simd.run(Gaps {
            both,
            pairs: &pairs,
            gaps: &mut gaps,
        });
        let mut left = u32::MAX >> (31 - pairs.places().len()) >> 1;
        while left != 0 {
            let mut least = left.trailing_zeros() as usize;
            for k in least + 1..pairs.places().len() {
                if left & 1 << k != 0 && gaps[k] < gaps[least] {
                    least = k;
                }
            }
            left &= !(1 << least);
            if gaps[least] > self.beyond || self.is_enough() {
                return;
            }
            let (a, b) = pairs.places()[least];
            if !self.is_hinted((a, b)) {
                self.test((both.wide_a.piece_at(a), both.wide_b.piece_at(b)));
            }
        }
    }

    fn is_enough(&self) -> bool {
        self.limit() <= self.enough
    }

    /// The least distance so far.
    fn limit(&self) -> f64 {
        self.best.as_ref().map_or(f64::INFINITY, |near| near.gap)
    }

    /// Keeps two pieces if they are nearer than all before, and tells whether they are.
    #[inline(never)]
    fn test(&mut self, (i, j): (u32, u32)) -> bool {
        let (both, limit) = (self.both, self.limit());
        let (i, j) = (i as usize, j as usize);
        let pair = (&both.a.pieces[i], &both.b.pieces[j]);
        // what comes here is likely nearer, and not worth a proof that it is not
        let found = near(both.frame, (i, j), pair, f64::INFINITY);
        let Some(nearer) = found.ok().filter(|near| near.gap < limit) else {
            return false;
        };
        *self.best = Some(nearer);
        self.way = both.relative.way(&nearer.direction);
        self.hint = Hint::new(both.frame, &nearer.direction);
        self.ends = None;
        self.tops.iter_mut().for_each(Tops::turn);
        self.beyond = both.beyond(nearer.gap);
        true
    }
}

/// More hops rarely lead nearer.
const MOST_HOPS: usize = 12;
/// More pairs than this are left to the walk.
const MOST_PAIRS: usize = 256;
/// After so many pairs of leaves the direction is good enough to be looked along, then after four times as many.
const FIRST_TURN: u32 = 16;

/// The largest of all lanes, as [`Lanes::highest`] tells it, which takes longer here.
#[inline(always)]
fn most<const N: usize, L: Level>(lanes: &Lanes<N, L, f32>) -> f32 {
    let mut values = *lanes.values();
    let mut n = N;
    while n > 1 {
        n /= 2;
        for k in 0..n {
            if values[k + n] > values[k] {
                values[k] = values[k + n];
            }
        }
    }
    values[0]
}
