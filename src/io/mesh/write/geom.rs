//! KrisLibrary's GEOM: a primitive as its name and its numbers.

use super::Written;
use crate::geometry::{Primitive, PrimitiveKind};
use crate::io::text::{number, numbers};
use crate::math::{Point, Pose, Vector};

/// The whole file, or why there can be none.
pub(super) fn primitive(primitive: &Primitive) -> Result<Written, String> {
    let mut is_rounded = false;
    // boxes begin at a corner and cylinders at a base, from which a reader finds the middle
    let mut start = |middle: &Point, half: Vector| {
        let start = before(middle, &half);
        is_rounded |= start + half != *middle;
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
    let rounded = "its middle is rounded in the last digits";
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

/// An origin, the axes of a frame, and three lengths.
fn framed(name: &str, origin: &Point, pose: &Pose, lengths: &Vector) -> String {
    // column by column, as the axes come
    let axes = numbers(pose.rotation.matrix());
    points(name, &[*origin]) + &format!("  {axes}  {}", numbers(lengths))
}

/// The point that is `half` before another one, so that adding it gives that one again to the last bit; where there is
/// no such point, the one before its nearest neighbour that has one.
fn before(middle: &Point, half: &Vector) -> Point {
    let exact = |middle: f64, half: f64| {
        let about = middle - half;
        let mut near = [about, about.next_up(), about.next_down()].into_iter();
        near.find(|x| (x + half).to_bits() == middle.to_bits())
    };
    Point::from(middle.coords.zip_map(half, |middle, half| {
        let about = middle - half;
        exact(middle, half)
            .or_else(|| exact(about + half, half))
            .unwrap_or(about)
    }))
}
