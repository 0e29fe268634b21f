//! Geometries compiled for queries.

use super::bvh::{self, Node, Threads};
use super::hull_vertices::HullVertices;
use super::inside;
use super::piece::{Convex, Core, Piece};
use super::support_table::SupportTable;
use super::wide::Wide;
use super::wide_search::FEW_PIECES;
use crate::geometry::check::orthonormal;
use crate::geometry::mesh::{is_degenerate, strays};
use crate::geometry::{Aabb, Geometry, Mesh, Primitive, PrimitiveKind, Shape};
use crate::math::{Point, Pose, Simd, Vector};

/// The pieces of a geometry under a tree of boxes, in the geometry's frame.
#[derive(Debug)]
pub(in crate::geometry) struct Body {
    pub(super) nodes: Vec<Node>,
    /// The same tree for many boxes at once.
    pub(super) wide: Option<Wide>,
    /// Present for a body with a wide tree and more than a few pieces.
    pub(super) support_table: Option<SupportTable>,
    /// In the order of the leaves.
    pub(in crate::geometry) pieces: Vec<Piece>,
    pub(in crate::geometry) parts: Vec<Part>,
    /// Largest distance of any point from the origin of the frame.
    pub(in crate::geometry) bounding_radius: f64,
    anchors: std::sync::OnceLock<Vec<Point>>,
}

/// A geometry that is not a group.
#[derive(Debug, Clone)]
pub(in crate::geometry) struct Part {
    /// The index in the outermost group, 0 outside groups.
    pub(in crate::geometry) member: u32,
    /// True for a member of a group that is a mesh marked as solid.
    pub(in crate::geometry) solid: bool,
    /// The box around it, `None` where it is empty.
    pub(in crate::geometry) bounds: Option<Aabb>,
}

impl Body {
    /// Compiles a geometry; queries add its own margin.
    pub(in crate::geometry) fn new(geometry: &Geometry, threads: Threads) -> Self {
        let mut builder = Builder::default();
        builder.add(geometry, &Pose::identity(), 0.0, None);
        let (nodes, pieces) = bvh::build(builder.pieces, threads);
        let bounding_radius = nodes
            .first()
            .map_or(0.0, |root| (root.center.coords.abs() + root.half).norm());
        let mut body = Self {
            wide: Wide::new(&nodes, &pieces, Simd::chosen()),
            support_table: None,
            nodes,
            pieces,
            parts: builder.parts,
            bounding_radius,
            anchors: std::sync::OnceLock::new(),
        };
        if body.pieces.len() > FEW_PIECES && body.is_sound() {
            let support_table = body
                .wide
                .as_ref()
                .map(|wide| SupportTable::new(&body, wide));
            body.support_table = support_table;
        }
        body
    }

    /// A box around everything, margins of group members included, `None` where there is nothing.
    #[inline]
    pub(in crate::geometry) fn bounds(&self) -> Option<Aabb> {
        let root = self.nodes.first()?;
        Some(Aabb {
            min: root.center - root.half,
            max: root.center + root.half,
        })
    }

    /// Returns whether lengths can be raised to the powers that queries need; a group may even hold a pose that is not
    /// finite.
    #[inline]
    pub(in crate::geometry) fn is_sound(&self) -> bool {
        self.bounding_radius <= FARTHEST
    }

    /// Computes the anchors for queries with solid meshes, otherwise computed by the first of them.
    pub(in crate::geometry) fn prepare_for_solids(&self) {
        self.anchors();
    }

    /// One point of every connected part of the shape.
    #[inline]
    pub(in crate::geometry) fn anchors(&self) -> &[Point] {
        self.anchors.get_or_init(|| inside::anchors(&self.pieces))
    }
}

/// The sixth power of this is still finite.
pub(in crate::geometry) const FARTHEST: f64 = 1e50;

#[derive(Default)]
struct Builder {
    pieces: Vec<Piece>,
    parts: Vec<Part>,
}

impl Builder {
    fn add(&mut self, geometry: &Geometry, pose: &Pose, margin: f64, member: Option<u32>) {
        if let Shape::Group(members) = geometry.shape() {
            for (i, (x, inner)) in (0_u32..).zip(members) {
                let pose = pose * orthonormal(x);
                self.add(inner, &pose, margin + inner.margin(), member.or(Some(i)));
            }
            return;
        }
        let part = u32::try_from(self.parts.len()).unwrap_or(u32::MAX);
        let first = self.pieces.len();
        let mut push = |core: Core, radius: f64, element: u32| {
            self.pieces.push(Piece {
                core,
                radius,
                margin,
                part,
                element,
            });
        };
        match geometry.shape() {
            Shape::Group(_) => {}
            Shape::Mesh(mesh) => {
                for (i, vertices) in (0..).zip(mesh.triangle_vertices()) {
                    if !is_degenerate(&vertices) {
                        push(Core::Triangle(vertices.map(|p| pose * p)), 0.0, i);
                    }
                }
                for ([a, b], i) in strays(mesh) {
                    let core = if a == b {
                        Core::Point([pose * a])
                    } else {
                        Core::Segment([pose * a, pose * b])
                    };
                    push(core, 0.0, i);
                }
            }
            Shape::Cloud(cloud) => {
                for (i, p) in (0..).zip(cloud.points()) {
                    push(Core::Point([pose * p]), 0.0, i);
                }
            }
            Shape::Hull(hull) => push(solid(hull_of(hull.surface(), pose)), 0.0, 0),
            Shape::Primitive(primitive) => add_primitive(primitive, pose, push),
        }
        let around = self.pieces[first..].iter().map(Piece::aabb);
        self.parts.push(Part {
            member: member.unwrap_or(0),
            solid: member.is_some()
                && matches!(geometry.shape(), Shape::Mesh(_))
                && geometry.is_solid(),
            bounds: around.reduce(|a, b| a.union(&b)),
        });
    }
}

fn add_primitive(primitive: &Primitive, x: &Pose, mut push: impl FnMut(Core, f64, u32)) {
    let mut add = |core, radius| push(core, radius, 0);
    match primitive.kind() {
        PrimitiveKind::Point(p) => add(Core::Point([x * p]), 0.0),
        PrimitiveKind::Segment { a, b } => add(Core::Segment([x * a, x * b]), 0.0),
        PrimitiveKind::Triangle { a, b, c } => add(Core::Triangle([x * a, x * b, x * c]), 0.0),
        PrimitiveKind::Sphere { center, radius } => add(Core::Point([x * center]), *radius),
        PrimitiveKind::Capsule { a, b, radius } => add(Core::Segment([x * a, x * b]), *radius),
        PrimitiveKind::Polygon { .. } => {
            let mesh = primitive.to_mesh().expect("a polygon has triangles");
            for vertices in mesh.triangle_vertices() {
                add(Core::Triangle(vertices.map(|p| x * p)), 0.0);
            }
        }
        PrimitiveKind::Aabb(aabb) => {
            let center =
                Pose::from_parts(aabb.center().coords.into(), nalgebra::Rotation3::identity());
            add(
                solid(Convex::cuboid(&(x * center), &(aabb.max - aabb.min))),
                0.0,
            );
        }
        PrimitiveKind::Box { pose, size } => {
            add(solid(Convex::cuboid(&(x * orthonormal(pose)), size)), 0.0);
        }
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => {
            let cylinder = Convex::Cylinder {
                center: x * center,
                axis: x * axis,
                radius: *radius,
                half: height * 0.5,
            };
            add(solid(cylinder), 0.0);
        }
        PrimitiveKind::Ellipsoid { pose, radii } => {
            let pose = x * orthonormal(pose);
            let ellipsoid = Convex::Ellipsoid {
                center: pose.translation.vector.into(),
                axes: pose.rotation,
                radii: *radii,
            };
            add(solid(ellipsoid), 0.0);
        }
    }
}

fn solid(convex: Convex) -> Core {
    Core::Convex(Box::new(convex))
}

fn hull_of(surface: &Mesh, x: &Pose) -> Convex {
    let plane = |[a, b, c]: [Point; 3]| {
        let normal: Vector = (x * (b - a).cross(&(c - a))).normalize();
        (normal, normal.dot(&(x * a).coords))
    };
    Convex::Hull {
        vertices: HullVertices::new(surface.vertices().iter().map(|p| x * p).collect()),
        planes: surface
            .triangle_vertices()
            .filter(|t| !is_degenerate(t))
            .map(plane)
            .collect(),
    }
}
