//! Distances from the cells of a grid to the nearest one with a point.

use crate::math::{Quad, QuadWork, Simd};

/// Largest distance that is counted, in cells.
pub(super) const REACH: usize = 10;

/// A cell without a point, before distances are known, and beyond the largest.
pub(super) const FAR: u8 = 121;

/// Cells without points after each row along x, and rows of them around a plane: as far as a window reaches.
pub(super) const PADDING: usize = SQUARES.len() - 1;

/// Squared distances of cells whose indices along an axis differ by 0, 1, …: from border to border.
const SQUARES: [u8; REACH + 3] = [0, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, FAR];

/// Cells on either side whose distances are added in one pass.
const GROUP: usize = 4;

/// For each cell the squared distance to the nearest cell with a point, of cells that are 0 where they have a point and [`FAR`]
/// elsewhere: one axis after the other (Saito and Toriwaki 1994), within [`REACH`].
///
/// `row` is the number of cells along x with the [`PADDING`], `rows` that of rows in a plane.
pub(super) fn squares(occupied: &[u8], row: usize, rows: usize) -> Vec<u8> {
    let mut out = vec![0; occupied.len()];
    Simd::chosen().run_quad(Spread {
        occupied,
        row,
        plane: row * rows,
        out: &mut out,
    });
    out
}

struct Spread<'a> {
    occupied: &'a [u8],
    row: usize,
    plane: usize,
    out: &'a mut [u8],
}

impl QuadWork for Spread<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let (row, plane) = (self.row, self.plane);
        let planes = || self.occupied.chunks_exact(plane);
        let mut last = Last::new(plane);
        for (to, occupied) in self.out.chunks_exact_mut(plane).zip(planes()) {
            last.step::<true>(occupied, to);
        }
        last.forget();
        let around = row * PADDING;
        let mut from = vec![FAR; plane + 2 * around];
        for (to, occupied) in self.out.chunks_exact_mut(plane).zip(planes()).rev() {
            last.step::<false>(occupied, to);
            for stride in [row, 1] {
                from[around..][..plane].copy_from_slice(to);
                window(to, &from, around, stride);
            }
        }
    }
}

/// The last cell with a point along z, for each cell of a plane.
struct Last {
    /// Squared distance to it.
    squares: Vec<u8>,
    /// What the next step adds: nothing, 1, 3, 5, …
    steps: Vec<u8>,
}

impl Last {
    fn new(plane: usize) -> Self {
        Self {
            squares: vec![FAR; plane],
            steps: vec![0; plane],
        }
    }

    fn forget(&mut self) {
        self.squares.fill(FAR);
        self.steps.fill(0);
    }

    /// Goes on by a plane, and writes the squared distances of its cells: all of them, or those that are less than before.
    #[inline(always)]
    fn step<const ALL: bool>(&mut self, occupied: &[u8], to: &mut [u8]) {
        let n = to.len();
        let (occupied, squares) = (&occupied[..n], &mut self.squares[..n]);
        let steps = &mut self.steps[..n];
        for i in 0..n {
            // all ones where there is no point
            let empty = u8::from(occupied[i] == 0).wrapping_sub(1);
            squares[i] = squares[i].saturating_add(steps[i]).min(FAR) & empty;
            steps[i] = (steps[i].saturating_add(1) | 1) & empty;
            to[i] = if ALL {
                squares[i]
            } else {
                to[i].min(squares[i])
            };
        }
    }
}

/// Takes what cells on either side along an axis are away, with the distance to them, where it is less: `stride` is that of the
/// axis, and `from` has the same cells from `start` on.
#[inline(always)]
fn window(to: &mut [u8], from: &[u8], start: usize, stride: usize) {
    let n = to.len();
    for first in (1..=PADDING).step_by(GROUP) {
        let sides = |d: usize| {
            let (below, above) = (&from[start - d * stride..], &from[start + d * stride..]);
            (&below[..n], &above[..n], SQUARES[d])
        };
        let [a, b, c, d] = std::array::from_fn(|i| sides(first + i));
        for i in 0..n {
            let ab = (a.0[i].min(a.1[i]) + a.2).min(b.0[i].min(b.1[i]) + b.2);
            let cd = (c.0[i].min(c.1[i]) + c.2).min(d.0[i].min(d.1[i]) + d.2);
            to[i] = to[i].min(ab).min(cd);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::SplitMix;

    #[test]
    fn squares_are_those_to_the_nearest_cell_with_a_point() {
        let mut random = SplitMix::new(11);
        for counts in [[1, 1, 1], [40, 1, 1], [1, 40, 1], [1, 1, 40], [23, 9, 31]] {
            let [x, y, z] = counts;
            let row = x + PADDING;
            let mut occupied = vec![FAR; row * y * z];
            let mut with_point = Vec::new();
            for _ in 0..x * y * z / 300 + 1 {
                let [i, j, k] = counts.map(|n| (random.uniform() * n as f64) as usize);
                occupied[(k * y + j) * row + i] = 0;
                with_point.push([i, j, k]);
            }
            let found = squares(&occupied, row, y);
            for k in 0..z {
                for j in 0..y {
                    for i in 0..x {
                        let to = |p: &[usize; 3]| {
                            let apart = [i.abs_diff(p[0]), j.abs_diff(p[1]), k.abs_diff(p[2])];
                            let borders = apart.map(|n| n.saturating_sub(1).pow(2));
                            borders.iter().sum::<usize>()
                        };
                        let nearest = with_point.iter().map(to).min().expect("there is one");
                        let expected = nearest.min(FAR.into());
                        let square = usize::from(found[(k * y + j) * row + i]);
                        // beyond the reach any number that is not more
                        if expected <= REACH * REACH {
                            assert_eq!(square, expected, "{counts:?} {:?}", [i, j, k]);
                        } else {
                            assert!(square > REACH * REACH && square <= expected, "{counts:?}");
                        }
                    }
                }
            }
        }
    }
}
