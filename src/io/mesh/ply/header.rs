//! The header of a PLY: encoding of the numbers, elements and their properties.

use std::path::Path;

use super::values::Scalar;
use crate::Diagnostic;
use crate::io::mesh::page::Page;
use crate::io::report::FileReport;

/// Header of a PLY.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) encoding: Encoding,
    pub(super) elements: Vec<Element>,
    /// Byte at which the numbers begin.
    pub(super) end: usize,
}

/// Encoding of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Text,
    LittleEndian,
    BigEndian,
}

/// An element: a table of `count` rows with these columns.
#[derive(Debug)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) count: u64,
    pub(super) properties: Vec<Property>,
}

/// A column.
#[derive(Debug)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) kind: Kind,
}

/// One number, or a list preceded by its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

impl Header {
    /// Reads the header at the start of a file.
    pub(super) fn parse(bytes: &[u8], file: FileReport<'_>) -> Result<Self, Diagnostic> {
        let (text, end) = header_text(bytes, file.path)?;
        let page = Page { text: &text, file };
        let magic = text.lines().next().unwrap_or("");
        if magic.trim_start_matches('\u{feff}').trim() != "ply" {
            let message = format!("expected `ply`, got `{magic}`");
            return Err(page.error(magic, message));
        }
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        for line in text.split(['\n', '\r']).skip(1) {
            let mut words = line.split_ascii_whitespace();
            let Some(keyword) = words.next() else {
                continue;
            };
            let words: Vec<&str> = words.collect();
            match (keyword, words.as_slice()) {
                ("comment" | "obj_info" | "end_header", _) => {}
                ("format", [name, ..]) => {
                    encoding = Some(match *name {
                        "ascii" => Encoding::Text,
                        "binary_little_endian" => Encoding::LittleEndian,
                        "binary_big_endian" => Encoding::BigEndian,
                        _ => {
                            let message = format!("`{name}` is not a format of PLY");
                            let error = page.error(name, message);
                            return Err(error.help(
                                "known are ascii, binary_little_endian and binary_big_endian",
                            ));
                        }
                    });
                }
                ("element", [name, count]) => {
                    let wrong = |_| page.error(count, format!("`{count}` is not a number of rows"));
                    elements.push(Element {
                        name: (*name).to_owned(),
                        count: count.parse().map_err(wrong)?,
                        properties: Vec::new(),
                    });
                }
                ("property", words) => {
                    let property = property(&page, line.trim(), words)?;
                    let Some(element) = elements.last_mut() else {
                        let message = "a property before the first element";
                        return Err(page.error(keyword, message));
                    };
                    element.properties.push(property);
                }
                _ => {
                    let message = format!("`{}` is not a line of a PLY header", line.trim());
                    return Err(page.error(line.trim(), message));
                }
            }
        }
        let Some(encoding) = encoding else {
            return Err(page.error(&text, "the header has no `format` line"));
        };
        Ok(Self {
            encoding,
            elements,
            end,
        })
    }
}

fn property(page: &Page<'_>, line: &str, words: &[&str]) -> Result<Property, Diagnostic> {
    let scalar = |word: &&str| {
        let wrong = || page.error(word, format!("`{word}` is not a type of PLY"));
        Scalar::of(word).ok_or_else(wrong)
    };
    let (kind, name) = match words {
        ["list", count, item, name] => {
            let (count, item) = (scalar(count)?, scalar(item)?);
            (Kind::List { count, item }, name)
        }
        ["list", ..] => {
            let message = "a list needs two types and a name";
            return Err(page.error(line, message));
        }
        [kind, name] => (Kind::Scalar(scalar(kind)?), name),
        _ => return Err(page.error(line, "a property needs a type and a name")),
    };
    Ok(Property {
        name: (*name).to_owned(),
        kind,
    })
}

/// The lines up to `end_header`, and the byte at which the next line begins.
fn header_text(bytes: &[u8], path: &Path) -> Result<(String, usize), Diagnostic> {
    const END: &[u8] = b"end_header";
    let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
    let mut end = 0;
    for line in bytes.split(is_end) {
        end += line.len();
        if line.trim_ascii() == END {
            let (text, rest) = bytes.split_at_checked(end).unwrap_or((bytes, b""));
            let breaks = match rest {
                [b'\r', b'\n', ..] => 2,
                [] => 0,
                _ => 1,
            };
            return Ok((String::from_utf8_lossy(text).into_owned(), end + breaks));
        }
        // the line break after it
        end += 1;
    }
    let message = "the header of the PLY has no `end_header` line";
    Err(Diagnostic::error(message).in_file(path))
}
