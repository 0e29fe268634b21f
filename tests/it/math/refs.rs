//! Rotations, poses and angles against numbers from Klampt.

use std::f64::consts::{PI, TAU};

use kinworld::math::{Motion, se3, so2, so3};
use kinworld::{Point, Pose, Rotation, Vector};
use nalgebra::{Matrix3, Vector6};
use serde_json::Value;

use crate::common::files;
use crate::common::numbers::{assert_close, list, number, numbers};

#[test]
fn rotations_and_poses_are_klampts() {
    let refs = files::json(&files::data("golden/rotations/klampt.json"));
    for case in list(&refs["so3_se3"]) {
        compare_rotations(case);
        compare_poses(case);
    }
}

#[test]
fn angles_are_klampts() {
    let refs = files::json(&files::data("golden/rotations/klampt.json"));
    for case in list(&refs["so2"]) {
        let (a, b) = (number(&case["a"]), number(&case["b"]));
        let ours = [
            so2::difference(a, b),
            so2::interpolate(a, b, 0.3),
            so2::normalize(a),
        ];
        let theirs = ["diff", "interp_0.3", "normalize_a"].map(|key| number(&case[key]));
        assert_close(format!("{a} and {b}"), &ours, &theirs, TOLERANCE);
    }
}

fn compare_rotations(case: &Value) {
    let close = |what: &str, ours: &Rotation| {
        assert_close(
            what,
            ours.matrix().as_slice(),
            &numbers(&case[what]),
            TOLERANCE,
        );
    };
    let (a, b) = (rotation(&case["R"]), rotation(&case["R2"]));
    close("R", &so3::from_rotation_vector(&vector(&case["w"])));
    close("R2", &so3::from_rotation_vector(&vector(&case["w2"])));
    close("mul", &(a * b));
    close("inv", &a.inverse());
    close("interpolate_0.3", &so3::interpolate(&a, &b, 0.3));
    let rpy: [f64; 3] = vector(&case["rpy_in"]).into();
    close("from_rpy", &so3::from_rpy(rpy));

    let close = |what: &str, ours: &[f64]| {
        assert_close(what, ours, &numbers(&case[what]), TOLERANCE);
    };
    close("rotation_vector", so3::to_rotation_vector(&a).as_slice());
    close("error", so3::error(&a, &b).as_slice());
    assert_close(
        "distance",
        &[so3::distance(&a, &b)],
        &[number(&case["distance"])],
        TOLERANCE,
    );
    let (axis, angle) = so3::to_axis_angle(&a);
    assert_close(
        "axis",
        axis.as_slice(),
        &numbers(&case["axis_angle"][0]),
        TOLERANCE,
    );
    assert_close(
        "angle",
        &[angle],
        &[number(&case["axis_angle"][1])],
        TOLERANCE,
    );

    // signs and multiples of 2π are a choice
    let theirs = numbers(&case["quaternion_wxyz"]);
    let sign = if theirs[0] < 0.0 { -1.0 } else { 1.0 };
    let ours = so3::to_wxyz(&a).map(|x| x * sign);
    assert_close("quaternion", &ours, &theirs, TOLERANCE);
    let ours = so3::to_rpy(&a).map(so2::normalize);
    let theirs: Vec<f64> = numbers(&case["rpy_of_R"])
        .into_iter()
        .map(so2::normalize)
        .collect();
    assert_close("rpy", &ours, &theirs, TOLERANCE);
}

fn compare_poses(case: &Value) {
    let pose = |r: &str, t: &str| Pose::from_parts(vector(&case[t]).into(), rotation(&case[r]));
    let (a, b) = (pose("R", "t"), pose("R2", "t2"));
    let close = |what: &str, ours: &Pose| {
        let rotation = ours.rotation.matrix().iter();
        let ours: Vec<f64> = rotation
            .chain(ours.translation.vector.iter())
            .copied()
            .collect();
        assert_close(what, &ours, &numbers(&case[what]), TOLERANCE);
    };
    close("se3_mul", &(a * b));
    close("se3_inv", &a.inverse());
    close("se3_interpolate_0.3", &se3::interpolate(&a, &b, 0.3));
    let error = Vector6::from(se3::error(&a, &b));
    assert_close(
        "se3_error",
        error.as_slice(),
        &numbers(&case["se3_error"]),
        TOLERANCE,
    );
    let distance = number(&case["se3_distance"]);
    assert_close(
        "se3_distance",
        &[se3::distance(&a, &b)],
        &[distance],
        TOLERANCE,
    );
    let applied = a * Point::from(vector(&case["p"]));
    assert_close(
        "se3_apply",
        applied.coords.as_slice(),
        &numbers(&case["se3_apply"]),
        TOLERANCE,
    );
}

#[test]
fn the_exponential_of_a_circular_motion_is_a_quarter_circle() {
    // a car that drives a quarter of a circle of radius 1 to its left: by hand
    let twist = Motion {
        angular: Vector::z() * (PI / 2.0),
        linear: Vector::x() * (PI / 2.0),
    };
    let pose = se3::exp(&twist);
    assert_close(
        "place",
        pose.translation.vector.as_slice(),
        &[1.0, 1.0, 0.0],
        1e-15,
    );
    assert_close(
        "heading",
        &so3::to_rpy(&pose.rotation),
        &[0.0, 0.0, PI / 2.0],
        1e-15,
    );
}

#[test]
fn angles_stay_in_their_ranges() {
    for k in -8..=8 {
        let offset = f64::from(k) * TAU;
        for x in [0.0, 1e-20, -1e-20, PI, -PI, 3.0, -1e-9] {
            let normal = so2::normalize(x + offset);
            assert!((0.0..TAU).contains(&normal), "{x} + {k} offset: {normal}");
            let angle = so2::difference(x + offset, 0.0);
            assert!(angle > -PI && angle <= PI, "{x} + {k} offset: {angle}");
        }
    }
}

fn rotation(value: &Value) -> Rotation {
    Rotation::from_matrix_unchecked(Matrix3::from_vec(numbers(value)))
}

fn vector(value: &Value) -> Vector {
    Vector::from_vec(numbers(value))
}

/// The references have twelve digits.
const TOLERANCE: f64 = 1e-10;
