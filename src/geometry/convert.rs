//! Conversions between kinds of shapes.

use std::f64::consts::{PI, TAU};

use super::bounds::Aabb;
use super::cloud::PointCloud;
use super::hull::ConvexHull;
use super::mesh::Mesh;
use super::polygon;
use super::primitive::{Primitive, PrimitiveKind};
use super::transform::orthogonal_to;
use super::{Geometry, Shape};
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

impl Geometry {
    /// Triangle mesh of the surface: 12 triangles for a box, 80 for a cylinder, 360 for a sphere, 400 for a capsule.
    ///
    /// Vertices lie on the true surface, so that a round shape shrinks a little: a sphere by up to 2.5 % of its radius.
    /// The margin is not part of the mesh.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for points, segments and clouds, which have no surface.
    #[doc(alias = "convert")]
    #[doc(alias = "triangulate")]
    pub fn to_mesh(&self) -> Result<Mesh> {
        match self.shape() {
            Shape::Mesh(mesh) => Ok(mesh.clone()),
            Shape::Hull(hull) => Ok(hull.surface().clone()),
            Shape::Primitive(primitive) => primitive.to_mesh(),
            Shape::Cloud(_) => Err(Error::invalid(
                "point cloud",
                "has no surface to make triangles of",
            )),
            Shape::Group(members) => {
                let meshes: Vec<Mesh> = members
                    .iter()
                    .map(|(_, m)| m.to_mesh())
                    .collect::<Result<_>>()?;
                Mesh::merged(members.iter().map(|(pose, _)| pose).zip(&meshes))
            }
        }
    }

    /// Convex hull; round shapes are triangulated first.
    ///
    /// # Errors
    ///
    /// As [`ConvexHull::new`]: a flat shape has no inside.
    #[doc(alias = "convexHull")]
    pub fn to_hull(&self) -> Result<ConvexHull> {
        match self.shape() {
            Shape::Hull(hull) => Ok(hull.clone()),
            _ => ConvexHull::new(&self.hull_points()),
        }
    }

    /// The vertices as a point cloud; round shapes are triangulated first.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where a group holds a pose that is not finite.
    pub fn to_cloud(&self) -> Result<PointCloud> {
        match self.shape() {
            Shape::Cloud(cloud) => Ok(cloud.clone()),
            _ => PointCloud::new(self.hull_points()),
        }
    }

    /// Axis-aligned bounding box in the shape's frame as a primitive, `None` for an empty shape.
    #[must_use]
    pub fn to_bounding_box(&self) -> Option<Primitive> {
        let Aabb { min, max } = self.aabb_tight(&Pose::identity())?;
        Primitive::aabb(min, max).ok()
    }

    /// Points whose hull is the hull of the shape, or of its triangulation where it is round.
    pub(super) fn hull_points(&self) -> Vec<Point> {
        match self.shape() {
            Shape::Mesh(mesh) => mesh.triangle_vertices().flatten().collect(),
            Shape::Hull(hull) => hull.vertices().to_vec(),
            Shape::Cloud(cloud) => cloud.points().to_vec(),
            Shape::Primitive(primitive) => match primitive.kind() {
                PrimitiveKind::Point(p) => vec![*p],
                PrimitiveKind::Segment { a, b } => vec![*a, *b],
                _ => primitive
                    .to_mesh()
                    .map_or(Vec::new(), |m| m.vertices().to_vec()),
            },
            Shape::Group(members) => {
                let moved = |(pose, m): &(Pose, Self)| -> Vec<Point> {
                    m.hull_points().iter().map(|p| pose * p).collect()
                };
                members.iter().flat_map(moved).collect()
            }
        }
    }
}

impl Primitive {
    /// Triangle mesh of the surface, counter-clockwise seen from outside.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for points and segments, which have no surface.
    pub fn to_mesh(&self) -> Result<Mesh> {
        self.to_mesh_with(1)
    }

    /// [`to_mesh`](Self::to_mesh) with so many times as many sides where the shape is round.
    pub(crate) fn to_mesh_with(&self, times: u32) -> Result<Mesh> {
        let (sides, stacks) = (20 * times, 10 * times);
        match self.kind() {
            PrimitiveKind::Point(_) | PrimitiveKind::Segment { .. } => Err(Error::invalid(
                self.name(),
                "has no surface to make triangles of",
            )),
            PrimitiveKind::Triangle { a, b, c } => Mesh::new(vec![*a, *b, *c], vec![[0, 1, 2]]),
            PrimitiveKind::Polygon { vertices } => {
                let triangles =
                    polygon::triangulate(vertices).expect("the constructor triangulates it");
                let index =
                    |i: usize| u32::try_from(i).expect("vertices are counted by the constructor");
                Mesh::new(
                    vertices.clone(),
                    triangles.iter().map(|t| t.map(index)).collect(),
                )
            }
            PrimitiveKind::Aabb(aabb) => cuboid(
                &Pose::translation(aabb.center().x, aabb.center().y, aabb.center().z),
                &(aabb.max - aabb.min),
            ),
            PrimitiveKind::Box { pose, size } => cuboid(pose, size),
            PrimitiveKind::Sphere { center, radius } => {
                revolved(sides, &sphere_profile(stacks, 0.0), |p| {
                    center + p.coords * *radius
                })
            }
            PrimitiveKind::Ellipsoid { pose, radii } => {
                revolved(sides, &sphere_profile(stacks, 0.0), |p| {
                    pose * Point::from(p.coords.component_mul(radii))
                })
            }
            PrimitiveKind::Cylinder {
                center,
                axis,
                radius,
                height,
            } => {
                let (u, v) = orthogonal_to(axis);
                let profile = [(0.0, -0.5), (1.0, -0.5), (1.0, 0.5), (0.0, 0.5)];
                revolved(sides, &profile, |p| {
                    center + (u * p.x + v * p.y) * *radius + axis * (p.z * height)
                })
            }
            PrimitiveKind::Capsule { a, b, radius } => {
                let length = (b - a).norm();
                let axis = if length > 0.0 {
                    (b - a) / length
                } else {
                    Vector::z()
                };
                let (u, v) = orthogonal_to(&axis);
                let profile = sphere_profile(stacks, length / radius);
                revolved(sides, &profile, |p| {
                    a + (u * p.x + v * p.y + axis * p.z) * *radius
                })
            }
        }
    }
}

/// Half a circle from the lower to the upper pole as (radius, height), its upper half raised by `raise`.
fn sphere_profile(stacks: u32, raise: f64) -> Vec<(f64, f64)> {
    let at = |i: u32| (PI * (f64::from(i) / f64::from(stacks) - 0.5)).sin_cos();
    let half = stacks / 2;
    let low = (0..=half).map(|i| (at(i).1, at(i).0));
    let first = if raise > 0.0 { half } else { half + 1 };
    let high = (first..=stacks).map(|i| (at(i).1, at(i).0 + raise));
    low.chain(high).collect()
}

/// Surface of revolution about z, with so many sides, of a profile that begins and ends on the axis.
fn revolved(sides: u32, profile: &[(f64, f64)], map: impl Fn(&Point) -> Point) -> Result<Mesh> {
    let rings = &profile[1..profile.len() - 1];
    let mut vertices = vec![map(&Point::new(0.0, 0.0, profile[0].1))];
    for &(r, z) in rings {
        vertices.extend((0..sides).map(|k| {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(sides)).sin_cos();
            map(&Point::new(r * cos, r * sin, z))
        }));
    }
    vertices.push(map(&Point::new(0.0, 0.0, profile[profile.len() - 1].1)));
    let n_rings = u32::try_from(rings.len()).expect("a profile of a few points");
    let (top, last) = (1 + n_rings * sides, 1 + (n_rings - 1) * sides);
    let mut triangles = Vec::new();
    for k in 0..sides {
        let next = (k + 1) % sides;
        triangles.push([0, 1 + next, 1 + k]);
        for ring in 0..n_rings - 1 {
            let (low, high) = (1 + ring * sides, 1 + (ring + 1) * sides);
            triangles.push([low + k, low + next, high + next]);
            triangles.push([low + k, high + next, high + k]);
        }
        triangles.push([last + k, last + next, top]);
    }
    Mesh::new(vertices, triangles)
}

/// Surface of a box as 12 triangles.
fn cuboid(pose: &Pose, size: &Vector) -> Result<Mesh> {
    let corner = |i: usize| {
        let signs = Vector::from_fn(|k, _| if i >> k & 1 == 0 { -0.5 } else { 0.5 });
        pose * Point::from(size.component_mul(&signs))
    };
    let faces: [[u32; 4]; 6] = [
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
        [0, 2, 3, 1],
        [4, 5, 7, 6],
    ];
    let triangles = faces
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
    Mesh::new((0..8).map(corner).collect(), triangles.collect())
}
