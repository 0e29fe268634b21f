//! Decomposition of a shape into small cells, each the hull of a few points.

use super::bounding::Padded;
use crate::geometry::polygon::clipped;
use crate::geometry::{Aabb, Geometry, PrimitiveKind, Shape, query};
use crate::math::{Point, Pose, Vector};

/// Cuts a shape into cells, more and smaller ones for more spheres: each the hull of these points.
pub(super) fn cells(geometry: &Geometry, spheres: usize) -> Vec<Padded> {
    let wanted = (16 * spheres).clamp(128, 1024).max(spheres);
    let mut parts = Vec::new();
    gather(geometry, &Pose::identity(), 0.0, &mut parts);
    let mut cells: Vec<Cell<'_>> = parts.iter().filter_map(Cell::of).collect();
    while cells.len() < wanted {
        let largest = (0..cells.len()).max_by(|&i, &j| cells[i].size.total_cmp(&cells[j].size));
        let Some(i) = largest.filter(|&i| cells[i].size > 0.0) else {
            break;
        };
        let cell = cells.swap_remove(i);
        cells.extend(cell.halves());
    }
    let contents = cells.iter().map(Cell::content);
    contents.filter(|content| !content.is_empty()).collect()
}

/// Faces of one shape, and the shape itself where its inside counts.
struct Part {
    faces: Vec<Face>,
    solid: Option<(Geometry, Pose)>,
}

/// A flat convex face, an edge or a point: the hull of its vertices, inflated by `pad`.
#[derive(Debug, Clone)]
struct Face {
    vertices: Vec<Point>,
    pad: f64,
}

/// The part of a shape in a box.
struct Cell<'a> {
    bounds: Aabb,
    faces: Vec<Face>,
    part: &'a Part,
    /// The longest side of the content; 0 where cutting makes nothing smaller.
    size: f64,
    axis: usize,
}

/// Collects the parts of a shape, inflated by `pad`.
fn gather(geometry: &Geometry, pose: &Pose, pad: f64, out: &mut Vec<Part>) {
    let pad = pad + geometry.margin();
    let surface = |faces| Part { faces, solid: None };
    let face = |vertices: Vec<Point>, pad| Face {
        vertices: vertices.iter().map(|p| pose * p).collect(),
        pad,
    };
    match geometry.shape() {
        Shape::Group(members) => {
            for (x, member) in members {
                gather(member, &(pose * x), pad, out);
            }
        }
        Shape::Cloud(cloud) => {
            let points = cloud.points().iter();
            out.push(surface(points.map(|p| face(vec![*p], pad)).collect()));
        }
        Shape::Primitive(primitive) => match *primitive.kind() {
            PrimitiveKind::Point(p) => out.push(surface(vec![face(vec![p], pad)])),
            PrimitiveKind::Segment { a, b } => out.push(surface(vec![face(vec![a, b], pad)])),
            PrimitiveKind::Sphere { center, radius } => {
                out.push(surface(vec![face(vec![center], pad + radius)]));
            }
            PrimitiveKind::Capsule { a, b, radius } => {
                out.push(surface(vec![face(vec![a, b], pad + radius)]));
            }
            _ => triangles(geometry, pose, pad + lost(primitive.kind()), out),
        },
        Shape::Hull(_) => triangles(geometry, pose, pad, out),
        Shape::Mesh(mesh) => {
            // the inside of a mesh with holes is not bounded by its triangles, but by its hull
            let hull = (geometry.is_solid() && !mesh.is_closed())
                .then(|| geometry.to_hull().ok())
                .flatten();
            match hull {
                Some(hull) => triangles(&hull.into(), pose, pad, out),
                None => triangles(geometry, pose, pad, out),
            }
        }
    }
}

fn triangles(geometry: &Geometry, pose: &Pose, pad: f64, out: &mut Vec<Part>) {
    let Ok(mesh) = geometry.to_mesh() else { return };
    let face = |vertices: [Point; 3]| Face {
        vertices: vertices.iter().map(|p| pose * p).collect(),
        pad,
    };
    let solid = matches!(geometry.shape(), Shape::Primitive(p) if is_flat(p.kind()));
    let solid = (geometry.is_solid() && !solid).then(|| (geometry.clone(), *pose));
    out.push(Part {
        faces: mesh.triangle_vertices().map(face).collect(),
        solid,
    });
}

fn is_flat(kind: &PrimitiveKind) -> bool {
    matches!(
        kind,
        PrimitiveKind::Triangle { .. } | PrimitiveKind::Polygon { .. }
    )
}

/// Distance of a round shape from its inscribed triangulation, at most: a fortieth of the radius, a little more than
/// the 2.46 % of a sphere of ten stacks and twenty sides.
fn lost(kind: &PrimitiveKind) -> f64 {
    match kind {
        PrimitiveKind::Cylinder { radius, .. } => 0.025 * radius,
        PrimitiveKind::Ellipsoid { radii, .. } => 0.025 * radii.amax(),
        _ => 0.0,
    }
}

impl<'a> Cell<'a> {
    fn of(part: &'a Part) -> Option<Self> {
        let vertices = part.faces.iter().flat_map(|face| face.vertices.iter());
        let bounds = Aabb::around(vertices.copied())?;
        Some(Self::new(bounds, part.faces.clone(), part))
    }

    fn new(bounds: Aabb, faces: Vec<Face>, part: &'a Part) -> Self {
        let mut cell = Self {
            bounds,
            faces,
            part,
            size: 0.0,
            axis: 0,
        };
        let vertices = cell.faces.iter().flat_map(|face| face.vertices.iter());
        let mut inside = Aabb::around(vertices.copied());
        match &cell.part.solid {
            // a surface needs no larger box than its faces
            None => cell.bounds = inside.unwrap_or(bounds),
            Some(_) if cell.is_inside(&bounds.center()) => inside = Some(bounds),
            Some(_) => {}
        }
        if let Some(inside) = inside {
            let sides = inside.max - inside.min;
            cell.axis = sides.imax();
            cell.size = sides[cell.axis];
        }
        cell
    }

    fn halves(self) -> impl Iterator<Item = Self> {
        let at = self.bounds.center()[self.axis];
        let (mut low, mut high) = (self.bounds, self.bounds);
        low.max[self.axis] = at;
        high.min[self.axis] = at;
        let axis = Vector::ith(self.axis, 1.0);
        let (part, is_solid) = (self.part, self.part.solid.is_some());
        let half = move |bounds: Aabb, normal: Vector, offset: f64| {
            let cut = self.faces.iter().filter_map(|face| {
                let vertices = clipped(&face.vertices, &normal, offset);
                let pad = face.pad;
                (!vertices.is_empty()).then_some(Face { vertices, pad })
            });
            let faces: Vec<Face> = cut.collect();
            let cell = Self::new(bounds, faces, part);
            let holds = !cell.faces.is_empty() || (is_solid && cell.size > 0.0);
            holds.then_some(cell)
        };
        [half(low, axis, at), half(high, -axis, -at)]
            .into_iter()
            .flatten()
    }

    /// Vertices of faces, and the corners of the box that are inside.
    fn content(&self) -> Padded {
        let of_face = |face: &'_ Face| {
            let pad = face.pad;
            let vertices = face.vertices.iter();
            vertices.map(move |&p| (p, pad)).collect::<Vec<_>>()
        };
        let mut points: Vec<(Point, f64)> = self.faces.iter().flat_map(of_face).collect();
        if self.part.solid.is_some() {
            let pad = self.part.faces.first().map_or(0.0, |face| face.pad);
            let Aabb { min, max } = self.bounds;
            for i in 0..8 {
                let p = Point::from(Vector::from_fn(|k, _| [min, max][i >> k & 1][k]));
                if self.is_inside(&p) {
                    points.push((p, pad));
                }
            }
        }
        // neighbouring faces share vertices
        let key = |(p, pad): &(Point, f64)| [p.x, p.y, p.z, *pad].map(f64::to_bits);
        points.sort_unstable_by_key(key);
        points.dedup_by_key(|point| key(point));
        let mut content = Padded::default();
        for (p, pad) in &points {
            content.push(p, *pad);
        }
        content
    }

    fn is_inside(&self, p: &Point) -> bool {
        let solid = self.part.solid.as_ref();
        solid.is_some_and(|(shape, pose)| query::contains_point_at((shape, pose), p))
    }
}
