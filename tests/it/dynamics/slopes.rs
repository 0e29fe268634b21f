//! How forces and accelerations change with the motion, by differences; to the last digits dual numbers tell, in the
//! kernel's own tests.

use std::f64::consts::FRAC_PI_2;

use kinworld::dynamics::{
    self, ForwardDynamicsDerivatives, InverseDynamicsDerivatives, Loads, Workspace,
};
use kinworld::math::{Inertia, Wrench};
use kinworld::robot::{LinkMotion, LinkSpec};
use kinworld::{Error, LinkId, Point, Robot, RobotBuilder, State, Vector};
use nalgebra::{DMatrix, Matrix3};
use proptest::prelude::*;

use super::{GRAVITY, close, pushes, size, state, vector};
use crate::common::robots::{any_moving_heavy_robot, any_moving_robot, cases};

/// Central differences are then right to about 1e-10 times third derivatives.
const STEP: f64 = 1e-5;

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn slopes_of_forces_are_their_differences(m in any_moving_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let wrenches = pushes(&m);
        let loads = Loads { gravity: GRAVITY, wrenches: &wrenches };
        let ours = dynamics::inverse_dynamics_derivatives(&m.robot, &now, loads, &m.ddq).unwrap();
        let tau = |q: &[f64], dq: &[f64], ddq: &[f64]| {
            let there = state(&m.robot, q, dq);
            dynamics::inverse_dynamics(&m.robot, &there, loads, ddq).unwrap()
        };
        let by_config = slope(&m.q, |q| tau(q, &m.dq, &m.ddq));
        let by_velocity = slope(&m.dq, |dq| tau(&m.q, dq, &m.ddq));
        close(&ours.by_config, &by_config, 1e-6, size(&ours.by_config))?;
        close(&ours.by_velocity, &by_velocity, 1e-6, size(&ours.by_velocity))?;
        let mass = dynamics::mass_matrix(&m.robot, &now);
        close(&ours.by_acceleration, &mass, 1e-12, size(&mass))?;
    }

    #[test]
    fn slopes_of_accelerations_are_their_differences(m in any_moving_heavy_robot()) {
        let now = state(&m.robot, &m.q, &m.dq);
        let wrenches = pushes(&m);
        let loads = Loads { gravity: GRAVITY, wrenches: &wrenches };
        let tau = dynamics::inverse_dynamics(&m.robot, &now, loads, &m.ddq).unwrap();
        let ours = dynamics::forward_dynamics_derivatives(&m.robot, &now, loads, &tau).unwrap();
        let ddq = |q: &[f64], dq: &[f64]| {
            let there = state(&m.robot, q, dq);
            dynamics::forward_dynamics(&m.robot, &there, loads, &tau).unwrap()
        };
        let by_config = slope(&m.q, |q| ddq(q, &m.dq));
        let by_velocity = slope(&m.dq, |dq| ddq(&m.q, dq));

        // where little resists, accelerations are steep and differences rough
        let inverse = dynamics::mass_matrix_inverse(&m.robot, &now).unwrap();
        let steep = size(&inverse);
        close(&ours.by_config, &by_config, 1e-6, steep * size(&ours.by_config))?;
        close(&ours.by_velocity, &by_velocity, 1e-6, steep * size(&ours.by_velocity))?;
        close(&ours.by_torque, &inverse, 1e-12, steep * size(&dynamics::mass_matrix(&m.robot, &now)))?;
    }

    #[test]
    fn slopes_do_not_depend_on_what_a_workspace_has_seen(m in any_moving_heavy_robot(), other in any_moving_heavy_robot()) {
        prop_assume!(other.q.len() >= m.q.len());
        let mut ws = Workspace::new(&other.robot);
        for m in [&other, &m] {
            let (now, wrenches) = (state(&m.robot, &m.q, &m.dq), pushes(m));
            let loads = Loads { gravity: GRAVITY, wrenches: &wrenches };
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
fn a_push_keeps_its_axes_in_the_world() {
    // a push upwards at the tip of a bar that turns about y: its lever is what changes
    let robot = arm(&[ROD, Inertia::zero()]);
    let level = state(&robot, &[0.0, 0.0], &[0.0, 0.0]);
    let push = [(LinkId::new(1), Wrench::new(Vector::zeros(), Vector::z()))];
    let loads = Loads {
        gravity: Vector::zeros(),
        wrenches: &push,
    };
    let slopes = dynamics::inverse_dynamics_derivatives(&robot, &level, loads, &[0.0; 2]).unwrap();

    // τ = 0.5 cos q: flat where the bar is level
    assert!(slopes.by_config.amax() < 1e-15, "{}", slopes.by_config);
    let down = state(&robot, &[FRAC_PI_2, 0.0], &[0.0, 0.0]);
    let slopes = dynamics::inverse_dynamics_derivatives(&robot, &down, loads, &[0.0; 2]).unwrap();
    assert!(
        (slopes.by_config[(0, 0)] + 0.5).abs() < 1e-15,
        "{}",
        slopes.by_config
    );
}

#[test]
fn what_has_no_acceleration_has_no_slope_of_it() {
    let robot = arm(&[ROD, Inertia::zero()]);
    let at_rest = State::new(&robot);
    let answer = dynamics::forward_dynamics_derivatives(&robot, &at_rest, &GRAVITY, &[0.0; 2]);
    let error = answer.expect_err("nothing resists the tool").to_string();
    assert!(error.starts_with("link `link1`: no mass"), "{error}");

    // what does not divide by its mass is answered
    let slopes =
        dynamics::inverse_dynamics_derivatives(&robot, &at_rest, &GRAVITY, &[0.0; 2]).unwrap();
    assert!(slopes.by_acceleration[(1, 1)] == 0.0);
}

#[test]
fn numbers_that_are_missing_or_not_finite_are_refused() {
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
    let elsewhere = [(LinkId::new(2), Wrench::default())];
    let nowhere = Loads {
        gravity: GRAVITY,
        wrenches: &elsewhere,
    };
    for (answer, what) in [
        (inverse(nowhere, &[0.0; 2]), "wrench"),
        (forward(nowhere, &[0.0; 2]), "wrench"),
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
fn a_robot_that_cannot_move_has_no_slopes() {
    let mut builder = RobotBuilder::new("statue");
    builder.add_link(LinkSpec::new("stone", None, LinkMotion::Fixed));
    let statue = builder.build().unwrap();
    let state = State::new(&statue);
    let slopes = dynamics::inverse_dynamics_derivatives(&statue, &state, &GRAVITY, &[]).unwrap();
    assert!(slopes.by_config.is_empty());
    let slopes = dynamics::forward_dynamics_derivatives(&statue, &state, &GRAVITY, &[]).unwrap();
    assert!(slopes.by_torque.is_empty());
}

/// The derivative of `f` at `x`, a column per entry of `x`.
fn slope(x: &[f64], f: impl Fn(&[f64]) -> Vec<f64>) -> DMatrix<f64> {
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

/// Links that turn about y, half a metre apart, the first at the origin.
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
