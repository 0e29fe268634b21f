//! Identities between the functions, to rounding.

use kinworld::dynamics::{self, Loads, Workspace};
use kinworld::kinematics::{self, Reference};
use kinworld::{LinkId, Vector};
use nalgebra::{DMatrix, Matrix6xX, Vector6};
use proptest::prelude::*;

use super::{GRAVITY, armature, close, external_wrenches, six, size, state, vector};
use random_robots::{any_moving_heavy_robot, any_moving_robot, cases};

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn forward_dynamics_inverts_inverse_dynamics(m in any_moving_heavy_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let wrenches = external_wrenches(&m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let tau = dynamics::inverse_dynamics(&m.robot, &state, loads, &m.ddq).unwrap();
        let ddq = dynamics::forward_dynamics(&m.robot, &state, loads, &tau).unwrap();
        let (ddq, expected) = (vector(&ddq), vector(&m.ddq));

        // a fast chain without motors would accelerate far more; its size is that of the cancelling terms
        let idle = dynamics::forward_dynamics(&m.robot, &state, loads, &vec![0.0; m.q.len()]).unwrap();
        close(&ddq, &expected, 1e-10, size(&expected).max(size(&vector(&idle))))?;
    }

    #[test]
    fn accelerations_solve_the_equation_of_motion(m in any_moving_heavy_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let ddq = dynamics::forward_dynamics(&m.robot, &state, &GRAVITY, &m.ddq).unwrap();
        let inertial = dynamics::mass_matrix(&m.robot, &state) * vector(&ddq);
        let bias = vector(&dynamics::bias_forces(&m.robot, &state, &GRAVITY));
        let tau = vector(&m.ddq);
        let largest = size(&inertial).max(size(&bias));
        close(&(inertial + bias), &tau, 1e-11, largest)?;
    }

    #[test]
    fn the_mass_matrix_is_positive_definite_and_its_factor_as_sparse_as_the_tree(m in any_moving_heavy_robot()) {
        let (state, n) = (state(&m.robot, &m.q, &m.dq), m.q.len());
        let mass = dynamics::mass_matrix(&m.robot, &state);
        prop_assert_eq!(&mass, &mass.transpose());
        prop_assert!(n == 0 || mass.clone().cholesky().is_some());

        let factor = dynamics::mass_matrix_cholesky(&m.robot, &state).unwrap();
        close(&(factor.transpose() * &factor), &mass, 1e-13, size(&mass))?;
        for i in 0..n {
            for j in 0..n {
                let [row, column] = [i, j].map(|k| m.robot.dofs()[k]);
                if !m.robot.is_ancestor_or_self(column, row) {
                    prop_assert!(factor[(i, j)] == 0.0);
                }
            }
        }

        let inverse = dynamics::mass_matrix_inverse(&m.robot, &state).unwrap();
        let terms = n as f64 * size(&inverse) * size(&mass);
        close(&(&inverse * &mass), &DMatrix::identity(n, n), 1e-13, terms)?;
        prop_assert_eq!(&inverse, &inverse.transpose());
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn the_mass_matrix_is_that_of_all_links(m in any_moving_robot()) {
        let (state, n) = (state(&m.robot, &m.q, &m.dq), m.q.len());
        let mut expected = DMatrix::zeros(n, n);
        for (i, link) in m.robot.links().iter().enumerate() {
            let j = kinematics::frame_jacobian(&m.robot, &state, LinkId::new(i), Reference::Local);
            expected += j.transpose() * link.inertia().matrix() * j;
        }
        expected += DMatrix::from_diagonal(&vector(&armature(&m.robot)));
        let ours = dynamics::mass_matrix(&m.robot, &state);
        close(&ours, &expected, 1e-12, size(&expected))?;
    }

    #[test]
    fn columns_of_the_mass_matrix_are_forces_of_accelerations(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &vec![0.0; m.q.len()]);
        let mass = dynamics::mass_matrix(&m.robot, &state);
        for j in 0..m.q.len() {
            let mut ddq = vec![0.0; m.q.len()];
            ddq[j] = 1.0;
            let column = dynamics::inverse_dynamics(&m.robot, &state, Loads::default(), &ddq).unwrap();
            close(&vector(&column), &mass.column(j).into_owned(), 1e-12, size(&mass))?;
        }
    }

    #[test]
    fn forces_are_the_sum_of_inertial_velocity_gravity_and_external_forces(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let wrenches = external_wrenches(&m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let tau = vector(&dynamics::inverse_dynamics(&m.robot, &state, loads, &m.ddq).unwrap());

        let acceleration = dynamics::mass_matrix(&m.robot, &state) * vector(&m.ddq);
        let velocity = vector(&dynamics::coriolis_forces(&m.robot, &state));
        let gravity = vector(&dynamics::gravity_forces(&m.robot, &state, &GRAVITY));
        let bias = vector(&dynamics::bias_forces(&m.robot, &state, &GRAVITY));
        let largest = size(&acceleration).max(size(&velocity)).max(size(&gravity));
        close(&bias, &(&velocity + &gravity), 1e-12, largest)?;

        let mut external = vector(&vec![0.0; m.q.len()]);
        for (link, wrench) in wrenches {
            let jacobian = kinematics::frame_jacobian(&m.robot, &state, link, Reference::LocalWorldAligned);
            external += jacobian.transpose() * six(wrench);
        }
        let largest = largest.max(size(&external));
        close(&tau, &(acceleration + bias - external), 1e-12, largest)?;
    }

    #[test]
    fn momentum_and_energy_are_those_of_all_links(m in any_moving_robot()) {
        let state = state(&m.robot, &m.q, &m.dq);
        let (mut momentum, mut energy) = (Vector6::zeros(), 0.0);
        for (i, link) in m.robot.links().iter().enumerate() {
            let v = kinematics::frame_velocity(&m.robot, &state, LinkId::new(i), Reference::Local);
            let own = link.inertia().momentum(&v);
            let com = kinematics::com(&m.robot, &state);
            let mut x_wl = state.pose(&m.robot, LinkId::new(i));
            x_wl.translation.vector -= com.coords;
            momentum += six(own.transformed(&x_wl));
            energy += link.inertia().kinetic_energy(&v);
        }
        prop_assume!(kinematics::total_mass(&m.robot) > 0.1);
        let angular = dynamics::angular_momentum(&m.robot, &state);
        let linear = dynamics::linear_momentum(&m.robot, &state);
        let ours = six(kinworld::math::Wrench { moment: angular, force: linear });
        close(&ours, &momentum, 1e-11, size(&momentum))?;

        let matrix: Matrix6xX<f64> = dynamics::centroidal_momentum_matrix(&m.robot, &state);
        let by_matrix = &matrix * vector(&m.dq);
        close(&by_matrix, &momentum, 1e-11, size(&matrix))?;
        let by_com: Vector = kinematics::com_velocity(&m.robot, &state) * kinematics::total_mass(&m.robot);
        close(&by_com, &linear, 1e-11, size(&momentum))?;

        let dq = vector(&m.dq);
        energy += 0.5 * vector(&armature(&m.robot)).dot(&dq.component_mul(&dq));
        let mass = dynamics::mass_matrix(&m.robot, &state);
        let by_mass = 0.5 * dq.dot(&(&mass * &dq));
        for ours in [dynamics::kinetic_energy(&m.robot, &state), by_mass] {
            prop_assert!((ours - energy).abs() <= 1e-11 * size(&mass).max(energy));
        }
    }

    #[test]
    fn a_workspace_keeps_no_state_between_calls(m in any_moving_heavy_robot(), other in any_moving_heavy_robot()) {
        let n = m.q.len();
        prop_assume!(other.q.len() >= n);
        let here = state(&m.robot, &m.q, &m.dq);
        let there = state(&other.robot, &other.q, &other.dq);

        // a workspace used for a larger robot before
        let mut ws = Workspace::new(&other.robot);
        let mut out = vec![0.0; other.q.len()];
        dynamics::forward_dynamics_into(&other.robot, &there, &GRAVITY, &other.ddq, &mut ws, &mut out).unwrap();
        let out = &mut out[..n];
        dynamics::forward_dynamics_into(&m.robot, &here, &GRAVITY, &m.ddq, &mut ws, out).unwrap();
        prop_assert_eq!(&*out, dynamics::forward_dynamics(&m.robot, &here, &GRAVITY, &m.ddq).unwrap());
        dynamics::inverse_dynamics_into(&m.robot, &here, &GRAVITY, &m.ddq, &mut ws, out).unwrap();
        prop_assert_eq!(&*out, dynamics::inverse_dynamics(&m.robot, &here, &GRAVITY, &m.ddq).unwrap());
        let mut inverse = DMatrix::zeros(n, n);
        dynamics::mass_matrix_inverse_into(&m.robot, &here, &mut ws, &mut inverse).unwrap();
        prop_assert_eq!(inverse, dynamics::mass_matrix_inverse(&m.robot, &here).unwrap());
    }
}
