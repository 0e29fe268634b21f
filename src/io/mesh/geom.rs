//! Reader of KrisLibrary's GEOM: a primitive as text, or the name of another format and a shape in it.

use nalgebra::{Matrix3, Translation3};

use super::found::{Triangles, refused};
use super::page::Page;
use super::tokens::Tokens;
use super::{pcd, tri};
use crate::geometry::{Geometry, Primitive, check_direction};
use crate::io::report::FileReport;
use crate::math::{Point, Pose, Rotation, Vector};
use crate::{Diagnostic, Error};

const SHAPES: &str = "Point, Segment, Triangle, Polygon, Sphere, Box, AABB, Cylinder and Ellipsoid";

/// Reads a `.geom` file.
pub(super) fn parse(text: &str, file: FileReport<'_>) -> Result<Geometry, Diagnostic> {
    let mut tokens = Tokens::new(Page { text, file });
    let mut word = tokens.needed("its first word")?;
    match word {
        "Primitive" | "GeometricPrimitive" => word = tokens.needed("the name of its shape")?,
        "TriangleMesh" => {
            let mut found = Triangles::default();
            tri::block(&mut tokens, &mut found)?;
            tokens.warn_of_rest();
            return found.finish(file.path);
        }
        "PointCloud" => return pcd::parse_inside(text, "PointCloud", file),
        _ => {}
    }
    let shape = primitive(word, &mut tokens)?;
    let shape = shape.map_err(|error| match error {
        Error::Invalid { what, problem } => tokens.error(word, format!("{what}: {problem}")),
        error => refused(error, file.path),
    })?;
    tokens.warn_of_rest();
    Ok(shape.into())
}

/// Reads the numbers of the primitive called `name`.
fn primitive(name: &str, tokens: &mut Tokens<'_>) -> Result<Result<Primitive, Error>, Diagnostic> {
    let what = "its last number";
    Ok(match name {
        "Point" => Primitive::point(tokens.point(what)?),
        "Segment" => Primitive::segment(tokens.point(what)?, tokens.point(what)?),
        "Triangle" => Primitive::triangle(
            tokens.point(what)?,
            tokens.point(what)?,
            tokens.point(what)?,
        ),
        "Polygon" => {
            let mut vertices = Vec::new();
            for _ in 0..tokens.count("vertices")? {
                vertices.push(tokens.point(what)?);
            }
            Primitive::polygon(vertices)
        }
        "Sphere" => Primitive::sphere(tokens.point(what)?, tokens.number(what)?),
        "AABB" => Primitive::aabb(tokens.point(what)?, tokens.point(what)?),
        // the origin of a box is a corner, that of an ellipsoid its centre
        "Box" => {
            let (corner, axes, size) = frame(name, tokens)?;
            let center = corner + axes * size / 2.0;
            Primitive::cuboid(pose(center, axes), size)
        }
        "Ellipsoid" => {
            let (center, axes, radii) = frame(name, tokens)?;
            Primitive::ellipsoid(pose(center, axes), radii)
        }
        // the first point is the centre of the base
        "Cylinder" => {
            let (base, axis) = (tokens.point(what)?, tokens.vector(what)?);
            let (radius, height) = (tokens.number(what)?, tokens.number(what)?);
            // a zero axis is refused below
            let unit = check_direction(name, &axis).unwrap_or_default();
            Primitive::cylinder(base + unit * (height / 2.0), axis, radius, height)
        }
        _ => {
            let error = tokens.error(name, format!("`{name}` is not a shape of .geom"));
            return Err(error.help(format!("known are {SHAPES}, and TriangleMesh")));
        }
    })
}

/// Reads an origin, three axes and three lengths.
fn frame(name: &str, tokens: &mut Tokens<'_>) -> Result<(Point, Matrix3<f64>, Vector), Diagnostic> {
    let what = "its last number";
    let origin = tokens.point(what)?;
    let axes = [
        tokens.vector(what)?,
        tokens.vector(what)?,
        tokens.vector(what)?,
    ];
    let axes = Matrix3::from_columns(&axes);
    let off = (axes.transpose() * axes - Matrix3::identity()).amax();
    if off > 1e-4 {
        let message = format!("the axes of the {name} are not at right angles and of length 1");
        return Err(tokens.error(name, message));
    }
    Ok((origin, axes, tokens.vector(what)?))
}

fn pose(center: Point, axes: Matrix3<f64>) -> Pose {
    // a left-handed frame describes the same box
    let mut right_handed = axes;
    if axes.determinant() < 0.0 {
        right_handed.column_mut(2).neg_mut();
    }
    Pose::from_parts(
        Translation3::from(center.coords),
        Rotation::from_matrix_unchecked(right_handed),
    )
}
