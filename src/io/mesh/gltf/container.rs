//! The container of a `.glb`: a header, a JSON chunk and a binary chunk.

use std::path::Path;

use crate::Diagnostic;
use crate::io::mesh::bytes::words;

/// Splits a file into its JSON and, for a `.glb`, its binary chunk.
pub(super) fn split<'a>(
    bytes: &'a [u8],
    path: &Path,
) -> Result<(&'a [u8], Option<&'a [u8]>), Diagnostic> {
    let refuse = |message: String| Err(Diagnostic::error(message).in_file(path));
    let Some(body) = bytes.strip_prefix(b"glTF") else {
        return Ok((bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes), None));
    };
    let Some(([version, length], mut rest)) = words(body) else {
        return refuse("the file ends within its header".to_owned());
    };
    if version != 2 {
        return refuse(format!("is glTF {version}; only version 2 is read"));
    }
    let n = bytes.len();
    let whole = usize::try_from(length).unwrap_or(usize::MAX);
    let (mut json, mut binary) = (None, None);
    while let Some(([length, kind], body)) = words(rest) {
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let Some((chunk, behind)) = body.split_at_checked(length) else {
            let start = n - rest.len();
            let name = match &kind.to_le_bytes() {
                b"JSON" => "the JSON chunk",
                b"BIN\0" => "the binary chunk",
                _ => "a chunk",
            };
            return refuse(format!(
                "the file ends at byte {n}, within {name} that begins at byte {start}"
            ));
        };
        match &kind.to_le_bytes() {
            b"JSON" if json.is_none() => json = Some(chunk),
            b"BIN\0" if binary.is_none() => binary = Some(chunk),
            _ => {}
        }
        rest = behind;
    }
    if whole > n {
        return refuse(format!(
            "the file ends at byte {n} of {length}, before its last chunk does"
        ));
    }
    match json {
        Some(json) => Ok((json, binary)),
        None => refuse("the file has no JSON chunk".to_owned()),
    }
}
