//! Poses in single precision against those in double precision.

use kinworld::batch::Workspace;
use kinworld::robot::JointKind;
use kinworld::{Error, LinkId, Robot, RobotBuilder, batch, kinematics};
use nalgebra::IsometryMatrix3;
use proptest::prelude::*;

use super::load;
use crate::common::numbers::{assert_close, pose_rows};
use random_robots::{any_robot, cases};

/// Less than one pass of eight lanes, more than one of sixteen, and more than one thread takes at once.
const SIZES: [usize; 6] = [0, 1, 7, 19, 257, 1000];

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn poses_are_those_of_double_precision(robot in any_robot(), count in 0..20_usize, floats: bool) {
        compare(&if floats { floating(&robot) } else { robot }, count);
    }
}

#[test]
fn batches_of_every_size_have_a_result_for_each_configuration() {
    for robot in [load("arm6"), floating(&load("snake30"))] {
        for count in SIZES {
            compare(&robot, count);
        }
    }
}

#[test]
fn results_do_not_depend_on_their_neighbours_to_the_last_bit() {
    let robot = load("arm6");
    let (n, tip) = (robot.n_dofs(), LinkId::new(robot.links().len() - 1));
    let mut configs = configs(&robot, 1000);

    // an angle that is too large for the vectorised sine
    configs[5 * n] = 3e5;
    let poses = batch::poses_f32(&robot, &configs, &[tip]).expect("configurations");
    for (k, config) in configs.chunks(n).enumerate() {
        let alone = batch::poses_f32(&robot, config, &[tip]).expect("a configuration");
        let bits = |pose: &IsometryMatrix3<f32>| pose.to_homogeneous().map(f32::to_bits);
        assert_eq!(bits(&alone[0]), bits(&poses[k]), "configuration {k}");
    }
    assert_close(
        "a large angle",
        &pose_rows(&poses[5].cast()),
        &pose_rows(&double(&robot, &configs[5 * n..][..n], &[tip])[0]),
        1e-5,
    );
}

#[test]
fn a_workspace_grows_with_the_robot() {
    let (small, large) = (load("arm6"), load("snake30"));
    let mut ws = Workspace::new(&large);
    for robot in [&small, &large, &small] {
        let tip = LinkId::new(robot.links().len() - 1);
        let q = configs(robot, 3);
        let mut out = vec![IsometryMatrix3::identity(); 3];
        batch::poses_f32_into(robot, &q, &[tip], &mut ws, &mut out).expect("configurations");
        assert_eq!(out, batch::poses_f32(robot, &q, &[tip]).expect("the same"));
    }
}

#[test]
fn incomplete_and_infinite_configurations_are_refused() {
    let robot = load("arm6");
    let (tip, mut ws) = (LinkId::new(0), Workspace::new(&robot));
    let error = batch::poses_f32(&robot, &[0.0; 11], &[tip]).expect_err("half of a second");
    assert!(matches!(
        error,
        Error::Length {
            expected: 12,
            found: 11,
            ..
        }
    ));
    for size in [0, 1, 3] {
        let mut out = vec![IsometryMatrix3::identity(); size];
        let error = batch::poses_f32_into(&robot, &[0.0; 12], &[tip], &mut ws, &mut out);
        assert!(matches!(error, Err(Error::Length { expected: 2, .. })));
    }
    let mut configs = [0.0; 24];
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        configs[20] = bad;
        let error = batch::poses_f32(&robot, &configs, &[tip]).expect_err("not finite");
        let message = format!("configuration 3: value 2 is {bad}, it must be finite");
        assert_eq!(error.to_string(), message);
    }
}

/// Compares the poses of all links in `count` configurations.
fn compare(robot: &Robot, count: usize) {
    let configs = configs(robot, count);
    let links: Vec<LinkId> = (0..robot.links().len()).rev().map(LinkId::new).collect();
    let ours = batch::poses_f32(robot, &configs, &links).expect("configurations");
    let theirs = double(robot, &configs, &links);
    assert_eq!(ours.len(), theirs.len());
    for (k, (ours, theirs)) in ours
        .chunks(links.len())
        .zip(theirs.chunks(links.len()))
        .enumerate()
    {
        let far = |far: f64, x: &kinworld::Pose| far.max(x.translation.vector.norm());
        let size = theirs.iter().fold(1.0, far);
        for (ours, theirs) in ours.iter().zip(theirs) {
            let ours = pose_rows(&ours.cast());
            assert_close(format!("pose {k}"), &ours, &pose_rows(theirs), 1e-5 * size);
        }
    }
}

/// The same in double precision, from the very same numbers.
fn double(robot: &Robot, configs: &[f32], links: &[LinkId]) -> Vec<kinworld::Pose> {
    let configs: Vec<f64> = configs.iter().map(|&x| f64::from(x)).collect();
    batch::poses(robot, &configs, links).expect("configurations")
}

fn configs(robot: &Robot, count: usize) -> Vec<f32> {
    let seeds = 0..count as u64;
    let samples = seeds.flat_map(|seed| kinematics::sample(robot, seed, 1.0));
    samples.map(|x| x as f32).collect()
}

fn floating(robot: &Robot) -> Robot {
    let floating = RobotBuilder::from(robot).with_base(JointKind::Floating);
    let robot = floating.expect("a base").build();
    robot.expect("a floating robot")
}
