//! Numbers that vectors of three are made of, and scalar types of the kernels.

use std::ops::{Add, Mul, Neg, Sub};

use super::trig;

/// What is added and multiplied: `f64`, `f32`, and every [`Scalar`].
pub(crate) trait Ring:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// `self · b + c`, in one rounding only where that costs no more than a multiplication.
    fn mul_add(self, b: Self, c: Self) -> Self;
}

macro_rules! ring {
    ($number:ident) => {
        impl Ring for $number {
            #[inline(always)]
            fn mul_add(self, b: Self, c: Self) -> Self {
                // without the instruction `mul_add` is a call into libm, nine times slower
                if cfg!(target_feature = "fma") {
                    self.mul_add(b, c)
                } else {
                    self * b + c
                }
            }
        }
    };
}
ring!(f64);
ring!(f32);

/// A scalar of a kernel: `f64`, [`Lanes`](super::Lanes), dual numbers.
///
/// The trait is thin on purpose: constants of a robot enter by [`constant`](Self::constant), and no kernel compares
/// or branches on a value.
pub(crate) trait Scalar: Ring {
    /// Number of angles that [`sin_cos`](Self::sin_cos) takes at once.
    const ANGLES: usize = 1;
    /// Whether its numbers have single precision.
    const SINGLE: bool = false;

    /// A number that does not depend on the configuration.
    fn constant(x: f64) -> Self;

    /// `1 / self`.
    fn recip(self) -> Self;

    /// Replaces each angle in `angles` by its sine, and writes its cosine into `cosines`.
    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]);
}

impl Scalar for f64 {
    const ANGLES: usize = trig::LANES;

    #[inline(always)]
    fn constant(x: f64) -> Self {
        x
    }

    #[inline(always)]
    fn recip(self) -> Self {
        1.0 / self
    }

    #[inline(always)]
    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]) {
        trig::sin_cos::<false>(angles, cosines);
    }
}
