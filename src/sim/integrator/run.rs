//! From the beginning of a run to its end.

use super::control::{Control, Trial};
use super::explicit::Start;
use super::stepper::{End, Stepper};
use super::{Method, Ode, Reply, Steps, Watch};
use crate::{Error, Result};

/// Where an integration is: the time, s, and the values.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Phase {
    /// The time, s.
    pub t: f64,
    /// The values.
    pub y: Vec<f64>,
}

impl Phase {
    /// These values at time `t`.
    #[must_use]
    pub fn new(t: f64, y: Vec<f64>) -> Self {
        Self { t, y }
    }
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stop {
    /// The time was reached.
    End,
    /// An onlooker stopped it at this event.
    Event(usize),
    /// An onlooker stopped it before or after a step.
    Asked,
    /// There were as many steps as [allowed](Integrator::with_step_limit).
    StepLimit,
}

/// How a run went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Why it ended.
    pub stop: Stop,
    /// How many steps it made.
    pub steps: usize,
    /// How many steps were tried and found too wrong.
    pub rejected: usize,
}

/// A method, its steps, and the memory that they need.
///
/// No step allocates: memory is taken at the beginning of the first run.
#[derive(Debug, Clone)]
pub struct Integrator {
    method: Method,
    steps: Steps,
    event_tolerance: f64,
    step_limit: usize,
    stepper: Stepper,
    // the rates at the beginning of a step
    f: Vec<f64>,
    end: End,
    // what events are the zeros of, before and after
    signs: Vec<f64>,
    signs_end: Vec<f64>,
}

impl Integrator {
    /// A method with steps of some length.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where no step can have that length, or the method does not tell its error and is to choose its
    /// steps by it.
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
            end: End::default(),
            signs: Vec::new(),
            signs_end: Vec::new(),
        })
    }

    /// The same, with events found to within this time, s, instead of 10⁻¹⁰.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where the time is not positive.
    pub fn with_event_tolerance(mut self, tolerance: f64) -> Result<Self> {
        if tolerance > 0.0 {
            self.event_tolerance = tolerance;
            return Ok(self);
        }
        let problem = format!("is {tolerance} s, it must be positive");
        Err(Error::invalid("tolerance of events", problem))
    }

    /// The same, with runs of at most so many steps.
    #[must_use]
    pub fn with_step_limit(mut self, steps: usize) -> Self {
        self.step_limit = steps;
        self
    }

    /// How steps are made.
    #[must_use]
    pub fn method(&self) -> Method {
        self.method
    }

    /// How long steps are.
    #[must_use]
    pub fn steps(&self) -> Steps {
        self.steps
    }

    /// Integrates from where the phase is to time `t_end`, while somebody looks on: `&mut ()` for nobody.
    ///
    /// The phase is moved with every step that counts. Where a run fails it stays as it was before the step that failed.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or [`Error::Invalid`] for a phase or a time that does not fit; [`Error::Stopped`], with time
    /// and cause, where a step fails: numbers that are not finite, forces that the equation refuses, steps that become
    /// too short.
    pub fn run<O: Ode + ?Sized, W: Watch<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        phase: &mut Phase,
        t_end: f64,
        watch: &mut W,
    ) -> Result<Outcome> {
        self.check(ode, phase, t_end)?;
        let n = ode.size();
        self.f.resize(n, 0.0);
        self.end.y.resize(n, 0.0);
        self.end.f.resize(n, 0.0);
        self.stepper.prepare(ode);
        self.signs.resize(watch.n_events(), 0.0);
        self.signs_end.resize(watch.n_events(), 0.0);

        let mut outcome = Outcome {
            stop: Stop::End,
            steps: 0,
            rejected: 0,
        };
        let mut control = Control::new(self.steps, phase.t, t_end);
        let (mut has_f, mut has_signs) = (false, false);
        if ode
            .settle(phase.t, &mut phase.y)
            .map_err(|e| stopped(phase.t, &e))?
        {
            self.stepper.forget();
        }
        while phase.t < t_end {
            if outcome.steps == self.step_limit {
                outcome.stop = Stop::StepLimit;
                return Ok(outcome);
            }
            let reply = watch.before_step(ode, phase.t, &mut phase.y);
            match reply.map_err(|error| stopped(phase.t, &error))? {
                Reply::Go => {}
                Reply::Changed => {
                    (has_f, has_signs) = (false, false);
                    self.stepper.forget();
                }
                Reply::Stop => {
                    outcome.stop = Stop::Asked;
                    return Ok(outcome);
                }
            }
            if !has_f {
                self.first_rates(ode, phase)?;
            }
            if !has_signs && !self.signs.is_empty() {
                let asked = watch.events(ode, phase.t, &phase.y, &mut self.signs);
                asked.map_err(|error| stopped(phase.t, &error))?;
            }
            let t = self.advance(ode, phase, &mut control, &mut outcome)?;
            let (t, is_event) = self.up_to_event(ode, phase, t, watch)?;

            // the step counts
            let mut step = Step {
                start: Start {
                    t: phase.t,
                    h: t - phase.t,
                    y: &phase.y,
                    f: &self.f,
                },
                t,
                stepper: &mut self.stepper,
                end: &mut self.end,
            };
            let reply = watch.after_step(ode, &mut step);
            let mut reply = reply.map_err(|error| stopped(t, &error))?;
            outcome.steps += 1;
            control.moved(t);
            self.stepper.accept();
            std::mem::swap(&mut phase.y, &mut self.end.y);
            std::mem::swap(&mut self.f, &mut self.end.f);
            std::mem::swap(&mut self.signs, &mut self.signs_end);
            phase.t = t;
            (has_f, has_signs) = (self.end.has_f, true);
            let mut stop = Stop::Asked;
            if is_event {
                (reply, stop) = self.tell_events(ode, phase, watch, reply)?;
            }
            if ode.settle(t, &mut phase.y).map_err(|e| stopped(t, &e))? && reply == Reply::Go {
                reply = Reply::Changed;
            }
            match reply {
                Reply::Go => {}
                Reply::Changed => {
                    (has_f, has_signs) = (false, false);
                    self.stepper.forget();
                }
                Reply::Stop => {
                    outcome.stop = stop;
                    return Ok(outcome);
                }
            }
        }
        Ok(outcome)
    }

    fn check<O: Ode + ?Sized>(&self, ode: &O, phase: &Phase, t_end: f64) -> Result<()> {
        crate::kinematics::check_values("phase", ode.size(), &phase.y)?;
        let makes_own = self.method.is_implicit() && ode.implicit_accelerations().is_some();
        if self.method.needs_second_order() && !ode.is_second_order() && !makes_own {
            let problem = "needs positions and velocities, the equation has rates only";
            return Err(Error::invalid(format!("{:?}", self.method), problem));
        }
        if phase.t.is_finite() && t_end.is_finite() && phase.t <= t_end {
            return Ok(());
        }
        let problem = format!(
            "from {} s to {t_end} s: both must be finite, and in order",
            phase.t
        );
        Err(Error::invalid("run", problem))
    }

    /// The rates at the beginning of a step.
    fn first_rates<O: Ode + ?Sized>(&mut self, ode: &mut O, phase: &Phase) -> Result<()> {
        let rates = ode.rates(phase.t, &phase.y, &mut self.f);
        rates.map_err(|error| stopped(phase.t, &error))?;
        match self.f.iter().position(|x| !x.is_finite()) {
            Some(i) => Err(Error::Stopped {
                time: phase.t,
                problem: format!("the rate of {} is {}", ode.label(i), self.f[i]),
            }),
            None => Ok(()),
        }
    }

    /// Makes a step that is right enough, and tells when it ends.
    fn advance<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        phase: &Phase,
        control: &mut Control,
        outcome: &mut Outcome,
    ) -> Result<f64> {
        if control.needs_first() {
            control.find_first(ode, phase, &self.f, &mut self.end)?;
        }
        loop {
            let (t, h) = control.next(phase.t)?;
            let made = self.attempt(ode, phase, h);
            let trial = match made {
                Err(error) => Trial::Failed(error.to_string()),
                Ok(()) => match self.end.y.iter().position(|x| !x.is_finite()) {
                    Some(i) => Trial::Failed(format!("{} becomes {}", ode.label(i), self.end.y[i])),
                    None => Trial::Made(self.error(ode, phase, h, control)?),
                },
            };
            if control.judge(phase.t, h, trial)? {
                return Ok(t);
            }
            outcome.rejected += 1;
        }
    }

    /// One step of length `h`, whatever its error.
    fn attempt<O: Ode + ?Sized>(&mut self, ode: &mut O, phase: &Phase, h: f64) -> Result<()> {
        let start = Start {
            t: phase.t,
            h,
            y: &phase.y,
            f: &self.f,
        };
        self.stepper.step(ode, start, &mut self.end)
    }

    /// The estimated error of the step just made, 1 for as much as is allowed.
    fn error<O: Ode + ?Sized>(
        &mut self,
        ode: &mut O,
        phase: &Phase,
        h: f64,
        control: &mut Control,
    ) -> Result<f64> {
        let (Stepper::Explicit(explicit), Steps::Adaptive(tolerance)) = (&self.stepper, self.steps)
        else {
            return Ok(0.0);
        };
        control.order = explicit.estimated_order();
        if explicit.needs_end() && self.end.find_rates(ode, phase.t + h).is_err() {
            return Ok(f64::INFINITY);
        }
        let start = Start {
            t: phase.t,
            h,
            y: &phase.y,
            f: &self.f,
        };
        Ok(explicit.error(start, [&self.end.y, &self.end.f], &tolerance))
    }

    /// Shortens the step just made to the first event in it, if there is one: when it ends then, and whether.
    fn up_to_event<O: Ode + ?Sized, W: Watch<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        phase: &Phase,
        t: f64,
        watch: &mut W,
    ) -> Result<(f64, bool)> {
        if self.signs.is_empty() {
            return Ok((t, false));
        }
        self.ask_events(ode, t, watch)?;
        if !self.has_crossed(watch) {
            return Ok((t, false));
        }

        // halve until the time is known: a step of any length is as good as the method
        let (mut low, mut high) = (phase.t, t);
        let resolution = self.event_tolerance.max(4.0 * f64::EPSILON * t.abs());
        let mut is_at_high = true;
        while high - low > resolution {
            let middle = 0.5 * (low + high);
            let made = self.attempt(ode, phase, middle - phase.t);
            made.map_err(|error| stopped(phase.t, &error))?;
            self.ask_events(ode, middle, watch)?;
            is_at_high = self.has_crossed(watch);
            if is_at_high {
                high = middle;
            } else {
                low = middle;
            }
        }
        if !is_at_high {
            let made = self.attempt(ode, phase, high - phase.t);
            made.map_err(|error| stopped(phase.t, &error))?;
            self.ask_events(ode, high, watch)?;
        }
        Ok((high, true))
    }

    /// What events are the zeros of, at the end of the step just made.
    fn ask_events<O: Ode + ?Sized, W: Watch<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        t: f64,
        watch: &mut W,
    ) -> Result<()> {
        let asked = watch.events(ode, t, &self.end.y, &mut self.signs_end);
        asked.map_err(|error| stopped(t, &error))
    }

    fn has_crossed<O: ?Sized, W: Watch<O> + ?Sized>(&self, watch: &W) -> bool {
        (0..self.signs.len()).any(|k| {
            let crossing = watch.crossing(k);
            crossing.is_between(self.signs[k], self.signs_end[k])
        })
    }

    /// Tells the onlooker which events there are where the step just made ended.
    fn tell_events<O: Ode + ?Sized, W: Watch<O> + ?Sized>(
        &mut self,
        ode: &mut O,
        phase: &mut Phase,
        watch: &mut W,
        mut reply: Reply,
    ) -> Result<(Reply, Stop)> {
        for k in 0..self.signs.len() {
            // the signs have changed places already
            let crossing = watch.crossing(k);
            if !crossing.is_between(self.signs_end[k], self.signs[k]) {
                continue;
            }
            let said = watch.on_event(ode, k, phase.t, &mut phase.y);
            match said.map_err(|error| stopped(phase.t, &error))? {
                Reply::Go => {}
                Reply::Changed => {
                    if reply == Reply::Go {
                        reply = Reply::Changed;
                    }
                }
                Reply::Stop => return Ok((Reply::Stop, Stop::Event(k))),
            }
        }
        Ok((reply, Stop::Asked))
    }
}

/// A step that counts, to be looked into.
#[derive(Debug)]
pub struct Step<'a> {
    start: Start<'a>,
    t: f64,
    stepper: &'a mut Stepper,
    end: &'a mut End,
}

impl Step<'_> {
    /// When it began, s.
    #[must_use]
    pub fn t_start(&self) -> f64 {
        self.start.t
    }

    /// When it ended, s.
    #[must_use]
    pub fn t_end(&self) -> f64 {
        self.t
    }

    /// The values at its beginning.
    #[must_use]
    pub fn y_start(&self) -> &[f64] {
        self.start.y
    }

    /// The values at its end.
    #[must_use]
    pub fn y_end(&self) -> &[f64] {
        &self.end.y
    }

    /// Writes the values at a time within the step.
    ///
    /// [`Dopri5`](Method::Dopri5) has a polynomial of order 4 for it, [`Dop853`](Method::Dop853) one of order 7 for three
    /// more rates in a step; the others have the cubic through values and rates at both ends.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where `y` does not fit; [`Error::Invalid`] for a time outside of the step; what the equation
    /// refuses.
    pub fn at<O: Ode + ?Sized>(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<()> {
        crate::kinematics::check_length("values", self.end.y.len(), y)?;
        if !(self.start.t <= t && t <= self.t) {
            let problem = format!(
                "is {t} s, the step goes from {} s to {} s",
                self.start.t, self.t
            );
            return Err(Error::invalid("time within a step", problem));
        }
        if t >= self.t {
            y.copy_from_slice(&self.end.y);
            return Ok(());
        }
        self.end.find_rates(ode, self.t)?;
        let x = (t - self.start.t) / self.start.h;
        self.stepper.between(ode, self.start, &*self.end, x, y)
    }
}

/// The error of a run that something else ended.
pub(super) fn stopped(time: f64, cause: &Error) -> Error {
    match cause {
        Error::Stopped { .. } => cause.clone(),
        cause => Error::Stopped {
            time,
            problem: cause.to_string(),
        },
    }
}
