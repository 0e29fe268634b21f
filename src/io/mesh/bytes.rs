//! Numbers out of bytes.

/// The first numbers of four bytes each, the lowest byte first, and what is behind them; `None` where there are
/// not as many.
pub(super) fn words<const N: usize>(bytes: &[u8]) -> Option<([u32; N], &[u8])> {
    let (mut words, mut rest) = ([0; N], bytes);
    for word in &mut words {
        let (four, behind) = rest.split_first_chunk()?;
        *word = u32::from_le_bytes(*four);
        rest = behind;
    }
    Some((words, rest))
}
