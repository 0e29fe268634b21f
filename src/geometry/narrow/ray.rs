//! Ray casts against pieces: the nearest surface, from either side.

use super::body::Body;
use super::bvh::Node;
use super::piece::{Convex, Core, Piece};
use super::stack::Stack;
use crate::math::{Point, Vector};

/// Intersection of a ray with a surface, in the frame of the body.
#[derive(Debug, Clone, Copy)]
pub(in crate::geometry) struct RayAt {
    pub(in crate::geometry) distance: f64,
    /// Outward from a solid, by the order of the vertices from a triangle.
    pub(in crate::geometry) normal: Vector,
    pub(in crate::geometry) piece: usize,
}

/// The first surface on a ray of unit direction, no farther than `max`; shapes without area are never hit.
pub(in crate::geometry) fn nearest_hit(
    body: &Body,
    origin: &Point,
    direction: &Vector,
    max: f64,
) -> Option<RayAt> {
    let mut best: Option<RayAt> = None;
    let mut max = max;
    let mut open = Stack::new(0_u32);
    while let Some(i) = open.pop() {
        let node = body.nodes.get(i as usize)?;
        if !hits_box(node, origin, direction, max) {
            continue;
        }
        if let Some(children) = node.children() {
            children.into_iter().for_each(|child| open.push(child));
            continue;
        }
        for i in node.pieces() {
            let hit = cast(&body.pieces[i], origin, direction).filter(|hit| hit.0 <= max);
            // of several at the same distance the first counts
            let hit = hit.filter(|hit| best.is_none_or(|b| hit.0 < b.distance));
            if let Some((distance, normal)) = hit {
                max = distance;
                best = Some(RayAt {
                    distance,
                    normal,
                    piece: i,
                });
            }
        }
    }
    best
}

/// Conservative test of a ray against a box: never misses a hit.
fn hits_box(node: &Node, origin: &Point, direction: &Vector, max: f64) -> bool {
    let d = origin - node.center;
    let slack = 1e-12 * (d.norm() + node.half.norm());
    let (mut enter, mut leave) = (0.0_f64, max);
    for k in 0..3 {
        let half = node.half[k] + slack;
        if direction[k] == 0.0 {
            if d[k].abs() > half {
                return false;
            }
            continue;
        }
        let (t1, t2) = ((-half - d[k]) / direction[k], (half - d[k]) / direction[k]);
        enter = enter.max(t1.min(t2));
        leave = leave.min(t1.max(t2));
    }
    enter <= leave + slack
}

/// The first distance at which a ray hits the surface of a piece, and the normal there.
fn cast(piece: &Piece, origin: &Point, direction: &Vector) -> Option<(f64, Vector)> {
    match &piece.core {
        Core::Point([p]) => sphere(p, piece.radius, origin, direction),
        Core::Segment([a, b]) => capsule(a, b, piece.radius, origin, direction),
        Core::Triangle(vertices) => triangle(vertices, origin, direction),
        Core::Convex(convex) => solid(convex, origin, direction),
    }
}

/// Möller and Trumbore (1997), edges included, with a little slack so that no ray passes between two triangles.
fn triangle([a, b, c]: &[Point; 3], origin: &Point, direction: &Vector) -> Option<(f64, Vector)> {
    const SLACK: f64 = 1e-12;
    let (ab, ac, ao) = (b - a, c - a, origin - a);
    let normal = ab.cross(&ac);
    let along = -normal.dot(direction);
    if along == 0.0 {
        return None;
    }
    let moment = ao.cross(direction);
    let (u, v) = (ac.dot(&moment) / along, -ab.dot(&moment) / along);
    let t = normal.dot(&ao) / along;
    let inside = u >= -SLACK && v >= -SLACK && u + v <= 1.0 + SLACK;
    (inside && t >= 0.0).then(|| (t, normal.normalize()))
}

fn sphere(
    center: &Point,
    radius: f64,
    origin: &Point,
    direction: &Vector,
) -> Option<(f64, Vector)> {
    if radius == 0.0 {
        return None;
    }
    let d = origin - center;
    let t = first_root(
        1.0,
        d.dot(direction),
        d.norm_squared() - radius * radius,
        |_| true,
    )?;
    Some((t, (d + direction * t) / radius))
}

fn capsule(
    a: &Point,
    b: &Point,
    radius: f64,
    origin: &Point,
    direction: &Vector,
) -> Option<(f64, Vector)> {
    if radius == 0.0 {
        return None;
    }
    let length = (b - a).norm();
    if length == 0.0 {
        return sphere(a, radius, origin, direction);
    }
    let axis = (b - a) / length;
    let between = |t: f64| {
        let along = axis.dot(&(origin + direction * t - a));
        (0.0..=length).contains(&along)
    };
    let side = tube(a, &axis, radius, origin, direction, between);
    // only the outer half of an end cap is surface
    let end = |center: &Point, outward: Vector| {
        let d = origin - center;
        let out = |t: f64| outward.dot(&(d + direction * t)) >= 0.0;
        let t = first_root(
            1.0,
            d.dot(direction),
            d.norm_squared() - radius * radius,
            out,
        )?;
        Some((t, (d + direction * t) / radius))
    };
    nearest([side, end(a, -axis), end(b, axis)])
}

fn solid(convex: &Convex, origin: &Point, direction: &Vector) -> Option<(f64, Vector)> {
    match convex {
        Convex::Cuboid { center, axes, half } => {
            let planes = (0..6).map(|i| {
                let normal = axes * Vector::ith(i / 2, if i % 2 == 0 { 1.0 } else { -1.0 });
                (normal, normal.dot(&center.coords) + half[i / 2])
            });
            between_planes(planes, origin, direction)
        }
        Convex::Hull { planes, .. } => between_planes(planes.iter().copied(), origin, direction),
        Convex::Ellipsoid {
            center,
            axes,
            radii,
        } => {
            // where the ellipsoid is the unit sphere
            let shrink = |v: &Vector| axes.inverse_transform_vector(v).component_div(radii);
            let (d, u) = (shrink(&(origin - center)), shrink(direction));
            let t = first_root(u.norm_squared(), d.dot(&u), d.norm_squared() - 1.0, |_| {
                true
            })?;
            Some((t, (axes * (d + u * t).component_div(radii)).normalize()))
        }
        Convex::Cylinder {
            center,
            axis,
            radius,
            half,
        } => {
            let along = |t: f64| axis.dot(&(origin + direction * t - center));
            let side = tube(center, axis, *radius, origin, direction, |t| {
                along(t).abs() <= *half
            });
            let end = |sign: f64| {
                let t = (sign * half - along(0.0)) / axis.dot(direction);
                let p = origin + direction * t - center;
                let inside = (p - axis * axis.dot(&p)).norm() <= *radius;
                (t.is_finite() && t >= 0.0 && inside).then_some((t, axis * sign))
            };
            nearest([side, end(1.0), end(-1.0)])
        }
    }
}

/// The side of an infinite cylinder, where `on_surface` accepts the hit.
fn tube(
    on_axis: &Point,
    axis: &Vector,
    radius: f64,
    origin: &Point,
    direction: &Vector,
    on_surface: impl Fn(f64) -> bool,
) -> Option<(f64, Vector)> {
    let across = |v: Vector| v - axis * axis.dot(&v);
    let (d, u) = (across(origin - on_axis), across(*direction));
    let t = first_root(
        u.norm_squared(),
        d.dot(&u),
        d.norm_squared() - radius * radius,
        on_surface,
    )?;
    Some((t, (d + u * t) / radius))
}

/// The first accepted root `t ≥ 0` of `a t² + 2 b t + c`.
fn first_root(a: f64, b: f64, c: f64, accept: impl Fn(f64) -> bool) -> Option<f64> {
    let square = b * b - a * c;
    if !(a > 0.0 && square >= 0.0) {
        return None;
    }
    // without cancellation between b and the root
    let q = -(b + square.sqrt().copysign(b));
    let (t1, t2) = (q / a, if q == 0.0 { 0.0 } else { c / q });
    [t1.min(t2), t1.max(t2)]
        .into_iter()
        .find(|&t| t >= 0.0 && accept(t))
}

/// A convex solid as an intersection of half-spaces: where the ray enters, or leaves if it starts inside.
fn between_planes(
    planes: impl Iterator<Item = (Vector, f64)>,
    origin: &Point,
    direction: &Vector,
) -> Option<(f64, Vector)> {
    let (mut enter, mut leave) = (
        (f64::NEG_INFINITY, Vector::zeros()),
        (f64::INFINITY, Vector::zeros()),
    );
    for (normal, offset) in planes {
        let (height, speed) = (normal.dot(&origin.coords) - offset, normal.dot(direction));
        if speed == 0.0 {
            if height > 0.0 {
                return None;
            }
            continue;
        }
        let t = -height / speed;
        if speed < 0.0 && t > enter.0 {
            enter = (t, normal);
        }
        if speed > 0.0 && t < leave.0 {
            leave = (t, normal);
        }
    }
    if enter.0 > leave.0 || leave.0 < 0.0 {
        return None;
    }
    Some(if enter.0 >= 0.0 { enter } else { leave }).filter(|hit| hit.0.is_finite())
}

fn nearest<const N: usize>(hits: [Option<(f64, Vector)>; N]) -> Option<(f64, Vector)> {
    hits.into_iter()
        .flatten()
        .min_by(|a, b| a.0.total_cmp(&b.0))
}
