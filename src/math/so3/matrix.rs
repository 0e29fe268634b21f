//! Checked conversions between rotations and the numbers of their matrices.

use nalgebra::Matrix3;

use super::{defect, orthonormalized};
use crate::math::Rotation;
use crate::{Error, Result};

/// The rotation of a 3 × 3 matrix, given by its rows.
///
/// A matrix that is a rotation to six digits is accepted and made orthonormal; one that already is to rounding is kept bit by
/// bit.
///
/// # Errors
///
/// [`Error::Invalid`] for numbers that are not finite, a reflection, or a matrix farther than 10⁻⁵ from a rotation; the
/// message says how far.
///
/// # Examples
///
/// ```
/// use kinworld::Vector;
/// use kinworld::math::so3;
///
/// let quarter = so3::from_rows([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])?;
/// assert_eq!(quarter * Vector::x(), Vector::y());
///
/// let doubled = so3::from_rows([[2.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
/// let problem = "is no rotation: an entry of RᵀR − 1 is 3, it may be 1e-5";
/// assert_eq!(doubled.unwrap_err().to_string(), format!("rotation matrix: {problem}"));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn from_rows(rows: [[f64; 3]; 3]) -> Result<Rotation> {
    checked("rotation matrix", &Matrix3::from_fn(|i, k| rows[i][k]))
}

/// The rotation of a 3 × 3 matrix, which is checked as by [`from_rows`].
///
/// # Errors
///
/// As [`from_rows`].
pub fn from_matrix(matrix: &Matrix3<f64>) -> Result<Rotation> {
    checked("rotation matrix", matrix)
}

/// The rows of the matrix of a rotation: the inverse of [`from_rows`].
#[must_use]
pub fn to_rows(r: &Rotation) -> [[f64; 3]; 3] {
    std::array::from_fn(|i| std::array::from_fn(|k| r[(i, k)]))
}

/// The rotation of a matrix that is one to six digits, for messages about `what`.
pub(in crate::math) fn checked(what: &str, matrix: &Matrix3<f64>) -> Result<Rotation> {
    if let Some(x) = matrix.iter().find(|x| !x.is_finite()) {
        return Err(Error::invalid(
            what,
            format!("has the entry {x}, it must be finite"),
        ));
    }
    let raw = Rotation::from_matrix_unchecked(*matrix);
    let off = defect(&raw);
    if off.is_infinite() {
        let problem = format!(
            "is no rotation: its determinant is {:.4}, it must be 1; a negative one mirrors, often by a frame that is \
             left-handed",
            matrix.determinant()
        );
        return Err(Error::invalid(what, problem));
    }
    if off > TOLERANCE {
        let problem = format!(
            "is no rotation: an entry of RᵀR − 1 is {}, it may be 1e-5",
            short(off)
        );
        return Err(Error::invalid(what, problem));
    }
    Ok(orthonormalized(&raw))
}

/// Six digits in each entry.
const TOLERANCE: f64 = 1e-5;

/// A number with three digits.
fn short(x: f64) -> String {
    if (1e-3..1e4).contains(&x) {
        format!("{}", (x * 1e3).round() / 1e3)
    } else {
        format!("{x:.2e}")
    }
}
