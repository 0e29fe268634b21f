//! Four numbers in one register: x, y, z and a spare lane.
//!
//! The compiler splits a plain array into scalars as soon as its numbers are permuted, and rarely finds the vector
//! instructions again: for one robot at one configuration, where the lanes are x, y and z, that costs a factor of two.
//! [`Plain`] is the version without special instructions, and the safe twin that AVX2 is tested against.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

/// Four numbers that go through the same operations, and can be permuted.
pub(crate) trait Quad:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Whether `a · b + c` is one instruction.
    const FUSED: bool;

    fn new(values: [f64; 4]) -> Self;

    fn values(self) -> [f64; 4];

    /// The same number in each lane.
    fn splat(x: f64) -> Self;

    /// `self · b + c`, in one rounding where that is one instruction.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// `c − self · b`.
    fn neg_mul_add(self, b: Self, c: Self) -> Self;

    /// `−self`.
    fn negated(self) -> Self;

    /// Permutation y, z, x, w.
    fn yzx(self) -> Self;

    /// Permutation z, x, y, w.
    fn zxy(self) -> Self;

    /// Permutation y, x, w, z.
    fn swapped(self) -> Self;

    /// The number of one lane in all lanes.
    fn splat_lane<const LANE: usize>(self) -> Self;

    /// The numbers where `mask` has all bits set, and 0 where it has none.
    fn masked(self, mask: &Mask) -> Self;

    /// The first `COUNT` lanes of `self`, the other lanes of `rest`.
    fn blend_first<const COUNT: usize>(self, rest: Self) -> Self;

    /// The sum of all four.
    fn sum(self) -> f64;

    /// The columns of the matrix of these rows.
    fn transposed(rows: [Self; 4]) -> [Self; 4];

    /// `self × b`; the last lane is undefined, and 0 where both hold 0.
    #[inline(always)]
    fn cross(self, b: Self) -> Self {
        self.yzx().neg_mul_add(b, self * b.yzx()).yzx()
    }
}

/// Bit mask of lanes: all bits of a lane or none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Mask(pub(crate) [u64; 4]);

/// A [`Quad`] in memory, aligned as a register.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Row(pub(crate) [f64; 4]);

impl Row {
    pub(crate) const ZERO: Self = Self([0.0; 4]);

    #[inline(always)]
    pub(crate) fn load<Q: Quad>(&self) -> Q {
        Q::new(self.0)
    }

    #[inline(always)]
    pub(crate) fn store<Q: Quad>(&mut self, q: Q) {
        self.0 = q.values();
    }
}

/// A [`Quad`] for any target; `FUSED` where it has a fused multiplication.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain<const FUSED: bool>([f64; 4]);

impl<const FUSED: bool> Plain<FUSED> {
    #[inline(always)]
    fn fused(a: f64, b: f64, c: f64) -> f64 {
        if FUSED { a.mul_add(b, c) } else { a * b + c }
    }
}

impl<const FUSED: bool> Add for Plain<FUSED> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        let ([x, y, z, w], b) = (self.0, b.0);
        Self([x + b[0], y + b[1], z + b[2], w + b[3]])
    }
}

impl<const FUSED: bool> Sub for Plain<FUSED> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        let ([x, y, z, w], b) = (self.0, b.0);
        Self([x - b[0], y - b[1], z - b[2], w - b[3]])
    }
}

impl<const FUSED: bool> Mul for Plain<FUSED> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        let ([x, y, z, w], b) = (self.0, b.0);
        Self([x * b[0], y * b[1], z * b[2], w * b[3]])
    }
}

impl<const FUSED: bool> Quad for Plain<FUSED> {
    const FUSED: bool = FUSED;

    #[inline(always)]
    fn new(values: [f64; 4]) -> Self {
        Self(values)
    }

    #[inline(always)]
    fn values(self) -> [f64; 4] {
        self.0
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        let ([x, y, z, w], b, c) = (self.0, b.0, c.0);
        Self([
            Self::fused(x, b[0], c[0]),
            Self::fused(y, b[1], c[1]),
            Self::fused(z, b[2], c[2]),
            Self::fused(w, b[3], c[3]),
        ])
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        let ([x, y, z, w], b, c) = (self.0, b.0, c.0);
        Self([
            Self::fused(-x, b[0], c[0]),
            Self::fused(-y, b[1], c[1]),
            Self::fused(-z, b[2], c[2]),
            Self::fused(-w, b[3], c[3]),
        ])
    }

    #[inline(always)]
    fn negated(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([-x, -y, -z, -w])
    }

    #[inline(always)]
    fn yzx(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([y, z, x, w])
    }

    #[inline(always)]
    fn zxy(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([z, x, y, w])
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([y, x, w, z])
    }

    #[inline(always)]
    fn splat_lane<const LANE: usize>(self) -> Self {
        Self([self.0[LANE]; 4])
    }

    #[inline(always)]
    fn masked(self, mask: &Mask) -> Self {
        let ([x, y, z, w], m) = (self.0, mask.0);
        let keep = |x: f64, m: u64| f64::from_bits(x.to_bits() & m);
        Self([keep(x, m[0]), keep(y, m[1]), keep(z, m[2]), keep(w, m[3])])
    }

    #[inline(always)]
    fn blend_first<const COUNT: usize>(self, Self(mut all): Self) -> Self {
        all[..COUNT].copy_from_slice(&self.0[..COUNT]);
        Self(all)
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        let [x, y, z, w] = self.0;
        (x + z) + (y + w)
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let column = |k: usize| Self([a.0[k], b.0[k], c.0[k], d.0[k]]);
        [column(0), column(1), column(2), column(3)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{QuadWork, Simd};

    const A: [f64; 4] = [0.5, -1.25, 3e7, -2e-9];
    const B: [f64; 4] = [-2.0, 0.3, 1e-7, 5e8];
    const C: [f64; 4] = [1.0, 0.375, -3.0, -0.0];
    const KEPT: Mask = Mask([u64::MAX, 0, 0, u64::MAX]);

    /// Results of every operation.
    #[inline(always)]
    fn results<Q: Quad>() -> Vec<[f64; 4]> {
        let (a, b, c) = (Q::new(A), Q::new(B), Q::new(C));
        let [x, y, z, w] = Q::transposed([a, b, c, a]);
        let mut row = Row::ZERO;
        row.store(b);
        let all = [
            a + b,
            a - b,
            a * b,
            a.mul_add(b, c),
            a.neg_mul_add(b, c),
            a.negated(),
            a.yzx(),
            a.zxy(),
            a.swapped(),
            a.splat_lane::<0>(),
            a.splat_lane::<1>(),
            a.splat_lane::<2>(),
            a.splat_lane::<3>(),
            a.masked(&KEPT),
            a.blend_first::<1>(b),
            a.blend_first::<2>(b),
            a.blend_first::<3>(b),
            a.cross(b),
            Q::splat(a.sum()),
            row.load(),
            x,
            y,
            z,
            w,
        ];
        all.iter().map(|q| q.values()).collect()
    }

    struct Ours<'a>(&'a mut Vec<[f64; 4]>, &'a mut bool);

    impl QuadWork for Ours<'_> {
        #[inline(always)]
        fn run<Q: Quad>(self) {
            *self.0 = results::<Q>();
            *self.1 = Q::FUSED;
        }
    }

    #[test]
    fn every_instruction_does_what_its_safe_twin_does() {
        for simd in Simd::available() {
            let (mut ours, mut fused) = (vec![], false);
            simd.run_quad(Ours(&mut ours, &mut fused));
            let twins = if fused {
                results::<Plain<true>>()
            } else {
                results::<Plain<false>>()
            };
            let bits = |all: Vec<[f64; 4]>| all.concat().into_iter().map(f64::to_bits).collect();
            let (ours, twins): (Vec<u64>, Vec<u64>) = (bits(ours), bits(twins));
            assert_eq!(ours, twins, "{simd:?}");
        }
    }

    #[test]
    fn permutations_are_those_of_a_vector() {
        type Q = Plain<false>;
        let bits = |values: [f64; 4]| values.map(f64::to_bits);
        let [x, y, z, w] = A;
        assert_eq!(bits(Q::new(A).yzx().values()), bits([y, z, x, w]));
        assert_eq!(bits(Q::new(A).zxy().values()), bits([z, x, y, w]));
        assert_eq!(bits(Q::new(A).swapped().values()), bits([y, x, w, z]));
        let [.., b, c] = B;
        assert_eq!(
            bits(Q::new(A).blend_first::<2>(Q::new(B)).values()),
            bits([x, y, b, c])
        );
        let (x, y) = (Q::new([1.0, 0.0, 0.0, 0.0]), Q::new([0.0, 1.0, 0.0, 0.0]));
        assert_eq!(bits(x.cross(y).values()), bits([0.0, 0.0, 1.0, 0.0]));
    }
}
