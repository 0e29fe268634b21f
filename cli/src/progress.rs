//! Progress bars of long commands.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// Progress bar on standard error; shown where that is a terminal, once the work has taken half a second. It disappears when it is
/// dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    next: Instant,
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    /// A bar of some work, such as `sampling`.
    pub(crate) fn new(what: &'static str) -> Self {
        Self {
            what,
            next: Instant::now() + PATIENCE,
            is_terminal: io::stderr().is_terminal(),
            is_shown: false,
        }
    }

    /// Shows the part of the work that is done, from 0 to 1, and a note; cheap to call often.
    pub(crate) fn show(&mut self, part: f64, note: impl FnOnce() -> String) {
        if !self.is_terminal || Instant::now() < self.next {
            return;
        }
        let full = "#".repeat((part.clamp(0.0, 1.0) * WIDTH) as usize);
        let _ = write!(
            io::stderr(),
            "{CLEAR}{} [{full:.<30}] {:3.0} %  {}",
            self.what,
            100.0 * part,
            note()
        );
        self.next = Instant::now() + PERIOD;
        self.is_shown = true;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_shown {
            let _ = write!(io::stderr(), "{CLEAR}");
        }
    }
}

/// Returns to the start of the line and clears it.
const CLEAR: &str = "\r\x1b[2K";
/// Time before a bar is shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two updates.
const PERIOD: Duration = Duration::from_millis(100);
/// Width of a bar, characters.
const WIDTH: f64 = 30.0;
