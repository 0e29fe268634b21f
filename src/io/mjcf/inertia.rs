//! Masses and inertias of bodies: explicit ones, those of their geoms, bounds and totals.

use nalgebra::Matrix3;

use super::fields::Fields;
use super::fit::principal;
use super::frame;
use super::model::{Body, Model};
use super::settings::{InertiaFromGeom, Settings};
use crate::Diagnostic;
use crate::math::{Inertia, Point, Rotation};

/// The inertia of an `<inertial>`, in the body.
pub(super) fn explicit(fields: Fields<'_, '_>, settings: &Settings) -> Result<Inertia, Diagnostic> {
    for name in ["pos", "mass"] {
        if !fields.has(name) {
            return Err(fields.error(format!("<inertial> needs the attribute `{name}`")));
        }
    }
    let mass = fields.number("mass")?.unwrap_or(0.0);
    if mass < 0.0 {
        return Err(fields.error_at("mass", "`mass` cannot be negative"));
    }
    let com = Point::from(fields.numbers::<3>("pos")?.unwrap_or_default());
    let rotation = frame::rotation(fields, settings)?;
    if let Some([xx, yy, zz, xy, xz, yz]) = fields.numbers::<6>("fullinertia")? {
        if rotation.is_some() {
            let problem = "<inertial> has both `fullinertia` and an orientation; drop the latter";
            return Err(fields.error_at("fullinertia", problem));
        }
        let moment = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
        let is_positive = moment.symmetric_eigenvalues().min() > 0.0;
        if !is_positive && settings.bound_inertia <= 0.0 {
            let problem = "`fullinertia` is not positive definite";
            return Err(fields.error_at("fullinertia", problem));
        }
        return Ok(Inertia { mass, com, moment });
    }
    let moments = fields.numbers::<3>("diaginertia")?.unwrap_or_default();
    if moments.iter().any(|x| *x < 0.0) {
        return Err(fields.error_at("diaginertia", "`diaginertia` cannot be negative"));
    }
    let own = Inertia {
        mass,
        com: Point::origin(),
        moment: Matrix3::from_diagonal(&moments.into()),
    };
    let rotation = rotation.unwrap_or_else(Rotation::identity);
    Ok(own.transformed(&crate::math::Pose::from_parts(com.coords.into(), rotation)))
}

/// Gives every body its inertia. The bounds are those of the main model.
pub(super) fn infer(
    model: &mut Model,
    settings: &Settings,
    error: impl Fn(&Body, String) -> Diagnostic,
) -> Result<(), Diagnostic> {
    for body in model.bodies.iter_mut().skip(1) {
        let heavy = || body.geoms.iter().filter_map(|geom| geom.inertia.as_ref());
        let from_geoms = match settings.inertia_from_geom {
            InertiaFromGeom::Never => false,
            InertiaFromGeom::Always => heavy().next().is_some(),
            InertiaFromGeom::Auto => body.inertial.is_none(),
        };
        let mut inertia = match from_geoms {
            true => heavy().fold(Inertia::zero(), |sum, geom| sum.merged(geom)),
            false => body.inertial.unwrap_or_else(Inertia::zero),
        };
        bound(&mut inertia, settings).map_err(|problem| error(body, problem))?;
        // rotations make the matrix asymmetric in the last bits
        inertia.moment = (inertia.moment + inertia.moment.transpose()) / 2.0;
        body.inertia = inertia;
    }
    let total: f64 = model.bodies.iter().map(|body| body.inertia.mass).sum();
    if settings.total_mass > 0.0 && total > 0.0 {
        let factor = settings.total_mass / total;
        for Body { inertia, .. } in &mut model.bodies {
            inertia.mass *= factor;
            inertia.moment *= factor;
        }
    }
    Ok(())
}

/// Applies `boundmass`, `boundinertia` and `balanceinertia`.
fn bound(inertia: &mut Inertia, settings: &Settings) -> Result<(), String> {
    inertia.mass = inertia.mass.max(settings.bound_mass);
    let (pose, mut moments) = principal(inertia);
    let mut is_changed = false;
    for moment in &mut moments {
        if *moment < settings.bound_inertia {
            (*moment, is_changed) = (settings.bound_inertia, true);
        }
    }
    let [a, b, c] = moments;
    // largest first; MuJoCo allows for rounding in the same way
    if a > b + c + 1e-6 * a.abs().max(1e-14) {
        if !settings.balance_inertia {
            return Err(format!(
                "its inertia must satisfy A + B >= C for all principal moments, got {c:.6e}, {b:.6e}, {a:.6e}"
            ));
        }
        (moments, is_changed) = ([(a + b + c) / 3.0; 3], true);
    }
    if is_changed {
        let rotation = pose.rotation.matrix();
        inertia.moment = rotation * Matrix3::from_diagonal(&moments.into()) * rotation.transpose();
    }
    Ok(())
}
