//! Shapes of links, objects and terrains from geoms.

use super::model::{Body, Geom, GeomShape};
use super::notes::Notes;
use crate::geometry::{Geometry, Primitive};
use crate::io::context::Context;
use crate::math::{Point, Pose, Vector};
use crate::robot::{Element, LinkSpec};
use crate::{Diagnostic, MissingGeometry};

/// Half the width of a plane, m: MuJoCo's planes are infinite.
const PLANE_HALF: f64 = 100.0;
/// Depth of the solid below a plane, m.
const PLANE_DEPTH: f64 = 10.0;
/// The last group of geoms that MuJoCo's viewer shows.
const LAST_SHOWN: f64 = 2.0;

/// Gives a link the shapes of a body.
pub(super) fn give(
    spec: &mut LinkSpec,
    body: &Body,
    context: &Context<'_>,
    notes: &mut Notes<'_>,
) -> Result<(), Diagnostic> {
    // all shapes of a link or none
    if !context.options().load_geometry {
        let has_shapes = body.geoms.iter().any(|geom| !geom.is_visual());
        spec.missing_geometry = has_shapes.then_some(MissingGeometry::NotLoaded);
        return Ok(());
    }
    for geom in &body.geoms {
        let Some((geometry, pose)) = geometry(geom, notes)? else {
            continue;
        };
        let element = Element {
            name: geom.name.clone(),
            placement: pose,
            geometry,
            appearance: Some(geom.appearance.clone()),
        };
        if geom.group <= LAST_SHOWN {
            spec.visual.push(element.clone());
        }
        if !geom.is_visual() {
            spec.collision.push(element);
        }
    }
    Ok(())
}

/// The geometry of a geom with its pose in the body, `None` where there is none to load.
pub(super) fn geometry(
    geom: &Geom,
    notes: &mut Notes<'_>,
) -> Result<Option<(Geometry, Pose)>, Diagnostic> {
    let origin = Point::origin();
    let mut pose = geom.pose;
    let primitive = match geom.shape {
        GeomShape::Plane => {
            let what = format!(
                "a plane is infinite in MuJoCo; here it is a box {} m wide and {PLANE_DEPTH} m deep",
                2.0 * PLANE_HALF
            );
            notes.leave_out(what, geom.place);
            pose *= nalgebra::Translation3::new(0.0, 0.0, -PLANE_DEPTH / 2.0);
            let size = Vector::new(2.0 * PLANE_HALF, 2.0 * PLANE_HALF, PLANE_DEPTH);
            Primitive::cuboid(Pose::identity(), size)
        }
        GeomShape::Sphere(radius) => Primitive::sphere(origin, radius),
        GeomShape::Capsule(radius, half) => {
            let end = Vector::z() * half;
            Primitive::capsule(origin - end, origin + end, radius)
        }
        GeomShape::Cylinder(radius, half) => {
            Primitive::cylinder(origin, Vector::z(), radius, 2.0 * half)
        }
        GeomShape::Ellipsoid(radii) => Primitive::ellipsoid(Pose::identity(), radii.into()),
        GeomShape::Box(half) => Primitive::cuboid(Pose::identity(), Vector::from(half) * 2.0),
        GeomShape::Mesh(ref mesh) | GeomShape::HeightField(ref mesh) => {
            return Ok(mesh.clone().map(|mesh| (mesh, pose)));
        }
        GeomShape::Unknown => return Ok(None),
    };
    let subject = match geom.name.as_str() {
        "" => "geom".to_owned(),
        name => format!("geom `{name}`"),
    };
    let refused = |error: crate::Error| notes.error(geom.place, &subject, error.to_string());
    Ok(Some((primitive.map_err(refused)?.into(), pose)))
}
