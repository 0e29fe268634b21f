//! Smooth curves beside paths: free, with two continuous derivatives, and as short as distances allow.

use std::f64::consts::FRAC_PI_2;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::math::Inertia;
use kinworld::planning::{
    Budget, GeometricPath, MotionLimits, PathDynamics, RobotCSpace, Smoothing,
    TimeParameterization, plan,
};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::Terrain;
use kinworld::{DofId, Point, Pose, Vector, WorldModel};

use super::{arm, cell, limits, random_free, to_line};
use crate::common::errors::assert_refused;

/// A body that translates in x and y among boxes, each by its lower and its upper corner.
fn sliding(body: Primitive, boxes: &[[[f64; 2]; 2]]) -> RobotCSpace {
    let mut robot = RobotBuilder::new("slider");
    let x = LinkMotion::Prismatic(Vector::x());
    let x = robot.add_link(LinkSpec::new("x", None, x));
    let mut y = LinkSpec::new("y", Some(x), LinkMotion::Prismatic(Vector::y()));
    y.collision.push(Element::new(body.into()));
    robot.add_link(y);
    let mut world = WorldModel::new();
    let robot = world.add_robot(robot.build().unwrap());
    for (i, corners) in boxes.iter().enumerate() {
        let [min, max] = [0, 1].map(|k| {
            let [x, y] = corners[k];
            Point::new(x, y, [-1.0, 1.0][k])
        });
        let shape = Geometry::from(Primitive::aabb(min, max).unwrap());
        let terrain = Terrain::new(format!("box{i}"), Some(shape));
        world.add_terrain(terrain).unwrap();
    }
    RobotCSpace::new(&world, &[robot]).unwrap()
}

fn sphere() -> Primitive {
    Primitive::sphere(Point::origin(), 0.05).unwrap()
}

/// Configurations at equal steps of the parameter.
fn along(path: &GeometricPath, count: usize) -> impl Iterator<Item = Vec<f64>> {
    let [first, length] = [path.breaks()[0], path.length()];
    (0..=count).map(move |k| path.at(first + length * k as f64 / count as f64))
}

/// The length of a path in the Euclidean norm.
fn length(path: &GeometricPath) -> f64 {
    let points: Vec<Vec<f64>> = along(path, 4000).collect();
    let steps = points.windows(2).map(|ends| {
        let squares = ends[0].iter().zip(&ends[1]).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    });
    steps.sum()
}

#[test]
fn without_obstacles_a_path_becomes_the_line_between_its_ends() {
    let space = sliding(sphere(), &[]);
    let zigzag = [[0.0, 0.0], [0.2, 0.7], [0.7, -0.6], [1.2, 0.4]];
    for bending_length in [0.0, 0.5, 3.0] {
        let smoothing = Smoothing::default()
            .with_bending_length(bending_length)
            .with_max_iterations(200);
        let path = space.smoothed(&zigzag, &smoothing).unwrap().unwrap();
        for q in along(&path, 50) {
            assert!(to_line(&q, &zigzag[0], &zigzag[3]) < 1e-9, "{q:?}");
        }
        assert!((path.length() - 0.16_f64.mul_add(1.0, 1.44).sqrt()).abs() < 1e-9);
    }
}

/// The shortest path of a disc around the upper corners of a box is known: tangents, arcs and a line.
#[test]
fn around_a_box_it_is_nearly_as_short_as_the_shortest_curve_at_the_margin() {
    let space = sliding(sphere(), &[[[-0.2, -0.5], [0.2, 0.5]]]);
    let waypoints = [[-1.0, 0.0], [-0.5, 1.2], [0.6, 1.3], [1.0, 0.0]];
    let distance = |q: &[f64]| {
        let beyond = [q[0].abs() - 0.2, q[1].abs() - 0.5].map(|x| x.max(0.0));
        beyond[0].hypot(beyond[1]) - 0.05
    };
    for margin in [0.0, 0.02, 0.1] {
        let smoothing = Smoothing::default()
            .with_margin(margin)
            .with_bending_length(0.02)
            .with_max_iterations(200);
        let path = space.smoothed(&waypoints, &smoothing).unwrap().unwrap();
        let nearest = along(&path, 2000).map(|q| distance(&q));
        let nearest = nearest.fold(f64::INFINITY, f64::min);
        // pieces cut the corner between their ends
        assert!(
            nearest > 0.0 && nearest > margin - 0.015,
            "{margin}: {nearest}"
        );
        let (radius, to_corner) = (0.05 + f64::max(margin, 0.005), 0.8_f64.hypot(0.5));
        let turn = 0.5_f64.atan2(0.8) + (radius / to_corner).asin();
        let tangent = (to_corner * to_corner - radius * radius).sqrt();
        let shortest = 0.4 + 2.0 * (tangent + radius * turn);
        let ratio = length(&path) / shortest;
        assert!((0.98..1.02).contains(&ratio), "{margin}: {ratio}");
    }
}

#[test]
fn a_corner_that_has_to_be_passed_has_no_smooth_curve() {
    let half = Vector::new(0.1, 0.1, 0.1);
    let body = Primitive::cuboid(Pose::identity(), half).unwrap();
    // a corridor that leaves 3 mm on either side, and turns by a right angle
    let wide = 0.053;
    let space = sliding(
        body,
        &[
            [[-2.0, -1.0], [1.0, -wide]],
            [[-2.0, wide], [-wide, 2.0]],
            [[wide, -wide], [1.0, 2.0]],
        ],
    );
    let waypoints = [[-1.0, 0.0], [0.0, 0.0], [0.0, 1.0]];
    let smoothing = Smoothing::default();
    assert_eq!(space.smoothed(&waypoints, &smoothing).unwrap(), None);
    let limits = limits(&[1.0; 2], &[2.0; 2]);
    let time = TimeParameterization::new(&limits);
    let motion = space.smooth_motion_along(&waypoints, &smoothing, &time);
    assert_eq!(motion.unwrap(), None);
    let found = space
        .fastest_motion_along(&waypoints, Some(&smoothing), 0.05, &time)
        .unwrap();
    assert!(!found.is_smooth);
    let rounded = space.motion_along(&waypoints, 0.05, &time).unwrap();
    assert_eq!(found.motion, rounded);
    // straight on there is one
    let straight = space.smoothed(&waypoints[..2], &smoothing).unwrap();
    assert!(straight.is_some());
}

#[test]
fn curves_of_an_arm_are_free_smooth_and_faster() {
    let space = cell();
    let held = MotionLimits::of(&arm())
        .with_acceleration(&[8.0; 6])
        .unwrap();
    let held = held.with_jerk(&[100.0; 6]).unwrap();
    let time = TimeParameterization::new(&held);
    let (mut durations, mut bent) = ([0.0; 2], 0);
    let beside = [0.9, -1.0].map(|yaw| vec![yaw, 0.9, 0.6, 0.0, 0.0, 0.0]);
    for seed in 0..5 {
        let random = [seed, seed + 100].map(|seed| random_free(&space, seed));
        let [a, b] = if seed < 3 { beside.clone() } else { random };
        let found = plan(&space, &a, &b, &Budget::default().seed(seed)).unwrap();
        let waypoints = found.path.unwrap();
        bent += usize::from(waypoints.len() > 2);
        let smoothing = Smoothing::default();
        let path = space.smoothed(&waypoints, &smoothing).unwrap().unwrap();
        assert!(path.corners().is_empty());
        let ends = [path.at(path.breaks()[0]), path.at(path.length())];
        for (end, own) in ends.iter().zip([&a, &b]) {
            assert!(end.iter().zip(own).all(|(x, y)| (x - y).abs() < 1e-12));
        }
        for s in &path.breaks()[1..path.breaks().len() - 1] {
            let [before, after] = [s - 1e-9, s + 1e-9].map(|s| path.second_derivative_at(s));
            let jump = before.iter().zip(&after).map(|(a, b)| (a - b).abs());
            assert!(jump.fold(0.0, f64::max) < 1e-5);
        }
        // the second road: many samples
        for q in along(&path, 700) {
            assert_eq!(space.obstacle(&q).unwrap(), None);
        }
        let smooth = space.smooth_motion_along(&waypoints, &smoothing, &time);
        let smooth = smooth.unwrap().unwrap();
        assert_eq!(smooth.check(&held, None).unwrap(), None);
        let found = space
            .fastest_motion_along(&waypoints, Some(&smoothing), 0.05, &time)
            .unwrap();
        assert!(found.is_smooth && found.motion == smooth);
        let fine = smooth.discretized(smooth.duration() / 500.0).unwrap();
        for q in fine.milestones() {
            assert_eq!(space.obstacle(q).unwrap(), None);
        }
        let rounded = space.motion_along(&waypoints, 0.05, &time).unwrap();
        durations[0] += smooth.duration();
        durations[1] += rounded.duration();
        // with a pre-filter, too
        let spheres = space.clone().with_sphere_prefilter(16).unwrap();
        assert!(spheres.smoothed(&waypoints, &smoothing).unwrap().is_some());
    }
    assert!(bent > 1, "{bent}");
    assert!(durations[0] < durations[1], "{durations:?}");
}

#[test]
fn what_is_fixed_or_coupled_stays_so() {
    let space = cell();
    let active: Vec<DofId> = [0, 1, 2].map(DofId::new).to_vec();
    let space = space.with_active(&active).unwrap();
    let current = space.current();
    let mut waypoints = vec![current.clone(); 3];
    (waypoints[1][0], waypoints[2][1]) = (0.4, -0.3);
    let path = space.smoothed(&waypoints, &Smoothing::default());
    for q in along(&path.unwrap().unwrap(), 100) {
        assert_eq!(q[3..], current[3..]);
        assert_eq!(space.obstacle(&q).unwrap(), None);
    }

    let gripper = crate::planning::space(&["robots/gripper.rob"]);
    let random = |seed| crate::planning::random(&gripper, seed);
    let waypoints: Vec<Vec<f64>> = (0..3).map(random).collect();
    let path = gripper.smoothed(&waypoints, &Smoothing::default());
    let path = path.unwrap().expect("nothing is near");
    let mut moved = 0.0_f64;
    for q in along(&path, 100) {
        assert_eq!(gripper.obstacle(&q).unwrap(), None);
        // one driver moves both fingers
        assert!((q[1] - q[2]).abs() < 1e-9, "{q:?}");
        moved = moved.max((q[1] - waypoints[0][1]).abs());
    }
    assert!(moved > 1e-3, "{moved}");
}

#[test]
fn a_drone_flies_a_curve_without_turning() {
    let space = crate::planning::space(&["robots/drone.urdf", "objects/crate.obj"]);
    let start = space.current();
    let places = [
        [2.0, 0.0, 0.5],
        [2.0, 1.5, 1.0],
        [0.0, 2.0, 0.7],
        [-1.0, 0.5, 1.2],
    ];
    let waypoints = places.map(|place| {
        let mut q = start.clone();
        q[..3].copy_from_slice(&place);
        q[3] = 0.3;
        q
    });
    let path = space.smoothed(&waypoints, &Smoothing::default());
    let path = path.unwrap().expect("only the crate is there");
    assert!(path.corners().is_empty());
    let mut bent = 0.0_f64;
    for q in along(&path, 300) {
        assert_eq!(space.obstacle(&q).unwrap(), None);
        assert!(
            q[3..]
                .iter()
                .zip(&waypoints[0][3..])
                .all(|(a, b)| (a - b).abs() < 1e-12)
        );
        bent = bent.max(to_line(&q[..3], &places[1], &places[2]));
    }
    assert!(bent > 0.1);

    let lines = GeometricPath::polyline(&waypoints).unwrap();
    assert!(length(&path) < length(&lines));
}

#[test]
fn a_long_path_has_a_curve_of_longer_pieces() {
    let space = sliding(sphere(), &[[[-0.2, -0.2], [0.2, 0.2]]]);
    let around = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    let waypoints: Vec<[f64; 2]> = (0..100).map(|k| around[k % 4]).collect();
    let path = space.smoothed(&waypoints, &Smoothing::default());
    let path = path.unwrap().expect("the sides are free");
    assert!(path.breaks().len() <= 1001);
    for q in along(&path, 3000) {
        assert_eq!(space.obstacle(&q).unwrap(), None);
    }
    // it goes around the box 24 times and more, whose sides have 1.6 m
    assert!(length(&path) > 24.0 * 1.6);
}

/// A mass on a boom that turns up and slides in and out: pulled in, it is light enough to swing past the horizontal.
#[test]
fn where_limits_refuse_the_curve_the_motion_follows_the_lines() {
    let mut boom = RobotBuilder::new("boom");
    let turn = LinkMotion::Revolute(Vector::y());
    let turn = boom.add_link(LinkSpec::new("turn", None, turn));
    let slide = LinkMotion::Prismatic(Vector::x());
    let mut load = LinkSpec::new("load", Some(turn), slide);
    load.inertia = Inertia {
        mass: 1.0,
        ..Inertia::zero()
    };
    load.collision.push(Element::new(sphere().into()));
    boom.add_link(load);
    let boom = boom.build().unwrap();
    let mut world = WorldModel::new();
    let id = world.add_robot(boom.clone());
    let space = RobotCSpace::new(&world, &[id]).unwrap();

    let path = [
        [-FRAC_PI_2, 1.0],
        [-FRAC_PI_2, 0.1],
        [FRAC_PI_2, 0.1],
        [FRAC_PI_2, 1.0],
    ];
    let smoothing = Smoothing::default();
    let dynamics = PathDynamics::new(&boom, Vector::new(0.0, 0.0, -9.81));
    let motion = |torque: f64| {
        let limits = limits(&[2.0; 2], &[5.0; 2]);
        let limits = limits.with_torque(&[torque, 50.0]).unwrap();
        let time = TimeParameterization::new(&limits).with_dynamics(&dynamics);
        let along = space.fastest_motion_along(&path, Some(&smoothing), 0.05, &time);
        let curve = space.smooth_motion_along(&path, &smoothing, &time);
        let along = along.unwrap();
        let violation = along.motion.check(&limits, Some(&dynamics));
        assert_eq!(violation.unwrap(), None);
        (along, curve)
    };

    // nothing is in the way: the curve is the straight line, along which 9.81 N·m are needed at the horizontal
    let (strong, curve) = motion(40.0);
    assert!(strong.is_smooth);
    assert_eq!(Some(strong.motion), curve.unwrap());
    let (weak, curve) = motion(3.0);
    assert_refused(curve, "against gravity");
    assert!(!weak.is_smooth);
    let most = (0..=1000).map(|k| {
        let [q, ..] = weak
            .motion
            .state_at(weak.motion.duration() * f64::from(k) / 1000.0);
        (9.81 * q[0].cos() * q[1]).abs()
    });
    assert!(most.fold(0.0, f64::max) < 3.0);
}

#[test]
fn what_is_no_path_or_no_option_is_refused() {
    let space = sliding(sphere(), &[]);
    let ends = [[0.0, 0.0], [1.0, 0.0]];
    let smoothing = Smoothing::default();
    let bad = smoothing.with_margin(-0.1);
    assert_refused(space.smoothed(&ends, &bad), "the margin of smoothing: -0.1");
    let limits = limits(&[1.0; 2], &[2.0; 2]);
    let time = TimeParameterization::new(&limits);
    assert_refused(
        space.fastest_motion_along(&ends, Some(&bad), 0.05, &time),
        "the margin of smoothing: -0.1",
    );
    let bad = smoothing.with_bending_length(f64::NAN);
    assert_refused(
        space.smoothed(&ends, &bad),
        "the bending length of smoothing",
    );
    assert_refused(
        space.smoothed(&ends[..1], &smoothing),
        "needs two waypoints",
    );
    assert_refused(
        space.smoothed(&[[0.0], [1.0]], &smoothing),
        "needs 2 values, got 1",
    );
}
