//! Links along lines, arcs and screws.

use std::f64::consts::{FRAC_PI_2, PI};

use kinworld::math::se3;
use kinworld::planning::{CartesianPath, MotionLimits, TimeParameterization};
use kinworld::{LinkId, Point, Pose, State, Vector};

use super::{cell, random_free};
use crate::common::errors::assert_refused;

#[test]
fn pieces_are_what_a_reader_draws() {
    let start = Pose::translation(0.5, 0.0, 0.5);
    let link = LinkId::new(6);
    let line = CartesianPath::new(link, &start)
        .moved(&Vector::new(0.0, 0.3, 0.4))
        .unwrap();
    assert!((line.length() - 0.5).abs() < 1e-12);
    assert!((line.at(0.25).translation.vector - Vector::new(0.5, 0.15, 0.7)).norm() < 1e-12);

    // half a circle of 0.2 m keeps the rotation, a screw turns it and rises
    let (center, z) = (Point::new(0.3, 0.0, 0.5), Vector::z());
    let arc = CartesianPath::new(link, &start)
        .arc(&center, &z, PI)
        .unwrap();
    assert!((arc.length() - 0.2 * PI).abs() < 1e-12);
    for k in 0..=20 {
        let pose = arc.at(arc.length() * f64::from(k) / 20.0);
        assert!(((pose.translation.vector - center.coords).norm() - 0.2).abs() < 1e-12);
        assert!(pose.rotation.angle() < 1e-12);
    }
    assert!((arc.end().translation.vector - Vector::new(0.1, 0.0, 0.5)).norm() < 1e-12);
    let screw = CartesianPath::new(link, &start)
        .screw(&center, &z, FRAC_PI_2, 0.1)
        .unwrap();
    assert!((screw.end().translation.vector - Vector::new(0.3, 0.2, 0.6)).norm() < 1e-12);
    assert!((screw.end().rotation.angle() - FRAC_PI_2).abs() < 1e-12);

    // steps of the parameter are never longer than it says
    for path in [&line, &arc, &screw] {
        for k in 0..50 {
            let step = path.length() / 50.0;
            let (a, b) = (
                path.at(step * f64::from(k)),
                path.at(step * f64::from(k + 1)),
            );
            assert!((a.translation.vector - b.translation.vector).norm() < step * (1.0 + 1e-9));
            assert!(a.rotation.angle_to(&b.rotation) < step / 0.2 * (1.0 + 1e-6));
        }
    }
    assert_refused(
        CartesianPath::new(link, &start).moved(&Vector::zeros()),
        "a piece of a Cartesian path: leads nowhere",
    );
    assert_refused(
        CartesianPath::new(link, &start).arc(&center, &Vector::zeros(), 1.0),
        "the axis of a Cartesian path",
    );
}

#[test]
fn a_link_follows_lines_and_arcs_at_its_speed() {
    let space = cell();
    let robot = space.world().robots().next().unwrap();
    let arm = robot.model();
    let hand = arm.link_id("flange").unwrap();
    let mut state = State::new(arm);
    // of some random starts, one from which nothing is in the way
    let found = (0..60).find_map(|seed| {
        let start = random_free(&space, seed);
        state.set_config(arm, &start).unwrap();
        let pose = state.pose(arm, hand);
        let at = Point::from(pose.translation.vector);
        let path = CartesianPath::new(hand, &pose)
            .moved(&Vector::new(0.0, 0.1, 0.0))
            .unwrap()
            .arc(&(at + Vector::new(0.0, 0.1, 0.05)), &Vector::x(), FRAC_PI_2)
            .unwrap()
            .moved_locally(&Vector::new(0.0, 0.0, -0.05))
            .unwrap();
        let followed = space.follow(&path, &start, 0.005).unwrap();
        followed.stop.is_none().then_some((path, followed))
    });
    let (path, followed) = found.expect("some are far from limits");
    assert!((followed.reached - path.length()).abs() < 1e-12);
    assert!(followed.deviation < 2e-4, "{}", followed.deviation);
    let joints = followed.path.unwrap();

    // the second road: forward kinematics at any parameter
    for k in 0..=300 {
        let s = path.length() * f64::from(k) / 300.0;
        state.set_config(arm, &joints.at(s)).unwrap();
        assert!(se3::distance(&state.pose(arm, hand), &path.at(s)) < 3e-4);
    }
    let limits = MotionLimits::of(arm).with_acceleration(&[8.0; 6]).unwrap();
    let motion = TimeParameterization::new(&limits).with_path_speed(0.1);
    let motion = motion.solve(&joints).unwrap();
    assert_eq!(motion.check(&limits, None).unwrap(), None);
    assert_eq!(space.motion_collision(&motion).unwrap(), None);
    let step = motion.duration() / 500.0;
    let mut fastest = 0.0_f64;
    let mut before = None;
    for k in 0..=500 {
        state
            .set_config(arm, &motion.at(step * f64::from(k)))
            .unwrap();
        let here = state.pose(arm, hand).translation.vector;
        if let Some(before) = before.replace(here) {
            fastest = fastest.max((here - before).norm() / step);
        }
    }
    assert!(fastest < 0.101 && fastest > 0.09, "{fastest}");
}

#[test]
fn it_says_where_and_why_it_stops() {
    let space = cell();
    let robot = space.world().robots().next().unwrap();
    let arm = robot.model();
    let hand = arm.link_id("flange").unwrap();
    let start = random_free(&space, 3);
    let mut state = State::new(arm);
    state.set_config(arm, &start).unwrap();
    let pose = state.pose(arm, hand);
    let path = |by: Vector| CartesianPath::new(hand, &pose).moved(&by).unwrap();

    // out of reach
    let away = space
        .follow(&path(Vector::new(3.0, 0.0, 0.0)), &start, 0.02)
        .unwrap();
    let stop = away.stop.unwrap();
    assert!(
        stop.reason.contains("does not get there"),
        "{}",
        stop.reason
    );
    assert!(stop.at > away.reached && away.reached < 3.0);

    // into the table, or to a limit before
    let down = space
        .follow(&path(Vector::new(0.0, 0.0, -2.0)), &start, 0.02)
        .unwrap();
    let stop = down.stop.unwrap();
    assert!(
        stop.reason.contains("collide") || stop.reason.contains("there"),
        "{}",
        stop.reason
    );
    let elsewhere = path(Vector::new(0.0, 0.0, 0.1));
    assert_refused(
        space.follow(&elsewhere, &[0.0; 6], 0.02),
        "start: has `flange`",
    );
    assert_refused(
        space.follow(&elsewhere, &start, 0.0),
        "the step along a Cartesian path",
    );
    let nobody = CartesianPath::new(LinkId::new(99), &pose).moved(&Vector::x());
    assert_refused(space.follow(&nobody.unwrap(), &start, 0.02), "99");
}
