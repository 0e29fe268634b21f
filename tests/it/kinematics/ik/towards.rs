//! Velocity tasks towards a pose: at the goal, near it, and half a turn from it.

use std::f64::consts::PI;

use kinworld::kinematics::ik::{self, DifferentialOptions, VelocityTask};
use kinworld::math::so3;
use kinworld::{LinkId, Pose, Robot, Vector};
use proptest::prelude::*;

use super::config;
use crate::common::files::data;
use random_robots::{any_pose, any_vector, cases};

fn rotated(now: &Pose, w: &Vector) -> Pose {
    Pose::from_parts(now.translation, so3::from_rotation_vector(w) * now.rotation)
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_twist_is_the_way_at_every_angle(
        now in any_pose(),
        axis in any_vector(1.0).prop_filter("a direction", |v| v.norm() > 1e-3),
        angle in prop_oneof![0.0..PI, (0..17_i32).prop_map(|k| 10.0_f64.powi(-k)), (1..15_i32).prop_map(|k| PI - 10.0_f64.powi(-k))],
        way in any_vector(1.0),
        gain in 0.1..10.0_f64,
    ) {
        let w = axis.normalize() * angle;
        let now = Pose::from_parts(now.translation, so3::orthonormalized(&now.rotation));
        let mut goal = rotated(&now, &w);
        goal.translation.vector += way;
        let task = VelocityTask::towards(LinkId::new(3), &now, &goal, gain);
        let (linear, angular) = (task.linear.unwrap(), task.angular.unwrap());
        prop_assert!((linear - way * gain).norm() < 1e-14 * gain);
        prop_assert!((angular - w * gain).norm() < 1e-14 * gain, "{angular} {w}");
        prop_assert_eq!(task.p_link.coords, Vector::zeros());

        // one step of 1 / gain arrives
        let there = rotated(&now, &(angular / gain));
        prop_assert!((there.rotation.matrix() - goal.rotation.matrix()).amax() < 1e-14);
    }

    #[test]
    fn at_the_goal_and_at_half_a_turn_the_twist_is_finite(now in any_pose(), axis in any_vector(1.0)) {
        prop_assume!(axis.norm() > 1e-3);
        let at_goal = VelocityTask::towards(LinkId::new(0), &now, &now, 3.0);
        prop_assert_eq!(at_goal.linear, Some(Vector::zeros()));
        prop_assert!(at_goal.angular.unwrap().norm() < 1e-5);
        let half = VelocityTask::towards(LinkId::new(0), &now, &rotated(&now, &(axis.normalize() * PI)), 1.0);
        prop_assert!((half.angular.unwrap().norm() - PI).abs() < 1e-5);
    }
}

#[test]
fn a_control_loop_arrives_and_stays() {
    let arm = Robot::load(data("robots/puma560.urdf")).unwrap().value;
    let hand = arm.link_id("link6").unwrap();
    let goal = config(&arm, &[0.3, 0.5, -0.4, 0.3, 0.6, 0.2]).pose(&arm, hand);
    let mut state = config(&arm, &[0.2, 0.6, -0.2, 0.1, 0.5, 0.3]);
    let options = DifferentialOptions::default().with_damping(1e-10);
    let mut last = f64::INFINITY;
    for step in 0..400 {
        let now = state.pose(&arm, hand);
        let off = kinworld::math::se3::distance(&now, &goal);
        assert!(off <= last * 0.95 + 1e-9, "step {step}: {off} after {last}");
        last = off;
        let task = VelocityTask::towards(hand, &now, &goal, 10.0);
        let dq = ik::differential(&arm, &state, &[task], &options)
            .unwrap()
            .dq;
        let q: Vec<f64> = state
            .config()
            .iter()
            .zip(&dq)
            .map(|(q, dq)| q + 0.01 * dq)
            .collect();
        state = config(&arm, &q);
    }
    assert!(last < 1e-9, "{last}");
}
