//! Nearest neighbours among points that are added one by one: a k-d tree (Bentley 1975) whose leaves hold many points.
//!
//! In the spaces of arms, of six or seven dimensions, a query visits most leaves near a point, so that the time of one leaf
//! counts: its points are packed axis by axis. Every cell has the bounding box of its points, which rejects more than the
//! planes that split cells.

use crate::math::{Quad, QuadWork, Simd};

/// Points of a Euclidean space, numbered in the order of insertion.
#[derive(Debug, Clone)]
pub(super) struct Neighbours {
    dimension: usize,
    count: u32,
    cells: Vec<Cell>,
    /// Of each cell: the lower ends of its box, then the upper ends.
    boxes: Vec<f64>,
    /// Of each leaf: its points, axis by axis.
    coordinates: Vec<f64>,
    /// Of each leaf: the numbers of its points.
    indices: Vec<[u32; LEAF]>,
    // scratch of a query: open cells, and the least squared distance to their boxes
    open: Vec<(f64, u32)>,
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
const LEAF: usize = 32;

impl Neighbours {
    pub(super) fn new(dimension: usize) -> Self {
        let mut new = Self {
            dimension,
            count: 0,
            cells: Vec::new(),
            boxes: Vec::new(),
            coordinates: Vec::new(),
            indices: Vec::new(),
            open: Vec::new(),
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
                    self.set_point(leaf as usize, count, index, point);
                    self.cells[at] = Cell::Leaf(leaf, count + 1);
                    return;
                }
                Cell::Leaf(leaf, _) => {
                    if !self.split(at, leaf) {
                        // the first stands for all
                        self.cells[at] = Cell::Leaf(leaf, 1);
                    }
                }
            }
        }
    }

    /// The index of the nearest point, and its squared distance; `None` where there is no point.
    pub(super) fn nearest(&mut self, point: &[f64]) -> Option<(usize, f64)> {
        self.nearest_where(point, |_, _| true)
    }

    /// [`nearest`](Self::nearest) of the points of which `counts` is true, asked with index and squared distance.
    pub(super) fn nearest_where(
        &mut self,
        point: &[f64],
        counts: impl Fn(usize, f64) -> bool,
    ) -> Option<(usize, f64)> {
        let mut best = (f64::INFINITY, None);
        let mut open = std::mem::take(&mut self.open);
        open.push((0.0, 0));
        while let Some((least, cell)) = open.pop() {
            if least >= best.0 {
                continue;
            }
            match self.cells[cell as usize] {
                Cell::Leaf(leaf, count) => {
                    let squares = self.squares(leaf as usize, count, point);
                    let indices = &self.indices[leaf as usize];
                    for (square, index) in squares.iter().zip(indices).take(count) {
                        if *square < best.0 && counts(*index as usize, *square) {
                            best = (*square, Some(*index));
                        }
                    }
                }
                Cell::Split { sides: [a, b], .. } => {
                    let (da, db) = (self.to_box(a, point), self.to_box(b, point));
                    let [near, far] = if da <= db {
                        [(da, a), (db, b)]
                    } else {
                        [(db, b), (da, a)]
                    };
                    open.extend([far, near]);
                }
            }
        }
        self.open = open;
        best.1.map(|index| (index as usize, best.0))
    }

    /// Replaces `nearest` by the `k` nearest points, nearest first: squared distances and indices.
    pub(super) fn nearest_k(&mut self, point: &[f64], k: usize, nearest: &mut Vec<(f64, u32)>) {
        nearest.clear();
        if k == 0 {
            return;
        }
        let mut open = std::mem::take(&mut self.open);
        open.push((0.0, 0));
        while let Some((least, cell)) = open.pop() {
            let is_full = nearest.len() == k;
            if is_full && nearest.last().is_some_and(|(most, _)| least >= *most) {
                continue;
            }
            match self.cells[cell as usize] {
                Cell::Leaf(leaf, count) => {
                    let squares = self.squares(leaf as usize, count, point);
                    let indices = self.indices[leaf as usize];
                    for (&square, index) in squares.iter().zip(indices).take(count) {
                        let at = nearest.partition_point(|(other, _)| *other <= square);
                        if at < k {
                            nearest.truncate(k - 1);
                            nearest.insert(at, (square, index));
                        }
                    }
                }
                Cell::Split { sides: [a, b], .. } => {
                    let (da, db) = (self.to_box(a, point), self.to_box(b, point));
                    let [near, far] = if da <= db {
                        [(da, a), (db, b)]
                    } else {
                        [(db, b), (da, a)]
                    };
                    open.extend([far, near]);
                }
            }
        }
        self.open = open;
    }

    /// The squared distances of the first `count` points of a leaf.
    fn squares(&self, leaf: usize, count: usize, point: &[f64]) -> [f64; LEAF] {
        let mut squares = [0.0; LEAF];
        Simd::chosen().run_quad(Squares {
            rows: &self.coordinates[leaf * LEAF * self.dimension..],
            point,
            count,
            squares: &mut squares,
        });
        squares
    }

    /// The squared distance of a box: with rounding, too, no more than that of a point in it.
    fn to_box(&self, cell: u32, point: &[f64]) -> f64 {
        let first = 2 * self.dimension * cell as usize;
        let (low, high) = self.boxes[first..][..2 * self.dimension].split_at(self.dimension);
        let mut square = 0.0;
        for ((low, high), x) in low.iter().zip(high).zip(point) {
            // comparisons that are an instruction each, unlike `f64::max`
            let (below, above) = (low - x, x - high);
            let out = if below > above { below } else { above };
            let out = if out > 0.0 { out } else { 0.0 };
            square += out * out;
        }
        square
    }

    fn add_leaf(&mut self) -> u32 {
        self.indices.push([0; LEAF]);
        let filled = self.coordinates.len() + LEAF * self.dimension;
        self.coordinates.resize(filled, 0.0);
        self.indices.len() as u32 - 1
    }

    /// Adds a cell for an empty leaf.
    fn add_cell(&mut self, leaf: u32) -> u32 {
        self.cells.push(Cell::Leaf(leaf, 0));
        let lows = self.boxes.len() + self.dimension;
        self.boxes.resize(lows, f64::INFINITY);
        self.boxes.resize(lows + self.dimension, f64::NEG_INFINITY);
        self.cells.len() as u32 - 1
    }

    /// Grows the box of a cell to contain a point.
    fn widen(&mut self, cell: usize, point: &[f64]) {
        let (low, high) = self.boxes[2 * self.dimension * cell..][..2 * self.dimension]
            .split_at_mut(self.dimension);
        for ((low, high), x) in low.iter_mut().zip(high).zip(point) {
            *low = low.min(*x);
            *high = high.max(*x);
        }
    }

    fn set_point(&mut self, leaf: usize, slot: usize, index: u32, point: &[f64]) {
        self.indices[leaf][slot] = index;
        let rows = self.coordinates[leaf * LEAF * self.dimension..].chunks_exact_mut(LEAF);
        for (row, x) in rows.zip(point) {
            row[slot] = *x;
        }
    }

    /// Splits a full leaf across its longest side, about its median; `false` where all of its points are equal.
    fn split(&mut self, cell: usize, leaf: u32) -> bool {
        let size = LEAF * self.dimension;
        let own = leaf as usize * size..(leaf as usize + 1) * size;
        let rows = self.coordinates[own].to_vec();
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
                self.set_point(leaf as usize, count, index, &point);
                self.cells[side] = Cell::Leaf(leaf, count + 1);
            }
        }
        true
    }
}

/// The squared distances of the points of a leaf.
struct Squares<'a> {
    /// Coordinates of its points, axis by axis.
    rows: &'a [f64],
    point: &'a [f64],
    count: usize,
    squares: &'a mut [f64; LEAF],
}

impl QuadWork for Squares<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        // eight sums at a time stay in registers
        let eights = self.squares.chunks_exact_mut(8);
        for (first, squares) in (0..self.count).step_by(8).zip(eights) {
            let mut sums = [0.0; 8];
            for (row, x) in self.rows.chunks_exact(LEAF).zip(self.point) {
                for (sum, y) in sums.iter_mut().zip(&row[first..first + 8]) {
                    *sum += (y - x) * (y - x);
                }
            }
            squares.copy_from_slice(&sums);
        }
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
        for dimension in [1, 2, 7] {
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
