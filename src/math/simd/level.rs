//! Arithmetic on arrays of numbers, for a set of vector instructions.

use std::fmt::Debug;

use super::Number;
use super::dispatch::OnBaseline;

/// A set of vector instructions.
///
/// # Safety
///
/// What the type does runs only such instructions, and it can be named only where the processor is known to have them:
/// a type for instructions that a processor may lack is private, and [`Simd`](super::Simd) alone passes it on.
#[expect(unsafe_code, reason = "instructions that the processor may lack")]
pub(crate) unsafe trait Level:
    Arithmetic<f64> + Arithmetic<f32> + Copy + Debug + Send + Sync + 'static
{
    /// A type with the alignment of a register.
    type Line: Copy + Debug + Send + Sync;

    /// Calls a closure in a function of its own, compiled with these instructions.
    ///
    /// A method of each level, and no branch on a constant: every branch would be compiled for every level.
    fn outlined<R>(part: impl FnOnce() -> R) -> R;
}

/// Whether a set of instructions multiplies and adds at once.
pub(crate) trait Fusing {
    /// Whether `a · b + c` is one instruction; where it is not, `f64::mul_add` is a call into libm.
    const FUSED: bool;
}

/// Operations on `N` numbers, whose result replaces `a`: as loops, which the compiler turns into the instructions that the
/// target has.
///
/// In place, because in a build without optimisation every value that is passed on takes space on the stack.
pub(crate) trait Arithmetic<T: Number>: Fusing {
    /// The same number in each lane.
    #[inline(always)]
    fn splat<const N: usize>(x: T) -> [T; N] {
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

    /// Lane-wise maximum; `b` where either is NaN (x86 semantics).
    #[inline(always)]
    fn max<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] = if a[k] > b[k] { a[k] } else { b[k] };
        }
    }

    /// Lane-wise minimum; `b` where either is NaN (x86 semantics).
    #[inline(always)]
    fn min<const N: usize>(a: &mut [T; N], b: &[T; N]) {
        for k in 0..N {
            a[k] = if a[k] < b[k] { a[k] } else { b[k] };
        }
    }

    /// Maximum of each two neighbours, those of `a` and then those of `b`; the second where either is NaN.
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

    /// Bit mask of the lanes in which `a > b`, the first lane lowest.
    #[inline(always)]
    fn gt_mask<const N: usize>(a: &[T; N], b: &[T; N]) -> u32 {
        (0..N).fold(0, |bits, k| bits | u32::from(a[k] > b[k]) << k)
    }

    /// `x` where `a > b`, else `y`, into `x`.
    #[inline(always)]
    fn select_gt<const N: usize>(a: &[T; N], b: &[T; N], x: &mut [T; N], y: &[T; N]) {
        for k in 0..N {
            x[k] = if a[k] > b[k] { x[k] } else { y[k] };
        }
    }

    /// `a · b + c`, in one rounding only where that is one instruction.
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

/// The instructions that every processor of the target has, with registers of 16 bytes or more.
#[derive(Debug, Clone, Copy)]
pub(super) enum Baseline {}

impl Fusing for Baseline {
    const FUSED: bool = cfg!(any(target_feature = "fma", target_arch = "aarch64"));
}

impl<T: Number> Arithmetic<T> for Baseline {}

#[expect(unsafe_code, reason = "instructions that the processor may lack")]
// SAFETY: every processor of the target has them
unsafe impl Level for Baseline {
    type Line = Aligned32;

    #[inline(always)]
    fn outlined<R>(part: impl FnOnce() -> R) -> R {
        part.outlined()
    }
}

#[derive(Debug, Clone, Copy)]
#[repr(align(32))]
pub(super) struct Aligned32;
