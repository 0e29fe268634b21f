//! Rotations: their parametrisations, differences and geodesics.
//!
//! Functions that construct a rotation return one that is orthonormal to rounding. Functions that take one accept a
//! raw matrix from a file, which may be orthonormal to six digits only: each documents what it does with the rest.
//! Angles are in radians; numbers that are not finite give results that are not finite.

mod euler;
mod matrix;
mod quaternion;

pub use euler::{from_rpy, from_xyz, to_rpy, to_xyz};
pub use matrix::{from_matrix, from_rows, to_rows};
pub use quaternion::{from_wxyz, from_xyzw, to_wxyz, to_xyzw};

pub(in crate::math) use matrix::checked;

use nalgebra::Matrix3;

use super::{Rotation, Vector};

/// The rotation by `|w|` about `w`: the exponential map.
#[must_use]
#[inline]
pub fn from_rotation_vector(w: &Vector) -> Rotation {
    // the quaternion is smooth at zero, where an axis is not
    let angle = w.norm();
    let half_sinc = if angle < SMALL {
        0.5 - angle * angle / 48.0
    } else {
        (0.5 * angle).sin() / angle
    };
    let v = w * half_sinc;
    quaternion::unit(&[(0.5 * angle).cos(), v.x, v.y, v.z])
}

/// The rotation vector `w` of a rotation, `|w| ≤ π`: the inverse of [`from_rotation_vector`], Klampt's *moment*.
///
/// It is as exact near 0 and near π as elsewhere; at π both signs are right and one is returned. A raw matrix is
/// read as the quaternion nearest to it.
#[must_use]
#[inline]
pub fn to_rotation_vector(r: &Rotation) -> Vector {
    let [w, x, y, z] = to_wxyz(r);
    let v = Vector::new(x, y, z);
    let sine = v.norm();
    if sine < SMALL {
        // 2 atan2(s, w) / s, with w = 1 - s²/2
        v * (2.0 + sine * sine / 3.0)
    } else {
        v * (2.0 * sine.atan2(w) / sine)
    }
}

/// The rotation by an angle about an axis of any length; the identity for an axis of length zero.
#[must_use]
pub fn from_axis_angle(axis: &Vector, angle: f64) -> Rotation {
    match axis.try_normalize(0.0) {
        Some(axis) => {
            let (sine, cosine) = (0.5 * angle).sin_cos();
            let v = axis * sine;
            quaternion::unit(&[cosine, v.x, v.y, v.z])
        }
        None => Rotation::identity(),
    }
}

/// The axis, of length 1, and the angle in `[0, π]` of a rotation; +z for the identity.
///
/// A raw matrix is read as by [`to_rotation_vector`].
#[must_use]
pub fn to_axis_angle(r: &Rotation) -> (Vector, f64) {
    let w = to_rotation_vector(r);
    let axis = w.try_normalize(0.0).unwrap_or_else(Vector::z);
    (axis, w.norm())
}

/// The rotation from `b` to `a`, as a rotation vector in the axes that both map to: `log(a · bᵀ)`.
///
/// `from_rotation_vector(error(a, b)) · b = a`. Raw matrices: see [`to_rotation_vector`].
#[must_use]
#[inline]
pub fn error(a: &Rotation, b: &Rotation) -> Vector {
    to_rotation_vector(&(a * b.transpose()))
}

/// The angle between two rotations, in `[0, π]`. Raw matrices: see [`to_rotation_vector`].
#[must_use]
#[inline]
pub fn distance(a: &Rotation, b: &Rotation) -> f64 {
    error(a, b).norm()
}

/// The rotation on the geodesic from `a` (`u = 0`) to `b` (`u = 1`), at constant angular velocity.
///
/// It is `a · exp(u · log(aᵀ · b))`, so that the result is as orthonormal as a raw `a`.
#[must_use]
pub fn interpolate(a: &Rotation, b: &Rotation, u: f64) -> Rotation {
    let w = to_rotation_vector(&(a.transpose() * b));
    a * from_rotation_vector(&(w * u))
}

/// The smallest rotation that takes the direction of `a` to that of `b`.
///
/// Opposite directions leave a choice, of which one is taken, and digits are lost near them; a vector of length zero
/// gives the identity.
#[must_use]
pub fn align(a: &Vector, b: &Vector) -> Rotation {
    let (Some(a), Some(b)) = (a.try_normalize(0.0), b.try_normalize(0.0)) else {
        return Rotation::identity();
    };
    // the half-way direction is orthogonal to the axis: no acos
    let half = a + b;
    let Some(half) = half.try_normalize(1e-12) else {
        let axis = a.cross(&Vector::ith(a.iamin(), 1.0));
        return from_axis_angle(&axis, std::f64::consts::PI);
    };
    let v = a.cross(&half);
    quaternion::unit(&[a.dot(&half), v.x, v.y, v.z])
}

/// The matrix `[w]×` with `[w]× a = w × a`.
#[must_use]
#[inline]
pub fn skew(w: &Vector) -> Matrix3<f64> {
    w.cross_matrix()
}

/// The orthonormal matrix nearest to a raw one, for rotations rounded to a few digits. A matrix that is orthonormal to
/// rounding is returned as it is.
#[must_use]
#[inline]
pub fn orthonormalized(r: &Rotation) -> Rotation {
    const ENOUGH: f64 = 8.0 * f64::EPSILON;
    let mut m = *r.matrix();
    // Newton's iteration for the polar factor; it squares the error each time: 1e-6 is gone after one
    for _ in 0..8 {
        if off_rotation(&m) <= ENOUGH {
            break;
        }
        m *= Matrix3::identity() * 1.5 - m.transpose() * m * 0.5;
    }
    Rotation::from_matrix_unchecked(m)
}

/// Distance of a raw matrix from a rotation: the largest entry of `|RᵀR - 1|`, or infinity for a reflection.
#[must_use]
#[inline]
pub fn defect(r: &Rotation) -> f64 {
    let m = r.matrix();
    if m.determinant() <= 0.0 {
        return f64::INFINITY;
    }
    off_rotation(m)
}

/// The largest entry of `mᵀm - 1`, from the six that differ: every query looks at the poses that it is given.
#[inline]
fn off_rotation(m: &Matrix3<f64>) -> f64 {
    let column = |k: usize| m.fixed_view::<3, 1>(0, k);
    let (x, y, z) = (column(0), column(1), column(2));
    let lengths = [x.norm_squared(), y.norm_squared(), z.norm_squared()];
    let across = [x.dot(&y), y.dot(&z), z.dot(&x)];
    let off = lengths
        .iter()
        .fold(0.0, |off: f64, l| off.max((l - 1.0).abs()));
    across.iter().fold(off, |off, d| off.max(d.abs()))
}

/// A rotation drawn uniformly, from three numbers drawn uniformly in `[0, 1)`.
///
/// Shoemake (1992): uniform random rotations.
#[must_use]
pub fn from_uniform([a, b, c]: [f64; 3]) -> Rotation {
    let (s1, c1) = (std::f64::consts::TAU * b).sin_cos();
    let (s2, c2) = (std::f64::consts::TAU * c).sin_cos();
    let (near, far) = ((1.0 - a).sqrt(), a.sqrt());
    quaternion::unit(&[far * c2, near * s1, near * c1, far * s2])
}

/// Below this angle a series of two terms is exact to rounding.
const SMALL: f64 = 1e-4;
