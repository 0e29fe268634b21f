//! Coriolis matrix, rates of matrices and derivatives of gravity; the tests of the kernel compare them with dual numbers,
//! to rounding.

use kinworld::dynamics::{self, Workspace};
use kinworld::kinematics;
use kinworld::robot::DofId;
use kinworld::{LinkId, State};
use nalgebra::{DMatrix, Dim, Matrix, RawStorage};
use proptest::prelude::*;

use super::{GRAVITY, close, later, six, size, state, vector};
use crate::common::errors::assert_refused;
use random_robots::{Moving, any_moving_robot, cases};

/// Step of the central differences, whose error is then about 1e-10 times the third derivatives.
const STEP: f64 = 1e-5;

proptest! {
    #![proptest_config(cases(128))]

    #[test]
    fn the_coriolis_matrix_gives_the_forces_and_a_skew_matrix(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let (c, dq) = (dynamics::coriolis_matrix(&m.robot, &now), vector(&m.dq));
        let forces = vector(&dynamics::coriolis_forces(&m.robot, &now));
        close(&(&c * &dq), &forces, 1e-11, size(&c).max(size(&forces)))?;

        let rate = dynamics::mass_matrix_dot(&m.robot, &now);
        prop_assert_eq!(&rate, &rate.transpose());
        let skew = &rate - 2.0 * &c;
        close(&skew, &-skew.transpose(), 1e-13, size(&c))?;
        let power = dq.dot(&(&skew * &dq)).abs();
        prop_assert!(power <= 1e-10 * size(&c) * dq.norm_squared().max(1.0), "{power:e}");
    }

    #[test]
    fn the_coriolis_matrix_is_linear_in_the_velocity(m in any_moving_robot()) {
        let of = |dq: &[f64]| dynamics::coriolis_matrix(&m.robot, &state(&m.robot, &m.q, dq));
        let sum: Vec<f64> = m.dq.iter().zip(&m.ddq).map(|(a, b)| a - 2.0 * b).collect();
        let (a, b) = (of(&m.dq), of(&m.ddq));
        close(&of(&sum), &(&a - 2.0 * &b), 1e-12, size(&a).max(size(&b)))?;
    }

    #[test]
    fn rates_of_matrices_match_finite_differences(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let mass = |state: &State| dynamics::mass_matrix(&m.robot, state);
        let ours = dynamics::mass_matrix_dot(&m.robot, &now);
        close(&ours, &rate(&m, mass), 1e-6, size(&mass(&now)))?;

        // Ṁ = Σ ∂M/∂q_k q̇_k
        let partials = dynamics::mass_matrix_derivatives(&m.robot, &now);
        let zero = DMatrix::zeros(m.q.len(), m.q.len());
        let sum = partials.iter().zip(&m.dq).fold(zero, |sum, (partial, &dq)| sum + partial * dq);
        let largest = partials.iter().map(size).fold(size(&ours), f64::max);
        close(&ours, &sum, 1e-12, largest * m.q.len() as f64)?;
        for (k, partial) in partials.iter().enumerate() {
            prop_assert_eq!(&dynamics::mass_matrix_derivative(&m.robot, &now, DofId::new(k)), partial);
        }

        let columns = |state: &State| plain(&dynamics::centroidal_momentum_matrix(&m.robot, state));
        let ours = plain(&dynamics::centroidal_momentum_matrix_dot(&m.robot, &now));
        close(&ours, &rate(&m, columns), 1e-6, size(&columns(&now)) * 10.0)?;
        let jacobian = |state: &State| plain(&kinematics::com_jacobian(&m.robot, state));
        let ours = plain(&kinematics::com_jacobian_dot(&m.robot, &now));
        close(&ours, &rate(&m, jacobian), 1e-6, size(&jacobian(&now)) * 10.0)?;
    }

    #[test]
    fn the_rate_of_momentum_is_of_acceleration_and_bias(m in any_moving_robot()) {
        prop_assume!(kinematics::total_mass(&m.robot) > 0.1);
        let now = later(&m, 0.0);
        let momentum = |t: f64| {
            let then = later(&m, t);
            let angular = dynamics::angular_momentum(&m.robot, &then);
            six(kinworld::math::Wrench { moment: angular, force: dynamics::linear_momentum(&m.robot, &then) })
        };
        let expected = (momentum(STEP) - momentum(-STEP)) / (2.0 * STEP);
        let matrix = dynamics::centroidal_momentum_matrix(&m.robot, &now);
        let ours = &matrix * vector(&m.ddq) + six(dynamics::centroidal_momentum_bias(&m.robot, &now));
        close(&ours, &expected, 1e-6, size(&matrix) * 100.0)?;
    }

    #[test]
    fn the_derivative_of_gravity_is_that_of_the_forces_at_rest_and_symmetric(m in any_moving_robot()) {
        let still = state(&m.robot, &m.q, &vec![0.0; m.q.len()]);
        let ours = dynamics::gravity_forces_derivative(&m.robot, &still, &GRAVITY);
        prop_assert_eq!(&ours, &ours.transpose());
        let at_rest = vec![0.0; m.q.len()];
        let all = dynamics::inverse_dynamics_derivatives(&m.robot, &still, &GRAVITY, &at_rest).unwrap();
        close(&ours, &all.dtau_dq, 1e-12, size(&ours))?;
    }

    #[test]
    fn derivatives_of_point_motions_match_jacobians(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let (link, point) = (m.link, &m.point);
        let jacobian = kinematics::jacobian(&m.robot, &now, link, point);
        let dot = kinematics::jacobian_dot(&m.robot, &now, link, point);
        let v = kinematics::velocity_derivatives(&m.robot, &now, link, point);
        let a = kinematics::acceleration_derivatives(&m.robot, &now, link, point, &m.ddq).unwrap();
        close(&v.dv_dv, &jacobian, 1e-13, size(&jacobian))?;
        close(&a.da_da, &jacobian, 1e-13, size(&jacobian))?;

        // a position has symmetric second derivatives
        close(&v.dv_dq.rows(3, 3).into_owned(), &dot.rows(3, 3).into_owned(), 1e-12, size(&dot))?;
        close(&a.da_dv.rows(3, 3).into_owned(), &(dot.rows(3, 3) * 2.0), 1e-12, size(&dot))?;

        let acceleration = |q: &[f64]| {
            let there = state(&m.robot, q, &m.dq);
            let angular = kinematics::angular_acceleration(&m.robot, &there, link, &m.ddq).unwrap();
            let linear = kinematics::point_acceleration(&m.robot, &there, link, point, &m.ddq).unwrap();
            six(kinworld::math::Wrench { moment: angular, force: linear })
        };
        for k in 0..m.q.len() {
            let at = |h: f64| {
                let mut q = m.q.clone();
                q[k] += h;
                acceleration(&q)
            };
            let expected = (at(STEP) - at(-STEP)) / (2.0 * STEP);
            close(&a.da_dq.column(k).into_owned(), &expected, 1e-6, size(&a.da_dq))?;
        }
    }

    #[test]
    fn matrices_do_not_depend_on_earlier_use_of_the_workspace(m in any_moving_robot(), other in any_moving_robot()) {
        prop_assume!(other.q.len() >= m.q.len());
        let mut ws = Workspace::new(&other.robot);
        for m in [&other, &m] {
            let (now, n) = (state(&m.robot, &m.q, &m.dq), m.q.len());
            let mut out = DMatrix::zeros(n, n);
            dynamics::coriolis_matrix_into(&m.robot, &now, &mut ws, &mut out);
            prop_assert_eq!(&out, &dynamics::coriolis_matrix(&m.robot, &now));
            dynamics::mass_matrix_dot_into(&m.robot, &now, &mut ws, &mut out);
            prop_assert_eq!(&out, &dynamics::mass_matrix_dot(&m.robot, &now));
            dynamics::gravity_forces_derivative_into(&m.robot, &now, &GRAVITY, &mut ws, &mut out);
            prop_assert_eq!(&out, &dynamics::gravity_forces_derivative(&m.robot, &now, &GRAVITY));
            if n > 0 {
                dynamics::mass_matrix_derivative_into(&m.robot, &now, DofId::new(n - 1), &mut ws, &mut out);
                prop_assert_eq!(&out, &dynamics::mass_matrix_derivative(&m.robot, &now, DofId::new(n - 1)));
            }
        }
    }
}

#[test]
fn derivatives_of_a_fixed_link_are_empty() {
    let mut builder = kinworld::RobotBuilder::new("statue");
    let motion = kinworld::robot::LinkMotion::Fixed;
    builder.add_link(kinworld::robot::LinkSpec::new("stone", None, motion));
    let statue = builder.build().unwrap();
    let now = State::new(&statue);
    let point = kinworld::Point::new(1.0, 2.0, 3.0);
    let partials = kinematics::velocity_derivatives(&statue, &now, LinkId::new(0), &point);
    assert!(partials.dv_dq.is_empty());
    assert!(dynamics::coriolis_matrix(&statue, &now).is_empty());
    assert!(dynamics::mass_matrix_derivatives(&statue, &now).is_empty());
    let short = kinematics::acceleration_derivatives(&statue, &now, LinkId::new(0), &point, &[1.0]);
    assert_refused(short, "acceleration needs 0 values, got 1");
}

/// Rate of a matrix as the robot moves with its velocity, by central differences.
fn rate(m: &Moving, matrix: impl Fn(&State) -> DMatrix<f64>) -> DMatrix<f64> {
    let at = |t: f64| {
        let q: Vec<f64> = m.q.iter().zip(&m.dq).map(|(q, dq)| q + t * dq).collect();
        matrix(&state(&m.robot, &q, &m.dq))
    };
    (at(STEP) - at(-STEP)) / (2.0 * STEP)
}

/// The same matrix with dynamic shape.
fn plain<R: Dim, C: Dim, S: RawStorage<f64, R, C>>(matrix: &Matrix<f64, R, C, S>) -> DMatrix<f64> {
    DMatrix::from_iterator(matrix.nrows(), matrix.ncols(), matrix.iter().copied())
}
