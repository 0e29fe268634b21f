//! Progress of a run in simulated time.

use kinworld::Result;
use kinworld::sim::{Action, Observer, Ode, Step};

use crate::progress::Progress as Bar;

/// Progress bar of a run.
#[derive(Debug)]
pub(super) struct Progress {
    bar: Bar,
    end: f64,
}

impl Progress {
    pub(super) fn until(end: f64) -> Self {
        Self {
            bar: Bar::new("simulating"),
            end,
        }
    }
}

impl<O: Ode> Observer<O> for Progress {
    fn after_step(&mut self, _: &mut O, step: &mut Step<'_>) -> Result<Action> {
        let (t, end) = (step.t_end(), self.end);
        self.bar.show(t / end, || format!("t = {t:.3} of {end} s"));
        Ok(Action::Continue)
    }
}
