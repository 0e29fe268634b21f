//! Decoding of numbers from bytes.

/// Splits off `N` little-endian `u32`s from the front, and returns them with the rest; `None` if the bytes are too few.
pub(super) fn words<const N: usize>(bytes: &[u8]) -> Option<([u32; N], &[u8])> {
    let (mut words, mut rest) = ([0; N], bytes);
    for word in &mut words {
        let (four, behind) = rest.split_first_chunk()?;
        *word = u32::from_le_bytes(*four);
        rest = behind;
    }
    Some((words, rest))
}
