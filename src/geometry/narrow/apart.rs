//! What tells triangles apart: the planes of their faces, axes of all kinds, and boxes around several of them.
//!
//! Whatever the rounding of a direction, it only ever proves that two are apart; [`Relative`](super::relative::Relative) says
//! how much room its numbers get.

use super::oriented::Slab;
use super::relative::View;
use super::three::{Three, along, cross, dot, edges, splat};
use super::wide::Bounds;
use crate::math::{Lanes, Level, Scalar};

/// The planes of triangles.
pub(super) struct Faces<const N: usize, L: Level> {
    /// Unit vectors across, or shorter ones.
    normal: Three<N, L>,
    /// Where along them the corners lie: close together, but for triangles that are next to none.
    low: Lanes<N, L, f32>,
    high: Lanes<N, L, f32>,
}

impl<const N: usize, L: Level> Faces<N, L> {
    #[inline(always)]
    pub(super) fn new(corners: &[Three<N, L>; 3]) -> Self {
        let edges = edges(corners);
        let mut normal = cross(&edges[0], &edges[1]);
        // one that is lost in underflow proves nothing
        let length = along(&normal, &normal).max(Lanes::splat(1e-30)).sqrt();
        let per = length.recip();
        for k in 0..3 {
            normal[k] = normal[k] * per;
        }
        let (low, high) = interval(&normal, corners);
        Self { normal, low, high }
    }
}

/// A triangle and several others, to be projected.
pub(super) struct Axes<const N: usize, L: Level> {
    pub(super) a: [Three<N, L>; 3],
    pub(super) b: [Three<N, L>; 3],
    /// How near each lane counts.
    pub(super) limit: Lanes<N, L, f32>,
}

impl<const N: usize, L: Level> Axes<N, L> {
    /// In which lanes one face or the other tells a row and the lanes apart.
    #[inline(always)]
    pub(super) fn apart_by_faces(&self, [rows, lanes]: &[Faces<N, L>; 2], row: usize) -> u32 {
        let [x, y, z] = &rows.normal;
        let normal = splat(&[x.values()[row], y.values()[row], z.values()[row]]);
        let (low, high) = interval(&normal, &self.b);
        let (own_low, own_high) = (rows.low.values()[row], rows.high.values()[row]);
        let gap = (low - Lanes::splat(own_high)).max(Lanes::splat(own_low) - high);
        let (low, high) = interval(&lanes.normal, &self.a);
        let gap = gap.max(low - lanes.high).max(lanes.low - high);
        gap.gt(self.limit)
    }

    /// In which lanes the projections on an axis of any length are farther apart than the limit.
    #[inline(always)]
    pub(super) fn apart(&self, axis: &Three<N, L>) -> u32 {
        let (low_a, high_a) = interval(axis, &self.a);
        let (low_b, high_b) = interval(axis, &self.b);
        let gap = (low_b - high_a).max(low_a - high_b).max(Lanes::splat(0.0));
        // an axis that is lost in underflow proves nothing
        let length = along(axis, axis).max(Lanes::splat(1e-30));
        (gap * gap).gt(self.limit * self.limit * length)
    }
}

/// Where a triangle begins and ends along an axis.
#[inline(always)]
fn interval<const N: usize, L: Level>(
    axis: &Three<N, L>,
    corners: &[Three<N, L>; 3],
) -> (Lanes<N, L, f32>, Lanes<N, L, f32>) {
    let (a, b) = (along(axis, &corners[0]), along(axis, &corners[1]));
    let c = along(axis, &corners[2]);
    (a.min(b).min(c), a.max(b).max(c))
}

impl Bounds {
    /// How far triangles are from the box in each lane at least, squared.
    #[inline(always)]
    pub(super) fn square<const N: usize, L: Level>(
        &self,
        [a, b, c]: &[Three<N, L>; 3],
    ) -> Lanes<N, L, f32> {
        let mut square = Lanes::splat(0.0);
        for k in 0..3 {
            let (center, half) = (self.center[k], self.half[k]);
            let below = Lanes::splat(center - half) - a[k].max(b[k]).max(c[k]);
            let above = a[k].min(b[k]).min(c[k]) - Lanes::splat(center + half);
            let gap = below.max(above).max(Lanes::splat(0.0));
            square = gap.mul_add(gap, square);
        }
        square
    }
}

impl Slab {
    /// The same in another frame.
    pub(super) fn seen(&self, view: &View) -> Self {
        let normal = [0, 1, 2].map(|i| dot(&view.r[i], &self.normal));
        let offset = dot(&normal, &view.t);
        Self {
            normal,
            low: self.low + offset,
            high: self.high + offset,
        }
    }

    /// How far triangles are from it in each lane; negative where they reach into it.
    #[inline(always)]
    pub(super) fn apart<const N: usize, L: Level>(
        &self,
        corners: &[Three<N, L>; 3],
    ) -> Lanes<N, L, f32> {
        let (low, high) = interval(&splat(&self.normal), corners);
        (low - Lanes::splat(self.high)).max(Lanes::splat(self.low) - high)
    }
}
