//! Lower bounds on the distances of pairs of triangles, one pair per lane.
//!
//! The closest features of a pair give a direction, in single precision and without guarantee; the bound is the
//! separation of the vertices along it, which is valid for any direction.

use super::sat::{Vec3, edges};
use super::wide_search::Both;
use crate::math::linear::{cross_unfused, dot_rows, first_three, sub};
use crate::math::{Lanes, Level, Ring, Scalar, Work};

/// Pairs collected for a batch, by the slots of their pieces in the leaves: leaf times lanes, plus lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct TriangleBatch {
    slots: [(u32, u32); MAX_LANES],
    len: usize,
}

/// The most lanes of any instruction set.
const MAX_LANES: usize = 16;

impl TriangleBatch {
    #[inline]
    pub(super) fn new() -> Self {
        Self {
            slots: [(0, 0); MAX_LANES],
            len: 0,
        }
    }

    /// Adds a pair, and returns whether the batch of `n` is full.
    #[inline(always)]
    pub(super) fn add(&mut self, pair: (u32, u32), n: usize) -> bool {
        self.slots[self.len] = pair;
        self.len += 1;
        self.len >= n.min(MAX_LANES)
    }

    #[inline]
    pub(super) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new())
    }

    #[inline]
    pub(super) fn slots(&self) -> &[(u32, u32)] {
        &self.slots[..self.len]
    }
}

/// Lower bounds on the distances of pairs, less the inflations of the pieces, to the rounding that
/// [`Relative`](super::relative::Relative) allows for.
pub(super) struct DistanceBounds<'a> {
    pub(super) both: &'a Both<'a>,
    pub(super) pairs: &'a TriangleBatch,
    pub(super) bounds: &'a mut [f32; MAX_LANES],
}

impl DistanceBounds<'_> {
    #[inline]
    pub(super) fn none() -> [f32; MAX_LANES] {
        [0.0; MAX_LANES]
    }
}

impl Work for DistanceBounds<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Self {
            both,
            pairs,
            bounds,
        } = self;
        let (mut of_a, mut of_b) = ([[0.0; N]; 10], [[0.0; N]; 10]);
        for (k, &(a, b)) in pairs.slots().iter().take(N).enumerate() {
            let (a, b) = (a as usize, b as usize);
            let (leaf_a, leaf_b) = (
                both.wide_a.leaf::<N, L>(a / N),
                both.wide_b.leaf::<N, L>(b / N),
            );
            for row in 0..10 {
                of_a[row][k] = leaf_a[row].values()[a % N];
                of_b[row][k] = leaf_b[row].values()[b % N];
            }
        }
        let (a, b) = (lanes::<N, L>(&of_a), lanes::<N, L>(&of_b));
        let view = &both.relative.ab;
        let corners_a = [
            first_three(&a[0..3]),
            first_three(&a[3..6]),
            first_three(&a[6..9]),
        ];
        let corners_b = [
            view.points(&b[0..3]),
            view.points(&b[3..6]),
            view.points(&b[6..9]),
        ];
        let bound = bound(&corners_a, &corners_b) - a[9] - b[9];
        bounds[..N].copy_from_slice(bound.values());
    }
}

// a closure passed to `array::map` is compiled without the target features: hence the loops below

#[inline(always)]
fn lanes<const N: usize, L: Level>(rows: &[[f32; N]; 10]) -> [Lanes<N, L, f32>; 10] {
    let mut out = [Lanes::splat(0.0); 10];
    for row in 0..10 {
        out[row] = Lanes::new(rows[row]);
    }
    out
}

/// Separation of two triangles along the direction between their closest features; negative or small where they
/// overlap.
#[inline(always)]
fn bound<const N: usize, L: Level>(a: &[Vec3<N, L>; 3], b: &[Vec3<N, L>; 3]) -> Lanes<N, L, f32> {
    let mut nearest = Nearest::new(&a[0], &b[0]);
    let (edges_a, edges_b) = (edges(a), edges(b));
    let (squares_a, squares_b) = (squares(&edges_a), squares(&edges_b));
    for i in 0..3 {
        for j in 0..3 {
            let (u, v, r) = (edges_a[i], edges_b[j], sub(a[i], b[j]));
            let (uv, ur, vr) = (dot_rows(&u, &v), dot_rows(&u, &r), dot_rows(&v, &r));
            // Ericson (2005), section 5.1.9, and one more step, so that both feet are on their edges
            let square = squares_a[i] * squares_b[j] - uv * uv;
            let s = unit((uv * vr - ur * squares_b[j]) * per(square));
            let t = unit(uv.mul_add(s, vr) * per(squares_b[j]));
            let s = unit(uv.mul_add(t, -ur) * per(squares_a[i]));
            nearest.keep(&between(&r, &u, &s, &v, &t));
        }
    }
    nearest.keep_vertices(a, &edges_a, b, false);
    nearest.keep_vertices(b, &edges_b, a, true);

    // the bound along the direction
    let difference = &nearest.difference;
    let low_a = low(difference, a);
    let high_b = high(difference, b);
    let length = square(difference).max(Lanes::splat(1e-30)).sqrt();
    (low_a - high_b) * length.recip()
}

/// Vector from b to a between the closest features so far.
struct Nearest<const N: usize, L: Level> {
    difference: Vec3<N, L>,
    square: Lanes<N, L, f32>,
}

impl<const N: usize, L: Level> Nearest<N, L> {
    #[inline(always)]
    fn new(a: &Vec3<N, L>, b: &Vec3<N, L>) -> Self {
        let difference = sub(*a, *b);
        Self {
            square: square(&difference),
            difference,
        }
    }

    #[inline(always)]
    fn keep(&mut self, difference: &Vec3<N, L>) {
        self.keep_if_less(difference, square(difference));
    }

    #[inline(always)]
    fn keep_if_less(&mut self, difference: &Vec3<N, L>, square: Lanes<N, L, f32>) {
        for k in 0..3 {
            self.difference[k] =
                difference[k].select_gt(&self.square, &square, &self.difference[k]);
        }
        self.square = square.min(self.square);
    }

    /// Keeps the vectors between vertices of one triangle and the face of the other.
    #[inline(always)]
    fn keep_vertices(
        &mut self,
        face: &[Vec3<N, L>; 3],
        edges: &[Vec3<N, L>; 3],
        vertices: &[Vec3<N, L>; 3],
        swapped: bool,
    ) {
        let normal = cross_unfused(&edges[0], &edges[1]);
        let per = per(square(&normal));
        let walls = [
            cross_unfused(&normal, &edges[0]),
            cross_unfused(&normal, &edges[1]),
            cross_unfused(&normal, &edges[2]),
        ];
        let feet = [
            dot_rows(&walls[0], &face[0]),
            dot_rows(&walls[1], &face[1]),
            dot_rows(&walls[2], &face[2]),
        ];
        let plane = dot_rows(&normal, &face[0]);
        let far = Lanes::splat(f32::INFINITY);
        for vertex in vertices {
            let height = (dot_rows(&normal, vertex) - plane) * per;
            let mut inside = dot_rows(&walls[0], vertex) - feet[0];
            inside = inside.min(dot_rows(&walls[1], vertex) - feet[1]);
            inside = inside.min(dot_rows(&walls[2], vertex) - feet[2]);
            // from the vertex to the face, and back
            let scale = if swapped { height } else { -height };
            let difference = [normal[0] * scale, normal[1] * scale, normal[2] * scale];
            let square = square(&difference).select_gt(&inside, &Lanes::splat(0.0), &far);
            self.keep_if_less(&difference, square);
        }
    }
}

/// `r + u s - v t`.
#[inline(always)]
fn between<const N: usize, L: Level>(
    r: &Vec3<N, L>,
    u: &Vec3<N, L>,
    s: &Lanes<N, L, f32>,
    v: &Vec3<N, L>,
    t: &Lanes<N, L, f32>,
) -> Vec3<N, L> {
    let back = -*t;
    let mut out = *r;
    for k in 0..3 {
        out[k] = v[k].mul_add(back, u[k].mul_add(*s, r[k]));
    }
    out
}

#[inline(always)]
fn low<const N: usize, L: Level>(difference: &Vec3<N, L>, p: &[Vec3<N, L>; 3]) -> Lanes<N, L, f32> {
    dot_rows(difference, &p[0])
        .min(dot_rows(difference, &p[1]))
        .min(dot_rows(difference, &p[2]))
}

#[inline(always)]
fn high<const N: usize, L: Level>(
    difference: &Vec3<N, L>,
    p: &[Vec3<N, L>; 3],
) -> Lanes<N, L, f32> {
    dot_rows(difference, &p[0])
        .max(dot_rows(difference, &p[1]))
        .max(dot_rows(difference, &p[2]))
}

#[inline(always)]
fn squares<const N: usize, L: Level>(edges: &[Vec3<N, L>; 3]) -> Vec3<N, L> {
    [square(&edges[0]), square(&edges[1]), square(&edges[2])]
}

#[inline(always)]
fn square<const N: usize, L: Level>(v: &Vec3<N, L>) -> Lanes<N, L, f32> {
    dot_rows(v, v)
}

/// Reciprocal of a non-negative number, if it is not too small.
#[inline(always)]
fn per<const N: usize, L: Level>(x: Lanes<N, L, f32>) -> Lanes<N, L, f32> {
    x.max(Lanes::splat(1e-30)).recip()
}

/// Clamps to 0..=1.
#[inline(always)]
fn unit<const N: usize, L: Level>(x: Lanes<N, L, f32>) -> Lanes<N, L, f32> {
    x.max(Lanes::splat(0.0)).min(Lanes::splat(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::narrow::simplex;
    use crate::math::{Point, Simd, SplitMix, Vector};

    /// The nine coordinates of many triangles, one row each.
    type Rows = [Vec<f32>; 9];

    /// Bounds on the distances of pairs.
    struct Bounds<'a>([&'a Rows; 2], &'a mut Vec<f32>);

    impl Work for Bounds<'_> {
        const SINGLE: bool = true;

        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            for start in (0..self.0[0][0].len()).step_by(N) {
                let mut corners = [[[Lanes::<N, L, f32>::splat(0.0); 3]; 3]; 2];
                for (corners, rows) in corners.iter_mut().zip(self.0) {
                    for (row, lanes) in rows.iter().zip(corners.as_flattened_mut()) {
                        *lanes = Lanes::new(row[start..start + N].try_into().unwrap());
                    }
                }
                let [a, b] = &corners;
                self.1.extend_from_slice(bound(a, b).values());
            }
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "bounds are of single precision"
    )]
    fn rows<'a>(triangles: impl Iterator<Item = &'a [Point; 3]>) -> Rows {
        let mut rows = Rows::default();
        for triangle in triangles {
            let coordinates = triangle.iter().flat_map(|p| p.iter());
            for (row, x) in rows.iter_mut().zip(coordinates) {
                row.push(*x as f32);
            }
        }
        rows
    }

    #[test]
    fn gaps_are_never_more_than_distances_and_mostly_no_less() {
        let mut random = SplitMix::new(7);
        let mut pairs = Vec::new();
        for i in 0..16_000 {
            let mut vector = || Vector::from([0, 1, 2].map(|_| random.uniform() - 0.5));
            let size = [1.0, 1e-3, 100.0][i % 3];
            let shift = vector() * [0.0, 1.0, 5.0, 1e-3][i % 4];
            let mut triangle = |shift: Vector| {
                let [p, mut q, mut r] = [vector(), vector(), vector()];
                match i % 7 {
                    // a needle, a line, a point
                    1 => r = p + (r - p) * 1e-4,
                    2 => r = p,
                    3 => (q, r) = (p, p),
                    // level, so that two lie side by side
                    4 => (q.z, r.z) = (p.z, p.z),
                    _ => {}
                }
                [p, q, r].map(|p| Point::from((p + shift) * size))
            };
            pairs.push((triangle(Vector::zeros()), triangle(shift)));
        }
        let (a, b) = (
            rows(pairs.iter().map(|(a, _)| a)),
            rows(pairs.iter().map(|(_, b)| b)),
        );
        for simd in Simd::available() {
            let mut bounds = Vec::new();
            simd.run(Bounds([&a, &b], &mut bounds));
            assert_eq!(bounds.len(), pairs.len());
            let mut tight = 0;
            for ((a, b), bound) in pairs.iter().zip(bounds) {
                let (bound, found) = (f64::from(bound), simplex::closest(a, b).distance);
                let corners = a.iter().chain(b);
                let size = corners.map(|p| p.coords.norm()).fold(0.0, f64::max);
                assert!(bound <= found + 1e-5 * size, "{bound} {found} {a:?} {b:?}");
                // and mostly tight; nothing is claimed for those that cross
                let is_tight = found <= 0.0 || bound >= 0.99 * found - 1e-5 * size;
                tight += usize::from(is_tight);
            }
            assert!(tight > 15_900, "{tight} of {}", pairs.len());
        }
    }
}
