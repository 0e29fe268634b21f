//! Observers: events, callbacks before and after steps, and modified states.

use std::f64::consts::{PI, TAU};

use kinworld::Result;
use kinworld::sim::{
    Action, EventDirection, Integrator, IntegratorState, Method, Observer, Ode, Step, Steps,
    Termination, second_order,
};

use super::METHODS;

/// Records the zeros of the first value.
struct Zeros {
    crossing: EventDirection,
    times: Vec<f64>,
    most: usize,
}

impl<O: Ode> Observer<O> for Zeros {
    fn n_events(&self) -> usize {
        1
    }

    fn event_direction(&self, _: usize) -> EventDirection {
        self.crossing
    }

    fn events(&mut self, _: &mut O, _: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        out[0] = y[0];
        Ok(())
    }

    fn on_event(&mut self, _: &mut O, _: usize, t: f64, _: &mut [f64]) -> Result<Action> {
        self.times.push(t);
        Ok(if self.times.len() == self.most {
            Action::Terminate
        } else {
            Action::Continue
        })
    }
}

fn swing() -> impl Ode {
    second_order(1, |_, q: &[f64], _: &[f64], a: &mut [f64]| a[0] = -q[0])
}

fn zeros(crossing: EventDirection, method: Method, most: usize) -> (Vec<f64>, Termination) {
    let mut state = IntegratorState::new(0.0, vec![0.0, 1.0]);
    let mut zeros = Zeros {
        crossing,
        times: Vec::new(),
        most,
    };
    let mut integrator = Integrator::new(method, Steps::Count(500)).unwrap();
    let outcome = integrator
        .run(&mut swing(), &mut state, 20.0, &mut zeros)
        .unwrap();
    (zeros.times, outcome.termination)
}

#[test]
fn each_zero_is_located_once() {
    // a start at zero is not an event
    let (times, stop) = zeros(EventDirection::Any, Method::Rk67, 100);
    assert_eq!((times.len(), stop), (6, Termination::EndTime));
    for (k, t) in times.iter().enumerate() {
        assert!((t - PI * (k + 1) as f64).abs() < 1e-9, "{t}");
    }
    let (up, _) = zeros(EventDirection::Rising, Method::Rk67, 100);
    assert_eq!(up.len(), 3);
    assert!((up[0] - TAU).abs() < 1e-9);
    let (down, stop) = zeros(EventDirection::Falling, Method::Rk67, 2);
    assert_eq!(stop, Termination::Event(0));
    assert!((down[1] - 3.0 * PI).abs() < 1e-9);
}

#[test]
fn every_method_locates_events() {
    for method in METHODS {
        let (times, _) = zeros(EventDirection::Any, method, 1);
        let tolerance = if method.order() == 1 { 0.1 } else { 2e-3 };
        assert!((times[0] - PI).abs() < tolerance, "{method:?}: {times:?}");
    }
}

#[test]
fn events_are_located_to_the_tolerance() {
    let mut state = IntegratorState::new(0.0, vec![0.0, 1.0]);
    let mut zeros = Zeros {
        crossing: EventDirection::Any,
        times: Vec::new(),
        most: 1,
    };
    let integrator = Integrator::new(Method::Rk67, Steps::Count(50)).unwrap();
    let mut integrator = integrator.with_event_tolerance(1e-3).unwrap();
    integrator
        .run(&mut swing(), &mut state, 5.0, &mut zeros)
        .unwrap();
    let late = state.t - PI;
    assert!(
        (-1e-6..1e-3).contains(&late) && late.abs() > 1e-8,
        "{late:e}"
    );
    assert!(state.y[0] <= 0.0, "the values are those after the event");
}

/// Adds an impulse before each step, and records the times.
#[derive(Default)]
struct Impulses {
    before: Vec<f64>,
    after: Vec<f64>,
}

impl<O: Ode> Observer<O> for Impulses {
    fn before_step(&mut self, _: &mut O, t: f64, y: &mut [f64]) -> Result<Action> {
        self.before.push(t);
        y[1] += 1.0;
        Ok(Action::Modified)
    }

    fn after_step(&mut self, _: &mut O, step: &mut Step<'_>) -> Result<Action> {
        self.after.push(step.t_end());
        Ok(if step.y_end()[0] > 5.0 {
            Action::Terminate
        } else {
            Action::Continue
        })
    }
}

#[test]
fn observers_are_called_before_and_after_each_step() {
    for method in METHODS {
        // free flight, one impulse before each second: 1 + 2 + 3 metres
        let mut ode = second_order(1, |_, _, _, a| a[0] = 0.0);
        let mut state = IntegratorState::new(0.0, vec![0.0, 0.0]);
        let mut impulses = Impulses::default();
        let mut integrator = Integrator::new(method, Steps::Length(1.0)).unwrap();
        let outcome = integrator
            .run(&mut ode, &mut state, 10.0, &mut impulses)
            .unwrap();
        assert_eq!(outcome.termination, Termination::Requested);
        assert_eq!(impulses.before, [0.0, 1.0, 2.0], "{method:?}");
        assert_eq!(impulses.after, [1.0, 2.0, 3.0]);
        assert!((state.y[0] - 6.0).abs() < 1e-12 && (state.y[1] - 3.0).abs() < 1e-12);
    }
}
