//! Runs of multibody systems: accuracy against trees, order of convergence, and comparison with Exudyn.

use kinworld::math::{Inertia, so3};
use kinworld::robot::{JointKind, LinkMotion, LinkSpec, dh};
use kinworld::sim::{
    Axes, Evaluation, GenericJoint, Integrator, IntegratorState, KinematicTree, Load, Marker,
    Mechanism, Method, MultibodySystem, Ode, PlanarBody, PlanarForce, Probe, Quantity, Recorder,
    Sensor, Steps,
};
use kinworld::world::RigidObject;
use kinworld::{LinkId, Point, Pose, Robot, RobotBuilder, Vector};
use nalgebra::{Matrix3, Translation3};
use serde_json::Value;

use super::same_as_trees::Pair;
use crate::common::allocations::allocations;
use crate::common::files::exudyn_refs;
use crate::common::numbers::{assert_close, list, number, numbers};
use crate::sim::robots::{brick, chain_on, load};
use crate::sim::spec::{run, vector};

const ALPHA: Method = Method::GeneralizedAlpha { rho: 0.7 };

/// Runs a system from its state.
fn steps(
    system: &mut MultibodySystem,
    state: &mut IntegratorState,
    end: f64,
    method: Method,
    steps: Steps,
) {
    let mut integrator = Integrator::new(method, steps).unwrap();
    integrator.run(system, state, end, &mut ()).unwrap();
}

/// Two roots with different axes, each with links of both kinds.
fn two_roots() -> Robot {
    let mut robot = RobotBuilder::new("pair");
    for (k, axis) in [Vector::y(), Vector::new(1.0, 1.0, 0.0)]
        .into_iter()
        .enumerate()
    {
        let mut root = LinkSpec::new(format!("root{k}"), None, LinkMotion::Revolute(axis));
        root.placement = Pose::from_parts(
            Translation3::new(0.5 * k as f64, 0.2, -0.1),
            so3::from_rpy([0.3, 0.2, -0.5 * k as f64]),
        );
        root.inertia = brick();
        let root = robot.add_link(root);
        let slide = LinkMotion::Prismatic(Vector::new(0.0, 0.6, 0.8) * (1.0 + k as f64));
        let mut slide = LinkSpec::new(format!("slide{k}"), Some(root), slide);
        slide.placement = Pose::translation(0.1, 0.0, 0.3);
        slide.inertia = brick();
        let slide = robot.add_link(slide);
        let mut hand = LinkSpec::new(format!("hand{k}"), Some(slide), LinkMotion::Fixed);
        hand.placement = Pose::translation(0.0, 0.2, 0.1);
        hand.inertia = brick();
        robot.add_link(hand);
    }
    robot.build().unwrap()
}

#[test]
fn robots_move_as_their_trees() {
    let robots = [
        load("arm6.urdf"),
        two_roots(),
        chain_on(JointKind::FloatingPlanar),
        load("gripper.urdf"),
    ];
    for robot in robots {
        let n = robot.n_dofs();
        let mut pair = Pair::new(&robot, &vec![0.2; n], &vec![0.3; n]);
        let [q, dq] = pair
            .bodies
            .motion(&mut pair.system, &pair.states[1])
            .unwrap();
        let end = 0.4;
        let mut truth = pair.tree.initial_state(0.0, &q, &dq).unwrap();
        let mut integrator = Integrator::new(Method::Dop853, Steps::Count(200)).unwrap();
        integrator
            .run(&mut pair.tree, &mut truth, end, &mut ())
            .unwrap();
        let expected = pair.tree.config(&truth.y);
        let start = pair.states[1].clone();

        // as exact, with constraints on accelerations
        let mut state = start.clone();
        steps(
            &mut pair.system,
            &mut state,
            end,
            Method::Dop853,
            Steps::Count(200),
        );
        let [q, _] = pair.bodies.motion(&mut pair.system, &state).unwrap();
        assert_close(format!("{}, DOP853", robot.name()), &q, &expected, 1e-9);

        // of order 2, with constraints on positions or velocities
        for method in [ALPHA, Method::Trapezoidal] {
            let mut errors = [100, 200].map(|count| {
                let mut state = start.clone();
                steps(
                    &mut pair.system,
                    &mut state,
                    end,
                    method,
                    Steps::Count(count),
                );
                let off = pair.system.residual(end, &state.y).unwrap();
                assert!(off.position <= 1e-12 && off.velocity <= 1e-11, "{off:?}");
                let [q, _] = pair.bodies.motion(&mut pair.system, &state).unwrap();
                let error = |m: f64, (a, b): (&f64, &f64)| m.max((a - b).abs());
                q.iter().zip(&expected).fold(0.0, error)
            });
            let order = (errors[0] / errors[1]).log2();
            assert!(
                (order - 2.0).abs() < 0.25 && errors[1] < 1e-3,
                "{}, {method:?}: {order}, {errors:?}",
                robot.name()
            );
            errors.reverse();
        }
    }
}

#[test]
fn a_planar_body_moves_the_same_in_redundant_coordinates() {
    let (mass, about_com, com) = (2.0, 0.4, [0.3, -0.2]);
    let off = com[0] * com[0] + com[1] * com[1];
    let mut planar = PlanarBody::new(mass, about_com + mass * off, com).unwrap();
    planar.gravity = [0.5, -9.81];
    planar.forces.push(PlanarForce {
        point: [0.1, 0.4],
        force: [1.0, 3.0],
    });
    let (start, rates) = ([0.2, -0.1, 0.7], [1.0, 0.5, -2.0]);
    let mut flat = planar.initial_state(0.0, start, rates);
    let mut integrator = Integrator::new(Method::Dop853, Steps::Count(100)).unwrap();
    integrator
        .run(&mut planar, &mut flat, 1.0, &mut ())
        .unwrap();

    let mut robot = RobotBuilder::new("flat");
    let body = robot
        .add_virtual_chain(JointKind::FloatingPlanar, "body", None, &Pose::identity())
        .unwrap();
    robot.links[body.index()].inertia = Inertia {
        mass,
        com: Point::new(com[0], com[1], 0.0),
        moment: Matrix3::from_diagonal_element(about_com),
    };
    let robot = robot.build().unwrap();
    let load = Load::new(body)
        .with_point(Point::new(0.1, 0.4, 0.0))
        .with_force(Vector::new(1.0, 3.0, 0.0));
    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    assert_eq!((system.n_bodies(), system.n_constraints()), (1, 3));
    system.gravity = Vector::new(0.5, -9.81, 0.0);
    system.loads.push(load);
    let mut state = bodies
        .initial_state(&mut system, 0.0, &start, &rates)
        .unwrap();
    steps(
        &mut system,
        &mut state,
        1.0,
        Method::Dop853,
        Steps::Count(100),
    );
    let [q, dq] = bodies.motion(&mut system, &state).unwrap();
    assert_close("positions", &q, &flat.y[..3], 1e-11);
    assert_close("rates", &dq, &flat.y[3..], 1e-11);
}

#[test]
fn the_double_pendulum_of_the_references_is_as_exact_as_exudyns() {
    let refs = exudyn_refs();
    let case = &refs["planar_dae"];
    let robot = crate::sim::spec::robot(&case["spec"]);
    let tip = vector(&case["exact"]["tip"]);
    for reference in list(&case["genalpha"]) {
        let h = number(&reference["h"]);
        let is_alpha = reference["solver"].as_str() == Some("GA07");
        if h < 5e-4 || reference["com_reference"].as_bool() != Some(true) {
            continue;
        }
        let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
        system.gravity = vector(&case["spec"]["gravity"]);
        let mut state = bodies
            .initial_state(&mut system, 0.0, &[0.0; 2], &[0.0; 2])
            .unwrap();
        let method = if is_alpha { ALPHA } else { Method::Trapezoidal };
        steps(&mut system, &mut state, 1.0, method, Steps::Length(h));
        let [q, _] = bodies.motion(&mut system, &state).unwrap();
        let position = system.pose(&state.y, LinkId::new(1)).unwrap() * Point::new(0.8, 0.0, 0.0);
        let error = (position.coords - tip).norm();
        let theirs = number(&reference["tip_error"]);
        assert!(
            error <= 1.5 * theirs,
            "{method:?} {h}: {error:e}, Exudyn {theirs:e}"
        );
        let exact = numbers(&case["exact"]["q"]);
        assert_close("angles", &q, &exact, 5e3 * h * h);
    }
}

/// Puma 560 of the references, with the first link's moment of inertia of their redundant runs.
fn puma(case: &Value, first: &Value) -> Robot {
    let rows: Vec<[f64; 4]> = list(&case["std_dh"])
        .iter()
        .map(|row| numbers(row).try_into().unwrap())
        .collect();
    let rows: Vec<dh::Standard> = rows
        .iter()
        .map(|[theta, d, a, alpha]| dh::Standard {
            theta: *theta,
            d: *d,
            a: *a,
            alpha: *alpha,
        })
        .collect();
    let mut robot = RobotBuilder::new("puma");
    let (masses, coms) = (numbers(&case["masses"]), list(&case["coms"]));
    let mut last = None;
    for (i, row) in rows.iter().enumerate() {
        // a joint about z of the previous frame, then the row: the link frame is after both
        let mut link = LinkSpec::new(format!("link{i}"), last, LinkMotion::Revolute(Vector::z()));
        link.placement = match i {
            0 => Pose::identity(),
            i => rows[i - 1].transform(),
        };
        let moment = if i == 0 { first } else { &case["inertias"][i] };
        let moment: Vec<f64> = list(moment).iter().flat_map(numbers).collect();
        let inertia = Inertia {
            mass: masses[i],
            com: Point::from(vector(&coms[i])),
            moment: Matrix3::from_row_slice(&moment),
        };
        link.inertia = inertia.transformed(&row.transform());
        last = Some(robot.add_link(link));
    }
    robot.build().unwrap()
}

#[test]
fn the_puma_of_the_references_is_as_exact_as_exudyns() {
    let refs = exudyn_refs();
    let case = &refs["redundant"]["puma560"];
    let robot = puma(&refs["robots"]["puma560"], &case["link0_inertia"]);
    let (q0, end) = (numbers(&case["q0"]), number(&case["t_end"]));
    let gravity = vector(&refs["robots"]["puma560"]["gravity"]);
    let (expected, rates) = (numbers(&case["dop853"]["q"]), numbers(&case["dop853"]["v"]));
    let mut tree = KinematicTree::new(robot.clone());
    tree.forces.gravity = gravity;
    let [q, v] = run(
        &mut tree,
        [&q0, &[0.0; 6]],
        end,
        Method::Dop853,
        Steps::Count(250),
    );
    assert_close("tree, q", &q, &expected, 1e-12);
    assert_close("tree, v", &v, &rates, 1e-11);

    let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
    system.gravity = gravity;
    let start = bodies
        .initial_state(&mut system, 0.0, &q0, &[0.0; 6])
        .unwrap();
    let mut state = start.clone();
    steps(
        &mut system,
        &mut state,
        end,
        Method::Dop853,
        Steps::Count(250),
    );
    let [q, v] = bodies.motion(&mut system, &state).unwrap();
    assert_close("redundant, q", &q, &expected, 1e-11);
    assert_close("redundant, v", &v, &rates, 1e-10);
    for reference in list(&case["runs"]) {
        let mut state = start.clone();
        let rho = number(&reference["rho"]);
        let h = Steps::Length(number(&reference["h"]));
        steps(
            &mut system,
            &mut state,
            end,
            Method::GeneralizedAlpha { rho },
            h,
        );
        let [q, _] = bodies.motion(&mut system, &state).unwrap();
        let theirs: Vec<f64> = list(&reference["joint_rotation"])
            .iter()
            .map(|angles| numbers(angles)[2])
            .collect();
        let error = |q: &[f64]| {
            let off = q.iter().zip(&expected).map(|(a, b)| (a - b).abs());
            off.fold(0.0, f64::max)
        };
        assert!(
            error(&q) <= 1.5 * error(&theirs),
            "{:e}, Exudyn {:e}",
            error(&q),
            error(&theirs)
        );
    }
}

#[test]
fn an_object_tumbles_as_a_body_of_a_multibody_system() {
    let mut object = RigidObject::new("crate");
    object.pose = Pose::from_parts(
        Translation3::new(0.1, 0.2, 0.3),
        so3::from_rpy([0.4, 1.2, -0.3]),
    );
    object.velocity = Vector::new(0.3, 0.1, 2.0);
    object.angular_velocity = Vector::new(0.1, 5.0, 0.2);
    object.inertia = brick();
    let (mut tree, mut truth) = KinematicTree::of_object(&object).unwrap();
    let mut system = MultibodySystem::new();
    let link = system.add_object(&object).unwrap();
    (tree.forces.gravity, system.gravity) = (-Vector::z(), -Vector::z());
    let mut state = system.initial_state(0.0).unwrap();
    let mut integrator = Integrator::new(Method::Dop853, Steps::Count(500)).unwrap();
    integrator.run(&mut tree, &mut truth, 3.0, &mut ()).unwrap();
    integrator
        .run(&mut system, &mut state, 3.0, &mut ())
        .unwrap();
    let last = LinkId::new(tree.robot().links().len() - 1);
    let now = tree.at(3.0, &truth.y).unwrap();
    let expected = now.point_motion(last, &Point::origin()).unwrap();
    let pose = system.pose(&state.y, link).unwrap();
    assert!((pose.translation.vector - expected.position.coords).norm() < 1e-9);
    assert!(so3::distance(&pose.rotation, &expected.rotation) < 1e-9);
    let velocity = system.velocity(&state.y, link).unwrap();
    assert!((velocity.linear - expected.velocity.linear).norm() < 1e-8);

    // rotations on the group stay normalized, whatever the step
    let mut rough = system.initial_state(0.0).unwrap();
    steps(&mut system, &mut rough, 3.0, ALPHA, Steps::Length(0.01));
    let length: f64 = rough.y[3..7].iter().map(|x| x * x).sum();
    assert!((length - 1.0).abs() < 1e-14);
    assert!(
        (system.pose(&rough.y, link).unwrap().translation.vector - expected.position.coords).norm()
            < 0.1
    );
}

#[test]
fn drives_with_springs_count_revolutions() {
    // a wheel of 0.5 kg m² on a spring of 8 N m/rad, wound up by five turns
    let mut system = MultibodySystem::new();
    let wheel = Inertia {
        mass: 1.0,
        com: Point::origin(),
        moment: Matrix3::from_diagonal_element(0.5),
    };
    let wheel = system.add_body("wheel", &wheel, &Pose::identity()).unwrap();
    let joint = GenericJoint::new("axle", Axes::REVOLUTE, Marker::GROUND, Marker::on(wheel));
    let joint = system.add_joint(joint).unwrap();
    let wound = 10.0 * std::f64::consts::PI;
    system.drives.push(
        kinworld::sim::Drive::new(joint, 0)
            .with_p(8.0)
            .with_position(wound),
    );
    let mut state = system.initial_state(0.0).unwrap();
    let sensors = vec![
        Sensor::new("q", Probe::Positions),
        Sensor::at("rim", wheel, Point::new(0.2, 0.0, 0.0), Quantity::Position),
    ];
    let mut recorder = Recorder::start(sensors, 0.05, &mut system, &state).unwrap();
    let mut integrator = Integrator::new(ALPHA, Steps::Length(1e-3)).unwrap();
    integrator
        .run(&mut system, &mut state, 1.0, &mut recorder)
        .unwrap();
    let table = recorder.into_table();
    assert_eq!(table.columns()[1], "q_axle");
    for row in table.rows() {
        let expected = wound * (1.0 - (4.0 * row[0]).cos());
        assert!((row[1] - expected).abs() < 1e-3, "{row:?}, {expected}");
        assert!((row[2] - 0.2 * row[1].cos()).abs() < 1e-6, "{row:?}");
    }
    let last = table.rows().next_back().unwrap();
    assert!(last[1] > wound, "{last:?}");
}

#[test]
fn steps_of_systems_do_not_allocate() {
    for name in ["arm6.urdf", "gripper.urdf", "quadruped.rob"] {
        let robot = load(name);
        let n = robot.n_dofs();
        let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
        system.gravity = Vector::new(0.0, 0.0, -9.81);
        let q = robot.initial_config();
        let mut state = bodies
            .initial_state(&mut system, 0.0, q, &vec![0.1; n])
            .unwrap();
        assert_eq!(system.size(), state.y.len());
        for method in [ALPHA, Method::Trapezoidal, Method::Rk44] {
            let mut integrator = Integrator::new(method, Steps::Length(1e-3)).unwrap();
            let end = state.t + 0.01;
            integrator
                .run(&mut system, &mut state, end, &mut ())
                .unwrap();
            let asked = allocations(|| {
                integrator
                    .run(&mut system, &mut state, end + 0.02, &mut ())
                    .unwrap();
            });
            assert_eq!(asked, 0, "{name}, {method:?}");
        }
    }
}
