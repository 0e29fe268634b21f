//! Lines of files that diagnostics refer to, with a mark under the position.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use kinworld::Diagnostic;

use crate::table::printable;

/// Lines of files; the last file is kept, since diagnostics come file by file.
#[derive(Debug, Default)]
pub(crate) struct Excerpts {
    path: PathBuf,
    text: String,
    /// Start of each line, for files with many diagnostics.
    starts: Vec<usize>,
}

impl Excerpts {
    /// Two lines of text, or none where the position is unknown, the file is not to be shown or cannot be read again.
    pub(crate) fn of(&mut self, diagnostic: &Diagnostic) -> Option<String> {
        if diagnostic.is_hidden {
            return None;
        }
        let (path, number) = (diagnostic.path.as_ref()?, diagnostic.line?);
        if self.path != *path {
            self.text = read(path).unwrap_or_default();
            let breaks = self.text.match_indices('\n').map(|(at, _)| at + 1);
            self.starts = [0].into_iter().chain(breaks).collect();
            self.path.clone_from(path);
        }
        let start = *self.starts.get(number.checked_sub(1)? as usize)?;
        let line = self.text[start..].lines().next()?;
        let column = diagnostic.column?.checked_sub(1)? as usize;

        // a part of a long line around the position
        let start = column.saturating_sub(WIDTH / 2);
        let part: String = line.chars().skip(start).take(WIDTH).collect();
        let (number, mark) = (number.to_string(), " ".repeat(column - start));
        Some(format!(
            "  {number} | {}\n  {} | {mark}^\n",
            printable(&part.replace('\t', " ")),
            " ".repeat(number.len()),
        ))
    }
}

/// The beginning of a regular file, as text.
fn read(path: &Path) -> Option<String> {
    let file = File::open(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(LONGEST).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Characters of a line that are shown.
const WIDTH: usize = 100;

/// Maximum number of bytes read from a file.
const LONGEST: u64 = 16 << 20;
