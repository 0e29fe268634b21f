//! Moments of primitives, in closed form.

use std::f64::consts::PI;

use super::{Extent, Moments, surface};
use crate::geometry::check::orthonormal;
use crate::geometry::primitive::{Primitive, PrimitiveKind};
use crate::geometry::transform::orthogonal_to;
use crate::math::{Point, Pose, Rotation, Vector};

/// Moments of a primitive over an extent, zero where it has none.
pub(super) fn of_primitive(primitive: &Primitive, extent: Extent) -> Moments {
    let pose_of = |center: &Point, axes: &Rotation| Pose::from_parts(center.coords.into(), *axes);
    match (primitive.kind(), extent) {
        (PrimitiveKind::Point(p), Extent::Count) => Moments::of_points(&[*p]),
        (PrimitiveKind::Segment { a, b }, Extent::Length) => {
            let along = (b - a) * (b - a).transpose() / 12.0;
            let length = (b - a).norm();
            let centered = Moments {
                measure: length,
                first: Vector::zeros(),
                second: along * length,
            };
            centered.shifted(&nalgebra::center(a, b).coords)
        }
        // a segment or triangle that has shrunk to a point still is one
        (PrimitiveKind::Segment { a, .. } | PrimitiveKind::Triangle { a, .. }, Extent::Count) => {
            Moments::of_points(&[*a])
        }
        (PrimitiveKind::Triangle { .. } | PrimitiveKind::Polygon { .. }, Extent::Area) => primitive
            .to_mesh()
            .map_or_else(|_| Moments::default(), |mesh| surface(&mesh)),
        (PrimitiveKind::Sphere { center, radius: r }, _) => {
            capsule(extent, *r, 0.0).shifted(&center.coords)
        }
        (PrimitiveKind::Aabb(aabb), _) => {
            cuboid(extent, &(aabb.max - aabb.min)).shifted(&aabb.center().coords)
        }
        (PrimitiveKind::Box { pose, size }, _) => cuboid(extent, size).at(&orthonormal(pose)),
        (PrimitiveKind::Ellipsoid { pose, radii }, _) => {
            ellipsoid(extent, radii).at(&orthonormal(pose))
        }
        (
            PrimitiveKind::Cylinder {
                center,
                axis,
                radius,
                height,
            },
            _,
        ) => cylinder(extent, *radius, *height).at(&pose_of(center, &along(axis))),
        (PrimitiveKind::Capsule { a, b, radius }, _) => {
            let middle = nalgebra::center(a, b);
            capsule(extent, *radius, (b - a).norm()).at(&pose_of(&middle, &along(&(b - a))))
        }
        _ => Moments::default(),
    }
}

/// A rotation that takes z to a direction.
fn along(axis: &Vector) -> Rotation {
    let length = axis.norm();
    if length == 0.0 {
        return Rotation::identity();
    }
    let (u, v) = orthogonal_to(&(axis / length));
    Rotation::from_basis_unchecked(&[u, v, axis / length])
}

fn cuboid(extent: Extent, size: &Vector) -> Moments {
    let (squares, volume) = (size.component_mul(size), size.product());
    match extent {
        Extent::Volume => Moments::centered(volume, squares / 12.0),
        Extent::Area => {
            // the two faces across each axis
            let faces = size.map(|s| 2.0 * volume / s);
            let area = faces.sum();
            let sums =
                Vector::from_fn(|k, _| squares[k] * (faces[k] / 4.0 + (area - faces[k]) / 12.0));
            Moments::centered(area, sums / area)
        }
        _ => Moments::default(),
    }
}

fn cylinder(extent: Extent, r: f64, h: f64) -> Moments {
    match extent {
        Extent::Volume => Moments::centered(
            PI * r * r * h,
            Vector::new(r * r / 4.0, r * r / 4.0, h * h / 12.0),
        ),
        Extent::Area => {
            let mut sum = Moments::centered(
                2.0 * PI * r * h,
                Vector::new(r * r / 2.0, r * r / 2.0, h * h / 12.0),
            );
            let ends = Vector::new(r * r / 4.0, r * r / 4.0, h * h / 4.0);
            sum.add(&Moments::centered(2.0 * PI * r * r, ends));
            sum
        }
        _ => Moments::default(),
    }
}

/// A capsule around a segment of length `l` along z; a sphere for `l = 0`.
fn capsule(extent: Extent, r: f64, l: f64) -> Moments {
    // two hemispheres a distance l apart: their mean |z| from the cut is 3/8 r in the volume and 1/2 r on the surface
    let ends = |measure: f64, mean_square: f64, mean: f64| {
        let z = mean_square + mean * l + l * l / 4.0;
        Moments::centered(measure, Vector::new(mean_square, mean_square, z))
    };
    let (mut ends, side) = match extent {
        Extent::Volume => (
            ends(4.0 / 3.0 * PI * r.powi(3), r * r / 5.0, 0.375 * r),
            Moments::centered(
                PI * r * r * l,
                Vector::new(r * r / 4.0, r * r / 4.0, l * l / 12.0),
            ),
        ),
        Extent::Area => (
            ends(4.0 * PI * r * r, r * r / 3.0, 0.5 * r),
            Moments::centered(
                2.0 * PI * r * l,
                Vector::new(r * r / 2.0, r * r / 2.0, l * l / 12.0),
            ),
        ),
        _ => return Moments::default(),
    };
    ends.add(&side);
    ends
}

fn ellipsoid(extent: Extent, radii: &Vector) -> Moments {
    let squares = radii.component_mul(radii);
    match extent {
        Extent::Volume => Moments::centered(4.0 / 3.0 * PI * radii.product(), squares / 5.0),
        Extent::Area => {
            // no closed form: Simpson's rule along the axis, equal steps around it
            const ALONG: i32 = 512;
            const AROUND: i32 = 64;
            let (mut area, mut sums) = (0.0, Vector::zeros());
            for i in 0..=ALONG {
                let z = 2.0 * f64::from(i) / f64::from(ALONG) - 1.0;
                let weight = if i == 0 || i == ALONG {
                    1.0
                } else {
                    f64::from(2 + 2 * (i % 2))
                };
                for k in 0..AROUND {
                    let (sin, cos) = (2.0 * PI * f64::from(k) / f64::from(AROUND)).sin_cos();
                    let across = (1.0 - z * z).max(0.0).sqrt();
                    let on_sphere = Vector::new(across * cos, across * sin, z);
                    let element = on_sphere.component_div(radii).norm() * weight;
                    area += element;
                    sums += on_sphere.component_mul(&on_sphere).component_mul(&squares) * element;
                }
            }
            let step = radii.product() * 4.0 * PI / (3.0 * f64::from(ALONG * AROUND));
            Moments::centered(area * step, sums / area)
        }
        _ => Moments::default(),
    }
}
