//! The numbers of a page as bytes, deflated and in base64.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Bytes of the page; a place among them is the offset of its first byte.
#[derive(Debug, Default)]
pub(super) struct Pack {
    bytes: Vec<u8>,
}

impl Pack {
    /// Adds numbers in double precision.
    pub(super) fn doubles(&mut self, numbers: impl Iterator<Item = f64>) -> usize {
        let start = self.start();
        self.bytes.extend(numbers.flat_map(f64::to_le_bytes));
        start
    }

    /// Adds numbers in single precision.
    #[expect(clippy::cast_possible_truncation, reason = "the nearest one is meant")]
    pub(super) fn singles(&mut self, numbers: impl Iterator<Item = f64>) -> usize {
        let start = self.start();
        let bytes = numbers.flat_map(|x| (x as f32).to_le_bytes());
        self.bytes.extend(bytes);
        start
    }

    /// Adds bytes.
    pub(super) fn raw(&mut self, bytes: &[u8]) -> usize {
        let start = self.start();
        self.bytes.extend_from_slice(bytes);
        start
    }

    /// The next place; a multiple of 8, as the widest numbers ask for.
    fn start(&mut self) -> usize {
        let start = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(start, 0);
        start
    }

    /// All bytes.
    #[cfg(test)]
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// All bytes, as the page unpacks them.
    pub(super) fn base64(&self) -> String {
        base64(&deflated(&self.bytes))
    }
}

/// Bytes as text.
pub(super) fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Bytes, deflated.
pub(super) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(bytes);
    let packed = written.and_then(|()| encoder.finish());
    packed.expect("a vector takes all bytes")
}
