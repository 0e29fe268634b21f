//! Geoms with their defaults: shape, pose, mass, masks and colour.

use super::asset::{Assets, MeshAsset, Shelf};
use super::document::Node;
use super::fields::Fields;
use super::frame;
use super::model::{Geom, GeomShape};
use super::settings::Settings;
use super::{fit, solid};
use crate::Diagnostic;
use crate::geometry::Appearance;
use crate::io::context::Context;
use crate::math::{Inertia, Point, Pose};

/// The words of `type`, in the order of [`Kind`].
const TYPES: [&str; 9] = [
    "plane",
    "hfield",
    "sphere",
    "capsule",
    "ellipsoid",
    "cylinder",
    "box",
    "mesh",
    "sdf",
];

/// `type` of a geom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Plane,
    HeightField,
    Sphere,
    Capsule,
    Ellipsoid,
    Cylinder,
    Box,
    Mesh,
    Sdf,
}

impl Kind {
    fn of(fields: Fields<'_, '_>) -> Result<Self, Diagnostic> {
        Ok(match fields.choice("type", &TYPES)? {
            Some(0) => Self::Plane,
            Some(1) => Self::HeightField,
            Some(3) => Self::Capsule,
            Some(4) => Self::Ellipsoid,
            Some(5) => Self::Cylinder,
            Some(6) => Self::Box,
            Some(7) => Self::Mesh,
            Some(8) => Self::Sdf,
            _ => Self::Sphere,
        })
    }
}

/// The geom of a `<geom>`. `weighs` says whether its mass counts for its body.
pub(super) fn geom(
    node: &Node,
    name: String,
    childclass: Option<usize>,
    weighs: bool,
    shelf: Shelf<'_, '_>,
    assets: &mut Assets,
    context: &mut Context<'_>,
) -> Result<Geom, Diagnostic> {
    let subject = match name.as_str() {
        "" => "geom".to_owned(),
        name => format!("geom `{name}`"),
    };
    let (document, notes) = (shelf.document, shelf.notes);
    let fields = Fields::with_classes(node, &subject, &["geom"], childclass, document, notes)?;
    let mut kind = Kind::of(fields)?;
    let mesh = fields.word("mesh");
    let (mut pose, size) = placed(fields, kind, shelf.settings)?;
    let mesh_asset = match mesh {
        Some(mesh) => {
            let found = assets.mesh(context, shelf, mesh)?.cloned();
            Some(found.ok_or_else(|| unknown(fields, "mesh", mesh))?)
        }
        None => None,
    };
    let mut shape = match (kind, &mesh_asset) {
        (Kind::Mesh, None) => return Err(fields.error("a geom of type mesh needs `mesh`")),
        (Kind::Mesh, Some(asset)) => GeomShape::Mesh(asset.geometry.clone()),
        (Kind::Sdf, _) => GeomShape::Unknown,
        (Kind::HeightField, _) => {
            let Some(field) = fields.word("hfield") else {
                return Err(fields.error("a geom of type hfield needs `hfield`"));
            };
            let found = assets.height_field(context, shelf, field)?;
            GeomShape::HeightField(found.ok_or_else(|| unknown(fields, "hfield", field))?)
        }
        (_, None) => primitive(fields, kind, size)?,
        (_, Some(asset)) => {
            let scale = fields.number("fitscale")?.unwrap_or(1.0);
            match fit::fitted(asset, kind, shelf.settings.fit_aabb, scale) {
                Some((shape, placement)) => {
                    pose *= placement;
                    shape
                }
                None => {
                    kind = Kind::Mesh;
                    GeomShape::Mesh(asset.geometry.clone())
                }
            }
        }
    };
    let group = fields.number("group")?.unwrap_or(0.0);
    let [low, high] = shelf.settings.group_range;
    let is_heavy = weighs && (low..=high).contains(&group);
    let inertia = match is_heavy {
        true => inertia(fields, kind, &shape, &pose, mesh_asset.as_ref())?,
        false => None,
    };
    if !context.options().load_geometry
        && let GeomShape::Mesh(geometry) = &mut shape
    {
        *geometry = None;
    }
    let mask = |name: &str| -> Result<u32, Diagnostic> {
        // a mask is a 32-bit integer, so that -1 has all bits
        Ok(fields.number(name)?.map_or(1, |mask| mask as i64 as u32))
    };
    let [friction, ..] = fields.overlay("friction", [1.0, 0.005, 0.0001])?.0;
    Ok(Geom {
        place: node.place,
        pose,
        shape,
        inertia,
        group,
        contype: mask("contype")?,
        conaffinity: mask("conaffinity")?,
        is_paired: false,
        friction,
        appearance: appearance(fields, shelf, assets)?,
        name,
    })
}

fn unknown(fields: Fields<'_, '_>, kind: &str, name: &str) -> Diagnostic {
    fields.error_at(kind, format!("there is no {kind} `{name}`"))
}

/// The pose and the size of a geom; `fromto` gives both.
fn placed(
    fields: Fields<'_, '_>,
    kind: Kind,
    settings: &Settings,
) -> Result<(Pose, [f64; 3]), Diagnostic> {
    let (mut size, _) = fields.overlay("size", [0.0; 3])?;
    let Some(ends) = fields.numbers::<6>("fromto")? else {
        return Ok((frame::pose(fields, settings)?, size));
    };
    if !matches!(
        kind,
        Kind::Capsule | Kind::Cylinder | Kind::Box | Kind::Ellipsoid
    ) {
        let problem = "`fromto` is for capsules, cylinders, boxes and ellipsoids";
        return Err(fields.error_at("fromto", problem));
    }
    let (pose, length) = frame::between(fields, ends)?;
    let half = length / 2.0;
    match kind {
        Kind::Capsule | Kind::Cylinder => size[1] = half,
        // both sides are alike unless two are given
        _ => size = [size[0], size[0], half],
    }
    Ok((pose, size))
}

/// A shape of a few numbers.
fn primitive(
    fields: Fields<'_, '_>,
    kind: Kind,
    [a, b, c]: [f64; 3],
) -> Result<GeomShape, Diagnostic> {
    let (needed, shape) = match kind {
        // the half sizes of a plane may be zero, which is infinite; the third is the spacing of its grid
        Kind::Plane if c <= 0.0 => {
            let problem = "number 3 of the `size` of its plane must be positive";
            return Err(fields.error_at("size", problem));
        }
        Kind::Plane => (0, GeomShape::Plane),
        Kind::Sphere => (1, GeomShape::Sphere(a)),
        Kind::Capsule => (2, GeomShape::Capsule(a, b)),
        Kind::Cylinder => (2, GeomShape::Cylinder(a, b)),
        Kind::Ellipsoid => (3, GeomShape::Ellipsoid([a, b, c])),
        _ => (3, GeomShape::Box([a, b, c])),
    };
    if let Some(i) = [a, b, c].iter().take(needed).position(|x| *x <= 0.0) {
        let name = TYPES.get(kind as usize).copied().unwrap_or("geom");
        let problem = format!(
            "number {} of the `size` of its {name} must be positive",
            i + 1
        );
        return Err(fields.error_at("size", problem));
    }
    Ok(shape)
}

/// The mass and moment of a geom, in its body.
fn inertia(
    fields: Fields<'_, '_>,
    kind: Kind,
    shape: &GeomShape,
    pose: &Pose,
    asset: Option<&MeshAsset>,
) -> Result<Option<Inertia>, Diagnostic> {
    let mass = fields.number("mass")?;
    let density = fields.number("density")?.unwrap_or(1000.0);
    if mass.is_some_and(|mass| mass < 0.0) {
        return Err(fields.error_at("mass", "`mass` cannot be negative"));
    }
    if density < 0.0 {
        return Err(fields.error_at("density", "`density` cannot be negative"));
    }
    // no volume is needed for what weighs nothing
    if mass == Some(0.0) || (mass.is_none() && density == 0.0) {
        return Ok(None);
    }
    if let (Kind::Mesh, Some(asset)) = (kind, asset) {
        let Some(unit) = &asset.solid else {
            if asset.geometry.is_none() {
                return Ok(None);
            }
            let problem = "its mesh has no volume to weigh";
            let help =
                "give the body an <inertial>, the geom mass=\"0\", or the mesh inertia=\"shell\"";
            return Err(fields.error_at("mesh", problem).help(help));
        };
        let mass = mass.unwrap_or(density * unit.mass);
        let solid = Inertia {
            mass,
            com: unit.com,
            moment: unit.moment * (mass / unit.mass),
        };
        return Ok(Some(solid.transformed(pose)));
    }
    let is_shell = fields.flag("shellinertia")?.unwrap_or(false);
    Ok(solid::of(shape, is_shell).map(|unit| {
        let mass = mass.unwrap_or(density * unit.mass);
        let solid = Inertia {
            mass,
            com: Point::origin(),
            moment: unit.moment(mass),
        };
        solid.transformed(pose)
    }))
}

/// The colour: `rgba`, unless it is the default one, else that of the material.
fn appearance(
    fields: Fields<'_, '_>,
    shelf: Shelf<'_, '_>,
    assets: &mut Assets,
) -> Result<Appearance, Diagnostic> {
    const DEFAULT: [f64; 4] = [0.5, 0.5, 0.5, 1.0];
    let own = fields.numbers::<4>("rgba")?.filter(|rgba| *rgba != DEFAULT);
    let material = match fields.word("material") {
        Some(name) => {
            let found = assets.material(shelf, name)?;
            Some(found.ok_or_else(|| unknown(fields, "material", name))?)
        }
        None => None,
    };
    let mut appearance = material.unwrap_or_else(|| Appearance {
        color: Some(DEFAULT),
        ..Appearance::default()
    });
    appearance.color = own.or(appearance.color);
    Ok(appearance)
}
