//! Writer of KrisLibrary's GEOM: a primitive as its name and its numbers.

use super::Written;
use crate::geometry::{Primitive, PrimitiveKind};
use crate::io::text::{number, numbers};
use crate::math::{Point, Pose, Vector};

/// The file of a primitive, or the reason why the format cannot hold it.
pub(super) fn primitive(primitive: &Primitive) -> Result<Written, String> {
    let mut is_rounded = false;
    // the origin of a box is a corner and that of a cylinder a base, from which a reader computes the centre
    let mut start = |center: &Point, half: Vector| {
        let start = before(center, &half);
        is_rounded |= start + half != *center;
        start
    };
    let words = match primitive.kind() {
        PrimitiveKind::Point(p) => points("Point", &[*p]),
        PrimitiveKind::Segment { a, b } => points("Segment", &[*a, *b]),
        PrimitiveKind::Triangle { a, b, c } => points("Triangle", &[*a, *b, *c]),
        PrimitiveKind::Polygon { vertices } => {
            points(&format!("Polygon {}", vertices.len()), vertices)
        }
        PrimitiveKind::Sphere { center, radius } => {
            points("Sphere", &[*center]) + &format!("  {}", number(*radius))
        }
        PrimitiveKind::Aabb(aabb) => points("AABB", &[aabb.min, aabb.max]),
        PrimitiveKind::Box { pose, size } => {
            let half = pose.rotation.matrix() * size / 2.0;
            let corner = start(&pose.translation.vector.into(), half);
            framed("Box", &corner, pose, size)
        }
        PrimitiveKind::Ellipsoid { pose, radii } => {
            framed("Ellipsoid", &pose.translation.vector.into(), pose, radii)
        }
        PrimitiveKind::Cylinder {
            center,
            axis,
            radius,
            height,
        } => {
            let base = start(center, axis * (height / 2.0));
            let sizes = format!("  {} {}", number(*radius), number(*height));
            points("Cylinder", &[base, (*axis).into()]) + &sizes
        }
        PrimitiveKind::Capsule { .. } => return Err("a .geom cannot hold a capsule".to_owned()),
    };
    let rounded = "its centre is rounded in the last digits";
    Ok(Written {
        bytes: format!("Primitive\n{words}\n").into_bytes(),
        lost: is_rounded.then(|| rounded.to_owned()).into_iter().collect(),
        ..Written::default()
    })
}

fn points(name: &str, points: &[Point]) -> String {
    let words = points.iter().map(|p| format!("  {}", numbers(&p.coords)));
    words.fold(name.to_owned(), |text, words| text + &words)
}

/// Text of a shape with an origin, the axes of a frame, and three lengths.
fn framed(name: &str, origin: &Point, pose: &Pose, lengths: &Vector) -> String {
    // column by column: each is an axis
    let axes = numbers(pose.rotation.matrix());
    points(name, &[*origin]) + &format!("  {axes}  {}", numbers(lengths))
}

/// The point `center − half`, rounded so that adding `half` restores `center` to the last bit; if there is no such
/// point, that of the nearest neighbour of `center` that has one.
fn before(center: &Point, half: &Vector) -> Point {
    let exact = |center: f64, half: f64| {
        let about = center - half;
        let mut near = [about, about.next_up(), about.next_down()].into_iter();
        near.find(|x| (x + half).to_bits() == center.to_bits())
    };
    Point::from(center.coords.zip_map(half, |center, half| {
        let about = center - half;
        exact(center, half)
            .or_else(|| exact(about + half, half))
            .unwrap_or(about)
    }))
}
