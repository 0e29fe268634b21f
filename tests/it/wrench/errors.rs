//! Errors of wrenches, frames and limbs, and tables.

use crate::common::errors::assert_refused;
use kinworld::math::Wrench;
use kinworld::robot::JointKind;
use kinworld::wrench::{
    AppliedWrench, FrameId, FrameMotion, Frames, Segment, Site, balance, limb, table,
};
use kinworld::{LinkId, Point, Pose, State, Vector};

use super::six;

fn leg() -> kinworld::Robot {
    let segments = [
        Segment::new("thigh", 0.5, 8.0),
        Segment::new("shank", 0.4, 4.0),
    ];
    limb("leg", JointKind::Normal, &segments).unwrap()
}

#[test]
fn wrenches_at_different_points_or_in_different_axes_do_not_add() {
    let (thigh, shank) = (LinkId::new(0), LinkId::new(1));
    let one = AppliedWrench::zero(Site::link(thigh), FrameId::World);
    let elsewhere = AppliedWrench::zero(Site::link(shank), FrameId::World);
    let other_axes = AppliedWrench::zero(Site::link(thigh), FrameId::Link(shank));
    let message = |other: &AppliedWrench| one.sum(other).unwrap_err().to_string();
    assert!(
        message(&elsewhere).contains("translate one of them first"),
        "{}",
        message(&elsewhere)
    );
    assert!(
        message(&other_axes).contains("express one of them first"),
        "{}",
        message(&other_axes)
    );
    assert_refused(one.difference(&other_axes), "express one of them first");
    assert!(!message(&other_axes).contains("LinkId"));
    assert_refused(one.equate([&one, &other_axes]), "express one of them first");
    assert!(one.sum(&one).is_ok());
}

#[test]
fn changes_of_point_and_frame_are_invertible() {
    let leg = leg();
    let mut state = State::new(&leg);
    state.set_config(&leg, &[0.3, -1.2]).unwrap();
    let frames = Frames::new(&leg, &state, &[0.0; 2]).unwrap();
    let shank = LinkId::new(1);
    let start = Site::on_link(shank, Point::new(0.1, 0.2, -0.3));
    let (force, moment) = (Vector::new(1.0, 2.0, 3.0), Vector::new(-4.0, 5.0, 6.0));
    let wrench = AppliedWrench::new(Wrench { moment, force }, start, FrameId::Link(shank));
    let away = wrench.translated(&Site::WORLD, &frames).unwrap();
    let away = away.expressed(FrameId::World, &frames).unwrap();
    let back = away.translated(&start, &frames).unwrap();
    let back = back.expressed(FrameId::Link(shank), &frames).unwrap();
    assert!(six(&back.difference(&wrench).unwrap()).amax() < 1e-14);

    // the moment about the world's origin, by hand
    let pose = state.pose(&leg, shank);
    let by_hand = pose * moment + (pose * start.position).coords.cross(&(pose * force));
    assert!((away.wrench.moment - by_hand).norm() < 1e-14);
}

#[test]
fn unknown_links_and_frames_are_named() {
    let leg = leg();
    let state = State::new(&leg);
    let mut frames = Frames::new(&leg, &state, &[0.0; 2]).unwrap();
    let message = |error: kinworld::Error| error.to_string();
    let error = frames.motion(FrameId::Link(LinkId::new(7))).unwrap_err();
    assert_eq!(message(error), "frame: there is no link 7; there are 2");
    let error = frames
        .position(&Site::origin(FrameId::Custom(0)))
        .unwrap_err();
    assert_eq!(
        message(error),
        "frame: there is no custom frame 0; there are 0"
    );

    let thigh = LinkId::new(0);
    let wrench = |x: f64| {
        let force = Vector::new(x, 0.0, 0.0);
        AppliedWrench::pure_force(force, Site::link(thigh), FrameId::World)
    };
    let still = Vector::zeros();
    for (link, external) in [
        (LinkId::new(2), None),
        (thigh, Some((LinkId::new(2), wrench(1.0)))),
        (thigh, Some((thigh, wrench(f64::NAN)))),
    ] {
        let external: Vec<_> = external.into_iter().collect();
        assert_refused(
            balance(&frames, link, &Site::WORLD, &still, &external),
            " link ",
        );
    }
    let gravity = Vector::new(0.0, f64::INFINITY, 0.0);
    assert_refused(
        balance(&frames, thigh, &Site::WORLD, &gravity, &[]),
        "gravity: [0.0, inf, 0.0] must be finite",
    );

    let mut broken = FrameMotion::at_rest(Pose::identity());
    broken.acceleration.y = f64::NAN;
    assert_refused(frames.add(broken), "motion of a frame: must be finite");
    assert_refused(
        Frames::new(&leg, &state, &[0.0]),
        "acceleration needs 2 values, got 1",
    );
    assert_refused(
        Frames::new(&leg, &state, &[0.0, f64::NAN]),
        "acceleration: value 1 is NaN",
    );
}

#[test]
fn a_limb_needs_normal_or_ball_joints() {
    let segments = [Segment::new("thigh", 0.5, 8.0)];
    for joint in [
        JointKind::Floating,
        JointKind::FloatingPlanar,
        JointKind::Weld,
    ] {
        let error = limb("leg", joint, &segments).unwrap_err().to_string();
        assert!(error.contains("normal or ballandsocket"), "{error}");
    }
    let invalid = [
        Segment::new("thigh", f64::NAN, 8.0),
        Segment::new("shank", 0.5, 8.0),
    ];
    assert_refused(
        limb("leg", JointKind::Normal, &invalid),
        "link `thigh`: its mass, centre of mass or inertia is not finite",
    );
}

#[test]
fn the_table_has_a_line_for_each_wrench_and_the_sum_last() {
    let leg = leg();
    let state = State::new(&leg);
    let frames = Frames::new(&leg, &state, &[0.0; 2]).unwrap();
    let gravity = Vector::new(0.0, -10.0, 0.0);
    let shank = balance(&frames, LinkId::new(1), &Site::WORLD, &gravity, &[]).unwrap();
    let table = shank.to_string();
    let lines: Vec<Vec<&str>> = table
        .lines()
        .map(|l| l.split_whitespace().collect())
        .collect();
    assert_eq!(lines.len(), 10);
    assert_eq!(
        lines[1],
        [
            "joint", "0.0000", "0.0000", "0.0000", "0.0000", "40.0000", "0.0000"
        ]
    );
    assert_eq!(
        lines[2],
        [
            "gravity", "0.0000", "0.0000", "0.0000", "0.0000", "-40.0000", "0.0000"
        ]
    );
    assert_eq!(
        lines[9],
        [
            "=", "dynamic", "0.0000", "0.0000", "0.0000", "0.0000", "0.0000", "0.0000"
        ]
    );
}

#[test]
fn the_table_names_links_and_observers_and_holds_large_numbers() {
    let leg = leg();
    let state = State::new(&leg);
    let frames = Frames::new(&leg, &state, &[0.0; 2]).unwrap();
    let (thigh, shank) = (LinkId::new(0), LinkId::new(1));
    let gravity = Vector::new(0.0, -1e9, 0.0);
    let knee = Site::on_link(thigh, Point::new(0.0, 0.5, 0.0));
    let mut balances = kinworld::wrench::chain(&frames, &knee, &gravity, &[]).unwrap();
    balances.extend(balance(&frames, shank, &Site::WORLD, &gravity, &[]));
    let table = table(&leg, &balances);
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines[0],
        "thigh, about its origin, observed from thigh at (0, 0.5, 0) m"
    );
    assert_eq!(
        lines[12],
        "shank, about its origin, observed from thigh at (0, 0.5, 0) m"
    );
    assert_eq!(
        lines[24],
        "shank, about its origin, observed from the world"
    );
    assert_eq!(lines.len(), 35);

    // columns are aligned with their headers
    let widths: Vec<usize> = lines[1..11].iter().map(|line| line.len()).collect();
    assert_eq!(widths, [widths[0]; 10], "{table}");
    assert!(lines[3].contains("  -8.0000e9"), "{table}");
}
