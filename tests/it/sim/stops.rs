//! Stops at the joint limits, and the friction that files give.

use kinworld::math::Inertia;
use kinworld::robot::{Limits, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::sim::{
    Evaluation, Forces, Integrator, JointStops, KinematicTree, Mechanism, Method, Probe, Recorder,
    Sensor, Steps, Tolerance,
};
use kinworld::{GRAVITY, Point, Pose, Robot, State, Vector, dynamics};
use nalgebra::Matrix3;

use super::robots::load;

/// Arm of two equal links of 1 m that swing in the vertical plane, within ±1 rad each.
fn arm() -> Robot {
    let mut robot = RobotBuilder::new("arm");
    let mut last = None;
    for name in ["upper", "lower"] {
        let mut link = LinkSpec::new(name, last, LinkMotion::Revolute(Vector::y()));
        link.inertia = Inertia {
            mass: 2.0,
            com: Point::new(0.0, 0.0, -0.5),
            moment: Matrix3::from_diagonal(&Vector::new(0.17, 0.17, 0.01)),
        };
        link.limits = Limits::position(-1.0, 1.0);
        if last.is_some() {
            link.placement = Pose::translation(0.0, 0.0, -1.0);
        }
        last = Some(robot.add_link(link));
    }
    robot.build().unwrap()
}

/// Total energy of each row, and the accepted and rejected steps of 3 s from a swing into the stops.
fn energies(forces: Forces, method: Method, steps: Steps) -> (Vec<f64>, usize, usize) {
    let mut tree = KinematicTree::new(arm());
    tree.forces = forces;
    let mut state = tree.initial_state(0.0, &[0.3, -0.4], &[3.0, -5.0]).unwrap();
    let sensors = vec![
        Sensor::new("e", Probe::Energy),
        Sensor::new("q", Probe::Positions),
    ];
    let mut recorder = Recorder::start(sensors, 0.0, &mut tree, &state).unwrap();
    let mut integrator = Integrator::new(method, steps).unwrap();
    let outcome = integrator
        .run(&mut tree, &mut state, 3.0, &mut recorder)
        .unwrap();
    let rows = || recorder.table().rows();
    assert!(
        rows().any(|row| row[4].abs() > 1.0 || row[5].abs() > 1.0),
        "a stop was touched"
    );
    assert!(
        rows().all(|row| row[4].abs() < 1.1 && row[5].abs() < 1.2),
        "and holds"
    );
    (
        rows().map(|row| row[3]).collect(),
        outcome.steps,
        outcome.rejected,
    )
}

#[test]
fn stops_without_damping_keep_the_energy() {
    let robot = arm();
    let mut stops = JointStops::of_robot(&robot, &[0.0; 2]).unwrap();
    stops.damping.fill(0.0);
    let forces = Forces::default().with_stops(Some(stops));
    for (method, steps, tolerance) in [
        (
            Method::Dop853,
            Steps::Adaptive(Tolerance::new(1e-9, 1e-9)),
            1e-5,
        ),
        (Method::Rk44, Steps::Length(1e-4), 1e-4),
    ] {
        let (energies, ..) = energies(forces.clone(), method, steps);
        for energy in &energies {
            let error = (energy - energies[0]).abs();
            assert!(error < tolerance, "{method:?}: {error:e} J");
        }
    }
}

#[test]
fn damped_stops_only_take_energy_and_are_smooth_enough_for_adaptive_steps() {
    let forces = Forces::of_robot(&arm(), &[0.0; 2]).unwrap();
    for (method, tolerance) in [
        (Method::Dopri5, 1e-6),
        (Method::Dop853, 1e-9),
        (Method::Ode23, 1e-5),
    ] {
        let steps = Steps::Adaptive(Tolerance::new(tolerance, tolerance));
        let (energies, made, rejected) = energies(forces.clone(), method, steps);
        for pair in energies.windows(2) {
            assert!(pair[1] < pair[0] + 1e3 * tolerance, "{method:?}: {pair:?}");
        }
        assert!(
            energies[energies.len() - 1] < energies[0] - 1.0,
            "the impacts are damped: {} J, {} J",
            energies[0],
            energies[energies.len() - 1]
        );
        assert!(
            rejected < made / 2,
            "{method:?}: {made} steps, {rejected} rejected"
        );
        assert!(made < 20_000, "{method:?}: {made} steps");
    }

    // the fixed step of the tool
    let (energies, ..) = energies(forces, Method::Rk44, Steps::Length(1e-3));
    assert!(energies.windows(2).all(|pair| pair[1] < pair[0] + 1e-3));
}

#[test]
fn an_arm_rests_on_its_stop_at_the_depth_of_its_stiffness() {
    let robot = arm();
    let forces = Forces::of_robot(&robot, &[0.0; 2]).unwrap();
    let stiffness = forces.stops.as_ref().unwrap().stiffness.clone();
    let mut tree = KinematicTree::new(robot.clone());

    // gravity upwards presses both joints into their stops
    tree.forces = forces.with_gravity(-GRAVITY);
    let mut state = tree.initial_state(0.0, &[0.9, 0.9], &[0.0; 2]).unwrap();
    let steps = Steps::Adaptive(Tolerance::new(1e-8, 1e-8));
    let mut integrator = Integrator::new(Method::Dopri5, steps).unwrap();
    integrator
        .run(&mut tree, &mut state, 10.0, &mut ())
        .unwrap();
    let q = tree.config(&state.y);
    let mut at = State::new(&robot);
    at.set_config(&robot, &q).unwrap();
    let load = dynamics::gravity_forces(&robot, &at, &-GRAVITY);
    for i in 0..2 {
        let depth = q[i].abs() - 1.0;
        assert!(depth > 1e-4 && depth < 0.01, "{q:?}");
        let error = stiffness[i] * depth - load[i].abs();
        assert!(
            error.abs() < 1e-4 * load[i].abs(),
            "{q:?} {load:?} {stiffness:?}"
        );
    }
}

#[test]
fn a_joint_that_starts_beyond_a_limit_is_not_thrown_back() {
    let robot = arm();
    let q = [1.5, 0.0];
    let mut tree = KinematicTree::new(robot.clone());
    tree.forces = Forces::of_robot(&robot, &q)
        .unwrap()
        .with_gravity(Vector::zeros());
    assert_eq!(
        tree.forces.stops.as_ref().unwrap().range,
        [[-1.0, 1.5], [-1.0, 1.0]]
    );
    let mut state = tree.initial_state(0.0, &q, &[0.0; 2]).unwrap();
    let mut integrator = Integrator::new(Method::Rk44, Steps::Length(0.01)).unwrap();
    integrator.run(&mut tree, &mut state, 1.0, &mut ()).unwrap();
    assert_eq!(tree.config(&state.y), q);
}

#[test]
fn damping_and_friction_of_a_file_reach_the_forces() {
    let urdf = r#"<robot name="door"><link name="frame"/><link name="leaf"><inertial><mass value="2"/>
        <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
        <joint name="hinge" type="revolute"><parent link="frame"/><child link="leaf"/><axis xyz="0 0 1"/>
        <limit lower="-2" upper="2" velocity="1" effort="1"/><dynamics damping="0.7" friction="0.2"/></joint></robot>"#;
    let from_urdf = kinworld::io::Loader::new().urdf(urdf, ".").unwrap().value;
    let servo = from_urdf.drivers()[0].servo;
    assert_eq!((servo.viscous_friction, servo.dry_friction), (0.7, 0.2));

    // far above the slip velocity, dry friction has its full value
    let mut tree = KinematicTree::new(from_urdf.clone());
    tree.forces = Forces::of_robot(&from_urdf, &[0.0]).unwrap();
    let state = tree.initial_state(0.0, &[0.0], &[3.0]).unwrap();
    let now = tree.at(0.0, &state.y).unwrap();
    assert!((now.accelerations()[0] + 0.7 * 3.0 + 0.2).abs() < 1e-12);

    // the library's default has gravity and no friction
    tree.forces = Forces::default();
    assert_eq!(tree.forces.gravity, GRAVITY);
    let now = tree.at(0.0, &state.y).unwrap();
    assert_eq!(now.accelerations(), [0.0]);
}

#[test]
fn stops_of_another_robot_are_refused() {
    let stops = JointStops::new(&arm(), 1.0, 1.0);
    let mut tree = KinematicTree::new(load("arm6.urdf"));
    tree.forces.stops = Some(stops);
    let state = tree.initial_state(0.0, &[0.0; 6], &[0.0; 6]).unwrap();
    let error = tree.at(0.0, &state.y).unwrap_err().to_string();
    assert_eq!(error, "stiffness of the stops needs 6 values, got 2");
}
