//! The exponential map of poses.

use kinworld::Pose;
use kinworld::math::{Motion, se3, so3};
use nalgebra::{Matrix4, Vector6};
use proptest::prelude::*;

use random_robots::{any_pose, any_vector, cases};

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn the_exponential_is_that_of_the_matrix(w in any_vector(1.8), v in any_vector(1.0), k in 0..9_i32) {
        let twist = Motion { angular: w * 10.0_f64.powi(-k), linear: v };
        let mut generator = Matrix4::zeros();
        generator.fixed_view_mut::<3, 3>(0, 0).copy_from(&so3::skew(&twist.angular));
        generator.fixed_view_mut::<3, 1>(0, 3).copy_from(&twist.linear);
        let pose = se3::exp(&twist);
        prop_assert!((pose.to_homogeneous() - generator.exp()).amax() < 1e-13);
        let back = Vector6::from(se3::log(&pose) - twist);
        prop_assert!(back.amax() < 1e-12, "{back:?}");
    }

    #[test]
    fn errors_and_interpolations_lead_from_one_pose_to_the_other(a in any_pose(), b in any_pose()) {
        prop_assert!(distance(&se3::interpolate(&a, &b, 0.0), &a) < 1e-14);
        prop_assert!(distance(&se3::interpolate(&a, &b, 1.0), &b) < 1e-14);
        let error = se3::error(&a, &b);
        let rotation = so3::from_rotation_vector(&error.angular) * b.rotation;
        let translation = b.translation.vector + error.linear;
        prop_assert!(distance(&Pose::from_parts(translation.into(), rotation), &a) < 1e-14);
        prop_assert!((se3::distance(&a, &b) - se3::distance(&b, &a)).abs() < 1e-14);
    }
}

fn distance(a: &Pose, b: &Pose) -> f64 {
    (a.to_homogeneous() - b.to_homogeneous()).amax()
}
