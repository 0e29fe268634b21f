//! Euler angles in the two orders that robots use.

use nalgebra::Matrix3;

use crate::math::Rotation;

/// `Rz(yaw) · Ry(pitch) · Rx(roll)` from `[roll, pitch, yaw]`: URDF's `rpy`, Klampt's `rpy`.
#[must_use]
pub fn from_rpy([roll, pitch, yaw]: [f64; 3]) -> Rotation {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    #[rustfmt::skip]
    let m = Matrix3::new(
        cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
        sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
        -sp, cp * sr, cp * cr,
    );
    Rotation::from_matrix_unchecked(m)
}

/// `[roll, pitch, yaw]` of a rotation: roll and yaw in `(-π, π]`, pitch in `[-π/2, π/2]`.
///
/// At a pitch of ±π/2 only the sum or difference of the others is defined, and roll is 0. The angles of a raw matrix
/// are those of a rotation as near to it as its own error.
#[must_use]
pub fn to_rpy(r: &Rotation) -> [f64; 3] {
    let m = r.matrix();
    let cosine = m[(0, 0)].hypot(m[(1, 0)]);
    let pitch = (-m[(2, 0)]).atan2(cosine);
    if cosine <= LOCKED {
        return [0.0, pitch, (-m[(0, 1)]).atan2(m[(1, 1)])];
    }
    let yaw = m[(1, 0)].atan2(m[(0, 0)]);

    // with the yaw taken out nothing cancels, so that near the right angle the product is still the rotation
    let (s, c) = yaw.sin_cos();
    let roll = (s * m[(0, 2)] - c * m[(1, 2)]).atan2(c * m[(1, 1)] - s * m[(0, 1)]);
    [roll, pitch, yaw]
}

/// `Rx(a) · Ry(b) · Rz(c)` from `[a, b, c]`: Tait-Bryan angles x-y-z, as in multibody codes. Not [`from_rpy`].
#[must_use]
pub fn from_xyz([a, b, c]: [f64; 3]) -> Rotation {
    // the transpose of Rz(-c) Ry(-b) Rx(-a)
    from_rpy([-a, -b, -c]).transpose()
}

/// The Tait-Bryan angles x-y-z of a rotation: `a` and `c` in `(-π, π]`, `b` in `[-π/2, π/2]`.
///
/// At `b = ±π/2`, `a` is 0; raw matrices: see [`to_rpy`].
#[must_use]
pub fn to_xyz(r: &Rotation) -> [f64; 3] {
    let m = r.matrix();
    let cosine = m[(1, 2)].hypot(m[(2, 2)]);
    let b = m[(0, 2)].atan2(cosine);
    if cosine <= LOCKED {
        return [0.0, b, m[(1, 0)].atan2(m[(1, 1)])];
    }
    let a = (-m[(1, 2)]).atan2(m[(2, 2)]);

    // as in `to_rpy`
    let (s, c) = a.sin_cos();
    let c = (c * m[(1, 0)] + s * m[(2, 0)]).atan2(c * m[(1, 1)] + s * m[(2, 1)]);
    [a, b, c]
}

/// The cosine of the middle angle below which the other two cannot be distinguished.
const LOCKED: f64 = 1e-14;
