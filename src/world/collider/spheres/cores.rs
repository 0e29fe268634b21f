//! Distances from positions, one per lane, to points, segments, boxes and cylinders.

use super::sphere::Sphere32;
use crate::math::linear::{dot_rows, first_numbers, splat3, sub};
use crate::math::{Lanes, Level, Ring};

/// The convex shape to which a distance is measured.
#[derive(Debug, Clone, Copy)]
pub(super) enum Convex {
    Point([f32; 3]),
    /// One end, the vector to the other, and the reciprocal of its squared length.
    Segment([f32; 3], [f32; 3], f32),
    /// A box along the world axes: lowest and highest corner.
    Aligned([f32; 3], [f32; 3]),
    /// A box: centre in coordinates along its axes, axes, half-lengths.
    Box([f32; 3], [[f32; 3]; 3], [f32; 3]),
    /// A cylinder: centre, axis, radius, half-height.
    Cylinder([f32; 3], [f32; 3], f32, f32),
}

/// A position in each lane.
pub(super) type Position<const N: usize, L> = [Lanes<N, L, f32>; 3];

impl Convex {
    /// Squared distance to a point in each lane, m².
    #[inline(always)]
    pub(super) fn square<const N: usize, L: Level>(&self, p: &Position<N, L>) -> Lanes<N, L, f32> {
        match self {
            Self::Point(c) => square(&sub(*p, splat3(c))),
            Self::Segment(a, along, inverse) => to_segment(p, a, along, *inverse),
            Self::Aligned(low, high) => to_aligned(p, low, high),
            Self::Box(center, axes, half) => to_box(p, center, axes, half),
            Self::Cylinder(center, axis, radius, half) => {
                to_cylinder(p, center, axis, *radius, *half)
            }
        }
    }

    /// Masks of the lanes in which one of these spheres, each with its centre and inflated by one of `edges`, overlaps the core.
    ///
    /// Dispatches on the kind of core once, not for every sphere.
    #[inline(always)]
    pub(super) fn met_by<'a, const N: usize, L: Level, const K: usize>(
        &self,
        spheres: impl Iterator<Item = (&'a Position<N, L>, &'a Sphere32)>,
        edges: [f32; K],
    ) -> [u32; K] {
        match self {
            Self::Point(c) => any_within(
                spheres,
                edges,
                #[inline(always)]
                |p| square(&sub(*p, splat3(c))),
            ),
            Self::Segment(a, along, inverse) => any_within(
                spheres,
                edges,
                #[inline(always)]
                |p| to_segment(p, a, along, *inverse),
            ),
            Self::Aligned(low, high) => any_within(
                spheres,
                edges,
                #[inline(always)]
                |p| to_aligned(p, low, high),
            ),
            Self::Box(center, axes, half) => any_within(
                spheres,
                edges,
                #[inline(always)]
                |p| to_box(p, center, axes, half),
            ),
            Self::Cylinder(center, axis, radius, half) => any_within(
                spheres,
                edges,
                #[inline(always)]
                |p| to_cylinder(p, center, axis, *radius, *half),
            ),
        }
    }
}

/// Masks of the lanes in which one of these spheres, inflated by one of `edges`, reaches the squared distance `square`; no branch
/// per sphere. All numbers have to be finite, which [`Model::rounding`](super::model::Model::rounding) ensures.
#[inline(always)]
pub(super) fn any_within<'a, const N: usize, L: Level, const K: usize>(
    spheres: impl Iterator<Item = (&'a Position<N, L>, &'a Sphere32)>,
    edges: [f32; K],
    square: impl Fn(&Position<N, L>) -> Lanes<N, L, f32>,
) -> [u32; K] {
    let mut least = [splat::<N, L>(f32::INFINITY); K];
    for (p, sphere) in spheres {
        let square = square(p);
        for k in 0..K {
            let radius = sphere.radius + edges[k];
            // a negative radius reaches nothing
            least[k] = least[k].min(splat(-radius).mul_add(splat(radius.abs()), square));
        }
    }
    // no `array::map`: a call out of line, and of functions without vector instructions
    let mut masks = [0; K];
    for k in 0..K {
        masks[k] = least[k].not_gt(splat(0.0));
    }
    masks
}

/// Square of a radius in each lane.
#[inline(always)]
pub(super) fn squared_radius<const N: usize, L: Level>(radius: f32) -> Lanes<N, L, f32> {
    splat(radius * radius)
}

#[inline(always)]
fn to_segment<const N: usize, L: Level>(
    p: &Position<N, L>,
    a: &[f32; 3],
    along: &[f32; 3],
    inverse: f32,
) -> Lanes<N, L, f32> {
    let [x, y, z] = sub(*p, splat3(a));
    let [u, v, w] = splat3(along);
    let t = dot_rows(&[x, y, z], &[u, v, w]) * splat(inverse);
    let back = -t.max(splat(0.0)).min(splat(1.0));
    square(&[back.mul_add(u, x), back.mul_add(v, y), back.mul_add(w, z)])
}

#[inline(always)]
fn to_aligned<const N: usize, L: Level>(
    p: &Position<N, L>,
    low: &[f32; 3],
    high: &[f32; 3],
) -> Lanes<N, L, f32> {
    let (low, high, zero) = (splat3(low), splat3(high), splat(0.0));
    square(&[
        (low[0] - p[0]).max(p[0] - high[0]).max(zero),
        (low[1] - p[1]).max(p[1] - high[1]).max(zero),
        (low[2] - p[2]).max(p[2] - high[2]).max(zero),
    ])
}

#[inline(always)]
fn to_box<const N: usize, L: Level>(
    p: &Position<N, L>,
    center: &[f32; 3],
    [u, v, w]: &[[f32; 3]; 3],
    half: &[f32; 3],
) -> Lanes<N, L, f32> {
    let d = [
        height(p, u, center[0]),
        height(p, v, center[1]),
        height(p, w, center[2]),
    ];
    beyond(&d, half)
}

#[inline(always)]
fn to_cylinder<const N: usize, L: Level>(
    p: &Position<N, L>,
    center: &[f32; 3],
    axis: &[f32; 3],
    radius: f32,
    half: f32,
) -> Lanes<N, L, f32> {
    let zero = splat(0.0);
    let [x, y, z] = sub(*p, splat3(center));
    let [u, v, w] = splat3(axis);
    let height = dot_rows(&[x, y, z], &[u, v, w]);
    let back = -height;
    let out = square(&[back.mul_add(u, x), back.mul_add(v, y), back.mul_add(w, z)]);
    let out = (out.sqrt() - splat(radius)).max(zero);
    let over = (height.max(back) - splat(half)).max(zero);
    out.mul_add(out, over * over)
}

#[inline(always)]
pub(super) fn splat<const N: usize, L: Level>(x: f32) -> Lanes<N, L, f32> {
    Lanes::splat(x)
}

/// `N` consecutive numbers.
#[inline(always)]
pub(super) fn load<const N: usize, L: Level>(numbers: &[f32], first: usize) -> Lanes<N, L, f32> {
    Lanes::new(first_numbers(&numbers[first..]))
}

/// Coordinate of a point along an axis, relative to `from`.
#[inline(always)]
pub(super) fn height<const N: usize, L: Level>(
    p: &Position<N, L>,
    axis: &[f32; 3],
    from: f32,
) -> Lanes<N, L, f32> {
    let [x, y, z] = splat3(axis);
    x.mul_add(p[0], y.mul_add(p[1], z.mul_add(p[2], splat(-from))))
}

#[inline(always)]
fn square<const N: usize, L: Level>(a: &[Lanes<N, L, f32>; 3]) -> Lanes<N, L, f32> {
    dot_rows(a, a)
}

/// Squared distance of two points, m².
#[inline(always)]
pub(super) fn squared_distance<const N: usize, L: Level>(
    a: &[Lanes<N, L, f32>; 3],
    b: &[Lanes<N, L, f32>; 3],
) -> Lanes<N, L, f32> {
    square(&sub(*a, *b))
}

/// Squared distance from a point to a box centred at the origin.
#[inline(always)]
fn beyond<const N: usize, L: Level>(
    d: &[Lanes<N, L, f32>; 3],
    half: &[f32; 3],
) -> Lanes<N, L, f32> {
    square(&[
        outside(d[0], half[0]),
        outside(d[1], half[1]),
        outside(d[2], half[2]),
    ])
}

#[inline(always)]
fn outside<const N: usize, L: Level>(d: Lanes<N, L, f32>, half: f32) -> Lanes<N, L, f32> {
    (d.abs() - splat(half)).max(splat(0.0))
}
