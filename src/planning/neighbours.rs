//! The nearest of points that come one by one: a k-d tree (Bentley 1975) whose leaves hold many points.
//!
//! In the spaces of arms, of six or seven coordinates, most leaves near a point have to be looked at, so that what counts is how
//! fast one is: its points lie side by side, axis after axis. Every cell has the box around its points, which leaves out
//! more than the planes that part cells.

/// Points of Euclid's space, each with the number of its turn.
#[derive(Debug, Clone)]
pub(super) struct Neighbours {
    dimension: usize,
    count: u32,
    cells: Vec<Cell>,
    /// Of each cell: the lower ends of its box, then the upper ends.
    boxes: Vec<f64>,
    /// Of each leaf: its points, axis after axis.
    numbers: Vec<f64>,
    /// Of each leaf: the numbers of its points.
    names: Vec<[u32; LEAF]>,
    // memory of a search: cells that are left, and the least square of the distance to their boxes
    left: Vec<(f64, u32)>,
}

#[derive(Debug, Clone, Copy)]
enum Cell {
    /// A leaf by its number, and how many points it holds.
    Leaf(u32, usize),
    /// Points with smaller numbers on an axis in the one, the others in the other.
    Parted {
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
            numbers: Vec::new(),
            names: Vec::new(),
            left: Vec::new(),
        };
        let leaf = new.add_leaf();
        new.add_cell(leaf);
        new
    }

    /// Adds a point. Where a leaf is full of one and the same, only the first of them is kept.
    pub(super) fn insert(&mut self, point: &[f64]) {
        let name = self.count;
        self.count = name.checked_add(1).expect("fewer than 2^32 points fit");
        let mut at = 0;
        loop {
            self.widen(at, point);
            match self.cells[at] {
                Cell::Parted {
                    axis,
                    at: value,
                    sides,
                } => at = sides[upper(point, axis, value)] as usize,
                Cell::Leaf(leaf, count) if count < LEAF => {
                    self.put(leaf as usize, count, name, point);
                    self.cells[at] = Cell::Leaf(leaf, count + 1);
                    return;
                }
                Cell::Leaf(leaf, _) => {
                    if !self.part(at, leaf) {
                        // one of them stands for all
                        self.cells[at] = Cell::Leaf(leaf, 1);
                    }
                }
            }
        }
    }

    /// The number of the point that is nearest, and the square of how far it is; `None` where there is none.
    pub(super) fn nearest(&mut self, point: &[f64]) -> Option<(usize, f64)> {
        let mut best = (f64::INFINITY, None);
        let mut left = std::mem::take(&mut self.left);
        left.push((0.0, 0));
        while let Some((least, cell)) = left.pop() {
            if least >= best.0 {
                continue;
            }
            match self.cells[cell as usize] {
                Cell::Leaf(leaf, count) => {
                    let squares = self.squares(leaf as usize, count, point);
                    let names = &self.names[leaf as usize];
                    for (square, name) in squares.iter().zip(names).take(count) {
                        if *square < best.0 {
                            best = (*square, Some(*name));
                        }
                    }
                }
                Cell::Parted { sides: [a, b], .. } => {
                    let (da, db) = (self.to_box(a, point), self.to_box(b, point));
                    let [near, far] = if da <= db {
                        [(da, a), (db, b)]
                    } else {
                        [(db, b), (da, a)]
                    };
                    left.extend([far, near]);
                }
            }
        }
        self.left = left;
        best.1.map(|name| (name as usize, best.0))
    }

    /// The squares of how far the first `count` points of a leaf are.
    fn squares(&self, leaf: usize, count: usize, point: &[f64]) -> [f64; LEAF] {
        let mut squares = [0.0; LEAF];
        let rows = self.numbers[leaf * LEAF * self.dimension..].chunks_exact(LEAF);
        let used = count.next_multiple_of(8).min(LEAF);
        for (row, x) in rows.zip(point) {
            for (square, y) in squares[..used].iter_mut().zip(&row[..used]) {
                *square += (y - x) * (y - x);
            }
        }
        squares
    }

    /// The square of how far a box is: by no rounding more than that of a point in it.
    fn to_box(&self, cell: u32, point: &[f64]) -> f64 {
        let first = 2 * self.dimension * cell as usize;
        let (low, high) = self.boxes[first..][..2 * self.dimension].split_at(self.dimension);
        let mut square = 0.0;
        for ((low, high), x) in low.iter().zip(high).zip(point) {
            let out = (low - x).max(x - high).max(0.0);
            square += out * out;
        }
        square
    }

    fn add_leaf(&mut self) -> u32 {
        self.names.push([0; LEAF]);
        let filled = self.numbers.len() + LEAF * self.dimension;
        self.numbers.resize(filled, 0.0);
        self.names.len() as u32 - 1
    }

    /// Adds a cell for an empty leaf.
    fn add_cell(&mut self, leaf: u32) -> u32 {
        self.cells.push(Cell::Leaf(leaf, 0));
        let lows = self.boxes.len() + self.dimension;
        self.boxes.resize(lows, f64::INFINITY);
        self.boxes.resize(lows + self.dimension, f64::NEG_INFINITY);
        self.cells.len() as u32 - 1
    }

    /// Lets the box of a cell hold one more point.
    fn widen(&mut self, cell: usize, point: &[f64]) {
        let (low, high) = self.boxes[2 * self.dimension * cell..][..2 * self.dimension]
            .split_at_mut(self.dimension);
        for ((low, high), x) in low.iter_mut().zip(high).zip(point) {
            *low = low.min(*x);
            *high = high.max(*x);
        }
    }

    fn put(&mut self, leaf: usize, slot: usize, name: u32, point: &[f64]) {
        self.names[leaf][slot] = name;
        let rows = self.numbers[leaf * LEAF * self.dimension..].chunks_exact_mut(LEAF);
        for (row, x) in rows.zip(point) {
            row[slot] = *x;
        }
    }

    /// Parts a full leaf across its longest side, about its median; `false` where all of its points are one.
    fn part(&mut self, cell: usize, leaf: u32) -> bool {
        let size = LEAF * self.dimension;
        let own = leaf as usize * size..(leaf as usize + 1) * size;
        let rows = self.numbers[own].to_vec();
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
        // the lower side needs a point, too
        let Some(&at) = sorted[LEAF / 2..].iter().find(|&&x| x > sorted[0]) else {
            return false;
        };
        let names = self.names[leaf as usize];
        let other = self.add_leaf();
        let sides = [self.add_cell(leaf), self.add_cell(other)];
        self.cells[cell] = Cell::Parted { axis, at, sides };
        let mut point = vec![0.0; self.dimension];
        for (slot, &name) in names.iter().enumerate() {
            for (x, row) in point.iter_mut().zip(rows.chunks_exact(LEAF)) {
                *x = row[slot];
            }
            let side = sides[upper(&point, axis, at)] as usize;
            if let Cell::Leaf(leaf, count) = self.cells[side] {
                self.widen(side, &point);
                self.put(leaf as usize, count, name, &point);
                self.cells[side] = Cell::Leaf(leaf, count + 1);
            }
        }
        true
    }
}

/// Whether a point is on the upper side, as a number.
fn upper(point: &[f64], axis: usize, at: f64) -> usize {
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
                tree.insert(&new);
                all.push(new);
            }
        }
    }

    #[test]
    fn points_without_numbers_are_all_the_same() {
        let mut tree = Neighbours::new(0);
        assert_eq!(tree.nearest(&[]), None);
        tree.insert(&[]);
        tree.insert(&[]);
        assert_eq!(tree.nearest(&[]), Some((0, 0.0)));
    }

    #[test]
    fn many_points_in_one_place_hide_no_other() {
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
