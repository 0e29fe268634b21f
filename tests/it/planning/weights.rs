//! Metrics with weighted degrees of freedom.

use kinworld::geometry::{Geometry, Primitive};
use kinworld::planning::{Budget, CSpace, EdgeQuery, RobotCSpace, RrtConnect, plan};
use kinworld::robot::{Element, JointKind, Limits, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::{PairFilter, Terrain};
use kinworld::{Point, Pose, Robot, State, Vector, WorldModel, kinematics};
use nalgebra::UnitQuaternion;

use super::{cell, random, random_free, space};

/// A weight for each degree of freedom, the same for the three of a rotation.
fn weighted(space: RobotCSpace) -> (RobotCSpace, Vec<f64>) {
    let weights: Vec<f64> = (0..space.n_dofs())
        .map(|i| 0.5 + 0.25 * (i / 3) as f64)
        .collect();
    (space.with_weights(&weights).unwrap(), weights)
}

#[test]
fn a_distance_is_the_length_of_the_weighted_difference() {
    // robots without free rotations, of which the difference has another form
    for files in [
        ["robots/arm6.urdf"],
        ["robots/mobile_arm.rob"],
        ["robots/scara.urdf"],
    ] {
        let (space, weights) = weighted(space(&files));
        let robot = space.world().robots().next().unwrap().model().clone();
        for seed in 0..20 {
            let (a, b) = (random(&space, seed), random(&space, seed + 100));
            let difference = kinematics::difference(&robot, &a, &b).unwrap();

            let squares = difference
                .iter()
                .zip(&weights)
                .map(|(x, w)| (w * x).powi(2));
            let expected = squares.sum::<f64>().sqrt();
            let found = space.distance(&a, &b);
            let what = format!("{files:?} {seed}: {found} {expected}");
            assert!((found - expected).abs() <= 1e-12 * expected, "{what}");
        }
    }
}

#[test]
fn a_free_rotation_counts_the_angle_between_its_poses() {
    let mut ball = RobotBuilder::new("ball and socket");
    let placement = Pose::new(Vector::new(0.1, 0.2, 0.3), Vector::new(0.4, 0.5, 0.6));
    let arm = LinkSpec::new("arm", None, LinkMotion::Revolute(Vector::x()));
    let arm = ball.add_link(arm);
    ball.add_virtual_chain(JointKind::BallAndSocket, "ball", Some(arm), &placement)
        .unwrap();
    let mut world = WorldModel::new();
    let ball = world.add_robot(ball.build().unwrap());
    // it has no shape, and nothing here is about collisions
    let filter = PairFilter::default().allow_missing_geometry();
    let ball = RobotCSpace::with_filter(&world, &[ball], &filter).unwrap();

    let spaces = [
        ball,
        space(&["robots/drone.urdf"]),
        space(&["robots/ferry.urdf"]),
        space(&["robots/quadruped.rob"]),
    ];
    let mut rotated = 0;
    for (space, weights) in spaces.map(weighted) {
        let robot = space.world().robots().next().unwrap().model().clone();
        for seed in 0..20 {
            let (a, b) = (random(&space, seed), random(&space, seed + 100));
            let [at_a, at_b] = [&a, &b].map(|q| {
                let mut state = State::new(&robot);
                state.set_config(&robot, q).unwrap();
                state
            });
            let mut changes: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
            for joint in robot.joints() {
                let dof = |k: usize| robot.link(joint.links[k]).dof().unwrap().index();
                match joint.kind {
                    JointKind::Floating | JointKind::BallAndSocket => {
                        // the rotation of the last link, seen from the parent of the first
                        let first = joint.links.len() - 3;
                        let [r_a, r_b] = [&at_a, &at_b].map(|state| rotation(&robot, state, joint));
                        changes[dof(first)..=dof(first + 2)].fill(0.0);
                        changes[dof(first + 2)] = r_a.rotation_to(&r_b).angle();
                        rotated += 1;
                    }
                    JointKind::Spin => changes[dof(0)] = wrapped(changes[dof(0)]),
                    JointKind::FloatingPlanar => changes[dof(2)] = wrapped(changes[dof(2)]),
                    _ => {}
                }
            }
            let squares = changes.iter().zip(&weights).map(|(x, w)| (w * x).powi(2));
            let expected = squares.sum::<f64>().sqrt();
            let found = space.distance(&a, &b);
            let what = format!("{} {seed}: {found} {expected}", robot.name());
            assert!((found - expected).abs() <= 1e-9 * expected, "{what}");
        }
    }
    assert!(rotated >= 80);
}

/// The orientation that a joint gives to its last link, seen from what carries its first one.
fn rotation(robot: &Robot, state: &State, joint: &kinworld::robot::Joint) -> UnitQuaternion<f64> {
    let parent = robot.link(joint.links[0]).parent();
    let x_wp = parent.map_or_else(Pose::identity, |parent| state.pose(robot, parent));
    let x_pl = x_wp.inverse() * state.pose(robot, joint.link);
    UnitQuaternion::from_rotation_matrix(&x_pl.rotation)
}

/// An angle the short way.
fn wrapped(angle: f64) -> f64 {
    angle.sin().atan2(angle.cos())
}

#[test]
fn embeddings_of_near_configurations_keep_their_distance() {
    for files in [
        ["robots/arm6.urdf"],
        ["robots/drone.urdf"],
        ["robots/ferry.urdf"],
        ["robots/quadruped.rob"],
    ] {
        let (space, _) = weighted(space(&files));
        let robot = space.world().robots().next().unwrap().model().clone();
        for seed in 0..20 {
            let a = random(&space, seed);
            let rates: Vec<f64> = random(&space, seed + 50).iter().map(|x| x.sin()).collect();
            let step: Vec<f64> = rates.iter().map(|x| 1e-4 * x).collect();
            let b = kinematics::integrate(&robot, &a, &step).unwrap();
            let (mut of_a, mut of_b) = (Vec::new(), Vec::new());
            space.embed_into(&a, &mut of_a);
            space.embed_into(&b, &mut of_b);
            let squares = of_a.iter().zip(&of_b).map(|(x, y)| (x - y).powi(2));
            let (embedded, distance) = (squares.sum::<f64>().sqrt(), space.distance(&a, &b));
            assert!(distance > 0.0);
            assert!(
                (embedded / distance - 1.0).abs() < 1e-3,
                "{files:?} {seed}: {embedded} {distance}"
            );
        }
    }
}

#[test]
fn equal_weights_change_the_unit_alone() {
    let space = cell();
    let twice = space.clone().with_weights(&[2.0; 6]).unwrap();
    for seed in 0..20 {
        let (a, b) = (random(&space, seed), random(&space, seed + 100));
        let (one, two) = (space.distance(&a, &b), twice.distance(&a, &b));
        assert!((two - 2.0 * one).abs() <= 1e-12 * one);
    }
}

#[test]
fn a_weighted_space_is_planned_in_as_any_other() {
    let (space, _) = weighted(cell());
    let plain = cell().with_resolution(1.0 / 128.0).unwrap();
    for seed in 0..4 {
        let (a, b) = (random_free(&space, seed), random_free(&space, seed + 100));
        let found = plan(&space, &a, &b, &Budget::default().seed(seed)).unwrap();
        for w in found.path.unwrap().windows(2) {
            assert_eq!(
                plain
                    .edge_collision(&w[0], &w[1], EdgeQuery::First)
                    .unwrap(),
                None
            );
        }
    }
}

/// A sphere that translates along x and y, and two walls that form a corner.
fn walls() -> RobotCSpace {
    let mut robot = RobotBuilder::new("ball");
    let along = |name: &str, parent, axis| {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Prismatic(axis));
        link.limits = Limits::position(-1.0, 1.0);
        link
    };
    let x = robot.add_link(along("x", None, Vector::x()));
    let mut y = along("y", Some(x), Vector::y());
    let ball = Primitive::sphere(Point::origin(), 0.02).unwrap();
    y.collision.push(Element::new(Geometry::from(ball)));
    robot.add_link(y);

    let mut world = WorldModel::new();
    let robot = world.add_robot(robot.build().unwrap());
    for (name, far) in [
        ("along x", Point::new(0.6, 0.02, 0.1)),
        ("along y", Point::new(0.02, 0.6, 0.1)),
    ] {
        let wall = Primitive::aabb(Point::new(-0.02, -0.02, -0.1), far).unwrap();
        let wall = Terrain::new(name, Some(Geometry::from(wall)));
        world.add_terrain(wall).unwrap();
    }
    RobotCSpace::new(&world, &[robot]).unwrap()
}

/// The metric bounds a step, so a heavy degree of freedom takes small ones: without shortcuts a path shows them.
#[test]
fn a_step_moves_a_dof_by_the_range_over_its_weight_at_most() {
    let (a, b) = ([-0.3, -0.3], [0.3, 0.3]);
    let budget = Budget::default().range(0.5).shortcuts(0);
    let largest = |weights: [f64; 2]| {
        let space = walls().with_weights(&weights).unwrap();
        let mut largest = [0.0_f64; 2];
        for seed in 0..5 {
            let planner = RrtConnect::new(&budget.seed(seed));
            let path = planner.solve(&space, &a, &b).unwrap().path.unwrap();
            assert!(path.len() > 2, "the walls are in the way");
            for w in path.windows(2) {
                for k in 0..2 {
                    largest[k] = largest[k].max((w[1][k] - w[0][k]).abs());
                }
            }
        }
        largest
    };
    let alike = largest([1.0; 2]);
    assert!(alike[0] > 0.25 && alike[1] > 0.25, "{alike:?}");
    for (weights, heavy) in [([5.0, 1.0], 0), ([1.0, 5.0], 1)] {
        let found = largest(weights);
        assert!(found[heavy] <= 0.1 + 1e-12, "{weights:?}: {found:?}");
        assert!(found[1 - heavy] > 0.25, "{weights:?}: {found:?}");
    }
}

#[test]
fn weights_are_positive_and_as_many_as_dofs() {
    for (weights, said) in [
        (vec![1.0; 5], "metric weights"),
        (vec![1.0, 1.0, 1.0, 0.0, 1.0, 1.0], "metric weight 3"),
        (vec![1.0, -2.0, 1.0, 1.0, 1.0, 1.0], "metric weight 1"),
        (vec![f64::NAN; 6], "metric weights"),
    ] {
        let error = cell().with_weights(&weights).unwrap_err().to_string();
        assert!(error.contains(said), "{error}");
    }
}
