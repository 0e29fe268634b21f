//! Lines of input, read one at a time, with a limit of their length.

use std::io::{self, BufRead, Read};

/// A line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The bytes of the line, without the line break.
    Bytes(Vec<u8>),
    /// The line was longer than the limit, and has been skipped.
    TooLong,
    /// End of the input.
    End,
}

/// Reads up to the next line break, inclusive.
pub(super) fn read(input: &mut impl BufRead, limit: usize) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let n = input
        .by_ref()
        .take(limit as u64 + 1)
        .read_until(b'\n', &mut bytes)?;
    if n == 0 {
        return Ok(Line::End);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > limit {
        skip(input)?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Bytes(bytes))
}

/// Skips the rest of a line, and its line break.
fn skip(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let (used, done) = match chunk.iter().position(|&byte| byte == b'\n') {
            Some(at) => (at + 1, true),
            None => (chunk.len(), chunk.is_empty()),
        };
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, read};

    #[test]
    fn a_long_line_is_skipped_and_the_next_one_read() {
        let mut input: &[u8] = b"ab\n123456\n12345\nlast";
        let line = |text: &str| Line::Bytes(text.as_bytes().to_vec());
        assert_eq!(read(&mut input, 5).unwrap(), line("ab"));
        assert_eq!(read(&mut input, 5).unwrap(), Line::TooLong);
        assert_eq!(read(&mut input, 5).unwrap(), line("12345"));
        assert_eq!(read(&mut input, 5).unwrap(), line("last"));
        assert_eq!(read(&mut input, 5).unwrap(), Line::End);
    }
}
