//! Poses and Jacobians of a batch against those of single configurations.

use kinworld::{LinkId, State, batch, kinematics};
use proptest::prelude::*;

use super::load;
use crate::common::numbers::{assert_close, pose_rows};
use random_robots::{Moving, any_moving_robot, cases};

/// None, less than one pass of four lanes, more than one of eight, and more than one thread takes at once.
const SIZES: [usize; 6] = [0, 1, 3, 9, 257, 1000];

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn poses_and_jacobians_are_those_of_single_configurations(m in any_moving_robot(), count in 0..12_usize) {
        compare(&m, count);
    }
}

#[test]
fn batches_of_every_size_have_a_result_for_each_configuration() {
    for name in ["arm6", "snake30"] {
        let robot = load(name);
        for count in SIZES {
            let q = kinematics::sample(&robot, 1, 1.0);
            let link = LinkId::new(robot.links().len() - 1);
            let moving = Moving {
                dq: q.clone(),
                ddq: q.clone(),
                point: [0.1, -0.2, 0.3].into(),
                robot: robot.clone(),
                link,
                q,
            };
            compare(&moving, count);
        }
    }
}

#[test]
fn results_do_not_depend_on_their_neighbours_to_the_last_bit() {
    let robot = load("arm6");
    let n = robot.n_dofs();
    let mut configs: Vec<f64> = (0..1000)
        .flat_map(|seed| kinematics::sample(&robot, seed, 1.0))
        .collect();

    // an angle that is too large for the vectorised sine
    configs[5 * n] = 3e7;
    let tip = LinkId::new(robot.links().len() - 1);
    let point = [0.1, -0.2, 0.3].into();
    let poses = batch::poses(&robot, &configs, &[tip]).expect("configurations");
    let jacobians = batch::jacobians(&robot, &configs, tip, &point).expect("configurations");
    for (k, config) in configs.chunks(n).enumerate() {
        let pose = batch::poses(&robot, config, &[tip]).expect("a configuration");
        let jacobian = batch::jacobians(&robot, config, tip, &point).expect("a configuration");
        assert_eq!(bits(&pose_rows(&pose[0])), bits(&pose_rows(&poses[k])));
        assert_eq!(bits(&jacobian), bits(&jacobians[k * 6 * n..][..6 * n]));
    }
}

/// Compares a batch of `count` configurations, the first at `m.q`, with one after the other.
fn compare(m: &Moving, count: usize) {
    let n = m.robot.n_dofs();
    // a robot without degrees of freedom has no configurations
    let count = if n == 0 { 0 } else { count };
    let configs: Vec<f64> = (0..count)
        .flat_map(|k| m.q.iter().map(move |q| q + 0.37 * k as f64))
        .collect();
    let links: Vec<LinkId> = (0..m.robot.links().len()).rev().map(LinkId::new).collect();

    let poses = batch::poses(&m.robot, &configs, &links).expect("configurations");
    let jacobians = batch::jacobians(&m.robot, &configs, m.link, &m.point).expect("configurations");
    assert_eq!(poses.len(), count * links.len());
    assert_eq!(jacobians.len(), count * 6 * n);

    let mut state = State::new(&m.robot);
    for k in 0..count {
        let q = &configs[k * n..][..n];
        state.set_config(&m.robot, q).expect("a configuration");
        let size = links.iter().map(|&link| state.pose(&m.robot, link));
        let size = size.fold(1.0_f64, |size, x| size.max(x.translation.vector.norm()));
        for (&link, pose) in links.iter().zip(&poses[k * links.len()..]) {
            let expected = pose_rows(&state.pose(&m.robot, link));
            assert_close(
                format!("pose {k}"),
                &pose_rows(pose),
                &expected,
                1e-12 * size,
            );
        }
        let expected = kinematics::jacobian(&m.robot, &state, m.link, &m.point);
        let ours = &jacobians[k * 6 * n..][..6 * n];
        let what = format!("Jacobian {k}");
        assert_close(
            what,
            ours,
            expected.as_slice(),
            1e-12 * size.max(expected.amax()),
        );
    }
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|x| x.to_bits()).collect()
}
