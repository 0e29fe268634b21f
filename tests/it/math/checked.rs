//! Checked constructors of rotations, poses and spatial vectors from plain numbers.

#![expect(clippy::float_cmp, reason = "the numbers are equal to the last bit")]

use kinworld::math::{Motion, Wrench, se3, so3};
use kinworld::{Pose, Rotation, Vector};
use nalgebra::{Matrix3, Matrix4};
use proptest::prelude::*;

use random_robots::{any_pose, cases};

/// A quarter turn about z, by rows.
const QUARTER: [[f64; 3]; 3] = [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];

fn refused<T>(result: kinworld::Result<T>) -> String {
    result.err().expect("it is refused").to_string()
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn poses_come_back_from_their_rows_and_quaternions(x in any_pose()) {
        let x = Pose::from_parts(x.translation, so3::orthonormalized(&x.rotation));
        let near = |back: Pose| (back.to_homogeneous() - x.to_homogeneous()).amax() < 4e-15;
        prop_assert_eq!(se3::from_rows(se3::to_rows(&x)).unwrap(), x);
        prop_assert_eq!(se3::from_matrix(&x.to_homogeneous()).unwrap(), x);
        prop_assert_eq!(so3::from_rows(so3::to_rows(&x.rotation)).unwrap(), x.rotation);
        prop_assert_eq!(so3::from_matrix(x.rotation.matrix()).unwrap(), x.rotation);
        let (position, quaternion) = se3::to_wxyz(&x);
        prop_assert!(near(se3::from_wxyz(position, quaternion).unwrap()));
        let (position, quaternion) = se3::to_xyzw(&x);
        prop_assert!(near(se3::from_xyzw(position, quaternion).unwrap()));
    }

    #[test]
    fn six_digits_are_enough_and_four_are_not(x in any_pose()) {
        let r = so3::orthonormalized(&x.rotation);
        let rounded = |digits: f64| r.matrix().map(|c| (c * digits).round() / digits);
        let read = so3::from_matrix(&rounded(1e6)).unwrap();
        prop_assert!(so3::defect(&read) < 1e-15);
        prop_assert!((read.matrix() - r.matrix()).amax() < 2e-6);
        let coarse = Rotation::from_matrix_unchecked(rounded(1e2));
        prop_assert_eq!(so3::from_matrix(coarse.matrix()).is_ok(), so3::defect(&coarse) <= 1e-5);
    }
}

#[test]
fn rows_are_rows_and_not_columns() {
    let r = so3::from_rows(QUARTER).unwrap();
    assert_eq!(r * Vector::x(), Vector::y());
    let x = se3::from_wxyz([1.0, 2.0, 3.0], [2.0, 0.0, 0.0, 2.0]).unwrap();
    assert!((x.rotation.matrix() - r.matrix()).amax() < 1e-15);
    let y = se3::from_xyzw([1.0, 2.0, 3.0], [0.0, 0.0, 2.0, 2.0]).unwrap();
    assert_eq!(x, y);
    assert_eq!(se3::to_rows(&x)[1][3], 2.0);
}

#[test]
fn a_refusal_says_what_is_wrong_and_by_how_much() {
    let mut rows = QUARTER;
    rows[2][2] = 1.01;
    let problem = "rotation matrix: is no rotation: an entry of RᵀR − 1 is 0.02, it may be 1e-5";
    assert_eq!(refused(so3::from_rows(rows)), problem);
    rows[2][2] = 1.00002;
    assert!(refused(so3::from_rows(rows)).contains("is 4.00e-5"));
    rows[2][2] = 1.000001;
    assert!(so3::from_rows(rows).is_ok());
    rows[2][2] = -1.0;
    let problem = "its determinant is -1.0000, it must be 1";
    assert!(refused(so3::from_rows(rows)).contains(problem));
    assert!(refused(so3::from_matrix(&Matrix3::zeros())).contains("determinant is 0.0000"));
    rows[0][1] = f64::NAN;
    assert_eq!(
        refused(so3::from_rows(rows)),
        "rotation matrix: has the entry NaN, it must be finite"
    );

    let mut pose = Matrix4::identity();
    pose[(3, 1)] = 0.5;
    assert!(
        refused(se3::from_matrix(&pose)).contains("last row is 0 0.5 0 1, not 0 0 0 1; transpose")
    );
    pose = Matrix4::identity();
    pose[(0, 3)] = f64::INFINITY;
    assert!(refused(se3::from_matrix(&pose)).contains("inf"));
    pose = Matrix4::identity();
    pose[(0, 0)] = 2.0;
    assert!(refused(se3::from_matrix(&pose)).starts_with("pose matrix: is no rotation"));
    assert!(refused(se3::from_wxyz([0.0; 3], [0.0; 4])).starts_with("quaternion"));
    assert!(
        refused(se3::from_xyzw([f64::NAN, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0])).contains("position")
    );
}

#[test]
fn halves_of_spatial_vectors_are_named_by_their_order() {
    let numbers = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let (first, second) = (Vector::new(1.0, 2.0, 3.0), Vector::new(4.0, 5.0, 6.0));
    let v = Motion::from_angular_first(numbers);
    assert_eq!((v.angular, v.linear), (first, second));
    let v = Motion::from_linear_first(numbers);
    assert_eq!((v.linear, v.angular), (first, second));
    assert_eq!(v.to_linear_first(), numbers);
    assert_eq!(v.to_angular_first(), [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
    let f = Wrench::from_angular_first(numbers);
    assert_eq!((f.moment, f.force), (first, second));
    let f = Wrench::from_linear_first(numbers);
    assert_eq!((f.force, f.moment), (first, second));
    assert_eq!(f.to_linear_first(), numbers);
    assert_eq!(f.to_angular_first(), [4.0, 5.0, 6.0, 1.0, 2.0, 3.0]);
}
