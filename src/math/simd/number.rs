//! The numbers of lanes: `f64` and `f32`.

use nalgebra::RealField;

use super::level::{Arithmetic, Level};
use super::trig::Angle;

/// A number of a lane: `f64` or `f32`.
///
/// # Safety
///
/// Any bits are a value of the type, and its size divides eight bytes.
#[expect(unsafe_code, reason = "memory is read as such numbers")]
pub(crate) unsafe trait Number: RealField + Angle {
    /// Whether twice as many as of `f64` fill a register.
    const SINGLE: bool;

    /// Arithmetic of a level on such numbers: the level itself.
    type Ops<L: Level>: Arithmetic<Self>;

    /// The nearest number of this type.
    fn nearest(x: f64) -> Self;

    /// `self · b + c` in one rounding.
    fn fused(self, b: Self, c: Self) -> Self;
}

macro_rules! number {
    ($number:ident, $is_single:literal) => {
        #[expect(unsafe_code, reason = "memory is read as such numbers")]
        // SAFETY: any bits are a float, of eight bytes or four
        unsafe impl Number for $number {
            const SINGLE: bool = $is_single;

            type Ops<L: Level> = L;

            #[inline(always)]
            fn nearest(x: f64) -> Self {
                x as Self
            }

            #[inline(always)]
            fn fused(self, b: Self, c: Self) -> Self {
                $number::mul_add(self, b, c)
            }
        }
    };
}
number!(f64, false);
number!(f32, true);
