//! Meshes with 16 bits per coordinate: at most 1/131070 of the size of the mesh from where they were.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::pack::Pack;
use crate::math::Point;
use crate::scene::SceneMesh;

/// Steps from one side of a mesh to the other.
const STEPS: f64 = 65535.0;

/// A vertex: its position in steps, and its colour, if vertices have one.
type Vertex = ([u16; 3], Option<[u8; 4]>);

/// Vertices, each once, numbered in the order of their first use.
#[derive(Default)]
struct Vertices {
    list: Vec<Vertex>,
    known: HashMap<Vertex, usize>,
}

impl Vertices {
    fn number(&mut self, vertex: Vertex) -> usize {
        let list = &mut self.list;
        *self.known.entry(vertex).or_insert_with(|| {
            list.push(vertex);
            list.len() - 1
        })
    }
}

/// A mesh as data; its numbers go to `pack`.
///
/// Of each coordinate the difference to that of the vertex before is kept, and of each index how far it lies below the next
/// unused vertex: both are mostly small numbers, which deflate well.
pub(super) fn mesh(of_scene: &SceneMesh, pack: &mut Pack) -> Value {
    let (low, high) = of_scene.bounds();
    let mesh = &of_scene.mesh;
    let colors = mesh.materials().map_or(&[][..], |m| &m.vertex_colors);
    let vertex = |i: usize| -> Vertex {
        let color = colors.get(i).map(|color| color.map(byte));
        (steps(&mesh.vertices()[i], &low, &high), color)
    };
    let mut vertices = Vertices::default();
    let (mut indices, mut next) = (Vec::new(), 0);
    let mut runs = Vec::new();
    for (run, material) in &of_scene.runs {
        let start = indices.len() / 3;
        for triangle in &mesh.triangles()[run.clone()] {
            let corners = triangle.map(|i| vertex(i as usize));
            let [a, b, c] = corners.map(|(point, _)| point);
            // the rounding may leave no area
            if a == b || b == c || c == a {
                continue;
            }
            for corner in corners {
                let index = vertices.number(corner);
                indices.push(next - index);
                next = next.max(index + 1);
            }
        }
        let n = indices.len() / 3 - start;
        if n > 0 {
            runs.push(json!([start, n, material]));
        }
    }
    if of_scene.is_cloud() {
        for i in 0..mesh.vertices().len() {
            vertices.number(vertex(i));
        }
    }
    let list = &vertices.list;
    let mut value = json!({
        "vertices": list.len(),
        "triangles": indices.len() / 3,
        "min": [low.x, low.y, low.z],
        "max": [high.x, high.y, high.z],
        "runs": runs,
        "points": pack.raw(&differences(list)),
        "indices": pack.raw(&numbers(&indices, list.len())),
    });
    if !colors.is_empty() {
        let bytes = list.iter().filter_map(|(_, color)| *color).flatten();
        value["colors"] = json!(pack.raw(&bytes.collect::<Vec<_>>()));
    }
    value
}

/// The differences of coordinates, one axis after the other.
fn differences(list: &[Vertex]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(6 * list.len());
    for axis in 0..3 {
        let mut before = 0_u16;
        for (point, _) in list {
            bytes.extend(point[axis].wrapping_sub(before).to_le_bytes());
            before = point[axis];
        }
    }
    bytes
}

/// Numbers of 16 bits where there are few vertices, else of 32.
fn numbers(indices: &[usize], n_vertices: usize) -> Vec<u8> {
    let is_short = n_vertices <= usize::from(u16::MAX);
    let mut bytes = Vec::with_capacity(4 * indices.len());
    for &index in indices {
        match u16::try_from(index) {
            Ok(short) if is_short => bytes.extend(short.to_le_bytes()),
            _ => {
                let long = u32::try_from(index).expect("a mesh has fewer than 2^32 vertices");
                bytes.extend(long.to_le_bytes());
            }
        }
    }
    bytes
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to 65535"
)]
fn steps(point: &Point, low: &Point, high: &Point) -> [u16; 3] {
    [0, 1, 2].map(|k| {
        let size = high[k] - low[k];
        match size > 0.0 {
            true => ((point[k] - low[k]) / size * STEPS).round() as u16,
            false => 0,
        }
    })
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 0 to 255"
)]
fn byte(x: f32) -> u8 {
    (x.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Geometry, Mesh};
    use crate::scene::Scene;
    use crate::world::{Terrain, WorldModel};

    /// Reads a mesh as the page does.
    fn unpacked(value: &Value, bytes: &[u8]) -> Vec<[Point; 3]> {
        let number = |key: &str| value[key].as_u64().unwrap() as usize;
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let corner = |key: &str, k: usize| value[key][k].as_f64().unwrap();
        let (n, at) = (number("vertices"), number("points"));
        let mut points = vec![Point::origin(); n];
        for axis in 0..3 {
            let mut step = 0_u16;
            for (i, point) in points.iter_mut().enumerate() {
                step = step.wrapping_add(short(at + 2 * (axis * n + i)));
                let (low, high) = (corner("min", axis), corner("max", axis));
                point[axis] = low + f64::from(step) / STEPS * (high - low);
            }
        }
        let (mut next, mut corners) = (0, Vec::new());
        for i in 0..3 * number("triangles") {
            let index = next - usize::from(short(number("indices") + 2 * i));
            next = next.max(index + 1);
            corners.push(points[index]);
        }
        corners.chunks(3).map(|c| [c[0], c[1], c[2]]).collect()
    }

    #[test]
    fn a_mesh_is_kept_to_half_a_step() {
        // a spiral of triangles, with vertices that are equal and one without area
        let mut points = Vec::new();
        let mut triangles = Vec::new();
        for i in 0..300_u32 {
            let t = f64::from(i) * 0.1;
            points.push(Point::new(t.cos() * t, t.sin() * t, 0.3 * t));
            points.push(points[points.len() / 2]);
            triangles.push([(i * 7) % 600, (i * 13 + 1) % 600, (i * 29 + 2) % 600]);
        }
        triangles.push([0, 0, 5]);
        points.resize(600, Point::new(1.0, 2.0, 3.0));
        let mesh = Mesh::new(points, triangles).unwrap();
        let mut world = WorldModel::new();
        let shape = Geometry::from(mesh.clone());
        world
            .add_terrain(Terrain::new("spiral", Some(shape)))
            .unwrap();
        let scene = Scene::new(&world, false);
        let mut pack = Pack::default();
        pack.raw(b"before");
        let value = super::mesh(&scene.meshes[0], &mut pack);
        let found = unpacked(&value, pack.bytes());
        let has_area = |[a, b, c]: &[Point; 3]| a != b && b != c && c != a;
        let expected: Vec<_> = mesh.triangle_vertices().filter(has_area).collect();
        assert_eq!(found.len(), expected.len());
        let (low, high) = scene.meshes[0].bounds();
        let step = (high - low).amax() / STEPS;
        for (a, b) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((a - b).amax() <= 0.501 * step, "{a} {b}");
        }
        assert!(value["vertices"].as_u64().unwrap() < 310);
    }
}
