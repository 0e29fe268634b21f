//! Failed runs report time and cause, and leave the state unchanged.

use crate::common::errors::assert_refused;
use kinworld::sim::{
    Integrator, IntegratorState, Method, Ode, Steps, Tolerance, first_order, second_order,
};
use kinworld::{Error, Result};

use super::METHODS;

fn run(
    method: Method,
    steps: Steps,
    ode: &mut impl Ode,
    state: &mut IntegratorState,
    end: f64,
) -> Result<()> {
    Integrator::new(method, steps)?
        .run(ode, state, end, &mut ())
        .map(drop)
}

/// Oscillator whose force is NaN after time 1.
fn broken() -> impl Ode {
    second_order(1, |t: f64, q: &[f64], _: &[f64], a: &mut [f64]| {
        a[0] = if t > 1.0 { f64::NAN } else { -q[0] };
    })
}

#[test]
fn non_finite_forces_stop_every_method_with_time_and_cause() {
    for method in METHODS {
        let mut state = IntegratorState::new(0.0, vec![1.0, 0.0]);
        let error = run(method, Steps::Length(0.3), &mut broken(), &mut state, 5.0).unwrap_err();
        let Error::Stopped { time, problem, .. } = &error else {
            panic!("{method:?}: {error}");
        };
        assert!(
            (*time - state.t).abs() < 1e-12,
            "the state is that before the step"
        );
        assert!(*time <= 1.21 && *time > 0.8, "{method:?}: {time}");
        assert!(state.y.iter().all(|x| x.is_finite()));
        assert!(
            problem.contains("NaN") || problem.contains("not finite"),
            "{problem}"
        );
        assert!(error.to_string().starts_with("stopped at t = "), "{error}");
    }
}

#[test]
fn a_singularity_of_the_solution_ends_at_the_smallest_step() {
    // ẏ = y² from 1 is infinite at t = 1
    for method in [Method::Ode23, Method::Dopri5, Method::Dop853] {
        let mut ode = first_order(1, |_, y, dy| dy[0] = y[0] * y[0]);
        let mut state = IntegratorState::new(0.0, vec![1.0]);
        let steps = Steps::Adaptive(Tolerance::default().with_min_step(1e-9));
        let error = run(method, steps, &mut ode, &mut state, 2.0).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("a shorter one is below the smallest step"),
            "{error}"
        );
        assert!(
            (0.99..1.0 + 1e-6).contains(&state.t) && state.y[0] > 100.0,
            "{state:?}"
        );
    }
}

#[test]
fn steps_below_the_resolution_of_time_are_refused() {
    let mut ode = first_order(1, |_, _, dy| dy[0] = 1.0);
    let mut state = IntegratorState::new(1e16, vec![3.0]);
    let error = run(
        Method::Rk44,
        Steps::Length(0.1),
        &mut ode,
        &mut state,
        1e16 + 10.0,
    )
    .unwrap_err();
    assert!(
        error.to_string().contains("a step of zero length"),
        "{error}"
    );
    assert_eq!(state, IntegratorState::new(1e16, vec![3.0]));
}

#[test]
fn implicit_methods_report_divergence() {
    for method in [Method::Trapezoidal, Method::GeneralizedAlpha { rho: 0.9 }] {
        let mut ode = second_order(1, |_, q, _, a| {
            a[0] = 1e6 * (1e3 * q[0]).sin() * q[0].signum()
        });
        let mut state = IntegratorState::new(0.0, vec![1.0, 0.0]);
        let error = run(method, Steps::Length(1.0), &mut ode, &mut state, 5.0).unwrap_err();
        assert!(error.to_string().contains("implicit step"), "{error}");
        assert_eq!(state, IntegratorState::new(0.0, vec![1.0, 0.0]));
    }
}

#[test]
fn invalid_steps_tolerances_and_dampings_are_refused() {
    let bad = [
        (Method::Rk44, Steps::Count(0)),
        (Method::Rk44, Steps::Length(0.0)),
        (Method::Rk44, Steps::Length(-1.0)),
        (Method::Rk44, Steps::Length(f64::NAN)),
        (Method::Rk44, Steps::Adaptive(Tolerance::default())),
        (Method::Dopri5, Steps::Adaptive(Tolerance::new(0.0, 0.0))),
        (
            Method::Dopri5,
            Steps::Adaptive(Tolerance::default().with_relative(f64::NAN)),
        ),
        (
            Method::Dopri5,
            Steps::Adaptive(Tolerance::default().with_max_growth(1.0)),
        ),
        (
            Method::Dopri5,
            Steps::Adaptive(Tolerance::default().with_initial_step(Some(0.0))),
        ),
        (
            Method::Dopri5,
            Steps::Adaptive(Tolerance::default().with_min_step(2.0).with_max_step(1.0)),
        ),
        (Method::GeneralizedAlpha { rho: 1.5 }, Steps::Count(1)),
        (Method::GeneralizedAlpha { rho: f64::NAN }, Steps::Count(1)),
    ];
    for (method, steps) in bad {
        let refused = Integrator::new(method, steps);
        assert!(
            matches!(refused, Err(Error::Invalid { .. })),
            "{method:?} {steps:?}"
        );
    }
    let integrator = Integrator::new(Method::Rk44, Steps::Count(1)).unwrap();
    assert_refused(
        integrator.with_event_tolerance(0.0),
        "event tolerance: is 0 s",
    );
}

#[test]
fn states_and_times_must_fit() {
    let mut ode = first_order(2, |_, _, dy| dy.fill(0.0));
    let mut go = |y: Vec<f64>, from: f64, to: f64| {
        let mut state = IntegratorState::new(from, y);
        run(Method::Rk44, Steps::Count(1), &mut ode, &mut state, to)
    };
    assert!(matches!(go(vec![0.0], 0.0, 1.0), Err(Error::Length { .. })));
    for (from, to) in [
        (1.0, 0.0),
        (0.0, f64::INFINITY),
        (f64::NAN, 1.0),
        (0.0, f64::NAN),
    ] {
        assert!(matches!(
            go(vec![0.0; 2], from, to),
            Err(Error::Invalid { .. })
        ));
    }
    assert_refused(go(vec![f64::NAN, 0.0], 0.0, 1.0), "state: value 0 is NaN");

    // a first-order equation has no velocities for these methods
    for method in METHODS
        .into_iter()
        .filter(|method| method.needs_second_order())
    {
        let mut state = IntegratorState::new(0.0, vec![0.0; 2]);
        let error = run(method, Steps::Count(1), &mut ode, &mut state, 1.0).unwrap_err();
        assert!(
            error.to_string().contains("positions and velocities"),
            "{error}"
        );
    }
}
