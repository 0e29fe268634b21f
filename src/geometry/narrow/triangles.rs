//! Pairs of triangles, as many as lanes at once: how far each is apart at least.
//!
//! The nearest features of the two lead to a direction, in single precision and without any promise; what is concluded is
//! only how far the corners are apart along it, which is right whatever the direction.

use super::three::{Three, along, cross, edges, minus, three};
use super::wide_search::Both;
use crate::math::{Lanes, Level, Scalar, Work};

/// Pairs that wait for each other, by the places of their pieces in the leaves: leaf times lanes, plus lane.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting {
    places: [(u32, u32); MOST_LANES],
    len: usize,
}

/// No set of instructions has more lanes.
const MOST_LANES: usize = 16;

impl Waiting {
    pub(super) fn new() -> Self {
        Self {
            places: [(0, 0); MOST_LANES],
            len: 0,
        }
    }

    /// Adds a pair, and tells whether that was the last of `n`.
    #[inline(always)]
    pub(super) fn add(&mut self, pair: (u32, u32), n: usize) -> bool {
        self.places[self.len] = pair;
        self.len += 1;
        self.len >= n.min(MOST_LANES)
    }

    pub(super) fn take(&mut self) -> Self {
        std::mem::replace(self, Self::new())
    }

    pub(super) fn places(&self) -> &[(u32, u32)] {
        &self.places[..self.len]
    }
}

/// How far pairs are apart at least, less the reaches of the pieces, each to the rounding that
/// [`Relative`](super::relative::Relative) allows for.
pub(super) struct Gaps<'a> {
    pub(super) both: &'a Both<'a>,
    pub(super) pairs: &'a Waiting,
    pub(super) gaps: &'a mut [f32; MOST_LANES],
}

impl Gaps<'_> {
    pub(super) fn none() -> [f32; MOST_LANES] {
        [0.0; MOST_LANES]
    }
}

impl Work for Gaps<'_> {
    const SINGLE: bool = true;

    #[inline(always)]
    fn run<const N: usize, L: Level>(self) {
        let Self { both, pairs, gaps } = self;
        let (mut of_a, mut of_b) = ([[0.0; N]; 10], [[0.0; N]; 10]);
        for (k, &(a, b)) in pairs.places().iter().take(N).enumerate() {
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
        let corners_a = [three(&a[0..3]), three(&a[3..6]), three(&a[6..9])];
        let corners_b = [
            view.points(&b[0..3]),
            view.points(&b[3..6]),
            view.points(&b[6..9]),
        ];
        let gap = gap(&corners_a, &corners_b) - a[9] - b[9];
        gaps[..N].copy_from_slice(gap.values());
    }
}

// what is given to `array::map` is compiled without the instructions: hence the loops below

#[inline(always)]
fn lanes<const N: usize, L: Level>(rows: &[[f32; N]; 10]) -> [Lanes<N, L, f32>; 10] {
    let mut out = [Lanes::splat(0.0); 10];
    for row in 0..10 {
        out[row] = Lanes::new(rows[row]);
    }
    out
}

/// How far two triangles are apart along the direction between their nearest features; negative or small where they overlap.
#[inline(always)]
fn gap<const N: usize, L: Level>(a: &[Three<N, L>; 3], b: &[Three<N, L>; 3]) -> Lanes<N, L, f32> {
    let mut nearest = Nearest::new(&a[0], &b[0]);
    let (edges_a, edges_b) = (edges(a), edges(b));
    let (squares_a, squares_b) = (squares(&edges_a), squares(&edges_b));
    for i in 0..3 {
        for j in 0..3 {
            let (u, v, r) = (&edges_a[i], &edges_b[j], &minus(&a[i], &b[j]));
            let (uv, ur, vr) = (along(u, v), along(u, r), along(v, r));
            // Ericson (2005), section 5.1.9, and one step more, so that both feet are on their edges
            let square = squares_a[i] * squares_b[j] - uv * uv;
            let s = unit((uv * vr - ur * squares_b[j]) * per(square));
            let t = unit(uv.mul_add(s, vr) * per(squares_b[j]));
            let s = unit(uv.mul_add(t, -ur) * per(squares_a[i]));
            nearest.keep(&between(r, u, &s, v, &t));
        }
    }
    nearest.keep_corners(a, &edges_a, b, false);
    nearest.keep_corners(b, &edges_b, a, true);

    // what the direction proves
    let way = &nearest.way;
    let low_a = low(way, a);
    let high_b = high(way, b);
    let length = square(way).max(Lanes::splat(1e-30)).sqrt();
    (low_a - high_b) * length.recip()
}

/// From b to a between the nearest features so far.
struct Nearest<const N: usize, L: Level> {
    way: Three<N, L>,
    square: Lanes<N, L, f32>,
}

impl<const N: usize, L: Level> Nearest<N, L> {
    #[inline(always)]
    fn new(a: &Three<N, L>, b: &Three<N, L>) -> Self {
        let way = minus(a, b);
        Self {
            square: square(&way),
            way,
        }
    }

    #[inline(always)]
    fn keep(&mut self, way: &Three<N, L>) {
        self.keep_if_less(way, square(way));
    }

    #[inline(always)]
    fn keep_if_less(&mut self, way: &Three<N, L>, square: Lanes<N, L, f32>) {
        for k in 0..3 {
            self.way[k] = way[k].select_gt(&self.square, &square, &self.way[k]);
        }
        self.square = square.min(self.square);
    }

    /// Keeps the ways from corners of one triangle to the inside of the other, its face.
    #[inline(always)]
    fn keep_corners(
        &mut self,
        face: &[Three<N, L>; 3],
        edges: &[Three<N, L>; 3],
        corners: &[Three<N, L>; 3],
        turned: bool,
    ) {
        let normal = cross(&edges[0], &edges[1]);
        let per = per(square(&normal));
        let walls = [
            cross(&normal, &edges[0]),
            cross(&normal, &edges[1]),
            cross(&normal, &edges[2]),
        ];
        let feet = [
            along(&walls[0], &face[0]),
            along(&walls[1], &face[1]),
            along(&walls[2], &face[2]),
        ];
        let plane = along(&normal, &face[0]);
        let far = Lanes::splat(f32::INFINITY);
        for corner in corners {
            let height = (along(&normal, corner) - plane) * per;
            let mut inside = along(&walls[0], corner) - feet[0];
            inside = inside.min(along(&walls[1], corner) - feet[1]);
            inside = inside.min(along(&walls[2], corner) - feet[2]);
            // from the corner to the face, and back
            let scale = if turned { height } else { -height };
            let way = [normal[0] * scale, normal[1] * scale, normal[2] * scale];
            let square = square(&way).select_gt(&inside, &Lanes::splat(0.0), &far);
            self.keep_if_less(&way, square);
        }
    }
}

/// `r + u s - v t`.
#[inline(always)]
fn between<const N: usize, L: Level>(
    r: &Three<N, L>,
    u: &Three<N, L>,
    s: &Lanes<N, L, f32>,
    v: &Three<N, L>,
    t: &Lanes<N, L, f32>,
) -> Three<N, L> {
    let back = -*t;
    let mut out = *r;
    for k in 0..3 {
        out[k] = v[k].mul_add(back, u[k].mul_add(*s, r[k]));
    }
    out
}

#[inline(always)]
fn low<const N: usize, L: Level>(way: &Three<N, L>, p: &[Three<N, L>; 3]) -> Lanes<N, L, f32> {
    along(way, &p[0])
        .min(along(way, &p[1]))
        .min(along(way, &p[2]))
}

#[inline(always)]
fn high<const N: usize, L: Level>(way: &Three<N, L>, p: &[Three<N, L>; 3]) -> Lanes<N, L, f32> {
    along(way, &p[0])
        .max(along(way, &p[1]))
        .max(along(way, &p[2]))
}

#[inline(always)]
fn squares<const N: usize, L: Level>(edges: &[Three<N, L>; 3]) -> Three<N, L> {
    [square(&edges[0]), square(&edges[1]), square(&edges[2])]
}

#[inline(always)]
fn square<const N: usize, L: Level>(v: &Three<N, L>) -> Lanes<N, L, f32> {
    along(v, v)
}

/// One over a number that is not negative, if it is not too small.
#[inline(always)]
fn per<const N: usize, L: Level>(x: Lanes<N, L, f32>) -> Lanes<N, L, f32> {
    x.max(Lanes::splat(1e-30)).recip()
}

/// Between 0 and 1.
#[inline(always)]
fn unit<const N: usize, L: Level>(x: Lanes<N, L, f32>) -> Lanes<N, L, f32> {
    x.max(Lanes::splat(0.0)).min(Lanes::splat(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::narrow::simplex;
    use crate::math::{Point, Simd, SplitMix, Vector};

    /// Triangle after triangle of two shapes.
    struct Compare<'a>(&'a [([Point; 3], [Point; 3])], &'a mut usize);

    impl Work for Compare<'_> {
        const SINGLE: bool = true;

        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            for pairs in self.0.chunks_exact(N) {
                let corner = |k: usize, of_b: bool| {
                    let p = |lane: usize| {
                        if of_b {
                            pairs[lane].1[k]
                        } else {
                            pairs[lane].0[k]
                        }
                    };
                    [0, 1, 2].map(|axis| {
                        Lanes::<N, L, f32>::new(std::array::from_fn(|lane| p(lane)[axis] as f32))
                    })
                };
                let a = [0, 1, 2].map(|k| corner(k, false));
                let b = [0, 1, 2].map(|k| corner(k, true));
                let gaps = gap(&a, &b);
                for (lane, (a, b)) in pairs.iter().enumerate() {
                    let told = f64::from(gaps.values()[lane]);
                    let found = simplex::closest(a, b).distance;
                    let size = a
                        .iter()
                        .chain(b)
                        .map(|p| p.coords.norm())
                        .fold(0.0, f64::max);
                    assert!(told <= found + 1e-5 * size, "{told} {found} {a:?} {b:?}");
                    // and mostly no less; of those that cross nothing is said
                    let is_tight = found <= 0.0 || told >= 0.99 * found - 1e-5 * size;
                    *self.1 += usize::from(is_tight);
                }
            }
        }
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
        for simd in Simd::available() {
            let mut tight = 0;
            simd.run(Compare(&pairs, &mut tight));
            assert!(tight > 15_900, "{tight} of {}", pairs.len());
        }
    }
}
