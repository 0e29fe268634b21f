//! Motions from state to state.

use kinworld::planning::{
    GeometricPath, LimitKind, MotionLimits, PointToPoint, SmoothTrajectory, TimeParameterization,
};
use serde_json::Value;

use super::{between, to_line};
use crate::common::errors::assert_refused;
use crate::common::files;
use crate::common::random::Random;

/// A problem that Ruckig has solved.
struct Problem {
    limits: MotionLimits,
    start: [Vec<f64>; 3],
    goal: [Vec<f64>; 3],
    duration: f64,
    /// Another duration, and the next one from it on that is possible.
    least: f64,
    longer: f64,
}

impl Problem {
    fn new(json: &Value) -> Self {
        let list = |key: &str| -> Vec<f64> {
            let values = json[key].as_array().unwrap().iter();
            values.map(|x| x.as_f64().unwrap()).collect()
        };
        let [velocity, acceleration, jerk] = ["velocity", "acceleration", "jerk"].map(list);
        let state = |end: &str| {
            [
                list(end),
                list(&format!("{end}_velocity")),
                list(&format!("{end}_acceleration")),
            ]
        };
        Self {
            limits: with_limits(&velocity, &acceleration, &jerk),
            start: state("start"),
            goal: state("goal"),
            duration: json["duration"].as_f64().unwrap(),
            least: json["least"].as_f64().unwrap(),
            longer: json["longer"].as_f64().unwrap(),
        }
    }

    fn solver(&self) -> PointToPoint<'_> {
        let solver = PointToPoint::new(&self.limits);
        let solver = solver.with_start(&self.start[1], &self.start[2]).unwrap();
        solver.with_goal(&self.goal[1], &self.goal[2]).unwrap()
    }
}

fn with_limits(velocity: &[f64], acceleration: &[f64], jerk: &[f64]) -> MotionLimits {
    super::limits(velocity, acceleration)
        .with_jerk(jerk)
        .unwrap()
}

fn problems() -> Vec<Problem> {
    let json = files::json(&files::data("golden/ruckig.json"));
    json.as_array().unwrap().iter().map(Problem::new).collect()
}

/// The states at both ends, and the integral of the velocity between, are those that were asked for.
fn assert_goes(motion: &SmoothTrajectory, [start, goal]: [&[Vec<f64>; 3]; 2]) {
    for (time, state) in [(0.0, start), (motion.duration(), goal)] {
        for (ours, asked) in motion.state_at(time).iter().zip(state) {
            for (x, y) in ours.iter().zip(asked) {
                assert!((x - y).abs() < 1e-8 * (1.0 + y.abs()), "{ours:?} {asked:?}");
            }
        }
    }
    // Simpson's rule is exact for the squares that velocities are
    let mut q = start[0].clone();
    for ends in motion.knots().windows(2) {
        let step = ends[1] - ends[0];
        for (time, weight) in [(1e-9, 1.0), (0.5, 4.0), (1.0 - 1e-9, 1.0)] {
            let velocity = motion.velocity_at(ends[0] + time * step);
            for (q, v) in q.iter_mut().zip(velocity) {
                *q += v * weight * step / 6.0;
            }
        }
    }
    for (q, goal) in q.iter().zip(&goal[0]) {
        assert!((q - goal).abs() < 1e-6, "{q} {goal}");
    }
}

#[test]
fn durations_are_those_of_ruckig() {
    let problems = problems();
    assert!(problems.len() >= 100);
    for Problem { duration, .. } in &problems {
        assert!(*duration > 0.0);
    }
    for problem in &problems {
        let motion = problem.solver().solve(&problem.start[0], &problem.goal[0]);
        let motion = motion.unwrap();
        let off = motion.duration() - problem.duration;
        assert!(off.abs() < 1e-7, "{off:e} s of {}", problem.duration);
        assert_goes(&motion, [&problem.start, &problem.goal]);
        assert_eq!(motion.check(&problem.limits, None).unwrap(), None);
    }
}

#[test]
fn longer_motions_arrive_when_they_are_asked_to_or_at_the_next_time() {
    let mut later = 0;
    for problem in problems() {
        for least in [
            0.5 * problem.duration,
            problem.least,
            4.0 * problem.duration,
        ] {
            let solver = problem.solver().with_duration(least).unwrap();
            let motion = solver.solve(&problem.start[0], &problem.goal[0]).unwrap();
            assert!(motion.duration() >= least.max(problem.duration) - 1e-7);
            assert_goes(&motion, [&problem.start, &problem.goal]);
            assert_eq!(motion.check(&problem.limits, None).unwrap(), None);
            if least.total_cmp(&problem.least).is_eq() {
                let off = motion.duration() - problem.longer;
                assert!(off.abs() < 1e-7, "{off:e} s of {}", problem.longer);
                later += usize::from(motion.duration() > least + 1e-4);
            }
        }
    }
    // times that are too short to turn back in between, and too long to go on
    assert!(later >= 30, "{later}");
}

#[test]
fn a_motion_between_rests_is_the_known_one() {
    // A²/J below V, and far: each ramp takes V/A + A/J
    let limits = with_limits(&[2.0], &[4.0], &[16.0]);
    let motion = PointToPoint::new(&limits).solve(&[1.0], &[11.0]).unwrap();
    assert!((motion.duration() - (10.0 / 2.0 + 2.0 / 4.0 + 4.0 / 16.0)).abs() < 1e-9);
    // near: four times the cube root of d / (2 J)
    let motion = PointToPoint::new(&limits).solve(&[1.0], &[1.002]).unwrap();
    assert!((motion.duration() - 4.0 * (0.002f64 / 32.0).cbrt()).abs() < 1e-9);
    // before and after, it rests
    assert_eq!(motion.velocity_at(-1.0), [0.0]);
    assert!((motion.at(9.0)[0] - 1.002).abs() < 1e-12);
    let middle = 0.5 * motion.duration();
    assert!(motion.acceleration_at(middle)[0].abs() < 1e-9);
}

#[test]
fn a_straight_line_is_kept_as_fast_as_its_limits_allow() {
    let mut random = Random::new(3);
    for _ in 0..40 {
        let mut row = |low: f64, high: f64| -> Vec<f64> {
            (0..5).map(|_| between(&mut random, low, high)).collect()
        };
        let limits = with_limits(&row(0.5, 3.0), &row(1.0, 9.0), &row(5.0, 90.0));
        let (start, goal) = (row(-2.0, 2.0), row(-2.0, 2.0));
        let straight = PointToPoint::new(&limits).with_straight_line();
        let motion = straight.solve(&start, &goal).unwrap();
        assert_eq!(motion.check(&limits, None).unwrap(), None);
        for k in 0..=50 {
            let q = motion.at(motion.duration() * f64::from(k) / 50.0);
            assert!(to_line(&q, &start, &goal) < 1e-9);
        }
        let used = motion.utilization(&limits, None).unwrap();
        let most = used.jerk.iter().fold(0.0, |m: f64, x| m.max(*x));
        assert!((most - 1.0).abs() < 1e-6, "{most}");
        let free = PointToPoint::new(&limits).solve(&start, &goal).unwrap();
        assert!(free.duration() <= motion.duration() + 1e-9);

        // limits in the ratio of the distances: nothing is faster than the straight line
        let change: Vec<f64> = start
            .iter()
            .zip(&goal)
            .map(|(a, b)| (b - a).abs())
            .collect();
        let times = |x: f64| -> Vec<f64> { change.iter().map(|d| d * x).collect() };
        let even = with_limits(&times(1.5), &times(4.0), &times(30.0));
        let solver = PointToPoint::new(&even);
        let free = solver.solve(&start, &goal).unwrap();
        let motion = solver.with_straight_line().solve(&start, &goal).unwrap();
        assert!((free.duration() - motion.duration()).abs() < 1e-9);

        // on from any time of it, the rest takes the time that is left
        let [q, velocity, acceleration] = motion.state_at(0.3 * motion.duration());
        let rest = PointToPoint::new(&even).with_straight_line();
        let rest = rest.with_start(&velocity, &acceleration).unwrap();
        let rest = rest.solve(&q, &goal).unwrap();
        assert!((rest.duration() - 0.7 * motion.duration()).abs() < 1e-7);
    }
}

#[test]
fn limits_and_distances_of_every_size_are_met() {
    let mut random = Random::new(9);
    for case in 0..400 {
        let mut size = |low: f64, high: f64| 10f64.powf(between(&mut random, low, high));
        let (acceleration, jerk) = (size(-4.0, 4.0), size(-4.0, 5.0));
        let velocity = if case % 5 == 0 {
            f64::INFINITY
        } else {
            size(-4.0, 3.0)
        };
        // ramps that take less than a ten-thousandth of the duration are lost in the digits of the time
        let longest = 1e2 * acceleration / jerk;
        let most = longest * velocity.min(acceleration * longest);
        let distance = size(-9.0, 4.0).min(most);
        // with half of what the velocity allows at both ends, or at rest
        let share = [0.0, 0.5, -0.5][case % 3];
        let turned = 1e2 * acceleration * acceleration / jerk;
        let speed = share * velocity.min(size(-3.0, 2.0)).min(turned);
        let rate = share * acceleration.min((velocity.min(1e3) * jerk).sqrt());
        let limits = with_limits(&[velocity], &[acceleration], &[jerk]);
        let solver = PointToPoint::new(&limits).with_start(&[speed], &[rate]);
        let solver = solver.unwrap().with_goal(&[-speed], &[rate]).unwrap();
        let motion = solver.solve(&[0.0], &[distance]).unwrap();
        let used = motion.utilization(&limits, None).unwrap();
        for used in [&used.velocity, &used.acceleration, &used.jerk] {
            assert!(used[0] < 1.0 + 1e-6, "case {case}: {}", used[0]);
        }
        let [q, v, a] = motion.state_at(motion.duration());
        let [_, from, turn] = motion.state_at(0.0);
        let reach = distance + motion.duration() * (speed.abs() + velocity.min(1e4) * 1e-3);
        assert!(
            (q[0] - distance).abs() < 1e-9 * reach,
            "case {case}: {q:?} {distance}"
        );
        for (ours, asked) in [(from[0], speed), (v[0], -speed)] {
            assert!(
                (ours - asked).abs() < 1e-7 * (1.0 + asked.abs()),
                "case {case}: {ours} {asked}"
            );
        }
        for ours in [turn[0], a[0]] {
            assert!(
                (ours - rate).abs() < 1e-7 * acceleration,
                "case {case}: {ours} {rate}"
            );
        }
    }
}

#[test]
fn lines_with_stops_are_followed_as_fast_as_jerks_allow() {
    let corners = [
        vec![0.0, 0.0],
        vec![0.02, 0.01],
        vec![0.02, 1.5],
        vec![-1.0, 1.0],
    ];
    let limits = with_limits(&[1.0, 0.8], &[3.0, 4.0], &[20.0, 30.0]);
    let path = GeometricPath::polyline(&corners).unwrap();
    let motion = TimeParameterization::new(&limits).solve(&path).unwrap();
    assert_eq!(motion.check(&limits, None).unwrap(), None);
    let lines = corners.windows(2).map(|ends| {
        let line = PointToPoint::new(&limits).with_straight_line();
        line.solve(&ends[0], &ends[1]).unwrap().duration()
    });
    assert!((motion.duration() - lines.sum::<f64>()).abs() < 1e-9);
    for k in 0..=100 {
        let q = motion.at(motion.duration() * f64::from(k) / 100.0);
        let away = corners
            .windows(2)
            .map(|ends| to_line(&q, &ends[0], &ends[1]));
        assert!(away.fold(f64::INFINITY, f64::min) < 1e-9);
    }
    // with a speed of the path, which limits nothing here, a motion is averaged: on a short line it takes longer
    let path = GeometricPath::polyline(&corners[..2]).unwrap();
    let [fast, averaged] = [f64::INFINITY, 1e3].map(|speed| {
        let motion = TimeParameterization::new(&limits).with_path_speed(speed);
        motion.solve(&path).unwrap().duration()
    });
    assert!(fast < 0.99 * averaged, "{fast} {averaged}");
}

#[test]
fn what_cannot_be_is_refused() {
    let full = with_limits(&[1.0, 1.0], &[2.0, 2.0], &[8.0, 8.0]);
    let solve = |limits: &MotionLimits, start: [f64; 2], goal: [f64; 2]| {
        PointToPoint::new(limits).solve(&start, &goal)
    };
    let none = MotionLimits::new(2);
    assert_refused(
        solve(&none, [0.0; 2], [1.0; 2]),
        "degree of freedom 0: has no limit of acceleration: give one, as with `MotionLimits::with_acceleration`",
    );
    let none = none.with_acceleration(&[1.0; 2]).unwrap();
    assert_refused(solve(&none, [0.0; 2], [1.0; 2]), "has no limit of jerk");
    assert_refused(
        solve(&full, [0.5; 2], [0.5; 2]),
        "are the same, and at rest",
    );
    assert_refused(solve(&full, [f64::NAN; 2], [0.5; 2]), "start");
    assert_refused(PointToPoint::new(&full).solve(&[0.0], &[1.0]), "start");

    let rates = |velocity: f64, acceleration: f64| {
        let solver = PointToPoint::new(&full);
        solver.with_start(&[0.0, velocity], &[0.0, acceleration])
    };
    let solve =
        |solver: kinworld::Result<PointToPoint<'_>>| solver.unwrap().solve(&[0.0; 2], &[1.0; 2]);
    assert_refused(
        solve(rates(1.1, 0.0)),
        "start: degree of freedom 1 has a velocity beyond its limits",
    );
    assert_refused(
        solve(rates(0.0, -2.1)),
        "start: degree of freedom 1 has an acceleration beyond its limit",
    );
    // 0.9 + 2²/(2·8) is above 1
    assert_refused(
        solve(rates(0.9, 2.0)),
        "that cannot be had within the limit of velocity",
    );
    assert!(solve(rates(0.9, -2.0)).is_ok());
    assert_refused(rates(f64::INFINITY, 0.0), "velocity");
    let solver = PointToPoint::new(&full);
    assert_refused(solver.with_duration(-1.0), "is not a number from 0 on");
    let aside = PointToPoint::new(&full).with_start(&[0.1, 0.0], &[0.0, 0.0]);
    let aside = aside.unwrap().with_straight_line();
    assert_refused(
        aside.solve(&[0.0; 2], &[1.0; 2]),
        "the velocity is not along the straight line",
    );

    // outside of it, a motion that does not rest goes on
    let moving = rates(0.5, 1.0)
        .unwrap()
        .solve(&[0.0; 2], &[1.0; 2])
        .unwrap();
    assert_eq!(moving.velocity_at(-1.0), moving.velocity_at(0.0));
    assert!((moving.velocity_at(0.0)[1] - 0.5).abs() < 1e-12);
    assert_eq!(moving.check(&full, None).unwrap(), None);
    let tight = with_limits(&[1.0, 1.0], &[2.0, 2.0], &[8.0, 7.0]);
    let violation = moving.check(&tight, None).unwrap().unwrap();
    assert_eq!(violation.kind, LimitKind::Jerk);
}
