//! Shortest text of numbers that reads back to the same bits.

use std::fmt;

/// A number in the fewest digits that read back to it, as in `1e300`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Digits(pub(crate) f64);

impl fmt::Display for Digits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = self.0.abs();
        if size == 0.0 || (1e-5..1e16).contains(&size) {
            write!(f, "{}", self.0)
        } else {
            write!(f, "{:e}", self.0)
        }
    }
}
