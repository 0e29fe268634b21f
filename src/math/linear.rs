//! Vectors and matrices of three as plain arrays over a [`Ring`]: of numbers, of lanes, of registers. Matrices are
//! column-major.

use super::{Lanes, Level, Number, Ring, Scalar};

/// The array `[f(0), f(1), f(2)]`.
///
/// `array::map` is several calls where link-time optimisation is off; this is none.
#[inline(always)]
pub(crate) fn array3<T>(f: impl Fn(usize) -> T) -> [T; 3] {
    [f(0), f(1), f(2)]
}

/// The first three rows.
#[inline(always)]
pub(crate) fn first_three<T: Copy>(rows: &[T]) -> [T; 3] {
    [rows[0], rows[1], rows[2]]
}

/// The first numbers, of which there have to be as many.
///
/// `copy_from_slice` is a call where link-time optimisation is off, and of a loop over them the compiler makes a load for each:
/// this is one copy.
#[inline(always)]
pub(crate) fn first_numbers<const N: usize, T: Copy>(from: &[T]) -> [T; N] {
    *from.first_chunk().expect("as many numbers are there")
}

/// Overwrites the first numbers; the counterpart of [`first_numbers`].
#[inline(always)]
pub(crate) fn set_first_numbers<const N: usize, T: Copy>(out: &mut [T], numbers: &[T; N]) {
    *out.first_chunk_mut().expect("as many numbers are there") = *numbers;
}

/// The same vector in each lane.
#[inline(always)]
pub(crate) fn splat3<const N: usize, L: Level, T: Number>(v: &[T; 3]) -> [Lanes<N, L, T>; 3] {
    [Lanes::splat(v[0]), Lanes::splat(v[1]), Lanes::splat(v[2])]
}

#[inline(always)]
pub(crate) fn constant3<T: Scalar>(a: &[f64; 3]) -> [T; 3] {
    [T::constant(a[0]), T::constant(a[1]), T::constant(a[2])]
}

#[inline(always)]
pub(crate) fn add<T: Ring>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(crate) fn sub<T: Ring>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `s a`.
#[inline(always)]
pub(crate) fn scale<T: Ring>(s: T, a: [T; 3]) -> [T; 3] {
    [s * a[0], s * a[1], s * a[2]]
}

/// `s a + b`.
#[inline(always)]
pub(crate) fn scale_add<T: Ring>(s: T, a: [T; 3], b: [T; 3]) -> [T; 3] {
    [
        s.mul_add(a[0], b[0]),
        s.mul_add(a[1], b[1]),
        s.mul_add(a[2], b[2]),
    ]
}

#[inline(always)]
pub(crate) fn cross<T: Ring>(a: [T; 3], b: [T; 3]) -> [T; 3] {
    [
        a[1].mul_add(b[2], -(a[2] * b[1])),
        a[2].mul_add(b[0], -(a[0] * b[2])),
        a[0].mul_add(b[1], -(a[1] * b[0])),
    ]
}

/// `a × b` with every product rounded: two short chains of operations, where [`cross`] has a long one. Of triangles in lanes it
/// takes 3 % off a collision query.
#[inline(always)]
pub(crate) fn cross_unfused<T: Ring>(u: &[T; 3], v: &[T; 3]) -> [T; 3] {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

/// `a × b + c`.
#[inline(always)]
pub(crate) fn cross_add<T: Ring>(a: [T; 3], b: [T; 3], c: [T; 3]) -> [T; 3] {
    [
        a[1].mul_add(b[2], (-a[2]).mul_add(b[1], c[0])),
        a[2].mul_add(b[0], (-a[0]).mul_add(b[2], c[1])),
        a[0].mul_add(b[1], (-a[1]).mul_add(b[0], c[2])),
    ]
}

#[inline(always)]
pub(crate) fn dot<T: Ring>(a: [T; 3], b: [T; 3]) -> T {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0] * b[0]))
}

/// `a · b` with the first three of some rows, which are read where they are.
#[inline(always)]
pub(crate) fn dot_rows<T: Ring>(a: &[T; 3], b: &[T]) -> T {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

/// `a · b + c`.
#[inline(always)]
pub(crate) fn dot_add<T: Ring>(a: [T; 3], b: [T; 3], c: T) -> T {
    a[2].mul_add(b[2], a[1].mul_add(b[1], a[0].mul_add(b[0], c)))
}

/// `r a`.
#[inline(always)]
pub(crate) fn rotate<T: Ring>(r: &[T; 9], a: [T; 3]) -> [T; 3] {
    [
        r[6].mul_add(a[2], r[3].mul_add(a[1], r[0] * a[0])),
        r[7].mul_add(a[2], r[4].mul_add(a[1], r[1] * a[0])),
        r[8].mul_add(a[2], r[5].mul_add(a[1], r[2] * a[0])),
    ]
}

/// `rᵀ a`: the inverse of [`rotate`] where `r` is a rotation.
#[inline(always)]
pub(crate) fn rotate_inverse<T: Ring>(r: &[T; 9], a: [T; 3]) -> [T; 3] {
    [
        r[2].mul_add(a[2], r[1].mul_add(a[1], r[0] * a[0])),
        r[5].mul_add(a[2], r[4].mul_add(a[1], r[3] * a[0])),
        r[8].mul_add(a[2], r[7].mul_add(a[1], r[6] * a[0])),
    ]
}

/// `s a` with a symmetric matrix `s`, given as xx, xy, yy, xz, yz, zz.
#[inline(always)]
pub(crate) fn symmetric_mul<T: Ring>(s: &[T; 6], a: [T; 3]) -> [T; 3] {
    [
        s[3].mul_add(a[2], s[1].mul_add(a[1], s[0] * a[0])),
        s[4].mul_add(a[2], s[2].mul_add(a[1], s[1] * a[0])),
        s[5].mul_add(a[2], s[4].mul_add(a[1], s[3] * a[0])),
    ]
}

/// `s a + b` with a symmetric matrix `s`.
#[inline(always)]
pub(crate) fn symmetric_mul_add<T: Ring>(s: &[T; 6], a: [T; 3], b: [T; 3]) -> [T; 3] {
    [
        s[3].mul_add(a[2], s[1].mul_add(a[1], s[0].mul_add(a[0], b[0]))),
        s[4].mul_add(a[2], s[2].mul_add(a[1], s[1].mul_add(a[0], b[1]))),
        s[5].mul_add(a[2], s[4].mul_add(a[1], s[3].mul_add(a[0], b[2]))),
    ]
}

/// `r s rᵀ` with a symmetric matrix `s`: both as xx, xy, yy, xz, yz, zz.
#[inline(always)]
pub(crate) fn rotate_symmetric<T: Ring>(r: &[T; 9], s: &[T; 6]) -> [T; 6] {
    let (x, y, z) = ([r[0], r[3], r[6]], [r[1], r[4], r[7]], [r[2], r[5], r[8]]);
    let (sx, sy, sz) = (
        symmetric_mul(s, x),
        symmetric_mul(s, y),
        symmetric_mul(s, z),
    );
    [
        dot(sx, x),
        dot(sx, y),
        dot(sy, y),
        dot(sx, z),
        dot(sy, z),
        dot(sz, z),
    ]
}

/// `a b`.
#[inline(always)]
pub(crate) fn product<T: Ring>(a: &[T; 9], b: &[T; 9]) -> [T; 9] {
    let x = rotate(a, [b[0], b[1], b[2]]);
    let y = rotate(a, [b[3], b[4], b[5]]);
    let z = rotate(a, [b[6], b[7], b[8]]);
    [x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]]
}

#[inline(always)]
pub(crate) fn transpose<T: Copy>(a: &[T; 9]) -> [T; 9] {
    [a[0], a[3], a[6], a[1], a[4], a[7], a[2], a[5], a[8]]
}
