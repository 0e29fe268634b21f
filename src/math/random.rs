//! Pseudorandom numbers, the same on every machine.

/// SplitMix64: Steele, Lea and Flood (2014), fast splittable pseudorandom number generators.
#[derive(Debug, Clone)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    #[inline]
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 random bits.
    #[inline]
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A number uniform in `[0, 1)`.
    #[inline]
    pub(crate) fn uniform(&mut self) -> f64 {
        // the upper 53 bits, as many as a float holds
        (self.bits() >> 11) as f64 * f64::EPSILON * 0.5
    }
}

/// Output function of [`SplitMix`]: a bijection without any pattern.
#[inline]
pub(crate) fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
