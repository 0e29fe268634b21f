//! Lanes as whole registers, and memory as lanes.
//!
//! Beside the dispatch and [`quad`](super::quad) the only file with `unsafe`. Of a loop over eight numbers the compiler
//! makes one instruction most of the time, but a value that comes out of two branches or lives through a loop it takes
//! apart and puts together again: that costs batches up to a factor of two. Every instruction here has a safe twin in
//! [`Arithmetic`], which is all that other processors use.

#![expect(
    unsafe_code,
    reason = "instructions that the processor may lack; loads and stores; lanes as numbers"
)]

use super::lanes::Lanes;
use super::level::Level;
use super::number::Number;

/// Memory for lanes of any kind: 64 bytes of numbers.
///
/// It is what batches keep between calls. Kernels read and write it as it lies there: a copy of their answers would cost
/// large mass matrices another third.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Block(pub(crate) [f64; 8]);

impl Block {
    pub(crate) const ZERO: Self = Self([0.0; 8]);

    /// Writes the number of four bytes at a place from 0 to 15; it must be finite.
    pub(crate) fn set_single(&mut self, place: usize, x: f32) {
        let pair = &mut self.0[place / 2];
        let mut bytes = pair.to_ne_bytes();
        bytes[4 * (place % 2)..][..4].copy_from_slice(&x.to_ne_bytes());
        *pair = f64::from_ne_bytes(bytes);
    }

    /// The same memory as lanes.
    #[inline(always)]
    pub(crate) fn as_lanes<const N: usize, L: Level, T: Number>(
        blocks: &[Self],
    ) -> &[Lanes<N, L, T>] {
        let count = blocks.len() * Self::per_block::<N, L, T>();
        // SAFETY: a block holds so many lanes without a rest, is aligned for them, and any bits make numbers: `Number`
        // is `f64` or `f32`, and lanes (`repr(C)`) are an array of them and nothing else
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), count) }
    }

    /// The same memory as lanes, to be written.
    #[inline(always)]
    pub(crate) fn as_lanes_mut<const N: usize, L: Level, T: Number>(
        blocks: &mut [Self],
    ) -> &mut [Lanes<N, L, T>] {
        let count = blocks.len() * Self::per_block::<N, L, T>();
        // SAFETY: as above, and any numbers make a block
        unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), count) }
    }

    /// How many lanes a block holds: known when it is compiled.
    #[inline(always)]
    fn per_block<const N: usize, L: Level, T: Number>() -> usize {
        let size = size_of::<Lanes<N, L, T>>();
        assert!(size == N * size_of::<T>() && size_of::<Self>().is_multiple_of(size));
        assert!(align_of::<Lanes<N, L, T>>() <= align_of::<Self>());
        size_of::<Self>() / size
    }
}

#[cfg(target_arch = "x86_64")]
mod registers {
    use std::arch::x86_64::*;

    use crate::math::level::{Arithmetic, Avx2, Avx512, Fusing};

    /// The arithmetic of a set of instructions on as many numbers as fill a register; any other count goes to another set.
    ///
    /// The words are the instructions: load and store, the same number everywhere, the four operations, the larger and the
    /// smaller, `a · b + c`, which are larger, a choice by that, and neighbours, where they are wanted.
    macro_rules! registers {
        (
            $level:ident, $number:ident x $width:literal or $other:ident:
            $loadu:ident $storeu:ident $set1:ident $add:ident $sub:ident $mul:ident $div:ident
            $max:ident $min:ident $fmadd:ident $above:ident $choose:ident $($pairs:ident)?
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

                registers!($number x $width or $other: $loadu $storeu, add $add, sub $sub, mul $mul, div $div, max $max, min $min);

                $(
                    #[inline(always)]
                    fn max_neighbours<const N: usize>(a: &mut [$number; N], b: &[$number; N]) {
                        if N != $width {
                            return $other::max_neighbours(a, b);
                        }
                        // SAFETY: as above
                        unsafe {
                            let [first, second] = $pairs($loadu(a.as_ptr()), $loadu(b.as_ptr()));
                            $storeu(a.as_mut_ptr(), $max(first, second));
                        }
                    }
                )?

                #[inline(always)]
                fn gt_mask<const N: usize>(a: &[$number; N], b: &[$number; N]) -> u32 {
                    if N != $width {
                        return $other::gt_mask(a, b);
                    }
                    // SAFETY: as above
                    unsafe { $above($loadu(a.as_ptr()), $loadu(b.as_ptr())) }
                }

                #[inline(always)]
                fn choose<const N: usize>(
                    a: &[$number; N],
                    b: &[$number; N],
                    x: &mut [$number; N],
                    y: &[$number; N],
                ) {
                    if N != $width {
                        return $other::choose(a, b, x, y);
                    }
                    // SAFETY: as above
                    unsafe {
                        let (a, b) = ($loadu(a.as_ptr()), $loadu(b.as_ptr()));
                        let chosen = $choose(a, b, $loadu(x.as_ptr()), $loadu(y.as_ptr()));
                        $storeu(x.as_mut_ptr(), chosen);
                    }
                }

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
        _mm256_add_pd _mm256_sub_pd _mm256_mul_pd _mm256_div_pd
        _mm256_max_pd _mm256_min_pd _mm256_fmadd_pd above256_pd choose256_pd);
    registers!(Avx2, f32 x 8 or Fused:
        _mm256_loadu_ps _mm256_storeu_ps _mm256_set1_ps
        _mm256_add_ps _mm256_sub_ps _mm256_mul_ps _mm256_div_ps
        _mm256_max_ps _mm256_min_ps _mm256_fmadd_ps above256_ps choose256_ps pairs256_ps);
    registers!(Avx512, f64 x 8 or Avx2:
        _mm512_loadu_pd _mm512_storeu_pd _mm512_set1_pd
        _mm512_add_pd _mm512_sub_pd _mm512_mul_pd _mm512_div_pd
        _mm512_max_pd _mm512_min_pd _mm512_fmadd_pd above512_pd choose512_pd);
    registers!(Avx512, f32 x 16 or Avx2:
        _mm512_loadu_ps _mm512_storeu_ps _mm512_set1_ps
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
        above512_pd(__m512d) = |a, b| u32::from(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, b));
        above512_ps(__m512) = |a, b| u32::from(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b));
    }

    /// The first and the second of each two neighbours, of those in `a` and then of those in `b`.
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
        pairs512_ps(__m512) = |a, b|
            _mm512_permutex2var_ps(a, _mm512_loadu_epi32(EVENS.as_ptr()), b),
            _mm512_permutex2var_ps(a, _mm512_loadu_epi32(ODDS.as_ptr()), b);
    }

    /// The second quarter where the third is, and the other way round.
    #[inline(always)]
    unsafe fn sorted_ps(a: __m256) -> __m256 {
        // SAFETY: the caller has asked the processor
        unsafe { _mm256_castpd_ps(_mm256_permute4x64_pd::<0xd8>(_mm256_castps_pd(a))) }
    }

    /// Every second of 32 places.
    const EVENS: [i32; 16] = [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30];
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
        choose512_pd(__m512d) = |a, b, x, y| _mm512_mask_blend_pd(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(a, b), y, x);
        choose512_ps(__m512) = |a, b, x, y| _mm512_mask_blend_ps(_mm512_cmp_ps_mask::<_CMP_GT_OQ>(a, b), y, x);
    }

    /// Other numbers of lanes, without a register of that size.
    enum Fused {}

    impl Fusing for Fused {
        const FUSED: bool = true;
    }

    impl Arithmetic<f64> for Fused {}

    impl Arithmetic<f32> for Fused {}
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Simd, Work};

    /// Writes numbers through lanes, and reads them.
    struct ThereAndBack;

    impl Work for ThereAndBack {
        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            let mut blocks = [Block::ZERO; 3];
            let lanes = Block::as_lanes_mut::<N, L, f64>(&mut blocks);
            assert_eq!(lanes.len(), 24 / N);
            for (i, lanes) in lanes.iter_mut().enumerate() {
                *lanes = Lanes::new(std::array::from_fn(|k| (i * N + k) as f64));
            }

            // the safe twin: number by number
            let numbers = blocks.iter().flat_map(|block| block.0);
            assert!(numbers.eq((0..24).map(f64::from)));
            let lanes = Block::as_lanes::<N, L, f64>(&blocks).iter();
            let numbers = lanes.flat_map(|lanes| *lanes.values());
            assert!(numbers.eq((0..24).map(f64::from)));
        }
    }

    #[test]
    fn blocks_hold_lanes_one_after_the_other() {
        for simd in Simd::available() {
            simd.run(ThereAndBack);
        }
    }
}
