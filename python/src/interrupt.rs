//! Long calls notice Ctrl-C and tell how far they are.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::error::{call_detached, error, fail, unpanicked};

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

/// Work between two looks at signals.
const CHUNK: Duration = Duration::from_millis(20);

/// Rows of the first chunk, and what the length of every chunk is a multiple of: no row changes its lane.
const FIRST: usize = 256;
const LANES: usize = 64;

/// Fills `count` rows of `width` values, some at a time, with looks for Ctrl-C between; the interpreter is released.
pub(crate) fn in_chunks<T: Copy + Send>(
    py: Python<'_>,
    (count, width): (usize, usize),
    zero: T,
    mut fill: impl FnMut(Range<usize>, &mut [T]) -> kinworld::Result<()> + Send,
) -> PyResult<Vec<T>> {
    let total = count.checked_mul(width);
    let total = total
        // an allocation that fails would end the interpreter
        .filter(|&total| Vec::<T>::new().try_reserve_exact(total).is_ok())
        .ok_or_else(|| {
            error(format!(
                "{count} rows of {width} numbers are more than the memory holds"
            ))
        })?;
    let mut out = vec![zero; total];
    let (mut done, mut size) = (0, FIRST.min(count));
    loop {
        let began = Instant::now();
        let rows = done..done + size;
        let part = &mut out[done * width..(done + size) * width];
        call_detached(py, || fill(rows, part))?;
        done += size;
        if done == count {
            return Ok(out);
        }
        py.check_signals()?;
        size = next_size(size, began.elapsed()).min(count - done);
    }
}

/// The number of rows that take about as long as wanted, if `size` rows took `elapsed`.
fn next_size(size: usize, elapsed: Duration) -> usize {
    let ratio = CHUNK.as_secs_f64() / elapsed.as_secs_f64().max(1e-6);
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of rows, about"
    )]
    let wanted = (size as f64 * ratio.clamp(1.0 / 16.0, 16.0)) as usize;
    wanted.div_ceil(LANES).max(1) * LANES
}

/// [`in_chunks`] for problems that take long each: the first chunk is short, and no chunk has to have a certain length.
pub(crate) fn in_short_chunks<T: Send>(
    py: Python<'_>,
    count: usize,
    mut solve: impl FnMut(Range<usize>) -> kinworld::Result<Vec<T>> + Send,
) -> PyResult<Vec<T>> {
    let mut out = Vec::with_capacity(count);
    let mut size = 8;
    while out.len() < count {
        let began = Instant::now();
        let rows = out.len()..(out.len() + size).min(count);
        out.extend(call_detached(py, || solve(rows))?);
        py.check_signals()?;
        size = (next_size(size * LANES, began.elapsed()) / LANES).max(4);
    }
    Ok(out)
}

/// How far work in the background is, and whether anybody still wants its result.
#[derive(Default)]
pub(crate) struct Job {
    done: AtomicUsize,
    dropped: AtomicBool,
}

impl Job {
    /// Adds steps that are done; an error where nobody waits any longer.
    pub(crate) fn advance(&self, steps: usize) -> kinworld::Result<()> {
        self.done.fetch_add(steps, Ordering::Relaxed);
        if self.dropped.load(Ordering::Relaxed) {
            return Err(kinworld::Error::other("the work was ended"));
        }
        Ok(())
    }
}

/// Does work that has no pauses in a thread of its own, so that Ctrl-C ends the call at once.
///
/// Work that does not ask its [`Job`] goes on until it is done, and its result is dropped.
pub(crate) fn in_background<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Job) -> kinworld::Result<T> + Send + 'static,
) -> PyResult<T> {
    let job = Arc::new(Job::default());
    let (sender, receiver) = mpsc::sync_channel(1);
    let theirs = job.clone();
    std::thread::Builder::new()
        .name("kinworld".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            let result = unpanicked(|| work(&theirs));
            // nobody listens after Ctrl-C
            drop(sender.send(result));
        })
        .map_err(|problem| error(format!("no thread can be started: {problem}")))?;
    let receiver = Mutex::new(receiver);
    loop {
        let answer = py.detach(|| {
            let receiver = receiver
                .lock()
                .map_err(|_| RecvTimeoutError::Disconnected)?;
            receiver.recv_timeout(PERIOD)
        });
        match answer {
            Ok(result) => return result.map_err(fail),
            Err(RecvTimeoutError::Disconnected) => return Err(error("the work was ended")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        let looked = py.check_signals().and_then(|()| match &progress {
            Some(progress) => progress
                .call1(py, (job.done.load(Ordering::Relaxed),))
                .map(drop),
            None => Ok(()),
        });
        if let Err(problem) = looked {
            job.dropped.store(true, Ordering::Relaxed);
            return Err(problem);
        }
    }
}

/// Stack of a thread, bytes: as much as the main thread has.
const STACK: usize = 8 << 20;
