//! Views say what dynamics says.

use kinworld::dynamics::{self, Loads};
use kinworld::math::Inertia;
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::world::WorldModel;
use kinworld::{Point, RobotBuilder, Vector};

const GRAVITY: Vector = Vector::new(0.0, 0.0, -9.81);

#[test]
fn forces_and_masses_are_those_of_the_current_state() {
    let (world, ddq, tau) = (swinging(), [1.0, 2.0], [0.5, -0.5]);
    let arm = world.robot("arm").unwrap();
    let (robot, state) = (arm.model(), arm.state());
    assert_eq!(arm.mass_matrix(), dynamics::mass_matrix(robot, state));
    assert_eq!(
        arm.mass_matrix_inverse(),
        dynamics::mass_matrix_inverse(robot, state)
    );
    assert_eq!(
        arm.coriolis_forces(),
        dynamics::coriolis_forces(robot, state)
    );
    assert_eq!(
        arm.gravity_forces(&GRAVITY),
        dynamics::gravity_forces(robot, state, &GRAVITY)
    );
    assert_eq!(
        arm.bias_forces(&GRAVITY),
        dynamics::bias_forces(robot, state, &GRAVITY)
    );
    assert_eq!(
        arm.inverse_dynamics(&GRAVITY, &ddq),
        dynamics::inverse_dynamics(robot, state, &GRAVITY, &ddq)
    );
    assert_eq!(
        arm.forward_dynamics(&GRAVITY, &tau),
        dynamics::forward_dynamics(robot, state, &GRAVITY, &tau)
    );
    assert_eq!(
        arm.linear_momentum(),
        dynamics::linear_momentum(robot, state)
    );
    assert_eq!(
        arm.angular_momentum(),
        dynamics::angular_momentum(robot, state)
    );
    let energies = [arm.kinetic_energy(), arm.potential_energy(&GRAVITY)];
    assert_eq!(
        energies[..],
        [
            dynamics::kinetic_energy(robot, state),
            dynamics::potential_energy(robot, state, &GRAVITY)
        ]
    );
}

#[test]
fn tasks_contacts_and_the_whole_are_those_of_the_current_state() {
    let (world, ddq, tau) = (swinging(), [1.0, 2.0], [0.5, -0.5]);
    let arm = world.robot("arm").unwrap();
    let (robot, state) = (arm.model(), arm.state());
    let row = nalgebra::dmatrix![0.3, -0.8];
    let task = dynamics::Task::new(&row, &[0.2]);
    let numbers = |x: &dyn std::fmt::Debug| format!("{x:?}");
    for (what, ours, expected) in [
        (
            "momentum matrix",
            numbers(&arm.centroidal_momentum_matrix()),
            numbers(&dynamics::centroidal_momentum_matrix(robot, state)),
        ),
        (
            "composite",
            numbers(&arm.composite_inertia()),
            numbers(&dynamics::composite_inertia(robot, state)),
        ),
        (
            "terms",
            numbers(&arm.all_terms(&GRAVITY)),
            numbers(&dynamics::all_terms(robot, state, &GRAVITY)),
        ),
        (
            "joints",
            numbers(&arm.joint_wrenches(&GRAVITY, &ddq)),
            numbers(&dynamics::joint_wrenches(robot, state, &GRAVITY, &ddq)),
        ),
        (
            "base",
            numbers(&arm.base_wrench(&GRAVITY, &ddq)),
            numbers(&dynamics::base_wrench(robot, state, &GRAVITY, &ddq)),
        ),
        (
            "regressor",
            numbers(&arm.inertial_regressor(&GRAVITY, &ddq)),
            numbers(&dynamics::inertial_regressor(robot, state, &GRAVITY, &ddq)),
        ),
        (
            "friction",
            numbers(&arm.friction_forces(0.1)),
            numbers(&dynamics::friction_forces(robot, state, 0.1)),
        ),
        (
            "inertia of the task",
            numbers(&arm.operational_space_inertia(&task)),
            numbers(&dynamics::operational_space_inertia(robot, state, &task)),
        ),
        (
            "task",
            numbers(&arm.task_dynamics(&GRAVITY, &task)),
            numbers(&dynamics::task_dynamics(robot, state, &GRAVITY, &task)),
        ),
        (
            "contacts",
            numbers(&arm.constrained_dynamics(&GRAVITY, &tau, &task)),
            numbers(&dynamics::constrained_dynamics(
                robot, state, &GRAVITY, &tau, &task,
            )),
        ),
        (
            "blow",
            numbers(&arm.impulse_dynamics(&task, 0.5)),
            numbers(&dynamics::impulse_dynamics(robot, state, &task, 0.5)),
        ),
    ] {
        assert!(!ours.contains("Err"), "{what}: {ours}");
        assert_eq!(ours, expected, "{what}");
    }
}

#[test]
fn the_names_of_klampt_leave_gravity_out() {
    let (world, numbers) = (swinging(), [1.0, 2.0]);
    let arm = world.robot("arm").unwrap();
    let weightless = Loads::default();
    let torques = arm.torques_from_accel(&numbers).unwrap();
    assert_eq!(torques, arm.inverse_dynamics(weightless, &numbers).unwrap());
    let with = arm.inverse_dynamics(&GRAVITY, &numbers).unwrap();
    for (k, held) in arm.gravity_forces(&GRAVITY).iter().enumerate() {
        assert!(held.abs() > 0.1 && (with[k] - torques[k] - held).abs() < 1e-12);
    }
    let accelerations = arm.accel_from_torques(&torques).unwrap();
    for (k, expected) in numbers.iter().enumerate() {
        assert!((accelerations[k] - expected).abs() < 1e-12);
    }
}

/// A moving arm of two links.
fn swinging() -> WorldModel {
    let mut builder = RobotBuilder::new("arm");
    let mut parent = None;
    for name in ["upper", "fore"] {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Revolute(Vector::y()));
        link.placement.translation.vector.x = 0.5;
        link.inertia = Inertia {
            mass: 2.0,
            com: Point::new(0.25, 0.1, 0.0),
            ..Inertia::zero()
        };
        parent = Some(builder.add_link(link));
    }
    let mut world = WorldModel::new();
    let id = world.add_robot(builder.build().unwrap());
    let mut arm = world.robot_mut(id).unwrap();
    arm.set_config(&[0.3, -0.8]).unwrap();
    arm.set_velocity(&[1.0, -2.0]).unwrap();
    world
}
