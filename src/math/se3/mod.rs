//! Poses: exponential map, differences, interpolation. Six-vectors are angular first.
//!
//! Raw rotations are treated as in [`so3`].

mod matrix;

pub use matrix::{from_matrix, from_rows, from_wxyz, from_xyzw, to_rows, to_wxyz, to_xyzw};

use nalgebra::{Matrix3, Translation3};

use super::{Motion, Pose, Vector, so3};

/// Exponential map: the pose of a body after moving with a constant twist for unit time.
#[must_use]
pub fn exp(twist: &Motion) -> Pose {
    let rotation = so3::from_rotation_vector(&twist.angular);
    let translation = left_jacobian(&twist.angular) * twist.linear;
    Pose::from_parts(translation.into(), rotation)
}

/// Logarithm: the constant twist that moves a body from the identity to a pose in unit time, the inverse of [`exp`].
///
/// It is exact near 0 and near rotations by π.
#[must_use]
pub fn log(pose: &Pose) -> Motion {
    let angular = so3::to_rotation_vector(&pose.rotation);
    let linear = left_jacobian_inverse(&angular) * pose.translation.vector;
    Motion { angular, linear }
}

/// Difference of two poses: [`so3::error`] of the rotations, difference of the translations.
///
/// Rotation and translation are separate here, unlike in `log(a · b⁻¹)`.
#[must_use]
#[inline]
pub fn error(a: &Pose, b: &Pose) -> Motion {
    Motion {
        angular: so3::error(&a.rotation, &b.rotation),
        linear: a.translation.vector - b.translation.vector,
    }
}

/// The angle between two poses plus the length between their origins: 1 rad counts as 1 m.
#[must_use]
#[inline]
pub fn distance(a: &Pose, b: &Pose) -> f64 {
    let error = error(a, b);
    error.angular.norm() + error.linear.norm()
}

/// The pose between `a` (`u = 0`) and `b` (`u = 1`): its origin moves on a straight line, its axes as in
/// [`so3::interpolate`].
#[must_use]
pub fn interpolate(a: &Pose, b: &Pose, u: f64) -> Pose {
    let (p_a, p_b) = (a.translation.vector, b.translation.vector);
    Pose::from_parts(
        Translation3::from(p_a + (p_b - p_a) * u),
        so3::interpolate(&a.rotation, &b.rotation, u),
    )
}

/// `∫₀¹ exp(s w) ds`.
fn left_jacobian(w: &Vector) -> Matrix3<f64> {
    let angle = w.norm();
    let k = so3::skew(w);
    let (a, b) = if angle < SMALL {
        let square = angle * angle;
        (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0)
    } else {
        // 1 - cos by the half angle, which does not cancel
        let half = (0.5 * angle).sin() / (0.5 * angle);
        let b = (angle - angle.sin()) / (angle * angle * angle);
        (0.5 * half * half, b)
    };
    Matrix3::identity() + k * a + k * k * b
}

/// The inverse of `∫₀¹ exp(s w) ds`: maps an angular velocity in the outer axes to the rate of a rotation vector.
pub(crate) fn left_jacobian_inverse(w: &Vector) -> Matrix3<f64> {
    let angle = w.norm();
    let k = so3::skew(w);
    let b = if angle < SMALL {
        1.0 / 12.0 + angle * angle / 720.0
    } else {
        let half = 0.5 * angle;
        (1.0 - half * half.cos() / half.sin()) / (angle * angle)
    };
    Matrix3::identity() - k * 0.5 + k * k * b
}

/// Below this angle the series are exact to 1e-12 of a term that is itself small.
const SMALL: f64 = 1e-3;
