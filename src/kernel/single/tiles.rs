//! Symmetric matrices from the tiles of one half.

use std::marker::PhantomData;

use crate::math::linear::set_first_numbers;
use crate::math::{Quad, Row};

/// Four rows of four numbers of a matrix.
pub(super) type Tile = [Row; 4];

/// Takes the tiles of a symmetric n × n matrix up to the diagonal: the last row of tiles first, and in each the one of
/// the diagonal first and then back to the first.
pub(super) trait Tiles<Q> {
    /// Rows `4k..4k + 4` of the columns `4block..4block + 4`. Beyond the diagonal, and beyond the last row and column,
    /// the numbers are unspecified.
    fn put(&mut self, k: usize, block: usize, rows: [Q; 4]);
}

/// Stores all tiles, row of tiles by row of tiles.
#[derive(Debug)]
pub(super) struct StoreTiles<'a> {
    pub(super) n: usize,
    pub(super) tiles: &'a mut [Tile],
}

impl<Q: Quad> Tiles<Q> for StoreTiles<'_> {
    #[inline(always)]
    fn put(&mut self, k: usize, block: usize, rows: [Q; 4]) {
        let tile = &mut self.tiles[k * self.n.div_ceil(4) + block];
        for r in 0..4 {
            tile[r].store(rows[r]);
        }
    }
}

/// Writes both halves of the matrix.
///
/// Columns beyond the last are written over the start of the next row, whose own numbers come later.
#[derive(Debug)]
pub(super) struct MirrorTiles<'a, Q> {
    n: usize,
    out: &'a mut [f64],
    register: PhantomData<Q>,
}

impl<'a, Q: Quad> MirrorTiles<'a, Q> {
    pub(super) fn new(n: usize, out: &'a mut [f64]) -> Self {
        Self {
            n,
            out: &mut out[..n * n],
            register: PhantomData,
        }
    }

    #[inline(always)]
    fn store(&mut self, row: usize, column: usize, values: Q) {
        let at = row * self.n + column;
        set_first_numbers(&mut self.out[at..], &values.values());
    }

    /// Row `r` of a diagonal tile, which may extend beyond the matrix.
    #[inline(always)]
    fn store_diagonal(&mut self, i: usize, r: usize, row: Q) {
        let at = (i + r) * self.n + i;
        if at + 4 <= self.out.len() {
            self.store(i + r, i, row);
        } else {
            let values = row.values();
            for c in 0..4 {
                if let Some(x) = self.out.get_mut(at + c) {
                    *x = values[c];
                }
            }
        }
    }
}

/// Writes one half of the matrix: the lower one, column after column.
///
/// The other half is unspecified: what is written there comes from padding and from diagonal tiles.
#[derive(Debug)]
pub(super) struct LowerTiles<'a, Q>(MirrorTiles<'a, Q>);

impl<'a, Q: Quad> LowerTiles<'a, Q> {
    pub(super) fn new(n: usize, out: &'a mut [f64]) -> Self {
        Self(MirrorTiles::new(n, out))
    }
}

impl<Q: Quad> Tiles<Q> for LowerTiles<'_, Q> {
    #[inline(always)]
    fn put(&mut self, k: usize, block: usize, rows: [Q; 4]) {
        if block == k {
            return self.0.put(k, block, rows);
        }
        let (i, j) = (4 * k, 4 * block);
        let columns = Q::transposed(rows);
        self.0.store(j, i, columns[0]);
        self.0.store(j + 1, i, columns[1]);
        self.0.store(j + 2, i, columns[2]);
        self.0.store(j + 3, i, columns[3]);
    }
}

// Rows are named one by one, without loops: rows indexed at run time would leave the registers.

impl<Q: Quad> Tiles<Q> for MirrorTiles<'_, Q> {
    #[inline(always)]
    fn put(&mut self, k: usize, block: usize, rows: [Q; 4]) {
        let (i, j) = (4 * k, 4 * block);
        let height = self.n - i;
        let columns = Q::transposed(rows);
        if block == k {
            // mirror the part below the diagonal
            self.store_diagonal(i, 0, columns[0]);
            self.store_diagonal(i, 1, rows[1].blend_first::<1>(columns[1]));
            self.store_diagonal(i, 2, rows[2].blend_first::<2>(columns[2]));
            self.store_diagonal(i, 3, rows[3]);
            return;
        }
        self.store(j, i, columns[0]);
        self.store(j + 1, i, columns[1]);
        self.store(j + 2, i, columns[2]);
        self.store(j + 3, i, columns[3]);
        self.store(i, j, rows[0]);
        if height > 1 {
            self.store(i + 1, j, rows[1]);
        }
        if height > 2 {
            self.store(i + 2, j, rows[2]);
        }
        if height > 3 {
            self.store(i + 3, j, rows[3]);
        }
    }
}
