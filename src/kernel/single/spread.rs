//! From half of a symmetric matrix, in tiles, to the whole of it.

use crate::math::{Mask, Quad, Row};

/// Four rows of four numbers of a matrix.
pub(super) type Tile = [Row; 4];

/// Takes the rows of a symmetric n × n matrix as they come, the last first.
pub(super) trait Rows {
    /// Where the tiles of rows `4k..4k + 4` go, as far as that of the diagonal.
    fn tiles(&mut self, k: usize) -> &mut [Tile];

    /// These rows are there, and all after them.
    fn done(&mut self, k: usize);
}

/// Keeps all tiles, row of tiles by row of tiles.
#[derive(Debug)]
pub(super) struct Keep<'a> {
    pub(super) n: usize,
    pub(super) tiles: &'a mut [Tile],
}

impl Rows for Keep<'_> {
    #[inline(always)]
    fn tiles(&mut self, k: usize) -> &mut [Tile] {
        &mut self.tiles[k * self.n.div_ceil(4)..][..=k]
    }

    #[inline(always)]
    fn done(&mut self, _: usize) {}
}

/// Writes the whole matrix; the tiles are those of the last four rows, while they are near.
#[derive(Debug)]
pub(super) struct Spread<'a, Q> {
    pub(super) n: usize,
    pub(super) tiles: &'a mut [Tile],
    pub(super) out: &'a mut [f64],
    pub(super) register: std::marker::PhantomData<Q>,
}

impl<Q: Quad> Rows for Spread<'_, Q> {
    #[inline(always)]
    fn tiles(&mut self, k: usize) -> &mut [Tile] {
        &mut self.tiles[..=k]
    }

    #[inline(always)]
    fn done(&mut self, k: usize) {
        spread::<Q>(self.n, 4 * k, &self.tiles[..=k], self.out);
    }
}

/// Writes the rows `i..i + 4` of a symmetric n × n matrix as far as the diagonal, and the columns that are the same.
/// What is beyond the diagonal is not read.
///
/// Columns that are not there write over the start of the next row, so that later rows come first.
#[inline(always)]
pub(super) fn spread<Q: Quad>(n: usize, i: usize, tiles: &[Tile], out: &mut [f64]) {
    let Some((diagonal, before)) = tiles.split_last() else {
        return;
    };
    let mut at = i;
    for tile in before {
        let [a, b, c, d] = Q::transposed(load(tile));
        store(out, at, a);
        store(out, at + n, b);
        store(out, at + 2 * n, c);
        store(out, at + 3 * n, d);
        at += 4 * n;
    }

    let height = 4.min(n - i);
    let lower: [Q; 4] = load(diagonal);
    let upper = Q::transposed(lower);
    for k in 0..height {
        let row = lower[k].masked(&WITHIN[k]) + upper[k].masked(&BEYOND[k]);
        let at = (i + k) * n + i;
        if at + 4 <= out.len() {
            store(out, at, row);
        } else {
            for (x, value) in out[at..].iter_mut().zip(row.values()) {
                *x = value;
            }
        }
    }

    let mut at = i * n;
    for tile in before {
        if height == 4 {
            store::<Q>(out, at, tile[0].load());
            store::<Q>(out, at + n, tile[1].load());
            store::<Q>(out, at + 2 * n, tile[2].load());
            store::<Q>(out, at + 3 * n, tile[3].load());
        } else {
            for k in 0..height {
                store::<Q>(out, at + k * n, tile[k].load());
            }
        }
        at += 4;
    }
}

#[inline(always)]
fn store<Q: Quad>(out: &mut [f64], at: usize, four: Q) {
    out[at..at + 4].copy_from_slice(&four.values());
}

#[inline(always)]
fn load<Q: Quad>([a, b, c, d]: &Tile) -> [Q; 4] {
    [a.load(), b.load(), c.load(), d.load()]
}

/// The columns of each row of a tile as far as the diagonal.
const WITHIN: [Mask; 4] = [
    Mask([ALL, 0, 0, 0]),
    Mask([ALL, ALL, 0, 0]),
    Mask([ALL, ALL, ALL, 0]),
    Mask([ALL; 4]),
];

/// Those beyond it.
const BEYOND: [Mask; 4] = [
    Mask([0, ALL, ALL, ALL]),
    Mask([0, 0, ALL, ALL]),
    Mask([0, 0, 0, ALL]),
    Mask([0; 4]),
];

const ALL: u64 = u64::MAX;
