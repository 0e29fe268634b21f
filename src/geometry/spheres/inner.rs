//! Spheres inside a solid.

use super::Sphere;
use crate::Result;
use crate::geometry::{Aabb, Geometry, Primitive, PrimitiveKind, Shape, query};
use crate::math::{Point, Pose, Vector};

/// Spheres inside a solid shape or inside the closed meshes of a surface, the largest first.
pub(super) fn inner(geometry: &Geometry, max: usize) -> Result<Vec<Sphere>> {
    let mut spheres = Vec::new();
    gather(geometry, &Pose::identity(), 0.0, max, &mut spheres)?;
    spheres.sort_by(|a, b| b.radius.total_cmp(&a.radius));
    spheres.truncate(max);
    Ok(spheres)
}

fn gather(
    geometry: &Geometry,
    pose: &Pose,
    pad: f64,
    max: usize,
    out: &mut Vec<Sphere>,
) -> Result<()> {
    let pad = pad + geometry.margin();
    if let Shape::Group(members) = geometry.shape() {
        for (x, member) in members {
            gather(member, &(pose * x), pad, max, out)?;
        }
        return Ok(());
    }
    if let Shape::Primitive(primitive) = geometry.shape()
        && matches!(
            primitive.kind(),
            PrimitiveKind::Point(_)
                | PrimitiveKind::Segment { .. }
                | PrimitiveKind::Triangle { .. }
                | PrimitiveKind::Polygon { .. }
        )
    {
        return Ok(());
    }
    let is_mesh = matches!(geometry.shape(), Shape::Mesh(_));
    let solid;
    let geometry = match geometry.shape() {
        // through the holes of another a sphere reaches out
        Shape::Mesh(mesh) if mesh.is_closed() => {
            solid = geometry.clone().with_solid(true);
            &solid
        }
        _ if is_mesh || !geometry.is_solid() => return Ok(()),
        _ => geometry,
    };
    // triangles of a round shape lie inside it, so that their distance is never too large
    let surface = Geometry::from(geometry.to_mesh()?);
    let here = Pose::identity();
    let Some(bounds) = surface.aabb_tight(&here) else {
        return Ok(());
    };
    let mut clear: Vec<Sphere> = Vec::new();
    for p in grid(&bounds) {
        let point = Geometry::from(Primitive::point(p)?);
        let radius = query::distance_at((&surface, &here), (&point, &here)).distance;
        if radius.is_finite() && radius > 0.0 {
            clear.push(Sphere {
                center: p,
                // less what rounding may have added
                radius: radius * (1.0 - 1e-9),
            });
        }
    }
    clear.sort_by(|a, b| b.radius.total_cmp(&a.radius));

    // those inside whose centres no larger sphere covers. Spheres clear of a mesh are on the same side of it where they overlap;
    // to find out about one alone takes all triangles
    let (mut chosen, mut sides): (Vec<Sphere>, Vec<(Sphere, bool)>) = (Vec::new(), Vec::new());
    for sphere in clear {
        if chosen.len() == max {
            break;
        }
        let apart = |other: &Sphere| (sphere.center - other.center).norm();
        let known = sides
            .iter()
            .find(|(other, _)| is_mesh && apart(other) < sphere.radius + other.radius);
        let is_inside = known.map_or_else(
            || query::contains_point_at((geometry, &here), &sphere.center),
            |(_, is_inside)| *is_inside,
        );
        sides.push((sphere, is_inside));
        let is_new = |other: &Sphere| apart(other) > 0.7 * other.radius;
        if is_inside && chosen.iter().all(is_new) {
            chosen.push(sphere);
        }
    }
    out.extend(chosen.into_iter().map(|sphere| Sphere {
        center: pose * sphere.center,
        radius: sphere.radius + pad,
    }));
    Ok(())
}

/// Points on a regular grid in a box: about four hundred.
fn grid(bounds: &Aabb) -> impl Iterator<Item = Point> + use<> {
    let sides = bounds.max - bounds.min;
    let step = (sides.product() / 400.0).cbrt().max(sides.amax() / 64.0);
    let counts = sides.map(|side| {
        if step > 0.0 {
            (side / step).ceil().max(1.0)
        } else {
            1.0
        }
    });
    let [nx, ny, nz] = [0, 1, 2].map(|k| counts[k] as usize);
    let min = bounds.min;
    (0..nx * ny * nz).map(move |i| {
        let cell = [i % nx, i / nx % ny, i / (nx * ny)];
        min + Vector::from_fn(|k, _| sides[k] * (cell[k] as f64 + 0.5) / counts[k])
    })
}
