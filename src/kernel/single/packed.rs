//! Four bodies packed in registers: transposition from numbers body by body, and back.

use std::ops::{Add, Mul, Neg, Sub};

use crate::kernel::forward::Frame;
use crate::kernel::pack::{Constants, Pack8};
use crate::kernel::spatial::RigidInertia;
use crate::math::{Quad, Ring, Row, Scalar};

/// One number of each of four bodies, for the readable kernels.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pack4<Q>(pub(super) Q);

impl<Q: Quad> Add for Pack4<Q> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self(self.0 + b.0)
    }
}

impl<Q: Quad> Sub for Pack4<Q> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self(self.0 - b.0)
    }
}

impl<Q: Quad> Mul for Pack4<Q> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self(self.0 * b.0)
    }
}

impl<Q: Quad> Neg for Pack4<Q> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0.negated())
    }
}

impl<Q: Quad> Ring for Pack4<Q> {
    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Self(self.0.mul_add(b.0, c.0))
    }
}

impl<Q: Quad> Scalar for Pack4<Q> {
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self(Q::splat(x))
    }

    #[inline(always)]
    fn recip(self) -> Self {
        let [x, y, z, w] = self.0.values();
        Self(Q::new([1.0 / x, 1.0 / y, 1.0 / z, 1.0 / w]))
    }

    #[inline(always)]
    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]) {
        for i in 0..angles.len() {
            let (angle, cosine) = (&mut angles[i], &mut cosines[i]);
            let (mut sines, mut values) = (angle.0.values(), [0.0; 4]);
            <f64 as Scalar>::sin_cos(&mut sines, &mut values);
            (angle.0, cosine.0) = (Q::new(sines), Q::new(values));
        }
    }
}

// Functions and no closures: the compiler does not inline those reliably, and what is not inlined has no registers.

/// Rotations (column-major) and origins of up to four bodies, padded with the last.
#[inline(always)]
pub(super) fn load_frames<Q: Quad>(bodies: &[Frame<f64>]) -> ([Pack4<Q>; 9], [Pack4<Q>; 3]) {
    let last = bodies.len() - 1;
    let frames = [
        &bodies[0],
        &bodies[last.min(1)],
        &bodies[last.min(2)],
        &bodies[last.min(3)],
    ];
    let [xx, xy, xz, x] = load_row::<Q>(frames, 0);
    let [yx, yy, yz, y] = load_row::<Q>(frames, 1);
    let [zx, zy, zz, z] = load_row::<Q>(frames, 2);
    ([xx, yx, zx, xy, yy, zy, xz, yz, zz], [x, y, z])
}

#[inline(always)]
fn load_row<Q: Quad>([a, b, c, d]: [&Frame<f64>; 4], k: usize) -> [Pack4<Q>; 4] {
    let rows = [
        Q::new(a.0[k]),
        Q::new(b.0[k]),
        Q::new(c.0[k]),
        Q::new(d.0[k]),
    ];
    let [x, y, z, t] = Q::transposed(rows);
    [Pack4(x), Pack4(y), Pack4(z), Pack4(t)]
}

impl Constants {
    /// Constants of the first or the second four bodies.
    #[inline(always)]
    pub(super) fn half<Q: Quad>(&self, half: usize) -> [Pack4<Q>; 12] {
        let [a, b, c, d, e, f, g, h, i, j, k, l] = &self.0;
        [
            pack4(a, half),
            pack4(b, half),
            pack4(c, half),
            pack4(d, half),
            pack4(e, half),
            pack4(f, half),
            pack4(g, half),
            pack4(h, half),
            pack4(i, half),
            pack4(j, half),
            pack4(k, half),
            pack4(l, half),
        ]
    }
}

#[inline(always)]
fn pack4<Q: Quad>(pack: &Pack8, half: usize) -> Pack4<Q> {
    Pack4(Q::new(pack.0.as_chunks().0[half]))
}

/// Unpacks an inertia body by body.
#[inline(always)]
pub(super) fn store_bodies<Q: Quad>(inertia: &RigidInertia<Pack4<Q>>, out: &mut [[Row; 3]; 4]) {
    let ([x, y, z], [a, b, c, d, e, f]) = (inertia.first, inertia.second);
    let zero = Q::splat(0.0);
    let all = [
        [inertia.mass.0, x.0, y.0, z.0],
        [a.0, b.0, c.0, d.0],
        [e.0, f.0, zero, zero],
    ];
    for k in 0..3 {
        let bodies = Q::transposed(all[k]);
        for body in 0..4 {
            out[body][k].store(bodies[body]);
        }
    }
}

/// Packs what [`store_bodies`] has written.
#[inline(always)]
pub(super) fn load_bodies<Q: Quad>([p, q, r, s]: &[[Row; 3]; 4]) -> RigidInertia<Pack4<Q>> {
    let [m, x, y, z] = Q::transposed([p[0].load(), q[0].load(), r[0].load(), s[0].load()]);
    let [a, b, c, d] = Q::transposed([p[1].load(), q[1].load(), r[1].load(), s[1].load()]);
    let [e, f, _, _] = Q::transposed([p[2].load(), q[2].load(), r[2].load(), s[2].load()]);
    RigidInertia {
        mass: Pack4(m),
        first: [Pack4(x), Pack4(y), Pack4(z)],
        second: [Pack4(a), Pack4(b), Pack4(c), Pack4(d), Pack4(e), Pack4(f)],
    }
}

#[inline(always)]
pub(super) fn load3<Q: Quad>(rows: &[Row]) -> [Pack4<Q>; 3] {
    [
        Pack4(rows[0].load()),
        Pack4(rows[1].load()),
        Pack4(rows[2].load()),
    ]
}

#[inline(always)]
pub(super) fn store3<Q: Quad>([x, y, z]: [Pack4<Q>; 3], rows: &mut [Row]) {
    rows[0].store(x.0);
    rows[1].store(y.0);
    rows[2].store(z.0);
}
