//! Reader of PCL's PCD: point clouds as text, binary and compressed binary.

mod header;
mod lzf;
mod scalar;

use super::bytes::words;
use super::found::refused;
use super::page::Page;
use crate::Diagnostic;
use crate::geometry::{Geometry, PointCloud};
use crate::io::report::FileReport;
use crate::math::Point;
use header::{Data, Field, Header};
use scalar::Scalar;

/// Reads a `.pcd` file.
pub(super) fn parse(bytes: &[u8], file: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    read(bytes, 0, file)
}

/// Reads the PCD that follows a word in another text.
pub(super) fn parse_inside(
    text: &str,
    word: &str,
    file: FileReport<'_>,
) -> Result<Geometry, Diagnostic> {
    let start = text.find(word).map_or(0, |at| at + word.len());
    read(text.as_bytes(), start, file)
}

fn read(bytes: &[u8], start: usize, file: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    // the numbers after the header need not be text
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
            std::str::from_utf8(valid).unwrap_or_default()
        }
    };
    let page = Page { text, file };
    let header = Header::parse(page, start)?;
    let mut cloud = Cloud::new(&header, page)?;
    match header.data {
        Data::Text => cloud.read_text(&header)?,
        Data::Binary => cloud.read_bytes(&header, bytes.get(header.end..).unwrap_or(&[]))?,
        Data::Compressed => cloud.read_packed(&header, bytes.get(header.end..).unwrap_or(&[]))?,
    }
    cloud.finish()
}

/// Columns under construction.
struct Cloud<'a> {
    page: Page<'a>,
    /// One column for each number of a point; `None` for padding.
    columns: Vec<Option<(String, Vec<f64>)>>,
    /// Indices of the columns x, y and z.
    axes: [usize; 3],
}

impl<'a> Cloud<'a> {
    fn new(header: &Header, page: Page<'a>) -> Result<Self, Diagnostic> {
        let mut columns = Vec::new();
        let mut axes = [None; 3];
        for field in &header.fields {
            for i in 0..field.count {
                let named = ["x", "y", "z"].iter().zip(&mut axes);
                for (_, column) in named.filter(|(axis, _)| i == 0 && **axis == field.name) {
                    *column = Some(columns.len());
                }
                let name = match field.count {
                    1 => field.name.clone(),
                    _ => format!("{}_{i}", field.name),
                };
                columns.push((field.name != "_").then(|| (name, Vec::new())));
            }
        }
        let [Some(x), Some(y), Some(z)] = axes else {
            return Err(page.error(page.text, "the points have no fields x, y and z"));
        };
        Ok(Self {
            page,
            columns,
            axes: [x, y, z],
        })
    }

    fn push(&mut self, column: usize, value: f64) {
        let column = self.columns.get_mut(column);
        // padding has no values
        if let Some((_, values)) = column.expect("a point has as many numbers as columns") {
            values.push(value);
        }
    }

    fn read_text(&mut self, header: &Header) -> Result<(), Diagnostic> {
        let page = self.page;
        let body = page.text.get(header.end..).unwrap_or("");
        let mut words = body.split_ascii_whitespace();
        for i in 0..header.n {
            let mut column = 0;
            for field in &header.fields {
                for _ in 0..field.count {
                    let n = header.n;
                    let ends = || page.ends(format!("the file ends after {i} of {n} points"));
                    let word = words.next().ok_or_else(ends)?;
                    let value = word
                        .parse::<f64>()
                        .map_err(|_| page.error(word, format!("`{word}` is not a number")))?;
                    self.push(column, packed_color(field, value));
                    column += 1;
                }
            }
        }
        if let Some(word) = words.next() {
            page.warn(
                word,
                format!("the file goes on after its {} points", header.n),
            );
        }
        Ok(())
    }

    fn read_bytes(&mut self, header: &Header, body: &[u8]) -> Result<(), Diagnostic> {
        let size = header.point_size();
        let fit = body.len() / size;
        if fit < header.n {
            let (end, n) = (header.end + body.len(), header.n);
            let message = format!("the file ends at byte {end}, after {fit} of {n} points");
            return Err(Diagnostic::error(message).in_file(self.page.file.path));
        }
        for point in body.chunks_exact(size).take(header.n) {
            let (mut rest, mut column) = (point, 0);
            for field in &header.fields {
                for _ in 0..field.count {
                    let value = field.scalar.read(rest).unwrap_or(f64::NAN);
                    self.push(column, packed_color(field, value));
                    rest = rest.get(field.scalar.size()..).unwrap_or_default();
                    column += 1;
                }
            }
        }
        Ok(())
    }

    /// Reads compressed points: all x, then all y, and so on.
    fn read_packed(&mut self, header: &Header, body: &[u8]) -> Result<(), Diagnostic> {
        let refuse = |message: String| Diagnostic::error(message).in_file(self.page.file.path);
        let end = header.end + body.len();
        let Some((sizes, body)) = words(body) else {
            let message = format!("the file ends at byte {end}, before its packed points");
            return Err(refuse(message));
        };
        let [packed, plain] = sizes.map(|size| usize::try_from(size).unwrap_or(usize::MAX));
        let needed = header.point_size().checked_mul(header.n);
        if needed != Some(plain) {
            let n = header.n;
            let message =
                format!("the packed points have {plain} bytes, which do not fit {n} points");
            return Err(refuse(message));
        }
        let Some(body) = body.get(..packed) else {
            let message = format!("the file ends at byte {end}, within its packed points");
            return Err(refuse(message));
        };
        let bytes = lzf::unpack(body, plain);
        let Some(bytes) = bytes else {
            return Err(refuse("the packed points cannot be unpacked".to_owned()));
        };
        let (mut at, mut column) = (0, 0);
        for field in &header.fields {
            let size = field.scalar.size();
            for i in 0..field.count {
                for k in 0..header.n {
                    let start = at + (k * field.count + i) * size;
                    let bytes = bytes.get(start..).unwrap_or(&[]);
                    let value = field.scalar.read(bytes).unwrap_or(f64::NAN);
                    self.push(column, packed_color(field, value));
                }
                column += 1;
            }
            at += size * field.count * header.n;
        }
        Ok(())
    }

    /// Builds the cloud, without the points that are NaN: a sensor writes NaN where it saw nothing.
    fn finish(self) -> Result<Geometry, Diagnostic> {
        let column = |k: usize| self.columns.get(k)?.as_ref().map(|(_, values)| values);
        let [Some(x), Some(y), Some(z)] = self.axes.map(column) else {
            return Err(self.page.ends("the points have no fields x, y and z"));
        };
        let all: Vec<Point> = x
            .iter()
            .zip(y)
            .zip(z)
            .map(|((x, y), z)| Point::new(*x, *y, *z))
            .collect();
        let is_there: Vec<bool> = all
            .iter()
            .map(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let points: Vec<Point> = all
            .into_iter()
            .filter(|p| p.iter().all(|x| x.is_finite()))
            .collect();
        let path = self.page.file.path;
        let lost = is_there.len() - points.len();
        if lost > 0 {
            let message = format!(
                "{lost} of {} points are not a number and left out",
                is_there.len()
            );
            let warning = Diagnostic::warning(message).in_file(path);
            self.page.file.add(warning);
        }
        if points.is_empty() {
            return Err(Diagnostic::error("the cloud has no point").in_file(path));
        }
        let mut cloud = PointCloud::new(points);
        for (i, column) in self.columns.into_iter().enumerate() {
            let Some((name, values)) = column.filter(|_| !self.axes.contains(&i)) else {
                continue;
            };
            let kept = values
                .into_iter()
                .zip(&is_there)
                .filter(|(_, is_there)| **is_there);
            let values = kept.map(|(value, _)| value).collect();
            cloud = cloud.and_then(|cloud| cloud.with_property(name, values));
        }
        Ok(cloud.map_err(|error| refused(error, path))?.into())
    }
}

/// Decodes a colour stored in the bits of a float into the whole number 65536 r + 256 g + b.
#[expect(
    clippy::cast_possible_truncation,
    reason = "what was written in single precision"
)]
fn packed_color(field: &Field, value: f64) -> f64 {
    let is_color = matches!(field.name.as_str(), "rgb" | "rgba") && field.scalar == Scalar::F32;
    if is_color {
        f64::from((value as f32).to_bits())
    } else {
        value
    }
}
