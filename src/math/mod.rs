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
/// The matrix is kept as given: a rotation from a file may be orthonormal to six digits only.
pub type Rotation = nalgebra::Rotation3<f64>;
/// A rigid transform: [`Rotation`] and translation.
pub type Pose = nalgebra::IsometryMatrix3<f64>;

mod digits;
mod inertia;
mod random;
pub mod se3;
mod simd;
pub mod so2;
pub mod so3;
mod spatial;
mod spline;

pub(crate) use digits::Digits;
pub use inertia::Inertia;
pub(crate) use random::{SplitMix, mix};
pub(crate) use simd::{
    Block, Lanes, Level, Mask, Number, Quad, QuadWork, Row, Scalar, Simd, Work, outlined, sin_cos,
};
pub use spatial::{Motion, Wrench};
pub(crate) use spline::Spline;
