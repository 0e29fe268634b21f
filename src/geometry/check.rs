//! Validation of points, sizes, directions and poses.

use crate::math::{Digits, Point, Pose, Vector, so3};
use crate::{Error, Result};

/// Largest coordinate and size of a shape, m: beyond it, lengths that queries raise to powers overflow.
const LARGEST: f64 = 1e100;

/// Rejects points that are not finite or out of range, naming the first.
pub(super) fn check_points(what: &str, points: &[Point]) -> Result<()> {
    match points.iter().position(|p| !is_in_range(&p.coords)) {
        Some(i) => {
            let p = points[i];
            let bad = format!("({:?}, {:?}, {:?})", p.x, p.y, p.z);
            let problem = if is_finite(&p.coords) {
                format!("is out of range, {LARGEST:?} m: {bad}")
            } else {
                format!("is not finite: {bad}")
            };
            Err(Error::invalid(format!("point {i} of {what}"), problem))
        }
        None => Ok(()),
    }
}

/// Rejects a size that is not finite and positive.
pub(super) fn check_size(what: &str, name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value <= LARGEST {
        return Ok(());
    }
    let problem = if value > LARGEST && value.is_finite() {
        format!("its {name} must be up to {LARGEST:?}, got {value:?}")
    } else {
        format!(
            "its {name} must be a positive number, got {}",
            Digits(value)
        )
    };
    Err(Error::invalid(what, problem))
}

/// Normalizes a direction and rejects zero or non-finite ones; a unit vector is returned bit by bit.
pub(crate) fn check_direction(what: &str, v: &Vector) -> Result<Vector> {
    const ROUNDING: f64 = 4.0 * f64::EPSILON;
    if (v.norm_squared() - 1.0).abs() <= ROUNDING {
        return Ok(*v);
    }
    // scaled first, so that neither tiny nor huge vectors lose their direction
    let largest = v.amax();
    if is_finite(v) && largest > 0.0 {
        Ok((v / largest).normalize())
    } else {
        let problem = format!("({}, {}, {}) is not a direction", v.x, v.y, v.z);
        Err(Error::invalid(what, problem))
    }
}

/// Rejects a pose that is not finite or whose matrix is no rotation (tolerance 1e-3: a file may have few digits).
pub(crate) fn check_pose(what: &str, pose: &Pose) -> Result<()> {
    let r = pose.rotation.matrix();
    if !is_finite(&pose.translation.vector) || r.iter().any(|c| !c.is_finite()) {
        return Err(Error::invalid(format!("pose of {what}"), "is not finite"));
    }
    if !is_in_range(&pose.translation.vector) {
        let problem = format!("is out of range: no further than {LARGEST:?} m from the origin");
        return Err(Error::invalid(format!("pose of {what}"), problem));
    }
    if so3::defect(&pose.rotation) > 1e-3 {
        return Err(Error::invalid(
            format!("pose of {what}"),
            "is not a rotation",
        ));
    }
    Ok(())
}

/// Re-orthonormalizes the rotation of a pose, which a file may give with few digits.
#[inline]
pub(super) fn orthonormal(pose: &Pose) -> Pose {
    Pose::from_parts(pose.translation, so3::orthonormalized(&pose.rotation))
}

/// Returns whether all three components are finite and in the range of shapes.
#[inline]
fn is_in_range(v: &Vector) -> bool {
    v.iter().all(|c| c.abs() <= LARGEST)
}

/// Returns whether all three components are finite.
#[inline]
pub(super) fn is_finite(v: &Vector) -> bool {
    v.iter().all(|c| c.is_finite())
}
