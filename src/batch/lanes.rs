//! Matrices of numbers with the rows of many configurations in lanes.

use std::ops::Range;

use nalgebra::Matrix3;

use super::layout::{POSE, Sink, Source, all_finite};
use crate::kinematics::check_length;
use crate::math::{Block, Lanes as Wide, Level, Pose, Rotation, Simd, Vector};
use crate::{Error, Result};

/// Rows of numbers, one per configuration, in the order of vector registers: the same number of as many configurations
/// side by side as are computed at once.
///
/// Functions of this module that end in `_lanes` read and write this layout, so that nothing is reordered between calls.
/// Each row can be read and written on its own.
///
/// # Examples
///
/// ```
/// use kinworld::batch::Lanes;
///
/// let rows = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
/// let lanes = Lanes::from_rows(2, &rows)?;
/// assert_eq!(lanes.len(), 3);
/// assert_eq!(lanes.row(1).collect::<Vec<_>>(), [3.0, 4.0]);
/// assert_eq!(lanes.to_rows(), rows);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Lanes {
    count: usize,
    width: usize,
    // `width` of them for every eight configurations
    blocks: Vec<Block>,
}

impl Lanes {
    /// `count` rows of `width` zeros.
    #[must_use]
    pub fn zeros(count: usize, width: usize) -> Self {
        let mut lanes = Self::default();
        lanes.reset(count, width);
        lanes
    }

    /// Rows of `width` numbers, one after the other in a slice.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where the last row is not complete, or rows without numbers have some.
    pub fn from_rows(width: usize, rows: &[f64]) -> Result<Self> {
        let count = rows.len().div_ceil(width.max(1));
        check_length("rows", count * width, rows)?;
        let mut lanes = Self::zeros(count, width);
        for (k, row) in rows.chunks_exact(width.max(1)).enumerate() {
            lanes.set_row(k, row)?;
        }
        Ok(lanes)
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Number of numbers in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// The numbers of row `k`.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub fn row(&self, k: usize) -> impl ExactSizeIterator<Item = f64> + '_ {
        assert!(k < self.count, "row {k} of {}", self.count);
        (0..self.width).map(move |i| self.reader().value(k, i))
    }

    /// Number `i` of row `k`.
    ///
    /// # Panics
    ///
    /// If there is no such row or number.
    #[must_use]
    pub fn get(&self, k: usize, i: usize) -> f64 {
        assert!(k < self.count && i < self.width, "number {i} of row {k}");
        self.reader().value(k, i)
    }

    /// Overwrites row `k`.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] if `row` has another width, [`Error::Invalid`] if there is no row `k`.
    pub fn set_row(&mut self, k: usize, row: &[f64]) -> Result<()> {
        check_length("row", self.width, row)?;
        if k >= self.count {
            let problem = format!("there is no row {k}; there are {}", self.count);
            return Err(Error::invalid("row", problem));
        }
        for (i, &x) in row.iter().enumerate() {
            let (block, index) = block_index(self.width, k, i);
            self.blocks[block].set(index, x);
        }
        Ok(())
    }

    /// All rows, one after the other.
    #[must_use]
    pub fn to_rows(&self) -> Vec<f64> {
        (0..self.count).flat_map(|k| self.row(k)).collect()
    }

    /// Pose `i` of row `k`, where rows are lists of poses as [`poses_lanes`](super::poses_lanes) writes them.
    ///
    /// # Panics
    ///
    /// If there is no such row, or it has no such pose.
    #[must_use]
    pub fn pose(&self, k: usize, i: usize) -> Pose {
        let x = |j: usize| self.get(k, POSE * i + j);
        let rotation = Matrix3::from_fn(|row, column| x(3 * column + row));
        let translation = Vector::new(x(9), x(10), x(11));
        let rotation = Rotation::from_matrix_unchecked(rotation);
        Pose::from_parts(translation.into(), rotation)
    }

    /// Resizes to `count` rows of `width` numbers with unspecified values, without allocation where the memory suffices.
    pub(super) fn reset(&mut self, count: usize, width: usize) {
        (self.count, self.width) = (count, width);
        let blocks = count.div_ceil(TOGETHER) * width;
        self.blocks.resize(blocks, Block::ZERO);
    }

    /// A source of these rows.
    pub(super) fn reader(&self) -> LaneReader<'_> {
        LaneReader {
            width: self.width,
            blocks: &self.blocks,
        }
    }

    /// A sink for these rows.
    pub(super) fn writer(&mut self) -> LaneWriter<'_> {
        LaneWriter {
            width: self.width,
            blocks: &mut self.blocks,
        }
    }
}

/// Source of configurations in lanes.
#[derive(Clone, Copy)]
pub(super) struct LaneReader<'a> {
    width: usize,
    blocks: &'a [Block],
}

impl Source for LaneReader<'_> {
    fn bad_value(&self, configs: Range<usize>) -> Option<(usize, usize)> {
        let (first, last) = (
            configs.start / TOGETHER * self.width,
            configs.end.div_ceil(TOGETHER) * self.width,
        );
        let blocks = &self.blocks[first..last];
        if all_finite(blocks.len(), |k| blocks[k].values()) {
            return None;
        }

        // the first configuration, not the first number; unused lanes do not count
        configs.into_iter().find_map(|k| {
            let bad = (0..self.width).find(|&i| !self.value(k, i).is_finite());
            bad.map(|i| (k, i))
        })
    }

    fn value(&self, k: usize, i: usize) -> f64 {
        let (block, index) = block_index(self.width, k, i);
        self.blocks[block].get(index)
    }

    #[inline(always)]
    fn load<const N: usize, L: Level>(&self, first: usize, _: usize, into: &mut [Wide<N, L>]) {
        let blocks = &self.blocks[first / TOGETHER * self.width..][..self.width];
        let part = first % TOGETHER / N;
        let lanes = &Block::as_lanes(blocks)[part * self.width..][..self.width];
        into.copy_from_slice(lanes);
    }
}

/// Sink for results in lanes.
pub(super) struct LaneWriter<'a> {
    width: usize,
    blocks: &'a mut [Block],
}

impl Sink for LaneWriter<'_> {
    fn split(self, count: usize) -> (Self, Self) {
        let (width, middle) = (self.width, count / TOGETHER * self.width);
        let (first, rest) = self.blocks.split_at_mut(middle);
        let part = |blocks| Self { width, blocks };
        (part(first), part(rest))
    }

    #[inline(always)]
    fn lanes<const N: usize, L: Level>(&mut self, first: usize) -> Option<(&mut [Block], usize)> {
        let blocks = &mut self.blocks[first / TOGETHER * self.width..][..self.width];
        Some((blocks, first % TOGETHER / N))
    }

    #[inline(always)]
    fn store<const N: usize, L: Level>(&mut self, _: usize, _: usize, _: &[Wide<N, L>]) {}
}

/// Index of the block, and index in it, of number `i` of row `k` in rows of `width` numbers.
#[inline]
fn block_index(width: usize, k: usize, i: usize) -> (usize, usize) {
    // eight configurations go together, or four and then four
    let (part, lane, lanes) = match Simd::chosen().lanes() {
        TOGETHER => (0, k % TOGETHER, TOGETHER),
        lanes => (k % TOGETHER / lanes, k % lanes, lanes),
    };
    let number = (part * width + i) * lanes + lane;
    (k / TOGETHER * width + number / 8, number % 8)
}

/// Number of configurations that share blocks: as many as the widest registers hold; narrower ones take them in turn.
const TOGETHER: usize = 8;
