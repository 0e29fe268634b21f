//! Memory that is read and written as lanes.

#![expect(unsafe_code, reason = "memory as lanes")]

use super::lanes::Lanes;
use super::level::Level;
use super::number::Number;

/// Memory for lanes of any kind: 64 bytes on a boundary of 64.
///
/// Batches keep it between calls, and kernels read and write it in place: a copy of their results would cost large mass
/// matrices another third. It holds integers, because a `f64` made of two `f32` may be a NaN whose bits a copy may change.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Block([u64; 8]);

impl Block {
    pub(crate) const ZERO: Self = Self([0; 8]);

    /// Eight numbers of eight bytes.
    pub(crate) const fn new(values: [f64; 8]) -> Self {
        let mut bits = [0; 8];
        let mut i = 0;
        while i < 8 {
            bits[i] = values[i].to_bits();
            i += 1;
        }
        Self(bits)
    }

    /// The eight numbers of eight bytes.
    #[inline(always)]
    pub(crate) fn values(&self) -> [f64; 8] {
        let mut values = [0.0; 8];
        for k in 0..8 {
            values[k] = f64::from_bits(self.0[k]);
        }
        values
    }

    /// The number of eight bytes at an index from 0 to 7.
    pub(crate) fn get(&self, index: usize) -> f64 {
        f64::from_bits(self.0[index])
    }

    /// Overwrites the number of eight bytes at an index from 0 to 7.
    pub(crate) fn set(&mut self, index: usize, x: f64) {
        self.0[index] = x.to_bits();
    }

    /// Overwrites the number of four bytes at an index from 0 to 15.
    pub(crate) fn set_single(&mut self, index: usize, x: f32) {
        let pair = &mut self.0[index / 2];
        let mut bytes = pair.to_ne_bytes();
        bytes[4 * (index % 2)..][..4].copy_from_slice(&x.to_ne_bytes());
        *pair = u64::from_ne_bytes(bytes);
    }

    /// The same memory as lanes.
    #[inline(always)]
    pub(crate) fn as_lanes<const N: usize, L: Level, T: Number>(
        blocks: &[Self],
    ) -> &[Lanes<N, L, T>] {
        let count = blocks.len() * Self::per_block::<N, L, T>();
        // SAFETY: a block holds that many lanes without a rest and is aligned for them; lanes (`repr(C)`) are an array of
        // numbers and nothing else, and any bits are a `Number`
        unsafe { std::slice::from_raw_parts(blocks.as_ptr().cast(), count) }
    }

    /// The same memory as lanes, to be written.
    #[inline(always)]
    pub(crate) fn as_lanes_mut<const N: usize, L: Level, T: Number>(
        blocks: &mut [Self],
    ) -> &mut [Lanes<N, L, T>] {
        let count = blocks.len() * Self::per_block::<N, L, T>();
        // SAFETY: as above, and any bits are integers
        unsafe { std::slice::from_raw_parts_mut(blocks.as_mut_ptr().cast(), count) }
    }

    /// Number of lanes that a block holds, known at compile time.
    #[inline(always)]
    fn per_block<const N: usize, L: Level, T: Number>() -> usize {
        let size = size_of::<Lanes<N, L, T>>();
        assert!(size == N * size_of::<T>() && size_of::<Self>().is_multiple_of(size));
        assert!(align_of::<Lanes<N, L, T>>() <= align_of::<Self>());
        size_of::<Self>() / size
    }
}

/// Blocks are equal if their numbers of eight bytes are: `-0.0` equals `0.0`, and NaN nothing.
impl PartialEq for Block {
    fn eq(&self, other: &Self) -> bool {
        self.values() == other.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::{Simd, Work};

    /// Writes numbers through lanes, and reads them back.
    struct RoundTrip;

    impl Work for RoundTrip {
        #[inline(always)]
        fn run<const N: usize, L: Level>(self) {
            let mut blocks = [Block::ZERO; 3];
            let lanes = Block::as_lanes_mut::<N, L, f64>(&mut blocks);
            assert_eq!(lanes.len(), 24 / N);
            for (i, lanes) in lanes.iter_mut().enumerate() {
                *lanes = Lanes::new(std::array::from_fn(|k| (i * N + k) as f64));
            }

            // the safe twin: number by number
            let numbers = blocks.iter().flat_map(Block::values);
            assert!(numbers.eq((0..24).map(f64::from)));
            let lanes = Block::as_lanes::<N, L, f64>(&blocks).iter();
            let numbers = lanes.flat_map(|lanes| *lanes.values());
            assert!(numbers.eq((0..24).map(f64::from)));
        }
    }

    #[test]
    fn blocks_hold_lanes_one_after_the_other() {
        for simd in Simd::available() {
            simd.run(RoundTrip);
        }
    }

    #[test]
    fn any_bits_of_two_singles_are_kept() {
        let mut block = Block::ZERO;

        // together they would be a signalling NaN
        let pair = [f32::from_bits(1), f32::from_bits(0x7ff0_0000)];
        for (index, x) in pair.into_iter().enumerate() {
            block.set_single(6 + index, x);
        }
        assert_eq!(block.0[3].to_ne_bytes(), {
            let [a, b] = pair.map(f32::to_ne_bytes);
            [a[0], a[1], a[2], a[3], b[0], b[1], b[2], b[3]]
        });
    }
}
