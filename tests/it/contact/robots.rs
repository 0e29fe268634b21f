//! Static equilibrium of robots.

use crate::common::errors::assert_refused;
use kinworld::contact::{ContactPoint, Friction, joint_forces, robot_equilibrium};
use kinworld::math::Inertia;
use kinworld::robot::{JointKind, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::{LinkId, Point, Pose, Robot, State, Vector, dynamics};

use super::contact;

const GRAVITY: Vector = Vector::new(0.0, 0.0, -10.0);

/// A beam of 2 kg that rotates about y, its centre of mass at x = 0.5 m; a motor of some N·m.
fn beam(strength: f64) -> (Robot, LinkId) {
    let mut beam = LinkSpec::new("beam", None, LinkMotion::Revolute(Vector::y()));
    beam.inertia = Inertia {
        mass: 2.0,
        com: Point::new(0.5, 0.0, 0.0),
        ..Inertia::zero()
    };
    beam.limits.tau_max = strength;
    let mut robot = RobotBuilder::new("beam");
    let beam = robot.add_link(beam);
    (robot.build().unwrap(), beam)
}

/// A floating stool of 3 kg, and a lamp of 1 kg on a hinge over it.
fn lamp(strength: f64) -> Robot {
    let mut robot = RobotBuilder::new("lamp");
    let stool = robot
        .add_virtual_chain(JointKind::Floating, "stool", None, &Pose::identity())
        .unwrap();
    robot.links[stool.index()].inertia = Inertia {
        mass: 3.0,
        com: Point::new(0.1, 0.1, 0.5),
        ..Inertia::zero()
    };
    let mut head = LinkSpec::new("head", Some(stool), LinkMotion::Revolute(Vector::y()));
    head.placement = Pose::translation(0.0, 0.0, 1.0);
    head.inertia = Inertia {
        mass: 1.0,
        com: Point::new(0.3, 0.0, 0.0),
        ..Inertia::zero()
    };
    head.limits.tau_max = strength;
    let head = robot.add_link(head);
    robot.add_joint(JointKind::Normal, head, None);
    robot.build().unwrap()
}

fn stool(robot: &Robot) -> LinkId {
    robot.link_id("stool").unwrap()
}

/// Three feet of the stool.
fn feet(friction: f64) -> [ContactPoint; 3] {
    [(0.0, 0.0), (0.5, 0.0), (0.0, 0.5)]
        .map(|(x, y)| contact(Point::new(x, y, 0.0), Vector::z(), friction))
}

#[test]
fn a_motor_holds_loads_up_to_its_limit() {
    // 10 N m are needed
    for (strength, holds) in [
        (10.01, true),
        (9.99, false),
        (0.0, false),
        (f64::INFINITY, true),
    ] {
        let (robot, beam) = beam(strength);
        let state = State::new(&robot);
        let found = robot_equilibrium(&robot, &state, &[], &GRAVITY, Friction::Exact).unwrap();
        assert_eq!(found.holds(), holds, "{strength}");
        if holds {
            assert!((found.drivers[0] + 10.0).abs() < 1e-5, "{found:?}");
            let effort = 10.0 / strength;
            assert!((found.effort(&robot) - effort).abs() < 1e-6);
        } else {
            assert!(
                (found.residual[0] + (10.0 - strength)).abs() < 1e-5,
                "{found:?}"
            );
        }

        // a prop at the end holds it without the motor
        let prop = [(beam, contact(Point::new(1.0, 0.0, 0.0), Vector::z(), 0.0))];
        let found = robot_equilibrium(&robot, &state, &prop, &GRAVITY, Friction::Exact).unwrap();
        assert!(found.holds());
        let contact_torque = joint_forces(&robot, &state, &prop, &found.forces);
        assert!((contact_torque[0] + found.drivers[0] + 10.0).abs() < 1e-5);
        if strength < 1.0 {
            assert!((found.forces[0].z - 10.0).abs() < 1e-5);
        }
    }
}

#[test]
fn feet_without_friction_share_the_weight_as_levers_do() {
    let robot = lamp(5.0);
    let state = State::new(&robot);
    let contacts = feet(0.0).map(|foot| (stool(&robot), foot));
    let found = robot_equilibrium(&robot, &state, &contacts, &GRAVITY, Friction::Exact).unwrap();
    assert!(found.holds(), "{found:?}");
    // 30 N at (0.1, 0.1) and 10 N at (0.3, 0): moments about the foot at the origin, over 0.5 m
    let shares = [40.0 - 12.0 - 6.0, (3.0 + 3.0) / 0.5, 3.0 / 0.5];
    for (force, share) in found.forces.iter().zip(shares) {
        assert!(
            (force - Vector::new(0.0, 0.0, share)).norm() < 1e-4,
            "{found:?}"
        );
    }
    // the hinge holds 10 N at 0.3 m
    assert!((found.drivers[0] + 3.0).abs() < 1e-4, "{found:?}");
    assert!((found.effort(&robot) - 0.6).abs() < 1e-4);

    // the result balances the equation of motion at rest
    let mut residual = dynamics::gravity_forces(&robot, &state, &GRAVITY);
    for (g, contact) in
        residual
            .iter_mut()
            .zip(joint_forces(&robot, &state, &contacts, &found.forces))
    {
        *g -= contact;
    }
    residual[6] -= found.drivers[0];
    assert!(residual.iter().all(|x| x.abs() < 1e-4), "{residual:?}");
}

#[test]
fn too_few_feet_or_too_weak_a_motor_do_not_hold() {
    let holds = |robot: &Robot, contacts: &[ContactPoint]| {
        let contacts: Vec<_> = contacts.iter().map(|foot| (stool(robot), *foot)).collect();
        let state = State::new(robot);
        robot_equilibrium(robot, &state, &contacts, &GRAVITY, Friction::Exact)
            .unwrap()
            .holds()
    };
    assert!(holds(&lamp(5.0), &feet(0.5)));
    assert!(!holds(&lamp(2.9), &feet(0.5)), "the motor is too weak");
    assert!(!holds(&lamp(5.0), &feet(0.5)[..2]), "two feet are too few");
    assert!(!holds(&lamp(5.0), &[]), "nothing holds it");
}

#[test]
fn invalid_input_is_an_error() {
    let (robot, _) = beam(1.0);
    let state = State::new(&robot);
    let unknown_link = [(LinkId::new(3), contact(Point::origin(), Vector::z(), 0.5))];
    let error =
        robot_equilibrium(&robot, &state, &unknown_link, &GRAVITY, Friction::Exact).unwrap_err();
    assert_eq!(
        error.to_string(),
        "contact: there is no link 3; there are 1"
    );
    let broken = Vector::new(0.0, f64::NAN, 0.0);
    assert_refused(
        robot_equilibrium(&robot, &state, &[], &broken, Friction::Exact),
        "gravity: [0.0, NaN, 0.0] must be finite",
    );
    assert_refused(
        robot_equilibrium(&robot, &state, &[], &GRAVITY, Friction::Pyramid(1)),
        "1 edges: there must be 3 to 1000",
    );

    let idle = robot_equilibrium(&robot, &state, &[], &Vector::zeros(), Friction::Exact).unwrap();
    assert!(idle.holds() && idle.drivers == [0.0]);
}
