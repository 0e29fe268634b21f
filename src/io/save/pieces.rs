//! Shapes as the simple solids and meshes that formats of robots have.

use super::Losses;
use crate::geometry::{Geometry, PrimitiveKind, Shape};
use crate::math::{Pose, Vector, so3};

/// A simple solid about the origin, its axis z, or a mesh.
#[derive(Debug)]
pub(crate) enum Form<'g> {
    /// Full edges.
    Box(Vector),
    Sphere(f64),
    Cylinder {
        radius: f64,
        length: f64,
    },
    /// The length is that of the cylindrical part.
    Capsule {
        radius: f64,
        length: f64,
    },
    /// Radii.
    Ellipsoid(Vector),
    Mesh(&'g Geometry),
}

/// A part of a shape.
#[derive(Debug)]
pub(crate) struct Piece<'g> {
    pub(crate) form: Form<'g>,
    pub(crate) pose: Pose,
}

/// The parts of a shape at a pose. `subject` has it.
pub(crate) fn pieces<'g>(
    geometry: &'g Geometry,
    pose: &Pose,
    subject: &str,
    losses: &mut Losses,
) -> Vec<Piece<'g>> {
    let mut pieces = Vec::new();
    let mut todo = vec![(*pose, geometry)];
    while let Some((pose, geometry)) = todo.pop() {
        if geometry.margin() > 0.0 {
            losses.add("margins of shapes are not kept", subject);
        }
        match geometry.shape() {
            Shape::Group(members) => {
                let placed = members.iter().map(|(inner, member)| (pose * inner, member));
                todo.extend(placed.rev());
            }
            Shape::Cloud(_) => losses.add("point clouds are not kept", subject),
            Shape::Hull(_) | Shape::Mesh(_) => pieces.push(Piece {
                form: Form::Mesh(geometry),
                pose,
            }),
            Shape::Primitive(primitive) => match solid(primitive.kind()) {
                Some((form, inner)) => pieces.push(Piece {
                    form,
                    pose: inner.map_or(pose, |inner| pose * inner),
                }),
                None => match primitive.kind() {
                    PrimitiveKind::Point(_) | PrimitiveKind::Segment { .. } => {
                        losses.add("points and segments are not kept", subject);
                    }
                    _ => pieces.push(Piece {
                        form: Form::Mesh(geometry),
                        pose,
                    }),
                },
            },
        }
    }
    pieces
}

/// A solid with its pose in the frame of the geometry; `None` for what is flat.
fn solid(kind: &PrimitiveKind) -> Option<(Form<'static>, Option<Pose>)> {
    let shifted = |center: &Vector| {
        (*center != Vector::zeros()).then(|| Pose::translation(center.x, center.y, center.z))
    };
    let rotated = |center: Vector, axis: &Vector| {
        let pose = Pose::from_parts(center.into(), so3::align(&Vector::z(), axis));
        (pose != Pose::identity()).then_some(pose)
    };
    let inner = |pose: &Pose| (*pose != Pose::identity()).then_some(*pose);
    let is_thick = |sizes: &Vector| sizes.min() > 0.0;
    Some(match kind {
        PrimitiveKind::Box { pose, size } if is_thick(size) => (Form::Box(*size), inner(pose)),
        PrimitiveKind::Aabb(aabb) if is_thick(&(aabb.max - aabb.min)) => {
            let center = shifted(&aabb.center().coords);
            (Form::Box(aabb.max - aabb.min), center)
        }
        PrimitiveKind::Sphere { center, radius } if *radius > 0.0 => {
            (Form::Sphere(*radius), shifted(&center.coords))
        }
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } if *radius > 0.0 && *height > 0.0 => {
            let (radius, length) = (*radius, *height);
            let form = Form::Cylinder { radius, length };
            (form, rotated(center.coords, axis))
        }
        PrimitiveKind::Capsule { a, b, radius } if *radius > 0.0 => {
            let (axis, center) = (b - a, (a.coords + b.coords) / 2.0);
            let length = axis.norm();
            match length > 0.0 {
                true => (
                    Form::Capsule {
                        radius: *radius,
                        length,
                    },
                    rotated(center, &axis),
                ),
                false => (Form::Sphere(*radius), shifted(&center)),
            }
        }
        PrimitiveKind::Ellipsoid { pose, radii } if is_thick(radii) => {
            (Form::Ellipsoid(*radii), inner(pose))
        }
        _ => return None,
    })
}
