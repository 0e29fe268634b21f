//! Our shapes as parry's.

use std::panic::{AssertUnwindSafe, catch_unwind};

use parry3d_f64::math::{Pose as ParryPose, Vector as Glam};
use parry3d_f64::shape::{SharedShape, TriMesh, TriMeshFlags};

use super::to_pose;
use crate::geometry::parry::{standing_along, to_glam};
use crate::geometry::{Geometry, Mesh, Primitive, PrimitiveKind, Shape};
use crate::math::{Point, Pose};
use crate::{Error, Result};

/// A geometry as one shape of parry, in the same frame.
///
/// Where it has several parts or one at a pose, that is a `Compound`; a mesh among other parts is then a `Triangle` for each
/// triangle, since parry's compounds hold no meshes: [`to_parts`] keeps it whole.
///
/// # Errors
///
/// [`Error::Invalid`] for an empty shape, or one that parry refuses.
pub fn to_shape(geometry: &Geometry) -> Result<SharedShape> {
    let parts = to_parts(geometry)?;
    if let [(pose, shape)] = parts.as_slice()
        && *pose == ParryPose::IDENTITY
    {
        return Ok(shape.clone());
    }
    let mut members = Vec::with_capacity(parts.len());
    for (pose, shape) in parts {
        match shape.as_trimesh() {
            Some(mesh) => {
                members.extend(
                    mesh.triangles()
                        .map(|t| (pose, SharedShape::triangle(t.a, t.b, t.c))),
                );
            }
            None => members.push((pose, shape)),
        }
    }
    Ok(SharedShape::compound(members))
}

/// A geometry as shapes of parry, each at its pose in the geometry's frame: one collider of rapier for each.
///
/// # Errors
///
/// As [`to_shape`].
pub fn to_parts(geometry: &Geometry) -> Result<Vec<(ParryPose, SharedShape)>> {
    let mut parts = Vec::new();
    append(geometry, &Pose::identity(), 0.0, &mut parts)?;
    if parts.is_empty() {
        return Err(Error::invalid("empty shape", "has no counterpart in parry"));
    }
    Ok(parts)
}

/// Appends the parts of a geometry at a pose, inflated by `margin` in addition to its own.
fn append(
    geometry: &Geometry,
    pose: &Pose,
    margin: f64,
    parts: &mut Vec<(ParryPose, SharedShape)>,
) -> Result<()> {
    let margin = margin + geometry.margin();
    match geometry.shape() {
        Shape::Group(members) => {
            for (member_pose, member) in members {
                append(member, &(pose * member_pose), margin, parts)?;
            }
        }
        Shape::Cloud(cloud) => {
            for p in cloud.points() {
                parts.push((to_pose(&(pose * at(p))), SharedShape::ball(margin)));
            }
        }
        Shape::Mesh(mesh) => surface(mesh, geometry.is_solid(), pose, margin, parts)?,
        Shape::Hull(hull) => parts.push((to_pose(pose), convex(hull.surface(), margin)?)),
        Shape::Primitive(primitive) => of_primitive(primitive, pose, margin, parts)?,
    }
    Ok(())
}

fn of_primitive(
    primitive: &Primitive,
    pose: &Pose,
    margin: f64,
    parts: &mut Vec<(ParryPose, SharedShape)>,
) -> Result<()> {
    let is_round = margin > 0.0;
    let cuboid = |half: crate::math::Vector| {
        if is_round {
            SharedShape::round_cuboid(half.x, half.y, half.z, margin)
        } else {
            SharedShape::cuboid(half.x, half.y, half.z)
        }
    };
    let (x, shape) = match primitive.kind() {
        PrimitiveKind::Point(p) => (at(p), SharedShape::ball(margin)),
        PrimitiveKind::Sphere { center, radius } => {
            (at(center), SharedShape::ball(radius + margin))
        }
        PrimitiveKind::Segment { a, b } if is_round => (
            Pose::identity(),
            SharedShape::capsule(glam(a), glam(b), margin),
        ),
        PrimitiveKind::Segment { a, b } => {
            (Pose::identity(), SharedShape::segment(glam(a), glam(b)))
        }
        PrimitiveKind::Capsule { a, b, radius } => (
            Pose::identity(),
            SharedShape::capsule(glam(a), glam(b), radius + margin),
        ),
        PrimitiveKind::Triangle { a, b, c } => (Pose::identity(), triangle([*a, *b, *c], margin)),
        PrimitiveKind::Aabb(aabb) => (at(&aabb.center()), cuboid(aabb.half_size())),
        PrimitiveKind::Box { pose, size } => (*pose, cuboid(size * 0.5)),
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => {
            let x = Pose::from_parts(center.coords.into(), standing_along(axis));
            let half = 0.5 * height;
            let shape = if is_round {
                SharedShape::round_cylinder(half, *radius, margin)
            } else {
                SharedShape::cylinder(half, *radius)
            };
            (x, shape)
        }
        PrimitiveKind::Ellipsoid { .. } => {
            (Pose::identity(), convex(&primitive.to_mesh()?, margin)?)
        }
        PrimitiveKind::Polygon { .. } => {
            return surface(&primitive.to_mesh()?, false, pose, margin, parts);
        }
    };
    parts.push((to_pose(&(pose * x)), shape));
    Ok(())
}

/// A surface of triangles; with a margin, each is rounded on its own.
fn surface(
    mesh: &Mesh,
    is_solid: bool,
    pose: &Pose,
    margin: f64,
    parts: &mut Vec<(ParryPose, SharedShape)>,
) -> Result<()> {
    if mesh.triangles().is_empty() {
        return Ok(());
    }
    if margin > 0.0 {
        let rounded = mesh
            .triangle_vertices()
            .map(|vertices| triangle(vertices, margin));
        parts.extend(rounded.map(|shape| (to_pose(pose), shape)));
        return Ok(());
    }
    let vertices = mesh.vertices().iter().map(glam).collect();
    let flags = if is_solid {
        TriMeshFlags::ORIENTED
    } else {
        TriMeshFlags::empty()
    };
    let built = catch_unwind(AssertUnwindSafe(|| {
        TriMesh::with_flags(vertices, mesh.triangles().to_vec(), flags)
    }));
    match built {
        Ok(Ok(mesh)) => parts.push((to_pose(pose), SharedShape::new(mesh))),
        Ok(Err(error)) => {
            return Err(Error::invalid(
                "mesh",
                format!("is refused by parry: {error}"),
            ));
        }
        Err(_) => return Err(Error::invalid("mesh", "cannot be converted by parry")),
    }
    Ok(())
}

/// The convex body of a closed surface.
fn convex(surface: &Mesh, margin: f64) -> Result<SharedShape> {
    let points = || surface.vertices().iter().map(glam).collect::<Vec<Glam>>();
    let built = catch_unwind(AssertUnwindSafe(|| {
        if margin > 0.0 {
            SharedShape::round_convex_mesh(points(), surface.triangles(), margin)
                .or_else(|| SharedShape::round_convex_hull(&points(), margin))
        } else {
            SharedShape::convex_mesh(points(), surface.triangles())
                .or_else(|| SharedShape::convex_hull(&points()))
        }
    }));
    let refused = || Error::invalid("convex hull", "cannot be converted by parry");
    built.ok().flatten().ok_or_else(refused)
}

fn triangle(vertices: [Point; 3], margin: f64) -> SharedShape {
    let [a, b, c] = vertices.map(|p| glam(&p));
    if margin > 0.0 {
        SharedShape::round_triangle(a, b, c, margin)
    } else {
        SharedShape::triangle(a, b, c)
    }
}

fn at(p: &Point) -> Pose {
    Pose::translation(p.x, p.y, p.z)
}

fn glam(p: &Point) -> Glam {
    to_glam(&p.coords)
}
