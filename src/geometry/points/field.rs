//! A lower bound on the distance to the nearest of some points, in the cells of a grid.

use crate::math::{Lanes, Level, Ring};

/// For each cell, the squared distance in cells from it to the nearest cell that has a point, at most [`FAR`].
#[derive(Debug)]
pub(super) struct Field {
    /// Distances up to this are not capped, m.
    pub(super) reach: f32,
    /// Lower corner of the first cell, m, and the reciprocal of the length of all.
    low: [f32; 3],
    inverse: f32,
    /// The box around the points, in cells.
    ends: [[f32; 3]; 2],
    /// Along x, y and z.
    strides: [f32; 3],
    squares: Vec<u8>,
}

/// Cells per point, and bounds on their number.
const PER_POINT: usize = 16;
const FEWEST: usize = 1 << 12;
const MOST: usize = 1 << 20;

/// Cells along x that are computed at once.
const PACK: usize = 32;

/// Longest row of cells.
const LONGEST: f64 = 1000.0;

/// A cell without a point, before distances are known, and beyond all that are told apart.
const FAR: u8 = 121;

/// Adding this rounds to an integer, and leaves it in the lowest 22 bits.
const ROUND: f32 = 12_582_912.0;

/// Rounding of distances in single precision, relative.
const ROUNDED: f32 = 1.0 + 2e-6;

impl Field {
    /// Mask of the lanes whose positions may be within a distance of a point.
    ///
    /// The box around the points is convex: outside of it, the square of the distance to any of them is at least that to the
    /// nearest position in the box and that from there on.
    #[inline(always)]
    pub(super) fn near<const N: usize, L: Level>(
        &self,
        p: &[Lanes<N, L, f32>; 3],
        limit: f32,
    ) -> u32 {
        let splat = Lanes::<N, L, f32>::splat;
        let (mut square, mut index) = (splat(0.0), splat(ROUND));
        for k in 0..3 {
            let at = (p[k] - splat(self.low[k])) * splat(self.inverse);
            let nearest = at.max(splat(self.ends[0][k])).min(splat(self.ends[1][k]));
            let beyond = at - nearest;
            square = beyond.mul_add(beyond, square);
            // to the nearest integer: on the border of two cells either will do
            let cell = (nearest - splat(0.5) + splat(ROUND)) - splat(ROUND);
            index = cell.mul_add(splat(self.strides[k]), index);
        }
        let mut inside = [0.0; N];
        for k in 0..N {
            let cell = index.values()[k].to_bits() & 0x003f_ffff;
            inside[k] = f32::from(self.squares[cell as usize]);
        }
        let limit = limit * self.inverse * ROUNDED;
        (square + Lanes::new(inside)).not_gt(splat(limit * limit))
    }
}

/// Fields for points in a box, from fine to coarse: each has cells twice as long as the one before.
pub(super) fn fields(points: &[[f32; 3]], ends: &[[f32; 3]; 2]) -> Vec<Field> {
    let mut size = cell_size(points.len(), ends);
    let low = [0, 1, 2].map(|k| ends[0][k] - 0.5 * size);
    let mut inverse = 1.0 / size;
    let along = |inverse: f32, k: usize, x: f32| (x - low[k]) * inverse;
    let mut counts = [0, 1, 2].map(|k| (along(inverse, k, ends[1][k]) + 0.01) as usize + 1);
    let mut row = counts[0].next_multiple_of(PACK);
    let mut cells = vec![FAR; row * counts[1] * counts[2]];
    for p in points {
        let [i, j, k] = [0, 1, 2].map(|k| along(inverse, k, p[k]) as usize);
        cells[(k * counts[1] + j) * row + i] = 0;
    }
    let mut fields = Vec::new();
    loop {
        let is_last = counts.iter().all(|&n| n <= 8);
        let half = counts.map(|n| n.div_ceil(2));
        let coarser = (!is_last).then(|| halved(&cells, row, counts, half));
        spread(&mut cells, row, counts);
        fields.push(Field {
            reach: size * REACH as f32,
            low,
            inverse,
            ends: ends.map(|end| [0, 1, 2].map(|k| along(inverse, k, end[k]))),
            strides: [1, row, row * counts[1]].map(|n| n as f32),
            squares: cells,
        });
        let Some(coarser) = coarser else {
            return fields;
        };
        (cells, counts, row) = (coarser, half, half[0].next_multiple_of(PACK));
        (size, inverse) = (size * 2.0, inverse * 0.5);
    }
}

/// The length of cells, of which a box has about [`PER_POINT`] per point.
fn cell_size(points: usize, ends: &[[f32; 3]; 2]) -> f32 {
    let extent = [0, 1, 2].map(|k| f64::from(ends[1][k]) - f64::from(ends[0][k]));
    let longest = extent.iter().fold(0.0_f64, |m, &x| m.max(x));
    if longest < 1e-30 {
        return 1.0;
    }
    let most = points.saturating_mul(PER_POINT).clamp(FEWEST, MOST) as f64;
    let cells = |size: f64| {
        let along = extent.map(|x| (x / size + 0.51).floor() + 1.0);
        (along[0] / PACK as f64).ceil() * PACK as f64 * along[1] * along[2]
    };
    let (mut few, mut many) = (2.0 * longest, longest / LONGEST);
    if cells(many) <= most {
        return many as f32;
    }
    for _ in 0..24 {
        let middle = (few * many).sqrt();
        *if cells(middle) <= most {
            &mut few
        } else {
            &mut many
        } = middle;
    }
    few as f32
}

/// Cells of twice the length.
fn halved(cells: &[u8], row: usize, [_, y, _]: [usize; 3], half: [usize; 3]) -> Vec<u8> {
    let half_row = half[0].next_multiple_of(PACK);
    let mut out = vec![FAR; half_row * half[1] * half[2]];
    for (i, from) in cells.chunks_exact(row).enumerate() {
        let to = ((i / y / 2) * half[1] + i % y / 2) * half_row;
        for (pair, to) in from.chunks_exact(2).zip(&mut out[to..to + half_row]) {
            *to = (*to).min(pair[0]).min(pair[1]);
        }
    }
    out
}

/// Replaces 0 in cells with a point and [`FAR`] elsewhere by squared distances between cells, one axis after the other
/// (Saito and Toriwaki 1994), with a window instead of all cells of a row.
fn spread(cells: &mut [u8], row: usize, [_, y, z]: [usize; 3]) {
    let mut occupied = vec![FAR; row];
    for cells in cells.chunks_exact_mut(row) {
        if cells.iter().all(|&cell| cell == FAR) {
            continue;
        }
        occupied.copy_from_slice(cells);
        scan(cells.iter_mut().zip(&occupied));
        scan(cells.iter_mut().zip(&occupied).rev());
    }
    let mut from = vec![FAR; cells.len()];
    for (rows, length) in [(y, row), (z, row * y)] {
        from.copy_from_slice(cells);
        let block = rows * length;
        for (to, from) in cells.chunks_exact_mut(block).zip(from.chunks_exact(block)) {
            for (i, to) in to.chunks_exact_mut(length).enumerate() {
                let (first, last) = (i.saturating_sub(REACH + 1), (i + REACH + 1).min(rows - 1));
                for (column, to) in (0..).step_by(PACK).zip(to.chunks_exact_mut(PACK)) {
                    let mut least = [FAR; PACK];
                    for j in first..=last {
                        let square = SQUARES[i.abs_diff(j)];
                        let from = &from[j * length + column..][..PACK];
                        for k in 0..PACK {
                            least[k] = least[k].min(from[k] + square);
                        }
                    }
                    to.copy_from_slice(&least);
                }
            }
        }
    }
}

/// Takes the squared distance to the last cell with a point, where it is less.
fn scan<'a>(row: impl Iterator<Item = (&'a mut u8, &'a u8)>) {
    let mut gap = SQUARES.len() - 1;
    for (cell, &occupied) in row {
        gap = (gap + 1).min(SQUARES.len() - 1);
        if occupied == 0 {
            gap = 0;
        }
        *cell = (*cell).min(SQUARES[gap]);
    }
}

/// Largest distance that is told apart, in cells.
const REACH: usize = 10;

/// Squared distances of cells whose indices along an axis differ by 0, 1, …: from border to border.
const SQUARES: [u8; REACH + 3] = [0, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, FAR];
