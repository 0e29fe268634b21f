//! Motions within limits of torque and jerk, among obstacles, and limits from files.

use kinworld::math::Inertia;
use kinworld::planning::{
    Budget, CSpace, GeometricPath, MotionLimits, PathDynamics, RobotCSpace, TimeParameterization,
    plan,
};
use kinworld::robot::{JointSpring, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{GRAVITY, Point, State, Vector, dynamics};
use nalgebra::Matrix3;

use super::{arm, cell, limits, random_free, to_line, waypoints};
use crate::common::errors::assert_refused;
use crate::common::random::Random;

#[test]
fn limits_of_jerk_are_held_by_an_average() {
    // a trapezoid whose average is the fastest motion of limited jerk: 2 rad at 1 rad/s, 2 rad/s² and 10 rad/s³
    let path = GeometricPath::polyline(&[[0.0], [2.0]]).unwrap();
    let one = limits(&[1.0], &[2.0]).with_jerk(&[10.0]).unwrap();
    let motion = TimeParameterization::new(&one).solve(&path).unwrap();
    let best = 2.5 + 0.2;
    assert!(
        motion.duration() < best + 2e-3 && motion.duration() > best - 1e-9,
        "{}",
        motion.duration()
    );
    assert_eq!(motion.check(&one, None).unwrap(), None);

    let mut random = Random::new(12);
    for _ in 0..6 {
        let points = waypoints(&mut random, 4, 5);
        let path = GeometricPath::blended(&points, 0.05).unwrap();
        let limits = limits(&[2.0; 4], &[6.0; 4]).with_jerk(&[60.0; 4]).unwrap();
        let motion = TimeParameterization::new(&limits).solve(&path).unwrap();
        assert_eq!(motion.check(&limits, None).unwrap(), None);
        let used = motion.utilization(&limits, None).unwrap();
        assert!(used.jerk.iter().copied().fold(0.0, f64::max) > 0.4);
        for (time, point) in [(0.0, &points[0]), (motion.duration(), &points[4])] {
            let q = motion.at(time);
            assert!(q.iter().zip(point).all(|(a, b)| (a - b).abs() < 1e-9));
        }

        // velocity, acceleration and jerk are the derivatives of what is before them
        let step = 1e-4;
        for k in 1..50 {
            let time = motion.duration() * f64::from(k) / 50.0;
            let around = [time - step, time, time + step].map(|t| motion.state_at(t));
            for i in 0..4 {
                let velocity = (around[2][0][i] - around[0][0][i]) / (2.0 * step);
                let acceleration = (around[2][1][i] - around[0][1][i]) / (2.0 * step);
                assert!((velocity - around[1][1][i]).abs() < 1e-5);
                // the jerk may jump within the difference
                assert!((acceleration - around[1][2][i]).abs() < 60.0 * step + 1e-6);
            }
        }

        // it leaves the path by the largest acceleration · T²/24 at most, T ≤ 2 · 6 / 60
        let most = 0.05 + 2.0 * 6.0 * 0.2 * 0.2 / 24.0;
        for k in 0..=200 {
            let q = motion.at(motion.duration() * f64::from(k) / 200.0);
            let nearest = points
                .windows(2)
                .map(|ends| to_line(&q, &ends[0], &ends[1]));
            assert!(nearest.fold(f64::INFINITY, f64::min) < most);
        }
    }
    let moving = TimeParameterization::new(&one).with_end_speeds(0.1, 0.0);
    assert_refused(
        moving.solve(&path),
        "the end speed of a path: limits of jerk need a motion from rest to rest",
    );
}

#[test]
fn limits_of_jerk_and_torque_are_held_together() {
    let arm = arm();
    let mut random = Random::new(13);
    let limits = MotionLimits::of(&arm)
        .with_acceleration(&[20.0; 6])
        .unwrap();
    let limits = limits
        .with_torque(&[110.0, 190.0, 90.0, 30.0, 25.0, 15.0])
        .unwrap();
    let dynamics = PathDynamics::new(&arm, GRAVITY);
    let mut near = 0;
    for k in 0..12 {
        let limits = limits.clone().with_jerk(&[[200.0, 5e3, 5e4][k % 3]; 6]);
        let limits = limits.unwrap();
        let points = waypoints(&mut random, 6, 4);
        let path = match k % 2 {
            0 => GeometricPath::blended(&points, 0.1),
            _ => GeometricPath::spline(&points),
        };
        let motion = TimeParameterization::new(&limits).with_dynamics(&dynamics);
        let motion = motion.solve(&path.unwrap()).unwrap();
        // at every sample, where the solver skips those that are far from the limits
        assert_eq!(motion.check(&limits, Some(&dynamics)).unwrap(), None);
        let used = motion.utilization(&limits, Some(&dynamics)).unwrap();
        near += usize::from(used.torque.iter().any(|used| *used > 0.98));
    }
    assert!(near > 4, "{near}");
}

#[test]
fn no_average_leaves_a_corner_at_which_the_motion_stops() {
    let arm = arm();
    let mut random = Random::new(14);
    let limits = MotionLimits::of(&arm);
    let limits = limits.with_acceleration(&[20.0; 6]).unwrap();
    let limits = limits.with_jerk(&[100.0; 6]).unwrap();
    let dynamics = PathDynamics::new(&arm, GRAVITY);
    let waypoints = waypoints(&mut random, 6, 4);
    let path = GeometricPath::polyline(&waypoints).unwrap();
    let motion = TimeParameterization::new(&limits).with_dynamics(&dynamics);
    let motion = motion.solve(&path).unwrap();
    assert_eq!(motion.check(&limits, Some(&dynamics)).unwrap(), None);
    let fine = motion.discretized(motion.duration() / 5000.0).unwrap();
    let mut reached = 0;
    for q in fine.milestones() {
        let lines = waypoints
            .windows(2)
            .map(|ends| to_line(q, &ends[0], &ends[1]));
        assert!(lines.fold(f64::INFINITY, f64::min) < 1e-9);
    }
    for corner in &waypoints {
        let is_near = |q: &Vec<f64>| q.iter().zip(corner).all(|(a, b)| (a - b).abs() < 1e-5);
        reached += usize::from(fine.milestones().iter().any(is_near));
        let at = motion
            .knots()
            .iter()
            .find(|time| is_near(&motion.at(**time)));
        assert!(
            motion
                .velocity_at(*at.unwrap())
                .iter()
                .all(|v| v.abs() < 1e-3)
        );
    }
    assert_eq!(reached, 4);
}

#[test]
fn a_planned_path_becomes_a_free_motion() {
    let space = cell();
    let arm = arm();
    let limits = MotionLimits::of(&arm).with_acceleration(&[8.0; 6]).unwrap();
    let jerk = limits.clone().with_jerk(&[100.0; 6]).unwrap();
    let mut corners = 0;
    for seed in 0..5 {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 100));
        let found = plan(&space, &a, &b, &Budget::default().seed(seed)).unwrap();
        let waypoints = found.path.unwrap();
        corners += waypoints.len() - 2;
        for limits in [&limits, &jerk] {
            let time = TimeParameterization::new(limits);
            let motion = space.motion_along(&waypoints, 0.1, &time).unwrap();
            assert_eq!(motion.check(limits, None).unwrap(), None);
            // the second road: every sample of a discretized motion
            let fine = motion.discretized(motion.duration() / 500.0).unwrap();
            for q in fine.milestones() {
                assert_eq!(space.obstacle(q).unwrap(), None);
            }
            let start = fine.milestones()[0].iter().zip(&a);
            assert!({ start }.all(|(x, y)| (x - y).abs() < 1e-9));
        }
        let round = space.rounded(&waypoints, 0.1).unwrap();
        let sharp = GeometricPath::polyline(&waypoints).unwrap();
        assert!(round.length() <= sharp.length() + 1e-9);
    }
    assert!(corners > 0);

    // straight through the table
    let lying = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
    let through = [vec![0.0; 6], lying.to_vec()];
    let time = TimeParameterization::new(&limits);
    let error = space
        .motion_along(&through, 0.1, &time)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("the path: is not free at "), "{error}");
    assert!(error.ends_with("plan it at a finer resolution"), "{error}");
}

#[test]
fn a_joint_may_stay_at_its_limit() {
    let data = crate::common::files::data("robots/arm6.urdf");
    let world = kinworld::WorldModel::load(data).unwrap().value;
    let arm = world.robot("arm6").unwrap();
    let space = RobotCSpace::new(&world, &[arm.id()]).unwrap();
    let limits = MotionLimits::of(arm.model())
        .with_acceleration(&[8.0; 6])
        .unwrap()
        .with_jerk(&[1000.0; 6])
        .unwrap();
    let [low, high] = space.bounds()[0];
    let mut random = Random::new(7);
    for end in [low, high] {
        for _ in 0..10 {
            let mut waypoints = [(); 4].map(|()| vec![0.0; 6]);
            for q in &mut waypoints {
                (q[0], q[5]) = (end, random.unit());
            }
            let time = TimeParameterization::new(&limits);
            // averages add up to something beside the limit
            let motion = space.motion_along(&waypoints, 0.1, &time).unwrap();
            assert!((motion.at(0.5 * motion.duration())[0] - end).abs() < 1e-9);
        }
    }
}

#[test]
fn a_spin_joint_takes_the_shorter_rotation() {
    let data = crate::common::files::data("robots/planar3R.rob");
    let mut world = kinworld::WorldModel::new();
    let _ = world.load_element(data).unwrap();
    let robot = world.robots().next().unwrap().id();
    let space = RobotCSpace::new(&world, &[robot]).unwrap();
    let ends = [
        vec![0.2, 0.0, 0.0],
        vec![std::f64::consts::TAU - 0.2, 0.4, 0.0],
    ];
    let path = space.rounded(&ends, 0.0).unwrap();
    let end = path.at(path.breaks()[path.breaks().len() - 1]);
    assert!((end[0] + 0.2).abs() < 1e-12, "{end:?}");
}

#[test]
fn limits_come_from_a_file() {
    let arm = arm();
    let file = crate::common::files::data("limits/arm6_joint_limits.yaml");
    let loaded = MotionLimits::load(&arm, file).unwrap();
    assert!(loaded.diagnostics.is_empty());
    let limits = loaded.value;
    assert_eq!(limits.velocity()[0], [-2.0, 2.0]);
    assert_eq!(limits.velocity()[1], MotionLimits::of(&arm).velocity()[1]);
    assert_eq!(limits.acceleration(), [6.0, 5.0, 6.0, 10.0, 10.0, 12.0]);
    assert!(limits.jerk()[0].is_infinite());

    let folder = std::env::temp_dir().join(format!("kinworld_limits_{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let load = |text: &str| {
        let path = folder.join("joint_limits.yaml");
        std::fs::write(&path, text).unwrap();
        MotionLimits::load(&arm, path)
    };
    let text = "default_velocity_scaling_factor: 0.1\njoint_limits:\n  axis7:\n    max_velocity: 1\n  \"axis2\":\n    \
                max_jerk: 5 # m\n    has_effort_limits: no\n    max_effort: 1\n    max_accelaration: 2\n";
    let loaded = load(text).unwrap();
    assert_eq!(loaded.value.jerk()[1], 5.0);
    assert_eq!(loaded.value.torque()[1], 240.0);
    let said: Vec<String> = loaded.diagnostics.iter().map(ToString::to_string).collect();
    for (line, part) in [
        (1, "`default_velocity_scaling_factor` is not read"),
        (3, "has no joint `axis7`"),
        (9, "`max_accelaration` is not a field"),
    ] {
        assert!(
            said.iter()
                .any(|d| d.contains(&format!(":{line}:")) && d.contains(part)),
            "{said:?}"
        );
    }
    for (text, part) in [
        (
            "joint_limits: {axis1: 1}",
            "yaml:1:16: error: `axis1` is `1`, not a map of `key: value`",
        ),
        (
            "joint_limits:\n  axis1:\n    max_velocity: fast",
            "yaml:3:5: error: `max_velocity` is `fast`",
        ),
        (
            "joint_limits:\n  axis1:\n    max_velocity: -1",
            "yaml:3:5: error: `max_velocity` is -1, and must be above 0",
        ),
        (
            "joint_limits:\n  axis1:\n    has_velocity_limits: 1",
            "is not `true` or `false`",
        ),
        ("joint_limits:\n\taxis1:", "yaml:2:"),
        (
            "joint_limits: {axis1: {max_jerk: '5', max_velocity: [1]}}",
            "yaml:1:39: error: `max_velocity` is a list of one value, which is not a finite number",
        ),
        (
            "joint_limits: {axis1: {max_velocity: !degrees 90}}",
            "yaml:1:24: error: `max_velocity` is `!degrees 90`, which is not a finite number",
        ),
        (
            "joint_limits\n",
            "yaml:1:1: error: the file is `joint_limits`, not a map",
        ),
    ] {
        assert_refused(load(text), part);
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn torques_are_held_with_friction_and_payload() {
    let arm = arm();
    let mut random = Random::new(11);
    let limits = MotionLimits::of(&arm)
        .with_acceleration(&[40.0; 6])
        .unwrap();
    let limits = limits
        .with_torque(&[110.0, 190.0, 90.0, 30.0, 25.0, 15.0])
        .unwrap();
    let hand = arm.link_id("flange").unwrap();
    let tool = Inertia {
        mass: 2.0,
        com: Point::new(0.0, 0.0, 0.1),
        moment: Matrix3::identity() * 0.01,
    };
    let mut slower = 0;
    for _ in 0..8 {
        let path = GeometricPath::spline(&waypoints(&mut random, 6, 4)).unwrap();
        let empty = PathDynamics::new(&arm, GRAVITY);
        let solve = |dynamics: &PathDynamics<'_>| {
            let motion = TimeParameterization::new(&limits).with_dynamics(dynamics);
            let motion = motion.solve(&path).unwrap();
            assert_eq!(motion.check(&limits, Some(dynamics)).unwrap(), None);
            motion
        };
        let motion = solve(&empty);
        let used = motion.utilization(&limits, Some(&empty)).unwrap();
        assert!(used.torque.iter().copied().fold(0.0, f64::max) <= 1.0 + 1e-9);
        assert!(used.torque.iter().copied().fold(0.0, f64::max) > 0.9);

        // the second road: inverse dynamics and friction of states of the motion
        let mut state = State::new(&arm);
        for k in 1..500 {
            let [q, dq, ddq] = motion.state_at(motion.duration() * f64::from(k) / 500.0);
            state.set_config(&arm, &q).unwrap();
            state.set_velocity(&arm, &dq).unwrap();
            let tau = dynamics::inverse_dynamics(&arm, &state, &GRAVITY, &ddq).unwrap();
            let friction = dynamics::friction_forces(&arm, &state, 0.0).unwrap();
            for i in 0..6 {
                assert!((tau[i] - friction[i]).abs() < limits.torque()[i] * 1.001);
            }
        }
        let loaded = solve(&empty.clone().with_payload(hand, &tool).unwrap());
        let ideal = solve(&empty.clone().without_friction());
        slower += usize::from(loaded.duration() > motion.duration());
        assert!(ideal.duration() < motion.duration());
        let free = TimeParameterization::new(&limits).solve(&path).unwrap();
        assert!(free.duration() < ideal.duration());
        assert_ne!(free.check(&limits, Some(&empty)).unwrap(), None);
    }
    assert!(slower >= 7, "{slower} of 8");
}

#[test]
fn springs_of_joints_count_in_torques() {
    let mut lid = LinkSpec::new("lid", None, LinkMotion::Revolute(Vector::z()));
    lid.spring = Some(JointSpring::new(30.0, -0.5));
    lid.inertia = Inertia {
        mass: 1.0,
        com: Point::origin(),
        moment: Matrix3::identity() * 2.0,
    };
    let mut builder = RobotBuilder::new("box");
    builder.add_link(lid);
    let robot = builder.build().unwrap();
    let path = GeometricPath::polyline(&[[0.0], [1.0]]).unwrap();
    let dynamics = PathDynamics::new(&robot, GRAVITY);
    let strong = limits(&[5.0], &[50.0]).with_torque(&[60.0]).unwrap();
    let motion = TimeParameterization::new(&strong).with_dynamics(&dynamics);
    let motion = motion.solve(&path).unwrap();
    assert_eq!(motion.check(&strong, Some(&dynamics)).unwrap(), None);

    // by hand: τ = I q̈ + k (q − rest)
    let mut most = 0.0_f64;
    for k in 0..=2000 {
        let [q, _, ddq] = motion.state_at(motion.duration() * f64::from(k) / 2000.0);
        most = most.max((2.0 * ddq[0] + 30.0 * (q[0] + 0.5)).abs());
    }
    let used = motion.utilization(&strong, Some(&dynamics)).unwrap();
    assert!((most - used.torque[0] * 60.0).abs() < 0.1, "{most}");
    assert!(most > 55.0 && most < 60.0 * (1.0 + 1e-9), "{most}");

    let weak = strong.with_torque(&[40.0]).unwrap();
    let refused = TimeParameterization::new(&weak).with_dynamics(&dynamics);
    assert_refused(refused.solve(&path), "the limit is 40");
}

#[test]
fn what_has_no_limit_is_refused_with_advice() {
    let arm = arm();
    let path = GeometricPath::polyline(&[[0.0; 6], [0.1, 0.0, 0.0, 0.0, 0.2, 0.0]]).unwrap();
    let own = MotionLimits::of(&arm);
    let error = TimeParameterization::new(&own).solve(&path);
    assert_refused(
        error,
        "joint `axis1`: moves, and has no limit of acceleration, which robot files seldom have: give one with the limits of the \
         motion; the velocity limit over 0.2 to 0.5 s is a usual choice",
    );
    // a limit of torque is one of acceleration
    let dynamics = PathDynamics::new(&arm, GRAVITY);
    let motion = TimeParameterization::new(&own).with_dynamics(&dynamics);
    let motion = motion.solve(&path).unwrap();
    assert_eq!(motion.check(&own, Some(&dynamics)).unwrap(), None);

    let none = MotionLimits::new(6).with_acceleration(&[1.0; 6]).unwrap();
    assert_refused(
        TimeParameterization::new(&none).solve(&path),
        "degree of freedom 0: moves, and has no limit of velocity: give one, in the robot's file or with the limits of the motion",
    );
    let weak = own
        .clone()
        .with_torque(&[240.0, 5.0, 240.0, 30.0, 30.0, 30.0]);
    let (weak, reach) = (
        weak.unwrap(),
        GeometricPath::polyline(&[[0.0; 6], [0.0, 1.5, 0.0, 0.0, 0.0, 0.0]]).unwrap(),
    );
    let refused = TimeParameterization::new(&weak).with_dynamics(&dynamics);
    let error = refused.solve(&reach).unwrap_err().to_string();
    assert!(error.starts_with("torque of joint `axis2` at "), "{error}");
    assert!(
        error.ends_with("against gravity, springs and friction, the limit is 5"),
        "{error}"
    );
    assert_refused(
        own.with_acceleration(&[1.0, 0.0, 1.0, 1.0, 1.0, 1.0]),
        "limit of the acceleration of joint `axis2`: must be above 0, got 0",
    );
}
