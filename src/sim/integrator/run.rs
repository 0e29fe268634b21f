//! The integrator: runs from a start time to an end time.

use super::control::{Control, Trial};
use super::explicit::Start;
use super::step::Step;
use super::stepper::{End, Stepper};
use super::{Action, Method, Observer, Ode, Steps};
use crate::{Cause, Error, Result};

/// State of an integration: the time and the values, as a run continues from them.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct IntegratorState {
    /// Time, s.
    pub t: f64,
    /// Values.
    pub y: Vec<f64>,
}

impl IntegratorState {
    /// State with these values at time `t`.
    #[must_use]
    pub fn new(t: f64, y: Vec<f64>) -> Self {
        Self { t, y }
    }
}

/// Reason why a run ended.
#[doc(alias = "retcode")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Termination {
    /// The end time was reached.
    EndTime,
    /// An observer terminated the run at this event.
    Event(usize),
    /// An observer terminated the run before or after a step.
    Requested,
    /// The [step limit](Integrator::with_step_limit) was reached.
    StepLimit,
}

/// Report of a run.
#[doc(alias = "statistics")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// Reason why the run ended.
    pub termination: Termination,
    /// Number of accepted steps.
    pub steps: usize,
    /// Number of rejected steps: their error was too large.
    pub rejected: usize,
}

/// Integrator of ordinary differential equations: a method, its step control and its memory.
///
/// Steps do not allocate: memory is allocated at the beginning of the first run.
#[doc(alias = "solver")]
#[doc(alias = "simulator")]
#[derive(Debug, Clone)]
pub struct Integrator {
    method: Method,
    steps: Steps,
    event_tolerance: f64,
    step_limit: usize,
    stepper: Stepper,
    // rates at the beginning of a step
    f: Vec<f64>,
    // values at the beginning of the run
    first: Vec<f64>,
    end: End,
    // event functions before and after a step
    event_values: Vec<f64>,
    event_values_end: Vec<f64>,
}

impl Integrator {
    /// Integrator of this method and step control.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for steps of no length, or for adaptive steps of a method without an error estimate.
    pub fn new(method: Method, steps: Steps) -> Result<Self> {
        method.check()?;
        steps.check(method)?;
        Ok(Self {
            method,
            steps,
            event_tolerance: 1e-10,
            step_limit: usize::MAX,
            stepper: Stepper::new(method),
            f: Vec::new(),
            first: Vec::new(),
            end: End::default(),
            event_values: Vec::new(),
            event_values_end: Vec::new(),
        })
    }

    /// Sets the tolerance, s, to which the times of events are located; default 10⁻¹⁰.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a tolerance that is not positive.
    pub fn with_event_tolerance(mut self, tolerance: f64) -> Result<Self> {
        if tolerance > 0.0 {
            self.event_tolerance = tolerance;
            return Ok(self);
        }
        let problem = format!("is {tolerance} s, it must be positive");
        Err(Error::invalid("event tolerance", problem))
    }

    /// Sets the largest number of steps of a run.
    #[must_use]
    pub fn with_step_limit(mut self, steps: usize) -> Self {
        self.step_limit = steps;
        self
    }

    /// Integration method.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// Step control.
    #[must_use]
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// Integrates from `state` to time `t_end` and calls `observer`: `&mut ()` for none.
    ///
    /// `state` is updated with every accepted step. A run that fails leaves it as it was before the failed step.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or [`Error::Invalid`] for a state or a time that does not fit; [`Error::Stopped`], with time
    /// and cause, where a step fails: values that are not finite, forces that the equation refuses, steps below the
    /// smallest one.
    pub fn run<O: Ode + ?Sized, W: Observer<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &mut IntegratorState,
        t_end: f64,
        observer: &mut W,
    ) -> Result<Outcome> {
        self.check(ode, state, t_end)?;
        let n = ode.size();
        self.f.resize(n, 0.0);
        self.end.y.resize(n, 0.0);
        self.end.f.resize(n, 0.0);
        self.stepper.prepare(ode);
        self.event_values.resize(observer.n_events(), 0.0);
        self.event_values_end.resize(observer.n_events(), 0.0);

        let mut outcome = Outcome {
            termination: Termination::EndTime,
            steps: 0,
            rejected: 0,
        };
        let mut control = Control::new(self.steps, state.t, t_end);
        let (mut has_f, mut has_event_values) = (false, false);
        if ode
            .post_step(state.t, &mut state.y)
            .map_err(|e| stopped(state.t, &e))?
        {
            self.stepper.reset();
        }
        self.first.clone_from(&state.y);
        while state.t < t_end {
            if outcome.steps == self.step_limit {
                outcome.termination = Termination::StepLimit;
                return Ok(outcome);
            }
            let action = observer.before_step(ode, state.t, &mut state.y);
            match action.map_err(|error| stopped(state.t, &error))? {
                Action::Continue => {}
                Action::Modified => {
                    (has_f, has_event_values) = (false, false);
                    self.stepper.reset();
                }
                Action::Terminate => {
                    outcome.termination = Termination::Requested;
                    return Ok(outcome);
                }
            }
            if !has_f {
                self.first_rates(ode, state)?;
            }
            if !has_event_values && !self.event_values.is_empty() {
                let evaluated = observer.events(ode, state.t, &state.y, &mut self.event_values);
                evaluated.map_err(|error| stopped(state.t, &error))?;
            }
            let t = self.advance(ode, state, &mut control, &mut outcome)?;
            let (t, is_event) = self.locate_event(ode, state, t, observer)?;

            // the step is accepted
            let mut step = Step {
                start: Start {
                    t: state.t,
                    h: t - state.t,
                    y: &state.y,
                    f: &self.f,
                },
                t,
                stepper: &mut self.stepper,
                end: &mut self.end,
            };
            let action = observer.after_step(ode, &mut step);
            let mut action = action.map_err(|error| stopped(t, &error))?;
            outcome.steps += 1;
            control.advance_to(t);
            self.stepper.accept();
            std::mem::swap(&mut state.y, &mut self.end.y);
            std::mem::swap(&mut self.f, &mut self.end.f);
            std::mem::swap(&mut self.event_values, &mut self.event_values_end);
            state.t = t;
            (has_f, has_event_values) = (self.end.has_f, true);
            let mut stop = Termination::Requested;
            if is_event {
                (action, stop) = self.handle_events(ode, state, observer, action)?;
            }
            if ode.post_step(t, &mut state.y).map_err(|e| stopped(t, &e))?
                && action == Action::Continue
            {
                action = Action::Modified;
            }
            match action {
                Action::Continue => {}
                Action::Modified => {
                    (has_f, has_event_values) = (false, false);
                    self.stepper.reset();
                }
                Action::Terminate => {
                    outcome.termination = stop;
                    return Ok(outcome);
                }
            }
        }
        Ok(outcome)
    }

    fn check<O: Ode + ?Sized>(&self, ode: &O, state: &IntegratorState, t_end: f64) -> Result<()> {
        crate::kinematics::check_values("state", ode.size(), &state.y)?;
        let makes_own = self.method.is_implicit() && ode.n_implicit_accelerations().is_some();
        if self.method.needs_second_order() && !ode.is_second_order() && !makes_own {
            let problem = "needs positions and velocities, but the equation is of first order";
            return Err(Error::invalid(format!("{:?}", self.method), problem));
        }
        if state.t.is_finite() && t_end.is_finite() && state.t <= t_end {
            return Ok(());
        }
        let problem = format!(
            "from {} s to {t_end} s: both must be finite and in order",
            state.t
        );
        Err(Error::invalid("run", problem))
    }

    /// Evaluates the rates at the beginning of a step.
    fn first_rates<O: Ode + ?Sized>(&mut self, ode: &mut O, state: &IntegratorState) -> Result<()> {
        let problem = match ode.rates(state.t, &state.y, &mut self.f) {
            Err(error) => stopped(state.t, &error),
            Ok(()) => match self.f.iter().position(|x| !x.is_finite()) {
                Some(i) => Error::Stopped {
                    time: state.t,
                    problem: format!("the rate of {} is {}", ode.label(i), self.f[i]),
                    cause: None,
                },
                None => return Ok(()),
            },
        };

        // steps that were too long may have led there
        let h = match self.steps {
            Steps::Length(h) if self.first != state.y => h,
            _ => return Err(problem),
        };
        let states = [&self.first[..], &state.y];
        Err(match self.instability(ode, state.t, states, h) {
            Some(unstable) => Error::Stopped {
                time: state.t,
                problem: unstable,
                cause: None,
            },
            None => problem,
        })
    }

    /// Makes an accepted step; returns the time of its end.
    fn advance<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &IntegratorState,
        control: &mut Control,
        outcome: &mut Outcome,
    ) -> Result<f64> {
        if control.needs_first_step() {
            control.estimate_first_step(ode, state, &self.f, &mut self.end)?;
        }
        loop {
            let (t, h) = control.next(state.t)?;
            let made = self.attempt(ode, state, h);
            let trial = match made {
                Err(error) => Trial::Failed(error.to_string(), foreign(&error)),
                Ok(()) => match self.end.y.iter().position(|x| !x.is_finite()) {
                    Some(i) => {
                        let problem = format!("{} becomes {}", ode.label(i), self.end.y[i]);
                        Trial::Failed(problem, None)
                    }
                    None => Trial::Made(self.error(ode, state, h, control)?),
                },
            };
            let trial = match trial {
                Trial::Failed(problem, None) => {
                    let states = [&self.first[..], &state.y];
                    let unstable = self.instability(ode, state.t, states, h);
                    Trial::Failed(unstable.unwrap_or(problem), None)
                }
                other => other,
            };
            if control.evaluate(state.t, h, trial)? {
                return Ok(t);
            }
            outcome.rejected += 1;
        }
    }

    /// Makes one step of length `h`, whatever its error.
    fn attempt<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &IntegratorState,
        h: f64,
    ) -> Result<()> {
        let start = Start {
            t: state.t,
            h,
            y: &state.y,
            f: &self.f,
        };
        self.stepper.step(ode, start, &mut self.end)
    }

    /// Estimated error of the last step, in units of the tolerance.
    fn error<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &IntegratorState,
        h: f64,
        control: &mut Control,
    ) -> Result<f64> {
        let (Stepper::Explicit(explicit), Steps::Adaptive(tolerance)) = (&self.stepper, self.steps)
        else {
            return Ok(0.0);
        };
        control.order = explicit.estimated_order();
        if explicit.needs_end() && self.end.find_rates(ode, state.t + h).is_err() {
            return Ok(f64::INFINITY);
        }
        let start = Start {
            t: state.t,
            h,
            y: &state.y,
            f: &self.f,
        };
        Ok(explicit.error(start, [&self.end.y, &self.end.f], &tolerance))
    }

    /// Shortens the last step to its first event, if there is one; returns the time of its end and whether there is an
    /// event.
    fn locate_event<O: Ode + ?Sized, W: Observer<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &IntegratorState,
        t: f64,
        observer: &mut W,
    ) -> Result<(f64, bool)> {
        if self.event_values.is_empty() {
            return Ok((t, false));
        }
        self.evaluate_events(ode, t, observer)?;
        if !self.has_event(observer) {
            return Ok((t, false));
        }

        // bisect: a shorter step has the accuracy of the method
        let (mut low, mut high) = (state.t, t);
        let resolution = self.event_tolerance.max(4.0 * f64::EPSILON * t.abs());
        let mut is_at_high = true;
        while high - low > resolution {
            let middle = 0.5 * (low + high);
            let made = self.attempt(ode, state, middle - state.t);
            made.map_err(|error| stopped(state.t, &error))?;
            self.evaluate_events(ode, middle, observer)?;
            is_at_high = self.has_event(observer);
            if is_at_high {
                high = middle;
            } else {
                low = middle;
            }
        }
        if !is_at_high {
            let made = self.attempt(ode, state, high - state.t);
            made.map_err(|error| stopped(state.t, &error))?;
            self.evaluate_events(ode, high, observer)?;
        }
        Ok((high, true))
    }

    /// Evaluates the event functions at the end of the last step.
    fn evaluate_events<O: Ode + ?Sized, W: Observer<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        t: f64,
        observer: &mut W,
    ) -> Result<()> {
        let evaluated = observer.events(ode, t, &self.end.y, &mut self.event_values_end);
        evaluated.map_err(|error| stopped(t, &error))
    }

    fn has_event<O: ?Sized, W: Observer<O> + ?Sized>(&self, observer: &W) -> bool {
        (0..self.event_values.len()).any(|k| {
            let crossing = observer.event_direction(k);
            crossing.is_crossed(self.event_values[k], self.event_values_end[k])
        })
    }

    /// Calls the observer for each event at the end of the last step.
    fn handle_events<O: Ode + ?Sized, W: Observer<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        state: &mut IntegratorState,
        observer: &mut W,
        mut action: Action,
    ) -> Result<(Action, Termination)> {
        for k in 0..self.event_values.len() {
            // the two arrays have been swapped already
            let crossing = observer.event_direction(k);
            if !crossing.is_crossed(self.event_values_end[k], self.event_values[k]) {
                continue;
            }
            let handled = observer.on_event(ode, k, state.t, &mut state.y);
            match handled.map_err(|error| stopped(state.t, &error))? {
                Action::Continue => {}
                Action::Modified => {
                    if action == Action::Continue {
                        action = Action::Modified;
                    }
                }
                Action::Terminate => return Ok((Action::Terminate, Termination::Event(k))),
            }
        }
        Ok((action, Termination::Requested))
    }
}

/// Error of a run that another error ended.
pub(super) fn stopped(time: f64, cause: &Error) -> Error {
    match cause {
        Error::Stopped { .. } => cause.clone(),
        cause => Error::Stopped {
            time,
            problem: cause.to_string(),
            cause: foreign(cause),
        },
    }
}

/// Error behind another that is not of this library.
fn foreign(error: &Error) -> Option<Cause> {
    match error {
        Error::Other(cause) => Some(cause.clone()),
        Error::Stopped { cause, .. } => cause.clone(),
        _ => None,
    }
}
