//! Obstacles of the problems of MotionBenchMaker; `benches/motion` includes this file, too.

use kinworld::geometry::{Geometry, Primitive};
use kinworld::{Point, Pose, Rotation, Vector};
use nalgebra::Matrix3;

/// A box, a sphere, or a cylinder, which VAMP takes as a capsule. `x` are the upper three rows of its pose.
pub(crate) fn shape(kind: &str, size: &[f64], x: &[f64]) -> Geometry {
    let r = Matrix3::from_fn(|row, column| x[4 * row + column]);
    let p = Vector::new(x[3], x[7], x[11]);
    let pose = Pose::from_parts(p.into(), Rotation::from_matrix_unchecked(r));
    let solid = match kind {
        "box" => Primitive::cuboid(pose, Vector::new(size[0], size[1], size[2])),
        "sphere" => Primitive::sphere(p.into(), size[0]),
        _ => {
            let half = pose * Vector::new(0.0, 0.0, 0.5 * size[0]);
            let c = Point::from(p);
            Primitive::capsule(c - half, c + half, size[1])
        }
    };
    Geometry::from(solid.expect("a solid"))
}
