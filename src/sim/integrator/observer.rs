//! Observers: callbacks of a run, and their events.

use super::Ode;
use super::step::Step;
use crate::Result;

/// Continuation of a run after an [`Observer`] was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Continue; nothing was changed.
    Continue,
    /// Continue; the observer has modified the equation or the values.
    #[doc(alias = "u_modified")]
    Modified,
    /// End the run.
    #[doc(alias = "terminate")]
    Terminate,
}

/// Direction in which an event function must cross zero.
#[doc(alias = "rootdir")]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EventDirection {
    /// Both directions.
    #[default]
    Any,
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// Callbacks of a run: called before and after every step, and at events (zeros of event functions).
///
/// Every method does nothing by default. `()` is an observer that does nothing; a pair of observers calls both, and the
/// event functions are those of the first.
///
/// # Examples
///
/// A ball that is dropped from 5 m rises to 0.8² of that height after the first bounce:
///
/// ```
/// use kinworld::sim::{
///     Action, EventDirection, Integrator, IntegratorState, Method, Observer, Ode, Steps, Termination, second_order,
/// };
///
/// struct Floor;
/// impl<O: Ode> Observer<O> for Floor {
///     fn n_events(&self) -> usize {
///         2
///     }
///     fn event_direction(&self, _: usize) -> EventDirection {
///         EventDirection::Falling
///     }
///     fn events(&mut self, _: &mut O, _: f64, y: &[f64], out: &mut [f64]) -> kinworld::Result<()> {
///         // zero height: the floor; zero velocity: the apex
///         out.copy_from_slice(y);
///         Ok(())
///     }
///     fn on_event(&mut self, _: &mut O, event: usize, _: f64, y: &mut [f64]) -> kinworld::Result<Action> {
///         if event == 1 {
///             return Ok(Action::Terminate);
///         }
///         y[1] *= -0.8;
///         Ok(Action::Modified)
///     }
/// }
///
/// let mut ball = second_order(1, |_, _, _, a| a[0] = -10.0);
/// let mut state = IntegratorState::new(0.0, vec![5.0, 0.0]);
/// let mut integrator = Integrator::new(Method::Rk44, Steps::Length(0.03))?;
/// let outcome = integrator.run(&mut ball, &mut state, 10.0, &mut Floor)?;
/// assert_eq!(outcome.termination, Termination::Event(1));
/// assert!((state.t - 1.8).abs() < 1e-8 && (state.y[0] - 3.2).abs() < 1e-8);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "callback")]
#[doc(alias = "hook")]
pub trait Observer<O: ?Sized> {
    /// Called before a step; may set the targets of a controller, or the values themselves.
    ///
    /// # Errors
    ///
    /// An error of this or any other method ends the run.
    fn before_step(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<Action> {
        let _ = (ode, t, y);
        Ok(Action::Continue)
    }

    /// Called after an accepted step, whose interior can be interpolated.
    ///
    /// # Errors
    ///
    /// See [`before_step`](Self::before_step).
    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Action> {
        let _ = (ode, step);
        Ok(Action::Continue)
    }

    /// Number of event functions that [`events`](Self::events) writes.
    fn n_events(&self) -> usize {
        0
    }

    /// Writes the event functions: each zero is an event.
    ///
    /// # Errors
    ///
    /// See [`before_step`](Self::before_step).
    #[doc(alias = "root_finding")]
    fn events(&mut self, ode: &mut O, t: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        let _ = (ode, t, y, out);
        Ok(())
    }

    /// Direction in which function `event` must cross zero.
    fn event_direction(&self, event: usize) -> EventDirection {
        let _ = event;
        EventDirection::Any
    }

    /// Called at an event, where a step has ended; the values are those just after the crossing. Terminates by default.
    ///
    /// # Errors
    ///
    /// See [`before_step`](Self::before_step).
    fn on_event(&mut self, ode: &mut O, event: usize, t: f64, y: &mut [f64]) -> Result<Action> {
        let _ = (ode, event, t, y);
        Ok(Action::Terminate)
    }
}

impl<O: Ode + ?Sized> Observer<O> for () {}

impl<O: Ode + ?Sized, A: Observer<O>, B: Observer<O>> Observer<O> for (A, B) {
    fn before_step(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<Action> {
        let first = self.0.before_step(ode, t, y)?;
        Ok(stronger(first, self.1.before_step(ode, t, y)?))
    }

    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Action> {
        let first = self.0.after_step(ode, step)?;
        Ok(stronger(first, self.1.after_step(ode, step)?))
    }

    fn n_events(&self) -> usize {
        self.0.n_events()
    }

    fn events(&mut self, ode: &mut O, t: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        self.0.events(ode, t, y, out)
    }

    fn event_direction(&self, event: usize) -> EventDirection {
        self.0.event_direction(event)
    }

    fn on_event(&mut self, ode: &mut O, event: usize, t: f64, y: &mut [f64]) -> Result<Action> {
        self.0.on_event(ode, event, t, y)
    }
}

impl<O: Ode + ?Sized, W: Observer<O> + ?Sized> Observer<O> for &mut W {
    fn before_step(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<Action> {
        (**self).before_step(ode, t, y)
    }

    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Action> {
        (**self).after_step(ode, step)
    }

    fn n_events(&self) -> usize {
        (**self).n_events()
    }

    fn events(&mut self, ode: &mut O, t: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        (**self).events(ode, t, y, out)
    }

    fn event_direction(&self, event: usize) -> EventDirection {
        (**self).event_direction(event)
    }

    fn on_event(&mut self, ode: &mut O, event: usize, t: f64, y: &mut [f64]) -> Result<Action> {
        (**self).on_event(ode, event, t, y)
    }
}

impl EventDirection {
    /// Returns whether a function with these values before and after has crossed zero in this direction.
    pub(super) fn is_crossed(self, before: f64, after: f64) -> bool {
        let rising = before < 0.0 && after >= 0.0;
        let falling = before > 0.0 && after <= 0.0;
        match self {
            Self::Any => rising || falling,
            Self::Rising => rising,
            Self::Falling => falling,
        }
    }
}

/// The action that two observers ask for together.
fn stronger(a: Action, b: Action) -> Action {
    match (a, b) {
        (Action::Terminate, _) | (_, Action::Terminate) => Action::Terminate,
        (Action::Modified, _) | (_, Action::Modified) => Action::Modified,
        _ => Action::Continue,
    }
}
