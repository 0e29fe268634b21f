//! Recorders and their tables; planar bodies against trees.

use kinworld::math::{Inertia, Motion};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::sim::{
    Evaluation, Integrator, KinematicTree, Mechanism, Method, PlanarBody, PlanarForce, Probe,
    Quantity, Recorder, Sensor, Steps, Tolerance,
};
use kinworld::{LinkId, Point, RobotBuilder, Vector};
use nalgebra::Matrix3;
use proptest::prelude::*;

use super::spec::run;
use crate::common::errors::assert_refused;
use crate::common::numbers::assert_close;
use random_robots::cases;

/// Planar body as a tree with translations along x and y and a rotation about z.
fn as_tree(mass: f64, about_com: f64, com: [f64; 2]) -> KinematicTree {
    let mut robot = RobotBuilder::new("plane");
    let x = robot.add_link(LinkSpec::new("x", None, LinkMotion::Prismatic(Vector::x())));
    let y = robot.add_link(LinkSpec::new(
        "y",
        Some(x),
        LinkMotion::Prismatic(Vector::y()),
    ));
    let mut body = LinkSpec::new("body", Some(y), LinkMotion::Revolute(Vector::z()));
    body.inertia = Inertia {
        mass,
        com: Point::new(com[0], com[1], 0.0),
        moment: Matrix3::from_diagonal(&Vector::new(0.0, 0.0, about_com)),
    };
    robot.add_link(body);
    KinematicTree::new(robot.build().unwrap())
}

fn any_three(size: f64) -> impl Strategy<Value = [f64; 3]> {
    prop::array::uniform3(-size..size)
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn a_planar_body_moves_as_its_tree(
        mass in 0.1..5.0,
        about_com in 0.05..2.0,
        com in prop::array::uniform2(-0.6..0.6),
        q in any_three(2.0),
        v in any_three(3.0),
        gravity in prop::array::uniform2(-10.0..10.0),
    ) {
        let mut body = PlanarBody::from_com_inertia(mass, about_com, com).unwrap();
        body.gravity = gravity;
        body.torque = 0.7;
        body.forces = vec![PlanarForce { point: [0.0; 2], force: [1.5, -0.4] }];
        let mut state = body.initial_state(0.0, q, v);
        let mut integrator = Integrator::new(Method::Rk44, Steps::Count(50)).unwrap();
        integrator.run(&mut body, &mut state, 1.0, &mut ()).unwrap();

        let mut tree = as_tree(mass, about_com, com);
        tree.forces.gravity = Vector::new(gravity[0], gravity[1], 0.0);
        tree.forces.joint = vec![1.5, -0.4, 0.7];
        let [tree_q, tree_v] = run(&mut tree, [&q, &v], 1.0, Method::Rk44, Steps::Count(50));
        assert_close("q", &state.y[..3], &tree_q, 1e-9);
        assert_close("v", &state.y[3..], &tree_v, 1e-9);

        // and sensors read the same
        let body = body.at(1.0, &state.y).unwrap();
        let state = tree.initial_state(1.0, &tree_q, &tree_v).unwrap();
        let tree = tree.at(1.0, &state.y).unwrap();
        let point = Point::new(0.3, -0.8, 0.2);
        let ours = body.point_motion(LinkId::new(0), &point).unwrap();
        let theirs = tree.point_motion(LinkId::new(2), &point).unwrap();
        let six = |m: Motion| nalgebra::Vector6::from(m);
        prop_assert!((ours.position - theirs.position).norm() < 1e-9);
        prop_assert!((ours.rotation.matrix() - theirs.rotation.matrix()).amax() < 1e-9);
        prop_assert!((six(ours.velocity) - six(theirs.velocity)).amax() < 1e-8);
        prop_assert!((six(ours.acceleration) - six(theirs.acceleration)).amax() < 1e-7);
        prop_assert!((body.energy().total() - tree.energy().total()).abs() < 1e-7);
        assert_close("residual forces", body.residual_forces(), tree.residual_forces(), 1e-7);
    }
}

#[test]
fn invalid_planar_bodies_are_refused() {
    for (mass, inertia, com) in [
        (0.0, 1.0, [0.0; 2]),
        (1.0, 0.0, [0.0; 2]),
        (2.0, 0.5, [0.5, 0.0]),
        (f64::NAN, 1.0, [0.0; 2]),
    ] {
        assert_refused(PlanarBody::new(mass, inertia, com), "planar body: ");
    }
    assert!(PlanarBody::from_com_inertia(2.0, 0.1, [0.5, 0.0]).is_ok());
}

#[test]
fn the_jacobian_of_a_planar_body_is_the_derivative_of_its_points() {
    let body = PlanarBody::new(1.0, 2.0, [0.1, 0.2]).unwrap();
    let (theta, point, h) = (0.7_f64, [0.4, -0.3], 1e-6);
    let position = |theta: f64| {
        let (s, c) = theta.sin_cos();
        [c * point[0] - s * point[1], s * point[0] + c * point[1]]
    };
    let jacobian = body.position_jacobian(theta, point);
    for k in 0..2 {
        let derivative = (position(theta + h)[k] - position(theta - h)[k]) / (2.0 * h);
        assert!((jacobian[(k, 2)] - derivative).abs() < 1e-9);
        assert!((jacobian[(k, k)] - 1.0).abs() < 1e-15);
    }
    assert_eq!(
        body.rotation_jacobian().as_slice(),
        [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
    );
}

/// Body that falls from rest.
fn falling_body() -> (KinematicTree, Vec<Sensor>) {
    let mut tree = as_tree(2.0, 0.3, [0.0; 2]);
    tree.forces.gravity = Vector::new(0.0, -10.0, 0.0);
    let body = LinkId::new(2);
    let sensors = vec![
        Sensor::at("tip", body, Point::new(1.0, 0.0, 0.0), Quantity::Position),
        Sensor::at("r", body, Point::origin(), Quantity::RotationMatrix),
        Sensor::new("q", Probe::Positions),
        Sensor::new("a", Probe::Accelerations),
        Sensor::new("f", Probe::Force),
        Sensor::new("e", Probe::Energy),
    ];
    (tree, sensors)
}

#[test]
fn samples_are_taken_at_the_period_for_any_steps() {
    let adaptive = Steps::Adaptive(Tolerance::default().with_max_step(0.37));
    for (method, steps) in [
        (Method::Rk44, Steps::Length(0.1)),
        (Method::Rk44, Steps::Length(0.07)),
        (Method::Dopri5, adaptive),
    ] {
        let (mut tree, sensors) = falling_body();
        let mut state = tree
            .initial_state(1.0, &[0.0; 3], &[0.5, 0.0, 2.0])
            .unwrap();
        let mut recorder = Recorder::start(sensors, 0.1, &mut tree, &state).unwrap();
        let mut integrator = Integrator::new(method, steps).unwrap();

        // two runs, recorded as one
        for end in [1.55, 2.0] {
            integrator
                .run(&mut tree, &mut state, end, &mut recorder)
                .unwrap();
        }
        let table = recorder.into_table();
        assert_eq!(table.len(), 11);
        assert_eq!(table.columns().len(), 1 + 3 + 9 + 3 + 3 + 3 + 3);
        let at = |name: &str| {
            table
                .column(name)
                .unwrap_or_else(|| panic!("a column {name}"))
        };
        for (k, row) in table.rows().enumerate() {
            let t = 0.1 * k as f64;
            assert!((row[0] - 1.0 - t).abs() < 1e-12);
            assert!((row[at("tip_x")] - (0.5 * t + (2.0 * t).cos())).abs() < 1e-4);
            assert!((row[at("q_y")] + 5.0 * t * t).abs() < 1e-9);
            assert!((row[at("a_y")] + 10.0).abs() < 1e-9);
            assert!((row[at("f_y")] - 20.0).abs() < 1e-9);
            assert!((row[at("r_xx")] - (2.0 * t).cos()).abs() < 1e-4);
            assert!((row[at("e_total")] - (0.25 + 0.6)).abs() < 1e-6);
        }
    }
}

#[test]
fn a_period_of_zero_records_every_step() {
    let (mut tree, sensors) = falling_body();
    let mut state = tree.initial_state(0.0, &[0.0; 3], &[0.0; 3]).unwrap();
    let mut recorder = Recorder::start(sensors, 0.0, &mut tree, &state).unwrap();
    Integrator::new(Method::Rk44, Steps::Count(7))
        .unwrap()
        .run(&mut tree, &mut state, 1.0, &mut recorder)
        .unwrap();
    assert_eq!(recorder.table().len(), 8);
}

#[test]
fn tables_read_back_exactly_from_csv_and_json() {
    let (mut tree, sensors) = falling_body();
    let mut state = tree
        .initial_state(0.0, &[0.1, 0.2, 0.3], &[0.3; 3])
        .unwrap();
    let mut recorder = Recorder::start(sensors, 0.13, &mut tree, &state).unwrap();
    Integrator::new(Method::Rk44, Steps::Count(50))
        .unwrap()
        .run(&mut tree, &mut state, 1.0, &mut recorder)
        .unwrap();
    let table = recorder.table();
    let rows: Vec<Vec<f64>> = table.rows().map(<[f64]>::to_vec).collect();
    let csv = table.to_csv();
    let mut lines = csv.lines();
    assert_eq!(
        lines.next().unwrap().split(',').collect::<Vec<_>>(),
        table.columns()
    );
    let read: Vec<Vec<f64>> = lines
        .map(|line| line.split(',').map(|x| x.parse().unwrap()).collect())
        .collect();
    assert_eq!(read, rows);
    let json: serde_json::Value = serde_json::from_str(&table.to_json()).unwrap();
    assert_eq!(json["columns"][0], "time");
    let read: Vec<Vec<f64>> = json["rows"]
        .as_array()
        .unwrap()
        .iter()
        .map(crate::common::numbers::numbers)
        .collect();
    assert_eq!(read, rows);
}

#[test]
fn invalid_sensors_and_periods_are_refused() {
    let (mut tree, _) = falling_body();
    let state = tree.initial_state(0.0, &[0.0; 3], &[0.0; 3]).unwrap();
    let lost = Sensor::at("lost", LinkId::new(9), Point::origin(), Quantity::Position);
    assert_refused(
        Recorder::start(vec![lost], 0.1, &mut tree, &state),
        "there is no link 9; there are 3",
    );
    let mut recorder = Recorder::start(Vec::new(), 1e-300, &mut tree, &state).unwrap();
    let mut integrator = Integrator::new(Method::Rk44, Steps::Count(1)).unwrap();
    let refused = integrator.run(&mut tree, &mut state.clone(), 1.0, &mut recorder);
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("more than 1e6 rows in a step of 1 s")
    );
    for period in [-1.0, f64::NAN, f64::INFINITY] {
        assert_refused(
            Recorder::start(Vec::new(), period, &mut tree, &state),
            "it must be finite and not negative",
        );
    }
}
