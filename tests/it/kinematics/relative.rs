//! Relative kinematics of links of random robots, against differences of relative poses.

use kinworld::math::so3;
use kinworld::{LinkId, State, kinematics};
use nalgebra::{DVector, Matrix6xX, Vector6};
use proptest::prelude::*;

use random_robots::{any_moving_robot, cases};

const STEP: f64 = 1e-6;

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn relative_jacobians_are_central_differences(m in any_moving_robot(), other in 0_usize..100) {
        let reference = LinkId::new(other % m.robot.links().len());
        let at = |q: &[f64]| {
            let mut state = State::new(&m.robot);
            state.set_config(&m.robot, q).unwrap();
            state.set_velocity(&m.robot, &m.dq).unwrap();
            state
        };
        let pose = |state: &State| kinematics::relative_pose(&m.robot, state, m.link, reference);
        let state = at(&m.q);
        let jacobian = kinematics::relative_jacobian(&m.robot, &state, m.link, &m.point, reference);
        let mut expected = Matrix6xX::zeros(m.q.len());
        for j in 0..m.q.len() {
            let [before, after] = [-STEP, STEP].map(|h| {
                let mut q = m.q.clone();
                q[j] += h;
                pose(&at(&q))
            });
            let turned = so3::to_rotation_vector(&(after.rotation * before.rotation.inverse()));
            let moved = after * m.point - before * m.point;
            let column = Vector6::from_iterator(turned.iter().chain(&moved).map(|x| x / (2.0 * STEP)));
            expected.set_column(j, &column);
        }
        let difference = (&jacobian - &expected).amax();
        prop_assert!(difference < 1e-6 * (1.0 + expected.amax()), "{difference}");

        let velocity = kinematics::relative_velocity(&m.robot, &state, m.link, &m.point, reference);
        let product = jacobian * DVector::from_column_slice(&m.dq);
        let found = Vector6::from(velocity);
        prop_assert!((product - found).amax() < 1e-9 * (1.0 + found.amax()));
    }

    #[test]
    fn a_link_does_not_move_relative_to_itself(m in any_moving_robot()) {
        let mut state = State::new(&m.robot);
        state.set_config(&m.robot, &m.q).unwrap();
        let jacobian = kinematics::relative_jacobian(&m.robot, &state, m.link, &m.point, m.link);
        let scale = kinematics::jacobian(&m.robot, &state, m.link, &m.point).amax();
        prop_assert!(jacobian.amax() <= 1e-12 * (1.0 + scale));
    }
}
