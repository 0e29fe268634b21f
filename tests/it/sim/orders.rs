//! Measured orders of convergence: the error ratio when the step is halved.

use kinworld::sim::{Integrator, IntegratorState, Method, Ode, Steps, first_order, second_order};

use super::METHODS;

/// Nonlinear equation with a closed-form solution: `ẏ = y cos t`, `ż = −2 t z²`, with `y = e^{sin t}`, `z = 1 / (1 +
/// t²)`.
fn nonlinear(t: f64, y: &[f64], dy: &mut [f64]) {
    dy[0] = y[0] * t.cos();
    dy[1] = -2.0 * t * y[1] * y[1];
}

fn nonlinear_solution(t: f64) -> [f64; 2] {
    [t.sin().exp(), 1.0 / (1.0 + t * t)]
}

/// Mass on a spring with a damper under a periodic force, as an equation of second order: the solution is `e^{-t/10}
/// cos(ω t) + sin t` with `ω² = 4 − 1/100`.
fn damped(t: f64, q: &[f64], v: &[f64], a: &mut [f64]) {
    let wind = 3.0 * t.sin() + 0.2 * t.cos();
    a[0] = -4.0 * q[0] - 0.2 * v[0] + wind;
}

fn damped_solution(t: f64) -> [f64; 2] {
    let w = (4.0_f64 - 0.01).sqrt();
    let (s, c) = (w * t).sin_cos();
    let decay = (-0.1 * t).exp();
    [decay * c + t.sin(), decay * (-0.1 * c - w * s) + t.cos()]
}

/// Error at time 2 with this number of steps.
fn error(method: Method, ode: &mut dyn Ode, answer: fn(f64) -> [f64; 2], steps: usize) -> f64 {
    let mut state = IntegratorState::new(0.0, answer(0.0).to_vec());
    let mut integrator = Integrator::new(method, Steps::Count(steps)).unwrap();
    let outcome = integrator.run(ode, &mut state, 2.0, &mut ()).unwrap();
    assert_eq!(outcome.steps, steps);
    assert!((state.t - 2.0).abs() < 1e-15);
    let [a, b] = answer(2.0);
    (state.y[0] - a).abs().max((state.y[1] - b).abs())
}

/// Number of steps with an error well above rounding.
fn coarse(method: Method) -> usize {
    match method.order() {
        0..=2 => 200,
        3..=4 => 50,
        5 => 60,
        6 => 20,
        _ => 8,
    }
}

#[track_caller]
fn assert_order(method: Method, ode: &mut dyn Ode, answer: fn(f64) -> [f64; 2]) {
    let n = coarse(method);
    let (rough, fine) = (
        error(method, ode, answer, n),
        error(method, ode, answer, 2 * n),
    );
    let measured = (rough / fine).log2();
    let expected = f64::from(method.order());
    assert!(
        (measured - expected).abs() < 0.3,
        "{method:?}: order {measured}, errors {rough:e}, {fine:e}"
    );
}

#[test]
fn every_method_has_its_order_on_a_bent_equation() {
    for method in METHODS
        .into_iter()
        .filter(|method| !method.needs_second_order())
    {
        assert_order(method, &mut first_order(2, nonlinear), nonlinear_solution);
    }
}

#[test]
fn every_method_has_its_order_where_forces_depend_on_velocities() {
    for method in METHODS {
        assert_order(method, &mut second_order(1, damped), damped_solution);
    }
}

#[test]
fn generalized_alpha_has_order_two_at_any_damping() {
    for rho in [0.0, 0.3, 0.7, 1.0] {
        let method = Method::GeneralizedAlpha { rho };
        assert_order(method, &mut second_order(1, damped), damped_solution);
    }
}

#[test]
fn generalized_alpha_damps_high_frequencies_and_the_trapezoidal_rule_does_not() {
    // a spring with 1600 oscillations per step
    let left = |method| {
        let mut spring = second_order(1, |_, q, _, a| a[0] = -1e10 * q[0]);
        let mut state = IntegratorState::new(0.0, vec![1.0, 0.0]);
        let mut integrator = Integrator::new(method, Steps::Count(100)).unwrap();
        integrator
            .run(&mut spring, &mut state, 10.0, &mut ())
            .unwrap();
        state.y[0].abs()
    };
    assert!(left(Method::GeneralizedAlpha { rho: 0.5 }) < 1e-12);
    assert!(left(Method::Trapezoidal) > 0.9);
}

#[test]
fn verlet_conserves_the_energy_of_a_pendulum_over_long_times() {
    let mut swing = second_order(1, |_, q, _, a| a[0] = -q[0].sin());
    let mut state = IntegratorState::new(0.0, vec![2.0, 0.0]);
    let mut integrator = Integrator::new(Method::VelocityVerlet, Steps::Length(0.05)).unwrap();
    let energy = |y: &[f64]| 0.5 * y[1] * y[1] - y[0].cos();
    let before = energy(&state.y);
    integrator
        .run(&mut swing, &mut state, 1000.0, &mut ())
        .unwrap();
    assert!((energy(&state.y) - before).abs() < 2e-3);
}
