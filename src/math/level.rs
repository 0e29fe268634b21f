//! Sets of instructions, and what they do to numbers side by side.

use std::fmt::Debug;

use super::Number;
use super::dispatch::Outline;
#[cfg(target_arch = "x86_64")]
use super::quad::Avx2Quad;
use super::quad::{Plain, Quad};

/// A set of instructions, as far as arithmetic written without them has to know it.
pub(crate) trait Level:
    Outline + Arithmetic<f64> + Arithmetic<f32> + Copy + Debug + Send + Sync + 'static
{
    /// A type with the alignment of a register.
    type Line: Copy + Debug + Send + Sync;
    /// Four numbers of one configuration.
    type Quad: Quad;
}

/// Whether a set of instructions multiplies and adds at once.
pub(crate) trait Fusing {
    /// Whether `a · b + c` is one instruction; where it is not, `f64::mul_add` is a call into libm.
    const FUSED: bool;
}

/// What a set of instructions does to the `N` numbers `a`, in their place: here in loops, of which the compiler makes the
/// instructions that the target has.
pub(crate) trait Arithmetic<T: Number>: Fusing {
    /// The same number in each lane.
    #[inline(always)]
    fn constant<const N: usize>(x: T) -> [T; N] {
        [x; N]
    }

    #[inline(always)]
    fn add<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] += b[k];
        }
    }

    #[inline(always)]
    fn sub<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] -= b[k];
        }
    }

    #[inline(always)]
    fn mul<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] *= b[k];
        }
    }

    #[inline(always)]
    fn div<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] /= b[k];
        }
    }

    /// The larger of `a` and `b`, and `b` where one is no number.
    #[inline(always)]
    fn max<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] = if a[k] > b[k] { a[k] } else { b[k] };
        }
    }

    /// The smaller of `a` and `b`, and `b` where one is no number.
    #[inline(always)]
    fn min<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] = if a[k] < b[k] { a[k] } else { b[k] };
        }
    }

    /// The larger of two neighbours, of those in `a` and then of those in `b`, and the second of them where one is no number.
    #[inline(always)]
    fn max_neighbours<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        let (mut first, mut second) = (*a, *b);
        for k in 0..N / 2 {
            (first[k], second[k]) = (a[2 * k], a[2 * k + 1]);
            (first[N / 2 + k], second[N / 2 + k]) = (b[2 * k], b[2 * k + 1]);
        }
        Self::max(&mut first, &second);
        *a = first;
    }

    /// Whether `a > b`, one bit for each lane, the first lane lowest.
    #[inline(always)]
    fn gt_mask<const N: usize>(a: &[T; N], b: &[T; N]) -> u32 {
        (0..N).fold(0, |bits, k| bits | u32::from(a[k] > b[k]) << k)
    }

    /// `x` where `a > b`, into `x`, and `y` elsewhere.
    #[inline(always)]
    fn choose<const N: usize>(a: &[T; N], b: &[T; N], x: &mut [T; N], y: &[T; N]) {
        for k in 0..N {
            x[k] = if a[k] > b[k] { x[k] } else { y[k] };
        }
    }

    /// `a · b + c`.
    #[inline(always)]
    fn mul_add<const N: usize>(a: &mut [T; N], b: &[T; N], c: &[T; N]) {
        for k in 0..N {
            a[k] = if Self::FUSED {
                a[k].fused(b[k], c[k])
            } else {
                a[k] * b[k] + c[k]
            };
        }
    }
}

/// What every processor of the target has, in registers of 16 bytes or more.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Baseline {}

/// AVX2 and FMA: registers of 32 bytes.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Avx2 {}

/// AVX-512: registers of 64 bytes.
#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
pub(crate) enum Avx512 {}

impl Fusing for Baseline {
    const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
}

#[cfg(target_arch = "x86_64")]
impl Fusing for Avx2 {
    const FUSED: bool = true;
}

#[cfg(target_arch = "x86_64")]
impl Fusing for Avx512 {
    const FUSED: bool = true;
}

impl<T: Number> Arithmetic<T> for Baseline {}

impl Level for Baseline {
    type Line = Aligned32;
    type Quad = Plain<{ <Self as Fusing>::FUSED }>;
}

#[cfg(target_arch = "x86_64")]
impl Level for Avx2 {
    type Line = Aligned32;
    type Quad = Avx2Quad;
}

#[cfg(target_arch = "x86_64")]
impl Level for Avx512 {
    type Line = Aligned64;
    type Quad = Avx2Quad;
}

#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(crate) struct Aligned32;

#[cfg(target_arch = "x86_64")]
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Aligned64;
