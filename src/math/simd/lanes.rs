//! Lanes: several numbers that go through the same operations.

use std::fmt::Debug;
use std::ops::{Add, Mul, Neg, Sub};

use super::level::{Arithmetic, Level};
use super::trig::sin_cos_lanes;
use super::{Number, Ring, Scalar};

/// `N` numbers that go through the same operations, with the instructions of a [`Level`].
///
/// Plain arrays: where they are inlined into a function with vector instructions, each operation becomes one of them.
/// A register holds twice as many numbers of four bytes.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub(crate) struct Lanes<const N: usize, L: Level, T = f64> {
    values: [T; N],
    // empty, aligns the values so that no load straddles two cache lines
    _line: [L::Line; 0],
}

impl<const N: usize, L: Level, T> Lanes<N, L, T> {
    #[inline(always)]
    pub(crate) fn new(values: [T; N]) -> Self {
        Self { values, _line: [] }
    }

    /// The number in each lane.
    #[inline(always)]
    pub(crate) fn values(&self) -> &[T; N] {
        &self.values
    }

    /// The same number in each lane.
    #[inline(always)]
    pub(crate) fn splat(x: T) -> Self
    where
        T: Number,
    {
        Self::new(T::Ops::<L>::splat(x))
    }

    /// Lane-wise maximum; `b` where either is NaN (x86 semantics).
    #[inline(always)]
    pub(crate) fn max(mut self, b: Self) -> Self
    where
        T: Number,
    {
        T::Ops::<L>::max(&mut self.values, &b.values);
        self
    }

    /// Lane-wise minimum; `b` where either is NaN (x86 semantics).
    #[inline(always)]
    pub(crate) fn min(mut self, b: Self) -> Self
    where
        T: Number,
    {
        T::Ops::<L>::min(&mut self.values, &b.values);
        self
    }

    /// Lane-wise absolute value.
    #[inline(always)]
    pub(crate) fn abs(mut self) -> Self
    where
        T: Number,
    {
        for x in &mut self.values {
            *x = x.abs();
        }
        self
    }

    /// Bit mask of the lanes in which `self > b`, the first lane lowest.
    #[inline(always)]
    pub(crate) fn gt(self, b: Self) -> u32
    where
        T: Number,
    {
        T::Ops::<L>::gt_mask(&self.values, &b.values)
    }

    /// `self` in the lanes in which `a > b`, and `other` elsewhere.
    #[inline(always)]
    pub(crate) fn select_gt(mut self, a: &Self, b: &Self, other: &Self) -> Self
    where
        T: Number,
    {
        T::Ops::<L>::select_gt(&a.values, &b.values, &mut self.values, &other.values);
        self
    }

    /// Bit mask of the lanes in which `self > b` does not hold, NaN included; the first lane lowest.
    #[inline(always)]
    pub(crate) fn not_gt(self, b: Self) -> u32
    where
        T: Number,
    {
        !self.gt(b) & (u32::MAX >> (32 - N))
    }

    /// Extents of three coordinates over all lanes, of which there are eight or more: maximum and negated minimum of each.
    ///
    /// All six are reduced together, so that registers stay full.
    #[inline(always)]
    pub(crate) fn extents([x, y, z]: &[Self; 3]) -> [T; 6]
    where
        T: Number,
    {
        assert!(N >= 8);
        let (x, y, z) = (
            x.max_neighbours(-*x),
            y.max_neighbours(-*y),
            z.max_neighbours(-*z),
        );
        let mut all = x.max_neighbours(y).max_neighbours(z.max_neighbours(z));
        for _ in 3..N.ilog2() {
            all = all.max_neighbours(all);
        }
        std::array::from_fn(|k| all.values[k])
    }

    /// Maximum of each two neighbouring lanes, those of `self` and then those of `b`.
    #[inline(always)]
    fn max_neighbours(mut self, b: Self) -> Self
    where
        T: Number,
    {
        T::Ops::<L>::max_neighbours(&mut self.values, &b.values);
        self
    }

    /// The largest of all lanes.
    #[inline(always)]
    pub(crate) fn reduce_max(&self) -> T
    where
        T: Number,
    {
        let mut x = self.values;
        let mut half = N / 2;
        while half > 0 {
            for k in 0..half {
                // a select, no branch
                x[k] = if x[k + half] > x[k] {
                    x[k + half]
                } else {
                    x[k]
                };
            }
            half /= 2;
        }
        x[0]
    }

    /// The square root in each lane.
    #[inline(always)]
    pub(crate) fn sqrt(mut self) -> Self
    where
        T: Number,
    {
        for x in &mut self.values {
            *x = x.sqrt();
        }
        self
    }

    /// Mutable access to the number in each lane.
    #[inline(always)]
    pub(crate) fn values_mut(&mut self) -> &mut [T; N] {
        &mut self.values
    }
}

impl<const N: usize, L: Level, T: Number> Add for Lanes<N, L, T> {
    type Output = Self;

    #[inline(always)]
    fn add(mut self, b: Self) -> Self {
        T::Ops::<L>::add(&mut self.values, &b.values);
        self
    }
}

impl<const N: usize, L: Level, T: Number> Sub for Lanes<N, L, T> {
    type Output = Self;

    #[inline(always)]
    fn sub(mut self, b: Self) -> Self {
        T::Ops::<L>::sub(&mut self.values, &b.values);
        self
    }
}

impl<const N: usize, L: Level, T: Number> Mul for Lanes<N, L, T> {
    type Output = Self;

    #[inline(always)]
    fn mul(mut self, b: Self) -> Self {
        T::Ops::<L>::mul(&mut self.values, &b.values);
        self
    }
}

impl<const N: usize, L: Level, T: Number> Neg for Lanes<N, L, T> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self::constant(-0.0) - self
    }
}

impl<const N: usize, L: Level, T: Number> Ring for Lanes<N, L, T> {
    #[inline(always)]
    fn mul_add(mut self, b: Self, c: Self) -> Self {
        T::Ops::<L>::mul_add(&mut self.values, &b.values, &c.values);
        self
    }
}

impl<const N: usize, L: Level, T: Number> Scalar for Lanes<N, L, T> {
    const SINGLE: bool = T::SINGLE;

    #[inline(always)]
    fn constant(x: f64) -> Self {
        Self::new(T::Ops::<L>::splat(T::nearest(x)))
    }

    #[inline(always)]
    fn recip(self) -> Self {
        let mut one = Self::constant(1.0);
        T::Ops::<L>::div(&mut one.values, &self.values);
        one
    }

    #[inline(always)]
    fn sin_cos(angles: &mut [Self], cosines: &mut [Self]) {
        for i in 0..angles.len() {
            let (x, cosine) = (&mut angles[i], &mut cosines[i]);
            if L::FUSED {
                sin_cos_lanes::<T, N, true>(&mut x.values, &mut cosine.values);
            } else {
                sin_cos_lanes::<T, N, false>(&mut x.values, &mut cosine.values);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Simd, Work};

    /// Three numbers per lane, of every size and sign.
    const A: [f64; 8] = [0.5, -1.25, 3e7, -2e-9, 1e300, -0.0, 7.0, 1.0 / 3.0];
    const B: [f64; 8] = [-2.0, 0.3, 1e-7, 5e8, 1e-300, 4.0, -7.0, 3.0];
    const C: [f64; 8] = [1.0, 0.375, -3.0, 1.0, -1.0, 2.0, 49.0, -1.0];

    /// Compares lanes with `f64`, one lane after the other.
    #[derive(Clone, Copy)]
    struct LaneByLane;

    impl Work for LaneByLane {
        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            let [a, b, c] = [A, B, C].map(|x| Lanes::<N, L>::new(std::array::from_fn(|k| x[k])));
            let mut sines = [a, b, c];
            let mut cosines = sines;
            Scalar::sin_cos(&mut sines, &mut cosines);
            for k in 0..N {
                let (x, y, z) = (A[k], B[k], C[k]);
                let expected = [x + y, x - y, x * y, -x, 1.0 / y, 2.5];
                let ours = [a + b, a - b, a * b, -a, b.recip(), Lanes::constant(2.5)];
                for (ours, expected) in ours.iter().zip(expected) {
                    assert_eq!(ours.values()[k].to_bits(), expected.to_bits());
                }

                let nan = Lanes::constant(f64::NAN);
                assert_eq!(a.not_gt(b) >> k & 1, u32::from(x <= y));
                assert_eq!(a.not_gt(nan) & nan.not_gt(a), (1 << N) - 1);
                assert!(A[..N].contains(&a.reduce_max()) && x <= a.reduce_max());
                let root = (a * a).sqrt().values()[k];
                assert_eq!(root.to_bits(), (x * x).sqrt().to_bits());

                // one rounding or two: both are right, also within a sine
                let fused = a.mul_add(b, c).values()[k].to_bits();
                let roads = [x.mul_add(y, z), x * y + z].map(f64::to_bits);
                assert!(roads.contains(&fused), "{x:?} · {y:?} + {z:?}");

                for (j, angle) in [x, y, z].into_iter().enumerate() {
                    let (mut s, mut c) = ([angle], [0.0]);
                    <f64 as Scalar>::sin_cos(&mut s, &mut c);
                    assert!((sines[j].values()[k] - s[0]).abs() <= f64::EPSILON);
                    assert!((cosines[j].values()[k] - c[0]).abs() <= f64::EPSILON);
                }
            }
        }
    }

    /// The same for numbers of four bytes, on `f32`.
    #[derive(Clone, Copy)]
    struct SingleByLane;

    impl Work for SingleByLane {
        const SINGLE: bool = true;

        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            // all sizes that four bytes hold, up to sixteen lanes
            let row = |from: &[f64; 8]| {
                std::array::from_fn::<f32, N, _>(|k| {
                    (from[k % 8].clamp(-1e30, 1e30) * (1.0 + (k / 8) as f64)) as f32
                })
            };
            let [x, y, z] = [A, B, C].map(|from| row(&from));
            let [a, b, c] = [x, y, z].map(Lanes::<N, L, f32>::new);
            let mut sines = [a, b, c];
            let mut cosines = sines;
            Scalar::sin_cos(&mut sines, &mut cosines);
            let most = |x: &[f32; N]| x.iter().copied().fold(f32::MIN, f32::max);
            let ends = [x, y, z].map(|x| [most(&x), most(&x.map(|x| -x))]);
            assert_eq!(Lanes::extents(&[a, b, c])[..], *ends.as_flattened());
            for k in 0..N {
                let (x, y, z) = (x[k], y[k], z[k]);
                let expected = [x + y, x - y, x * y, -x, 1.0 / y, 2.5];
                let ours = [a + b, a - b, a * b, -a, b.recip(), Lanes::constant(2.5)];
                for (ours, expected) in ours.iter().zip(expected) {
                    assert_eq!(ours.values()[k].to_bits(), expected.to_bits());
                }
                let fused = a.mul_add(b, c).values()[k].to_bits();
                let roads = [x.mul_add(y, z), x * y + z].map(f32::to_bits);
                assert!(roads.contains(&fused), "{x:?} · {y:?} + {z:?}");
                for (j, angle) in [x, y, z].into_iter().enumerate() {
                    let (s, c) = f64::from(angle).sin_cos();
                    let error = |lanes: &Lanes<N, L, f32>, right: f64| {
                        (f64::from(lanes.values()[k]) - right).abs()
                    };
                    assert!(error(&sines[j], s) <= f64::from(f32::EPSILON));
                    assert!(error(&cosines[j], c) <= f64::from(f32::EPSILON));
                }
            }
        }
    }

    #[test]
    fn each_lane_computes_what_a_scalar_would() {
        for simd in Simd::available() {
            simd.run(LaneByLane);
            simd.run(SingleByLane);
        }
    }

    #[test]
    fn lanes_are_aligned_as_the_registers_of_their_level() {
        /// For numbers of eight bytes, and of four.
        struct Align<T>(std::marker::PhantomData<T>);

        impl<T: Number> Work for Align<T> {
            const SINGLE: bool = T::SINGLE;

            #[inline(always)]
            fn run<const N: usize, L: Level>(self) {
                let size = N * size_of::<T>();
                assert_eq!(size_of::<Lanes<N, L, T>>(), size);
                assert_eq!(align_of::<Lanes<N, L, T>>(), size);
            }
        }

        for simd in Simd::available() {
            simd.run(Align::<f64>(std::marker::PhantomData));
            simd.run(Align::<f32>(std::marker::PhantomData));
        }
    }
}
