//! The only file that opens files.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::Diagnostic;

/// The text of a file, without its byte order mark.
#[derive(Debug)]
pub(crate) struct Text {
    /// What it says.
    pub(crate) content: String,
    /// Said when bytes had to be replaced.
    pub(crate) remark: Option<Diagnostic>,
}

/// The bytes of a regular file of at most `limit` bytes.
///
/// Folders, pipes and devices are refused before they are opened, so that nothing hangs.
pub(crate) fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Diagnostic> {
    read(path, limit, u64::MAX)
}

/// The first `most` bytes of a regular file of at most `limit` bytes.
pub(crate) fn read_start(path: &Path, limit: u64, most: u64) -> Result<Vec<u8>, Diagnostic> {
    read(path, limit, most)
}

fn read(path: &Path, limit: u64, most: u64) -> Result<Vec<u8>, Diagnostic> {
    let refuse = |message: String| Diagnostic::error(message).in_file(path);
    let cannot = |error: std::io::Error| refuse(format!("cannot be read: {}", reason(&error)));
    let metadata = path.metadata().map_err(cannot)?;
    if metadata.is_dir() {
        return Err(refuse("is a folder, not a file".to_owned())
            .help("name the file inside that should be loaded"));
    }
    if !metadata.is_file() {
        return Err(refuse(
            "is not a regular file but a pipe, a socket or a device".to_owned(),
        ));
    }
    let too_large = || {
        refuse(format!("is larger than the limit of {limit} bytes"))
            .help("raise `limits.file_size` or `limits.text_size` of the load options")
    };
    if metadata.len() > limit {
        return Err(too_large());
    }
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(most)).unwrap_or(0));
    let file = File::open(path).map_err(cannot)?;
    let mut limited = file.take(limit.saturating_add(1).min(most));
    limited.read_to_end(&mut bytes).map_err(cannot)?;
    if bytes.len() as u64 > limit {
        return Err(too_large());
    }
    Ok(bytes)
}

/// The text of a file: UTF-8, with or without a byte order mark.
///
/// Other bytes are replaced, with a remark; UTF-16 and binary files are refused.
pub(crate) fn read_text(path: &Path, limit: u64) -> Result<Text, Diagnostic> {
    to_text(read_bytes(path, limit)?, path)
}

/// See [`read_text`].
pub(crate) fn to_text(bytes: Vec<u8>, path: &Path) -> Result<Text, Diagnostic> {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    let refuse = |message: &str| {
        Err(Diagnostic::error(message)
            .in_file(path)
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
    match String::from_utf8(bytes) {
        Ok(content) => Ok(Text {
            content,
            remark: None,
        }),
        Err(error) => {
            let content = String::from_utf8_lossy(error.as_bytes()).into_owned();
            // up to here nothing was replaced
            let (line, column) = line_and_column(&content, error.utf8_error().valid_up_to());
            let remark =
                Diagnostic::warning("a byte that is not UTF-8; it and its like are replaced")
                    .at(path, line, column)
                    .help("save the file as UTF-8");
            Ok(Text {
                content,
                remark: Some(remark),
            })
        }
    }
}

/// Writes a file, as a whole or not at all: an old one is there until the new one is.
pub(crate) fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Diagnostic> {
    write_all(&[(path, bytes)])
}

/// Writes a file that somebody looks at, under another name with the same suffix, before it comes into its place.
pub(crate) fn write_checked(
    path: &Path,
    bytes: &[u8],
    check: impl FnOnce(&Path) -> Result<(), Diagnostic>,
) -> Result<(), Diagnostic> {
    let part = part_of(path)?;
    let written = std::fs::write(&part, bytes).map_err(|error| cannot_write(path, &error));
    let placed = written
        .and_then(|()| check(&part))
        .and_then(|()| std::fs::rename(&part, path).map_err(|error| cannot_write(path, &error)));
    if placed.is_err() {
        // what is left of it is of no use, and may not even be there
        let _ = std::fs::remove_file(&part);
    }
    placed
}

/// Writes files into folders that are there. Where one cannot be written, none is replaced; the last one comes into
/// its place last, so that it can name the others.
pub(crate) fn write_all(files: &[(&Path, &[u8])]) -> Result<(), Diagnostic> {
    let mut parts: Vec<PathBuf> = Vec::with_capacity(files.len());
    let written = files.iter().try_for_each(|&(path, bytes)| {
        let part = part_of(path)?;
        parts.push(part.clone());
        std::fs::write(&part, bytes).map_err(|error| cannot_write(path, &error))
    });
    let placed = written.and_then(|()| {
        files.iter().zip(&parts).try_for_each(|(&(path, _), part)| {
            std::fs::rename(part, path).map_err(|error| cannot_write(path, &error))
        })
    });
    if placed.is_err() {
        for part in &parts {
            // what is left of it is of no use, and may not even be there
            let _ = std::fs::remove_file(part);
        }
    }
    placed
}

/// Where a file is written before it comes into its place.
fn part_of(path: &Path) -> Result<PathBuf, Diagnostic> {
    let Some(name) = path.file_name() else {
        return Err(Diagnostic::error("names no file to write").in_file(path));
    };
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Diagnostic::error("is there already, and is no regular file").in_file(path));
    }
    let mut part = std::ffi::OsString::from(format!(".{}.part.", std::process::id()));
    part.push(name);
    Ok(path.with_file_name(part))
}

/// Makes a folder, with those above it.
pub(crate) fn make_folder(path: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(path).map_err(|error| cannot_write(path, &error))
}

fn cannot_write(path: &Path, error: &std::io::Error) -> Diagnostic {
    Diagnostic::error(format!("cannot be written: {}", reason(error))).in_file(path)
}

/// Whether a path leads to something.
pub(crate) fn exists(path: &Path) -> bool {
    path.exists()
}

/// The same file under its one name, where the system can tell.
pub(crate) fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
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

/// The reason alone, in lower case and without the system's number.
fn reason(error: &std::io::Error) -> String {
    use std::io::ErrorKind;
    match error.kind() {
        ErrorKind::NotFound => "no such file".to_owned(),
        ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => {
            let text = error.to_string();
            text.split(" (os error").next().unwrap_or("").to_lowercase()
        }
    }
}
