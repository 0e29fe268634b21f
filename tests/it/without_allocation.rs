//! What writes into memory of the caller asks for none of its own.

use std::hint::black_box;

use kinworld::dynamics::{self, Contacts, Loads, Terms, Workspace};
use kinworld::kinematics::ik::{
    DifferentialOptions, DifferentialSolver, JointVelocityTask, Objective, Options,
    PositionBarrier, Posture, Solver, VelocityProblem, VelocityTask,
};
use kinworld::kinematics::{self, DriverSpace, Reference, SubRobot};
use kinworld::math::{Inertia, Wrench};
use kinworld::sim::{KinematicTree, Mechanism, MultibodySystem, Probe, Quantity, Sensor};
use kinworld::{DofId, LinkId, Point, Pose, Robot, State, Vector};
use nalgebra::{DMatrix, Matrix3xX, Matrix6xX};

use crate::common::allocations::allocations;
use crate::common::files::data;

/// Fixed base and floating, chains and trees, joints of every kind.
const ROBOTS: [&str; 4] = ["arm6.urdf", "ferry.urdf", "mobile_arm.rob", "quadruped.rob"];

#[test]
fn asking_for_memory_is_noticed() {
    assert_eq!(
        allocations(|| assert!(black_box(vec![0_u8; 100]).len() == 100)),
        1
    );
}

#[test]
fn kinematics_writes_without_allocation() {
    for name in ROBOTS {
        let (robot, mut state) = load(name);
        let n = robot.n_dofs();
        let (a, b) = (
            kinematics::sample(&robot, 1, 1.0),
            kinematics::sample(&robot, 2, 1.0),
        );
        let (link, p) = (
            LinkId::new(robot.links().len() - 1),
            Point::new(0.1, 0.2, 0.3),
        );
        let dofs: Vec<DofId> = (0..n).rev().map(DofId::new).collect();
        let (mut q, mut j3, mut j6) = (a.clone(), Matrix3xX::zeros(n), Matrix6xX::zeros(n));
        let mut h = [0, 1, 2].map(|_| DMatrix::zeros(n, n));
        let drivers = kinematics::config_to_drivers(&robot, &a).unwrap();
        let part = SubRobot::new(&robot, &dofs).unwrap();
        let some = part.from_full(&a).unwrap();

        quiet("set_config", || state.set_config(&robot, &a).unwrap());
        quiet("set_velocity", || state.set_velocity(&robot, &b).unwrap());
        quiet("SubRobot::set_config", || {
            part.set_config(&mut state, &some).unwrap()
        });
        quiet("SubRobot::to_full", || part.to_full(&some, &mut q).unwrap());
        quiet("config_from_drivers", || {
            kinematics::config_from_drivers(&robot, &drivers, &mut q).unwrap()
        });
        quiet("velocity_from_drivers", || {
            kinematics::velocity_from_drivers(&robot, &drivers, &mut q).unwrap()
        });
        quiet("sample_into", || {
            kinematics::sample_into(&robot, 1.0, || 0.4, &mut q)
        });
        quiet("interpolate_into", || {
            kinematics::interpolate_into(&robot, &a, &b, 0.3, &mut q).unwrap()
        });
        quiet("difference_into", || {
            kinematics::difference_into(&robot, &a, &b, &mut q).unwrap()
        });
        quiet("integrate_into", || {
            kinematics::integrate_into(&robot, &a, &b, &mut q).unwrap()
        });
        quiet("distance", || {
            assert!(kinematics::distance(&robot, &a, &b).unwrap() > 0.0)
        });

        let state = &state;
        quiet("jacobian_into", || {
            kinematics::jacobian_into(&robot, state, link, &p, &mut j6)
        });
        quiet("position_jacobian_into", || {
            kinematics::position_jacobian_into(&robot, state, link, &p, &mut j3)
        });
        quiet("orientation_jacobian_into", || {
            kinematics::orientation_jacobian_into(&robot, state, link, &mut j3)
        });
        quiet("jacobian_columns_into", || {
            kinematics::jacobian_columns_into(&robot, state, link, &p, &dofs, &mut j6)
        });
        quiet("position_jacobian_columns_into", || {
            kinematics::position_jacobian_columns_into(&robot, state, link, &p, &dofs, &mut j3);
        });
        quiet("orientation_jacobian_columns_into", || {
            kinematics::orientation_jacobian_columns_into(&robot, state, link, &dofs, &mut j3);
        });
        quiet("frame_jacobian_into", || {
            kinematics::frame_jacobian_into(&robot, state, link, Reference::Local, &mut j6)
        });
        quiet("jacobian_dot_into", || {
            kinematics::jacobian_dot_into(&robot, state, link, &p, &mut j6)
        });
        quiet("com_jacobian_into", || {
            kinematics::com_jacobian_into(&robot, state, &mut j3)
        });
        quiet("position_hessian_into", || {
            kinematics::position_hessian_into(&robot, state, link, &p, &mut h)
        });
        quiet("orientation_hessian_into", || {
            kinematics::orientation_hessian_into(&robot, state, link, &mut h)
        });
        quiet("com, total_inertia, point_velocity", || {
            let com = kinematics::com(&robot, state);
            let inertia = kinematics::total_inertia(&robot, state);
            black_box((
                com,
                inertia,
                kinematics::point_velocity(&robot, state, link, &p),
            ));
        });
    }
}

#[test]
fn searches_ask_for_nothing_but_their_answer() {
    for name in ["arm6.urdf", "mobile_arm.rob", "panda.urdf"] {
        let (robot, mut state) = load(name);
        let link = LinkId::new(robot.links().len() - 1);
        let start = kinematics::sample(&robot, 1, 1.0);
        let place = kinematics::sample(&robot, 2, 1.0);
        state.set_config(&robot, &place).unwrap();
        let near = Objective::pose(link, &state.pose(&robot, link));
        let far = Objective::pose(link, &Pose::translation(90.0, 0.0, 0.0));
        let wish = Objective::point(link, Point::origin(), Point::new(0.1, 0.2, 0.3));
        let options = Options::default()
            .with_restarts(5)
            .with_secondary([wish])
            .with_posture(Posture::near(place));
        let mut solver = Solver::new(&robot, std::slice::from_ref(&near), &options).unwrap();
        for goal in [&near, &far] {
            quiet("set_goal", || solver.set_goal(0, goal).unwrap());

            // q, the residual, and the limits that hold: whatever the number of steps
            let asked = allocations(|| assert!(solver.solve(&start).unwrap().iterations > 0));
            assert_eq!(asked, 3, "{name}");
        }
    }
}

#[test]
fn dynamics_writes_without_allocation() {
    for name in ROBOTS {
        let (robot, mut state) = load(name);
        let n = robot.n_dofs();
        let rates: Vec<f64> = (0..n).map(|i| 0.1 * i as f64).collect();
        state.set_velocity(&robot, &rates).unwrap();
        let (state, ws) = (&state, &mut Workspace::new(&robot));
        let wrenches = [(
            LinkId::new(0),
            Wrench {
                moment: Vector::x(),
                force: Vector::y(),
            },
        )];
        let gravity = Vector::new(0.0, 0.0, -9.81);
        let loads = Loads::new(gravity).with_wrenches(&wrenches);
        let (mut list, mut matrix) = (vec![0.0; n], DMatrix::zeros(n, n));
        let (mut j6, mut forces) = (Matrix6xX::zeros(n), vec![Wrench::default(); n]);

        // a robot that has no acceleration says so in words, which take memory
        let is_heavy = dynamics::forward_dynamics(&robot, state, loads, &rates).is_ok();
        if is_heavy {
            quiet("forward_dynamics_into", || {
                dynamics::forward_dynamics_into(&robot, state, loads, &rates, ws, &mut list)
                    .unwrap();
            });
            quiet("mass_matrix_cholesky_into", || {
                dynamics::mass_matrix_cholesky_into(&robot, state, ws, &mut matrix).unwrap();
            });
            quiet("mass_matrix_inverse_into", || {
                dynamics::mass_matrix_inverse_into(&robot, state, ws, &mut matrix).unwrap();
            });
        }
        quiet("inverse_dynamics_into", || {
            dynamics::inverse_dynamics_into(&robot, state, loads, &rates, ws, &mut list).unwrap();
        });
        quiet("mass_matrix_into", || {
            dynamics::mass_matrix_into(&robot, state, ws, &mut matrix)
        });
        quiet("bias_forces_into", || {
            dynamics::bias_forces_into(&robot, state, &gravity, ws, &mut list)
        });
        quiet("coriolis_forces_into", || {
            dynamics::coriolis_forces_into(&robot, state, ws, &mut list)
        });
        quiet("gravity_forces_into", || {
            dynamics::gravity_forces_into(&robot, state, &gravity, ws, &mut list)
        });
        quiet("joint_wrenches_into", || {
            dynamics::joint_wrenches_into(&robot, state, loads, &rates, ws, &mut forces).unwrap();
        });
        quiet("centroidal_momentum_matrix_into", || {
            dynamics::centroidal_momentum_matrix_into(&robot, state, ws, &mut j6);
        });
        quiet("kinetic_energy_with, momentum_with", || {
            let energy = dynamics::kinetic_energy_with(&robot, state, ws);
            black_box((
                energy,
                dynamics::momentum_with(&robot, state, &Point::origin(), ws),
            ));
        });
    }
}

#[test]
fn mechanisms_are_measured_without_allocation_once_there_is_room() {
    for name in ROBOTS {
        let (robot, _) = load(name);
        let n = robot.n_dofs();
        let (at, rates) = (robot.initial_config().to_vec(), vec![0.1; n]);
        let (mut q, mut dq) = (vec![0.0; n], vec![0.0; n]);
        let mut row = Vec::with_capacity(4 * n + 9);
        let sensors = [
            Sensor::at("tip", LinkId::new(0), Point::origin(), Quantity::Velocity),
            Sensor::new("dq", Probe::Velocities),
            Sensor::new("energy", Probe::Energy),
        ];

        let mut tree = KinematicTree::new(robot.clone());
        let state = tree.initial_state(0.0, &at, &rates).unwrap();
        quiet("KinematicTree::config_into", || {
            tree.config_into(&state.y, &mut q, &mut dq);
        });

        // a robot that has no acceleration says so in words
        if tree.at(0.0, &state.y).is_ok() {
            settled("sensors of a tree", || {
                row.clear();
                let now = tree.at(0.0, &state.y).unwrap();
                for sensor in &sensors {
                    sensor.measure(&now, &mut row).unwrap();
                }
            });
        }

        let (mut system, bodies) = MultibodySystem::from_robot(&robot).unwrap();
        let Ok(state) = bodies.initial_state(&mut system, 0.0, &at, &rates) else {
            continue;
        };
        settled("RobotBodies::config_into", || {
            let (q, dq) = (&mut q, &mut dq);
            bodies
                .config_into(&mut system, 0.0, &state.y, q, dq)
                .unwrap();
        });
        if system.at(0.0, &state.y).is_ok() {
            settled("sensors of a multibody system", || {
                row.clear();
                let now = system.at(0.0, &state.y).unwrap();
                for sensor in &sensors[1..] {
                    sensor.measure(&now, &mut row).unwrap();
                }
            });
        }
    }
}

#[test]
fn tasks_are_done_without_allocation_once_there_is_room() {
    let (robot, state) = load("arm6.urdf");
    let mut contacts = Contacts::new(&robot);
    let last = LinkId::new(robot.links().len() - 1);
    contacts.hold_point(&robot, &state, last, &Point::new(0.1, 0.2, 0.3));
    let task = contacts.task().with_damping(1e-3);
    let tau = vec![1.0; robot.n_dofs()];
    let gravity = Vector::new(0.0, 0.0, -9.81);
    let ws = &mut Workspace::new(&robot);
    let mut inertia = DMatrix::zeros(task.len(), task.len());
    let (mut felt, mut held, mut blow) = Default::default();
    settled("operational_space_inertia_into", || {
        dynamics::operational_space_inertia_into(&robot, &state, &task, ws, &mut inertia).unwrap();
    });
    settled("task_dynamics_into", || {
        dynamics::task_dynamics_into(&robot, &state, &gravity, &task, ws, &mut felt).unwrap();
    });
    settled("constrained_dynamics_into", || {
        dynamics::constrained_dynamics_into(&robot, &state, &gravity, &tau, &task, ws, &mut held)
            .unwrap();
    });
    settled("impulse_dynamics_into", || {
        dynamics::impulse_dynamics_into(&robot, &state, &task, 0.5, ws, &mut blow).unwrap();
    });
}

#[test]
fn steps_of_differential_inverse_kinematics_keep_their_memory() {
    for name in ROBOTS {
        let (robot, mut state) = load(name);
        let hand = LinkId::new(robot.links().len() - 1);
        let task = VelocityTask::point(hand, Point::origin(), Vector::new(0.3, -2.0, 1.0));
        let home = JointVelocityTask::new(vec![0.5; robot.n_dofs()]).with_level(1);
        let mut problem = VelocityProblem::new(&robot, [task]).with_joints([home]);
        let options = DifferentialOptions::default();
        let mut solver = DifferentialSolver::new(&robot, &options).unwrap();
        let wall = PositionBarrier::new(hand, Vector::x(), 0.5);
        let against = PositionBarrier::new(hand, -Vector::x(), 1.0);
        let configs = [4, 5, 6].map(|seed| kinematics::sample(&robot, seed, 1.0));
        settled("DifferentialSolver::solve", || {
            for q in &configs {
                state.set_config(&robot, q).unwrap();
                problem.constraints.clear();
                wall.add_to(&robot, &state, &mut problem.constraints)
                    .unwrap();
                against
                    .add_to(&robot, &state, &mut problem.constraints)
                    .unwrap();
                black_box(solver.solve(&state, &problem).unwrap());
            }
        });
    }
}

#[test]
fn the_robot_as_a_whole_is_asked_without_allocation() {
    for name in ROBOTS {
        let (robot, state) = load(name);
        let (n, links) = (robot.n_dofs(), robot.links().len());
        let (gravity, ddq) = (Vector::new(0.0, 0.0, -9.81), vec![0.3; n]);
        let ws = &mut Workspace::new(&robot);
        let mut terms = Terms::new(&robot);
        let (mut y, mut base) = (DMatrix::zeros(n, 10 * links), Matrix6xX::zeros(10 * links));
        let (mut list, mut inertias) = (vec![0.0; n], vec![Inertia::zero(); links]);
        quiet("all_terms_into", || {
            dynamics::all_terms_into(&robot, &state, &gravity, ws, &mut terms).unwrap();
        });
        quiet("base_wrench_with", || {
            black_box(dynamics::base_wrench_with(&robot, &state, &gravity, &ddq, ws).unwrap());
        });
        quiet("inertial_regressor_into", || {
            dynamics::inertial_regressor_into(&robot, &state, &gravity, &ddq, &mut y).unwrap();
        });
        quiet("base_wrench_regressor_into", || {
            dynamics::base_wrench_regressor_into(&robot, &state, &gravity, &ddq, &mut base)
                .unwrap();
        });
        quiet("subtree_inertias_into", || {
            dynamics::subtree_inertias_into(&robot, &state, &mut inertias);
        });
        quiet("friction_forces_into", || {
            dynamics::friction_forces_into(&robot, &state, 0.1, &mut list).unwrap();
        });

        let space = DriverSpace::new(&robot);
        let (ddy, mut out) = (vec![0.2; space.len()], vec![0.0; space.len()]);
        let mut mass = DMatrix::zeros(space.len(), space.len());
        quiet("driver_mass_matrix_into", || {
            dynamics::driver_mass_matrix_into(&robot, &state, &space, ws, &mut mass);
        });
        settled("driver_inverse_dynamics_into", || {
            dynamics::driver_inverse_dynamics_into(
                &robot, &state, &gravity, &space, &ddy, ws, &mut out,
            )
            .unwrap();
        });
        if dynamics::driver_mass_matrix_inverse(&robot, &state, &space).is_ok() {
            settled("driver_forward_dynamics_into", || {
                dynamics::driver_forward_dynamics_into(
                    &robot, &state, &gravity, &space, &ddy, ws, &mut out,
                )
                .unwrap();
            });
        }
    }
}

/// Asserts that a call asks for no memory, nor did the one before it.
#[track_caller]
fn quiet(what: &str, mut call: impl FnMut()) {
    for _ in 0..2 {
        let count = allocations(&mut call);
        assert_eq!(count, 0, "{what} allocates {count} times");
    }
}

/// The same of a call that may make room the first time.
#[track_caller]
pub(crate) fn settled(what: &str, mut call: impl FnMut()) {
    call();
    quiet(what, call);
}

/// A robot somewhere within its limits.
fn load(name: &str) -> (Robot, State) {
    let robot = Robot::load(data("robots").join(name))
        .expect("a robot of data/")
        .value;
    let mut state = State::new(&robot);
    state
        .set_config(&robot, &kinematics::sample(&robot, 3, 1.0))
        .unwrap();
    (robot, state)
}
