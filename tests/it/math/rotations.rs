//! Round trips of the parametrisations of rotations.

use std::f64::consts::{FRAC_PI_2, PI};

use kinworld::math::so3;
use kinworld::{Rotation, Vector};
use proptest::prelude::*;

use random_robots::{any_vector, cases};

/// A rotation vector, with the hard angles as likely as the easy ones.
fn any_rotation_vector() -> impl Strategy<Value = Vector> {
    let angle = prop_oneof![
        0.0..PI,
        (0..17_i32).prop_map(|k| 10.0_f64.powi(-k)),
        (1..17_i32).prop_map(|k| PI - 10.0_f64.powi(-k)),
    ];
    let axis = any_vector(1.0).prop_filter("a direction", |v| v.norm() > 1e-3);
    (axis, angle).prop_map(|(axis, angle)| axis.normalize() * angle)
}

fn any_rotation() -> impl Strategy<Value = Rotation> {
    any_rotation_vector().prop_map(|w| so3::from_rotation_vector(&w))
}

/// The largest difference of two matrices.
fn distance(a: &Rotation, b: &Rotation) -> f64 {
    (a.matrix() - b.matrix()).amax()
}

proptest! {
    #![proptest_config(cases(2000))]

    #[test]
    fn rotation_vectors_come_back(w in any_rotation_vector()) {
        let back = so3::to_rotation_vector(&so3::from_rotation_vector(&w));

        // relative to its size near 0; at π the opposite vector is the same rotation
        let size = w.norm();
        let opposite = w * (1.0 - 2.0 * PI / size);
        let off = (back - w).norm().min((back - opposite).norm());
        prop_assert!(off <= 4e-15 * size, "{w:?} {back:?}");
    }

    #[test]
    fn rotations_are_orthonormal_and_follow_rodrigues_formula(w in any_rotation_vector(), p in any_vector(1.0)) {
        let r = so3::from_rotation_vector(&w);
        prop_assert!(so3::defect(&r) < 4e-15);
        let (axis, (s, c)) = (w.normalize(), w.norm().sin_cos());
        let rotated = p * c + axis.cross(&p) * s + axis * (axis.dot(&p) * (1.0 - c));
        prop_assert!((r * p - rotated).amax() < 2e-15);
        prop_assert!(distance(&r, &so3::from_axis_angle(&(w * 3.0), w.norm())) < 2e-15);
    }

    #[test]
    fn every_parametrisation_comes_back(r in any_rotation()) {
        let (axis, angle) = so3::to_axis_angle(&r);
        prop_assert!(distance(&so3::from_axis_angle(&axis, angle), &r) < 4e-15);
        prop_assert!(distance(&so3::from_wxyz(so3::to_wxyz(&r)).unwrap(), &r) < 4e-15);
        prop_assert!(distance(&so3::from_xyzw(so3::to_xyzw(&r)).unwrap(), &r) < 4e-15);
        prop_assert!(distance(&so3::from_rpy(so3::to_rpy(&r)), &r) < 4e-15);
        prop_assert!(distance(&so3::from_xyz(so3::to_xyz(&r)), &r) < 4e-15);
        prop_assert!(so3::to_wxyz(&r)[0] >= 0.0);
    }

    #[test]
    fn angles_are_products_of_rotations_about_axes(a in any_vector(3.0)) {
        let about = |axis: Vector, angle: f64| so3::from_axis_angle(&axis, angle);
        let [x, y, z] = [about(Vector::x(), a.x), about(Vector::y(), a.y), about(Vector::z(), a.z)];
        prop_assert!(distance(&so3::from_rpy(a.into()), &(z * y * x)) < 2e-15);
        prop_assert!(distance(&so3::from_xyz(a.into()), &(x * y * z)) < 2e-15);
    }

    #[test]
    fn a_right_angle_in_the_middle_still_gives_the_rotation(a in any_vector(3.0), k in 0..17_i32, down in any::<bool>()) {
        let sign = if down { -1.0 } else { 1.0 };
        let middle = sign * (FRAC_PI_2 - if k == 0 { 0.0 } else { 10.0_f64.powi(-k) });
        let r = so3::from_rpy([a.x, middle, a.z]);
        prop_assert!(distance(&so3::from_rpy(so3::to_rpy(&r)), &r) < 4e-14);
        let r = so3::from_xyz([a.x, middle, a.z]);
        prop_assert!(distance(&so3::from_xyz(so3::to_xyz(&r)), &r) < 4e-14);
    }

    #[test]
    fn errors_and_geodesics_lead_from_one_to_the_other(a in any_rotation(), b in any_rotation(), u in 0.0..1.0) {
        let error = so3::error(&a, &b);
        prop_assert!(distance(&(so3::from_rotation_vector(&error) * b), &a) < 8e-15);
        prop_assert!((so3::distance(&a, &b) - so3::distance(&b, &a)).abs() < 1e-14);

        prop_assert!(distance(&so3::interpolate(&a, &b, 0.0), &a) < 4e-15);
        prop_assert!(distance(&so3::interpolate(&a, &b, 1.0), &b) < 8e-15);
        let between = so3::interpolate(&a, &b, u);
        prop_assert!((so3::distance(&a, &between) - u * so3::distance(&a, &b)).abs() < 1e-13);
    }

    #[test]
    fn aligned_vectors_share_a_direction(a in any_vector(2.0), b in any_vector(2.0), opposite in any::<bool>()) {
        prop_assume!(a.norm() > 1e-3 && b.norm() > 1e-3);
        let b = if opposite { -a * 2.0 } else { b };
        let r = so3::align(&a, &b);
        prop_assert!(so3::defect(&r) < 4e-15);

        // towards opposite directions the axis is the difference of two vectors that hardly differ
        let half = (a.normalize() + b.normalize()).norm();
        let tolerance = if opposite { 4e-15 } else { 2e-15 / half };
        prop_assert!((r * a.normalize() - b.normalize()).amax() < tolerance);
        let angle = so3::distance(&r, &Rotation::identity());
        prop_assert!((angle - a.angle(&b)).abs() < 1e-7);
    }

    #[test]
    fn rotations_of_six_digits_are_orthonormalised(r in any_rotation(), noise in any_vector(1e-6)) {
        let raw = Rotation::from_matrix_unchecked(r.matrix() + so3::skew(&noise) * r.matrix().transpose());
        prop_assert!(so3::defect(&so3::orthonormalized(&raw)) < 4e-15);
        let m = raw.matrix();
        let gram = (m.transpose() * m - nalgebra::Matrix3::identity()).amax();
        prop_assert!((so3::defect(&raw) - gram).abs() < 1e-14);
        prop_assert!(distance(&so3::orthonormalized(&raw), &raw) < 4e-6);

        // functions of a raw matrix are as far off as the matrix
        prop_assert!((so3::distance(&raw, &Rotation::identity()) - so3::distance(&r, &Rotation::identity())).abs() < 1e-5);
    }
}

#[test]
fn half_turns_have_all_three_axes() {
    for axis in [
        Vector::x(),
        Vector::y(),
        Vector::z(),
        Vector::new(0.6, 0.0, -0.8),
    ] {
        let r = so3::from_axis_angle(&axis, PI);
        let (back, angle) = so3::to_axis_angle(&r);
        assert!((angle - PI).abs() < 1e-15);
        assert!((back.dot(&axis).abs() - 1.0).abs() < 1e-15, "{back:?}");
    }
}

#[test]
fn quaternions_by_name_differ_in_order_only() {
    // a rotation by π/2 about x, by hand
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let r = so3::from_wxyz([half, half, 0.0, 0.0]).unwrap();
    assert!((r * Vector::y() - Vector::z()).amax() < 1e-15);
    assert!(distance(&so3::from_xyzw([half, 0.0, 0.0, half]).unwrap(), &r) < 1e-15);
    let large = so3::from_wxyz([1e200, 1e200, 0.0, 0.0]).unwrap();
    assert!(distance(&large, &r) < 1e-15);
}

#[test]
fn invalid_quaternions_are_refused() {
    for bad in [
        [0.0; 4],
        [f64::NAN, 0.0, 0.0, 1.0],
        [f64::INFINITY, 0.0, 0.0, 0.0],
    ] {
        assert!(so3::from_wxyz(bad).is_err(), "{bad:?}");
    }
}

#[test]
fn uniform_rotations_have_no_preferred_direction() {
    // a grid of the unit cube; where the x axis goes must average out
    let mut mean = nalgebra::Matrix3::zeros();
    for k in 0..8000 {
        let at = |n: i32| (f64::from(n) + 0.5) / 20.0;
        let r = so3::from_uniform([at(k % 20), at(k / 20 % 20), at(k / 400)]);
        assert!(so3::defect(&r) < 4e-15);
        mean += r.matrix() / 8000.0;
    }
    assert!(mean.amax() < 1e-2, "{mean}");
}
