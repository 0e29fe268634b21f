//! Lanes as whole registers.
//!
//! Beside the dispatch and [`quad`](super::quad) the only file with `unsafe`. Of a loop over eight numbers the compiler
//! makes one instruction most of the time, but a value that comes out of two branches or lives through a loop it takes
//! apart and puts together again: that costs batches up to a factor of two. Every instruction here has a safe twin in
//! [`Arithmetic`], which is all that other processors use.

#![cfg(target_arch = "x86_64")]
#![expect(
    unsafe_code,
    reason = "instructions that the processor may lack; loads and stores"
)]

use std::arch::x86_64::*;

use super::lanes::{Arithmetic, Avx2, Avx512, Fusing};

/// The arithmetic of a set of instructions on as many numbers as fill a register; any other count goes to another set.
///
/// The eight words are the instructions: load and store, the same number everywhere, the four operations, `a · b + c`.
macro_rules! registers {
    (
        $level:ident, $number:ident x $width:literal or $other:ident:
        $loadu:ident $storeu:ident $set1:ident $add:ident $sub:ident $mul:ident $div:ident $fmadd:ident
    ) => {
        impl Arithmetic<$number> for $level {
            #[inline(always)]
            fn constant<const N: usize>(x: $number) -> [$number; N] {
                if N != $width {
                    return $other::constant(x);
                }
                let mut out = [0.0; N];
                // SAFETY: `Avx2` and `Avx512` are chosen only by `Simd`, where the processor has been asked for the
                // instructions; `out` has as many numbers as the register, which need no alignment
                unsafe { $storeu(out.as_mut_ptr(), $set1(x)) };
                out
            }

            registers!($number x $width or $other: $loadu $storeu, add $add, sub $sub, mul $mul, div $div);

            #[inline(always)]
            fn mul_add<const N: usize>(a: &mut [$number; N], b: &[$number; N], c: &[$number; N]) {
                if N != $width {
                    return $other::mul_add(a, b, c);
                }
                // SAFETY: as above
                unsafe {
                    let sum = $fmadd($loadu(a.as_ptr()), $loadu(b.as_ptr()), $loadu(c.as_ptr()));
                    $storeu(a.as_mut_ptr(), sum);
                }
            }
        }
    };
    ($number:ident x $width:literal or $other:ident: $loadu:ident $storeu:ident $(, $name:ident $operation:ident)*) => {$(
        #[inline(always)]
        fn $name<const N: usize>(a: &mut [$number; N], b: &[$number; N]) {
            if N != $width {
                return $other::$name(a, b);
            }
            // SAFETY: as above
            unsafe { $storeu(a.as_mut_ptr(), $operation($loadu(a.as_ptr()), $loadu(b.as_ptr()))) };
        }
    )*};
}

registers!(Avx2, f64 x 4 or Fused:
    _mm256_loadu_pd _mm256_storeu_pd _mm256_set1_pd
    _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd _mm256_fmadd_pd);
registers!(Avx2, f32 x 8 or Fused:
    _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps
    _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps _mm256_fmadd_ps);
registers!(Avx512, f64 x 8 or Avx2:
    _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd
    _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd _mm512_fmadd_pd);
registers!(Avx512, f32 x 16 or Avx2:
    _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps
    _mm512_add_ps _mm512_sub_ps _mm512_mul_ps _mm512_div_ps _mm512_fmadd_ps);

/// Other numbers of lanes, without a register of that size.
enum Fused {}

impl Fusing for Fused {
    const FUSED: bool = true;
}

impl Arithmetic<f64> for Fused {}

impl Arithmetic<f32> for Fused {}
