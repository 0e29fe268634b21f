//! Analytic IK of arms with a spherical wrist.

use std::f64::consts::{PI, TAU};

use kinworld::kinematics::ik::{Analytic, Objective, Options, Solver};
use kinworld::kinematics::{in_limits, sample};
use kinworld::math::so3;
use kinworld::robot::{Limits, LinkMotion, LinkSpec};
use kinworld::{DofId, LinkId, Point, Pose, Robot, RobotBuilder, State, Vector, kinematics};
use proptest::prelude::*;

use super::{config, somewhere};
use crate::common::errors::{is_invalid, is_length};
use crate::common::files::data;
use random_robots::{any_pose, cases};

fn load(file: &str) -> Robot {
    Robot::load(data("robots").join(file)).unwrap().value
}

fn end(robot: &Robot) -> LinkId {
    LinkId::new(robot.links().len() - 1)
}

fn find<'r>(robot: &'r Robot, link: LinkId) -> Option<Analytic<'r>> {
    let start = State::new(robot);
    Analytic::find(robot, link, start.config(), &Options::default()).unwrap()
}

/// The largest angle between two configurations, up to full turns.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    let angle = |(a, b): (&f64, &f64)| ((a - b) - ((a - b) / TAU).round() * TAU).abs();
    a.iter().zip(b).map(angle).fold(0.0, f64::max)
}

/// Distance of the link from a pose, m or rad.
fn pose_error(robot: &Robot, link: LinkId, q: &[f64], target: &Pose) -> f64 {
    let reached = config(robot, q).pose(robot, link);
    let way = reached.translation.vector - target.translation.vector;
    way.norm()
        .max(so3::distance(&reached.rotation, &target.rotation))
}

/// Whether the configuration is regular: the smallest singular value is above `least`.
fn is_regular(robot: &Robot, link: LinkId, q: &[f64], least: f64) -> bool {
    let state = config(robot, q);
    let jacobian = kinematics::jacobian(robot, &state, link, &Point::origin());
    jacobian.svd(false, false).singular_values.min() > least
}

/// Checks the postures for poses of random configurations: each at the pose and within limits, no two the same, and the
/// original one among them. Returns the number of postures.
pub(crate) fn check_postures(robot: &Robot, link: LinkId, least: f64) -> usize {
    let mut arm = find(robot, link).unwrap_or_else(|| panic!("{} has a wrist", robot.name()));
    let mut postures = 0;
    for seed in 0..count() {
        let there = somewhere(robot, seed);
        if !is_regular(robot, link, there.config(), least) {
            continue;
        }
        let target = there.pose(robot, link);
        let near = sample(robot, seed + 10_000, 1.0);
        let found = arm.solve(&target, &near).unwrap();
        for (i, posture) in found.iter().enumerate() {
            assert!(posture.is_success());
            assert!(pose_error(robot, link, &posture.q, &target) <= 1.000_001e-9);
            assert!(in_limits(robot, &posture.q));
            assert!(found[..i].iter().all(|p| apart(&p.q, &posture.q) > 1e-6));
        }
        let is_there = |q: &[f64]| apart(q, there.config()) < 1e-6;
        assert!(
            found.iter().any(|posture| is_there(&posture.q)),
            "{}, seed {seed}: {:?} is not among {} postures",
            robot.name(),
            there.config(),
            found.len()
        );
        postures += found.len();
    }
    postures
}

fn count() -> u64 {
    if std::env::var_os("KINWORLD_FULL").is_some() {
        1000
    } else {
        40
    }
}

#[test]
fn every_posture_of_the_puma_is_found() {
    let puma = load("puma560.urdf");
    let postures = check_postures(&puma, end(&puma), 1e-3);
    assert!(postures as u64 > 2 * count(), "{postures}");

    // the numeric solver finds no other posture from any start
    let link = end(&puma);
    let mut arm = find(&puma, link).unwrap();
    for seed in 0..3 {
        let target = somewhere(&puma, seed).pose(&puma, link);
        let all = arm.solve(&target, &[0.0; 6]).unwrap();
        let options = Options::default().with_restarts(0);
        let goal = Objective::pose(link, &target);
        let mut solver = Solver::new(&puma, &[goal], &options).unwrap();
        let mut seen = vec![false; all.len()];
        for start in 0..200 {
            let found = solver.solve(&sample(&puma, start, 1.0)).unwrap();
            if found.is_success() && is_regular(&puma, link, &found.q, 1e-3) {
                let known = all.iter().position(|p| apart(&p.q, &found.q) < 1e-5);
                seen[known.expect("it is a posture")] = true;
            }
        }
        assert!(seen.iter().all(|seen| *seen), "{seen:?}");
    }
}

#[test]
fn arms_without_a_spherical_wrist_are_recognised() {
    for file in [
        "planar3R.rob",
        "ur5.urdf",
        "panda.urdf",
        "scara.urdf",
        "gripper.rob",
        "quadruped.rob",
    ] {
        let robot = load(file);
        assert!(find(&robot, end(&robot)).is_none(), "{file}");
    }
    let puma = load("puma560.urdf");
    assert!(find(&puma, LinkId::new(5)).is_none());
    let q = [0.0; 6];
    let options = Options::default();
    assert!(is_invalid(&Analytic::find(
        &puma,
        LinkId::new(99),
        &q,
        &options
    )));
    assert!(is_length(&Analytic::find(
        &puma,
        end(&puma),
        &q[1..],
        &options
    )));
    let mut arm = find(&puma, end(&puma)).unwrap();
    assert!(is_length(&arm.solve(&Pose::identity(), &q[1..])));
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    assert!(is_invalid(&arm.solve(&nowhere, &q)));
    let far = Pose::translation(9.0, 0.0, 0.0);
    assert!(arm.solve(&far, &q).unwrap().is_empty());
}

#[test]
fn singular_wrists_give_one_of_infinitely_many_postures() {
    let puma = load("puma560.urdf");
    let mut arm = find(&puma, end(&puma)).unwrap();
    let q = [0.2, 0.4, -0.3, 0.5, 0.0, -0.9];
    let target = config(&puma, &q).pose(&puma, end(&puma));
    let found = arm.solve(&target, &q).unwrap();
    assert!(!found.is_empty());
    for posture in &found {
        assert!(pose_error(&puma, end(&puma), &posture.q, &target) <= 1.000_001e-9);
    }
    assert!(apart(&found[0].q, &q) < 1e-3, "{:?}", found[0].q);
}

/// An upright 6R arm with each link frame rotated about and shifted along its axis, and axes of either direction.
fn upright(
    [a1, a2, b, c1, c2, c3, c4]: [f64; 7],
    frames: [(f64, f64, bool); 6],
    zeros: [f64; 6],
    (base, tool): (Pose, Pose),
) -> Robot {
    let (y, z) = (Vector::y(), Vector::z());
    let axes = [
        (z, [0.0, 0.0, 0.0]),
        (y, [a1, 0.0, c1]),
        (y, [a1, 0.0, c1 + c2]),
        (z, [a1 + a2, b, 0.0]),
        (y, [a1 + a2, b, c1 + c2 + c3]),
        (z, [a1 + a2, b, c1 + c2 + c3 + c4]),
    ];
    let mut builder = RobotBuilder::new("upright");
    let (mut parent, mut before) = (None, Pose::identity());
    for (i, ((axis, at), (along, about, flip))) in axes.into_iter().zip(frames).enumerate() {
        // the link at q = 0, rotated by its offset
        let place = Vector::from(at) + axis * along;
        let turned = so3::from_rotation_vector(&(axis * about));
        let stands = Pose::from_parts(place.into(), turned);
        let axis_in_link = if flip { -axis } else { axis };
        let mut link = LinkSpec::new(
            format!("link{i}"),
            parent,
            LinkMotion::Revolute(axis_in_link),
        );
        let zero = Pose::rotation(axis_in_link * zeros[i]);
        link.placement = before.inv_mul(&stands) * zero;
        if parent.is_none() {
            link.placement = base * link.placement;
        }
        link.limits = Limits::position(-PI, PI);
        parent = Some(builder.add_link(link));
        before = stands;
    }
    let mut hand = LinkSpec::new("hand", parent, LinkMotion::Fixed);
    hand.placement = tool;
    builder.add_link(hand);
    builder.build().unwrap()
}

/// Joint 1 is free where the wrist is above the base, joint 2 where the forearm is folded back onto the shoulder, and a straight arm
/// is at the end of its reach.
#[test]
fn free_joints_stay_near_and_straight_arms_reach() {
    let frames = [(0.0, 0.0, false); 6];
    let lengths = [0.0, 0.0, 0.0, 0.3, 0.5, 0.5, 0.1];
    let base = (Pose::identity(), Pose::identity());
    let robot = upright(lengths, frames, [0.0; 6], base);
    let hand = end(&robot);
    for (name, q) in [
        ("above the base", [0.7, -0.4, 0.8, 0.3, 0.9, -0.5]),
        ("folded", [0.7, -0.4, PI, 0.3, 0.9, -0.5]),
        ("straight", [0.7, 0.6, 0.0, 0.3, 0.9, -0.5]),
        ("straight up", [0.7, 0.0, 0.0, 0.3, 0.9, -0.5]),
    ] {
        let target = config(&robot, &q).pose(&robot, hand);
        let found = find(&robot, hand).unwrap().solve(&target, &q).unwrap();
        assert!(!found.is_empty(), "{name}");
        // rounding of the pose turns a straight elbow by its square root
        let off = apart(&found[0].q, &q);
        assert!(off < 1e-6, "{name}: {off}");
        for posture in &found {
            assert!(pose_error(&robot, hand, &posture.q, &target) <= 1.000_001e-9);
        }
    }
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn frames_zeros_and_directions_do_not_matter(
        lengths in prop::array::uniform7(0.05..0.8),
        sides in prop::array::uniform3(any::<bool>()),
        frames in prop::array::uniform6((-0.5..0.5, -3.0..3.0, any::<bool>())),
        zeros in prop::array::uniform6(-3.0..3.0),
        base in any_pose(),
        tool in any_pose(),
        seed in 0_u64..1000,
    ) {
        let [a1, a2, b, c1, c2, c3, c4] = lengths;
        let signed = |x: f64, side: bool| if side { x } else { -x };
        let lengths = [signed(a1, sides[0]), signed(a2, sides[1]), signed(b, sides[2]), c1, c2, c3, c4];
        let robot = upright(lengths, frames, zeros, (base, tool));
        let hand = end(&robot);
        let q = sample(&robot, seed, 1.0);
        prop_assume!(is_regular(&robot, hand, &q, 1e-3));
        let target = config(&robot, &q).pose(&robot, hand);
        let mut arm = find(&robot, hand).expect("it was made so");
        prop_assert_eq!(arm.joints().collect::<Vec<_>>(), (0..6).map(DofId::new).collect::<Vec<_>>());
        let found = arm.solve(&target, &[0.0; 6]).unwrap();
        prop_assert!(found.iter().any(|p| apart(&p.q, &q) < 1e-6), "{} postures", found.len());
        for posture in &found {
            prop_assert!(pose_error(&robot, hand, &posture.q, &target) <= 1.000_001e-9);
        }
    }
}

#[test]
fn rounded_numbers_and_joints_of_two_turns_are_accepted() {
    // right angles of five digits, as files write them
    let rounded = 3.7e-6;
    let frames = [0.0, rounded, 0.0, rounded, 0.0, 0.0].map(|about| (0.0, about, false));
    let base = (Pose::identity(), Pose::translation(0.01, 0.02, 0.1));
    let lengths = [0.1, 0.05, 0.0, 0.4, 0.5, 0.5, 0.1];
    let mut robot = RobotBuilder::from(&upright(lengths, frames, [0.0; 6], base));
    for (i, link) in robot.links.iter_mut().enumerate().take(6) {
        link.limits = Limits::position(-TAU, TAU);
        if i == 3 {
            // and an axis that is slightly off
            link.placement *= Pose::rotation(Vector::x() * rounded);
        }
    }
    let robot = robot.build().unwrap();
    let hand = end(&robot);
    let mut arm = find(&robot, hand).unwrap();
    let q = [3.5, -0.4, 0.8, -4.0, 0.9, 6.0];
    let target = config(&robot, &q).pose(&robot, hand);
    let found = arm.solve(&target, &q).unwrap();
    assert_eq!(found.len(), 8);
    let way = found[0].q.iter().zip(q).map(|(a, b)| (a - b).abs());
    assert!(way.fold(0.0, f64::max) < 1e-6, "{:?}", found[0].q);
    for posture in &found {
        assert!(pose_error(&robot, hand, &posture.q, &target) <= 1.000_001e-9);
        assert!(in_limits(&robot, &posture.q));
    }
}
