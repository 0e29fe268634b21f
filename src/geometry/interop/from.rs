//! parry's shapes as ours.

use parry3d_f64::math::Vector as Glam;
use parry3d_f64::shape::{
    ConvexPolyhedron, Cuboid, Cylinder, Shape, TriMesh, TriMeshFlags, Triangle, TypedShape,
};

use super::from_pose;
use crate::geometry::parry::from_glam;
use crate::geometry::{ConvexHull, Geometry, Mesh, Primitive};
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// Number of sides of the round parts of cones.
const SIDES: u32 = 32;

/// A shape of parry as a geometry in the same frame.
///
/// A compound of one shape becomes that shape, moved.
///
/// # Errors
///
/// [`Error::Invalid`] for a half-space or a custom shape, and for sizes that are not positive.
pub fn from_shape(shape: &dyn Shape) -> Result<Geometry> {
    Ok(match shape.as_typed_shape() {
        TypedShape::Ball(ball) => Primitive::sphere(Point::origin(), ball.radius)?.into(),
        TypedShape::Cuboid(cuboid) => of_cuboid(cuboid)?,
        TypedShape::Capsule(capsule) => {
            let ends = capsule.segment;
            Primitive::capsule(point(ends.a), point(ends.b), capsule.radius)?.into()
        }
        TypedShape::Segment(segment) => {
            Primitive::segment(point(segment.a), point(segment.b))?.into()
        }
        TypedShape::Triangle(triangle) => of_triangle(triangle)?,
        TypedShape::Voxels(voxels) => mesh_of(voxels.to_trimesh())?.into(),
        TypedShape::TriMesh(mesh) => of_mesh(mesh)?,
        TypedShape::Polyline(line) => {
            let segments = line.segments().map(|segment| {
                let segment = Primitive::segment(point(segment.a), point(segment.b))?;
                Ok((Pose::identity(), segment.into()))
            });
            Geometry::group(segments.collect::<Result<_>>()?)
        }
        TypedShape::HeightField(field) => mesh_of(field.to_trimesh())?.into(),
        TypedShape::Compound(compound) => match compound.shapes() {
            [(pose, shape)] => {
                from_shape(&**shape)?.transformed(&from_pose(pose).to_homogeneous())?
            }
            members => {
                let member = |(pose, shape): &(_, parry3d_f64::shape::SharedShape)| {
                    Ok((from_pose(pose), from_shape(&**shape)?))
                };
                Geometry::group(members.iter().map(member).collect::<Result<_>>()?)
            }
        },
        TypedShape::ConvexPolyhedron(hull) => of_hull(hull)?,
        TypedShape::Cylinder(cylinder) => of_cylinder(cylinder)?,
        TypedShape::Cone(cone) => hull_of(&cone.to_trimesh(SIDES).0)?,
        TypedShape::RoundCuboid(round) => {
            of_cuboid(&round.inner_shape)?.with_margin(round.border_radius)?
        }
        TypedShape::RoundTriangle(round) => {
            of_triangle(&round.inner_shape)?.with_margin(round.border_radius)?
        }
        TypedShape::RoundCylinder(round) => {
            of_cylinder(&round.inner_shape)?.with_margin(round.border_radius)?
        }
        TypedShape::RoundCone(round) => {
            hull_of(&round.inner_shape.to_trimesh(SIDES).0)?.with_margin(round.border_radius)?
        }
        TypedShape::RoundConvexPolyhedron(round) => {
            of_hull(&round.inner_shape)?.with_margin(round.border_radius)?
        }
        TypedShape::HalfSpace(_) | TypedShape::Custom(_) => {
            let what = format!("shape of parry of type {:?}", shape.shape_type());
            return Err(Error::invalid(
                what,
                "has no counterpart: use a large box or a mesh",
            ));
        }
    })
}

fn of_cuboid(cuboid: &Cuboid) -> Result<Geometry> {
    let half = from_glam(cuboid.half_extents);
    if half.min() > 0.0 {
        Ok(Primitive::cuboid(Pose::identity(), half * 2.0)?.into())
    } else {
        // ours may be flat along the axes of its frame only
        Ok(Primitive::aabb((-half).into(), half.into())?.into())
    }
}

fn of_triangle(triangle: &Triangle) -> Result<Geometry> {
    let vertices = [triangle.a, triangle.b, triangle.c].map(point);
    Ok(Primitive::triangle(vertices[0], vertices[1], vertices[2])?.into())
}

fn of_cylinder(cylinder: &Cylinder) -> Result<Geometry> {
    let height = 2.0 * cylinder.half_height;
    Ok(Primitive::cylinder(Point::origin(), Vector::y(), cylinder.radius, height)?.into())
}

fn of_mesh(mesh: &TriMesh) -> Result<Geometry> {
    let vertices = mesh.vertices().iter().map(|v| point(*v)).collect();
    let is_solid = mesh.flags().contains(TriMeshFlags::ORIENTED);
    let geometry = Geometry::from(Mesh::new(vertices, mesh.indices().to_vec())?);
    Ok(geometry.with_solid(is_solid))
}

fn of_hull(hull: &ConvexPolyhedron) -> Result<Geometry> {
    hull_of(hull.points())
}

fn hull_of(points: &[Glam]) -> Result<Geometry> {
    let points: Vec<Point> = points.iter().map(|p| point(*p)).collect();
    Ok(ConvexHull::new(&points)?.into())
}

fn mesh_of((vertices, triangles): (Vec<Glam>, Vec<[u32; 3]>)) -> Result<Mesh> {
    Mesh::new(vertices.into_iter().map(point).collect(), triangles)
}

fn point(p: Glam) -> Point {
    Point::from(from_glam(p))
}
