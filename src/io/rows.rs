//! Poses as files write them: a rotation row by row, and a translation.

use nalgebra::{Matrix3, Translation3};

use crate::math::{Pose, Rotation};

/// A pose from the nine numbers of a rotation, row by row, and the three of a translation.
pub(crate) fn pose_from_rows(numbers: &[f64; 12]) -> Pose {
    let [xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z] = *numbers;
    pose(Matrix3::new(xx, xy, xz, yx, yy, yz, zx, zy, zz), [x, y, z])
}

/// A pose from its parts; the matrix is kept as it is, since files give it to six digits.
pub(crate) fn pose(rotation: Matrix3<f64>, translation: [f64; 3]) -> Pose {
    Pose::from_parts(
        Translation3::from(translation),
        Rotation::from_matrix_unchecked(rotation),
    )
}
