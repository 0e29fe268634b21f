//! Trees: conserved quantities and closed forms, forces, and errors.

use std::f64::consts::PI;

use kinworld::math::{Inertia, Wrench, so3};
use kinworld::robot::{DriverKind, Limits, LinkMotion, LinkSpec};
use kinworld::sim::{
    BaseMotion, Evaluation, Forces, Integrator, JointStops, KinematicTree, Mechanism, Method, Ode,
    Steps, Tolerance,
};
use kinworld::{LinkId, Point, Pose, RobotBuilder, State, Vector, dynamics};
use nalgebra::Translation3;

use super::robots::load;
use super::spec::run;
use crate::common::allocations::allocations;
use crate::common::errors::assert_refused;
use crate::common::numbers::assert_close;

#[test]
fn a_free_tree_conserves_energy_to_twelve_digits() {
    let mut tree = KinematicTree::new(load("arm6.urdf"));
    tree.forces.gravity = Vector::new(0.3, -0.5, -9.6);
    let q = [0.3, -0.4, 0.8, 0.2, 1.0, -0.3];
    let mut state = tree
        .initial_state(0.0, &q, &[0.1, 0.2, -0.1, 0.3, 0.0, 0.2])
        .unwrap();
    let before = tree.at(0.0, &state.y).unwrap().energy();
    let tolerance = Tolerance::new(1e-13, 1e-14);
    let mut integrator = Integrator::new(Method::Dop853, Steps::Adaptive(tolerance)).unwrap();
    integrator
        .run(&mut tree, &mut state, 10.0, &mut ())
        .unwrap();
    let after = tree.at(10.0, &state.y).unwrap().energy();
    assert!((after.kinetic - before.kinetic).abs() > 0.1, "it moves");
    let drift = (after.total() - before.total()).abs() / before.total().abs().max(after.kinetic);
    assert!(drift <= 1e-12, "{drift:e}");
}

#[test]
fn drivers_couple_fingers() {
    let mut gripper = RobotBuilder::new("gripper");
    let mut fingers = Vec::new();
    for name in ["left", "right"] {
        let mut finger = LinkSpec::new(name, None, LinkMotion::Prismatic(Vector::x()));
        finger.inertia = Inertia {
            mass: 0.1,
            ..Inertia::zero()
        };
        fingers.push(gripper.add_link(finger));
    }
    let kind = DriverKind::Affine {
        links: fingers,
        scale: vec![1.0, -2.0],
        offset: vec![0.0, 0.3],
    };
    gripper.add_driver("open", kind, None);
    let mut tree = KinematicTree::new(gripper.build().unwrap());
    tree.forces.joint = vec![0.0, -0.5];
    assert_eq!(tree.size(), 2);
    let [q, v] = run(
        &mut tree,
        [&[0.1, 0.1], &[0.0; 2]],
        2.0,
        Method::Rk44,
        Steps::Count(10),
    );

    // effective mass of the driver: 0.1 + 4 · 0.1 kg, and a force of 1 N
    let u = 0.1 + 0.5 * 2.0 * 4.0;
    assert_close("fingers", &q, &[u, 0.3 - 2.0 * u], 1e-12);
    assert_close("rates", &v, &[4.0, -8.0], 1e-12);
    assert_eq!(tree.label(1), "velocity of driver `open`");
}

#[test]
fn friction_and_stops_follow_their_closed_forms() {
    let mut robot = RobotBuilder::new("drawer");
    let mut drawer = LinkSpec::new("drawer", None, LinkMotion::Prismatic(Vector::x()));
    drawer.inertia = Inertia {
        mass: 2.0,
        ..Inertia::zero()
    };
    drawer.limits = Limits::position(-1.0, 1.0);
    robot.add_link(drawer);
    let mut builder = RobotBuilder::from(&robot.build().unwrap());
    for driver in builder.drivers.iter_mut().flatten() {
        driver.servo.viscous_friction = 0.5;
    }
    let mut tree = KinematicTree::new(builder.build().unwrap());
    let far = |tree: &mut KinematicTree, t: f64| {
        run(tree, [&[0.0], &[3.0]], t, Method::Dop853, Steps::Count(400)).concat()
    };

    // no friction by default
    assert_close("free", &far(&mut tree, 2.0), &[6.0, 3.0], 1e-12);
    tree.forces.friction = Some(0.01);
    let left = 3.0 * (-0.5_f64).exp();
    assert_close(
        "viscous",
        &far(&mut tree, 2.0),
        &[4.0 * (3.0 - left), left],
        1e-12,
    );

    // a stop of 200 N/m beyond 1 m reverses it in half a period at 10 rad/s
    let stops = |tree: &KinematicTree, d| Some(JointStops::new(tree.robot(), 200.0, d));
    tree.forces = Forces::default().with_stops(stops(&tree, 0.0));
    let back = 1.0 / 3.0 + PI / 10.0;
    assert_close(
        "stop",
        &far(&mut tree, back + 0.2),
        &[1.0 - 0.6, -3.0],
        1e-3,
    );
    tree.forces.stops = stops(&tree, 40.0);
    let [q, v] = [0, 1].map(|i| far(&mut tree, 1.5)[i]);
    assert!(
        q < 1.01 && (-1.0..0.0).contains(&v),
        "{q} {v}: it leaves slowly, without adhesion"
    );
}

#[test]
fn external_wrenches_act_at_the_origin_of_the_link_in_world_axes() {
    let robot = load("arm6.urdf");
    let base = Pose::from_parts(
        Translation3::new(1.0, 2.0, 3.0),
        so3::from_rpy([0.3, 0.9, -2.0]),
    );
    let mut tree = KinematicTree::new(robot.clone()).with_base(base);
    let g = Vector::new(0.4, -0.3, -9.6);
    let q = [0.3, -0.4, 0.8, 0.2, 1.0, -0.3];
    let state = tree.initial_state(0.0, &q, &[0.0; 6]).unwrap();
    let (mut by_gravity, mut by_wrenches) = (vec![0.0; 12], vec![0.0; 12]);
    tree.forces.gravity = g;
    tree.rates(0.0, &state.y, &mut by_gravity).unwrap();

    // the same weights as external wrenches: force at the origin, and moment to the centre of mass
    tree.forces.gravity = Vector::zeros();
    let now = tree.at(0.0, &state.y).unwrap();
    let mut weights = Vec::new();
    for (i, link) in robot.links().iter().enumerate() {
        let motion = now.point_motion(LinkId::new(i), &Point::origin()).unwrap();
        let arm = motion.rotation * link.inertia().com.coords;
        let weight = g * link.inertia().mass;
        let wrench = Wrench {
            moment: arm.cross(&weight),
            force: weight,
        };
        weights.push((LinkId::new(i), wrench));
    }
    tree.forces.wrenches = weights;
    tree.rates(0.0, &state.y, &mut by_wrenches).unwrap();
    assert_close("accelerations", &by_wrenches, &by_gravity, 1e-9);
    let level = dynamics::gravity_forces(&robot, &State::new(&robot), &g);
    assert!(level.iter().any(|x| x.abs() > 1.0));
}

#[test]
fn errors_of_a_tree_name_link_and_time() {
    let mut robot = RobotBuilder::new("empty");
    robot.add_link(LinkSpec::new(
        "ghost",
        None,
        LinkMotion::Revolute(Vector::z()),
    ));
    let fail = |tree: &mut KinematicTree, n: usize| {
        tree.forces.gravity = Vector::zeros();
        let mut state = tree
            .initial_state(0.0, &vec![0.0; n], &vec![0.0; n])
            .unwrap();
        let mut integrator = Integrator::new(Method::Rk44, Steps::Length(0.25)).unwrap();
        let error = integrator
            .run(tree, &mut state, 2.0, &mut ())
            .unwrap_err()
            .to_string();
        (error, state.t)
    };
    let (error, _) = fail(&mut KinematicTree::new(robot.build().unwrap()), 1);
    assert!(
        error.starts_with("stopped at t = 0 s: link `ghost`: its dof has no inertia"),
        "{error}"
    );

    let late = |t: f64, _: &[f64], _: &[f64], out: &mut [f64]| {
        if t > 1.0 {
            out[3] = f64::NAN;
        }
    };
    let mut tree = KinematicTree::new(load("arm6.urdf")).with_user_force(late);
    let name = tree.robot().link(tree.robot().dofs()[3]).name().to_owned();
    let (error, t) = fail(&mut tree, 6);
    assert_eq!(
        error,
        format!("stopped at t = 1 s: force on link `{name}`: is NaN, it must be finite")
    );
    assert!((t - 1.0).abs() < 1e-12);

    let mut tree = KinematicTree::new(load("arm6.urdf"));
    tree.forces.joint = vec![0.0; 5];
    assert!(
        fail(&mut tree, 6)
            .0
            .contains("joint force needs 6 values, got 5")
    );
    let mut tree = KinematicTree::new(load("arm6.urdf"))
        .with_moving_base(|_| BaseMotion::at(Pose::translation(f64::NAN, 0.0, 0.0)));
    assert!(
        fail(&mut tree, 6)
            .0
            .contains("base: its pose and motion must be finite")
    );
    assert_refused(
        tree.initial_state(0.0, &[0.0; 5], &[0.0; 6]),
        "configuration needs 6 values, got 5",
    );
}

#[test]
fn steps_of_trees_do_not_allocate() {
    for name in [
        "arm6.urdf",
        "gripper.urdf",
        "quadruped.rob",
        "mobile_arm.rob",
    ] {
        let robot = load(name);
        let n = robot.n_dofs();
        let q = robot.initial_config().to_vec();
        let mut tree = KinematicTree::new(robot);
        tree.forces.friction = Some(0.1);
        tree.forces.stops = Some(JointStops::new(tree.robot(), 10.0, 0.1));
        tree.forces
            .wrenches
            .push((LinkId::new(0), Wrench::default()));
        let mut state = tree.initial_state(0.0, &q, &vec![0.2; n]).unwrap();
        for method in [Method::Rk44, Method::Trapezoidal] {
            let mut integrator = Integrator::new(method, Steps::Length(1e-3)).unwrap();
            let end = state.t + 0.01;
            integrator.run(&mut tree, &mut state, end, &mut ()).unwrap();
            let asked = allocations(|| {
                integrator
                    .run(&mut tree, &mut state, end + 0.02, &mut ())
                    .unwrap();
            });
            assert_eq!(asked, 0, "{name}, {method:?}");
        }
    }
}
