//! Random configurations, limits and drivers.

use std::f64::consts::TAU;

use kinworld::robot::{DriverKind, Limits, LinkMotion, LinkSpec};
use kinworld::{LinkId, Robot, RobotBuilder, Vector, kinematics};
use proptest::prelude::*;

use super::config_space::all_joints;
use crate::common::errors::{is_invalid, is_length};
use crate::common::numbers::assert_close;
use random_robots::cases;

fn any_limits() -> impl Strategy<Value = Limits> {
    prop_oneof![
        (-7.0..7.0, 0.0..9.0).prop_map(|(min, width)| Limits::position(min, min + width)),
        (-7.0..7.0).prop_map(|min| Limits::position(min, f64::INFINITY)),
        (-7.0..7.0).prop_map(|max| Limits::position(f64::NEG_INFINITY, max)),
        (-7.0..7.0).prop_map(|only| Limits::position(only, only)),
        Just(Limits::UNLIMITED),
    ]
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn samples_are_within_all_limits(limits in any_limits(), seed in any::<u64>(), scale in 0.0..10.0) {
        let robot = all_joints(limits);
        let q = kinematics::sample(&robot, seed, scale);
        prop_assert!(q.iter().all(|&q| limits.q_min <= q && q <= limits.q_max), "{q:?} {limits:?}");
        prop_assert!(kinematics::in_limits(&robot, &q));
        prop_assert_eq!(&q, &kinematics::sample(&robot, seed, scale));
    }

    #[test]
    fn a_source_of_extreme_numbers_stays_within_limits(limits in any_limits(), high in any::<bool>()) {
        let robot = all_joints(limits);
        let u = if high { 1.0_f64.next_down() } else { 0.0 };
        let q = kinematics::sample_with(&robot, 1.0, || u);
        prop_assert!(q.iter().all(|&q| limits.q_min <= q && q <= limits.q_max), "{q:?} {limits:?}");
    }

    #[test]
    fn clamped_configurations_are_within_limits_and_stay(limits in any_limits(), q in prop::collection::vec(-20.0..20.0, 15)) {
        let robot = all_joints(limits);
        let clamped = kinematics::clamp_to_limits(&robot, &q).unwrap();
        prop_assert!(kinematics::in_limits(&robot, &clamped));
        prop_assert_eq!(&kinematics::clamp_to_limits(&robot, &clamped).unwrap(), &clamped);
        if kinematics::in_limits(&robot, &q) {
            prop_assert!(kinematics::distance(&robot, &q, &clamped).unwrap() < 1e-6);
        }
    }
}

#[test]
fn a_spin_joint_is_within_limits_after_full_turns() {
    let robot = all_joints(Limits::position(1.0, 2.0));
    let mut q = vec![1.5; 15];
    assert!(kinematics::in_limits(&robot, &q));
    q[2] += 3.0 * TAU;
    assert!(kinematics::in_limits(&robot, &q));
    assert!((kinematics::clamp_to_limits(&robot, &q).unwrap()[2] - 1.5).abs() < 1e-12);
    q[1] += TAU;
    assert!(!kinematics::in_limits(&robot, &q));
    assert_close(
        "clamped",
        &[kinematics::clamp_to_limits(&robot, &q).unwrap()[1]],
        &[2.0],
        0.0,
    );
}

/// Means of many samples of [`all_joints`].
#[test]
fn samples_are_distributed_as_documented() {
    const MANY: u64 = 20_000;
    let mean = |limits: Limits, of: &dyn Fn(&[f64]) -> f64| {
        let robot = all_joints(limits);
        let sum: f64 = (0..MANY)
            .map(|seed| of(&kinematics::sample(&robot, seed, 0.5)))
            .sum();
        sum / MANY as f64
    };
    let normal = |q: &[f64]| q[1];
    let unlimited = Limits::UNLIMITED;
    let cases: [(&str, f64, f64); 7] = [
        (
            "uniform between limits",
            mean(Limits::position(-1.0, 5.0), &normal),
            2.0,
        ),
        (
            "uniform spread",
            mean(Limits::position(-1.0, 5.0), &|q| (q[1] - 2.0).powi(2)),
            3.0,
        ),
        (
            "exponential above a limit",
            mean(Limits::position(3.0, f64::INFINITY), &normal),
            3.5,
        ),
        ("symmetric without limits", mean(unlimited, &normal), 0.0),
        (
            "Laplace without limits",
            mean(unlimited, &|q| q[1].abs()),
            0.5,
        ),
        ("spin", mean(unlimited, &|q| q[2]), TAU / 2.0),
        // the sine of the pitch of a uniform rotation is uniform
        ("pitch", mean(unlimited, &|q| q[7].sin().powi(2)), 1.0 / 3.0),
    ];
    for (what, mean, expected) in cases {
        // three standard errors of the widest of them
        assert!(
            (mean - expected).abs() < 0.07,
            "{what}: {mean}, expected {expected}"
        );
    }
}

/// Three fingers: one driven alone, two together, and one not at all.
fn hand() -> Robot {
    let mut robot = RobotBuilder::new("hand");
    for i in 0..4 {
        robot.add_link(LinkSpec::new(
            format!("finger{i}"),
            None,
            LinkMotion::Revolute(Vector::z()),
        ));
    }
    let kind = DriverKind::Affine {
        links: vec![LinkId::new(1), LinkId::new(2)],
        scale: vec![1.0, -2.0],
        offset: vec![0.5, 1.0],
    };
    robot.add_driver("pair", kind, None);
    robot.add_driver(
        "single",
        DriverKind::Normal {
            link: LinkId::new(0),
        },
        None,
    );
    robot.build().unwrap()
}

#[test]
fn drivers_move_their_links_and_leave_the_others() {
    let robot = hand();
    let mut q = [9.0, 9.0, 9.0, 9.0];
    kinematics::config_from_drivers(&robot, &[0.25, -1.0], &mut q).unwrap();
    assert_close("q", &q, &[-1.0, 0.75, 0.5, 9.0], 0.0);
    assert_close(
        "u",
        &kinematics::config_to_drivers(&robot, &q).unwrap(),
        &[0.25, -1.0],
        0.0,
    );

    let mut dq = [9.0; 4];
    kinematics::velocity_from_drivers(&robot, &[0.25, -1.0], &mut dq).unwrap();
    assert_close("dq", &dq, &[-1.0, 0.25, -0.5, 9.0], 0.0);
    assert_close(
        "du",
        &kinematics::velocity_to_drivers(&robot, &dq).unwrap(),
        &[0.25, -1.0],
        0.0,
    );
}

#[test]
fn a_driver_of_links_that_disagree_has_their_mean() {
    // (1.5 - 0.5) / 1 = 1 and (0 - 1) / -2 = 0.5
    let u = kinematics::config_to_drivers(&hand(), &[0.0, 1.5, 0.0, 0.0]).unwrap();
    assert_close("u", &u, &[0.75, 0.0], 1e-15);
}

#[test]
fn driver_values_of_the_wrong_length_are_refused() {
    let robot = hand();
    let mut q = [1.0; 4];
    assert!(is_length(&kinematics::config_from_drivers(
        &robot,
        &[0.0],
        &mut q
    )));
    assert!(is_invalid(&kinematics::config_from_drivers(
        &robot,
        &[0.0, f64::NAN],
        &mut q
    )));
    assert!(is_length(&kinematics::velocity_from_drivers(
        &robot,
        &[0.0; 2],
        &mut q[1..]
    )));
    assert!(is_length(&kinematics::config_to_drivers(&robot, &[0.0; 3])));
    assert_close("q", &q, &[1.0; 4], 0.0);
}
