//! Several numbers side by side: one lane per configuration.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use super::quad::{Avx2Quad, Plain, Quad};
use super::{Scalar, trig};

/// `N` numbers that go through the same operations, for the instructions of a [`Level`].
///
/// Plain arrays and loops: where they are inlined into a function with vector instructions, the compiler
/// turns each loop into one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lanes<const N: usize, L: Level> {
    values: [f64; N],
    // no number, but it puts the others on a boundary, so that no load straddles two cache lines
    _line: [L::Line; 0],
}

/// A set of instructions, as far as arithmetic written without them has to know it.
pub(crate) trait Level: Copy + Debug + Send + Sync + 'static {
    /// A type with the alignment of a register.
    type Line: Copy + Debug + Send + Sync;
    /// Four numbers of one configuration.
    type Quad: Quad;
    /// Whether `a · b + c` is one instruction; where it is not, `f64::mul_add` is a call into libm.
    const FUSED: bool;
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

impl Level for Baseline {
    type Line = Aligned32;
    type Quad = Plain<{ Self::FUSED }>;
    const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
}

impl Level for Avx2 {
    type Line = Aligned32;
    type Quad = Avx2Quad;
    const FUSED: bool = true;
}

impl Level for Avx512 {
    type Line = Aligned64;
    type Quad = Avx2Quad;
    const FUSED: bool = true;
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
    fn add(mut self, b: Self) -> Self {
        for k in 0..N {
            self.values[k] += b.values[k];
        }
        self
    }
}

impl<const N: usize, L: Level> Sub for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, b: Self) -> Self {
        for k in 0..N {
            self.values[k] -= b.values[k];
        }
        self
    }
}

impl<const N: usize, L: Level> Mul for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn mul(mut self, b: Self) -> Self {
        for k in 0..N {
            self.values[k] *= b.values[k];
        }
        self
    }
}

impl<const N: usize, L: Level> Neg for Lanes<N, L> {
    type Output = Self;

    #[inline(always)]
    fn neg(mut self) -> Self {
        for k in 0..N {
            self.values[k] = -self.values[k];
        }
        self
    }
}

impl<const N: usize, L: Level> Scalar for Lanes<N, L> {
    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self::new([x; N])
    }

    #[inline(always)]
    fn mul_add(mut self, b: Self, c: Self) -> Self {
        for k in 0..N {
            self.values[k] = if L::FUSED {
                self.values[k].mul_add(b.values[k], c.values[k])
            } else {
                self.values[k] * b.values[k] + c.values[k]
            };
        }
        self
    }

    #[inline(always)]
    fn recip(mut self) -> Self {
        for k in 0..N {
            self.values[k] = 1.0 / self.values[k];
        }
        self
    }

    #[inline(always)]
    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]) {
        for (x, cosine) in angles.iter_mut().zip(cosines) {
            trig::sin_cos_lanes(&mut x.values, &mut cosine.values);
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

                // one rounding or two: both are right
                let fused = a.mul_add(b, c).values()[k].to_bits();
                let roads = [x.mul_add(y, z), x * y + z].map(f64::to_bits);
                assert!(roads.contains(&fused), "{x:?} · {y:?} + {z:?}");

                for (j, angle) in [x, y, z].into_iter().enumerate() {
                    let (mut s, mut c) = ([angle], [0.0]);
                    <f64 as Scalar>::sin_cos(&mut s, &mut c);
                    assert_eq!(sines[j].values()[k].to_bits(), s[0].to_bits());
                    assert_eq!(cosines[j].values()[k].to_bits(), c[0].to_bits());
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
