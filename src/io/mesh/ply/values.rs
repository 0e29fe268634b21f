//! Sequential readers of the numbers of a PLY, as text or bytes.

use std::path::Path;
use std::str::SplitAsciiWhitespace;

use super::header::Encoding;
use crate::Diagnostic;
use crate::io::mesh::page::Page;

/// A type of number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    /// The type with a name, of either naming scheme.
    pub(super) fn of(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    /// The value of a full colour: the largest integer, or 1 for floats.
    pub(super) fn full(self) -> f64 {
        match self {
            Self::I8 => i8::MAX.into(),
            Self::U8 => u8::MAX.into(),
            Self::I16 => i16::MAX.into(),
            Self::U16 => u16::MAX.into(),
            Self::I32 => i32::MAX.into(),
            Self::U32 => u32::MAX.into(),
            Self::F32 | Self::F64 => 1.0,
        }
    }
}

/// Sequential reader of numbers; all types fit a double.
pub(super) trait Values {
    /// Notes that the rows of an element follow, for messages.
    fn enter(&mut self, _element: &str, _rows: u64) {}

    /// Notes that the next row follows.
    fn row(&mut self, _row: u64) {}

    /// The next number.
    fn next(&mut self, kind: Scalar) -> Result<f64, Diagnostic>;

    /// An error about the last number read.
    fn error(&self, message: String) -> Diagnostic;
}

/// Numbers as words.
#[derive(Debug)]
pub(super) struct Words<'a> {
    page: Page<'a>,
    words: SplitAsciiWhitespace<'a>,
    last: &'a str,
}

impl<'a> Words<'a> {
    /// Reads the words of a text from a byte on.
    pub(super) fn new(page: Page<'a>, start: usize) -> Self {
        let body = page.text.get(start..).unwrap_or("");
        Self {
            page,
            words: body.split_ascii_whitespace(),
            last: body,
        }
    }

    /// Warns of words after the last value.
    pub(super) fn warn_of_rest(&mut self) {
        if let Some(word) = self.words.next() {
            let warning = "the file goes on after its last element";
            self.page.warn(word, warning);
        }
    }
}

impl Values for Words<'_> {
    fn next(&mut self, _: Scalar) -> Result<f64, Diagnostic> {
        let ends = || self.page.ends("the file ends before its last element does");
        let word = self.words.next().ok_or_else(ends)?;
        self.last = word;
        let wrong = |_| self.page.error(word, format!("`{word}` is not a number"));
        word.parse().map_err(wrong)
    }

    fn error(&self, message: String) -> Diagnostic {
        self.page.error(self.last, message)
    }
}

/// Numbers as bytes.
#[derive(Debug)]
pub(super) struct Bytes<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    pub(super) encoding: Encoding,
    pub(super) path: &'a Path,
    /// The element being read, its number of rows, and the current row.
    pub(super) element: (String, u64, u64),
}

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Diagnostic> {
        let Some(bytes) = self.bytes.get(self.at..).and_then(<[u8]>::first_chunk) else {
            let n = self.bytes.len();
            let (element, rows, row) = &self.element;
            let message =
                format!("the file ends at byte {n}, after {row} of {rows} rows of `{element}`");
            return Err(Diagnostic::error(message).in_file(self.path));
        };
        self.at += N;
        let mut bytes = *bytes;
        if self.encoding == Encoding::BigEndian {
            bytes.reverse();
        }
        Ok(bytes)
    }
}

impl Values for Bytes<'_> {
    fn enter(&mut self, element: &str, rows: u64) {
        self.element = (element.to_owned(), rows, 0);
    }

    fn row(&mut self, row: u64) {
        self.element.2 = row;
    }

    fn next(&mut self, kind: Scalar) -> Result<f64, Diagnostic> {
        Ok(match kind {
            Scalar::I8 => i8::from_le_bytes(self.take()?).into(),
            Scalar::U8 => u8::from_le_bytes(self.take()?).into(),
            Scalar::I16 => i16::from_le_bytes(self.take()?).into(),
            Scalar::U16 => u16::from_le_bytes(self.take()?).into(),
            Scalar::I32 => i32::from_le_bytes(self.take()?).into(),
            Scalar::U32 => u32::from_le_bytes(self.take()?).into(),
            Scalar::F32 => f32::from_le_bytes(self.take()?).into(),
            Scalar::F64 => f64::from_le_bytes(self.take()?),
        })
    }

    fn error(&self, message: String) -> Diagnostic {
        Diagnostic::error(format!("{message}, before byte {}", self.at)).in_file(self.path)
    }
}
