//! Functions of the user that a run calls, and the run itself.

use std::sync::{Arc, Mutex};

use kinworld::Error;
use kinworld::sim::{
    Action, EventDirection, Integrator, IntegratorState, Mechanism, Observer, Recorder, Sensor,
    Step, Termination,
};
use pyo3::prelude::*;

use super::recording::{End, Recording};
use crate::convert::{Reals, array1};
use crate::error::call_detached;
use crate::interrupt::Watch;

/// A mechanism whose motion the functions of the user see and whose forces they set.
pub(super) trait Controlled: Mechanism + Send {
    /// Positions and velocities of the degrees of freedom.
    fn motion(&mut self, state: &IntegratorState) -> kinworld::Result<[Vec<f64>; 2]>;

    /// Sets the forces of the controller.
    fn command(&mut self, forces: Vec<f64>) -> kinworld::Result<()>;
}

/// A call of a function of time, positions and velocities. The interpreter is taken for it.
pub(super) fn ask<T: for<'a, 'py> FromPyObject<'a, 'py, Error = PyErr>>(
    function: &Py<PyAny>,
    t: f64,
    [q, dq]: [&[f64]; 2],
) -> PyResult<T> {
    Python::attach(|py| {
        function
            .bind(py)
            .call1((t, array1(py, q), array1(py, dq)))?
            .extract()
    })
}

/// An argument that a run refuses.
pub(super) fn refused(what: &str, problem: impl std::fmt::Display) -> Error {
    Error::other(crate::error::error(format!("{what} {problem}")))
}

/// The first error of functions that cannot return one.
#[derive(Clone, Default)]
pub(super) struct Problem(Arc<Mutex<Option<PyErr>>>);

impl Problem {
    pub(super) fn keep(&self, error: PyErr) {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .get_or_insert(error);
    }

    fn take(&self) -> Option<PyErr> {
        self.0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
            .take()
    }
}

/// What a run calls.
pub(super) struct Callbacks {
    pub(super) controller: Option<Py<PyAny>>,
    pub(super) control_period: Option<f64>,
    pub(super) until: Option<Py<PyAny>>,
    pub(super) progress: Option<Py<PyAny>>,
    pub(super) problem: Problem,
}

struct Calls<'a> {
    callbacks: &'a Callbacks,
    watch: Watch,
    each_step: bool,
    steps: usize,
}

impl Calls<'_> {
    fn control<M: Controlled + ?Sized>(
        &self,
        mechanism: &mut M,
        state: &IntegratorState,
    ) -> kinworld::Result<()> {
        let Some(controller) = &self.callbacks.controller else {
            return Ok(());
        };
        let [q, dq] = mechanism.motion(state)?;
        let forces = ask::<Reals>(controller, state.t, [&q, &dq]).map_err(Error::other)?;
        mechanism.command(forces.to_vec())
    }
}

impl<M: Controlled + ?Sized> Observer<M> for Calls<'_> {
    fn before_step(
        &mut self,
        mechanism: &mut M,
        t: f64,
        y: &mut [f64],
    ) -> kinworld::Result<Action> {
        if !self.each_step || self.callbacks.controller.is_none() {
            return Ok(Action::Continue);
        }
        self.control(mechanism, &IntegratorState::new(t, y.to_vec()))?;
        Ok(Action::Modified)
    }

    fn after_step(&mut self, _: &mut M, _: &mut Step<'_>) -> kinworld::Result<Action> {
        self.steps += 1;
        Ok(if self.watch.goes_on(self.steps) {
            Action::Continue
        } else {
            Action::Terminate
        })
    }

    fn n_events(&self) -> usize {
        usize::from(self.callbacks.until.is_some())
    }

    fn events(
        &mut self,
        mechanism: &mut M,
        t: f64,
        y: &[f64],
        out: &mut [f64],
    ) -> kinworld::Result<()> {
        if let Some(until) = &self.callbacks.until {
            let [q, dq] = mechanism.motion(&IntegratorState::new(t, y.to_vec()))?;
            out[0] = ask::<f64>(until, t, [&q, &dq]).map_err(Error::other)?;
        }
        Ok(())
    }

    fn event_direction(&self, _: usize) -> EventDirection {
        EventDirection::Any
    }
}

/// Runs a mechanism with the interpreter released.
pub(super) fn run<M: Controlled>(
    py: Python<'_>,
    mechanism: &mut M,
    mut state: IntegratorState,
    duration: f64,
    (mut integrator, sensors, period): (Integrator, Vec<Sensor>, f64),
    callbacks: &Callbacks,
) -> PyResult<Recording> {
    let t_end = state.t + duration;
    let calls = Calls {
        callbacks,
        watch: Watch::new(
            callbacks
                .progress
                .as_ref()
                .map(|progress| progress.clone_ref(py)),
        ),
        each_step: callbacks.control_period.is_none(),
        steps: 0,
    };
    let result = call_detached(py, || {
        let named = sensors
            .iter()
            .map(|sensor| (sensor.name.clone(), sensor.columns(mechanism).len()))
            .collect();
        let recorder = Recorder::start(sensors, period, mechanism, &state)?;
        // events are those of the first
        let mut both = (calls, recorder);
        let (mut total, start) = (Counts::default(), state.t);
        let mut periods = 0_u32;
        let last = loop {
            let next = match callbacks.control_period {
                Some(control_period) => {
                    if !(control_period > 0.0 && duration / control_period < f64::from(u32::MAX)) {
                        let problem = format!("is {control_period} s, it must be positive");
                        return Err(refused("control_period", problem));
                    }
                    both.0.control(mechanism, &state)?;
                    periods += 1;
                    (start + control_period * f64::from(periods)).min(t_end)
                }
                None => t_end,
            };
            let outcome = integrator.run(mechanism, &mut state, next, &mut both)?;
            total.steps += outcome.steps;
            total.rejected += outcome.rejected;
            if outcome.termination != Termination::EndTime || next >= t_end {
                break outcome;
            }
        };
        let (calls, recorder) = both;
        let [config, velocity] = mechanism.motion(&state)?;
        Ok(((named, recorder, calls), [config, velocity], last, total))
    });
    let ((named, recorder, calls), [config, velocity], mut outcome, total) = match result {
        Ok(parts) => parts,
        Err(error) => return Err(callbacks.problem.take().unwrap_or(error)),
    };
    calls.watch.finish()?;
    (outcome.steps, outcome.rejected) = (total.steps, total.rejected);
    let end = End {
        t: state.t,
        y: state.y,
        config,
        velocity,
        outcome,
    };
    Ok(Recording::new(recorder.into_table(), named, end))
}

/// Counts of several runs.
#[derive(Default)]
struct Counts {
    steps: usize,
    rejected: usize,
}
