//! The wall: the only file that names parry3d, with every guard that it needs.

use std::panic::{AssertUnwindSafe, catch_unwind};

use nalgebra::Matrix3;
use parry3d_f64::math::Vector as Glam;
use parry3d_f64::transformation::try_convex_hull;

use super::bounds::Aabb;
use super::mesh::Mesh;
use crate::math::{Point, Vector};
use crate::{Error, Result};

/// The convex hull of finite points as a closed mesh, counter-clockwise seen from outside.
///
/// parry accepts collinear points and may panic on nearly flat ones: such points are refused before.
pub(super) fn convex_hull(points: &[Point]) -> Result<Mesh> {
    let what = "convex hull";
    let Some(bounds) = Aabb::around(points.iter().copied()) else {
        return Err(Error::invalid(what, "needs points, got none"));
    };
    let (center, size) = (bounds.center(), bounds.half_size().amax());
    let unit: Vec<Vector> = points.iter().map(|p| (p - center) / size).collect();
    if !(size > 0.0) || thickness(&unit) < 1e-9 {
        let problem = format!(
            "has no inside: its {} points lie in one plane",
            points.len()
        );
        return Err(Error::invalid(what, problem));
    }
    // in the unit cube, where parry's absolute tolerances fit
    let input: Vec<Glam> = unit.iter().map(|v| Glam::new(v.x, v.y, v.z)).collect();
    let hull = catch_unwind(AssertUnwindSafe(|| try_convex_hull(&input)));
    let Ok(Ok((corners, faces))) = hull else {
        return Err(Error::invalid(what, "cannot be built from these points"));
    };
    let corners: Vec<Vector> = corners.iter().map(|v| Vector::new(v.x, v.y, v.z)).collect();
    if !encloses(&corners, &faces, &unit) {
        return Err(Error::invalid(what, "cannot be built from these points"));
    }
    // the corners are input points: hand those back, without the rounding of the scaling
    let exact = |v: &Vector| match unit.iter().position(|u| u == v) {
        Some(i) => points[i],
        None => center + v * size,
    };
    Mesh::new(corners.iter().map(exact).collect(), faces)
}

/// How thick a set of points is in its thinnest principal direction.
fn thickness(points: &[Vector]) -> f64 {
    let mean = points.iter().sum::<Vector>() / points.len() as f64;
    let scatter: Matrix3<f64> = points
        .iter()
        .map(|p| (p - mean) * (p - mean).transpose())
        .sum();
    let axes = scatter.symmetric_eigen();
    let thin = axes.eigenvectors.column(axes.eigenvalues.imin());
    let (low, high) = points
        .iter()
        .map(|p| thin.dot(p))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), d| {
            (l.min(d), h.max(d))
        });
    high - low
}

/// Whether faces make a closed surface that leaves no point outside.
fn encloses(corners: &[Vector], faces: &[[u32; 3]], points: &[Vector]) -> bool {
    faces.len() >= 4
        && faces.iter().all(|f| {
            let [a, b, c] = f.map(|i| corners[i as usize]);
            let normal = (b - a).cross(&(c - a));
            let slack = 1e-9 * normal.norm().max(1e-9);
            points.iter().all(|p| normal.dot(&(p - a)) <= slack)
        })
}
