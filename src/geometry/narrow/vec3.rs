//! Three-component vectors in lanes: points and directions, many at once.

use crate::math::{Lanes, Level, Scalar};

/// The array `[f(0), f(1), f(2)]`.
///
/// `array::map` is several calls where link-time optimisation is off; this is none.
#[inline(always)]
pub(super) fn array3<T>(f: impl Fn(usize) -> T) -> [T; 3] {
    [f(0), f(1), f(2)]
}

/// Three components, many vectors at once.
pub(super) type Vec3<const N: usize, L> = [Lanes<N, L, f32>; 3];

/// The first three rows.
#[inline(always)]
pub(super) fn first_three<const N: usize, L: Level>(rows: &[Lanes<N, L, f32>]) -> Vec3<N, L> {
    [rows[0], rows[1], rows[2]]
}

/// The same vector in each lane.
#[inline(always)]
pub(super) fn splat<const N: usize, L: Level>(v: &[f32; 3]) -> Vec3<N, L> {
    [Lanes::splat(v[0]), Lanes::splat(v[1]), Lanes::splat(v[2])]
}

/// The dot product.
#[inline(always)]
pub(super) fn along<const N: usize, L: Level>(
    n: &Vec3<N, L>,
    p: &[Lanes<N, L, f32>],
) -> Lanes<N, L, f32> {
    n[0].mul_add(p[0], n[1].mul_add(p[1], n[2] * p[2]))
}

#[inline(always)]
pub(super) fn dot(a: &[f32; 3], b: &[f32; 3]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// The three edges, in order.
#[inline(always)]
pub(super) fn edges<const N: usize, L: Level>(p: &[Vec3<N, L>; 3]) -> [Vec3<N, L>; 3] {
    [
        minus(&p[1], &p[0]),
        minus(&p[2], &p[1]),
        minus(&p[0], &p[2]),
    ]
}

/// The difference.
#[inline(always)]
pub(super) fn minus<const N: usize, L: Level>(u: &Vec3<N, L>, v: &Vec3<N, L>) -> Vec3<N, L> {
    [u[0] - v[0], u[1] - v[1], u[2] - v[2]]
}

/// The cross product.
#[inline(always)]
pub(super) fn cross<const N: usize, L: Level>(u: &Vec3<N, L>, v: &Vec3<N, L>) -> Vec3<N, L> {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}
