//! Poses, rotations and spatial (6-D) vectors. Floor 0: knows nothing of robots.
//!
//! A [`Pose`] reads from right to left: `x_wl` takes coordinates in `l`ink to `w`orld, so
//! `x_wl = x_wp * x_pl` and `p_w = x_wl * p_l`.

/// A point in space (3), in metres.
pub type Point = nalgebra::Point3<f64>;
/// A free vector (3).
pub type Vector = nalgebra::Vector3<f64>;
/// A rotation matrix (3 × 3).
///
/// The matrix is kept as it was given: a rotation from a file may be orthonormal only to six digits.
pub type Rotation = nalgebra::Rotation3<f64>;
/// A rigid transform: [`Rotation`] and translation.
pub type Pose = nalgebra::IsometryMatrix3<f64>;

mod dispatch;
mod inertia;
mod lanes;
mod level;
mod number;
mod quad;
mod random;
mod scalar;
pub mod se3;
pub mod so2;
pub mod so3;
mod spatial;
mod spline;
mod trig;
mod trig_single;
mod wide;

pub(crate) use dispatch::{Simd, Work, outlined};
pub use inertia::Inertia;
pub(crate) use lanes::Lanes;
pub(crate) use level::Level;
pub(crate) use number::Number;
pub(crate) use quad::{Mask, Quad, Row};
pub(crate) use random::SplitMix;
pub(crate) use scalar::Scalar;
pub use spatial::{Motion, Wrench};
pub(crate) use spline::Spline;
pub(crate) use trig::sin_cos;
pub(crate) use wide::Block;
