//! Four numbers in one register: a vector in space and one number to spare.
//!
//! Beside the dispatch the only file with `unsafe`. The compiler keeps numbers of a plain array apart as soon as they
//! change places, and finds the instructions for that rarely again: on one robot at one configuration, where the
//! numbers side by side are x, y and z, that costs a factor of two. Every instruction here has a safe twin in
//! [`Plain`], which is all that other processors use.

use std::fmt::Debug;
use std::ops::{Add, Mul, Sub};

/// Four numbers that go through the same operations, and change places.
pub(crate) trait Quad:
    Copy + Debug + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self>
{
    /// Whether `a · b + c` is one instruction.
    const FUSED: bool;

    fn new(values: [f64; 4]) -> Self;

    fn values(self) -> [f64; 4];

    /// The same number in each place.
    fn splat(x: f64) -> Self;

    /// `self · b + c`, in one rounding where that is one instruction.
    fn mul_add(self, b: Self, c: Self) -> Self;

    /// `c − self · b`.
    fn neg_mul_add(self, b: Self, c: Self) -> Self;

    /// `−self`.
    fn negated(self) -> Self;

    /// y, z, x; the last stays.
    fn yzx(self) -> Self;

    /// z, x, y; the last stays.
    fn zxy(self) -> Self;

    /// y, x, and the last two change places too.
    fn swapped(self) -> Self;

    /// The number of one place in each.
    fn splat_lane<const LANE: usize>(self) -> Self;

    /// The numbers where `mask` has all bits set, and 0 where it has none.
    fn masked(self, mask: &Mask) -> Self;

    /// The first `COUNT` numbers, and those of `rest` in the other places.
    fn blend_first<const COUNT: usize>(self, rest: Self) -> Self;

    /// The sum of all four.
    fn sum(self) -> f64;

    /// The columns of the matrix of these rows.
    fn transposed(rows: [Self; 4]) -> [Self; 4];

    /// `self × b`; the last place holds nothing of use, and 0 where both hold 0.
    #[inline(always)]
    fn cross(self, b: Self) -> Self {
        self.yzx().neg_mul_add(b, self * b.yzx()).yzx()
    }
}

/// For each place, whether a number stays: all bits or none.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Mask(pub(crate) [u64; 4]);

/// Numbers of a [`Quad`] in memory, on the boundary of a register.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(align(32))]
pub(crate) struct Row(pub(crate) [f64; 4]);

impl Row {
    pub(crate) const ZERO: Self = Self([0.0; 4]);

    #[inline(always)]
    pub(crate) fn load<Q: Quad>(&self) -> Q {
        Q::new(self.0)
    }

    #[inline(always)]
    pub(crate) fn store<Q: Quad>(&mut self, q: Q) {
        self.0 = q.values();
    }
}

/// Four numbers without any instruction beyond what the target has; `FUSED` where it has a fused multiplication.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Plain<const FUSED: bool>([f64; 4]);

impl<const FUSED: bool> Plain<FUSED> {
    #[inline(always)]
    fn fused(a: f64, b: f64, c: f64) -> f64 {
        if FUSED { a.mul_add(b, c) } else { a * b + c }
    }
}

impl<const FUSED: bool> Add for Plain<FUSED> {
    type Output = Self;

    #[inline(always)]
    fn add(self, b: Self) -> Self {
        let ([x, y, z, w], b) = (self.0, b.0);
        Self([x + b[0], y + b[1], z + b[2], w + b[3]])
    }
}

impl<const FUSED: bool> Sub for Plain<FUSED> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, b: Self) -> Self {
        let ([x, y, z, w], b) = (self.0, b.0);
        Self([x - b[0], y - b[1], z - b[2], w - b[3]])
    }
}

impl<const FUSED: bool> Mul for Plain<FUSED> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, b: Self) -> Self {
        let ([x, y, z, w], b) = (self.0, b.0);
        Self([x * b[0], y * b[1], z * b[2], w * b[3]])
    }
}

impl<const FUSED: bool> Quad for Plain<FUSED> {
    const FUSED: bool = FUSED;

    #[inline(always)]
    fn new(values: [f64; 4]) -> Self {
        Self(values)
    }

    #[inline(always)]
    fn values(self) -> [f64; 4] {
        self.0
    }

    #[inline(always)]
    fn splat(x: f64) -> Self {
        Self([x; 4])
    }

    #[inline(always)]
    fn mul_add(self, b: Self, c: Self) -> Self {
        let ([x, y, z, w], b, c) = (self.0, b.0, c.0);
        Self([
            Self::fused(x, b[0], c[0]),
            Self::fused(y, b[1], c[1]),
            Self::fused(z, b[2], c[2]),
            Self::fused(w, b[3], c[3]),
        ])
    }

    #[inline(always)]
    fn neg_mul_add(self, b: Self, c: Self) -> Self {
        let ([x, y, z, w], b, c) = (self.0, b.0, c.0);
        Self([
            Self::fused(-x, b[0], c[0]),
            Self::fused(-y, b[1], c[1]),
            Self::fused(-z, b[2], c[2]),
            Self::fused(-w, b[3], c[3]),
        ])
    }

    #[inline(always)]
    fn negated(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([-x, -y, -z, -w])
    }

    #[inline(always)]
    fn yzx(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([y, z, x, w])
    }

    #[inline(always)]
    fn zxy(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([z, x, y, w])
    }

    #[inline(always)]
    fn swapped(self) -> Self {
        let [x, y, z, w] = self.0;
        Self([y, x, w, z])
    }

    #[inline(always)]
    fn splat_lane<const LANE: usize>(self) -> Self {
        Self([self.0[LANE]; 4])
    }

    #[inline(always)]
    fn masked(self, mask: &Mask) -> Self {
        let ([x, y, z, w], m) = (self.0, mask.0);
        let keep = |x: f64, m: u64| f64::from_bits(x.to_bits() & m);
        Self([keep(x, m[0]), keep(y, m[1]), keep(z, m[2]), keep(w, m[3])])
    }

    #[inline(always)]
    fn blend_first<const COUNT: usize>(self, Self(mut all): Self) -> Self {
        all[..COUNT].copy_from_slice(&self.0[..COUNT]);
        Self(all)
    }

    #[inline(always)]
    fn sum(self) -> f64 {
        let [x, y, z, w] = self.0;
        (x + z) + (y + w)
    }

    #[inline(always)]
    fn transposed([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        let column = |k: usize| Self([a.0[k], b.0[k], c.0[k], d.0[k]]);
        [column(0), column(1), column(2), column(3)]
    }
}

#[cfg(target_arch = "x86_64")]
pub(crate) use avx2::Avx2Quad;

#[cfg(target_arch = "x86_64")]
mod avx2 {
    #![expect(
        unsafe_code,
        reason = "the compiler cannot know what the dispatch has found"
    )]

    use std::arch::x86_64::*;
    use std::ops::{Add, Mul, Sub};

    use super::{Mask, Quad};

    /// A register of AVX2.
    ///
    /// It is named only by the levels that the dispatch runs after it has found AVX2 and FMA: that makes every
    /// `unsafe` here sound.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2Quad(__m256d);

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
            // SAFETY: see `Avx2Quad`; the pointer is to four numbers, which need no alignment
            Self(unsafe { _mm256_loadu_pd(values.as_ptr()) })
        }

        #[inline(always)]
        fn values(self) -> [f64; 4] {
            let mut values = [0.0; 4];
            // SAFETY: see `Avx2Quad`; the pointer is to four numbers, which need no alignment
            unsafe { _mm256_storeu_pd(values.as_mut_ptr(), self.0) };
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
            // SAFETY: see `Avx2Quad`; the pointer is to four numbers of eight bytes, which need no alignment
            Self(unsafe { _mm256_and_pd(self.0, _mm256_loadu_pd(mask.0.as_ptr().cast())) })
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Level, Simd, Work};

    const A: [f64; 4] = [0.5, -1.25, 3e7, -2e-9];
    const B: [f64; 4] = [-2.0, 0.3, 1e-7, 5e8];
    const C: [f64; 4] = [1.0, 0.375, -3.0, -0.0];
    const KEPT: Mask = Mask([u64::MAX, 0, 0, u64::MAX]);

    /// All that a quad can do.
    #[inline(always)]
    fn answers<Q: Quad>() -> Vec<[f64; 4]> {
        let (a, b, c) = (Q::new(A), Q::new(B), Q::new(C));
        let [x, y, z, w] = Q::transposed([a, b, c, a]);
        let mut row = Row::ZERO;
        row.store(b);
        let all = [
            a + b,
            a - b,
            a * b,
            a.mul_add(b, c),
            a.neg_mul_add(b, c),
            a.negated(),
            a.yzx(),
            a.zxy(),
            a.swapped(),
            a.splat_lane::<0>(),
            a.splat_lane::<1>(),
            a.splat_lane::<2>(),
            a.splat_lane::<3>(),
            a.masked(&KEPT),
            a.blend_first::<1>(b),
            a.blend_first::<2>(b),
            a.blend_first::<3>(b),
            a.cross(b),
            Q::splat(a.sum()),
            row.load(),
            x,
            y,
            z,
            w,
        ];
        all.iter().map(|q| q.values()).collect()
    }

    struct Ours<'a>(&'a mut Vec<[f64; 4]>, &'a mut bool);

    impl Work for Ours<'_> {
        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            *self.0 = answers::<L::Quad>();
            *self.1 = L::FUSED;
        }
    }

    #[test]
    fn every_instruction_does_what_its_safe_twin_does() {
        for simd in Simd::available() {
            let (mut ours, mut fused) = (vec![], false);
            simd.run(Ours(&mut ours, &mut fused));
            let twins = if fused {
                answers::<Plain<true>>()
            } else {
                answers::<Plain<false>>()
            };
            let bits = |all: Vec<[f64; 4]>| all.concat().into_iter().map(f64::to_bits).collect();
            let (ours, twins): (Vec<u64>, Vec<u64>) = (bits(ours), bits(twins));
            assert_eq!(ours, twins, "{simd:?}");
        }
    }

    #[test]
    fn the_places_are_those_of_a_vector() {
        type Q = Plain<false>;
        let bits = |values: [f64; 4]| values.map(f64::to_bits);
        let [x, y, z, w] = A;
        assert_eq!(bits(Q::new(A).yzx().values()), bits([y, z, x, w]));
        assert_eq!(bits(Q::new(A).zxy().values()), bits([z, x, y, w]));
        assert_eq!(bits(Q::new(A).swapped().values()), bits([y, x, w, z]));
        let [.., b, c] = B;
        assert_eq!(
            bits(Q::new(A).blend_first::<2>(Q::new(B)).values()),
            bits([x, y, b, c])
        );
        let (x, y) = (Q::new([1.0, 0.0, 0.0, 0.0]), Q::new([0.0, 1.0, 0.0, 0.0]));
        assert_eq!(bits(x.cross(y).values()), bits([0.0, 0.0, 1.0, 0.0]));
    }
}
