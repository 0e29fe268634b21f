//! Decoding of text, and positions in it.

use super::position::Position;
use super::report::FileReport;
use crate::Diagnostic;

/// The text of a file without its byte order mark: UTF-8.
///
/// Other bytes are replaced, with a warning; UTF-16 and binary files are refused.
pub(crate) fn to_text(bytes: Vec<u8>, file: FileReport<'_>) -> Result<String, Diagnostic> {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    let refuse = |message: &str| {
        Err(Diagnostic::error(message)
            .in_file(file.path)
            .help("save it as UTF-8 text"))
    };
    if bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF") {
        return refuse("is UTF-16, which is not supported");
    }
    if bytes.contains(&0) {
        return refuse("is binary, where text was expected");
    }
    let bytes = match bytes.strip_prefix(BOM) {
        Some(rest) => rest.to_vec(),
        None => bytes,
    };
    let error = match String::from_utf8(bytes) {
        Ok(text) => return Ok(text),
        Err(error) => error,
    };
    let text = String::from_utf8_lossy(error.as_bytes()).into_owned();
    // up to here nothing was replaced
    let (line, column) = line_and_column(&text, error.utf8_error().valid_up_to());
    let warning = Diagnostic::warning("a byte that is not UTF-8; all such bytes are replaced");
    let warning = file.at(Position { line, column }, warning);
    file.add(warning.help("save the file as UTF-8"));
    Ok(text)
}

/// The line and the column in characters, from 1, of a byte of a text.
pub(crate) fn line_and_column(text: &str, byte: usize) -> (u32, u32) {
    let bytes = text.as_bytes();
    let before = bytes.get(..byte).unwrap_or(bytes);
    let breaks = before.iter().filter(|&&b| b == b'\n').count();
    let line = before.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    let column = String::from_utf8_lossy(line).chars().count();
    let number = |count: usize| u32::try_from(count + 1).unwrap_or(u32::MAX);
    (number(breaks), number(column))
}
