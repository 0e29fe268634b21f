//! Four numbers in a register of AVX2.

#![expect(
    unsafe_code,
    reason = "instructions that the processor may lack; loads and stores"
)]

use std::arch::x86_64::*;
use std::ops::{Add, Mul, Sub};

use super::{load, store};
use crate::math::simd::quad::{Mask, Quad};

/// A register of AVX2.
///
/// Private to `x86`, and passed on only by functions whose callers vouch for AVX2 and FMA: that makes every `unsafe`
/// here sound.
#[derive(Debug, Clone, Copy)]
pub(super) struct Avx2Quad(__m256d);

impl Add for Avx2Quad {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_add_pd(self.0, b.0) })
    }
}

impl Sub for Avx2Quad {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_sub_pd(self.0, b.0) })
    }
}

impl Mul for Avx2Quad {
    type Output = Self;

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_mul_pd(self.0, b.0) })
    }
}

impl Quad for Avx2Quad {
    const FUSED: bool = true;

    #[inline(always)]
    fn new(values: [f64; 4]) -> Self {
        // SAFETY: see `Avx2Quad`; there are four numbers
        Self(unsafe { load(&values) })
    }

    #[inline(always)]
    fn values(self) -> [f64; 4] {
        let mut values = [0.0; 4];
        // SAFETY: see `Avx2Quad`; there are four numbers
        unsafe { store(&mut values, self.0) };
        values
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_set1_pd(x) })
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_fmadd_pd(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_fnmadd_pd(self.0, b.0, c.0) })
    }

    #[inline(always)]
    fn negated(self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_xor_pd(self.0, _mm256_set1_pd(-0.0)) })
    }

    #[inline(always)]
    fn yzx(self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_permute4x64_pd::<0b11_00_10_01>(self.0) })
    }

    #[inline(always)]
    fn zxy(self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_permute4x64_pd::<0b11_01_00_10>(self.0) })
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe { _mm256_permute_pd::<0b0101>(self.0) })
    }

    #[inline(always)]
    fn splat_lane<const LANE: usize>(self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe {
            match LANE {
                0 => _mm256_permute4x64_pd::<0b00_00_00_00>(self.0),
                1 => _mm256_permute4x64_pd::<0b01_01_01_01>(self.0),
                2 => _mm256_permute4x64_pd::<0b10_10_10_10>(self.0),
                _ => _mm256_permute4x64_pd::<0b11_11_11_11>(self.0),
            }
        })
    }

    #[inline(always)]
    fn masked(self, mask: &Mask) -> Self {
        // SAFETY: see `Avx2Quad`; a mask has four numbers of eight bytes
        Self(unsafe { _mm256_and_pd(self.0, load(&mask.0)) })
    }

    #[inline(always)]
    fn blend_first<const COUNT: usize>(self, rest: Self) -> Self {
        // SAFETY: see `Avx2Quad`
        Self(unsafe {
            match COUNT {
                0 => rest.0,
                1 => _mm256_blend_pd::<0b1110>(self.0, rest.0),
                2 => _mm256_blend_pd::<0b1100>(self.0, rest.0),
                3 => _mm256_blend_pd::<0b1000>(self.0, rest.0),
                _ => self.0,
            }
        })
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        // SAFETY: see `Avx2Quad`
        unsafe {
            let high = _mm256_extractf128_pd::<1>(self.0);
            let pair = _mm_add_pd(_mm256_castpd256_pd128(self.0), high);
            _mm_cvtsd_f64(_mm_add_sd(pair, _mm_unpackhi_pd(pair, pair)))
        }
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: see `Avx2Quad`
        unsafe {
            let even_ab = _mm256_unpacklo_pd(a.0, b.0);
            let odd_ab = _mm256_unpackhi_pd(a.0, b.0);
            let even_cd = _mm256_unpacklo_pd(c.0, d.0);
            let odd_cd = _mm256_unpackhi_pd(c.0, d.0);
            [
                Self(_mm256_permute2f128_pd::<0x20>(even_ab, even_cd)),
                Self(_mm256_permute2f128_pd::<0x20>(odd_ab, odd_cd)),
                Self(_mm256_permute2f128_pd::<0x31>(even_ab, even_cd)),
                Self(_mm256_permute2f128_pd::<0x31>(odd_ab, odd_cd)),
            ]
        }
    }
}
