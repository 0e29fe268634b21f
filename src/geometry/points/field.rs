//! A lower bound on the distance to the nearest of some points, in the cells of a grid.

use super::Centered;
use super::spread::{FAR, PADDING, REACH, halved, spread};
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

/// Longest row of cells.
const LONGEST: f64 = 1000.0;

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

/// Fields for points in a box, from fine to coarse: each has cells twice as long as the one before. `points` are those of the set in
/// any order, each once or more.
pub(super) fn fields(set: &Centered<'_>, points: impl Iterator<Item = [f32; 3]>) -> Vec<Field> {
    let ends = &set.ends;
    let mut size = cell_size(set.points.len(), ends);
    let low = [0, 1, 2].map(|k| ends[0][k] - 0.5 * size);
    let mut inverse = 1.0 / size;
    let along = |inverse: f32, k: usize, x: f32| (x - low[k]) * inverse;
    let mut counts = [0, 1, 2].map(|k| (along(inverse, k, ends[1][k]) + 0.01) as usize + 1);
    let mut row = counts[0] + PADDING;
    let mut strides = [1, row, row * counts[1]].map(|n| n as f32);
    let mut cells = vec![FAR; row * counts[1] * counts[2]];
    for p in points {
        let mut index = ROUND;
        for k in 0..3 {
            index += nearest_integer(along(inverse, k, p[k]) - 0.5) * strides[k];
        }
        cells[lowest_bits(index)] = 0;
    }
    let mut fields = Vec::new();
    loop {
        let half = counts.map(|n| n.div_ceil(2));
        let is_last = counts.iter().all(|&n| n <= 8);
        let coarser = (!is_last).then(|| halved(&cells, counts, half));
        spread(&mut cells, row, counts[1]);
        fields.push(Field {
            reach: size * REACH as f32,
            low,
            inverse,
            ends: ends.map(|end| [0, 1, 2].map(|k| along(inverse, k, end[k]))),
            strides,
            squares: cells,
        });
        let Some(coarser) = coarser else {
            return fields;
        };
        (cells, counts, row) = (coarser, half, half[0] + PADDING);
        strides = [1, row, row * counts[1]].map(|n| n as f32);
        (size, inverse) = (size * 2.0, inverse * 0.5);
    }
}

/// An integer next to a number of at most 2²¹ in size.
#[inline]
fn nearest_integer(x: f32) -> f32 {
    (x + ROUND) - ROUND
}

/// The integer that was added to [`ROUND`].
#[inline]
fn lowest_bits(sum: f32) -> usize {
    (sum.to_bits() & 0x003f_ffff) as usize
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
        (along[0] + PADDING as f64) * along[1] * along[2]
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
