//! LZF: runs of bytes as they are, and copies of what came before.

/// The bytes that were packed, `None` where the packed ones are broken or mean another number than `n`.
///
/// Marc Lehmann's format: a byte below 32 is followed by one more than so many bytes as they are; any other one
/// holds the length of a copy in its upper three bits, and how far back it begins in the rest and in a further byte.
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
            // what is copied may begin to repeat itself
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
        // two bytes as they are, then 9 + 0 + 2 of them, from two back
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
