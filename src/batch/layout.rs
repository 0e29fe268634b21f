//! Sources and sinks of a batch: slices of rows, or lanes.

use std::ops::Range;

use nalgebra::{IsometryMatrix3, Matrix3, Rotation3, Vector3};

use crate::math::{Block, Lanes as Wide, Level, Number};
use crate::robot::Robot;

/// Rows of numbers, one per configuration, to be read.
pub(super) trait Source<T = f64>: Copy + Sync {
    /// Indices of the first configuration with a number that is not finite, and of that number.
    fn bad_value(&self, configs: Range<usize>) -> Option<(usize, usize)>;

    /// Number `i` of configuration `k`.
    fn value(&self, k: usize, i: usize) -> T;

    /// Loads `N` configurations from `first` on into lanes; at the end of the batch unused lanes have unspecified values.
    ///
    /// `first` is a multiple of `N`, and `count` the number of all configurations.
    fn load<const N: usize, L: Level>(
        &self,
        first: usize,
        count: usize,
        into: &mut [Wide<N, L, T>],
    );
}

/// Rows of results, one per configuration, to be written.
pub(super) trait Sink<T = f64>: Send + Sized {
    /// Splits after the first `count` configurations, a multiple of every number of lanes.
    fn split(self, count: usize) -> (Self, Self);

    /// The blocks into which results for `N` configurations from `first` on can be written in place, if any, and the index
    /// of the result in them.
    #[inline(always)]
    fn lanes<const N: usize, L: Level>(&mut self, first: usize) -> Option<(&mut [Block], usize)> {
        let _ = first;
        None
    }

    /// Writes the results of the first `lanes` lanes to the configurations from `first` on.
    fn store<const N: usize, L: Level>(
        &mut self,
        first: usize,
        lanes: usize,
        from: &[Wide<N, L, T>],
    );
}

/// Rows of `width` numbers in a slice.
#[derive(Clone, Copy)]
pub(super) struct RowReader<'a, T = f64> {
    width: usize,
    rows: &'a [T],
}

impl<'a, T> RowReader<'a, T> {
    /// Rows of one number per coordinate.
    pub(super) fn new(robot: &Robot, rows: &'a [T]) -> Self {
        let width = robot.n_dofs();
        Self { width, rows }
    }
}

impl<T: Number> Source<T> for RowReader<'_, T> {
    fn bad_value(&self, configs: Range<usize>) -> Option<(usize, usize)> {
        let first = configs.start * self.width;
        let rows = &self.rows[first..configs.end * self.width];
        let (chunks, rest) = rows.as_chunks::<8>();
        if all_finite(chunks.len(), |k| chunks[k]) && rest.iter().all(|x| x.is_finite()) {
            return None;
        }
        let bad = rows.iter().position(|x| !x.is_finite())?;
        Some(((first + bad) / self.width, (first + bad) % self.width))
    }

    fn value(&self, k: usize, i: usize) -> T {
        self.rows[k * self.width + i]
    }

    #[inline(always)]
    fn load<const N: usize, L: Level>(
        &self,
        first: usize,
        count: usize,
        into: &mut [Wide<N, L, T>],
    ) {
        let last = count.min(first + N);
        let rows = &self.rows[first * self.width..last * self.width];
        pack(rows, &mut into[..self.width]);
    }
}

/// Rows of `width` numbers in a slice, to be written.
pub(super) struct RowWriter<'a> {
    pub(super) width: usize,
    /// Shape of the matrices that a row consists of, where they are stored row after row.
    pub(super) row_major: Option<Shape>,
    pub(super) rows: &'a mut [f64],
}

/// Rows and columns of a matrix.
#[derive(Clone, Copy)]
pub(super) struct Shape(pub(super) usize, pub(super) usize);

impl Sink for RowWriter<'_> {
    fn split(self, count: usize) -> (Self, Self) {
        let (first, rest) = self.rows.split_at_mut(count * self.width);
        let (width, row_major) = (self.width, self.row_major);
        let part = |rows| Self {
            width,
            row_major,
            rows,
        };
        (part(first), part(rest))
    }

    #[inline(always)]
    fn store<const N: usize, L: Level>(&mut self, first: usize, lanes: usize, from: &[Wide<N, L>]) {
        let rows = &mut self.rows[first * self.width..(first + lanes) * self.width];
        let from = &from[..self.width];
        match self.row_major {
            None => unpack(from, rows),
            Some(shape) => unpack_row_major(from, shape, rows),
        }
    }
}

/// Rows of `width` poses in a slice, to be written: of each, columns of the rotation, then the translation.
pub(super) struct PoseWriter<'a, T = f64> {
    pub(super) width: usize,
    pub(super) poses: &'a mut [IsometryMatrix3<T>],
}

impl<T: Number> Sink<T> for PoseWriter<'_, T> {
    fn split(self, count: usize) -> (Self, Self) {
        let (first, rest) = self.poses.split_at_mut(count * self.width);
        let width = self.width;
        let part = |poses| Self { width, poses };
        (part(first), part(rest))
    }

    #[inline(always)]
    fn store<const N: usize, L: Level>(
        &mut self,
        first: usize,
        lanes: usize,
        from: &[Wide<N, L, T>],
    ) {
        let poses = &mut self.poses[first * self.width..(first + lanes) * self.width];
        unpack_poses(&from[..POSE * self.width], poses);
    }
}

/// Rows of `width` poses in a slice, to be written as matrices 4 × 4, row after row.
pub(super) struct MatrixWriter<'a> {
    pub(super) width: usize,
    pub(super) matrices: &'a mut [[f64; 16]],
}

impl Sink for MatrixWriter<'_> {
    fn split(self, count: usize) -> (Self, Self) {
        let (first, rest) = self.matrices.split_at_mut(count * self.width);
        let width = self.width;
        let part = |matrices| Self { width, matrices };
        (part(first), part(rest))
    }

    #[inline(always)]
    fn store<const N: usize, L: Level>(&mut self, first: usize, lanes: usize, from: &[Wide<N, L>]) {
        let matrices = &mut self.matrices[first * self.width..(first + lanes) * self.width];
        unpack_matrices(&from[..POSE * self.width], matrices);
    }
}

/// Number of numbers of a pose.
pub(super) const POSE: usize = 12;

/// Returns whether all numbers are finite: only then are their products with zero 0. Eight at once.
#[inline]
pub(super) fn all_finite<T: Number>(chunks: usize, chunk: impl Fn(usize) -> [T; 8]) -> bool {
    let mut sums = [T::zero(); 8];
    for i in 0..chunks {
        let chunk = chunk(i);
        for k in 0..8 {
            sums[k] += chunk[k] * T::zero();
        }
    }
    sums.iter().all(|&sum| sum == T::zero())
}

// The functions below are not inlined, so that they are compiled without AVX-512: the compiler would make gather and scatter
// instructions of their loops.

/// Loads one row into each lane; unused lanes keep their values.
#[inline(never)]
fn pack<const N: usize, L: Level, T: Number>(rows: &[T], into: &mut [Wide<N, L, T>]) {
    for (lane, row) in rows.chunks_exact(into.len()).take(N).enumerate() {
        let row = &row[..into.len()];
        for i in 0..into.len() {
            into[i].values_mut()[lane] = row[i];
        }
    }
}

/// Writes the first lanes as rows, as many as fit.
#[inline(never)]
fn unpack<const N: usize, L: Level>(from: &[Wide<N, L>], rows: &mut [f64]) {
    for (lane, row) in rows.chunks_exact_mut(from.len()).take(N).enumerate() {
        let row = &mut row[..from.len()];
        for i in 0..from.len() {
            row[i] = from[i].values()[lane];
        }
    }
}

/// Writes the first lanes as rows of matrices that are stored row after row, as many as fit.
#[inline(never)]
fn unpack_row_major<const N: usize, L: Level>(
    from: &[Wide<N, L>],
    Shape(height, width): Shape,
    rows: &mut [f64],
) {
    for (lane, row) in rows.chunks_exact_mut(from.len()).take(N).enumerate() {
        let matrices = row.chunks_exact_mut(height * width);
        for (matrix, from) in matrices.zip(from.chunks_exact(height * width)) {
            for (i, row) in matrix.chunks_exact_mut(width).enumerate() {
                for (x, column) in row.iter_mut().zip(from.chunks_exact(height)) {
                    *x = column[i].values()[lane];
                }
            }
        }
    }
}

/// Writes the first lanes as rows of matrices 4 × 4, as many as fit.
#[inline(never)]
fn unpack_matrices<const N: usize, L: Level>(from: &[Wide<N, L>], matrices: &mut [[f64; 16]]) {
    let (from, _) = from.as_chunks::<POSE>();
    for (lane, matrices) in matrices.chunks_exact_mut(from.len()).take(N).enumerate() {
        let matrices = &mut matrices[..from.len()];
        for k in 0..from.len() {
            let (matrix, from) = (&mut matrices[k], &from[k]);
            let mut x = [0.0; POSE];
            for i in 0..POSE {
                x[i] = from[i].values()[lane];
            }
            *matrix = [
                x[0], x[3], x[6], x[9], //
                x[1], x[4], x[7], x[10], //
                x[2], x[5], x[8], x[11], //
                0.0, 0.0, 0.0, 1.0,
            ];
        }
    }
}

/// Writes the first lanes as rows of poses, as many as fit.
#[inline(never)]
fn unpack_poses<const N: usize, L: Level, T: Number>(
    from: &[Wide<N, L, T>],
    poses: &mut [IsometryMatrix3<T>],
) {
    let (from, _) = from.as_chunks::<POSE>();
    for (lane, poses) in poses.chunks_exact_mut(from.len()).take(N).enumerate() {
        let poses = &mut poses[..from.len()];
        for k in 0..from.len() {
            let x = |i: usize| from[k][i].values()[lane];
            let r = Matrix3::new(x(0), x(3), x(6), x(1), x(4), x(7), x(2), x(5), x(8));
            let t = Vector3::new(x(9), x(10), x(11));
            poses[k] = IsometryMatrix3::from_parts(t.into(), Rotation3::from_matrix_unchecked(r));
        }
    }
}
