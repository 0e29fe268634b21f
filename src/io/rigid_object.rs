//! Klampt's rigid object `.obj`, and geometry files as rigid objects.

use std::path::Path;

use nalgebra::{Matrix3, Matrix4};

use super::context::Context;
use super::key_value::KeyValues;
use super::kind::FileKind;
use super::resolve::Referrer;
use super::rows;
use super::source::FilePath;
use super::terrain::not_loaded;
use super::weigh::weigh;
use super::words::closest;
use crate::geometry::Geometry;
use crate::math::{Inertia, Point, Pose, Vector, so3};
use crate::world::{ContactParameters, RigidObject};
use crate::{Diagnostic, LoadError, MissingGeometry};

/// The keys of the format.
pub(super) const KEYS: [&str; 15] = [
    "mesh",
    "geomscale",
    "geomtranslate",
    "T",
    "position",
    "velocity",
    "angularVelocity",
    "mass",
    "com",
    "inertia",
    "kFriction",
    "kRestitution",
    "kStiffness",
    "kDamping",
    "autoMass",
];

/// The rigid object in a file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<RigidObject, LoadError> {
    match ctx.kind_of(path)? {
        FileKind::RigidObject => {
            let text = ctx.read_text(path)?;
            let lines = KeyValues::parse(&text, ctx.report().of_file(path))?;
            build(ctx, path, &lines)
        }
        FileKind::Geometry => from_geometry(ctx, path),
        kind => {
            let message = format!("is {}, where a rigid object was expected", kind.name());
            Err(Diagnostic::error(message).in_file(path).into())
        }
    }
}

/// Defaults of the format; [`ContactParameters::default`] has no restitution.
pub(super) const CONTACT: ContactParameters = ContactParameters {
    friction: 0.5,
    restitution: 0.5,
    stiffness: f64::INFINITY,
    damping: f64::INFINITY,
};

/// A rigid object of a geometry file: 1 kg on its surface.
fn from_geometry(ctx: &mut Context<'_>, path: &FilePath) -> Result<RigidObject, LoadError> {
    let mut object = RigidObject::new(super::name(path));
    object.contact = CONTACT;
    if ctx.options().load_geometry {
        let geometry = ctx.geometry_file(path)?;
        let inertia = weigh(&geometry, 1.0, 1.0, None);
        object.inertia =
            inertia.map_err(|error| Diagnostic::error(error.to_string()).in_file(path))?;
        object.geometry = Some(geometry);
    } else {
        object.missing_geometry = Some(MissingGeometry::NotLoaded);
    }
    Ok(object)
}

fn build(
    ctx: &mut Context<'_>,
    path: &Path,
    lines: &KeyValues<'_>,
) -> Result<RigidObject, LoadError> {
    check_keys(ctx, lines)?;
    let mut object = RigidObject::new(super::name(path));
    object.geometry = geometry(ctx, path, lines)?;
    let mesh = lines.text("mesh")?;
    object.missing_geometry = mesh.and_then(|mesh| not_loaded(ctx, mesh.text));
    object.pose = pose(lines)?;
    check_rotation(ctx, lines, &object.pose)?;
    if let Some(v) = lines.finite("velocity")? {
        object.velocity = v.into();
    }
    if let Some(w) = lines.finite("angularVelocity")? {
        object.angular_velocity = w.into();
    }
    object.contact = ContactParameters {
        friction: lines.not_negative("kFriction")?.unwrap_or(CONTACT.friction),
        restitution: lines
            .not_negative("kRestitution")?
            .unwrap_or(CONTACT.restitution),
        stiffness: lines
            .not_negative("kStiffness")?
            .unwrap_or(CONTACT.stiffness),
        damping: lines.not_negative("kDamping")?.unwrap_or(CONTACT.damping),
    };
    object.inertia = inertia(ctx, lines, object.geometry.as_ref())?;
    Ok(object)
}

/// Refuses unknown keys; those in another case are ignored, as Klampt does.
fn check_keys(ctx: &mut Context<'_>, lines: &KeyValues<'_>) -> Result<(), Diagnostic> {
    for line in lines.lines() {
        let key = line.key.text;
        if KEYS.contains(&key) {
            continue;
        }
        if let Some(known) = KEYS.iter().find(|known| known.eq_ignore_ascii_case(key)) {
            let message = format!("`{key}` is ignored: keys are case-sensitive");
            let warning = lines.warning(line.key.position, message);
            ctx.warn(warning.help(format!("write `{known}`")));
            continue;
        }
        let error = lines.error(
            line.key.position,
            format!("`{key}` is not a key of rigid objects"),
        );
        return Err(match closest(key, KEYS) {
            Some(known) => error.help(format!("did you mean `{known}`?")),
            None => error.help(format!("known are {}", KEYS.join(", "))),
        });
    }
    Ok(())
}

fn geometry(
    ctx: &mut Context<'_>,
    path: &Path,
    lines: &KeyValues<'_>,
) -> Result<Option<Geometry>, Diagnostic> {
    let Some(mesh) = lines.text("mesh")? else {
        let error = Diagnostic::error("`mesh` is missing").in_file(path);
        return Err(error.help("a rigid object needs a line such as `mesh \"cube.off\"`"));
    };
    let scale = match lines.numbers("geomscale")?.as_deref() {
        None => [1.0; 3],
        Some(&[s]) => [s; 3],
        Some(&[x, y, z]) => [x, y, z],
        Some(other) => {
            let message = format!("`geomscale` needs 1 or 3 numbers, got {}", other.len());
            return Err(lines.error(lines.position("geomscale"), message));
        }
    };
    lines.all_finite("geomscale", &scale)?;
    if scale.contains(&0.0) {
        return Err(lines.error(lines.position("geomscale"), "`geomscale` cannot be 0"));
    }
    let translate: [f64; 3] = lines.finite("geomtranslate")?.unwrap_or_default();

    let loaded = ctx.geometry(Referrer::new(path), mesh.text);
    let position = mesh.position;
    let loaded = loaded.map_err(|error| error.named_at(path, position.line, position.column))?;
    let map = Matrix4::new_translation(&translate.into())
        * Matrix4::new_nonuniform_scaling(&scale.into());
    match loaded {
        Some(geometry) if map != Matrix4::identity() => {
            let key = if lines.get("geomscale").is_some() {
                "geomscale"
            } else {
                "geomtranslate"
            };
            let moved = ctx.moved(&geometry, &map);
            let refused = |error: crate::Error| lines.error(lines.position(key), error.to_string());
            moved.map(Some).map_err(refused)
        }
        loaded => Ok(loaded),
    }
}

fn pose(lines: &KeyValues<'_>) -> Result<Pose, Diagnostic> {
    let numbers = lines.numbers("T")?;
    #[rustfmt::skip]
    let (rotation, mut translation) = match numbers.as_deref() {
        None => (Matrix3::identity(), [0.0; 3]),
        // the rows of a rotation and then a translation, or the rows of a 4 × 4 matrix
        Some(&[xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z]
            | &[xx, xy, xz, x, yx, yy, yz, y, zx, zy, zz, z, 0.0, 0.0, 0.0, 1.0]) => {
            (Matrix3::new(xx, xy, xz, yx, yy, yz, zx, zy, zz), [x, y, z])
        }
        Some(t) if t.len() == 16 => {
            let error = lines.error(lines.position("T"), "the last row of `T` must be 0 0 0 1");
            return Err(error.help("write the matrix row by row"));
        }
        Some(t) => {
            let message = format!("`T` needs 12 or 16 numbers, got {}", t.len());
            return Err(lines.error(lines.position("T"), message));
        }
    };
    lines.all_finite("T", numbers.as_deref().unwrap_or_default())?;
    if let Some(position) = lines.finite("position")? {
        translation = position;
    }
    Ok(rows::pose(rotation, translation))
}

/// Warns of a matrix that is nearly a rotation, refuses one that is far from it.
fn check_rotation(
    ctx: &mut Context<'_>,
    lines: &KeyValues<'_>,
    pose: &Pose,
) -> Result<(), Diagnostic> {
    let off = so3::defect(&pose.rotation);
    let position = lines.position("T");
    if off > 1e-3 {
        let error = lines.error(position, "the matrix of `T` is not a rotation");
        return Err(error.help("write its 9 numbers row by row, then the translation"));
    }
    if off > 1e-4 {
        let message = format!("the rotation of `T` is not orthonormal (off by {off:.1e})");
        ctx.warn(
            lines
                .warning(position, message)
                .help("write it with more digits"),
        );
    }
    Ok(())
}

fn inertia(
    ctx: &mut Context<'_>,
    lines: &KeyValues<'_>,
    geometry: Option<&Geometry>,
) -> Result<Inertia, Diagnostic> {
    let mass = lines.not_negative("mass")?.unwrap_or(1.0);
    lines.all_finite("mass", &[mass])?;
    let com: Option<[f64; 3]> = lines.finite("com")?;
    let given = match lines.numbers("inertia")?.as_deref() {
        None => None,
        Some(&[x, y, z]) => Some(Matrix3::from_diagonal(&Vector::new(x, y, z))),
        Some(rows) if rows.len() == 9 => Some(Matrix3::from_row_slice(rows)),
        Some(other) => {
            let message = format!("`inertia` needs 3 or 9 numbers, got {}", other.len());
            return Err(lines.error(lines.position("inertia"), message));
        }
    };
    lines.all_finite("inertia", given.unwrap_or_default().as_slice())?;
    let com = com.map(Point::from);
    let Some(line) = lines.get("autoMass") else {
        return Ok(Inertia {
            mass,
            com: com.unwrap_or_else(Point::origin),
            moment: given.unwrap_or_else(Matrix3::identity),
        });
    };

    let surface_fraction = match line.values.as_slice() {
        [] => 1.0,
        _ => lines.finite::<1>("autoMass")?.map_or(1.0, |[f]| f),
    };
    if given.is_some() {
        let message = "`inertia` is ignored, because `autoMass` computes it";
        ctx.warn(
            lines
                .warning(lines.position("inertia"), message)
                .help("remove one of the two"),
        );
    }
    if geometry.is_none() {
        let message = "`autoMass` has no geometry to weigh, because none is loaded";
        ctx.warn(
            lines
                .warning(line.key.position, message)
                .help("the inertia is taken to be zero"),
        );
    }
    let moment = Matrix3::zeros();
    let still = Inertia {
        mass,
        com: com.unwrap_or_else(Point::origin),
        moment,
    };
    let weighed = geometry.map(|shape| weigh(shape, mass, surface_fraction, com));
    let weighed = weighed.unwrap_or(Ok(still));
    weighed.map_err(|error| lines.error(line.key.position, error.to_string()))
}
