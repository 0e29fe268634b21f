//! Closest pieces of two bodies, through wide trees.

use super::extremes::{self, Extreme, ExtremeList, Open};
use super::frame::Hint;
use super::leaves::{Leaves, Side};
use super::near::{Near, near};
use super::relative::Direction;
use super::support_cache::{SUPPORT_CACHES, SupportCache};
use super::triangles::{DistanceBounds, TriangleBatch};
use super::wide_search::{Both, OPEN, Opened, Step, push_roughly};
use crate::math::linear::array3;
use crate::math::{Lanes, Level, Work, outlined};

impl Both<'_> {
    /// The closest pair of pieces; the search ends where a pair is as close as `enough`.
    pub(super) fn nearest(&self, enough: f64) -> Option<Near> {
        let [root_a, root_b] = [&self.a.nodes[0], &self.b.nodes[0]];
        let mut open = OPEN.take();
        open.clear();
        let hint = self.hull_direction(enough, &mut open);
        let mut best = None;
        if !(hint.is_separated || self.frame.bound(root_a, root_b) > enough) {
            // a contact test is several times faster than a distance
            OPEN.set(open);
            best = self.any(enough);
            if best.is_some() {
                return best;
            }
            open = OPEN.take();
            open.clear();
        }
        let mut caches = SUPPORT_CACHES.take();
        caches[0].start(self.wide_a.ranges.len());
        caches[1].start(self.wide_b.ranges.len());
        self.wide_a.simd.run(Nearest {
            both: self,
            enough,
            best: &mut best,
            direction: hint.direction,
            hint: Hint::none(),
            extremes: hint.extremes,
            beyond: f32::INFINITY,
            batch: TriangleBatch::new(),
            caches: &mut caches,
            open: &mut open,
        });
        SUPPORT_CACHES.set(caches);
        OPEN.set(open);
        best
    }
}

/// State of a search.
struct Nearest<'a> {
    both: &'a Both<'a>,
    enough: f64,
    best: &'a mut Option<Near>,
    /// From a to b between the closest pieces so far.
    direction: Direction,
    /// The same in double precision, once some pieces were found.
    hint: Hint,
    /// The extreme pieces along it, where they are known.
    extremes: Option<(Extreme, Extreme)>,
    /// Single-precision distances beyond this exceed the best so far.
    beyond: f32,
    /// Pairs of pieces collected for a batch.
    batch: TriangleBatch,
    caches: &'a mut [SupportCache; 2],
    open: &'a mut Open,
}

/// Whether a search has ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Is {
    Over,
    Open,
}

impl Work for Nearest<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(mut self) {
        if self.approach::<N, L>() == Is::Open && self.test_extremes::<N, L>() == Is::Open {
            self.walk::<N, L>();
        }
    }
}

impl Nearest<'_> {
    /// Tests the extreme pieces towards each other, as long as that brings them closer.
    #[inline(always)]
    fn approach<const N: usize, L: Level>(&mut self) -> Is {
        for _ in 0..MAX_APPROACHES {
            let (a, b) = self.extremes::<N, L>();
            // overlapping bodies gain nothing
            let are_separated = self.direction.offset > a.support + b.support;
            if !self.test((a.piece, b.piece)) {
                break;
            }
            if self.is_enough() {
                return Is::Over;
            }
            if !are_separated {
                break;
            }
        }
        Is::Open
    }

    /// The extreme pieces towards each other.
    #[inline(always)]
    fn extremes<const N: usize, L: Level>(&mut self) -> (Extreme, Extreme) {
        if let Some(extremes) = self.extremes {
            return extremes;
        }
        let extremes = self.both.extremes::<N, L>(&self.direction, self.open);
        self.extremes = Some(extremes);
        extremes
    }

    /// Tests all pieces that can be closer than the best so far, if the direction leaves few.
    fn test_extremes<const N: usize, L: Level>(&mut self) -> Is {
        outlined::<L, _>(
            #[inline(always)]
            || self.test_extremes_here::<N, L>(),
        )
    }

    #[inline(always)]
    fn test_extremes_here<const N: usize, L: Level>(&mut self) -> Is {
        let (support_a, support_b) = self.extremes::<N, L>();
        let (both, direction) = (self.both, self.direction);
        let towards_a = array3(|k| -direction.in_b[k]);
        // a pair is pruned where `offset - support of a - support of b` is more than the distance
        let least = direction.offset - self.beyond;
        let (mut few_a, mut few_b) = (ExtremeList::new(), ExtremeList::new());
        let (least_a, least_b) = (least - support_b.support, least - support_a.support);
        let (in_a, in_b) = ((&mut *self.open, &mut few_a), &mut few_b);
        let are_few = extremes::beyond::<N, L>(both.a, both.wide_a, &direction.in_a, least_a, in_a)
            && extremes::beyond::<N, L>(
                both.b,
                both.wide_b,
                &towards_a,
                least_b,
                (&mut *self.open, in_b),
            );
        if !are_few {
            return Is::Open;
        }
        // neighbours that share the closest vertex are no closer than it: only double precision tells
        let hint = self.hint;
        let supports_a = few_a.supports(|piece| hint.support_of_a(&both.a.pieces[piece]));
        let supports_b = few_b.supports(|piece| hint.support_of_b(&both.b.pieces[piece]));
        let separation =
            |i: usize, j: usize| hint.offset - supports_a[i] - supports_b[j] - both.frame.margins;
        let pairs = || {
            let n_b = few_b.items().len();
            (0..few_a.items().len()).flat_map(move |i| (0..n_b).map(move |j| (i, j)))
        };
        let least = self.least_hinted();
        let are_plain = |i: usize, j: usize| {
            let (a, b) = (few_a.items()[i].slot, few_b.items()[j].slot);
            both.wide_a.is_plain_at(a) && both.wide_b.is_plain_at(b)
        };
        let left = || pairs().filter(|&(i, j)| separation(i, j) <= least);
        let count = left().count();
        let is_much = || left().filter(|&(i, j)| !are_plain(i, j)).count() > MAX_SOLID_PAIRS;
        if count > MAX_PAIRS || count > MAX_SOLID_PAIRS && is_much() {
            return Is::Open;
        }
        for (i, j) in pairs() {
            if separation(i, j) <= self.least_hinted() {
                let (a, b) = (few_a.items()[i], few_b.items()[j]);
                if self.submit::<N, L>((a.slot, b.slot)) == Is::Over {
                    return Is::Over;
                }
            }
        }
        self.test_batch();
        Is::Over
    }

    /// Pieces that the hint separates by more than this are not closer than the best so far; pieces that touch are
    /// never pruned.
    #[inline]
    fn least_hinted(&self) -> f64 {
        let tolerance = self.both.frame.tolerance;
        (self.limit() - tolerance).max(2.0 * tolerance)
    }

    /// The traversal of both trees.
    #[inline(always)]
    fn walk<const N: usize, L: Level>(&mut self) {
        let both = self.both;
        let (mut seen, mut next_check, mut tested_beyond) = (0_u32, FIRST_CHECK, self.beyond);
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
                    let bounds = both
                        .relative
                        .ba
                        .bound(one, many, &self.direction.reversed());
                    let near = mask & !bounds.gt(Lanes::splat(self.beyond * self.beyond));
                    push_roughly(self.open, near, &bounds, Opened::A(children, b));
                }
                Step::OpenB(node) => {
                    let (children, mask) = both.wide_b.children::<N>(node);
                    let one = both.wide_a.bounds(a);
                    let many = both.wide_b.node::<N, L>(node);
                    let bounds = both.relative.ab.bound(one, many, &self.direction);
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
                    if seen == next_check {
                        next_check *= 4;
                        if self.beyond < tested_beyond {
                            tested_beyond = self.beyond;
                            if self.test_extremes::<N, L>() == Is::Over {
                                return;
                            }
                        }
                    }
                }
            }
        }
        self.test_batch();
    }

    /// Returns whether pieces of two leaves can be closer than the best so far, by the direction.
    #[inline(always)]
    fn can_be_nearer<const N: usize, L: Level>(&mut self, a: usize, b: usize) -> bool {
        let (both, direction) = (self.both, &self.direction);
        let a_side = Side::new(both.a, both.wide_a, a);
        let b_side = Side::new(both.b, both.wide_b, b);
        let [supports_a, supports_b] = &mut *self.caches;
        let support_a = supports_a.of(a, || {
            highest(&a_side.support_values::<N, L>(&direction.in_a))
        });
        let support_b = supports_b.of(b, || {
            highest(&b_side.support_values::<N, L>(&array3(|k| -direction.in_b[k])))
        });
        direction.offset - support_a - support_b <= self.beyond
    }

    /// Tests the pieces of two leaves.
    #[inline(always)]
    fn leaves<const N: usize, L: Level>(&mut self, a: usize, b: usize) -> Is {
        let opposite = self.both.opposite((a, b));
        let mut within = Leaves::<N, L>::within(&opposite, self.beyond, &self.direction);
        // by reference, for to move it is to copy 1.3 kB
        let Some((leaves, rows)) = &mut within else {
            return Is::Open;
        };
        let mut rows = *rows;
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
                let pair = opposite.in_order(leaves.slots(row, lane));
                if self.submit::<N, L>(pair) == Is::Over {
                    return Is::Over;
                }
                if self.beyond < beyond {
                    leaves.set_direction(&opposite.direction(&self.direction));
                    lanes &= leaves.ahead(row, self.beyond);
                }
            }
        }
        Is::Open
    }

    /// Returns whether the direction proves, in double precision, that two pieces are not closer than the best so far.
    #[inline(never)]
    fn is_hinted(&self, (a, b): (u32, u32)) -> bool {
        let both = self.both;
        let a = &both.a.pieces[both.wide_a.piece_at(a) as usize];
        let b = &both.b.pieces[both.wide_b.piece_at(b) as usize];
        self.hint.bound_of_pieces(both.frame, a, b) > self.least_hinted()
    }

    /// Tests two pieces, by their slots: triangles are collected until a batch is full.
    #[inline(always)]
    fn submit<const N: usize, L: Level>(&mut self, pair: (u32, u32)) -> Is {
        let both = self.both;
        if !(both.wide_a.is_plain_at(pair.0) && both.wide_b.is_plain_at(pair.1)) {
            if !self.is_hinted(pair) {
                self.test((both.wide_a.piece_at(pair.0), both.wide_b.piece_at(pair.1)));
            }
        } else if self.batch.add(pair, N) {
            self.test_batch();
        }
        if self.is_enough() { Is::Over } else { Is::Open }
    }

    /// Tests the pairs of the batch that can be closer than the best so far, the most likely first.
    #[inline(never)]
    fn test_batch(&mut self) {
        let both = self.both;
        let pairs = self.batch.take();
        let mut bounds = DistanceBounds::none();
        both.wide_a.simd.run(DistanceBounds {
            both,
            pairs: &pairs,
            bounds: &mut bounds,
        });
        let mut left = u32::MAX >> (31 - pairs.slots().len()) >> 1;
        while left != 0 {
            let mut least = left.trailing_zeros() as usize;
            for k in least + 1..pairs.slots().len() {
                if left & 1 << k != 0 && bounds[k] < bounds[least] {
                    least = k;
                }
            }
            left &= !(1 << least);
            if bounds[least] > self.beyond || self.is_enough() {
                return;
            }
            let (a, b) = pairs.slots()[least];
            if !self.is_hinted((a, b)) {
                self.test((both.wide_a.piece_at(a), both.wide_b.piece_at(b)));
            }
        }
    }

    #[inline]
    fn is_enough(&self) -> bool {
        self.limit() <= self.enough
    }

    /// The least distance so far.
    #[inline]
    fn limit(&self) -> f64 {
        self.best
            .as_ref()
            .map_or(f64::INFINITY, |near| near.separation)
    }

    /// Keeps two pieces if they are closer than all before, and returns whether they are.
    #[inline(never)]
    fn test(&mut self, (i, j): (u32, u32)) -> bool {
        let (both, limit) = (self.both, self.limit());
        let (i, j) = (i as usize, j as usize);
        let pair = (&both.a.pieces[i], &both.b.pieces[j]);
        // plain pieces that reach this point are likely closer, and not worth a separation test
        let are_plain = pair.0.is_plain() && pair.1.is_plain();
        let enough = if are_plain { f64::INFINITY } else { limit };
        let found = near(both.frame, (i, j), pair, enough);
        let Some(nearer) = found.ok().filter(|near| near.separation < limit) else {
            return false;
        };
        *self.best = Some(nearer);
        self.direction = both.relative.direction(&nearer.direction);
        self.hint = Hint::new(both.frame, &nearer.direction);
        self.extremes = None;
        self.caches.iter_mut().for_each(SupportCache::invalidate);
        self.beyond = both.beyond(nearer.separation);
        true
    }
}

/// More steps rarely lead closer.
const MAX_APPROACHES: usize = 12;
/// More pairs than this are left to the traversal.
const MAX_PAIRS: usize = 256;
/// The same of pairs with a convex solid, each of which takes as long as a batch of triangles.
const MAX_SOLID_PAIRS: usize = 16;
/// After this number of pairs of leaves the direction is good enough to test the extremes, then after four times as
/// many.
const FIRST_CHECK: u32 = 16;

/// The largest of all lanes: equal to [`Lanes::highest`], and faster here.
#[inline(always)]
fn highest<const N: usize, L: Level>(lanes: &Lanes<N, L, f32>) -> f32 {
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
