//! Poses of elements: `pos` with `quat`, `axisangle`, `euler`, `xyaxes` or `zaxis`.

use nalgebra::{Matrix3, Translation3};

use super::fields::Fields;
use super::settings::Settings;
use crate::Diagnostic;
use crate::math::{Pose, Rotation, Vector, so3};

/// Attributes that give an orientation.
const ORIENTATIONS: [&str; 5] = ["quat", "axisangle", "euler", "xyaxes", "zaxis"];

/// Shortest vector that has a direction, as in MuJoCo.
pub(super) const EPS: f64 = 1e-14;

/// The pose of an element.
pub(super) fn pose(fields: Fields<'_, '_>, settings: &Settings) -> Result<Pose, Diagnostic> {
    let position = fields.numbers::<3>("pos")?.unwrap_or_default();
    let rotation = rotation(fields, settings)?.unwrap_or_else(Rotation::identity);
    Ok(Pose::from_parts(Translation3::from(position), rotation))
}

/// The orientation of an element, `None` where it has none.
///
/// An orientation of the element itself replaces one of its default classes.
pub(super) fn rotation(
    fields: Fields<'_, '_>,
    settings: &Settings,
) -> Result<Option<Rotation>, Diagnostic> {
    let Some(node) = fields.first_with(&ORIENTATIONS) else {
        return Ok(None);
    };
    let mut given = ORIENTATIONS
        .into_iter()
        .filter(|name| node.attribute(name).is_some());
    let Some(name) = given.next() else {
        return Ok(None);
    };
    if let Some(other) = given.next() {
        let problem = format!("it has both `{name}` and `{other}`; one gives the orientation");
        return Err(fields.error_at(other, problem));
    }
    let refuse = |problem: &str| fields.error_at(name, format!("`{name}` {problem}"));
    let unit = |vector: Vector| {
        let length = vector.norm();
        let is_short = length < EPS || !length.is_finite();
        (!is_short).then(|| vector / length)
    };
    let rotation = match name {
        "quat" => {
            let quaternion = fields.numbers::<4>(name)?.unwrap_or_default();
            so3::from_wxyz(quaternion).map_err(|_| refuse("has length 0, so it is no rotation"))?
        }
        "axisangle" => {
            let [x, y, z, angle] = fields.numbers::<4>(name)?.unwrap_or_default();
            let axis =
                unit(Vector::new(x, y, z)).ok_or_else(|| refuse("has an axis of length 0"))?;
            so3::from_axis_angle(&axis, angle * settings.angle)
        }
        "euler" => {
            let angles = fields.numbers::<3>(name)?.unwrap_or_default();
            euler(
                angles.map(|angle| angle * settings.angle),
                settings.eulerseq,
            )
        }
        "xyaxes" => {
            let [a, b, c, d, e, f] = fields.numbers::<6>(name)?.unwrap_or_default();
            let x =
                unit(Vector::new(a, b, c)).ok_or_else(|| refuse("has an x axis of length 0"))?;
            let y = Vector::new(d, e, f);
            let y =
                unit(y - x * x.dot(&y)).ok_or_else(|| refuse("has a y axis along its x axis"))?;
            let columns = Matrix3::from_columns(&[x, y, x.cross(&y)]);
            Rotation::from_matrix_unchecked(columns)
        }
        _ => {
            let z = Vector::from(fields.numbers::<3>(name)?.unwrap_or_default());
            z_to(&unit(z).ok_or_else(|| refuse("has length 0"))?)
        }
    };
    Ok(Some(rotation))
}

/// The rotation of Euler angles.
pub(super) fn euler(angles: [f64; 3], sequence: [char; 3]) -> Rotation {
    let mut rotation = Rotation::identity();
    for (angle, letter) in angles.into_iter().zip(sequence) {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vector::x_axis(),
            'y' => Vector::y_axis(),
            _ => Vector::z_axis(),
        };
        let step = Rotation::from_axis_angle(&axis, angle);
        // capital letters are axes of the parent
        rotation = match letter.is_ascii_lowercase() {
            true => rotation * step,
            false => step * rotation,
        };
    }
    rotation
}

/// The shortest rotation of z onto a unit vector; half a turn about x onto -z.
pub(super) fn z_to(z: &Vector) -> Rotation {
    let axis = Vector::z().cross(z);
    let sine = axis.norm();
    let axis = match sine < 1e-10 {
        true => Vector::x_axis(),
        false => nalgebra::Unit::new_unchecked(axis / sine),
    };
    Rotation::from_axis_angle(&axis, sine.atan2(z.z))
}

/// The pose between the two points of `fromto`, with z towards the first, and their distance.
pub(super) fn between(
    fields: Fields<'_, '_>,
    [a, b, c, d, e, f]: [f64; 6],
) -> Result<(Pose, f64), Diagnostic> {
    let (from, to) = (Vector::new(a, b, c), Vector::new(d, e, f));
    let length = (from - to).norm();
    if length < EPS {
        return Err(fields.error_at("fromto", "the two points of `fromto` are the same"));
    }
    let middle = Translation3::from((from + to) / 2.0);
    let rotation = z_to(&((from - to) / length));
    Ok((Pose::from_parts(middle, rotation), length))
}
