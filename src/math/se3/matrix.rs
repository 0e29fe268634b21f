//! Checked conversions between poses and plain numbers.

use nalgebra::{Matrix3, Matrix4};

use crate::math::{Pose, Vector, so3};
use crate::{Error, Result};

/// The pose of a homogeneous 4 × 4 matrix, given by its rows: rotation, translation in the last column, m, and 0 0 0 1.
///
/// The rotation is checked as by [`so3::from_rows`].
///
/// # Errors
///
/// [`Error::Invalid`] for numbers that are not finite, another last row, or a part that is no rotation.
///
/// # Examples
///
/// ```
/// use kinworld::math::se3;
///
/// let lift = se3::from_rows([
///     [1.0, 0.0, 0.0, 0.0],
///     [0.0, 1.0, 0.0, 0.0],
///     [0.0, 0.0, 1.0, 0.3],
///     [0.0, 0.0, 0.0, 1.0],
/// ])?;
/// assert_eq!(lift.translation.z, 0.3);
///
/// // the same numbers by columns: the translation is in the last row
/// let transposed = se3::to_rows(&lift);
/// let transposed = std::array::from_fn(|i| std::array::from_fn(|k| transposed[k][i]));
/// assert!(se3::from_rows(transposed).unwrap_err().to_string().contains("transpose"));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn from_rows(rows: [[f64; 4]; 4]) -> Result<Pose> {
    let what = "pose matrix";
    if let Some(x) = rows.iter().flatten().find(|x| !x.is_finite()) {
        return Err(Error::invalid(
            what,
            format!("has the entry {x}, it must be finite"),
        ));
    }
    let [a, b, c, d] = rows[3];
    if [a, b, c, d - 1.0].iter().any(|x| x.abs() > 1e-9) {
        let problem = format!(
            "its last row is {a} {b} {c} {d}, not 0 0 0 1; transpose a matrix that was stored by columns"
        );
        return Err(Error::invalid(what, problem));
    }
    let rotation = so3::checked(what, &Matrix3::from_fn(|i, k| rows[i][k]))?;
    let translation = Vector::new(rows[0][3], rows[1][3], rows[2][3]);
    Ok(Pose::from_parts(translation.into(), rotation))
}

/// The pose of a homogeneous 4 × 4 matrix, which is checked as by [`from_rows`].
///
/// # Errors
///
/// As [`from_rows`].
pub fn from_matrix(matrix: &Matrix4<f64>) -> Result<Pose> {
    from_rows(std::array::from_fn(|i| {
        std::array::from_fn(|k| matrix[(i, k)])
    }))
}

/// The rows of the homogeneous matrix of a pose: the inverse of [`from_rows`].
#[must_use]
pub fn to_rows(pose: &Pose) -> [[f64; 4]; 4] {
    let matrix = pose.to_homogeneous();
    std::array::from_fn(|i| std::array::from_fn(|k| matrix[(i, k)]))
}

/// The pose at a position, m, with the orientation of a quaternion `[w, x, y, z]` of any length.
///
/// # Errors
///
/// [`Error::Invalid`] for numbers that are not finite, or a quaternion of length zero.
pub fn from_wxyz(position: [f64; 3], quaternion: [f64; 4]) -> Result<Pose> {
    if !position.iter().all(|x| x.is_finite()) {
        let problem = format!("{position:?} must be finite");
        return Err(Error::invalid("position of a pose", problem));
    }
    let rotation = so3::from_wxyz(quaternion)?;
    Ok(Pose::from_parts(Vector::from(position).into(), rotation))
}

/// The pose at a position, m, with the orientation of a quaternion `[x, y, z, w]` of any length, as in ROS.
///
/// # Errors
///
/// As [`from_wxyz`].
pub fn from_xyzw(position: [f64; 3], [x, y, z, w]: [f64; 4]) -> Result<Pose> {
    from_wxyz(position, [w, x, y, z])
}

/// Position, m, and unit quaternion `[w, x, y, z]` with `w ≥ 0` of a pose: the inverse of [`from_wxyz`].
#[must_use]
pub fn to_wxyz(pose: &Pose) -> ([f64; 3], [f64; 4]) {
    (pose.translation.vector.into(), so3::to_wxyz(&pose.rotation))
}

/// Position, m, and unit quaternion `[x, y, z, w]` with `w ≥ 0` of a pose: the inverse of [`from_xyzw`].
#[must_use]
pub fn to_xyzw(pose: &Pose) -> ([f64; 3], [f64; 4]) {
    (pose.translation.vector.into(), so3::to_xyzw(&pose.rotation))
}
