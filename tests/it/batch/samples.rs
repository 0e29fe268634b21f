//! Samples in batches: those of single configurations, whatever the size of the batch and the number of threads.

use kinworld::robot::{JointKind, Limits, LinkMotion, LinkSpec};
use kinworld::{Robot, RobotBuilder, Vector, batch, kinematics};
use proptest::prelude::*;

use super::load;
use crate::common::errors::is_length;
use random_robots::{any_robot, cases};

/// A weld, a spin joint, and joints with two, one and no limits.
fn mixed() -> Robot {
    let mut robot = RobotBuilder::new("mixed");
    let joints = [
        (JointKind::Normal, Limits::UNLIMITED),
        (JointKind::Spin, Limits::UNLIMITED),
        (JointKind::Spin, Limits::position(-1.0, 2.0)),
        (JointKind::Weld, Limits::position(0.25, 2.0)),
        (JointKind::Normal, Limits::position(0.5, f64::INFINITY)),
        (JointKind::Normal, Limits::position(f64::NEG_INFINITY, -0.5)),
        (JointKind::Normal, Limits::position(-0.5, 1.0)),
    ];
    let mut parent = None;
    for (i, (kind, limits)) in joints.into_iter().enumerate() {
        let mut link = LinkSpec::new(
            format!("link{i}"),
            parent,
            LinkMotion::Revolute(Vector::z()),
        );
        link.limits = limits;
        let link = robot.add_link(link);
        robot.add_joint(kind, link, None);
        parent = Some(link);
    }
    robot.build().expect("a robot")
}

fn single(robot: &Robot, seed: u64, scale: f64, count: u64) -> Vec<f64> {
    (0..count)
        .flat_map(|k| kinematics::sample(robot, batch::sample_seed(seed, k), scale))
        .collect()
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_batch_is_the_samples_of_its_seeds(robot in any_robot(), seed in any::<u64>(), scale in 0.1..3.0_f64) {
        let ours = batch::sample(&robot, seed, scale, 9);
        prop_assert_eq!(&ours, &single(&robot, seed, scale, 9));
        for q in ours.chunks(robot.n_dofs().max(1)) {
            prop_assert!(kinematics::in_limits(&robot, q));
        }
    }
}

#[test]
fn a_part_of_a_batch_is_what_the_whole_has_there() {
    let arm = mixed();
    let n = arm.n_dofs();
    let whole = batch::sample(&arm, 7, 1.0, 5000);
    let mut part = vec![0.0; 3000 * n];
    batch::sample_part_into(&arm, 7, 1.0, 1234, &mut part).unwrap();
    assert_eq!(part, whole[1234 * n..4234 * n]);
    let problem = batch::sample_part_into(&arm, 7, 1.0, 0, &mut part[..n + 1]);
    assert!(matches!(problem, Err(kinworld::Error::Length { .. })));
}

#[test]
fn joints_of_all_kinds_are_sampled_as_one_by_one() {
    let arm = mixed();
    assert_eq!(batch::sample(&arm, 3, 0.7, 50), single(&arm, 3, 0.7, 50));

    // three angles are drawn together
    let flying = RobotBuilder::from(&arm)
        .with_base(JointKind::Floating)
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(flying.n_dofs(), 13);
    assert_eq!(
        batch::sample(&flying, 3, 0.7, 50),
        single(&flying, 3, 0.7, 50)
    );
}

#[test]
fn longer_batches_and_threads_change_nothing() {
    let robot = load("puma560");
    let long = batch::sample(&robot, 11, 1.0, 10_000);
    let short = batch::sample(&robot, 11, 1.0, 77);
    assert_eq!(long[..77 * 6], short);
    assert_eq!(
        long[6 * 9_990..],
        single(&robot, 11, 1.0, 10_000)[6 * 9_990..]
    );
    assert_ne!(short, batch::sample(&robot, 12, 1.0, 77));

    let mut out = vec![0.0; 77 * 6];
    batch::sample_into(&robot, 11, 1.0, &mut out).unwrap();
    assert_eq!(out, short);
    assert!(is_length(&batch::sample_into(
        &robot,
        11,
        1.0,
        &mut out[..10]
    )));
    assert!(batch::sample_into(&robot, 11, 1.0, &mut []).is_ok());
}

#[test]
fn samples_of_neighbouring_seeds_are_uniform_and_independent() {
    let robot = load("puma560");
    let n = 4000;
    let [a, b] = [1, 2].map(|seed| batch::sample(&robot, seed, 1.0, n));
    for (i, limits) in robot.limits().iter().enumerate() {
        let unit = |q: &[f64], k: usize| {
            (q[6 * k + i] - limits.q_min) / (limits.q_max - limits.q_min) - 0.5
        };
        let mean = |f: &dyn Fn(usize) -> f64| (0..n - 1).map(f).sum::<f64>() / (n - 1) as f64;
        // five standard deviations
        let slack = 5.0 / (n as f64).sqrt();
        assert!(mean(&|k| unit(&a, k)).abs() < slack * 0.29);
        assert!((mean(&|k| unit(&a, k).powi(2)) - 1.0 / 12.0).abs() < slack * 0.075);
        assert!(mean(&|k| unit(&a, k) * unit(&a, k + 1)).abs() < slack / 12.0);
        assert!(mean(&|k| unit(&a, k) * unit(&b, k)).abs() < slack / 12.0);
        assert!(mean(&|k| unit(&a, k + 1) * unit(&b, k)).abs() < slack / 12.0);
    }
}
