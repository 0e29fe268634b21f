//! Shapes and poses as those of parry3d, and so of rapier, and back.
//!
//! parry's shapes have no pose where ours have one, and the other way round; so a shape is converted with its pose. The version
//! of parry3d is that of this crate, re-exported as [`parry3d_f64`].
//!
//! | here | there |
//! |---|---|
//! | point, sphere | `Ball` |
//! | segment | `Segment`, with a margin `Capsule` |
//! | capsule | `Capsule` |
//! | box, cylinder, triangle, hull | `Cuboid`, `Cylinder`, `Triangle`, `ConvexPolyhedron`, with a margin `RoundCuboid`, … |
//! | ellipsoid | `ConvexPolyhedron` of its mesh, up to 2.5 % smaller |
//! | mesh, polygon | `TriMesh`, `ORIENTED` where it is solid; with a margin a `RoundTriangle` for each triangle |
//! | point cloud | a `Ball` for each point, of the margin's radius |
//! | group, or a shape whose pose has to be kept | `Compound` |
//!
//! Back, a `HeightField` and `Voxels` are meshes, a `Polyline` is a group of segments, a `Cone` and shapes with rounded ones
//! are hulls or carry a margin. A `HalfSpace` and custom shapes have no counterpart.
//!
//! The package `examples/rapier` drops the objects of a world onto its terrains.
//!
//! # Examples
//!
//! ```
//! use kinworld::geometry::{Geometry, Primitive, interop, query};
//! use kinworld::{Point, Pose, Vector};
//!
//! let ball = Geometry::from(Primitive::sphere(Point::origin(), 0.5)?);
//! let crate_ = Geometry::from(Primitive::cuboid(Pose::identity(), Vector::new(1.0, 1.0, 1.0))?).with_margin(0.01)?;
//! let (here, there) = (Pose::identity(), Pose::translation(2.0, 0.0, 0.0));
//! let ours = query::distance((&ball, &here), (&crate_, &there))?;
//!
//! let (a, b) = (interop::to_shape(&ball)?, interop::to_shape(&crate_)?);
//! let (x_a, x_b) = (interop::to_pose(&here), interop::to_pose(&there));
//! let theirs = interop::parry3d_f64::query::distance(&x_a, &*a, &x_b, &*b).expect("both are known").distance;
//! assert!((ours.distance - theirs).abs() < 1e-9);
//!
//! assert_eq!(interop::from_shape(&*b)?, crate_);
//! # Ok::<(), kinworld::Error>(())
//! ```

mod from;
mod to;

pub use from::from_shape;
pub use parry3d_f64;
pub use to::{to_parts, to_shape};

use parry3d_f64::math::Pose as ParryPose;

use super::parry;
use crate::math::Pose;

/// A pose as parry's; a raw rotation is read as the quaternion nearest to it.
#[must_use]
pub fn to_pose(pose: &Pose) -> ParryPose {
    parry::to_parry(pose)
}

/// A pose of parry as ours.
#[must_use]
pub fn from_pose(pose: &ParryPose) -> Pose {
    let pose: nalgebra::Isometry3<f64> = (*pose).into();
    Pose::from_parts(pose.translation, pose.rotation.to_rotation_matrix())
}
