//! Conversions between rotations and quaternions, by the order of their numbers.

use nalgebra::Matrix3;

use crate::math::Rotation;
use crate::{Error, Result};

/// The rotation of a quaternion `[w, x, y, z]` of any length (Klampt, Pinocchio's constructors, MuJoCo).
///
/// # Errors
///
/// [`Error::Invalid`] for length zero or numbers that are not finite.
pub fn from_wxyz(q: [f64; 4]) -> Result<Rotation> {
    let largest = q.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    if largest == 0.0 || !q.iter().all(|x| x.is_finite()) {
        return Err(Error::invalid(
            "quaternion",
            "needs four finite numbers that are not all zero",
        ));
    }
    // scaled first, so that no square is too large or too small
    let q = q.map(|x| x / largest);
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    Ok(unit(&q.map(|x| x / norm)))
}

/// The rotation of a quaternion `[x, y, z, w]` of any length (ROS, Eigen's memory, Pinocchio's configurations).
///
/// # Errors
///
/// As [`from_wxyz`].
pub fn from_xyzw([x, y, z, w]: [f64; 4]) -> Result<Rotation> {
    from_wxyz([w, x, y, z])
}

/// The unit quaternion `[w, x, y, z]` of a rotation, with `w ≥ 0`.
///
/// The quaternion of a raw matrix is normalised.
#[must_use]
#[inline]
pub fn to_wxyz(r: &Rotation) -> [f64; 4] {
    // Shepperd (1978): from the largest of the four, so that nothing cancels
    let m = r.matrix();
    let trace = m.trace();
    let k = m.diagonal().imax();
    let mut q = if trace > m[(k, k)] {
        [
            1.0 + trace,
            m[(2, 1)] - m[(1, 2)],
            m[(0, 2)] - m[(2, 0)],
            m[(1, 0)] - m[(0, 1)],
        ]
    } else {
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        let mut q = [m[(j, i)] - m[(i, j)], 0.0, 0.0, 0.0];
        q[1 + k] = 1.0 + 2.0 * m[(k, k)] - trace;
        q[1 + i] = m[(i, k)] + m[(k, i)];
        q[1 + j] = m[(j, k)] + m[(k, j)];
        q
    };
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    let sign = if q[0] < 0.0 { -norm } else { norm };
    for x in &mut q {
        *x /= sign;
    }
    q
}

/// The unit quaternion `[x, y, z, w]` of a rotation, with `w ≥ 0`; see [`to_wxyz`].
#[must_use]
pub fn to_xyzw(r: &Rotation) -> [f64; 4] {
    let [w, x, y, z] = to_wxyz(r);
    [x, y, z, w]
}

/// The rotation of a quaternion `[w, x, y, z]` of length 1 to rounding.
#[inline]
pub(super) fn unit(&[w, x, y, z]: &[f64; 4]) -> Rotation {
    // dividing by the square of the length keeps the matrix orthonormal
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    let (xx, yy, zz) = (s * x * x, s * y * y, s * z * z);
    let (xy, xz, yz) = (s * x * y, s * x * z, s * y * z);
    let (wx, wy, wz) = (s * w * x, s * w * y, s * w * z);
    #[rustfmt::skip]
    let m = Matrix3::new(
        1.0 - yy - zz, xy - wz, xz + wy,
        xy + wz, 1.0 - xx - zz, yz - wx,
        xz - wy, yz + wx, 1.0 - xx - yy,
    );
    Rotation::from_matrix_unchecked(m)
}
