//! Arithmetic of AVX2 and AVX-512 on lanes.

#![expect(
    unsafe_code,
    reason = "instructions that the processor may lack; loads and stores"
)]

use std::arch::x86_64::*;

#[cfg(kinworld_avx512)]
use super::Avx512;
use super::{Avx2, load, store};
use crate::math::simd::level::{Arithmetic, Fusing};

/// Implements [`Arithmetic`] for as many numbers as fill a register; other counts go to another level.
///
/// The arguments are instructions: splat, the four operations, maximum, minimum, `a · b + c`, greater-than
/// mask, select by that, and pairs of neighbours where they are needed.
macro_rules! registers {
    (
        $level:ident, $number:ident x $width:literal or $other:ident:
        $set1:ident $add:ident $sub:ident $mul:ident $div:ident
        $max:ident $min:ident $fmadd:ident $above:ident $choose:ident $($pairs:ident)?
    ) => {
        impl Arithmetic<$number> for $level {
            #[inline(always)]
            fn splat<const N: usize>(x: $number) -> [$number; N] {
                if N != $width {
                    return $other::splat(x);
                }
                let mut out = [0.0; N];
                // SAFETY: who can name this level runs on a processor that has it; `out` has as many numbers as the register
                unsafe { store(&mut out, $set1(x)) };
                out
            }

            registers!($number x $width or $other: add $add, sub $sub, mul $mul, div $div, max $max, min $min);

            $(
                #[inline(always)]
                fn max_neighbours<const N: usize>(a: &mut [$number; N], b: &[$number; N]) {
                    if N != $width {
                        return $other::max_neighbours(a, b);
                    }
                    // SAFETY: as above
                    unsafe {
                        let [first, second] = $pairs(load(a), load(b));
                        store(a, $max(first, second));
                    }
                }
            )?

            #[inline(always)]
            fn gt_mask<const N: usize>(a: &[$number; N], b: &[$number; N]) -> u32 {
                if N != $width {
                    return $other::gt_mask(a, b);
                }
                // SAFETY: as above
                unsafe { $above(load(a), load(b)) }
            }

            #[inline(always)]
            fn select_gt<const N: usize>(
                a: &[$number; N],
                b: &[$number; N],
                x: &mut [$number; N],
                y: &[$number; N],
            ) {
                if N != $width {
                    return $other::select_gt(a, b, x, y);
                }
                // SAFETY: as above
                unsafe {
                    let (a, b) = (load(a), load(b));
                    let chosen = $choose(a, b, load(x), load(y));
                    store(x, chosen);
                }
            }

            #[inline(always)]
            fn mul_add<const N: usize>(a: &mut [$number; N], b: &[$number; N], c: &[$number; N]) {
                if N != $width {
                    return $other::mul_add(a, b, c);
                }
                // SAFETY: as above
                unsafe {
                    let (b, c) = (load(b), load(c));
                    store(a, $fmadd(load(a), b, c));
                }
            }
        }
    };
    ($number:ident x $width:literal or $other:ident: $( $name:ident $operation:ident),*) => {$(
        #[inline(always)]
        fn $name<const N: usize>(a: &mut [$number; N], b: &[$number; N]) {
            if N != $width {
                return $other::$name(a, b);
            }
            // SAFETY: as above
            unsafe { store(a, $operation(load(a), load(b))) };
        }
    )*};
}

registers!(Avx2, f64 x 4 or Fused:
    _mm256_set1_pd
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
    _mm256_max_pd _mm256_min_pd _mm256_fmadd_pd above256_pd choose256_pd);
registers!(Avx2, f32 x 8 or Fused:
    _mm256_set1_ps
    _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps
    _mm256_max_ps _mm256_min_ps _mm256_fmadd_ps above256_ps choose256_ps pairs256_ps);
#[cfg(kinworld_avx512)]
registers!(Avx512, f64 x 8 or Avx2:
    _mm512_set1_pd
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd
    _mm512_max_pd _mm512_min_pd _mm512_fmadd_pd above512_pd choose512_pd);
#[cfg(kinworld_avx512)]
registers!(Avx512, f32 x 16 or Avx2:
    _mm512_set1_ps
    _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps
    _mm512_max_ps _mm512_min_ps _mm512_fmadd_ps above512_ps choose512_ps pairs512_ps);

/// The bits of the lanes in which `a > b`.
macro_rules! above {
    ($($name:ident($register:ident) = |$a:ident, $b:ident| $bits:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $name($a: $register, $b: $register) -> u32 {
            // SAFETY: the caller has asked the processor
            unsafe { $bits }
        }
    )*};
}

above! {
    above256_pd(__m256d) = |a, b| _mm256_movemask_pd(_mm256_cmp_pd::<_CMP_GT_OQ>(a, b)).cast_unsigned();
    above256_ps(__m256) = |a, b| _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GT_OQ>(a, b)).cast_unsigned();
}

#[cfg(kinworld_avx512)]
above! {
    above512_pd(__m512d) = |a, b| u32::from(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, b));
    above512_ps(__m512) = |a, b| u32::from(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b));
}

/// First and second of each two neighbours, those of `a` and then those of `b`.
macro_rules! pairs {
    ($($name:ident($register:ident) = |$a:ident, $b:ident| $first:expr, $second:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $name($a: $register, $b: $register) -> [$register; 2] {
            // SAFETY: the caller has asked the processor
            unsafe { [$first, $second] }
        }
    )*};
}

pairs! {
    pairs256_ps(__m256) = |a, b|
        sorted_ps(_mm256_shuffle_ps::<0x88>(a, b)),
        sorted_ps(_mm256_shuffle_ps::<0xdd>(a, b));
}

#[cfg(kinworld_avx512)]
pairs! {
    pairs512_ps(__m512) = |a, b|
        _mm512_permutex2var_ps(a, _mm512_loadu_epi32(EVENS.as_ptr()), b),
        _mm512_permutex2var_ps(a, _mm512_loadu_epi32(ODDS.as_ptr()), b);
}

/// Swaps the second and third quarter.
#[inline(always)]
unsafe fn sorted_ps(a: __m256) -> __m256 {
    // SAFETY: the caller has asked the processor
    unsafe { _mm256_castpd_ps(_mm256_permute4x64_pd::<0xd8>(_mm256_castps_pd(a))) }
}

/// Every second of 32 lanes.
#[cfg(kinworld_avx512)]
const EVENS: [i32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
#[cfg(kinworld_avx512)]
const ODDS: [i32; 16] = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31];

/// `x` in the lanes in which `a > b`, and `y` elsewhere.
macro_rules! choose {
    ($($name:ident($register:ident) = |$a:ident, $b:ident, $x:ident, $y:ident| $chosen:expr;)*) => {$(
        #[inline(always)]
        unsafe fn $name($a: $register, $b: $register, $x: $register, $y: $register) -> $register {
            // SAFETY: the caller has asked the processor
            unsafe { $chosen }
        }
    )*};
}

choose! {
    choose256_pd(__m256d) = |a, b, x, y| _mm256_blendv_pd(y, x, _mm256_cmp_pd::<_CMP_GT_OQ>(a, b));
    choose256_ps(__m256) = |a, b, x, y| _mm256_blendv_ps(y, x, _mm256_cmp_ps::<_CMP_GT_OQ>(a, b));
}

#[cfg(kinworld_avx512)]
choose! {
    choose512_pd(__m512d) = |a, b, x, y| _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, b), y, x);
    choose512_ps(__m512) = |a, b, x, y| _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b), y, x);
}

/// Loops for other numbers of lanes, with fused multiplications.
enum Fused {}

impl Fusing for Fused {
    const FUSED: bool = true;
}

impl Arithmetic<f64> for Fused {}

impl Arithmetic<f32> for Fused {}
