//! Searches through the cells of a tree.

use super::{Cell, LANES, LEAF, Neighbours};
use crate::math::linear::{first_numbers, set_first_numbers};
use crate::math::{Lanes, Level, Work};

/// What a search keeps of the points that it comes by.
pub(super) trait Found {
    /// The squared distance that a point has to be below.
    fn limit(&self) -> f64;

    /// Takes the points of a leaf of which some are below the limit.
    fn add<const N: usize, L: Level>(&mut self, leaf: &Leaf<'_, N, L>);
}

/// The points of a leaf.
pub(super) struct Leaf<'a, const N: usize, L: Level> {
    indices: &'a [u32],
    /// Their squared distances, and others.
    squares: &'a [f64],
    /// The least squared distance of every `N`-th point.
    least: Lanes<N, L>,
}

/// The nearest point.
pub(super) struct Nearest {
    square: f64,
    index: Option<u32>,
}

/// The nearest point that counts.
pub(super) struct Counting<C> {
    pub(super) nearest: Nearest,
    counts: C,
}

/// The `k` nearest points, nearest first.
pub(super) struct Several<'a> {
    pub(super) k: usize,
    pub(super) nearest: &'a mut Vec<(f64, u32)>,
}

impl Default for Nearest {
    fn default() -> Self {
        Self {
            square: f64::INFINITY,
            index: None,
        }
    }
}

impl Nearest {
    /// The index, and the squared distance.
    pub(super) fn get(self) -> Option<(usize, f64)> {
        self.index.map(|index| (index as usize, self.square))
    }
}

impl<C> Counting<C> {
    pub(super) fn new(counts: C) -> Self {
        let nearest = Nearest::default();
        Self { nearest, counts }
    }
}

impl Found for Nearest {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.square
    }

    /// Without a branch for each point: which of them is nearer than all before it is hard to predict.
    #[inline(always)]
    fn add<const N: usize, L: Level>(&mut self, leaf: &Leaf<'_, N, L>) {
        self.square = folded(*leaf.least.values(), |a, b| if b < a { b } else { a });
        let beyond = Lanes::<N, L>::splat(self.square.next_up());
        let mut below = 0_u64;
        for first in (0..leaf.indices.len()).step_by(N) {
            let squares = Lanes::new(first_numbers(&leaf.squares[first..]));
            below |= u64::from(beyond.gt(squares)) << first;
        }
        self.index = leaf.indices.get(below.trailing_zeros() as usize).copied();
    }
}

impl<C: Fn(usize, f64) -> bool> Found for Counting<C> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        self.nearest.square
    }

    #[inline(always)]
    fn add<const N: usize, L: Level>(&mut self, leaf: &Leaf<'_, N, L>) {
        for (&square, &index) in leaf.squares.iter().zip(leaf.indices) {
            if square < self.nearest.square && (self.counts)(index as usize, square) {
                let index = Some(index);
                self.nearest = Nearest { square, index };
            }
        }
    }
}

impl Found for Several<'_> {
    #[inline(always)]
    fn limit(&self) -> f64 {
        match self.nearest.last() {
            Some((most, _)) if self.nearest.len() == self.k => *most,
            _ => f64::INFINITY,
        }
    }

    #[inline(always)]
    fn add<const N: usize, L: Level>(&mut self, leaf: &Leaf<'_, N, L>) {
        for (&square, &index) in leaf.squares.iter().zip(leaf.indices) {
            if square < self.limit() {
                let at = (self.nearest).partition_point(|(other, _)| *other <= square);
                self.nearest.truncate(self.k - 1);
                self.nearest.insert(at, (square, index));
            }
        }
    }
}

/// A search for what is near the point whose ends a tree has.
pub(super) struct Search<'a, F> {
    pub(super) tree: &'a Neighbours,
    pub(super) open: &'a mut Vec<(f64, u32)>,
    pub(super) squares: &'a mut [f64],
    pub(super) found: &'a mut F,
}

impl<F: Found> Work for Search<'_, F> {
    #[inline(always)]
    fn run<const N: usize, L: Level>(mut self) {
        // covers the rounding of two sums of squares
        let shrink = 1.0 - 2.0 * (self.tree.dimension + 2) as f64 * f64::EPSILON;
        self.open.push((0.0, 0));
        while let Some((least, cell)) = self.open.pop() {
            let mut at = (least < self.found.limit()).then_some(cell);
            while let Some(cell) = at.take() {
                match self.tree.cells[cell as usize] {
                    Cell::Leaf(leaf, count) => self.look_at::<N, L>(leaf as usize, count),
                    Cell::Split { sides: [a, b], .. } => {
                        let da = shrink * self.to_box::<N, L>(a);
                        let db = shrink * self.to_box::<N, L>(b);
                        let [near, far] = if da <= db {
                            [(da, a), (db, b)]
                        } else {
                            [(db, b), (da, a)]
                        };
                        let limit = self.found.limit();
                        if far.0 < limit {
                            self.open.push(far);
                        }
                        at = (near.0 < limit).then_some(near.1);
                    }
                }
            }
        }
    }
}

impl<F: Found> Search<'_, F> {
    /// The squared distance of the box of a cell, summed in the same order whatever the number of lanes.
    #[inline(always)]
    fn to_box<const N: usize, L: Level>(&self, cell: u32) -> f64 {
        let (ends, count) = (&self.tree.ends, self.tree.ends());
        let own = &self.tree.boxes[count * cell as usize..][..count];
        // eight lanes, or four and four
        let zero = Lanes::<N, L>::splat(0.0);
        let mut sums = [zero; 2];
        for first in (0..count).step_by(LANES) {
            for part in 0..LANES / N {
                let own = Lanes::new(first_numbers(&own[first + part * N..]));
                let x = Lanes::new(first_numbers(&ends[first + part * N..]));
                // at most one of both ends along an axis is beyond
                let beyond = (own - x).max(zero);
                sums[part] = sums[part] + beyond * beyond;
            }
        }
        let sums = if N < LANES {
            sums[0] + sums[1]
        } else {
            sums[0]
        };
        folded(*sums.values(), |a, b| a + b)
    }

    /// Offers the points of a leaf.
    #[inline(always)]
    fn look_at<const N: usize, L: Level>(&mut self, leaf: usize, count: usize) {
        let tree = self.tree;
        let rows = &tree.coordinates[leaf * LEAF * tree.dimension..][..LEAF * tree.dimension];
        let mut least = Lanes::<N, L>::splat(f64::INFINITY);
        for first in (0..count).step_by(N) {
            let mut sum = Lanes::<N, L>::splat(0.0);
            for (row, x) in rows.chunks_exact(LEAF).zip(&tree.ends) {
                let off = Lanes::<N, L>::new(first_numbers(&row[first..])) - Lanes::splat(*x);
                sum = sum + off * off;
            }
            set_first_numbers(&mut self.squares[first..], sum.values());
            // what is no number is no minimum
            least = sum.min(least);
        }
        if Lanes::splat(self.found.limit()).gt(least) != 0 {
            self.found.add(&Leaf {
                indices: &tree.indices[leaf][..count],
                squares: self.squares,
                least,
            });
        }
    }
}

/// The numbers of all lanes, two at a time made one.
#[inline(always)]
fn folded<const N: usize>(mut numbers: [f64; N], fold: impl Fn(f64, f64) -> f64) -> f64 {
    let mut half = N / 2;
    while half > 0 {
        for k in 0..half {
            numbers[k] = fold(numbers[k], numbers[k + half]);
        }
        half /= 2;
    }
    numbers[0]
}
