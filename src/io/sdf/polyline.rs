//! `<polyline>`: polygons that are extruded.

use super::fields::Fields;
use crate::Diagnostic;
use crate::geometry::{Geometry, Mesh, Primitive};
use crate::io::xml::Element;
use crate::math::{Point, Pose, Vector};

/// Most corners that are compared to find polygons inside others.
const MOST_COMPARED: usize = 10_000_000;

/// The prisms over the polygons of a `<geometry>`, upwards from z = 0.
pub(super) fn read(
    fields: Fields<'_, '_>,
    geometry: &Element,
    subject: &str,
) -> Result<Option<Geometry>, Diagnostic> {
    let mut prisms = Vec::new();
    let mut outlines: Vec<Vec<Point>> = Vec::new();
    let (mut n_corners, mut n_compared) = (0_usize, 0_usize);
    for form in geometry
        .children
        .iter()
        .filter(|form| form.name == "polyline")
    {
        let height = fields.number(form, "height", subject)?.unwrap_or(1.0);
        if height <= 0.0 {
            let problem = format!("<height> must be positive, got {height}");
            return Err(fields.error(form, subject, problem));
        }
        let outline = outline(fields, form, subject)?;
        let refused = |error: crate::Error| fields.error(form, subject, error.to_string());
        prisms.push((Pose::identity(), prism(&outline, height).map_err(refused)?));
        // of very many it is not looked for
        n_compared += outlines.len() * outline.len() + n_corners;
        n_corners += outline.len();
        let may_be_nested =
            n_compared > MOST_COMPARED || outlines.iter().any(|other| is_nested(other, &outline));
        if may_be_nested {
            let what = "a <polyline> inside another one is no hole here: both are solid";
            fields.notes.leave_out(what, fields.place(form));
        }
        outlines.push(outline);
    }
    let solid = |mesh: Mesh| Geometry::from(mesh).with_solid(true);
    Ok(match <[_; 1]>::try_from(prisms) {
        Ok([(_, prism)]) => Some(solid(prism)),
        Err(prisms) => {
            let members = prisms.into_iter().map(|(pose, mesh)| (pose, solid(mesh)));
            Some(Geometry::group(members.collect()))
        }
    })
}

/// The corners at z = 0, without repeated ones, counter-clockwise seen from above.
fn outline(
    fields: Fields<'_, '_>,
    form: &Element,
    subject: &str,
) -> Result<Vec<Point>, Diagnostic> {
    let mut corners: Vec<Point> = Vec::new();
    for child in form.children.iter().filter(|child| child.name == "point") {
        let numbers = fields.list(child, subject)?;
        let &[x, y] = numbers.as_slice() else {
            let problem = format!("<point> needs 2 numbers, got {}", numbers.len());
            return Err(fields.error(child, subject, problem));
        };
        let corner = Point::new(x, y, 0.0);
        if corners.last() != Some(&corner) {
            corners.push(corner);
        }
    }
    // the first may be given again to close it
    if corners.len() > 1 && corners.first() == corners.last() {
        corners.pop();
    }
    let next = corners.iter().cycle().skip(1);
    let area: f64 = corners
        .iter()
        .zip(next)
        .map(|(a, b)| a.x * b.y - a.y * b.x)
        .sum();
    if area < 0.0 {
        corners.reverse();
    }
    Ok(corners)
}

/// The solid over a polygon.
fn prism(outline: &[Point], height: f64) -> crate::Result<Mesh> {
    let below = Primitive::polygon(outline.to_vec())?.to_mesh()?;
    let n = u32::try_from(outline.len()).unwrap_or(u32::MAX);
    let top = outline.iter().map(|corner| corner + height * Vector::z());
    let vertices = outline.iter().copied().chain(top).collect();
    let caps = below.triangles().iter();
    let caps = caps.flat_map(|&[a, b, c]| [[a, c, b], [a + n, b + n, c + n]]);
    let sides = (0..n).map(|a| (a, (a + 1) % n));
    let sides = sides.flat_map(|(a, b)| [[a, b, b + n], [a, b + n, a + n]]);
    Mesh::new(vertices, caps.chain(sides).collect())
}

/// Returns whether the first corner of one polygon is inside another, or the other way round.
fn is_nested(a: &[Point], b: &[Point]) -> bool {
    let inside = |outline: &[Point], p: &Point| {
        let next = outline.iter().cycle().skip(1);
        let crossings = outline.iter().zip(next).filter(|(a, b)| {
            (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x
        });
        crossings.count() % 2 == 1
    };
    let first_inside =
        |of: &[Point], outline: &[Point]| of.first().is_some_and(|p| inside(outline, p));
    first_inside(a, b) || first_inside(b, a)
}
