//! From half of a symmetric matrix, in tiles, to the whole of it.

use crate::math::{Mask, Quad, Row};

/// Four rows of four numbers of a matrix.
pub(super) type Tile = [Row; 4];

/// Writes a symmetric n × n matrix whose tiles are given, row of tiles by row of tiles. What is beyond the diagonal is not
/// read.
#[inline(always)]
pub(super) fn spread<Q: Quad>(n: usize, tiles: &[Tile], out: &mut [f64]) {
    let tiles_across = n.div_ceil(4);
    let out = &mut out[..n * n];
    for i in 0..tiles_across {
        let tiles_here = &tiles[i * tiles_across..][..tiles_across];
        let start = 4 * i * n;

        // the last tile may write over the start of the rows after its own, which come later
        for j in (i + 1..tiles_across).rev() {
            let columns = Q::transposed(load(&tiles[j * tiles_across + i]));
            let at = start + 4 * j;
            store(out, at, columns[0]);
            store(out, at + n, columns[1]);
            store(out, at + 2 * n, columns[2]);
            store(out, at + 3 * n, columns[3]);
        }
        let height = 4.min(n - 4 * i);
        let lower: [Q; 4] = load(&tiles_here[i]);
        let upper = Q::transposed(lower);
        let mut at = start + 4 * i;
        for k in 0..height {
            let row = lower[k].masked(&WITHIN[k]) + upper[k].masked(&BEYOND[k]);
            if at + 4 <= out.len() {
                store(out, at, row);
            } else {
                let rest = &mut out[at..];
                for (x, value) in rest.iter_mut().zip(row.values()) {
                    *x = value;
                }
            }
            at += n;
        }
        for (j, tile) in tiles_here[..i].iter().enumerate() {
            let mut at = start + 4 * j;
            for row in &tile[..height] {
                store::<Q>(out, at, row.load());
                at += n;
            }
        }
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
