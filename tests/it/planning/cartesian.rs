//! Links along lines, arcs and screws.

use std::f64::consts::{FRAC_PI_2, PI};

use kinworld::math::se3;
use kinworld::planning::{CartesianPath, MotionLimits, RobotCSpace, TimeParameterization};
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, State, Vector, WorldModel};

use super::{cell, random_free};
use crate::common::errors::assert_refused;
use crate::common::files::data;
use crate::common::numbers::assert_close;

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

/// Derivatives of a path with respect to its parameter, by central differences: the linear and the angular part.
fn derivatives(path: &CartesianPath, s: f64) -> [Vector; 4] {
    let h = 1e-4;
    let [before, here, after] = [s - h, s, s + h].map(|s| path.at(s));
    let linear = |pose: &Pose| pose.translation.vector;
    let (back, on) = (se3::error(&here, &before), se3::error(&after, &here));
    [
        (linear(&after) - linear(&before)) / (2.0 * h),
        (on.angular + back.angular) / (2.0 * h),
        (linear(&after) - 2.0 * linear(&here) + linear(&before)) / (h * h),
        (on.angular - back.angular) / (h * h),
    ]
}

#[test]
fn corners_are_rounded_and_meet_the_pieces_smoothly() {
    let start = Pose::translation(0.5, 0.0, 0.5);
    let (x, z) = (Vector::x(), Vector::z());
    let mut turned = Pose::translation(0.5, 0.3, 0.9);
    turned.rotation = kinworld::math::Rotation::new(Vector::new(0.0, 0.8, 0.0));
    let lines = CartesianPath::new(LinkId::new(6), &start);
    let lines = lines.moved(&Vector::new(0.0, 0.3, 0.0)).unwrap();
    let lines = lines.line(&turned).unwrap();
    let arcs = lines
        .clone()
        .arc(&Point::new(0.6, 0.3, 0.9), &z, 2.0)
        .and_then(|path| path.screw(&Point::new(0.6, 0.4, 1.0), &x, 1.0, 0.05))
        .and_then(|path| path.moved(&Vector::new(-0.01, 0.0, 0.0)))
        .unwrap();
    for (sharp, radius) in [(&lines, 0.04), (&arcs, 0.04), (&arcs, 0.5)] {
        let path = sharp.clone().with_blend(radius).unwrap();
        assert_eq!((path.length(), path.end()), (sharp.length(), sharp.end()));
        assert_eq!(path.stops(), [sharp.length()]);
        assert_eq!(sharp.stops(), sharp.ends());
        let ends = path.ends();
        let mut widths = Vec::new();
        for (k, pair) in ends.windows(2).enumerate() {
            let before = if k == 0 { 0.0 } else { ends[k - 1] };
            let shorter = f64::min(pair[0] - before, pair[1] - pair[0]);
            widths.push((pair[0], f64::min(radius, 0.5 * shorter)));
        }
        for k in 0..=400 {
            let s = path.length() * f64::from(k) / 400.0;
            let apart = se3::distance(&path.at(s), &sharp.at(s));
            match widths.iter().find(|(at, width)| (s - at).abs() < *width) {
                // both are less than its width from the corner, where 0.2 m count as 1 rad
                Some((_, width)) => assert!(apart < 6.0 * width, "{s}: {apart}"),
                None => assert_eq!(apart, 0.0, "{s}"),
            }
        }
        for &(at, width) in &widths {
            let past = path.at(at).translation.vector - sharp.at(at).translation.vector;
            assert!(past.norm() < 0.51 * width, "{at}: {past}");
            for side in [-1.0, 1.0] {
                // the end of the curve, seen from both sides
                let joint = at + side * width;
                let [inside, outside] =
                    [-0.003, 0.003].map(|off| derivatives(&path, joint + side * off * width));
                for (which, (a, b)) in inside.iter().zip(&outside).enumerate() {
                    let tolerance = if which < 2 { 0.01 } else { 0.1 / width };
                    assert!((a - b).norm() < tolerance, "{joint} {which}: {a} {b}");
                }
            }
        }
        for k in 0..400 {
            let s = path.length() * (f64::from(k) + 0.5) / 400.0;
            let [linear, angular, ..] = derivatives(&path, s);
            assert!(linear.norm() < 1.05 && angular.norm() < 1.05 / 0.2, "{s}");
        }
    }
    // between lines at a right angle, by hand
    let corner = CartesianPath::new(LinkId::new(6), &start).moved(&(0.2 * x));
    let corner = corner.and_then(|path| path.moved(&(0.1 * z))).unwrap();
    let at = corner.clone().with_blend(0.04).unwrap().at(0.2).translation;
    assert!((at.vector - Vector::new(0.69, 0.0, 0.51)).norm() < 1e-12);
    // what goes on as before stays as it was
    let straight = CartesianPath::new(LinkId::new(6), &start).moved(&(0.2 * x));
    let straight = straight.and_then(|path| path.moved(&(0.3 * x))).unwrap();
    let blended = straight.clone().with_blend(0.1).unwrap();
    for k in 0..=50 {
        let s = 0.01 * f64::from(k);
        assert!(se3::distance(&straight.at(s), &blended.at(s)) < 1e-12);
    }
    for radius in [-0.1, f64::NAN, f64::INFINITY] {
        assert_refused(corner.clone().with_blend(radius), "the radius of a blend");
    }
}

#[test]
fn a_motion_does_not_stop_at_a_rounded_corner() {
    let space = cell();
    let robot = space.world().robots().next().unwrap();
    let arm = robot.model();
    let hand = arm.link_id("flange").unwrap();
    let limits = MotionLimits::of(arm).with_acceleration(&[8.0; 6]).unwrap();
    let mut state = State::new(arm);
    let mut n_checked = 0;
    for seed in 0..60 {
        let start = random_free(&space, seed);
        state.set_config(arm, &start).unwrap();
        let sharp = CartesianPath::new(hand, &state.pose(arm, hand))
            .moved(&Vector::new(0.0, 0.08, 0.0))
            .and_then(|path| path.moved(&Vector::new(0.0, 0.0, 0.06)))
            .and_then(|path| path.moved_locally(&Vector::new(0.05, 0.0, 0.02)))
            .unwrap();
        let [rounded, sharp] = [0.02, 0.0].map(|radius| {
            let path = sharp.clone().with_blend(radius).unwrap();
            let followed = space.follow(&path, &start, 0.002).unwrap();
            followed.stop.is_none().then(|| {
                assert!(followed.deviation < 2e-4, "{}", followed.deviation);
                let joints = followed.path.unwrap();
                for k in 0..=200 {
                    let s = path.length() * f64::from(k) / 200.0;
                    state.set_config(arm, &joints.at(s)).unwrap();
                    assert!(se3::distance(&state.pose(arm, hand), &path.at(s)) < 3e-4);
                }
                let motion = TimeParameterization::new(&limits).with_path_speed(0.1);
                let motion = motion.solve(&joints).unwrap();
                assert_eq!(motion.check(&limits, None).unwrap(), None);
                motion
            })
        });
        let (Some(rounded), Some(sharp)) = (rounded, sharp) else {
            continue;
        };
        assert!(rounded.duration() < sharp.duration());
        // the slowest moment but for the ends
        let slowest = |motion: &kinworld::planning::SmoothTrajectory| {
            let speed = |k: i32| {
                let t = motion.duration() * f64::from(k) / 1000.0;
                Vector::from_iterator(motion.velocity_at(t).into_iter().take(3)).norm()
            };
            (50..950).map(speed).fold(f64::INFINITY, f64::min)
        };
        assert!(slowest(&sharp) < 0.1 * slowest(&rounded), "{seed}");
        n_checked += 1;
        if n_checked == 3 {
            return;
        }
    }
    panic!("only {n_checked} starts are far from limits");
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

/// Arms beside each other, in a space of their own: one on the left, and where there are two one on the right.
fn arms(count: usize) -> RobotCSpace {
    let arm = Robot::load(data("robots/arm6.urdf")).unwrap().value;
    let arm = RobotBuilder::from(&arm);
    let mut both = RobotBuilder::new("both");
    for &(y, side) in &[(0.35, "left"), (-0.35, "right")][..count] {
        let at = Pose::translation(0.0, y, 0.0);
        both.mount(None, &arm, &at, Some(side)).unwrap();
    }
    let mut world = WorldModel::new();
    let id = world.add_robot(both.build().unwrap());
    RobotCSpace::new(&world, &[id]).unwrap()
}

#[test]
fn two_hands_begin_and_end_together() {
    let space = arms(2);
    let robot = space.world().robots().next().unwrap();
    let robot = robot.model();
    let hands = ["left:flange", "right:flange"].map(|hand| robot.link_id(hand).unwrap());
    let start = [0.0, 0.5, 1.0, 0.0, 0.5, 0.0].repeat(2);
    let mut state = State::new(robot);
    state.set_config(robot, &start).unwrap();
    let [left, right] = hands.map(|hand| CartesianPath::new(hand, &state.pose(robot, hand)));
    let through = Point::from(right.at(0.0).translation.vector + Vector::new(0.0, 0.05, 0.0));
    let up_and_out = |path: &CartesianPath, up: f64, out: f64| {
        let up = path.clone().moved(&Vector::new(0.0, 0.0, up)).unwrap();
        up.moved(&Vector::new(out, 0.0, 0.0)).unwrap()
    };
    let moving_left = up_and_out(&left, 0.06, 0.04);
    let turning = right.clone().screw(&through, &Vector::x(), 0.3, 0.02);
    // both hands stop at the corners of either, of which two may be one, but for rounding
    for (right, corners) in [
        (turning.unwrap(), 1),
        (right.clone(), 1),
        (up_and_out(&right, 0.021, 0.014), 1),
        (up_and_out(&right, 0.02, 0.06), 2),
    ] {
        let paths = [moving_left.clone(), right];
        let found = space.follow_together(&paths, &start, 0.005).unwrap();
        assert_eq!(found.stop, None);
        assert!((found.reached - 0.1).abs() < 1e-12 && found.deviation < 2e-4);
        let joints = found.path.unwrap();
        // the second road: forward kinematics of both at any parameter
        for k in 0..=200 {
            let u = f64::from(k) / 200.0;
            state.set_config(robot, &joints.at(0.1 * u)).unwrap();
            for path in &paths {
                let pose = state.pose(robot, path.link());
                let away = se3::distance(&pose, &path.at(u * path.length()));
                assert!(away < 3e-4, "{u}: {away:e}");
            }
        }
        let limits = MotionLimits::of(robot)
            .with_acceleration(&[8.0; 12])
            .unwrap();
        let motion = TimeParameterization::new(&limits).solve(&joints).unwrap();
        let speed = |k: i32| {
            let t = motion.duration() * f64::from(k) / 1000.0;
            motion
                .velocity_at(t)
                .into_iter()
                .map(f64::abs)
                .fold(0.0, f64::max)
        };
        let fastest = (0..=1000).map(speed).fold(0.0, f64::max);
        let slow = |k: &i32| speed(*k) < 0.02 * fastest;
        let times: Vec<i32> = (20..=980).filter(slow).collect();
        let gaps = times.windows(2).filter(|pair| pair[1] > pair[0] + 1);
        assert_eq!(usize::from(!times.is_empty()) + gaps.count(), corners);
    }

    // the second road of a hand that moves while the other holds still: its arm alone
    let still = space.follow_together(&[moving_left.clone(), right], &start, 0.005);
    let still = still.unwrap().path.unwrap();
    let alone = arms(1).follow(&moving_left, &start[..6], 0.005).unwrap();
    let alone = alone.path.unwrap();
    for k in 0..=200 {
        let s = 0.1 * f64::from(k) / 200.0;
        let expected = [&alone.at(s), &start[6..]].concat();
        assert_close(format!("at {s}"), &still.at(s), &expected, 1e-6);
    }
}

#[test]
fn links_that_cannot_move_together_say_so() {
    let space = arms(2);
    let robot = space.world().robots().next().unwrap();
    let robot = robot.model();
    let start = [0.0, 0.5, 1.0, 0.0, 0.5, 0.0].repeat(2);
    let mut state = State::new(robot);
    state.set_config(robot, &start).unwrap();
    let path = |link: &str| {
        let link = robot.link_id(link).unwrap();
        CartesianPath::new(link, &state.pose(robot, link))
    };
    let up = |link: &str| path(link).moved(&Vector::new(0.0, 0.0, 0.05)).unwrap();
    let follow = |paths: &[CartesianPath]| space.follow_together(paths, &start, 0.005);

    assert_refused(
        follow(&[up("left:flange"), path("left:flange")]),
        "Cartesian paths: two are of `left:flange`",
    );
    assert_refused(follow(&[]), "a Cartesian path: has no piece");
    assert_refused(
        follow(&[path("left:flange"), path("right:flange")]),
        "a Cartesian path: has no piece",
    );
    let nobody = CartesianPath::new(LinkId::new(99), &Pose::identity());
    assert_refused(follow(&[up("left:flange"), nobody]), "99");
    let elsewhere = CartesianPath::new(path("right:flange").link(), &Pose::identity());
    assert_refused(
        follow(&[up("left:flange"), elsewhere]),
        "start: has `right:flange`",
    );
    let nowhere = Pose::translation(f64::NAN, 0.0, 0.0);
    let nowhere = CartesianPath::new(path("right:flange").link(), &nowhere);
    assert_refused(follow(&[up("left:flange"), nowhere]), "not finite");
    // the base does not go up with the hand
    let base = robot.links()[0].name().to_owned();
    let torn = follow(&[path("left:flange"), up(&base)]).unwrap();
    let reason = torn.stop.unwrap().reason;
    assert!(reason.contains("the links do not get there"), "{reason}");
    assert_eq!((torn.path, torn.reached), (None, 0.0));
}
