//! Relative pose of two wide trees, in single precision with room for its rounding.

use super::frame::Frame;
use super::sat::Vec3;
use super::wide::{Bounds, Wide, up};
use crate::math::linear::{array3, dot, dot_rows, splat3};
use crate::math::{Lanes, Level, Ring, Scalar, Vector};

/// Relative pose of the centres and axes of two bodies.
///
/// Every coordinate of both is at most `size`, the sum of both bounding radii and the distance of the centres. Every
/// result, such as the separation of parts along a unit vector, takes fewer than some thirty operations on numbers no
/// larger than `size` after an input that was rounded once, each off by at most 2⁻²⁴ of it: by the sum over three axes
/// less than 128 · 2⁻²⁴ · `size`, which is added to every limit.
#[derive(Debug)]
pub(super) struct Relative {
    pub(super) ab: View,
    pub(super) ba: View,
    /// Bound on the rounding error of a distance.
    pub(super) slack: f32,
}

/// Pose of one frame in another.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// By rows.
    pub(super) r: [[f32; 3]; 3],
    abs: [[f32; 3]; 3],
    pub(super) t: [f32; 3],
    /// The sines of the angles between axes: the lengths of their cross products.
    sine: [[f32; 3]; 3],
}

/// A direction that may separate parts of two bodies, in both frames: the unit vector from the first to the second.
#[derive(Debug, Clone, Copy)]
pub(super) struct Direction {
    pub(super) in_a: [f32; 3],
    pub(super) in_b: [f32; 3],
    /// Coordinate of the centre of b along it, relative to that of a.
    pub(super) offset: f32,
}

impl Relative {
    /// `None` where the sizes are too large or too small for the exponents of single precision.
    pub(super) fn new(frame: &Frame, a: &Wide, b: &Wide) -> Option<Self> {
        let t = frame.x_ab * b.origin - a.origin;
        let size = a.bounding_radius + b.bounding_radius + t.norm();
        if !(1e-6..1e6).contains(&size) {
            return None;
        }
        let r = frame.x_ab.rotation.matrix();
        let back = -r.tr_mul(&t);
        Some(Self {
            ab: View::new(|i, j| r[(i, j)], &t),
            ba: View::new(|i, j| r[(j, i)], &back),
            slack: up(size * (128.0 / f64::from(1 << 24)) + frame.tolerance),
        })
    }

    /// Converts a direction in the frame of a.
    #[inline]
    pub(super) fn direction(&self, direction: &Vector) -> Direction {
        let in_a = array3(|k| direction[k] as f32);
        let in_b = array3(|j| dot(array3(|i| self.ab.r[i][j]), in_a));
        Direction {
            in_a,
            in_b,
            offset: dot(in_a, self.ab.t),
        }
    }

    /// The direction from centre to centre.
    pub(super) fn center_direction(&self) -> Direction {
        let t = Vector::from(array3(|k| f64::from(self.ab.t[k])));
        self.direction(&t.try_normalize(0.0).unwrap_or_else(Vector::z))
    }

    /// Distance beyond which parts count as separated, if distances up to `limit` matter.
    #[inline]
    pub(super) fn limit(&self, limit: f64) -> f32 {
        up(limit * (1.0 + 1e-6)) + self.slack * 1.001
    }
}

impl Direction {
    #[inline]
    pub(super) fn reversed(&self) -> Self {
        Self {
            in_a: array3(|k| -self.in_b[k]),
            in_b: array3(|k| -self.in_a[k]),
            offset: self.offset,
        }
    }
}

impl View {
    fn new(r: impl Fn(usize, usize) -> f64, t: &Vector) -> Self {
        let matrix = |f: &dyn Fn(usize, usize) -> f64| array3(|i| array3(|j| f(i, j) as f32));
        Self {
            r: matrix(&r),
            abs: matrix(&|i, j| r(i, j).abs()),
            t: array3(|k| t[k] as f32),
            sine: matrix(&|i, j| {
                let (y, z) = (r((i + 1) % 3, j), r((i + 2) % 3, j));
                (y * y + z * z).sqrt()
            }),
        }
    }

    /// Maps points of the other frame into this one.
    #[inline(always)]
    pub(super) fn points<const N: usize, L: Level>(&self, p: &[Lanes<N, L, f32>]) -> Vec3<N, L> {
        let mut out = splat3(&self.t);
        for i in 0..3 {
            out[i] = dot_rows(&splat3(&self.r[i]), p) + out[i];
        }
        out
    }

    /// Mask of the lanes in which a box of the other frame is not proved to be farther than `limit` from a box of this
    /// frame, and the squared distances of the centres.
    #[inline(always)]
    pub(super) fn near<const N: usize, L: Level>(
        &self,
        one: &Bounds,
        many: &[Lanes<N, L, f32>],
        mask: u32,
        limit: f32,
        slack: f32,
    ) -> (u32, Lanes<N, L, f32>) {
        let (d, e) = self.between(one, many);
        let half = &many[3..6];
        let (of_one, of_many) = self.extents(one, half);
        let mut separation = d[0].abs() - of_one[0];
        separation = separation.max(d[1].abs() - of_one[1]);
        separation = separation.max(d[2].abs() - of_one[2]);
        for k in 0..3 {
            separation = separation.max(e[k].abs() - of_many[k]);
        }
        let square = dot_rows(&d, &d);
        let open = mask & !separation.gt(Lanes::splat(limit));
        if open == 0 {
            return (0, square);
        }

        // along the cross products of axis i of the one and axis j of the others
        let limit = (limit - slack).max(0.0);
        let mut excess = Lanes::<N, L, f32>::splat(-1.0);
        for i in 0..3 {
            let (i1, i2) = ((i + 1) % 3, (i + 2) % 3);
            for j in 0..3 {
                let (j1, j2) = ((j + 1) % 3, (j + 2) % 3);
                let mine = one.half[i1] * self.abs[i2][j] + one.half[i2] * self.abs[i1][j];
                let at_most = Lanes::splat(mine + limit * self.sine[i][j] + slack);
                let r1 = Lanes::splat(self.r[i1][j]);
                let r2 = Lanes::splat(self.r[i2][j]);
                let s1 = Lanes::splat(self.abs[i][j2]);
                let s2 = Lanes::splat(self.abs[i][j1]);
                let separation = (d[i2] * r1 - d[i1] * r2).abs();
                let rest = half[j1].mul_add(s1, half[j2].mul_add(s2, at_most));
                excess = excess.max(separation - rest);
            }
        }
        (open & !excess.gt(Lanes::splat(0.0)), square)
    }

    /// Lower bounds on the squared distances of boxes of the other frame from one of this frame; for those that may
    /// overlap a negative number, the lower the closer their centres are.
    #[inline(always)]
    pub(super) fn bound<const N: usize, L: Level>(
        &self,
        one: &Bounds,
        many: &[Lanes<N, L, f32>],
        direction: &Direction,
    ) -> Lanes<N, L, f32> {
        let (d, e) = self.between(one, many);
        let (of_one, of_many) = self.extents(one, &many[3..6]);
        let bound = beyond(&d, &of_one).max(beyond(&e, &of_many));
        let ahead = direction.separation(one, many).max(Lanes::splat(0.0));

        // along the line of the centres, the best direction for boxes that are small compared to their distance
        let mut between = dot_rows(&d, &d);
        let square = between.max(Lanes::splat(1e-30));
        for k in 0..3 {
            between = between - d[k].abs() * Lanes::splat(one.half[k]);
            between = between - e[k].abs() * many[3 + k];
        }
        let between = between.max(Lanes::splat(0.0));
        let per = square.recip();
        let bound = bound.max(between * between * per).max(ahead * ahead);
        bound.select_gt(&bound, &Lanes::splat(0.0), &-per)
    }

    /// Vectors from the centre of the one to those of the others, along the axes of the one and of the others.
    #[inline(always)]
    fn between<const N: usize, L: Level>(
        &self,
        one: &Bounds,
        many: &[Lanes<N, L, f32>],
    ) -> (Vec3<N, L>, Vec3<N, L>) {
        let mut d = self.points(many);
        for k in 0..3 {
            d[k] = d[k] - Lanes::splat(one.center[k]);
        }
        let mut e = d;
        for j in 0..3 {
            let column = splat3(&[self.r[0][j], self.r[1][j], self.r[2][j]]);
            e[j] = dot_rows(&column, &d);
        }
        (d, e)
    }

    /// Summed half extents of both boxes along the axes of the one and of the others.
    #[inline(always)]
    fn extents<const N: usize, L: Level>(
        &self,
        one: &Bounds,
        half: &[Lanes<N, L, f32>],
    ) -> (Vec3<N, L>, Vec3<N, L>) {
        let mut of_one = splat3(&one.half);
        let mut of_many = of_one;
        for k in 0..3 {
            of_one[k] = dot_rows(&splat3(&self.abs[k]), half) + of_one[k];
            let column = [self.abs[0][k], self.abs[1][k], self.abs[2][k]];
            of_many[k] = half[k] + Lanes::splat(dot(column, one.half));
        }
        (of_one, of_many)
    }
}

impl Direction {
    /// Separation of boxes of b from one of a along the direction.
    #[inline(always)]
    fn separation<const N: usize, L: Level>(
        &self,
        one: &Bounds,
        many: &[Lanes<N, L, f32>],
    ) -> Lanes<N, L, f32> {
        let back = [-self.in_b[0], -self.in_b[1], -self.in_b[2]];
        Lanes::splat(self.offset - one.support_value(&self.in_a)) - box_supports(many, &back)
    }
}

impl Bounds {
    /// Upper bound on the support value of its content in a direction.
    #[inline(always)]
    pub(super) fn support_value(&self, direction: &[f32; 3]) -> f32 {
        let abs = [direction[0].abs(), direction[1].abs(), direction[2].abs()];
        let support = dot(*direction, self.center) + dot(abs, self.half);
        let mut oriented = dot(*direction, self.oriented.center);
        for arm in &self.oriented.arms {
            oriented += dot(*direction, *arm).abs();
        }
        if oriented < support {
            oriented
        } else {
            support
        }
    }
}

/// Upper bounds on the support values of the boxes' contents in a direction; `many` is a node's lanes.
#[inline(always)]
pub(super) fn box_supports<const N: usize, L: Level>(
    many: &[Lanes<N, L, f32>],
    direction: &[f32; 3],
) -> Lanes<N, L, f32> {
    let n = splat3(direction);
    let abs = splat3(&[direction[0].abs(), direction[1].abs(), direction[2].abs()]);
    let support = dot_rows(&n, many) + dot_rows(&abs, &many[3..6]);
    let mut oriented = dot_rows(&n, &many[6..9]);
    for arm in 0..3 {
        oriented = oriented + dot_rows(&n, &many[9 + 3 * arm..12 + 3 * arm]).abs();
    }
    support.min(oriented)
}

/// Squared distance from the origin-centred box.
#[inline(always)]
fn beyond<const N: usize, L: Level>(d: &Vec3<N, L>, extent: &Vec3<N, L>) -> Lanes<N, L, f32> {
    let mut x = *d;
    for k in 0..3 {
        x[k] = (d[k].abs() - extent[k]).max(Lanes::splat(0.0));
    }
    dot_rows(&x, &x)
}
