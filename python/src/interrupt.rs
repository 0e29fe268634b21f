//! Long calls notice Ctrl-C and tell how far they are.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// Time between two looks at signals.
const PERIOD: Duration = Duration::from_millis(25);

/// Looks for Ctrl-C, and calls a function of the user, now and then.
pub(crate) struct Watch {
    progress: Option<Py<PyAny>>,
    last: Instant,
    calls: u32,
    /// The exception that ended the work.
    problem: Option<PyErr>,
}

impl Watch {
    /// A watch that calls `progress` with a number.
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Self {
            progress,
            last: Instant::now(),
            calls: 0,
            problem: None,
        }
    }

    /// Whether to go on, with `done` steps done. Called from work that has released the interpreter.
    #[inline]
    pub(crate) fn goes_on(&mut self, done: usize) -> bool {
        self.calls = self.calls.wrapping_add(1);
        // reading the clock costs as much as a short step
        if !self.calls.is_multiple_of(8) || self.last.elapsed() < PERIOD {
            return true;
        }
        self.look(done)
    }

    /// As [`goes_on`](Self::goes_on), for steps that are long beside a look at the clock.
    pub(crate) fn looks_now(&mut self, done: usize) -> bool {
        if self.problem.is_some() {
            return false;
        }
        self.last.elapsed() < PERIOD || self.look(done)
    }

    #[cold]
    fn look(&mut self, done: usize) -> bool {
        self.last = Instant::now();
        let result = Python::attach(|py| {
            py.check_signals()?;
            if let Some(progress) = &self.progress {
                progress.call1(py, (done,))?;
            }
            Ok(())
        });
        match result {
            Ok(()) => true,
            Err(problem) => {
                self.problem = Some(problem);
                false
            }
        }
    }

    /// The exception that ended the work, if one did.
    pub(crate) fn finish(self) -> PyResult<()> {
        self.problem.map_or(Ok(()), Err)
    }
}
