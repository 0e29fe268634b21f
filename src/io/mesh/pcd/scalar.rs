//! The types of numbers in a PCD.

/// A type of number: signed, unsigned or floating, of 1 to 8 bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I(usize),
    U(usize),
    F32,
    F64,
}

impl Scalar {
    /// The type with a letter and a size in bytes.
    pub(super) fn of(kind: &str, size: &str) -> Option<Self> {
        match (kind, size.parse().ok()?) {
            ("I", size @ (1 | 2 | 4 | 8)) => Some(Self::I(size)),
            ("U", size @ (1 | 2 | 4 | 8)) => Some(Self::U(size)),
            ("F", 4) => Some(Self::F32),
            ("F", 8) => Some(Self::F64),
            _ => None,
        }
    }

    /// Size in bytes.
    pub(super) fn size(self) -> usize {
        match self {
            Self::I(size) | Self::U(size) => size,
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Decodes a number from its little-endian bytes.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_wrap,
        reason = "integers of 8 bytes are rounded to the nearest double"
    )]
    pub(super) fn read(self, bytes: &[u8]) -> Option<f64> {
        let mut wide = [0; 8];
        wide.get_mut(..self.size())?
            .copy_from_slice(bytes.get(..self.size())?);
        let bits = u64::from_le_bytes(wide);
        Some(match self {
            Self::U(_) => bits as f64,
            Self::I(size) => {
                let unused = 64 - 8 * size;
                ((bits << unused) as i64 >> unused) as f64
            }
            Self::F32 => f64::from(f32::from_le_bytes(*wide.first_chunk()?)),
            Self::F64 => f64::from_bits(bits),
        })
    }
}
