//! Reader of Klampt's height maps: a JSON file that names an image of heights or depths, read as one mesh.
//!
//! Heights lie on a grid centred at the origin, `xsize` by `ysize` metres, the top row of the image at +y. Depths
//! are seen from the origin along +z with the fields of view `xfov` and `yfov`, the top row at −y. Black is the first number of
//! `height_range`, white the second.

use nalgebra::{Matrix3, Matrix4};

use super::companions::Companions;
use super::found::Triangles;
use super::image::Image;
use crate::Diagnostic;
use crate::io::json::{self, Node};
use crate::math::{Point, Vector};

const KEYS: [&str; 9] = [
    "type",
    "xsize",
    "ysize",
    "xfov",
    "yfov",
    "offset",
    "orientation",
    "height_range",
    "heights",
];

/// Largest image, in pixels; a small file can hold a huge image.
pub(super) const PIXELS: u64 = 1 << 24;

/// Reads a height map.
pub(super) fn parse(bytes: &[u8], companions: Companions<'_>) -> Result<Triangles, Diagnostic> {
    let path = companions.file.path;
    let value = json::parse(bytes, path)?;
    let root = Node::root(&value, path);
    let kind = root.member("type").and_then(|kind| kind.text().ok());
    if kind != Some("Heightmap") {
        let error = root.error("is not a height map: it has no \"type\": \"Heightmap\"");
        return Err(error.help("of the .json files only height maps are geometry"));
    }
    let mut found = Triangles::default();
    for key in value.as_object().into_iter().flat_map(|map| map.keys()) {
        // keys that begin with a hash are comments, as in Klampt's own files
        if key != "colors" && !KEYS.contains(&key.as_str()) && !key.starts_with('#') {
            let message = format!("`{key}` is ignored: it is not a key of height maps");
            companions.file.add(root.warning(&message));
        }
    }
    let view = View::of(&root)?;
    let [low, high] = root.needed("height_range")?.numbers()?;

    let heights = image(&root.needed("heights")?, companions)?;
    let (w, h) = (heights.width, heights.height);
    if w < 2 || h < 2 {
        let message = format!("needs an image of at least 2 by 2 pixels, got {w} by {h}");
        return Err(root.needed("heights")?.error(&message));
    }
    let luma = heights.luma();
    let rows = || luma.chunks_exact(w as usize);
    for i in 0..w {
        for (j, &gray) in (0..h).zip(rows().filter_map(|row| row.get(i as usize))) {
            let gray = f64::from(gray) / f64::from(u16::MAX);
            let [u, v] = [
                f64::from(i) / f64::from(w - 1),
                f64::from(j) / f64::from(h - 1),
            ];
            let p = view.point(u - 0.5, v - 0.5, low + (high - low) * gray);
            found.vertices.push(p);
        }
    }
    // columns of squares, each of two triangles that face up, or towards the camera
    for i in 0..w - 1 {
        for j in 0..h - 1 {
            let a = i * h + j;
            found.triangles.push([a, a + 1, a + h]);
            found.triangles.push([a + 1, a + h + 1, a + h]);
        }
    }
    if let Some(colors) = root.member("colors") {
        let image = image(&colors, companions)?;
        if (image.width, image.height) != (w, h) {
            let (cw, ch) = (image.width, image.height);
            let message = format!("is {cw} by {ch} pixels, the heights are {w} by {h}");
            return Err(colors.error(&message));
        }
        let pixels = image.rgba();
        let column = |i: u32| {
            let rows = pixels.chunks_exact(w as usize);
            rows.filter_map(move |row| row.get(i as usize))
        };
        let color = |rgba: &[u8; 4]| rgba.map(|byte| f32::from(byte) / 255.0);
        found.materials.vertex_colors = (0..w).flat_map(column).map(color).collect();
    }
    Ok(found)
}

/// Mapping from pixels to points.
#[derive(Debug)]
struct View {
    /// Size, m; for depths twice the tangents of half the fields of view.
    size: [f64; 2],
    sees_depths: bool,
    pose: Matrix4<f64>,
}

impl View {
    fn of(root: &Node<'_>) -> Result<Self, Diagnostic> {
        let sees_depths = root.member("xsize").is_none() && root.member("xfov").is_some();
        let names = if sees_depths {
            ["xfov", "yfov"]
        } else {
            ["xsize", "ysize"]
        };
        let mut size = [0.0; 2];
        for (size, name) in size.iter_mut().zip(names) {
            let node = root.needed(name)?;
            let number = node.number()?;
            let largest = if sees_depths {
                std::f64::consts::PI
            } else {
                f64::MAX
            };
            if !(number > 0.0 && number < largest) {
                return Err(node.error("must be positive, and an angle less than half a turn"));
            }
            *size = if sees_depths {
                2.0 * (number / 2.0).tan()
            } else {
                number
            };
        }
        let mut pose = Matrix4::identity();
        if let Some(rows) = root.member("orientation") {
            let rows_of = root.list("orientation")?;
            let [a, b, c] = rows_of.as_slice() else {
                return Err(rows.error("must be a list of 3 rows"));
            };
            let rows = [a.numbers::<3>()?, b.numbers::<3>()?, c.numbers::<3>()?];
            let turn = Matrix3::from_row_slice(rows.as_flattened());
            pose.fixed_view_mut::<3, 3>(0, 0).copy_from(&turn);
        }
        if let Some(offset) = root.member("offset") {
            let offset = Vector::from(offset.numbers::<3>()?);
            pose.fixed_view_mut::<3, 1>(0, 3).copy_from(&offset);
        }
        Ok(Self {
            size,
            sees_depths,
            pose,
        })
    }

    /// The point of a pixel; `u` and `v` range from −½ to ½, `v` downwards.
    fn point(&self, u: f64, v: f64, height: f64) -> Point {
        let [x, y] = self.size;
        let p = if self.sees_depths {
            Point::new(u * x * height, v * y * height, height)
        } else {
            Point::new(u * x, -v * y, height)
        };
        self.pose.transform_point(&p)
    }
}

/// Reads the image that a member names.
fn image(name: &Node<'_>, companions: Companions<'_>) -> Result<Image, Diagnostic> {
    let file = companions.read(name.text()?).map_err(|error| {
        let reason = match &error.path {
            Some(path) => format!("{}: {}", path.display(), error.message),
            None => error.message.clone(),
        };
        let placed = name.error(&reason);
        Diagnostic {
            help: error.help,
            ..placed
        }
    })?;
    let vertices = u64::try_from(companions.limits.vertices).unwrap_or(u64::MAX);
    Image::decode(&file.bytes, &file.path, PIXELS.min(vertices))
}
