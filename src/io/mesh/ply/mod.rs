//! Reader of Stanford's PLY: meshes and point clouds, as text and in both byte orders.

mod header;
mod values;

use std::path::Path;

use super::color::single;
use super::found::{Colors, Triangles, refused};
use super::page::Page;
use super::polygon::triangulate;
use crate::Diagnostic;
use crate::geometry::{Geometry, PointCloud};
use crate::io::decode::to_text;
use crate::io::report::FileReport;
use crate::math::{Digits, Point};
use header::{Element, Encoding, Header, Kind, Property};
use values::{Bytes, Scalar, Values, Words};

/// Reads a file: a mesh if it has faces, else a point cloud.
pub(super) fn parse(bytes: Vec<u8>, file: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    let path = file.path;
    let mut header = Header::parse(&bytes, file)?;
    let mut reader = Reader::default();
    if header.encoding == Encoding::Text {
        let text = &to_text(bytes, file)?;
        // replaced bytes shift the end of the header
        header.end = Header::parse(text.as_bytes(), file)?.end;
        let mut values = Words::new(Page { text, file }, header.end);
        reader.read(&header, &mut values)?;
        values.warn_of_rest();
    } else {
        let mut values = Bytes {
            bytes: &bytes,
            at: header.end,
            encoding: header.encoding,
            path,
            element: Default::default(),
        };
        reader.read(&header, &mut values)?;
        if values.at < bytes.len() {
            let message = format!(
                "the file goes on after its last element, from byte {}",
                values.at
            );
            file.add(Diagnostic::warning(message).in_file(path));
        }
    }
    reader.finish(path)
}

/// Mesh or cloud read so far.
#[derive(Debug, Default)]
struct Reader {
    found: Triangles,
    /// Columns of the vertices other than coordinates.
    columns: Vec<(String, Vec<f64>)>,
    has_faces: bool,
}

/// Use of a column of the vertices.
#[derive(Debug)]
enum Role {
    X,
    Y,
    Z,
    /// Kept unchanged.
    Column(Vec<f64>),
}

impl Reader {
    fn read(&mut self, header: &Header, values: &mut impl Values) -> Result<(), Diagnostic> {
        for element in &header.elements {
            // rows without columns take no bytes, so that any count of them fits a file
            if element.properties.is_empty() {
                continue;
            }
            values.enter(&element.name, element.count);
            match element.name.as_str() {
                "vertex" => self.vertices(element, values)?,
                "face" => self.faces(element, values)?,
                "tristrips" => self.strips(element, values)?,
                _ => {
                    for row in 0..element.count {
                        values.row(row);
                        skip(&element.properties, values)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn vertices(&mut self, element: &Element, values: &mut impl Values) -> Result<(), Diagnostic> {
        let properties = &element.properties;
        let has = |axis: &str| scalar(properties, axis).is_some();
        if !["x", "y", "z"].into_iter().all(has) {
            return Err(values.error("the vertices have no x, y and z".to_owned()));
        }
        let role = |property: &Property| match property.name.as_str() {
            "x" => Role::X,
            "y" => Role::Y,
            "z" => Role::Z,
            _ => Role::Column(Vec::new()),
        };
        let mut roles: Vec<Role> = properties.iter().map(role).collect();
        for row in 0..element.count {
            values.row(row);
            let [mut x, mut y, mut z] = [0.0; 3];
            for (property, role) in properties.iter().zip(&mut roles) {
                let Kind::Scalar(kind) = property.kind else {
                    skip(std::slice::from_ref(property), values)?;
                    continue;
                };
                let value = values.next(kind)?;
                let coordinate = match role {
                    Role::X => &mut x,
                    Role::Y => &mut y,
                    Role::Z => &mut z,
                    Role::Column(column) => {
                        column.push(value);
                        continue;
                    }
                };
                if !value.is_finite() {
                    let message = format!("the coordinate `{}` is not finite", Digits(value));
                    return Err(values.error(message));
                }
                *coordinate = value;
            }
            self.found.vertices.push(Point::new(x, y, z));
        }
        for (property, role) in properties.iter().zip(roles) {
            if let Role::Column(column) = role {
                self.columns.push((property.name.clone(), column));
            }
        }
        self.found.materials.vertex_colors = self.vertex_colors(element);
        Ok(())
    }

    fn vertex_colors(&self, element: &Element) -> Vec<[f32; 4]> {
        let column = |name: &str| {
            let scalar = scalar(&element.properties, name)?;
            let (_, values) = self.columns.iter().find(|(known, _)| known == name)?;
            let full = scalar.full();
            let parts = values.iter().map(move |&value| unit(value, full));
            (values.len() == self.found.vertices.len()).then_some(parts)
        };
        let either = |long: &str, short: &str| column(long).or_else(|| column(short));
        let (Some(r), Some(g), Some(b)) = (
            either("red", "diffuse_red"),
            either("green", "diffuse_green"),
            either("blue", "diffuse_blue"),
        ) else {
            return Vec::new();
        };
        // opaque by default
        let a = column("alpha").into_iter().flatten();
        let a = a.chain(std::iter::repeat(1.0));
        let colors = r.zip(g).zip(b).zip(a);
        colors
            .map(|(((r, g), b), a)| single([r, g, b, a]))
            .collect()
    }

    fn faces(&mut self, element: &Element, values: &mut impl Values) -> Result<(), Diagnostic> {
        self.has_faces = self.has_faces || element.count > 0;
        let is_indices =
            |p: &Property| matches!(p.name.as_str(), "vertex_indices" | "vertex_index");
        let colors = ["red", "green", "blue", "alpha"]
            .map(|name| element.properties.iter().position(|p| p.name == name));
        let has_color = matches!(colors, [Some(_), Some(_), Some(_), _]);
        let mut materials = Colors::default();
        let mut indices = Vec::new();
        for row in 0..element.count {
            values.row(row);
            let mut color = [0.0, 0.0, 0.0, 1.0];
            let start = self.found.triangles.len();
            for (i, property) in element.properties.iter().enumerate() {
                match property.kind {
                    Kind::List { count, item } if is_indices(property) => {
                        let n = length(values, count)?;
                        indices.clear();
                        for _ in 0..n {
                            indices.push(self.vertex_index(values, item)?);
                        }
                        triangulate(&self.found.vertices, &indices, &mut self.found.triangles);
                    }
                    Kind::Scalar(kind) => {
                        let value = values.next(kind)?;
                        let parts = color.iter_mut().zip(colors);
                        for (part, _) in parts.filter(|(_, at)| *at == Some(i)) {
                            *part = unit(value, kind.full());
                        }
                    }
                    Kind::List { .. } => skip(std::slice::from_ref(property), values)?,
                }
            }
            if has_color {
                let material = materials.material(color, &mut self.found.materials);
                let end = self.found.triangles.len();
                self.found.materials.extend(start..end, material);
            }
        }
        Ok(())
    }

    /// Reads triangle strips, each ended by a negative index.
    fn strips(&mut self, element: &Element, values: &mut impl Values) -> Result<(), Diagnostic> {
        self.has_faces = self.has_faces || element.count > 0;
        for row in 0..element.count {
            values.row(row);
            for property in &element.properties {
                let Kind::List { count, item } = property.kind else {
                    skip(std::slice::from_ref(property), values)?;
                    continue;
                };
                let mut strip = Vec::new();
                for _ in 0..length(values, count)? {
                    let value = values.next(item)?;
                    if value < 0.0 {
                        strip.clear();
                        continue;
                    }
                    strip.push(self.index(value, values)?);
                    if let [.., a, b, c] = strip[..] {
                        let is_odd = strip.len() % 2 == 0;
                        self.found
                            .triangles
                            .push(if is_odd { [b, a, c] } else { [a, b, c] });
                    }
                }
            }
        }
        Ok(())
    }

    fn vertex_index(&self, values: &mut impl Values, kind: Scalar) -> Result<u32, Diagnostic> {
        let value = values.next(kind)?;
        self.index(value, values)
    }

    fn index(&self, value: f64, values: &impl Values) -> Result<u32, Diagnostic> {
        let n = self.found.vertices.len();
        whole(value).filter(|&i| (i as usize) < n).ok_or_else(|| {
            let message = format!(
                "`{}` is not the index of one of {n} vertices",
                Digits(value)
            );
            values.error(message)
        })
    }

    fn finish(mut self, path: &Path) -> Result<Geometry, Diagnostic> {
        if self.has_faces {
            return self.found.finish(path);
        }
        if self.found.vertices.is_empty() {
            return Err(Diagnostic::error("the file has neither faces nor points").in_file(path));
        }
        let n = self.found.vertices.len();
        let mut cloud = PointCloud::new(std::mem::take(&mut self.found.vertices));
        for (name, values) in self.columns {
            // a list has not been kept
            if values.len() == n {
                cloud = cloud.and_then(|cloud| cloud.with_property(name, values));
            }
        }
        Ok(cloud.map_err(|error| refused(error, path))?.into())
    }
}

fn scalar(properties: &[Property], name: &str) -> Option<Scalar> {
    let property = properties.iter().find(|property| property.name == name)?;
    match property.kind {
        Kind::Scalar(scalar) => Some(scalar),
        Kind::List { .. } => None,
    }
}

/// A colour component as a fraction of its full value, rounded to single precision.
fn unit(value: f64, full: f64) -> f64 {
    if full > 1.0 {
        let [value, full, ..] = single([value, full, 0.0, 0.0]);
        return f64::from((value / full).clamp(0.0, 1.0));
    }
    if value.is_finite() {
        value.clamp(0.0, 1.0)
    } else {
        1.0
    }
}

fn skip(properties: &[Property], values: &mut impl Values) -> Result<(), Diagnostic> {
    for property in properties {
        match property.kind {
            Kind::Scalar(kind) => drop(values.next(kind)?),
            Kind::List { count, item } => {
                for _ in 0..length(values, count)? {
                    values.next(item)?;
                }
            }
        }
    }
    Ok(())
}

/// Reads the length of a list.
fn length(values: &mut impl Values, kind: Scalar) -> Result<u32, Diagnostic> {
    let value = values.next(kind)?;
    whole(value)
        .ok_or_else(|| values.error(format!("`{}` is not the length of a list", Digits(value))))
}

/// Converts a number to a count; `None` if it is not a whole number in range.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what was checked to be a whole number in the range"
)]
fn whole(value: f64) -> Option<u32> {
    let fits = (0.0..=f64::from(u32::MAX)).contains(&value) && value.fract() == 0.0;
    fits.then_some(value as u32)
}
