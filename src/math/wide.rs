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

use super::lanes::{Arithmetic, Avx2, Avx512};

// SAFETY, of all below: `Avx2` and `Avx512` are chosen only by `Simd`, where the processor has been asked for the
// instructions, and pointers are to as many numbers of eight bytes as the register holds, which need no alignment.

#[inline(always)]
fn load4<const N: usize>(a: &[f64; N]) -> __m256d {
    assert!(N == 4);
    // SAFETY: see above
    unsafe { _mm256_loadu_pd(a.as_ptr()) }
}

#[inline(always)]
fn store4<const N: usize>(a: __m256d) -> [f64; N] {
    assert!(N == 4);
    let mut out = [0.0; N];
    // SAFETY: see above
    unsafe { _mm256_storeu_pd(out.as_mut_ptr(), a) };
    out
}

#[inline(always)]
fn load8<const N: usize>(a: &[f64; N]) -> __m512d {
    assert!(N == 8);
    // SAFETY: see above
    unsafe { _mm512_loadu_pd(a.as_ptr()) }
}

#[inline(always)]
fn store8<const N: usize>(a: __m512d) -> [f64; N] {
    assert!(N == 8);
    let mut out = [0.0; N];
    // SAFETY: see above
    unsafe { _mm512_storeu_pd(out.as_mut_ptr(), a) };
    out
}

impl Arithmetic for Avx2 {
    const FUSED: bool = true;

    #[inline(always)]
    fn constant<const N: usize>(x: f64) -> [f64; N] {
        if N != 4 {
            return Fused::constant(x);
        }
        // SAFETY: see above
        store4(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn add<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 4 {
            return Fused::add(a, b);
        }
        // SAFETY: see above
        store4(unsafe { _mm256_add_pd(load4(&a), load4(&b)) })
    }

    #[inline(always)]
    fn sub<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 4 {
            return Fused::sub(a, b);
        }
        // SAFETY: see above
        store4(unsafe { _mm256_sub_pd(load4(&a), load4(&b)) })
    }

    #[inline(always)]
    fn mul<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 4 {
            return Fused::mul(a, b);
        }
        // SAFETY: see above
        store4(unsafe { _mm256_mul_pd(load4(&a), load4(&b)) })
    }

    #[inline(always)]
    fn div<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 4 {
            return Fused::div(a, b);
        }
        // SAFETY: see above
        store4(unsafe { _mm256_div_pd(load4(&a), load4(&b)) })
    }

    #[inline(always)]
    fn mul_add<const N: usize>(a: [f64; N], b: [f64; N], c: [f64; N]) -> [f64; N] {
        if N != 4 {
            return Fused::mul_add(a, b, c);
        }
        // SAFETY: see above
        store4(unsafe { _mm256_fmadd_pd(load4(&a), load4(&b), load4(&c)) })
    }
}

impl Arithmetic for Avx512 {
    const FUSED: bool = true;

    #[inline(always)]
    fn constant<const N: usize>(x: f64) -> [f64; N] {
        if N != 8 {
            return Avx2::constant(x);
        }
        // SAFETY: see above
        store8(unsafe { _mm512_set1_pd(x) })
    }

    #[inline(always)]
    fn add<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 8 {
            return Avx2::add(a, b);
        }
        // SAFETY: see above
        store8(unsafe { _mm512_add_pd(load8(&a), load8(&b)) })
    }

    #[inline(always)]
    fn sub<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 8 {
            return Avx2::sub(a, b);
        }
        // SAFETY: see above
        store8(unsafe { _mm512_sub_pd(load8(&a), load8(&b)) })
    }

    #[inline(always)]
    fn mul<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 8 {
            return Avx2::mul(a, b);
        }
        // SAFETY: see above
        store8(unsafe { _mm512_mul_pd(load8(&a), load8(&b)) })
    }

    #[inline(always)]
    fn div<const N: usize>(a: [f64; N], b: [f64; N]) -> [f64; N] {
        if N != 8 {
            return Avx2::div(a, b);
        }
        // SAFETY: see above
        store8(unsafe { _mm512_div_pd(load8(&a), load8(&b)) })
    }

    #[inline(always)]
    fn mul_add<const N: usize>(a: [f64; N], b: [f64; N], c: [f64; N]) -> [f64; N] {
        if N != 8 {
            return Avx2::mul_add(a, b, c);
        }
        // SAFETY: see above
        store8(unsafe { _mm512_fmadd_pd(load8(&a), load8(&b), load8(&c)) })
    }
}

/// Other numbers of lanes, without a register of that size.
enum Fused {}

impl Arithmetic for Fused {
    const FUSED: bool = true;
}
