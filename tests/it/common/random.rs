//! Pseudo-random numbers, the same in every run.

use kinworld::Vector;

pub(crate) use self::splitmix::SplitMix;

// the library's own generator, which is not public
#[path = "../../../src/math/random.rs"]
mod splitmix;

/// Pseudorandom numbers for robots and poses.
pub(crate) struct Random(SplitMix);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    /// A number between -1 and 1.
    pub(crate) fn unit(&mut self) -> f64 {
        2.0 * self.0.uniform() - 1.0
    }

    /// An integer below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.0.bits() % n as u64) as usize
    }

    /// A vector with entries between -1 and 1.
    pub(crate) fn vector(&mut self) -> Vector {
        Vector::new(self.unit(), self.unit(), self.unit())
    }
}
