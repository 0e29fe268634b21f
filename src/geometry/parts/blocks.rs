//! Boxes in which a mesh is nearly convex, and the content of each.

use super::PartOptions;
use crate::geometry::bounds::Aabb;
use crate::geometry::mesh::{Mesh, is_degenerate, strays};
use crate::geometry::parry;
use crate::geometry::polygon::clipped;
use crate::geometry::{Geometry, Primitive, query};
use crate::math::{Point, Pose, Vector};
use crate::{Error, Result};

/// For each box, points whose hull contains the part of the mesh in it, inside included.
pub(super) fn contents(mesh: &Mesh, options: &PartOptions) -> Result<Vec<Vec<Point>>> {
    let triangles: Vec<[Point; 3]> = mesh
        .triangle_vertices()
        .filter(|t| !is_degenerate(t))
        .collect();
    if !strays(mesh).is_empty() {
        let problem = "has triangles without area apart from its others: take its hull";
        return Err(Error::invalid("a mesh for convex parts", problem));
    }
    let Some(bounds) = Aabb::around(triangles.iter().flatten().copied()) else {
        return Ok(Vec::new());
    };
    let size = bounds.half_size().amax();
    if bounds.min.coords.amax().max(bounds.max.coords.amax()) > FARTHEST {
        let problem = format!("extends beyond {FARTHEST:e} m");
        return Err(Error::invalid("a shape for convex parts", problem));
    }
    // from -1 to 1 along the longest side
    let unit = |p: &Point| (p - bounds.center()) / size;
    let scaled: Vec<[Vector; 3]> = triangles.iter().map(|t| t.each_ref().map(unit)).collect();
    check_work(&scaled, options.resolution)?;
    let Some(grid) = parry::blocks(&scaled, options) else {
        return Err(Error::invalid("a mesh", CANNOT));
    };
    let to_metres = |p: &Vector| bounds.center() + p * size;

    let solid = Solid {
        mesh: mesh.clone().into(),
        is_filled: |p: &Point| grid.is_filled(&unit(p)),
        diagonal: 3.0_f64.sqrt() * grid.edge * size,
    };
    let content = |[low, high]: &[Vector; 2]| {
        let bounds = Aabb {
            min: to_metres(low),
            max: to_metres(high),
        };
        let mut points = surface_in(&triangles, &bounds);
        let inwards = 0.25 * grid.edge * size;
        points.extend(bounds.corners().into_iter().filter(|p| {
            let cell = p + (bounds.center() - p).map(|x| inwards.copysign(x));
            solid.encloses(p, &cell)
        }));
        points
    };
    let contents = grid.boxes.iter().map(content);
    Ok(contents.filter(|points| !points.is_empty()).collect())
}

const CANNOT: &str = "cannot be cut into convex parts; try another resolution, or the hull";

/// Lengths are cubed here.
const FARTHEST: f64 = 1e50;

/// The limit of triangle-cell tests: a few seconds.
const MAX_TESTS: f64 = 2e8;

/// Rejects meshes whose triangles are too many and too large for the grid.
fn check_work(triangles: &[[Vector; 3]], resolution: u32) -> Result<()> {
    let cells = f64::from(resolution) / 2.0;
    let tests = |t: &[Vector; 3]| {
        let size = t[0].sup(&t[1]).sup(&t[2]) - t[0].inf(&t[1]).inf(&t[2]);
        size.map(|x| (x * cells).ceil() + 3.0).product()
    };
    let work: f64 = triangles.iter().map(tests).sum();
    if work <= MAX_TESTS {
        return Ok(());
    }
    let problem = format!(
        "{} triangles would be tested with {work:.1e} cells of which {MAX_TESTS:e} are allowed; lower the resolution or \
         simplify the mesh",
        triangles.len()
    );
    Err(Error::invalid("a mesh for convex parts", problem))
}

/// Distinct vertices of triangles, clipped to a box.
fn surface_in(triangles: &[[Point; 3]], bounds: &Aabb) -> Vec<Point> {
    let mut points = Vec::new();
    for vertices in triangles {
        let around = Aabb {
            min: vertices[0].inf(&vertices[1]).inf(&vertices[2]),
            max: vertices[0].sup(&vertices[1]).sup(&vertices[2]),
        };
        if !bounds.overlaps(&around) {
            continue;
        }
        if bounds.contains(&around.min) && bounds.contains(&around.max) {
            points.extend_from_slice(vertices);
            continue;
        }
        let mut polygon = vertices.to_vec();
        for axis in 0..3 {
            let normal = Vector::ith(axis, 1.0);
            polygon = clipped(&polygon, &normal, bounds.max[axis]);
            polygon = clipped(&polygon, &-normal, -bounds.min[axis]);
        }
        points.append(&mut polygon);
    }
    let key = |p: &Point| [p.x, p.y, p.z].map(f64::to_bits);
    points.sort_unstable_by_key(key);
    points.dedup_by_key(|p| key(p));
    points
}

/// A mesh and its inside.
struct Solid<F> {
    mesh: Geometry,
    /// Returns whether the cell of a point is not wholly outside.
    is_filled: F,
    diagonal: f64,
}

impl<F: Fn(&Point) -> bool> Solid<F> {
    /// Returns whether a point is enclosed: a corner of the cell that contains `in_cell`.
    fn encloses(&self, p: &Point, in_cell: &Point) -> bool {
        if !(self.is_filled)(in_cell) {
            return false;
        }
        let here = Pose::identity();
        let Ok(point) = Primitive::point(*p) else {
            return false;
        };
        // a cell that the surface does not touch is wholly inside or wholly outside
        !query::within_distance_at((&self.mesh, &here), (&point.into(), &here), self.diagonal)
            || self.mesh.body().winding_number(0, p).abs() > 0.5
    }
}
