//! What looks on while a run goes on.

use super::Ode;
use super::run::Step;
use crate::Result;

/// What an onlooker wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// Go on; nothing was changed.
    Go,
    /// Go on; the equation or the values have changed.
    Changed,
    /// Stop here.
    Stop,
}

/// Which way a function has to pass through zero to be an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Crossing {
    /// Either way.
    #[default]
    Any,
    /// From below.
    Up,
    /// From above.
    Down,
}

/// An onlooker of a run: it is called before and after every step, and at events.
///
/// Every method does nothing unless it is written; `()` is an onlooker that does nothing at all, and a pair of them is
/// one, of which both look on and the first has the events.
///
/// # Examples
///
/// A ball that is dropped from 5 m comes back to 0.8² of that:
///
/// ```
/// use kinworld::sim::{Crossing, Integrator, Method, Ode, Phase, Reply, Steps, Stop, Watch, second_order};
///
/// struct Floor;
/// impl<O: Ode> Watch<O> for Floor {
///     fn n_events(&self) -> usize {
///         2
///     }
///     fn crossing(&self, _: usize) -> Crossing {
///         Crossing::Down
///     }
///     fn events(&mut self, _: &mut O, _: f64, y: &[f64], out: &mut [f64]) -> kinworld::Result<()> {
///         // the floor, and the top of the way: where the velocity is 0
///         out.copy_from_slice(y);
///         Ok(())
///     }
///     fn on_event(&mut self, _: &mut O, event: usize, _: f64, y: &mut [f64]) -> kinworld::Result<Reply> {
///         if event == 1 {
///             return Ok(Reply::Stop);
///         }
///         y[1] *= -0.8;
///         Ok(Reply::Changed)
///     }
/// }
///
/// let mut ball = second_order(1, |_, _, _, a| a[0] = -10.0);
/// let mut phase = Phase::new(0.0, vec![5.0, 0.0]);
/// let mut integrator = Integrator::new(Method::Rk44, Steps::Length(0.03))?;
/// let outcome = integrator.run(&mut ball, &mut phase, 10.0, &mut Floor)?;
/// assert_eq!(outcome.stop, Stop::Event(1));
/// assert!((phase.t - 1.8).abs() < 1e-8 && (phase.y[0] - 3.2).abs() < 1e-8);
/// # Ok::<(), kinworld::Error>(())
/// ```
pub trait Watch<O: ?Sized> {
    /// Before a step: the place to move the targets of a controller, or the values themselves.
    ///
    /// # Errors
    ///
    /// What it returns ends the run, and so with the other methods.
    fn before_step(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<Reply> {
        let _ = (ode, t, y);
        Ok(Reply::Go)
    }

    /// After a step that counts, and that may be looked into.
    ///
    /// # Errors
    ///
    /// See [`before_step`](Self::before_step).
    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Reply> {
        let _ = (ode, step);
        Ok(Reply::Go)
    }

    /// How many functions [`events`](Self::events) writes.
    fn n_events(&self) -> usize {
        0
    }

    /// Writes the functions whose zeros are events.
    ///
    /// # Errors
    ///
    /// See [`before_step`](Self::before_step).
    fn events(&mut self, ode: &mut O, t: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        let _ = (ode, t, y, out);
        Ok(())
    }

    /// Which way function `event` has to pass through zero.
    fn crossing(&self, event: usize) -> Crossing {
        let _ = event;
        Crossing::Any
    }

    /// At an event, where a step has ended: the values are those just behind it. By default the run stops.
    ///
    /// # Errors
    ///
    /// See [`before_step`](Self::before_step).
    fn on_event(&mut self, ode: &mut O, event: usize, t: f64, y: &mut [f64]) -> Result<Reply> {
        let _ = (ode, event, t, y);
        Ok(Reply::Stop)
    }
}

impl<O: Ode + ?Sized> Watch<O> for () {}

impl<O: Ode + ?Sized, A: Watch<O>, B: Watch<O>> Watch<O> for (A, B) {
    fn before_step(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<Reply> {
        let first = self.0.before_step(ode, t, y)?;
        Ok(both(first, self.1.before_step(ode, t, y)?))
    }

    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Reply> {
        let first = self.0.after_step(ode, step)?;
        Ok(both(first, self.1.after_step(ode, step)?))
    }

    fn n_events(&self) -> usize {
        self.0.n_events()
    }

    fn events(&mut self, ode: &mut O, t: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        self.0.events(ode, t, y, out)
    }

    fn crossing(&self, event: usize) -> Crossing {
        self.0.crossing(event)
    }

    fn on_event(&mut self, ode: &mut O, event: usize, t: f64, y: &mut [f64]) -> Result<Reply> {
        self.0.on_event(ode, event, t, y)
    }
}

impl<O: Ode + ?Sized, W: Watch<O> + ?Sized> Watch<O> for &mut W {
    fn before_step(&mut self, ode: &mut O, t: f64, y: &mut [f64]) -> Result<Reply> {
        (**self).before_step(ode, t, y)
    }

    fn after_step(&mut self, ode: &mut O, step: &mut Step<'_>) -> Result<Reply> {
        (**self).after_step(ode, step)
    }

    fn n_events(&self) -> usize {
        (**self).n_events()
    }

    fn events(&mut self, ode: &mut O, t: f64, y: &[f64], out: &mut [f64]) -> Result<()> {
        (**self).events(ode, t, y, out)
    }

    fn crossing(&self, event: usize) -> Crossing {
        (**self).crossing(event)
    }

    fn on_event(&mut self, ode: &mut O, event: usize, t: f64, y: &mut [f64]) -> Result<Reply> {
        (**self).on_event(ode, event, t, y)
    }
}

impl Crossing {
    /// Whether a function that goes from one value to another has passed through zero.
    pub(super) fn is_between(self, before: f64, after: f64) -> bool {
        let up = before < 0.0 && after >= 0.0;
        let down = before > 0.0 && after <= 0.0;
        match self {
            Self::Any => up || down,
            Self::Up => up,
            Self::Down => down,
        }
    }
}

/// What both want.
fn both(a: Reply, b: Reply) -> Reply {
    match (a, b) {
        (Reply::Stop, _) | (_, Reply::Stop) => Reply::Stop,
        (Reply::Changed, _) | (_, Reply::Changed) => Reply::Changed,
        _ => Reply::Go,
    }
}
