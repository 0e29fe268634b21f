//! Poses, rotations and spatial (6-D) vectors. Layer 0.
//!
//! A [`Pose`] reads from right to left: `x_wl` takes coordinates in `l`ink to `w`orld, so
//! `x_wl = x_wp * x_pl` and `p_w = x_wl * p_l`.

/// A point in space (3), in metres.
pub type Point = nalgebra::Point3<f64>;
/// A free vector (3).
pub type Vector = nalgebra::Vector3<f64>;
/// A rotation matrix (3 × 3).
///
/// The matrix is kept as given: a rotation from a file may be orthonormal to six digits only. Checked constructors from plain
/// numbers are in [`so3`]: [`from_rows`](so3::from_rows), [`from_wxyz`](so3::from_wxyz), [`from_xyzw`](so3::from_xyzw).
pub type Rotation = nalgebra::Rotation3<f64>;
/// A rigid transform: [`Rotation`] and translation.
///
/// Checked constructors from plain numbers are in [`se3`]: [`from_rows`](se3::from_rows), [`from_wxyz`](se3::from_wxyz),
/// [`from_xyzw`](se3::from_xyzw).
pub type Pose = nalgebra::IsometryMatrix3<f64>;

/// Gravity on earth with z up, (0, 0, −9.81) m/s²: the default of the simulators, of setup files and of the tool.
///
/// Functions of [`dynamics`](crate::dynamics) take gravity as an argument. The conventional value of 9.80665 m/s² is
/// within 0.04 % of it, and so is most of the inhabited earth within 0.4 %.
///
/// ```
/// use kinworld::GRAVITY;
///
/// // with y up
/// let gravity = GRAVITY.xzy();
/// assert_eq!((gravity.y, gravity.norm()), (-9.81, 9.81));
/// ```
#[doc(alias = "STANDARD_GRAVITY")]
pub const GRAVITY: Vector = Vector::new(0.0, 0.0, -9.81);

mod digits;
mod inertia;
pub(crate) mod linear;
mod random;
pub mod se3;
mod simd;
pub mod so2;
pub mod so3;
mod solids;
mod spatial;
mod spline;

pub(crate) use digits::Digits;
pub use inertia::Inertia;
pub(crate) use random::{SplitMix, mix};
pub(crate) use simd::{
    Block, Lanes, Level, Mask, Number, Quad, QuadWork, Ring, Row, Scalar, Simd, Work, outlined,
    sin_cos,
};
pub use spatial::{Motion, Wrench};
pub(crate) use spline::Spline;
