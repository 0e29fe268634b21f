//! Distances from the cells of a grid to the nearest one with a point.

use crate::math::{Quad, QuadWork, Simd};

/// Largest distance that is counted, in cells.
pub(super) const REACH: usize = 10;

/// A cell without a point, before distances are known, and beyond the largest.
pub(super) const FAR: u8 = 121;

/// The bit of a cell that has a point, while its other bits are a square.
const HAS_POINT: u8 = 128;

/// Cells without points after each row along x, and rows of them around a plane: as far as a window reaches.
pub(super) const PADDING: usize = SQUARES.len() - 1;

/// Squared distances of cells whose indices along an axis differ by 0, 1, …: from border to border.
const SQUARES: [u8; REACH + 3] = [0, 0, 1, 4, 9, 16, 25, 36, 49, 64, 81, 100, FAR];

/// Sets each cell to the squared distance to the nearest cell with a point, from cells that are 0 where they have a point and
/// [`FAR`] elsewhere: one axis after the other (Saito and Toriwaki 1994), within [`REACH`].
///
/// `row` is the number of cells along x with the [`PADDING`], `rows` that of rows in a plane.
pub(super) fn spread(cells: &mut [u8], row: usize, rows: usize) {
    let plane = row * rows;
    Simd::chosen().run_quad(Spread { cells, row, plane });
}

struct Spread<'a> {
    cells: &'a mut [u8],
    row: usize,
    plane: usize,
}

impl QuadWork for Spread<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let (row, plane) = (self.row, self.plane);
        let mut last = Last::new(plane);
        for cells in self.cells.chunks_exact_mut(plane) {
            last.step_up(cells);
        }
        last.forget();
        let around = row * PADDING;
        // a plane before the pass along y, and before that along x
        let mut planes = [(); 2].map(|()| vec![FAR; plane + 2 * around]);
        let [along_y, along_x] = &mut planes;
        for cells in self.cells.chunks_exact_mut(plane).rev() {
            last.step_down(cells, &mut along_y[around..][..plane]);
            window(&mut along_x[around..][..plane], along_y, around, row);
            window(cells, along_x, around, 1);
        }
    }
}

/// Cells of twice the length along each axis: 0 where one of eight is. `half` are their numbers.
pub(super) fn halved(cells: &[u8], counts: [usize; 3], half: [usize; 3]) -> Vec<u8> {
    let mut out = vec![FAR; (half[0] + PADDING) * half[1] * half[2]];
    Simd::chosen().run_quad(Halve {
        cells,
        counts,
        half,
        out: &mut out,
    });
    out
}

struct Halve<'a> {
    cells: &'a [u8],
    counts: [usize; 3],
    half: [usize; 3],
    out: &'a mut [u8],
}

impl QuadWork for Halve<'_> {
    #[inline(always)]
    fn run<Q: Quad>(self) {
        let ([x, y, z], half) = (self.counts, self.half);
        let (row, half_row) = (x + PADDING, half[0] + PADDING);
        for (i, to) in self.out.chunks_exact_mut(half_row).enumerate() {
            let (j, k) = (i % half[1] * 2, i / half[1] * 2);
            // the last one twice where there is no other
            let row = |j: usize, k: usize| {
                let row = &self.cells[(k.min(z - 1) * y + j.min(y - 1)) * row..][..row];
                row.as_chunks::<2>().0
            };
            let [a, b, c, d] = [row(j, k), row(j + 1, k), row(j, k + 1), row(j + 1, k + 1)];
            let n = a.len().min(half_row);
            let (a, b, c, d, to) = (&a[..n], &b[..n], &c[..n], &d[..n], &mut to[..n]);
            for i in 0..n {
                let all = |side: usize| a[i][side] & b[i][side] & c[i][side] & d[i][side];
                to[i] = all(0) & all(1);
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

    /// Goes on by a plane whose cells are 0 where they have a point, and sets them to squared distances: with the bit [`HAS_POINT`]
    /// where they have one.
    #[inline(always)]
    fn step_up(&mut self, cells: &mut [u8]) {
        let n = cells.len();
        let (squares, steps) = (&mut self.squares[..n], &mut self.steps[..n]);
        for i in 0..n {
            let full = u8::from(cells[i] != 0).wrapping_sub(1);
            cells[i] = next(&mut squares[i], &mut steps[i], full) | (full & HAS_POINT);
        }
    }

    /// Goes on by a plane that [`step_up`](Self::step_up) has left, and writes the lesser squared distances.
    #[inline(always)]
    fn step_down(&mut self, cells: &[u8], to: &mut [u8]) {
        let n = to.len();
        let (squares, steps) = (&mut self.squares[..n], &mut self.steps[..n]);
        let cells = &cells[..n];
        for i in 0..n {
            let full = u8::from(cells[i] < HAS_POINT).wrapping_sub(1);
            let square = next(&mut squares[i], &mut steps[i], full);
            to[i] = square.min(cells[i] & !HAS_POINT);
        }
    }
}

/// The next square along an axis, 0 where `full` has all bits.
#[inline(always)]
fn next(square: &mut u8, step: &mut u8, full: u8) -> u8 {
    *square = square.saturating_add(*step).min(FAR) & !full;
    *step = (step.saturating_add(1) | 1) & !full;
    *square
}

/// Writes the least of what cells along an axis have, with the distance to them: `stride` is that of the axis, and `from` has the
/// same cells from `start` on.
#[inline(always)]
fn window(to: &mut [u8], from: &[u8], start: usize, stride: usize) {
    let n = to.len();
    let sides: [_; PADDING] = std::array::from_fn(|i| {
        let d = (i + 1) * stride;
        (
            &from[start - d..][..n],
            &from[start + d..][..n],
            SQUARES[i + 1],
        )
    });
    let center = &from[start..][..n];
    for i in 0..n {
        let mut least = center[i];
        for (below, above, square) in &sides {
            least = least.min(below[i].min(above[i]) + square);
        }
        to[i] = least;
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
            let mut found = occupied.clone();
            spread(&mut found, row, y);
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

    #[test]
    fn a_cell_of_twice_the_length_has_a_point_where_one_of_its_eight_has() {
        let mut random = SplitMix::new(12);
        for counts in [[1, 1, 1], [9, 1, 1], [1, 12, 7], [23, 9, 31], [16, 8, 2]] {
            let [x, y, z] = counts;
            let half @ [hx, hy, hz] = counts.map(|n: usize| n.div_ceil(2));
            let mut cells = vec![FAR; (x + PADDING) * y * z];
            let mut expected = vec![FAR; (hx + PADDING) * hy * hz];
            for _ in 0..x * y * z / 20 + 1 {
                let [i, j, k] = counts.map(|n| (random.uniform() * n as f64) as usize);
                cells[(k * y + j) * (x + PADDING) + i] = 0;
                expected[(k / 2 * hy + j / 2) * (hx + PADDING) + i / 2] = 0;
            }
            assert_eq!(halved(&cells, counts, half), expected, "{counts:?}");
        }
    }
}
