//! Separating axis tests of triangles: along face normals, arbitrary axes, and boxes around several of them.
//!
//! A test proves separation whatever the rounding of its direction; [`Relative`](super::relative::Relative) gives the
//! bound on the rounding of its numbers.

use super::oriented::Slab;
use super::relative::View;
use super::wide::Bounds;
use crate::math::linear::{array3, cross_unfused, dot, dot_rows, splat3, sub};
use crate::math::{Lanes, Level, Ring, Scalar};

/// Three components, many vectors at once.
pub(super) type Vec3<const N: usize, L> = [Lanes<N, L, f32>; 3];

/// The three edges of triangles, in order.
#[inline(always)]
pub(super) fn edges<const N: usize, L: Level>(p: &[Vec3<N, L>; 3]) -> [Vec3<N, L>; 3] {
    [sub(p[1], p[0]), sub(p[2], p[1]), sub(p[0], p[2])]
}

/// The planes of triangles.
pub(super) struct Faces<const N: usize, L: Level> {
    /// Unit normals, or shorter ones.
    normal: Vec3<N, L>,
    /// Interval of the vertices along them: short, except for degenerate triangles.
    low: Lanes<N, L, f32>,
    high: Lanes<N, L, f32>,
}

impl<const N: usize, L: Level> Faces<N, L> {
    #[inline(always)]
    pub(super) fn new(vertices: &[Vec3<N, L>; 3]) -> Self {
        let edges = edges(vertices);
        let mut normal = cross_unfused(&edges[0], &edges[1]);
        // a normal lost in underflow proves nothing
        let length = dot_rows(&normal, &normal).max(Lanes::splat(1e-30)).sqrt();
        let per = length.recip();
        for k in 0..3 {
            normal[k] = normal[k] * per;
        }
        let (low, high) = interval(&normal, vertices);
        Self { normal, low, high }
    }
}

/// A triangle and several others, to be projected.
pub(super) struct Axes<const N: usize, L: Level> {
    pub(super) a: [Vec3<N, L>; 3],
    pub(super) b: [Vec3<N, L>; 3],
    /// Limit of each lane, inflation included.
    pub(super) limit: Lanes<N, L, f32>,
}

impl<const N: usize, L: Level> Axes<N, L> {
    /// Mask of the lanes that a face plane separates from a row.
    #[inline(always)]
    pub(super) fn separated_by_faces(&self, [rows, lanes]: &[Faces<N, L>; 2], row: usize) -> u32 {
        let [x, y, z] = &rows.normal;
        let normal = splat3(&[x.values()[row], y.values()[row], z.values()[row]]);
        let (low, high) = interval(&normal, &self.b);
        let (own_low, own_high) = (rows.low.values()[row], rows.high.values()[row]);
        let separation = (low - Lanes::splat(own_high)).max(Lanes::splat(own_low) - high);
        let (low, high) = interval(&lanes.normal, &self.a);
        let separation = separation.max(low - lanes.high).max(lanes.low - high);
        separation.gt(self.limit)
    }

    /// Mask of the lanes whose projections on an axis of any length are farther apart than the limit.
    #[inline(always)]
    pub(super) fn separated(&self, axis: &Vec3<N, L>) -> u32 {
        let (low_a, high_a) = interval(axis, &self.a);
        let (low_b, high_b) = interval(axis, &self.b);
        let separation = (low_b - high_a).max(low_a - high_b).max(Lanes::splat(0.0));
        // an axis lost in underflow proves nothing
        let length = dot_rows(axis, axis).max(Lanes::splat(1e-30));
        (separation * separation).gt(self.limit * self.limit * length)
    }
}

/// Interval of a triangle along an axis.
#[inline(always)]
fn interval<const N: usize, L: Level>(
    axis: &Vec3<N, L>,
    vertices: &[Vec3<N, L>; 3],
) -> (Lanes<N, L, f32>, Lanes<N, L, f32>) {
    let (a, b) = (dot_rows(axis, &vertices[0]), dot_rows(axis, &vertices[1]));
    let c = dot_rows(axis, &vertices[2]);
    (a.min(b).min(c), a.max(b).max(c))
}

impl Bounds {
    /// Lower bounds on the squared distances of triangles from the box.
    #[inline(always)]
    pub(super) fn square_distance<const N: usize, L: Level>(
        &self,
        [a, b, c]: &[Vec3<N, L>; 3],
    ) -> Lanes<N, L, f32> {
        let mut square = Lanes::splat(0.0);
        for k in 0..3 {
            let (center, half) = (self.center[k], self.half[k]);
            let below = Lanes::splat(center - half) - a[k].max(b[k]).max(c[k]);
            let above = a[k].min(b[k]).min(c[k]) - Lanes::splat(center + half);
            let separation = below.max(above).max(Lanes::splat(0.0));
            square = separation.mul_add(separation, square);
        }
        square
    }
}

impl Slab {
    /// The same slab in another frame.
    #[inline]
    pub(super) fn seen_from(&self, view: &View) -> Self {
        let normal = array3(|i| dot(view.r[i], self.normal));
        let offset = dot(normal, view.t);
        Self {
            normal,
            low: self.low + offset,
            high: self.high + offset,
        }
    }

    /// Separation of triangles from the slab in each lane; negative where they intersect it.
    #[inline(always)]
    pub(super) fn separation<const N: usize, L: Level>(
        &self,
        vertices: &[Vec3<N, L>; 3],
    ) -> Lanes<N, L, f32> {
        let (low, high) = interval(&splat3(&self.normal), vertices);
        (low - Lanes::splat(self.high)).max(Lanes::splat(self.low) - high)
    }
}
