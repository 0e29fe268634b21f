//! Several numbers side by side: one lane per configuration.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use super::quad::{Avx2Quad, Plain, Quad};
use super::{Scalar, trig};

/// `N` numbers that go through the same operations, for the instructions of a [`Level`].
///
/// Plain arrays: where they are inlined into a function with vector instructions, each operation becomes one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lanes<const N: usize, L: Level> {
    values: [f64; N],
    // no number, but it puts the others on a boundary, so that no load straddles two cache lines
    _line: [L::Line; 0],
}

/// A set of instructions, as far as arithmetic written without them has to know it.
pub(crate) trait Level: Arithmetic + Copy + Debug + Send + Sync + 'static {
    /// A type with the alignment of a register.
    type Line: Copy + Debug + Send + Sync;
    /// Four numbers of one configuration.
    type Quad: Quad;
}

/// What a set of instructions does to `N` numbers: here in loops, of which the compiler makes the instructions that the
/// target has.
pub(crate) trait Arithmetic {
    /// Whether `a · b + c` is one instruction; where it is not, `f64::mul_add` is a call into libm.
    const FUSED: bool;

    /// The same number in each lane.
    #[inline(always)]
    fn constant<const N: usize>(x: f64) -> [f64; N] {
        [x; N]
    }

    #[inline(always)]
    fn add<const N: usize>(mut a: [f64; N], b: [f64; N]) -> [f64; N] {
        for k in 0..N {
            a[k] += b[k];
        }
        a
    }

    #[inline(always)]
    fn sub<const N: usize>(mut a: [f64; N], b: [f64; N]) -> [f64; N] {
        for k in 0..N {
            a[k] -= b[k];
        }
        a
    }

    #[inline(always)]
    fn mul<const N: usize>(mut a: [f64; N], b: [f64; N]) -> [f64; N] {
        for k in 0..N {
            a[k] *= b[k];
        }
        a
    }

    #[inline(always)]
    fn div<const N: usize>(mut a: [f64; N], b: [f64; N]) -> [f64; N] {
        for k in 0..N {
            a[k] /= b[k];
        }
        a
    }

    /// `a · b + c`.
    #[inline(always)]
    fn mul_add<const N: usize>(mut a: [f64; N], b: [f64; N], c: [f64; N]) -> [f64; N] {
        for k in 0..N {
            a[k] = if Self::FUSED {
                a[k].mul_add(b[k], c[k])
            } else {
                a[k] * b[k] + c[k]
            };
        }
        a
    }
}

/// What every processor of the target has, in registers of two numbers or more.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Baseline {}

/// AVX2 and FMA: registers of four numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Avx2 {}

/// AVX-512: registers of eight numbers.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Avx512 {}

impl Arithmetic for Baseline {
    const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
}

#[cfg(not(target_arch = "x86_64"))]
impl Arithmetic for Avx2 {
    const FUSED: bool = true;
}

#[cfg(not(target_arch = "x86_64"))]
impl Arithmetic for Avx512 {
    const FUSED: bool = true;
}

impl Level for Baseline {
    type Line = Aligned32;
    type Quad = Plain<{ <Self as Arithmetic>::FUSED }>;
}

impl Level for Avx2 {
    type Line = Aligned32;
    type Quad = Avx2Quad;
}

impl Level for Avx512 {
    type Line = Aligned64;
    type Quad = Avx2Quad;
}

impl<const N: usize, L: Level> Lanes<N, L> {
    #[inline(always)]
    pub(crate) fn new(values: [f64; N]) -> Self {
        Self { values, _line: [] }
    }

    /// The number in each lane.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[f64; N] {
        &self.values
    }

    /// The numbers, to be written.
    #[inline(always)]
    pub(crate) fn values_mut(&mut self) -> &mut [f64; N] {
        &mut self.values
    }
}

impl<const N: usize, L: Level> Add for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        Self::new(L::add(self.values, b.values))
    }
}

impl<const N: usize, L: Level> Sub for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        Self::new(L::sub(self.values, b.values))
    }
}

impl<const N: usize, L: Level> Mul for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        Self::new(L::mul(self.values, b.values))
    }
}

impl<const N: usize, L: Level> Neg for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::constant(-0.0) - self
    }
}

impl<const N: usize, L: Level> Scalar for Lanes<N, L> {
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self::new(L::constant(x))
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        Self::new(L::mul_add(self.values, b.values, c.values))
    }

    #[inline(always)]
    fn recip(self) -> Self {
        Self::new(L::div(L::constant(1.0), self.values))
    }

    #[inline(always)]
    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]) {
        for (x, cosine) in angles.iter_mut().zip(cosines) {
            if L::FUSED {
                trig::sin_cos_lanes::<N, true>(&mut x.values, &mut cosine.values);
            } else {
                trig::sin_cos_lanes::<N, false>(&mut x.values, &mut cosine.values);
            }
        }
    }
}

#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Aligned32;

#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Aligned64;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::dispatch::{Simd, Work};

    /// Three numbers per lane, of every size and sign.
    const A: [f64; 8] = [0.5, -1.25, 3e7, -2e-9, 1e300, -0.0, 7.0, 1.0 / 3.0];
    const B: [f64; 8] = [-2.0, 0.3, 1e-7, 5e8, 1e-300, 4.0, -7.0, 3.0];
    const C: [f64; 8] = [1.0, 0.375, -3.0, 1.0, -1.0, 2.0, 49.0, -1.0];

    /// Compares what lanes compute with the same on `f64`, one after the other.
    #[derive(Clone, Copy)]
    struct LaneByLane;

    impl Work for LaneByLane {
        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            let [a, b, c] = [A, B, C].map(|x| Lanes::<N, L>::new(std::array::from_fn(|k| x[k])));
            let mut sines = [a, b, c];
            let mut cosines = sines;
            Scalar::sin_cos(&mut sines, &mut cosines);
            for k in 0..N {
                let (x, y, z) = (A[k], B[k], C[k]);
                let expected = [x + y, x - y, x * y, -x, 1.0 / y, 2.5];
                let ours = [a + b, a - b, a * b, -a, b.recip(), Lanes::constant(2.5)];
                for (ours, expected) in ours.iter().zip(expected) {
                    assert_eq!(ours.values()[k].to_bits(), expected.to_bits());
                }

                // one rounding or two: both are right, also within a sine
                let fused = a.mul_add(b, c).values()[k].to_bits();
                let roads = [x.mul_add(y, z), x * y + z].map(f64::to_bits);
                assert!(roads.contains(&fused), "{x:?} · {y:?} + {z:?}");

                for (j, angle) in [x, y, z].into_iter().enumerate() {
                    let (mut s, mut c) = ([angle], [0.0]);
                    <f64 as Scalar>::sin_cos(&mut s, &mut c);
                    assert!((sines[j].values()[k] - s[0]).abs() <= f64::EPSILON);
                    assert!((cosines[j].values()[k] - c[0]).abs() <= f64::EPSILON);
                }
            }
        }
    }

    #[test]
    fn each_lane_computes_what_one_number_would() {
        for simd in Simd::available() {
            simd.run(LaneByLane);
        }
    }

    #[test]
    fn lanes_lie_on_the_boundary_of_a_register() {
        assert_eq!(align_of::<Lanes<4, Avx2>>(), 32);
        assert_eq!(size_of::<Lanes<4, Avx2>>(), 32);
        assert_eq!(align_of::<Lanes<8, Avx512>>(), 64);
        assert_eq!(size_of::<Lanes<8, Avx512>>(), 64);
    }
}
