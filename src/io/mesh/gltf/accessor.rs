//! Accessors: numbers in buffers, which are part of the file, separate files, or base64 data addresses.

use std::collections::HashMap;
use std::rc::Rc;

use crate::Diagnostic;
use crate::io::json::Node;
use crate::io::mesh::companions::Companions;

/// The buffers of a file, read on first use.
#[derive(Debug)]
pub(super) struct Buffers<'a> {
    root: Node<'a>,
    binary: Option<&'a [u8]>,
    pub(super) companions: Companions<'a>,
    read: HashMap<usize, Rc<[u8]>>,
}

/// Rows of numbers.
#[derive(Debug)]
pub(super) struct Rows {
    /// Numbers per row.
    pub(super) width: usize,
    pub(super) numbers: Vec<f64>,
}

impl<'a> Buffers<'a> {
    pub(super) fn new(
        root: Node<'a>,
        binary: Option<&'a [u8]>,
        companions: Companions<'a>,
    ) -> Self {
        Self {
            root,
            binary,
            companions,
            read: HashMap::new(),
        }
    }

    /// The numbers of an accessor; `reference` holds its index.
    pub(super) fn rows(&mut self, reference: &Node<'a>) -> Result<Rows, Diagnostic> {
        let accessor = reference.in_list(&self.root, "accessors")?;
        let count = accessor.needed("count")?.index()?;
        let kind = Kind::of(&accessor)?;
        let width = match accessor.needed("type")?.text()? {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            other => {
                let message = format!("is of type {other}, where numbers or vectors were expected");
                return Err(accessor.error(&message));
            }
        };
        let is_normalized = accessor.member("normalized").is_some_and(|n| n.is_true());
        let scale = if is_normalized { kind.full() } else { 1.0 };
        let mut numbers = match accessor.member("bufferView") {
            Some(view) => {
                let offset = accessor.index_or_zero("byteOffset")?;
                self.view(&accessor, &view, offset, [count, width], kind)?
            }
            None => {
                // zeros, most of which a sparse accessor may leave unused
                let limit = self.companions.limits.vertices;
                if accessor.member("sparse").is_none() || count > limit {
                    return Err(accessor.error("has no `bufferView`"));
                }
                vec![0.0; count.saturating_mul(width)]
            }
        };
        if let Some(sparse) = accessor.member("sparse") {
            self.replace(&sparse, &mut numbers, width, kind)?;
        }
        if is_normalized {
            numbers.iter_mut().for_each(|x| *x = (*x / scale).max(-1.0));
        }
        Ok(Rows { width, numbers })
    }

    /// The numbers in a buffer view.
    fn view(
        &mut self,
        accessor: &Node<'a>,
        reference: &Node<'a>,
        offset: usize,
        [count, width]: [usize; 2],
        kind: Kind,
    ) -> Result<Vec<f64>, Diagnostic> {
        let view = reference.in_list(&self.root, "bufferViews")?;
        let buffer = self.buffer(&view.needed("buffer")?)?;
        let start = view.index_or_zero("byteOffset")?;
        let length = view.needed("byteLength")?.index()?;
        let end = start.checked_add(length);
        let body = end.and_then(|end| buffer.get(start..end));
        let Some(body) = body else {
            let n = buffer.len();
            return Err(view.error(&format!("ends beyond its buffer, which has {n} bytes")));
        };
        let row = width * kind.size();
        let stride = match view.index_or_zero("byteStride")? {
            0 => row,
            stride if stride >= row => stride,
            stride => {
                let message =
                    format!("`byteStride` is {stride}, less than the {row} bytes of a row");
                return Err(view.error(&message));
            }
        };
        // the last row need not be followed by padding
        let rows = body.get(offset..).unwrap_or(&[]);
        let fit = if rows.len() < row {
            0
        } else {
            (rows.len() - row) / stride + 1
        };
        if count > fit {
            let message = format!("needs {count} rows, its buffer ends after {fit}");
            return Err(accessor.error(&message));
        }
        let mut numbers = Vec::with_capacity(count * width);
        for row_bytes in rows.chunks(stride).take(count) {
            let numbers_of_row = row_bytes.chunks_exact(kind.size()).take(width);
            numbers.extend(numbers_of_row.map(|bytes| kind.read(bytes)));
        }
        Ok(numbers)
    }

    /// Replaces rows by those of a sparse accessor.
    fn replace(
        &mut self,
        sparse: &Node<'a>,
        numbers: &mut [f64],
        width: usize,
        kind: Kind,
    ) -> Result<(), Diagnostic> {
        let count = sparse.needed("count")?.index()?;
        let (index_node, values) = (sparse.needed("indices")?, sparse.needed("values")?);
        let mut part = |of: &Node<'a>, width: usize, kind: Kind| {
            let offset = of.index_or_zero("byteOffset")?;
            let view = of.needed("bufferView")?;
            self.view(of, &view, offset, [count, width], kind)
        };
        let indices = part(&index_node, 1, Kind::of(&index_node)?)?;
        let rows = part(&values, width, kind)?;
        for (index, row) in indices.iter().zip(rows.chunks_exact(width)) {
            let start = whole(*index).and_then(|i| i.checked_mul(width));
            let target = start.and_then(|start| numbers.get_mut(start..)?.get_mut(..width));
            let Some(target) = target else {
                return Err(index_node.error(&format!("there is no row {index}")));
            };
            target.copy_from_slice(row);
        }
        Ok(())
    }

    fn buffer(&mut self, reference: &Node<'a>) -> Result<Rc<[u8]>, Diagnostic> {
        let index = reference.index()?;
        if let Some(known) = self.read.get(&index) {
            return Ok(Rc::clone(known));
        }
        let buffer = reference.in_list(&self.root, "buffers")?;
        let bytes: Rc<[u8]> = match buffer.member("uri") {
            Some(uri) => self.fetch(&uri)?,
            None => match self.binary.filter(|_| index == 0) {
                Some(binary) => binary.into(),
                None => return Err(buffer.error("has no `uri`, and the file has no bytes for it")),
            },
        };
        self.read.insert(index, Rc::clone(&bytes));
        Ok(bytes)
    }

    fn fetch(&mut self, uri: &Node<'a>) -> Result<Rc<[u8]>, Diagnostic> {
        let text = uri.text()?;
        if let Some(data) = text.strip_prefix("data:") {
            let packed = data.split_once(";base64,").map(|(_, packed)| packed);
            let bytes = packed.and_then(from_base64);
            let broken = || uri.error("is a data address, but not valid base64");
            return Ok(bytes.ok_or_else(broken)?.into());
        }
        let found = self.companions.read(&unescaped(text)).map_err(|error| {
            let reason = match &error.path {
                Some(path) => format!("{}: {}", path.display(), error.message),
                None => error.message.clone(),
            };
            let placed = uri.error(&reason);
            Diagnostic {
                help: error.help,
                ..placed
            }
        })?;
        Ok(found.bytes.into())
    }
}

/// Component types.
#[derive(Debug, Clone, Copy)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Kind {
    fn of(accessor: &Node<'_>) -> Result<Self, Diagnostic> {
        let number = accessor.needed("componentType")?;
        Ok(match number.index()? {
            5120 => Self::I8,
            5121 => Self::U8,
            5122 => Self::I16,
            5123 => Self::U16,
            5125 => Self::U32,
            5126 => Self::F32,
            other => return Err(number.error(&format!("{other} is not a component type"))),
        })
    }

    fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    fn full(self) -> f64 {
        match self {
            Self::I8 => i8::MAX.into(),
            Self::U8 => u8::MAX.into(),
            Self::I16 => i16::MAX.into(),
            Self::U16 => u16::MAX.into(),
            Self::U32 | Self::F32 => 1.0,
        }
    }

    /// Decodes a number from its little-endian bytes.
    fn read(self, bytes: &[u8]) -> f64 {
        let four = |k: usize| bytes.get(k).copied().unwrap_or(0);
        let two = [four(0), four(1)];
        match self {
            Self::I8 => i8::from_le_bytes([four(0)]).into(),
            Self::U8 => four(0).into(),
            Self::I16 => i16::from_le_bytes(two).into(),
            Self::U16 => u16::from_le_bytes(two).into(),
            Self::U32 => u32::from_le_bytes(std::array::from_fn(four)).into(),
            Self::F32 => f32::from_le_bytes(std::array::from_fn(four)).into(),
        }
    }
}

/// Converts a number to an index; `None` if it is not a whole number in range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what was checked to be a whole number in the range"
)]
pub(super) fn whole(x: f64) -> Option<usize> {
    let fits = (0.0..=f64::from(u32::MAX)).contains(&x) && x.fract() == 0.0;
    fits.then_some(x as usize)
}

/// Decodes base64; padding at the end is optional.
fn from_base64(text: &str) -> Option<Vec<u8>> {
    let letters = text.trim_end_matches('=').bytes();
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    // `bits` holds the `n` < 8 bits not yet put out
    let (mut bits, mut n) = (0_u32, 0_u32);
    for letter in letters {
        let value = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => return None,
        };
        bits = bits << 6 | u32::from(value);
        n += 6;
        if n >= 8 {
            n -= 8;
            bytes.extend(u8::try_from(bits >> n));
            bits &= (1 << n) - 1;
        }
    }
    Some(bytes)
}

/// Decodes percent escapes of a URI: `%20` is a space.
fn unescaped(uri: &str) -> String {
    let bytes = uri.as_bytes();
    let mut name = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(&byte) = bytes.get(i) {
        let code = uri.get(i + 1..i + 3).filter(|_| byte == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(code) => {
                name.push(code);
                i += 3;
            }
            None => {
                name.push(byte);
                i += 1;
            }
        }
    }
    String::from_utf8_lossy(&name).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_escapes_are_read() {
        assert_eq!(from_base64("TWFu").unwrap(), b"Man");
        assert_eq!(from_base64("TWE=").unwrap(), b"Ma");
        assert_eq!(from_base64("TQ").unwrap(), b"M");
        assert_eq!(from_base64("T!Q="), None);
        assert_eq!(unescaped("my%20part.bin%"), "my part.bin%");
    }
}
