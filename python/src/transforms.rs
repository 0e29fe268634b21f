//! Rotations and poses: conversions and interpolation.

use kinworld::math::{Motion, Wrench, se3 as se3_, so3 as so3_};
use kinworld::{Pose, Rotation, Vector};
use pyo3::prelude::*;

use crate::convert::{
    Array1, Array2, PoseIn, Reals, RotationIn, Vec3, Vec6, array1, matrix, pose_array,
    rotation_array,
};
use crate::error::{call, error};

fn four(numbers: &Reals) -> PyResult<[f64; 4]> {
    <[f64; 4]>::try_from(&**numbers).map_err(|_| {
        error(format!(
            "a quaternion has four numbers, got {}",
            numbers.len()
        ))
    })
}

pub(crate) mod so3 {
    //! Functions of `kinworld.so3`.

    use super::{
        Array1, Array2, PyResult, Python, Reals, Rotation, RotationIn, Vec3, array1, call, four,
        matrix, pyfunction, rotation_array, so3_,
    };

    /// Rotation (3 × 3) by roll, pitch and yaw (3), rad: about the fixed axes x, y, z in turn, as in URDF.
    #[pyfunction]
    pub(crate) fn from_rpy<'py>(py: Python<'py>, rpy: Vec3) -> Array2<'py> {
        rotation_array(py, &so3_::from_rpy(rpy.0))
    }

    /// Roll, pitch and yaw (3) of a rotation (3 × 3), rad.
    #[pyfunction]
    pub(crate) fn to_rpy<'py>(py: Python<'py>, rotation: RotationIn) -> Array1<'py> {
        array1(py, &so3_::to_rpy(&rotation.0))
    }

    /// Rotation (3 × 3) of a quaternion (w, x, y, z).
    #[pyfunction]
    pub(crate) fn from_wxyz<'py>(py: Python<'py>, quaternion: Reals) -> PyResult<Array2<'py>> {
        let q = four(&quaternion)?;
        call(|| so3_::from_wxyz(q)).map(|r| rotation_array(py, &r))
    }

    /// Rotation (3 × 3) of a quaternion (x, y, z, w).
    #[pyfunction]
    pub(crate) fn from_xyzw<'py>(py: Python<'py>, quaternion: Reals) -> PyResult<Array2<'py>> {
        let q = four(&quaternion)?;
        call(|| so3_::from_xyzw(q)).map(|r| rotation_array(py, &r))
    }

    /// Quaternion (w, x, y, z) of a rotation (3 × 3).
    #[pyfunction]
    pub(crate) fn to_wxyz<'py>(py: Python<'py>, rotation: RotationIn) -> Array1<'py> {
        array1(py, &so3_::to_wxyz(&rotation.0))
    }

    /// Quaternion (x, y, z, w) of a rotation (3 × 3).
    #[pyfunction]
    pub(crate) fn to_xyzw<'py>(py: Python<'py>, rotation: RotationIn) -> Array1<'py> {
        array1(py, &so3_::to_xyzw(&rotation.0))
    }

    /// Exponential map: rotation (3 × 3) of a rotation vector (3), rad.
    #[pyfunction]
    pub(crate) fn exp<'py>(py: Python<'py>, vector: Vec3) -> Array2<'py> {
        rotation_array(py, &so3_::from_rotation_vector(&vector.vector()))
    }

    /// Logarithm: rotation vector (3) of a rotation (3 × 3), rad.
    #[pyfunction]
    pub(crate) fn log<'py>(py: Python<'py>, rotation: RotationIn) -> Array1<'py> {
        array1(py, so3_::to_rotation_vector(&rotation.0).as_slice())
    }

    /// Rotation (3 × 3) by an angle (rad) about an axis (3).
    #[pyfunction]
    pub(crate) fn from_axis_angle<'py>(py: Python<'py>, axis: Vec3, angle: f64) -> Array2<'py> {
        rotation_array(py, &so3_::from_axis_angle(&axis.vector(), angle))
    }

    /// The inverse (3 × 3) of a rotation.
    #[pyfunction]
    pub(crate) fn inverse<'py>(py: Python<'py>, rotation: RotationIn) -> Array2<'py> {
        rotation_array(py, &rotation.0.inverse())
    }

    /// Angle between two rotations, rad.
    #[pyfunction]
    pub(crate) fn distance(a: RotationIn, b: RotationIn) -> f64 {
        so3_::distance(&a.0, &b.0)
    }

    /// Rotation (3 × 3) on the way from ``a`` (u = 0) to ``b`` (u = 1).
    #[pyfunction]
    pub(crate) fn interpolate<'py>(
        py: Python<'py>,
        a: RotationIn,
        b: RotationIn,
        u: f64,
    ) -> Array2<'py> {
        rotation_array(py, &so3_::interpolate(&a.0, &b.0, u))
    }

    /// The rotation (3 × 3) nearest to the identity that turns direction ``a`` (3) to ``b`` (3).
    #[pyfunction]
    pub(crate) fn align<'py>(py: Python<'py>, a: Vec3, b: Vec3) -> Array2<'py> {
        rotation_array(py, &so3_::align(&a.vector(), &b.vector()))
    }

    /// Axis (3) and angle (rad, 0 to π) of a rotation (3 × 3).
    #[pyfunction]
    pub(crate) fn to_axis_angle<'py>(py: Python<'py>, rotation: RotationIn) -> (Array1<'py>, f64) {
        let (axis, angle) = so3_::to_axis_angle(&rotation.0);
        (array1(py, axis.as_slice()), angle)
    }

    /// Rotation (3 × 3) by angles (3) about x, then the new y, then the new z, rad.
    #[pyfunction]
    pub(crate) fn from_xyz<'py>(py: Python<'py>, angles: Vec3) -> Array2<'py> {
        rotation_array(py, &so3_::from_xyz(angles.0))
    }

    /// Angles (3) about x, the new y and the new z of a rotation (3 × 3), rad.
    #[pyfunction]
    pub(crate) fn to_xyz<'py>(py: Python<'py>, rotation: RotationIn) -> Array1<'py> {
        array1(py, &so3_::to_xyz(&rotation.0))
    }

    /// The rotation vector (3), rad, from ``b`` to ``a`` in the axes of the world.
    #[pyfunction]
    pub(crate) fn error<'py>(py: Python<'py>, a: RotationIn, b: RotationIn) -> Array1<'py> {
        array1(py, so3_::error(&a.0, &b.0).as_slice())
    }

    /// The matrix (3 × 3) of the cross product with a vector (3).
    #[pyfunction]
    pub(crate) fn skew<'py>(py: Python<'py>, vector: Vec3) -> Array2<'py> {
        matrix(py, &so3_::skew(&vector.vector()))
    }

    /// A rotation (3 × 3), uniform over all rotations, from three numbers between 0 and 1.
    #[pyfunction]
    pub(crate) fn from_uniform<'py>(py: Python<'py>, numbers: Vec3) -> Array2<'py> {
        rotation_array(py, &so3_::from_uniform(numbers.0))
    }

    /// The identity (3 × 3).
    #[pyfunction]
    pub(crate) fn identity(py: Python<'_>) -> Array2<'_> {
        rotation_array(py, &Rotation::identity())
    }
}

pub(crate) mod se3 {
    //! Functions of `kinworld.se3`.

    use super::{
        Array1, Array2, Motion, Pose, PoseIn, PyResult, Python, Reals, Rotation, RotationIn, Vec3,
        Vec6, Vector, Wrench, array1, call, four, pose_array, pyfunction, se3_, so3_,
    };

    /// Pose (4 × 4) of a position (3) and a rotation (3 × 3).
    #[pyfunction]
    #[pyo3(signature = (position, rotation=None))]
    pub(crate) fn from_parts<'py>(
        py: Python<'py>,
        position: Vec3,
        rotation: Option<RotationIn>,
    ) -> Array2<'py> {
        let rotation = rotation.map_or_else(Rotation::identity, |rotation| rotation.0);
        pose_array(py, &Pose::from_parts(position.vector().into(), rotation))
    }

    /// Pose (4 × 4) without a rotation.
    #[pyfunction]
    pub(crate) fn from_translation<'py>(py: Python<'py>, position: Vec3) -> Array2<'py> {
        pose_array(
            py,
            &Pose::from_parts(position.vector().into(), Rotation::identity()),
        )
    }

    /// Pose (4 × 4) of a position (3) and roll, pitch, yaw (3), rad.
    #[pyfunction]
    pub(crate) fn from_rpy<'py>(py: Python<'py>, position: Vec3, rpy: Vec3) -> Array2<'py> {
        pose_array(
            py,
            &Pose::from_parts(position.vector().into(), so3_::from_rpy(rpy.0)),
        )
    }

    /// Pose (4 × 4) of a position (3) and a quaternion (w, x, y, z).
    #[pyfunction]
    pub(crate) fn from_wxyz<'py>(
        py: Python<'py>,
        position: Vec3,
        quaternion: Reals,
    ) -> PyResult<Array2<'py>> {
        let q = four(&quaternion)?;
        call(|| se3_::from_wxyz(position.0, q)).map(|pose| pose_array(py, &pose))
    }

    /// Pose (4 × 4) of a position (3) and a quaternion (x, y, z, w).
    #[pyfunction]
    pub(crate) fn from_xyzw<'py>(
        py: Python<'py>,
        position: Vec3,
        quaternion: Reals,
    ) -> PyResult<Array2<'py>> {
        let q = four(&quaternion)?;
        call(|| se3_::from_xyzw(position.0, q)).map(|pose| pose_array(py, &pose))
    }

    /// Position (3) and quaternion (w, x, y, z) of a pose (4 × 4).
    #[pyfunction]
    pub(crate) fn to_wxyz<'py>(py: Python<'py>, pose: PoseIn) -> (Array1<'py>, Array1<'py>) {
        let (position, quaternion) = se3_::to_wxyz(&pose.0);
        (array1(py, &position), array1(py, &quaternion))
    }

    /// Position (3) and quaternion (x, y, z, w) of a pose (4 × 4).
    #[pyfunction]
    pub(crate) fn to_xyzw<'py>(py: Python<'py>, pose: PoseIn) -> (Array1<'py>, Array1<'py>) {
        let (position, quaternion) = se3_::to_xyzw(&pose.0);
        (array1(py, &position), array1(py, &quaternion))
    }

    /// Pose (4 × 4) of Klampt's pair: nine numbers of the rotation by columns, three of the translation.
    #[pyfunction]
    pub(crate) fn from_klampt<'py>(
        py: Python<'py>,
        transform: (Reals, Vec3),
    ) -> PyResult<Array2<'py>> {
        let (columns, position) = transform;
        let Ok(c) = <[f64; 9]>::try_from(&*columns) else {
            return Err(super::error(format!(
                "a rotation of Klampt has nine numbers, got {}",
                columns.len()
            )));
        };
        let rows = [[c[0], c[3], c[6]], [c[1], c[4], c[7]], [c[2], c[5], c[8]]];
        let rotation = call(|| so3_::from_rows(rows))?;
        Ok(pose_array(
            py,
            &Pose::from_parts(position.vector().into(), rotation),
        ))
    }

    /// Klampt's pair of a pose (4 × 4): nine numbers of the rotation by columns, three of the translation, as lists.
    #[pyfunction]
    pub(crate) fn to_klampt(pose: PoseIn) -> (Vec<f64>, Vec<f64>) {
        (
            pose.0.rotation.matrix().as_slice().to_vec(),
            pose.0.translation.vector.as_slice().to_vec(),
        )
    }

    /// Exponential map: pose (4 × 4) after a twist (6, angular first) for unit time.
    #[pyfunction]
    pub(crate) fn exp<'py>(py: Python<'py>, twist: Vec6) -> Array2<'py> {
        pose_array(py, &se3_::exp(&Motion::from_angular_first(twist.0)))
    }

    /// Logarithm: twist (6, angular first) that leads from the identity to a pose (4 × 4) in unit time.
    #[pyfunction]
    pub(crate) fn log<'py>(py: Python<'py>, pose: PoseIn) -> Array1<'py> {
        array1(py, &se3_::log(&pose.0).to_angular_first())
    }

    /// The inverse (4 × 4) of a pose.
    #[pyfunction]
    pub(crate) fn inverse<'py>(py: Python<'py>, pose: PoseIn) -> Array2<'py> {
        pose_array(py, &pose.0.inverse())
    }

    /// Pose (4 × 4) on the way from ``a`` (u = 0) to ``b`` (u = 1).
    #[pyfunction]
    pub(crate) fn interpolate<'py>(py: Python<'py>, a: PoseIn, b: PoseIn, u: f64) -> Array2<'py> {
        pose_array(py, &se3_::interpolate(&a.0, &b.0, u))
    }

    /// Difference (6, angular first) of two poses: the rotation vector from ``b`` to ``a``, and that of the positions.
    #[pyfunction]
    pub(crate) fn error<'py>(py: Python<'py>, a: PoseIn, b: PoseIn) -> Array1<'py> {
        array1(py, &se3_::error(&a.0, &b.0).to_angular_first())
    }

    /// Distance of two poses: the angle between the rotations (rad) and the distance of the positions (m), as one number.
    #[pyfunction]
    pub(crate) fn distance(a: PoseIn, b: PoseIn) -> f64 {
        se3_::distance(&a.0, &b.0)
    }

    /// A motion (6, angular first) in a frame in which its own frame has the pose (4 × 4): X·v.
    #[pyfunction]
    pub(crate) fn transform_motion<'py>(
        py: Python<'py>,
        pose: PoseIn,
        motion: Vec6,
    ) -> Array1<'py> {
        let motion = Motion::from_angular_first(motion.0).transformed(&pose.0);
        array1(py, &motion.to_angular_first())
    }

    /// A wrench (6, moment first) in a frame in which its own frame has the pose (4 × 4): X*·f.
    #[pyfunction]
    pub(crate) fn transform_wrench<'py>(
        py: Python<'py>,
        pose: PoseIn,
        wrench: Vec6,
    ) -> Array1<'py> {
        let wrench = Wrench::from_angular_first(wrench.0).transformed(&pose.0);
        array1(py, &wrench.to_angular_first())
    }

    /// Cross product (6) of two motions (6 each, angular first): v × m.
    #[pyfunction]
    pub(crate) fn cross<'py>(py: Python<'py>, a: Vec6, b: Vec6) -> Array1<'py> {
        let (a, b) = (
            Motion::from_angular_first(a.0),
            Motion::from_angular_first(b.0),
        );
        array1(py, &a.cross(&b).to_angular_first())
    }

    /// Cross product (6, moment first) of a motion (6, angular first) and a wrench (6, moment first): v ×* f.
    #[pyfunction]
    pub(crate) fn cross_force<'py>(py: Python<'py>, motion: Vec6, wrench: Vec6) -> Array1<'py> {
        let (motion, wrench) = (
            Motion::from_angular_first(motion.0),
            Wrench::from_angular_first(wrench.0),
        );
        array1(py, &motion.cross_force(&wrench).to_angular_first())
    }

    /// The identity (4 × 4).
    #[pyfunction]
    pub(crate) fn identity(py: Python<'_>) -> Array2<'_> {
        pose_array(
            py,
            &Pose::from_parts(Vector::zeros().into(), Rotation::identity()),
        )
    }
}
