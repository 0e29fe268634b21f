//! Numbers that look random, the same on every machine.

/// Steele, Lea and Flood (2014): fast splittable pseudorandom number generators.
#[derive(Debug, Clone)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number uniform in `[0, 1)`.
    pub(crate) fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;

        // the upper 53 bits, as many as a float holds
        (z >> 11) as f64 * f64::EPSILON * 0.5
    }
}
