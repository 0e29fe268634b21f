//! Derivatives of inverse and forward dynamics against finite differences; the tests of the kernel compare them with dual
//! numbers, to rounding.

use std::f64::consts::FRAC_PI_2;

use kinworld::dynamics::{
    self, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Loads, Workspace,
};
use kinworld::math::{Inertia, Wrench};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{Error, LinkId, Point, Robot, RobotBuilder, State, Vector};
use nalgebra::{DMatrix, Matrix3};
use proptest::prelude::*;

use super::{GRAVITY, close, external_wrenches, size, state, vector};
use random_robots::{any_moving_heavy_robot, any_moving_robot, cases};

/// Step of the central differences, whose error is then about 1e-10 times the third derivatives.
const STEP: f64 = 1e-5;

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn derivatives_of_inverse_dynamics_match_finite_differences(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let wrenches = external_wrenches(&m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let ours = dynamics::inverse_dynamics_derivatives(&m.robot, &now, loads, &m.ddq).unwrap();
        let tau = |q: &[f64], dq: &[f64], ddq: &[f64]| {
            let there = state(&m.robot, q, dq);
            dynamics::inverse_dynamics(&m.robot, &there, loads, ddq).unwrap()
        };
        let dtau_dq = finite_difference(&m.q, |q| tau(q, &m.dq, &m.ddq));
        let dtau_dv = finite_difference(&m.dq, |dq| tau(&m.q, dq, &m.ddq));
        close(&ours.dtau_dq, &dtau_dq, 1e-6, size(&ours.dtau_dq))?;
        close(&ours.dtau_dv, &dtau_dv, 1e-6, size(&ours.dtau_dv))?;
        let mass = dynamics::mass_matrix(&m.robot, &now);
        close(&ours.dtau_da, &mass, 1e-12, size(&mass))?;
    }

    #[test]
    fn derivatives_of_forward_dynamics_match_finite_differences(m in any_moving_heavy_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let wrenches = external_wrenches(&m);
        let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
        let tau = dynamics::inverse_dynamics(&m.robot, &now, loads, &m.ddq).unwrap();
        let ours = dynamics::forward_dynamics_derivatives(&m.robot, &now, loads, &tau).unwrap();
        let ddq = |q: &[f64], dq: &[f64]| {
            let there = state(&m.robot, q, dq);
            dynamics::forward_dynamics(&m.robot, &there, loads, &tau).unwrap()
        };
        let ddq_dq = finite_difference(&m.q, |q| ddq(q, &m.dq));
        let ddq_dv = finite_difference(&m.dq, |dq| ddq(&m.q, dq));

        // where inertia is small, derivatives are large and differences inaccurate
        let inverse = dynamics::mass_matrix_inverse(&m.robot, &now).unwrap();
        let stiffness = size(&inverse);
        close(&ours.ddq_dq, &ddq_dq, 1e-6, stiffness * size(&ours.ddq_dq))?;
        close(&ours.ddq_dv, &ddq_dv, 1e-6, stiffness * size(&ours.ddq_dv))?;
        close(&ours.ddq_dtau, &inverse, 1e-12, stiffness * size(&dynamics::mass_matrix(&m.robot, &now)))?;
    }

    #[test]
    fn derivatives_do_not_depend_on_earlier_use_of_the_workspace(m in any_moving_heavy_robot(), other in any_moving_heavy_robot()) {
        prop_assume!(other.q.len() >= m.q.len());
        let mut ws = Workspace::new(&other.robot);
        for m in [&other, &m] {
            let (now, wrenches) = (state(&m.robot, &m.q, &m.dq), external_wrenches(m));
            let loads = Loads::new(GRAVITY).with_wrenches(&wrenches);
            let mut inverse = InverseDynamicsDerivatives::zeros(&m.robot);
            dynamics::inverse_dynamics_derivatives_into(&m.robot, &now, loads, &m.ddq, &mut ws, &mut inverse).unwrap();
            prop_assert_eq!(inverse, dynamics::inverse_dynamics_derivatives(&m.robot, &now, loads, &m.ddq).unwrap());
            let mut forward = ForwardDynamicsDerivatives::zeros(&m.robot);
            dynamics::forward_dynamics_derivatives_into(&m.robot, &now, loads, &m.ddq, &mut ws, &mut forward).unwrap();
            prop_assert_eq!(forward, dynamics::forward_dynamics_derivatives(&m.robot, &now, loads, &m.ddq).unwrap());
        }
    }
}

#[test]
fn an_external_wrench_keeps_its_axes_in_the_world() {
    // an upward force at the tip of a bar that rotates about y: only its lever changes
    let robot = arm(&[ROD, Inertia::zero()]);
    let level = state(&robot, &[0.0, 0.0], &[0.0, 0.0]);
    let wrenches = [(
        LinkId::new(1),
        Wrench {
            moment: Vector::zeros(),
            force: Vector::z(),
        },
    )];
    let loads = Loads::new(Vector::zeros()).with_wrenches(&wrenches);
    let partials =
        dynamics::inverse_dynamics_derivatives(&robot, &level, loads, &[0.0; 2]).unwrap();

    // τ = 0.5 cos q: flat where the bar is level
    assert!(partials.dtau_dq.amax() < 1e-15, "{}", partials.dtau_dq);
    let down = state(&robot, &[FRAC_PI_2, 0.0], &[0.0, 0.0]);
    let partials = dynamics::inverse_dynamics_derivatives(&robot, &down, loads, &[0.0; 2]).unwrap();
    assert!(
        (partials.dtau_dq[(0, 0)] + 0.5).abs() < 1e-15,
        "{}",
        partials.dtau_dq
    );
}

#[test]
fn derivatives_of_undefined_accelerations_are_an_error() {
    let robot = arm(&[ROD, Inertia::zero()]);
    let at_rest = State::new(&robot);
    let answer = dynamics::forward_dynamics_derivatives(&robot, &at_rest, &GRAVITY, &[0.0; 2]);
    let error = answer.expect_err("a tool without inertia").to_string();
    assert!(
        error.starts_with("link `link1`: its dof has no inertia"),
        "{error}"
    );

    // functions that do not divide by its inertia have an answer
    let partials =
        dynamics::inverse_dynamics_derivatives(&robot, &at_rest, &GRAVITY, &[0.0; 2]).unwrap();
    assert!(partials.dtau_da[(1, 1)] == 0.0);
}

#[test]
fn missing_or_non_finite_numbers_are_errors() {
    let robot = arm(&[ROD, ROD]);
    let at_rest = State::new(&robot);
    let weightless = Loads::default;
    let inverse = |loads: Loads<'_>, ddq: &[f64]| {
        dynamics::inverse_dynamics_derivatives(&robot, &at_rest, loads, ddq).map(|_| ())
    };
    let forward = |loads: Loads<'_>, tau: &[f64]| {
        dynamics::forward_dynamics_derivatives(&robot, &at_rest, loads, tau).map(|_| ())
    };
    for answer in [
        inverse(weightless(), &[0.0]),
        forward(weightless(), &[0.0; 3]),
    ] {
        assert!(
            matches!(answer, Err(Error::Length { expected: 2, .. })),
            "{answer:?}"
        );
    }
    let unknown = [(LinkId::new(2), Wrench::default())];
    let unknown_link = Loads::new(GRAVITY).with_wrenches(&unknown);
    for (answer, what) in [
        (inverse(unknown_link, &[0.0; 2]), "wrench"),
        (forward(unknown_link, &[0.0; 2]), "wrench"),
        (inverse(weightless(), &[0.0, f64::NAN]), "acceleration"),
        (forward(weightless(), &[f64::INFINITY, 0.0]), "torque"),
    ] {
        assert!(
            matches!(&answer, Err(Error::Invalid { what: w, .. }) if w == what),
            "{answer:?}"
        );
    }
}

#[test]
fn a_robot_without_dofs_has_empty_derivatives() {
    let mut builder = RobotBuilder::new("statue");
    builder.add_link(LinkSpec::new("stone", None, LinkMotion::Fixed));
    let statue = builder.build().unwrap();
    let state = State::new(&statue);
    let partials = dynamics::inverse_dynamics_derivatives(&statue, &state, &GRAVITY, &[]).unwrap();
    assert!(partials.dtau_dq.is_empty());
    let partials = dynamics::forward_dynamics_derivatives(&statue, &state, &GRAVITY, &[]).unwrap();
    assert!(partials.ddq_dtau.is_empty());
}

/// The derivative of `f` at `x`, a column per entry of `x`.
fn finite_difference(x: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) -> DMatrix<f64> {
    let n = x.len();
    let mut out = DMatrix::zeros(n, n);
    for k in 0..n {
        let at = |h: f64| {
            let mut x = x.to_vec();
            x[k] += h;
            vector(&f(&x))
        };
        out.set_column(k, &((at(STEP) - at(-STEP)) / (2.0 * STEP)));
    }
    out
}

const ROD: Inertia = Inertia {
    mass: 2.0,
    com: Point::new(0.25, 0.0, 0.0),
    moment: Matrix3::new(0.001, 0.0, 0.0, 0.0, 0.05, 0.0, 0.0, 0.0, 0.05),
};

/// Revolute links about y, half a metre apart, the first at the origin.
fn arm(links: &[Inertia]) -> Robot {
    let mut builder = RobotBuilder::new("arm");
    let mut parent = None;
    for (i, inertia) in links.iter().enumerate() {
        let mut link = LinkSpec::new(
            format!("link{i}"),
            parent,
            LinkMotion::Revolute(Vector::y()),
        );
        link.placement.translation.vector.x = if i > 0 { 0.5 } else { 0.0 };
        link.inertia = *inertia;
        parent = Some(builder.add_link(link));
    }
    builder.build().unwrap()
}
