//! Shapes of `<collision>` and `<visual>`.

use nalgebra::Matrix4;

use super::document::{Name, Shape};
use super::fields::Fields;
use super::include::Reader;
use super::parse::other;
use super::{heightmap, polyline};
use crate::geometry::{Appearance, ConvexHull, Geometry, Primitive};
use crate::io::resolve::Referrer;
use crate::io::xml::Element;
use crate::math::{Point, Pose, Vector, so3};
use crate::{Diagnostic, Severity};

/// Width of a plane, m: planes of the format are infinite.
const WIDTH: f64 = 200.0;
/// Depth of the solid below planes and height maps, m.
pub(super) const DEPTH: f64 = 10.0;
/// Sides of the pyramid that a cone becomes.
const SIDES: u32 = 64;

/// A `<collision>` or a `<visual>`.
pub(super) fn shape(
    reader: &mut Reader<'_, '_, '_>,
    fields: Fields<'_, '_>,
    element: &Element,
    link: &str,
) -> Result<Shape, Diagnostic> {
    let kind = element.name.as_str();
    let name = fields.attribute(element, "name").unwrap_or_else(|| Name {
        text: String::new(),
        place: fields.place(element),
    });
    let subject = match name.text.as_str() {
        "" => format!("{link}, {kind}"),
        name => format!("{link}, {kind} `{name}`"),
    };
    let mut shape = Shape {
        pose: fields.pose(element, &subject)?,
        geometry: None,
        is_empty: false,
        appearance: None,
        friction: None,
        density: fields.number(element, "density", &subject)?,
        name,
    };
    let Some(geometry) = fields.child(element, "geometry") else {
        let error = fields.error(element, &subject, format!("<{kind}> needs a <geometry>"));
        return Err(error);
    };
    let Some(form) = geometry.children.first() else {
        shape.is_empty = true;
        return Ok(shape);
    };
    shape.is_empty = form.name == "empty";
    shape.geometry = geometry_of(reader, fields, geometry, form, &subject)?;
    if let Some(material) = fields.child(element, "material") {
        shape.appearance = appearance(fields, material, &subject)?;
    }
    shape.friction = friction(fields, element, &subject)?;
    for child in &element.children {
        let name = child.name.as_str();
        if !["pose", "geometry", "material", "surface", "density"].contains(&name) {
            other(fields, child, name, kind);
        }
    }
    Ok(shape)
}

fn geometry_of(
    reader: &mut Reader<'_, '_, '_>,
    fields: Fields<'_, '_>,
    geometry: &Element,
    form: &Element,
    subject: &str,
) -> Result<Option<Geometry>, Diagnostic> {
    let origin = Point::origin();
    let size = |name: &str, default: f64| -> Result<f64, Diagnostic> {
        let size = fields.number(form, name, subject)?.unwrap_or(default);
        match size > 0.0 {
            true => Ok(size),
            false => Err(fields.error(
                form,
                subject,
                format!("<{name}> must be positive, got {size}"),
            )),
        }
    };
    let sizes = |name: &str, default: [f64; 3]| -> Result<Vector, Diagnostic> {
        let sizes = fields.numbers::<3>(form, name, subject)?.unwrap_or(default);
        match sizes.iter().all(|size| *size > 0.0) {
            true => Ok(sizes.into()),
            false => {
                let problem = format!("<{name}> must be positive, got {sizes:?}");
                Err(fields.error(form, subject, problem))
            }
        }
    };
    let primitive = match form.name.as_str() {
        "box" => Primitive::cuboid(Pose::identity(), sizes("size", [1.0; 3])?),
        "sphere" => Primitive::sphere(origin, size("radius", 1.0)?),
        "cylinder" => Primitive::cylinder(
            origin,
            Vector::z(),
            size("radius", 1.0)?,
            size("length", 1.0)?,
        ),
        "capsule" => {
            let end = Vector::z() * (size("length", 1.0)? / 2.0);
            Primitive::capsule(origin - end, origin + end, size("radius", 0.5)?)
        }
        "ellipsoid" => Primitive::ellipsoid(Pose::identity(), sizes("radii", [1.0; 3])?),
        "plane" => plane(fields, form, subject)?,
        "mesh" => return mesh(reader, fields, form, subject),
        "empty" => return Ok(None),
        "cone" => {
            let (radius, length) = (size("radius", 1.0)?, size("length", 1.0)?);
            let what = format!("a <cone> is a convex hull with {SIDES} sides");
            fields.notes.leave_out(what, fields.place(form));
            let hull = cone(radius, length);
            let hull = hull.map_err(|error| fields.error(form, subject, error.to_string()))?;
            return Ok(Some(hull.into()));
        }
        "polyline" => return polyline::read(fields, geometry, subject),
        "heightmap" => {
            let size = sizes("size", [1.0; 3])?;
            return heightmap::read(reader, fields, form, &size, subject);
        }
        "image" => {
            let what = "an <image> is not read, and left out";
            fields.notes.leave_out(what, fields.place(form));
            return Ok(None);
        }
        unknown => {
            let problem = format!("<{unknown}> is no shape");
            let error = fields.error(form, subject, problem);
            return Err(error.help(
                "there are box, sphere, cylinder, capsule, cone, ellipsoid, plane, polyline, heightmap and mesh",
            ));
        }
    };
    let made = primitive.map_err(|error| fields.error(form, subject, error.to_string()))?;
    Ok(Some(made.into()))
}

/// A cone about z with its tip up and its middle at the origin: a pyramid inside it, within 0.13 % of the radius.
fn cone(radius: f64, length: f64) -> crate::Result<ConvexHull> {
    let rim = (0..SIDES).map(|k| {
        let (sin, cos) = (std::f64::consts::TAU * f64::from(k) / f64::from(SIDES)).sin_cos();
        Point::new(radius * cos, radius * sin, -length / 2.0)
    });
    let vertices: Vec<Point> = rim.chain([Point::new(0.0, 0.0, length / 2.0)]).collect();
    ConvexHull::new(&vertices)
}

/// A box below a plane.
fn plane(
    fields: Fields<'_, '_>,
    form: &Element,
    subject: &str,
) -> Result<crate::Result<Primitive>, Diagnostic> {
    let normal = fields.numbers::<3>(form, "normal", subject)?;
    let normal = normal.map_or_else(Vector::z, Vector::from);
    let Some(normal) = normal.try_normalize(1e-9) else {
        return Err(fields.error(form, subject, "its <normal> has no direction"));
    };
    let (width, depth) = (WIDTH, DEPTH);
    let what =
        format!("a plane is infinite in SDF; here it is a box {width} m wide and {depth} m deep");
    fields.notes.leave_out(what, fields.place(form));
    let pose = Pose::from_parts(
        (normal * (-depth / 2.0)).into(),
        so3::align(&Vector::z(), &normal),
    );
    Ok(Primitive::cuboid(pose, Vector::new(width, width, depth)))
}

/// A mesh; one that cannot be loaded is a warning, and missing.
fn mesh(
    reader: &mut Reader<'_, '_, '_>,
    fields: Fields<'_, '_>,
    form: &Element,
    subject: &str,
) -> Result<Option<Geometry>, Diagnostic> {
    let Some(uri) = fields.text(form, "uri") else {
        return Err(fields.error(form, subject, "<mesh> needs a <uri>"));
    };
    if let Some(part) = fields.child(form, "submesh") {
        let what = "<submesh> is not read: the whole mesh is used";
        fields.notes.leave_out(what, fields.place(part));
    }
    let path = fields.notes.path(fields.file);
    let loaded = match reader.context.geometry(Referrer::new(&path), &uri.text) {
        Ok(Some(geometry)) => geometry,
        Ok(None) => return Ok(None),
        Err(trouble) => {
            warn_of_file(fields, &uri, subject, "mesh", trouble);
            return Ok(None);
        }
    };
    let scale = fields
        .numbers::<3>(form, "scale", subject)?
        .unwrap_or([1.0; 3]);
    let map = Matrix4::new_nonuniform_scaling(&scale.into());
    if map == Matrix4::identity() {
        return Ok(Some(loaded));
    }
    let scaled = reader.context.moved(&loaded, &map);
    let refused = |error: crate::Error| {
        fields
            .notes
            .error(uri.place, subject, format!("mesh `{}`: {error}", uri.text))
    };
    scaled.map(Some).map_err(refused)
}

/// Warns of a file that cannot be loaded.
pub(super) fn warn_of_file(
    fields: Fields<'_, '_>,
    uri: &Name,
    subject: &str,
    kind: &str,
    trouble: Diagnostic,
) {
    let reason = match &trouble.path {
        Some(path) => format!("{kind} {}: {}", path.display(), trouble.message),
        None => format!("{kind} {}", trouble.message),
    };
    let problem = format!("{reason}; it is left out");
    let error = fields.notes.error(uri.place, subject, problem);
    fields.notes.report.add(Diagnostic {
        severity: Severity::Warning,
        help: trouble.help,
        ..error
    });
}

/// The colour of a `<material>`.
fn appearance(
    fields: Fields<'_, '_>,
    material: &Element,
    subject: &str,
) -> Result<Option<Appearance>, Diagnostic> {
    let color = |name: &str| -> Result<Option<[f64; 4]>, Diagnostic> {
        let Some(child) = fields.child(material, name) else {
            return Ok(None);
        };
        match fields.list(child, subject)?.as_slice() {
            &[r, g, b] => Ok(Some([r, g, b, 1.0])),
            &[r, g, b, a] => Ok(Some([r, g, b, a])),
            found => {
                let problem = format!("<{name}> needs 4 numbers, got {}", found.len());
                Err(fields.error(child, subject, problem))
            }
        }
    };
    let color = match color("diffuse")? {
        Some(color) => Some(color),
        None => color("ambient")?,
    };
    let clamped = color.map(|color| color.map(|c| c.clamp(0.0, 1.0)));
    Ok(clamped.map(|color| Appearance {
        name: String::new(),
        color: Some(color),
        texture: None,
    }))
}

/// The first coefficient of friction of a `<surface>`.
fn friction(
    fields: Fields<'_, '_>,
    element: &Element,
    subject: &str,
) -> Result<Option<f64>, Diagnostic> {
    let friction = fields
        .child(element, "surface")
        .and_then(|surface| fields.child(surface, "friction"));
    let Some(friction) = friction else {
        return Ok(None);
    };
    for (engine, name) in [("ode", "mu"), ("bullet", "friction")] {
        if let Some(child) = fields.child(friction, engine)
            && let Some(mu) = fields.number(child, name, subject)?
        {
            return Ok(Some(mu.max(0.0)));
        }
    }
    Ok(None)
}
