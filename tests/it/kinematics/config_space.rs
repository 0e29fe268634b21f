//! Distance, interpolation and integration of each joint type.

use std::f64::consts::{PI, TAU};

use kinworld::kinematics;
use kinworld::math::{so2, so3};
use kinworld::robot::{JointKind, Limits, LinkMotion, LinkSpec};
use kinworld::{Error, LinkId, Robot, RobotBuilder, State, Vector};
use proptest::prelude::*;

use crate::common::errors::{is_invalid, is_length};
use crate::common::numbers::assert_close;
use random_robots::cases;

/// One joint of each type on the world, 15 degrees of freedom.
pub(super) fn all_joints(limits: Limits) -> Robot {
    let mut robot = RobotBuilder::new("all joints");
    let (x, y, z) = (Vector::x(), Vector::y(), Vector::z());
    let (slide, turn) = (LinkMotion::Prismatic, LinkMotion::Revolute);
    let joints = [
        (JointKind::Weld, vec![turn(z)]),
        (JointKind::Normal, vec![turn(x)]),
        (JointKind::Spin, vec![turn(y)]),
        (
            JointKind::Floating,
            vec![slide(x), slide(y), slide(z), turn(z), turn(y), turn(x)],
        ),
        (JointKind::FloatingPlanar, vec![slide(x), slide(y), turn(z)]),
        (JointKind::BallAndSocket, vec![turn(z), turn(y), turn(x)]),
    ];
    for (kind, motions) in joints {
        let mut parent = None;
        for motion in motions {
            let mut link = LinkSpec::new(kind.name(), parent, motion);
            link.limits = limits;
            parent = Some(robot.add_link(link));
        }
        robot.add_joint(kind, parent.unwrap(), None);
    }
    robot.build().unwrap()
}

/// A configuration of [`all_joints`] whose pitches stay away from gimbal lock.
fn any_config() -> impl Strategy<Value = Vec<f64>> {
    (prop::collection::vec(-6.0..6.0, N), -1.4..1.4, -1.4..1.4).prop_map(|(mut q, a, b)| {
        (q[PITCHES[0]], q[PITCHES[1]]) = (a, b);
        q
    })
}

/// Whether two configurations give every link the same pose, whatever their angles.
fn same_poses(robot: &Robot, a: &[f64], b: &[f64]) -> bool {
    let [a, b] = [a, b].map(|q| {
        let mut state = State::new(robot);
        state.set_config(robot, q).unwrap();
        state
    });
    let ends = robot.joints().iter().map(|joint| joint.link);
    ends.into_iter().all(|link| {
        let apart = a.pose(robot, link).to_homogeneous() - b.pose(robot, link).to_homogeneous();
        apart.amax() < 1e-9
    })
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn integrating_the_difference_gives_the_second_configuration(a in any_config(), b in any_config()) {
        let robot = all_joints(Limits::UNLIMITED);
        let step = kinematics::difference(&robot, &a, &b).unwrap();
        prop_assert!(same_poses(&robot, &kinematics::integrate(&robot, &a, &step).unwrap(), &b));
        let still = kinematics::integrate(&robot, &a, &[0.0; N]).unwrap();
        prop_assert!(same_poses(&robot, &still, &a));
    }

    #[test]
    fn interpolation_starts_at_one_end_and_ends_at_the_other(a in any_config(), b in any_config()) {
        let robot = all_joints(Limits::UNLIMITED);
        for (u, end) in [(0.0, &a), (1.0, &b)] {
            prop_assert!(same_poses(&robot, &kinematics::interpolate(&robot, &a, &b, u).unwrap(), end));
        }
    }

    #[test]
    fn interpolation_follows_the_step_at_constant_speed(a in any_config(), b in any_config(), u in 0.0..1.0) {
        let robot = all_joints(Limits::UNLIMITED);
        let between = kinematics::interpolate(&robot, &a, &b, u).unwrap();
        let step = kinematics::difference(&robot, &a, &b).unwrap();
        let part: Vec<f64> = step.iter().map(|v| v * u).collect();
        prop_assert!(same_poses(&robot, &between, &kinematics::integrate(&robot, &a, &part).unwrap()));

        let whole = kinematics::distance(&robot, &a, &b).unwrap();
        let way = kinematics::distance(&robot, &a, &between).unwrap();
        prop_assert!((way - u * whole).abs() < 1e-9, "{way} {whole}");
    }

    #[test]
    fn the_derivative_is_the_tangent_of_the_interpolation(a in any_config(), b in any_config()) {
        let robot = all_joints(Limits::UNLIMITED);
        let ours = kinematics::interpolate_deriv(&robot, &a, &b).unwrap();
        let h = 1e-6;
        let [before, after] = [-h, h].map(|u| kinematics::interpolate(&robot, &a, &b, u).unwrap());
        for i in 0..N {
            let jump = after[i] - before[i];
            let rate = (jump - TAU * (jump / TAU).round()) / (2.0 * h);
            let expected = if i == WELD { 0.0 } else { rate };
            prop_assert!((ours[i] - expected).abs() < 1e-5 * (1.0 + expected.abs()), "{i}: {} {expected}", ours[i]);
        }
    }

    #[test]
    fn distance_is_a_metric(a in any_config(), b in any_config(), c in any_config()) {
        let robot = all_joints(Limits::UNLIMITED);
        let distance = |a: &[f64], b: &[f64]| kinematics::distance(&robot, a, b).unwrap();
        prop_assert!((distance(&a, &b) - distance(&b, &a)).abs() < 1e-12);
        prop_assert!(distance(&a, &a) < 1e-7);
        prop_assert!(distance(&a, &c) <= distance(&a, &b) + distance(&b, &c) + 1e-9);
    }
}

#[test]
fn each_joint_type_has_its_own_distance() {
    let robot = all_joints(Limits::UNLIMITED);
    // indices with their changes, and the resulting distance
    let cases: [(&str, Changes, f64); 9] = [
        ("a weld does not count", &[(WELD, 5.0)], 0.0),
        (
            "a normal joint counts its difference",
            &[(NORMAL, 5.0)],
            5.0,
        ),
        (
            "a spin joint goes the short way round",
            &[(SPIN, 5.0)],
            TAU - 5.0,
        ),
        (
            "a floating base moves straight",
            &[(FLOATING, 3.0), (FLOATING + 1, 4.0)],
            5.0,
        ),
        (
            "its rotation counts the angle",
            &[(FLOATING + 3, 5.0)],
            TAU - 5.0,
        ),
        (
            "rotation and translation are summed in squares",
            &[(FLOATING, 3.0), (FLOATING + 5, PI)],
            3.0_f64.hypot(PI),
        ),
        (
            "a planar base moves straight and turns the short way",
            &[(PLANAR, 3.0), (PLANAR + 2, TAU + 4.0)],
            3.0_f64.hypot(TAU - 4.0),
        ),
        ("a ball joint counts the angle", &[(BALL, 6.0)], TAU - 6.0),
        (
            "its angles are not independent",
            &[(BALL, PI), (BALL + 1, PI), (BALL + 2, PI)],
            0.0,
        ),
    ];
    for (what, changes, expected) in cases {
        let (a, mut b) = (vec![0.0; N], vec![0.0; N]);
        for &(i, by) in changes {
            b[i] += by;
        }
        let distance = kinematics::distance(&robot, &a, &b).unwrap();
        assert!(
            (distance - expected).abs() < 1e-9,
            "{what}: {distance}, expected {expected}"
        );
    }
}

#[test]
fn a_ball_joint_rotates_about_one_axis() {
    let robot = all_joints(Limits::UNLIMITED);
    let (a, mut b) = (vec![0.0; N], vec![0.0; N]);
    b[BALL..].copy_from_slice(&[0.7, -0.4, 1.1]);
    let half = kinematics::interpolate(&robot, &a, &b, 0.5).unwrap();
    let full = so3::to_rotation_vector(&so3::from_rpy([1.1, -0.4, 0.7]));
    let expected = so3::to_rpy(&so3::from_rotation_vector(&(full * 0.5)));
    let ours = [half[BALL + 2], half[BALL + 1], half[BALL]].map(so2::normalize);
    assert_close("half way", &ours, &expected.map(so2::normalize), 1e-12);
    assert_eq!(half[..BALL], [0.0; BALL]);
}

#[test]
fn rates_stay_finite_in_gimbal_lock() {
    let robot = all_joints(Limits::UNLIMITED);
    let (mut a, b) = (vec![0.0; N], vec![0.3; N]);
    a[PITCHES[0]] = PI / 2.0;
    a[PITCHES[1]] = -PI / 2.0;
    let step = kinematics::difference(&robot, &a, &b).unwrap();
    assert!(step.iter().all(|v| v.abs() < 10.0), "{step:?}");
}

#[test]
fn wrong_vectors_are_refused_and_change_nothing() {
    let robot = all_joints(Limits::UNLIMITED);
    let (good, short) = ([0.5; N], [0.5; 3]);
    let mut nan = good;
    nan[4] = f64::NAN;
    assert!(matches!(
        kinematics::distance(&robot, &good, &short),
        Err(Error::Length {
            expected: N,
            found: 3,
            ..
        })
    ));
    assert!(matches!(
        kinematics::distance(&robot, &nan, &good),
        Err(Error::Invalid { .. })
    ));
    assert!(is_length(&kinematics::integrate(&robot, &good, &short)));
    assert!(is_length(&kinematics::difference(&robot, &short, &good)));
    assert!(!kinematics::in_limits(&robot, &nan));
    assert!(is_invalid(&kinematics::first_beyond_limits(
        &robot, &nan, 0.0
    )));
    let mut out = [7.0; N];
    assert!(is_invalid(&kinematics::interpolate_into(
        &robot,
        &good,
        &good,
        f64::NAN,
        &mut out
    )));
    assert!(is_invalid(&kinematics::interpolate_into(
        &robot, &good, &nan, 0.5, &mut out
    )));
    assert!(is_length(&kinematics::interpolate_into(
        &robot,
        &good,
        &good,
        0.5,
        &mut out[1..]
    )));
    assert_close("out", &out, &[7.0; N], 0.0);

    let mut state = State::new(&robot);
    state.set_config(&robot, &good).unwrap();
    state.set_velocity(&robot, &good).unwrap();
    let before = state.pose(&robot, LinkId::new(8));
    assert!(is_length(&state.set_config(&robot, &short)));
    assert!(is_length(&state.set_velocity(&robot, &short)));
    assert!(is_invalid(&state.set_config(&robot, &nan)));
    assert!(is_invalid(&state.set_velocity(&robot, &nan)));
    assert_eq!((state.config(), state.velocity()), (&good[..], &good[..]));
    assert_eq!(state.pose(&robot, LinkId::new(8)), before);
}

/// Indices of degrees of freedom with their changes.
type Changes = &'static [(usize, f64)];

/// Indices of the degrees of freedom of [`all_joints`].
const N: usize = 15;
const WELD: usize = 0;
const NORMAL: usize = 1;
const SPIN: usize = 2;
const FLOATING: usize = 3;
const PLANAR: usize = 9;
const BALL: usize = 12;
const PITCHES: [usize; 2] = [FLOATING + 4, BALL + 1];
