//! What a lane holds: a number of eight bytes, or of four.

use nalgebra::RealField;

use super::level::{Arithmetic, Level};
use super::trig::Angle;

/// A number of a lane: `f64` or `f32`.
///
/// `N` of them go through the instructions of a [`Level`], which knows both kinds. What is computed takes the place of `a`:
/// in a build without optimisation every value that is passed on is one more on the stack.
pub(crate) trait Number: RealField + Angle {
    /// Whether twice as many as of `f64` fill a register.
    const SINGLE: bool;

    /// The nearest number of this kind, in each lane.
    fn lanes<const N: usize, L: Level>(x: f64) -> [Self; N];

    /// `a + b` in each lane, into `a`.
    fn sums<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// `a - b` in each lane, into `a`.
    fn differences<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// `a · b` in each lane, into `a`.
    fn products<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// `a / b` in each lane, into `a`.
    fn quotients<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// The same number in each lane.
    fn splats<const N: usize, L: Level>(x: Self) -> [Self; N];

    /// The larger of `a` and `b` in each lane, into `a`.
    fn maxima<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// The smaller of `a` and `b` in each lane, into `a`.
    fn minima<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// The larger of two neighbouring lanes, of `a` and then of `b`, into `a`.
    fn max_neighbours<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]);

    /// One bit for each lane, set where `a > b`.
    fn gt_mask<const N: usize, L: Level>(a: &[Self; N], b: &[Self; N]) -> u32;

    /// `x` where `a > b`, into `x`, and `y` in the other lanes.
    fn choices<const N: usize, L: Level>(
        a: &[Self; N],
        b: &[Self; N],
        x: &mut [Self; N],
        y: &[Self; N],
    );

    /// `a · b + c` in each lane, into `a`, in one rounding only where that is one instruction.
    fn fused_lanes<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N], c: &[Self; N]);

    /// `self · b + c` in one rounding.
    fn fused(self, b: Self, c: Self) -> Self;
}

macro_rules! number {
    ($number:ident, $is_single:literal) => {
        impl Number for $number {
            const SINGLE: bool = $is_single;

            #[inline(always)]
            fn lanes<const N: usize, L: Level>(x: f64) -> [Self; N] {
                <L as Arithmetic<Self>>::constant(x as Self)
            }

            #[inline(always)]
            fn sums<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::add(a, b);
            }

            #[inline(always)]
            fn differences<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::sub(a, b);
            }

            #[inline(always)]
            fn products<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::mul(a, b);
            }

            #[inline(always)]
            fn quotients<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::div(a, b);
            }

            #[inline(always)]
            fn splats<const N: usize, L: Level>(x: Self) -> [Self; N] {
                <L as Arithmetic<Self>>::constant(x)
            }

            #[inline(always)]
            fn maxima<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::max(a, b);
            }

            #[inline(always)]
            fn minima<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::min(a, b);
            }

            #[inline(always)]
            fn max_neighbours<const N: usize, L: Level>(a: &mut [Self; N], b: &[Self; N]) {
                <L as Arithmetic<Self>>::max_neighbours(a, b);
            }

            #[inline(always)]
            fn gt_mask<const N: usize, L: Level>(a: &[Self; N], b: &[Self; N]) -> u32 {
                <L as Arithmetic<Self>>::gt_mask(a, b)
            }

            #[inline(always)]
            fn choices<const N: usize, L: Level>(
                a: &[Self; N],
                b: &[Self; N],
                x: &mut [Self; N],
                y: &[Self; N],
            ) {
                <L as Arithmetic<Self>>::choose(a, b, x, y);
            }

            #[inline(always)]
            fn fused_lanes<const N: usize, L: Level>(
                a: &mut [Self; N],
                b: &[Self; N],
                c: &[Self; N],
            ) {
                <L as Arithmetic<Self>>::mul_add(a, b, c);
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
