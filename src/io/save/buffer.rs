//! The binary chunk of a `.glb`, and the accessors of its numbers.

use serde_json::{Map, Value, json};

use crate::math::Point;

/// Numbers of a file, with their descriptions.
#[derive(Debug, Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

/// Component types.
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;
/// What a view is for.
const ATTRIBUTES: u32 = 34962;
const INDICES: u32 = 34963;

impl Buffer {
    /// Adds positions in single precision; returns the index of their accessor.
    pub(super) fn positions(&mut self, points: &[Point]) -> usize {
        let (mut low, mut high) = ([f32::INFINITY; 3], [f32::NEG_INFINITY; 3]);
        let start = self.bytes.len();
        for point in points {
            for (k, x) in point.iter().enumerate() {
                let x = single(*x);
                if let (Some(low), Some(high)) = (low.get_mut(k), high.get_mut(k)) {
                    (*low, *high) = (low.min(x), high.max(x));
                }
                self.bytes.extend(x.to_le_bytes());
            }
        }
        let accessor = json!({
            "componentType": F32,
            "count": points.len(),
            "type": "VEC3",
            "min": low,
            "max": high,
        });
        self.described(start, ATTRIBUTES, accessor)
    }

    /// Adds colours; returns the index of their accessor.
    pub(super) fn colors(&mut self, colors: impl ExactSizeIterator<Item = [f64; 4]>) -> usize {
        let (start, n) = (self.bytes.len(), colors.len());
        for x in colors.flatten() {
            self.bytes.extend(single(x).to_le_bytes());
        }
        let accessor = json!({ "componentType": F32, "count": n, "type": "VEC4" });
        self.described(start, ATTRIBUTES, accessor)
    }

    /// Adds triangles of a mesh with so many vertices; returns the index of their accessor.
    pub(super) fn indices(&mut self, triangles: &[[u32; 3]], n_vertices: usize) -> usize {
        let start = self.bytes.len();
        // the largest number of a type is not an index
        let is_short = n_vertices <= usize::from(u16::MAX);
        for &index in triangles.iter().flatten() {
            match u16::try_from(index) {
                Ok(index) if is_short => self.bytes.extend(index.to_le_bytes()),
                _ => self.bytes.extend(index.to_le_bytes()),
            }
        }
        let accessor = json!({
            "componentType": if is_short { U16 } else { U32 },
            "count": 3 * triangles.len(),
            "type": "SCALAR",
        });
        self.described(start, INDICES, accessor)
    }

    /// Describes the bytes from `start` on by a view and an accessor; returns the index of the latter.
    fn described(&mut self, start: usize, target: u32, mut accessor: Value) -> usize {
        self.views.push(json!({
            "buffer": 0,
            "byteOffset": start,
            "byteLength": self.bytes.len() - start,
            "target": target,
        }));
        put(&mut accessor, "bufferView", json!(self.views.len() - 1));
        self.accessors.push(accessor);
        // every number begins at a multiple of its size
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        self.accessors.len() - 1
    }

    /// The file of a document whose numbers these are.
    pub(super) fn into_glb(self, mut document: Map<String, Value>) -> Result<Vec<u8>, String> {
        if !self.bytes.is_empty() {
            let buffer = json!([{ "byteLength": self.bytes.len() }]);
            document.insert("buffers".to_owned(), buffer);
            document.insert("bufferViews".to_owned(), self.views.into());
            document.insert("accessors".to_owned(), self.accessors.into());
        }
        let mut text = serde_json::to_vec(&document).map_err(|error| error.to_string())?;
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut chunks = Vec::with_capacity(text.len() + self.bytes.len() + 28);
        let mut chunk = |kind: &[u8; 4], bytes: &[u8]| {
            let length = u32::try_from(bytes.len()).map_err(|_| TOO_LARGE.to_owned())?;
            chunks.extend(length.to_le_bytes());
            chunks.extend(kind);
            chunks.extend(bytes);
            Ok::<(), String>(())
        };
        chunk(b"JSON", &text)?;
        if !self.bytes.is_empty() {
            chunk(b"BIN\0", &self.bytes)?;
        }
        let whole = u32::try_from(chunks.len() + 12).map_err(|_| TOO_LARGE.to_owned())?;
        let mut file = Vec::with_capacity(chunks.len() + 12);
        file.extend(b"glTF");
        file.extend(2_u32.to_le_bytes());
        file.extend(whole.to_le_bytes());
        file.extend(chunks);
        Ok(file)
    }
}

/// Sets a member of an object.
pub(super) fn put(object: &mut Value, key: &str, value: impl Into<Value>) {
    if let Value::Object(members) = object {
        members.insert(key.to_owned(), value.into());
    }
}

const TOO_LARGE: &str = "is larger than the 4 GiB that a .glb can hold";

/// Rounds to single precision.
#[expect(
    clippy::cast_possible_truncation,
    reason = "the nearest number of single precision is what is wanted"
)]
fn single(x: f64) -> f32 {
    x as f32
}
