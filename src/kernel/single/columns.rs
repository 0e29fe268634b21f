//! Tiles of columns from and to matrices: see [`columns`](mod@crate::kernel::columns).

use std::ops::Range;

use super::tiles::{MirrorTiles, Tiles};
use crate::kernel::columns::TileRow;
use crate::kernel::tree::Tree;
use crate::math::linear::first_numbers;
use crate::math::{Quad, QuadWork};

/// Writes columns of the inverse, of which rows up to the diagonal are known, and mirrors them. The last ones come first.
#[derive(Debug)]
pub(crate) struct StoreSymmetric<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) x: &'a [TileRow],
    /// Of the columns, from a multiple of four on.
    pub(crate) positions: Range<usize>,
    pub(crate) out: &'a mut [f64],
}

impl QuadWork for StoreSymmetric<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let Self {
            tree,
            x,
            positions,
            out,
        } = self;
        let (n, first) = (tree.len(), positions.start);
        if tree.order().is_natural() {
            let mut out = MirrorTiles::<Q>::new(n, out);
            for k in (first / 4..positions.end.div_ceil(4)).rev() {
                for block in (0..=k).rev() {
                    let tile = tile::<Q>(
                        x,
                        [4 * block, 4 * block + 1, 4 * block + 2, 4 * block + 3],
                        4 * k - first,
                    );
                    out.put(k, block, Q::transposed(tile));
                }
            }
            return;
        }
        let steps = &tree.order().steps()[..positions.end];
        for c in positions {
            let (lane, column) = (c - first, steps[c].coordinate);
            for (row, step) in x[..=c].iter().zip(steps) {
                let number = row[lane / 8].0[lane % 8];
                out[column * n + step.coordinate] = number;
                out[step.coordinate * n + column] = number;
            }
        }
    }
}

/// Reads columns of two n × n matrices (column after column), negated, side by side into a tile.
#[derive(Debug)]
pub(crate) struct LoadNegated<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) x: &'a mut [TileRow],
    /// Of the columns.
    pub(crate) positions: Range<usize>,
    /// Where the columns of each matrix begin, a multiple of four.
    pub(crate) at: [usize; 2],
    pub(crate) from: [&'a [f64]; 2],
}

impl QuadWork for LoadNegated<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let n = self.tree.len();
        let order = self.tree.order();
        for (from, at) in self.from.into_iter().zip(self.at) {
            for (c, four) in order.steps()[self.positions.clone()].chunks(4).enumerate() {
                let column = at + 4 * c;
                for i in (0..n).step_by(4) {
                    let number = |r: usize| match four.get(r) {
                        Some(step) => load::<Q>(&from[step.coordinate * n + i..]).negated(),
                        None => Q::splat(0.0),
                    };
                    let rows = Q::transposed([number(0), number(1), number(2), number(3)]);
                    for (r, row) in rows.into_iter().enumerate() {
                        if let Some(&p) = order.positions().get(i + r) {
                            self.x[p][column / 8].0[column % 8..][..4]
                                .copy_from_slice(&row.values());
                        }
                    }
                }
            }
        }
    }
}

/// Writes columns of two n × n matrices, which lie side by side in a tile.
#[derive(Debug)]
pub(crate) struct StorePair<'a> {
    pub(crate) tree: &'a Tree,
    pub(crate) x: &'a [TileRow],
    /// Of the columns.
    pub(crate) positions: Range<usize>,
    /// Where the columns of each matrix begin, a multiple of four.
    pub(crate) at: [usize; 2],
    pub(crate) out: [&'a mut [f64]; 2],
}

impl QuadWork for StorePair<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let n = self.tree.len();
        let order = self.tree.order();
        for (out, at) in self.out.into_iter().zip(self.at) {
            for (c, four) in order.steps()[self.positions.clone()].chunks(4).enumerate() {
                for (i, places) in order.positions().chunks(4).enumerate() {
                    let place = |r: usize| places.get(r).copied().unwrap_or(0);
                    let rows = [place(0), place(1), place(2), place(3)];
                    let columns = Q::transposed(tile::<Q>(self.x, rows, at + 4 * c));
                    for (step, numbers) in four.iter().zip(columns) {
                        let to = &mut out[step.coordinate * n + 4 * i..][..places.len()];
                        match to.first_chunk_mut() {
                            Some(to) => *to = numbers.values(),
                            None => to.copy_from_slice(&numbers.values()[..places.len()]),
                        }
                    }
                }
            }
        }
    }
}

/// Four columns of some rows of a tile, from a multiple of four on.
#[inline(always)]
fn tile<Q: Quad>(x: &[TileRow], rows: [usize; 4], column: usize) -> [Q; 4] {
    let row = |p: usize| Q::new(first_numbers(&x[p][column / 8].0[column % 8..]));
    [row(rows[0]), row(rows[1]), row(rows[2]), row(rows[3])]
}

/// The first four numbers, zero where there are fewer.
#[inline(always)]
fn load<Q: Quad>(from: &[f64]) -> Q {
    match from.first_chunk() {
        Some(&four) => Q::new(four),
        None => {
            let mut four = [0.0; 4];
            four[..from.len()].copy_from_slice(from);
            Q::new(four)
        }
    }
}
