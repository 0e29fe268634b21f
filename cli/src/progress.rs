//! Progress bars of long commands.

use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::style;

/// Progress bar on standard error; shown where that is a terminal, once the work has taken half a second. It disappears when it is
/// dropped.
#[derive(Debug)]
pub(crate) struct Progress {
    what: &'static str,
    began: Instant,
    next: Instant,
    /// Nothing is shown elsewhere.
    is_terminal: bool,
    is_shown: bool,
}

impl Progress {
    /// A bar of some work, such as `planning`.
    pub(crate) fn new(what: &'static str) -> Self {
        let now = Instant::now();
        Self {
            what,
            began: now,
            next: now + PATIENCE,
            is_terminal: io::stderr().is_terminal() && !style::messages().quiet,
            is_shown: false,
        }
    }

    /// Shows the part of the work that is done, from 0 to 1, and a note; cheap to call often.
    pub(crate) fn show(&mut self, part: f64, note: impl FnOnce() -> String) {
        if self.is_due() {
            self.write(&bar(self.what, part, &note()));
        }
    }

    /// True if the bar has to be drawn now.
    fn is_due(&mut self) -> bool {
        if !self.is_terminal {
            return false;
        }
        let now = Instant::now();
        let is_due = now >= self.next;
        if is_due {
            self.next = now + PERIOD;
        }
        is_due
    }

    /// Replaces the line; errors of writing are ignored.
    fn write(&mut self, line: &str) {
        let _ = write!(io::stderr(), "{CLEAR}{line}");
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

/// Calls a function that does not tell how far it is; meanwhile the bar shows the time that it has taken.
pub(crate) fn waiting<T>(what: &'static str, work: impl FnOnce() -> T) -> T {
    let mut progress = Progress::new(what);
    if !progress.is_terminal {
        return work();
    }
    let (done, waits) = mpsc::channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            // the channel closes when the work is done, even by a panic
            while waits.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if progress.is_due() {
                    let line = pendulum(progress.what, progress.began.elapsed());
                    progress.write(&line);
                }
            }
        });
        let result = work();
        drop(done);
        result
    })
}

/// A bar that is filled to a part.
fn bar(what: &str, part: f64, note: &str) -> String {
    // a part of nothing is not a number, which counts as none
    let part = part.clamp(0.0, 1.0);
    let filled = (part * WIDTH as f64) as usize;
    let (full, empty) = ("#".repeat(filled), ".".repeat(WIDTH - filled));
    shortened(&format!(
        "{what} [{full}{empty}] {:3.0} %  {note}",
        100.0 * part
    ))
}

/// A bar with a mark that moves to and fro.
fn pendulum(what: &str, elapsed: Duration) -> String {
    const MARK: usize = 6;
    let way = WIDTH - MARK;
    let step = (elapsed.as_millis() / PERIOD.as_millis()) as usize % (2 * way);
    let at = step.min(2 * way - step);
    let (left, right) = (".".repeat(at), ".".repeat(way - at));
    let mark = "#".repeat(MARK);
    let seconds = elapsed.as_secs_f64();
    shortened(&format!("{what} [{left}{mark}{right}] {seconds:.1} s"))
}

/// The beginning of a line: a longer one would wrap, and what has wrapped stays on the screen.
fn shortened(line: &str) -> String {
    line.chars().take(LONGEST).collect()
}

/// Returns to the start of the line and clears it.
const CLEAR: &str = "\r\x1b[2K";
/// Time before a bar is shown.
const PATIENCE: Duration = Duration::from_millis(500);
/// Time between two updates.
const PERIOD: Duration = Duration::from_millis(100);
/// Width of a bar, characters.
const WIDTH: usize = 30;
/// Largest length of a line, characters.
const LONGEST: usize = 79;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_filled_to_its_part() {
        let half = bar("planning", 0.5, "3 samples");
        let [full, empty] = ["#".repeat(15), ".".repeat(15)];
        assert_eq!(half, format!("planning [{full}{empty}]  50 %  3 samples"));
        let all = "#".repeat(30);
        assert_eq!(bar("x", 7.0, ""), format!("x [{all}] 100 %  "));
        let none = ".".repeat(30);
        for part in [0.0, -1.0] {
            assert_eq!(bar("x", part, ""), format!("x [{none}]   0 %  "));
        }
        assert!(bar("x", f64::NAN, "").starts_with(&format!("x [{none}]")));
    }

    #[test]
    fn a_pendulum_swings_and_keeps_its_width() {
        let at = |millis| pendulum("x", Duration::from_millis(millis));
        assert!(at(0).starts_with("x [######."));
        assert!(at(2400).contains(".######] 2.4 s"));
        assert!(at(4800).starts_with("x [######."));
        for millis in (0..9000).step_by(100) {
            assert_eq!(at(millis).find(']'), Some(33), "{millis}");
        }
    }

    #[test]
    fn lines_do_not_wrap() {
        assert_eq!(bar("x", 0.1, &"long ".repeat(50)).chars().count(), 79);
    }

    #[test]
    fn nothing_is_drawn_before_half_a_second_and_nothing_without_a_terminal() {
        let mut progress = Progress::new("x");
        progress.is_terminal = true;
        assert!(!progress.is_due());
        progress.next = Instant::now();
        assert!(progress.is_due());
        // the next one has to wait for the period
        assert!(!progress.is_due());
        progress.is_terminal = false;
        progress.next = Instant::now();
        assert!(!progress.is_due());
    }

    #[test]
    fn work_is_done_once_and_its_result_returned() {
        let mut calls = 0;
        let result = waiting("x", || {
            calls += 1;
            calls
        });
        assert_eq!((result, calls), (1, 1));
    }
}
