//! Progress bar of a run.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use kinworld::Result;
use kinworld::sim::{Action, Observer, Ode, Step};

/// Progress bar on standard error, where that is a terminal, for runs longer than a moment.
#[derive(Debug)]
pub(super) struct Progress {
    end: f64,
    next: Instant,
    is_shown: bool,
    was_shown: bool,
}

impl Progress {
    pub(super) fn until(end: f64) -> Self {
        Self {
            end,
            next: Instant::now() + MOMENT,
            is_shown: io::stderr().is_terminal(),
            was_shown: false,
        }
    }
}

impl<O: Ode> Observer<O> for Progress {
    fn after_step(&mut self, _: &mut O, step: &mut Step<'_>) -> Result<Action> {
        if self.is_shown && Instant::now() >= self.next {
            let part = (step.t_end() / self.end).clamp(0.0, 1.0);
            let full = "#".repeat((part * WIDTH) as usize);
            let _ = write!(io::stderr(), "\r[{full:<40}] {:3.0} %", 100.0 * part);
            self.next = Instant::now() + MOMENT;
            self.was_shown = true;
        }
        Ok(Action::Continue)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.was_shown {
            let _ = write!(io::stderr(), "\r{:60}\r", "");
        }
    }
}

/// Time between two updates of the bar.
const MOMENT: Duration = Duration::from_millis(200);
/// Width of the bar, characters.
const WIDTH: f64 = 40.0;
