//! The header of a PCD: the fields of a point and their encoding.

use super::scalar::Scalar;
use crate::Diagnostic;
use crate::io::mesh::page::Page;

/// Header of a PCD.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) fields: Vec<Field>,
    pub(super) n: usize,
    pub(super) data: Data,
    /// Byte at which the numbers begin.
    pub(super) end: usize,
}

/// Encoding of the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Data {
    Text,
    Binary,
    Compressed,
}

/// A field: one or several numbers of each point.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) scalar: Scalar,
    pub(super) count: usize,
}

/// Limit on the numbers of a point.
const MOST: usize = 100_000;

impl Header {
    /// Bytes per point in a binary file.
    pub(super) fn point_size(&self) -> usize {
        let sizes = self.fields.iter().map(|f| f.scalar.size() * f.count);
        sizes.sum()
    }

    /// Reads the lines from the start of a text up to `DATA`; `skipped` bytes precede them.
    pub(super) fn parse(page: Page<'_>, skipped: usize) -> Result<Self, Diagnostic> {
        let mut words = Words::default();
        let mut at = skipped;
        let body = page.text.get(skipped..).unwrap_or("");
        for line in body.split_inclusive('\n') {
            at += line.len();
            let code = line.split('#').next().unwrap_or("");
            let mut parts = code.split_ascii_whitespace();
            let Some(keyword) = parts.next() else {
                continue;
            };
            let parts: Vec<&str> = parts.collect();
            match keyword {
                "VERSION" => {}
                "FIELDS" | "COLUMNS" => words.fields = parts,
                "SIZE" => words.size = parts,
                "TYPE" => words.kind = parts,
                "COUNT" => words.count = parts,
                "WIDTH" => words.width = Some(one(&page, keyword, &parts)?),
                "HEIGHT" => words.height = Some(one(&page, keyword, &parts)?),
                "POINTS" => words.points = Some(one(&page, keyword, &parts)?),
                "VIEWPOINT" => {
                    let plain = ["0", "0", "0", "1", "0", "0", "0"];
                    if parts != plain {
                        let warning = "the viewpoint is not kept: points stay where they are";
                        page.warn(keyword, warning);
                    }
                }
                "DATA" => {
                    let data = match parts.first() {
                        Some(&"ascii") => Data::Text,
                        Some(&"binary") => Data::Binary,
                        Some(&"binary_compressed") => Data::Compressed,
                        _ => {
                            let message = format!("`{}` is not an encoding of points", code.trim());
                            let error = page.error(keyword, message);
                            return Err(error.help("known are ascii, binary and binary_compressed"));
                        }
                    };
                    return words.header(&page, keyword, data, at);
                }
                _ => {
                    let message = format!("`{keyword}` is not a keyword of a PCD header");
                    return Err(page.error(keyword, message));
                }
            }
        }
        Err(page.ends("the header of the PCD has no `DATA` line"))
    }
}

/// The values of the header's lines, unchecked.
#[derive(Debug, Default)]
struct Words<'a> {
    fields: Vec<&'a str>,
    size: Vec<&'a str>,
    kind: Vec<&'a str>,
    count: Vec<&'a str>,
    width: Option<usize>,
    height: Option<usize>,
    points: Option<usize>,
}

impl Words<'_> {
    fn header(
        self,
        page: &Page<'_>,
        position: &str,
        data: Data,
        end: usize,
    ) -> Result<Header, Diagnostic> {
        let n_fields = self.fields.len();
        let refuse = |message: String| page.error(position, message);
        for (name, list) in [
            ("SIZE", &self.size),
            ("TYPE", &self.kind),
            ("COUNT", &self.count),
        ] {
            let may_lack = name == "COUNT" && list.is_empty();
            if list.len() != n_fields && !may_lack {
                let n = list.len();
                return Err(refuse(format!(
                    "`{name}` needs {n_fields} values, as FIELDS has, got {n}"
                )));
            }
        }
        let mut fields = Vec::with_capacity(n_fields);
        let mut total = 0_usize;
        let counts = self.count.iter().map(Some).chain(std::iter::repeat(None));
        let types = self.kind.iter().zip(&self.size).zip(counts);
        for (name, ((kind, size), given)) in self.fields.iter().zip(types) {
            let scalar = Scalar::of(kind, size).ok_or_else(|| {
                let message = format!(
                    "the field `{name}` is of type {kind} and size {size}, which is not a PCD type"
                );
                page.error(kind, message)
            })?;
            let count = given.map_or(Some(1), |word| word.parse().ok());
            total = total.saturating_add(count.unwrap_or(MOST));
            let Some(count) = count.filter(|_| total < MOST) else {
                let message = match given {
                    Some(given) => format!("the field `{name}` has `{given}` numbers"),
                    None => format!("a point has {MOST} numbers or more"),
                };
                return Err(page.error(given.unwrap_or(name), message));
            };
            fields.push(Field {
                name: (*name).to_owned(),
                scalar,
                count,
            });
        }
        let size = self.width.zip(self.height);
        let product = size.and_then(|(w, h)| w.checked_mul(h));
        let n = self.points.or(product).or(self.width);
        let Some(n) = n else {
            return Err(refuse(
                "the header does not say how many points there are".to_owned(),
            ));
        };
        Ok(Header {
            fields,
            n,
            data,
            end,
        })
    }
}

fn one(page: &Page<'_>, keyword: &str, words: &[&str]) -> Result<usize, Diagnostic> {
    let word = words.first().copied().unwrap_or("");
    let wrong = |_| {
        page.error(
            keyword,
            format!("`{keyword}` needs a whole number, got `{word}`"),
        )
    };
    word.parse().map_err(wrong)
}
