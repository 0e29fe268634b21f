//! Nearest neighbours among points that are added one by one: a k-d tree (Bentley 1975) whose leaves hold many points.
//!
//! In the spaces of arms, of six or seven dimensions, a query visits most leaves near a point, so that the time of one leaf
//! counts: its points are packed axis by axis. Every cell has the bounding box of its points, which rejects more than the
//! planes that split cells. The trees of most searches are a leaf or two, where no cell has to be chosen.

mod search;

use self::search::{Counting, Found, Nearest, Search, Several};
use crate::math::Simd;

/// Points of a Euclidean space, numbered in the order of insertion.
#[derive(Debug, Clone)]
pub(super) struct Neighbours {
    dimension: usize,
    count: u32,
    cells: Vec<Cell>,
    /// Of each cell: the lower ends of its box and the upper ends with a minus sign, filled up with negative infinity.
    boxes: Vec<f64>,
    /// Of each leaf: its points, axis by axis, then points at infinity.
    coordinates: Vec<f64>,
    /// Of each leaf: the numbers of its points.
    indices: Vec<[u32; LEAF]>,
    // scratch: a point as boxes are stored, open cells with the least squared distance to their boxes, and the squared distances of
    // the points of a leaf
    ends: Vec<f64>,
    open: Vec<(f64, u32)>,
    squares: Vec<f64>,
}

#[derive(Debug, Clone, Copy)]
enum Cell {
    /// A leaf by its index, and its number of points.
    Leaf(u32, usize),
    /// Points below a plane on the one side, the others on the other.
    Split {
        axis: usize,
        at: f64,
        sides: [u32; 2],
    },
}

/// The most points of a leaf.
const LEAF: usize = 64;

/// The numbers of a box are a multiple of this: as many as lanes at most.
const LANES: usize = 8;

impl Neighbours {
    pub(super) fn new(dimension: usize) -> Self {
        let mut new = Self {
            dimension,
            count: 0,
            cells: Vec::new(),
            boxes: Vec::new(),
            coordinates: Vec::new(),
            indices: Vec::new(),
            ends: vec![0.0; (2 * dimension).next_multiple_of(LANES)],
            open: Vec::new(),
            squares: vec![0.0; LEAF],
        };
        let leaf = new.add_leaf();
        new.add_cell(leaf);
        new
    }

    /// Adds a point. Where a leaf is full of equal points, only the first of them is kept.
    pub(super) fn insert(&mut self, point: &[f64]) {
        let index = self.count;
        self.count = index.checked_add(1).expect("fewer than 2^32 points fit");
        let mut at = 0;
        loop {
            self.widen(at, point);
            match self.cells[at] {
                Cell::Split {
                    axis,
                    at: value,
                    sides,
                } => at = sides[side_of(point, axis, value)] as usize,
                Cell::Leaf(leaf, count) if count < LEAF => {
                    self.set_point(leaf, count, index, point);
                    self.cells[at] = Cell::Leaf(leaf, count + 1);
                    return;
                }
                Cell::Leaf(leaf, _) => {
                    if !self.split(at, leaf) {
                        // the first stands for all
                        self.cells[at] = Cell::Leaf(leaf, 1);
                        for row in self.rows(leaf).chunks_exact_mut(LEAF) {
                            row[1..].fill(f64::INFINITY);
                        }
                    }
                }
            }
        }
    }

    /// The index of the nearest point, and its squared distance; `None` where there is no point.
    pub(super) fn nearest(&mut self, point: &[f64]) -> Option<(usize, f64)> {
        let mut nearest = Nearest::default();
        self.search(point, &mut nearest);
        nearest.get()
    }

    /// [`nearest`](Self::nearest) of the points of which `counts` is true, asked with index and squared distance.
    pub(super) fn nearest_where(
        &mut self,
        point: &[f64],
        counts: impl Fn(usize, f64) -> bool,
    ) -> Option<(usize, f64)> {
        let mut counting = Counting::new(counts);
        self.search(point, &mut counting);
        counting.nearest.get()
    }

    /// Replaces `nearest` by the `k` nearest points, nearest first: squared distances and indices.
    pub(super) fn nearest_k(&mut self, point: &[f64], k: usize, nearest: &mut Vec<(f64, u32)>) {
        nearest.clear();
        if k > 0 {
            self.search(point, &mut Several { k, nearest });
        }
    }

    /// Offers points near another to `found`, those in the nearest cells first.
    fn search(&mut self, point: &[f64], found: &mut impl Found) {
        let mut open = std::mem::take(&mut self.open);
        let mut squares = std::mem::take(&mut self.squares);
        let (low, high) = self.ends.split_at_mut(self.dimension);
        for ((low, high), x) in low.iter_mut().zip(high).zip(point) {
            (*low, *high) = (*x, -x);
        }
        Simd::chosen().run(Search {
            tree: self,
            open: &mut open,
            squares: &mut squares,
            found,
        });
        (self.open, self.squares) = (open, squares);
    }

    /// How many numbers a box has.
    fn ends(&self) -> usize {
        self.ends.len()
    }

    fn add_leaf(&mut self) -> u32 {
        self.indices.push([0; LEAF]);
        let filled = self.coordinates.len() + LEAF * self.dimension;
        self.coordinates.resize(filled, f64::INFINITY);
        self.indices.len() as u32 - 1
    }

    /// Adds a cell for an empty leaf.
    fn add_cell(&mut self, leaf: u32) -> u32 {
        self.cells.push(Cell::Leaf(leaf, 0));
        let first = self.boxes.len();
        (self.boxes).resize(first + 2 * self.dimension, f64::INFINITY);
        (self.boxes).resize(first + self.ends(), f64::NEG_INFINITY);
        self.cells.len() as u32 - 1
    }

    /// Grows the box of a cell to contain a point.
    fn widen(&mut self, cell: usize, point: &[f64]) {
        let first = self.ends() * cell;
        let (low, high) = self.boxes[first..][..2 * self.dimension].split_at_mut(self.dimension);
        for ((low, high), x) in low.iter_mut().zip(high).zip(point) {
            *low = if *x < *low { *x } else { *low };
            *high = if -x < *high { -x } else { *high };
        }
    }

    /// The coordinates of the points of a leaf, axis by axis.
    fn rows(&mut self, leaf: u32) -> &mut [f64] {
        let size = LEAF * self.dimension;
        &mut self.coordinates[leaf as usize * size..][..size]
    }

    fn set_point(&mut self, leaf: u32, slot: usize, index: u32, point: &[f64]) {
        self.indices[leaf as usize][slot] = index;
        for (row, x) in self.rows(leaf).chunks_exact_mut(LEAF).zip(point) {
            row[slot] = *x;
        }
    }

    /// Splits a full leaf across its longest side, about its median; `false` where all of its points are equal.
    fn split(&mut self, cell: usize, leaf: u32) -> bool {
        let rows = self.rows(leaf).to_vec();
        let length = |row: &[f64]| {
            let low = row.iter().copied().fold(f64::INFINITY, f64::min);
            row.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low
        };
        let axes = rows.chunks_exact(LEAF).enumerate();
        let Some((axis, row)) = axes.max_by(|a, b| length(a.1).total_cmp(&length(b.1))) else {
            return false;
        };
        let mut sorted = row.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        // the lower side needs a point as well
        let Some(&at) = sorted[LEAF / 2..].iter().find(|&&x| x > sorted[0]) else {
            return false;
        };
        let indices = self.indices[leaf as usize];
        self.rows(leaf).fill(f64::INFINITY);
        let other = self.add_leaf();
        let sides = [self.add_cell(leaf), self.add_cell(other)];
        self.cells[cell] = Cell::Split { axis, at, sides };
        let mut point = vec![0.0; self.dimension];
        for (slot, &index) in indices.iter().enumerate() {
            for (x, row) in point.iter_mut().zip(rows.chunks_exact(LEAF)) {
                *x = row[slot];
            }
            let side = sides[side_of(&point, axis, at)] as usize;
            if let Cell::Leaf(leaf, count) = self.cells[side] {
                self.widen(side, &point);
                self.set_point(leaf, count, index, &point);
                self.cells[side] = Cell::Leaf(leaf, count + 1);
            }
        }
        true
    }
}

/// The side of a plane that a point is on: 0 below, 1 above.
fn side_of(point: &[f64], axis: usize, at: f64) -> usize {
    usize::from(point.get(axis).is_some_and(|&x| x >= at))
}

#[cfg(test)]
mod tests {
    use super::Neighbours;
    use crate::math::SplitMix;

    #[test]
    fn the_nearest_is_that_of_a_search_through_all() {
        let mut random = SplitMix::new(3);
        for dimension in [1, 2, 4, 7, 9] {
            let mut tree = Neighbours::new(dimension);
            let mut all: Vec<Vec<f64>> = Vec::new();
            for _ in 0..300 {
                let mut draw = || {
                    (0..dimension)
                        .map(|_| random.uniform())
                        .collect::<Vec<f64>>()
                };
                let (asked, new) = (draw(), draw());
                let square = |p: &[f64]| -> f64 {
                    p.iter().zip(&asked).map(|(a, b)| (a - b) * (a - b)).sum()
                };
                let expected = all.iter().map(|p| square(p)).fold(f64::INFINITY, f64::min);
                let found = tree
                    .nearest(&asked)
                    .map_or([f64::INFINITY; 2], |(i, found)| [square(&all[i]), found]);
                assert_eq!(found.map(f64::to_bits), [expected.to_bits(); 2]);

                let counts = |i: usize, _| i % 3 == 1;
                let counting = all.iter().skip(1).step_by(3).map(|p| square(p));
                let expected = counting.reduce(f64::min);
                let found = tree.nearest_where(&asked, counts);
                assert_eq!(found.map(|(_, found)| found), expected);
                assert_eq!(found.map(|(i, _)| square(&all[i])), expected);
                assert!(found.is_none_or(|(i, _)| counts(i, 0.0)));

                let mut squares: Vec<f64> = all.iter().map(|p| square(p)).collect();
                squares.sort_unstable_by(f64::total_cmp);
                squares.truncate(5);
                let mut nearest = vec![(0.0, 7)];
                tree.nearest_k(&asked, 5, &mut nearest);
                let found: Vec<f64> = nearest.iter().map(|(found, _)| *found).collect();
                assert_eq!(found, squares);
                let found = nearest.iter().map(|(_, i)| square(&all[*i as usize]));
                assert_eq!(found.collect::<Vec<f64>>(), squares);
                tree.insert(&new);
                all.push(new);
            }
        }
    }

    #[test]
    fn points_without_coordinates_are_all_equal() {
        let mut tree = Neighbours::new(0);
        assert_eq!(tree.nearest(&[]), None);
        tree.insert(&[]);
        tree.insert(&[]);
        assert_eq!(tree.nearest(&[]), Some((0, 0.0)));
        let mut nearest = Vec::new();
        tree.nearest_k(&[], 9, &mut nearest);
        assert_eq!(nearest, [(0.0, 0), (0.0, 1)]);
    }

    #[test]
    fn many_equal_points_hide_no_other() {
        let mut tree = Neighbours::new(2);
        for _ in 0..100 {
            tree.insert(&[1.0, 2.0]);
        }
        tree.insert(&[1.0, 2.5]);
        for (y, nearest) in [(9.0, 100), (0.0, 0)] {
            assert_eq!(tree.nearest(&[1.0, y]).map(|(i, _)| i), Some(nearest));
        }
        for _ in 0..100 {
            tree.insert(&[f64::NAN, 2.0]);
        }
    }
}
