//! Steps: fixed and adaptive, dense output, and no allocation.

use std::f64::consts::TAU;

use kinworld::Result;
use kinworld::sim::{
    Action, Integrator, IntegratorState, Method, Observer, Ode, Step, Steps, Termination,
    Tolerance, first_order, second_order,
};

use super::METHODS;
use crate::common::allocations::allocations;

/// Kepler orbit (eccentricity 0.6) with a period of 2π: Hairer's test of step control.
fn planet() -> (impl Ode, IntegratorState) {
    let pull = |_: f64, q: &[f64], _: &[f64], a: &mut [f64]| {
        let r = q[0].hypot(q[1]);
        (a[0], a[1]) = (-q[0] / r.powi(3), -q[1] / r.powi(3));
    };
    (
        second_order(2, pull),
        IntegratorState::new(0.0, vec![0.4, 0.0, 0.0, 2.0]),
    )
}

fn adaptive(method: Method, relative: f64) -> Integrator {
    let tolerance = Tolerance::new(relative, relative);
    Integrator::new(method, Steps::Adaptive(tolerance)).unwrap()
}

#[test]
fn adaptive_steps_keep_the_tolerance() {
    for method in [Method::Ode23, Method::Dopri5, Method::Dop853] {
        let mut last = usize::MAX;
        for relative in [1e-10, 1e-8, 1e-6] {
            let (mut ode, mut state) = planet();
            let begin = state.y.clone();
            let outcome = adaptive(method, relative)
                .run(&mut ode, &mut state, TAU, &mut ())
                .unwrap();
            let error = state
                .y
                .iter()
                .zip(&begin)
                .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()));
            assert!(
                error < 1000.0 * relative,
                "{method:?} at {relative:e}: {error:e}"
            );
            assert!(outcome.steps < last, "a larger error takes fewer steps");
            last = outcome.steps;
        }
    }
}

#[test]
fn adaptive_steps_do_not_depend_on_signs() {
    let run = |sign: f64| {
        let mut ode = first_order(2, |_, y, dy| {
            dy[0] = -y[0];
            dy[1] = 3.0 * y[0];
        });
        let mut state = IntegratorState::new(0.0, vec![sign, 2.0 * sign]);
        let outcome = adaptive(Method::Dopri5, 1e-7)
            .run(&mut ode, &mut state, 5.0, &mut ())
            .unwrap();
        (outcome, state.y[0] * sign)
    };
    assert_eq!(run(1.0), run(-1.0));
}

/// Compares dense output with the exact solution.
struct Within {
    worst: f64,
    n_checks: usize,
}

impl<O: Ode> Observer<O> for Within {
    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Action> {
        let (a, b) = (step.t_start(), step.t_end());
        let mut y = [0.0; 2];
        for k in 0..=8 {
            let t = a + (b - a) * f64::from(k) / 8.0;
            step.interpolate(ode, t, &mut y)?;
            let error = (y[0] - t.sin()).abs().max((y[1] - t.cos()).abs());
            self.worst = self.worst.max(error);
            self.n_checks += 1;
        }
        Ok(Action::Continue)
    }
}

#[test]
fn dense_output_is_as_accurate_as_the_interpolant() {
    // the error of each interpolant at 40 steps of π/20: powers of the step times derivatives of size 1
    let cubic = 2e-6;
    for (method, allowed) in [
        (Method::Rk67, cubic),
        (Method::Dopri5, 5e-7),
        (Method::Dop853, 1e-11),
        (Method::VelocityVerlet, 2e-2),
        (Method::Trapezoidal, 2e-2),
    ] {
        let mut swing = second_order(1, |_, q, _, a| a[0] = -q[0]);
        let mut state = IntegratorState::new(0.0, vec![0.0, 1.0]);
        let mut within = Within {
            worst: 0.0,
            n_checks: 0,
        };
        let mut integrator = Integrator::new(method, Steps::Count(40)).unwrap();
        integrator
            .run(&mut swing, &mut state, TAU, &mut within)
            .unwrap();
        assert_eq!(within.n_checks, 40 * 9);
        assert!(within.worst < allowed, "{method:?}: {:e}", within.worst);
    }
}

#[test]
fn fixed_steps_end_at_the_end_of_the_run() {
    for (length, end, expected) in [
        (0.1, 1.0, 10),
        (0.3, 1.0, 4),
        (1.0 / 3.0, 1.0, 3),
        (5.0, 1.0, 1),
    ] {
        let mut ode = first_order(1, |_, _, dy| dy[0] = 1.0);
        let mut state = IntegratorState::new(0.0, vec![0.0]);
        let mut integrator = Integrator::new(Method::Rk44, Steps::Length(length)).unwrap();
        let outcome = integrator.run(&mut ode, &mut state, end, &mut ()).unwrap();
        assert_eq!(
            (outcome.steps, outcome.termination),
            (expected, Termination::EndTime)
        );
        assert!((state.y[0] - end).abs() < 1e-14);
    }
}

#[test]
fn a_run_of_zero_duration_makes_no_step() {
    let (mut ode, mut state) = planet();
    let outcome = adaptive(Method::Dopri5, 1e-6)
        .run(&mut ode, &mut state, 0.0, &mut ())
        .unwrap();
    assert_eq!(
        (outcome.steps, outcome.termination),
        (0, Termination::EndTime)
    );
}

#[test]
fn a_run_stops_at_the_step_limit() {
    let (mut ode, mut state) = planet();
    let mut integrator = Integrator::new(Method::Rk44, Steps::Length(0.01))
        .unwrap()
        .with_step_limit(7);
    let outcome = integrator.run(&mut ode, &mut state, 1.0, &mut ()).unwrap();
    assert_eq!(
        (outcome.steps, outcome.termination),
        (7, Termination::StepLimit)
    );
    assert!((state.t - 0.07).abs() < 1e-12);
}

#[test]
fn steps_do_not_allocate() {
    for method in METHODS {
        let (mut ode, mut state) = planet();
        let mut integrator = Integrator::new(method, Steps::Length(1e-3)).unwrap();
        integrator.run(&mut ode, &mut state, 0.01, &mut ()).unwrap();
        let asked = allocations(|| {
            integrator.run(&mut ode, &mut state, 0.1, &mut ()).unwrap();
        });
        assert_eq!(asked, 0, "{method:?}");
    }
    let (mut ode, mut state) = planet();
    let mut integrator = adaptive(Method::Dop853, 1e-8);
    integrator.run(&mut ode, &mut state, 0.1, &mut ()).unwrap();
    let asked = allocations(|| {
        integrator.run(&mut ode, &mut state, 1.0, &mut ()).unwrap();
    });
    assert_eq!(asked, 0);
}
