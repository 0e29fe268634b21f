//! LZF decompression: runs of literal bytes, and copies of earlier output.

/// Unpacks `n` bytes; `None` if the packed bytes are malformed or hold another number of bytes.
///
/// Marc Lehmann's format: a byte `b` < 32 is followed by `b + 1` literal bytes; any other one holds the length of a
/// copy in its upper three bits, and the distance back to its start in the rest and in a further byte.
/// The output is at most 264 bytes for three of the input.
pub(super) fn unpack(packed: &[u8], n: usize) -> Option<Vec<u8>> {
    let mut bytes = packed.iter().copied();
    let mut out: Vec<u8> = Vec::new();
    while let Some(control) = bytes.next() {
        let control = usize::from(control);
        if control < 32 {
            let before = out.len();
            out.extend(bytes.by_ref().take(control + 1));
            if out.len() - before != control + 1 {
                return None;
            }
        } else {
            let mut length = control >> 5;
            if length == 7 {
                length += usize::from(bytes.next()?);
            }
            let back = ((control & 31) << 8 | usize::from(bytes.next()?)) + 1;
            let start = out.len().checked_sub(back)?;
            // source and destination may overlap, which repeats the copied bytes
            for i in start..start + length + 2 {
                out.push(*out.get(i)?);
            }
        }
        if out.len() > n {
            return None;
        }
    }
    (out.len() == n).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_copies_are_unpacked() {
        // two literal bytes, then a copy of 9 + 0 + 2 bytes from two back
        assert_eq!(
            unpack(&[1, b'a', b'b', 7 << 5, 0, 1], 11).unwrap(),
            b"ababababababab"[..11]
        );
        assert_eq!(unpack(&[0, b'x', 1 << 5, 0], 4).unwrap(), b"xxxx");
        assert_eq!(unpack(&[], 0), Some(Vec::new()));
    }

    #[test]
    fn broken_bytes_are_refused() {
        for (packed, n) in [
            (&[5, b'a'][..], 6),             // ends in a run
            (&[0, b'a', 1 << 5], 4),         // ends in a copy
            (&[0, b'a', 1 << 5, 1], 4),      // a copy from before the start
            (&[0, b'a'], 2),                 // too few
            (&[0, b'a', 7 << 5, 255, 0], 3), // too many
        ] {
            assert_eq!(unpack(packed, n), None, "{packed:?}");
        }
    }
}
