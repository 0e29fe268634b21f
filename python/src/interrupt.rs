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

/// Work between two looks at signals, and such of a few long problems, the last of which one core has to itself.
const CHUNK: Duration = Duration::from_millis(16);
const LONG_CHUNK: Duration = Duration::from_millis(25);

/// Rows of the first chunk, of rows that take about a microsecond each, or, without optimisation, a hundred.
pub(crate) const QUICK: usize = if cfg!(debug_assertions) { 64 } else { 2048 };

/// Rows of the first chunk, of rows that may take half a millisecond each.
const SLOW: usize = 64;

/// What the length of every chunk is a multiple of: no row changes its lane.
const LANES: usize = 64;

/// `count` rows of `width` zeros, or false.
///
/// An allocation that fails would end the interpreter; memory of zeros is not touched before it is used.
pub(crate) fn zeros<T: Copy + Default>(count: usize, width: usize) -> PyResult<Vec<T>> {
    count
        .checked_mul(width)
        .filter(|&total| Vec::<T>::new().try_reserve_exact(total).is_ok())
        .map(|total| vec![T::default(); total])
        .ok_or_else(|| {
            error(format!(
                "{count} rows of {width} numbers are more than the memory holds"
            ))
        })
}

/// `count` rows of `width` values, filled as by [`fill_in_chunks`].
pub(crate) fn in_chunks<T: Copy + Default + Send>(
    py: Python<'_>,
    (count, width): (usize, usize),
    fill: impl FnMut(Range<usize>, &mut [T]) -> kinworld::Result<()> + Send,
) -> PyResult<Vec<T>> {
    let mut out = zeros(count, width)?;
    fill_in_chunks(py, (count, width), SLOW, &mut out, fill)?;
    Ok(out)
}

/// Fills `count` rows of `width` values, `first` of them, then some at a time, with looks for Ctrl-C between; the
/// interpreter is released.
pub(crate) fn fill_in_chunks<T: Send>(
    py: Python<'_>,
    (count, width): (usize, usize),
    first: usize,
    out: &mut [T],
    mut fill: impl FnMut(Range<usize>, &mut [T]) -> kinworld::Result<()> + Send,
) -> PyResult<()> {
    let (mut done, mut size) = (0, first.min(count));
    loop {
        let began = Instant::now();
        let rows = done..done + size;
        let part = &mut out[done * width..(done + size) * width];
        call_detached(py, || fill(rows, part))?;
        done += size;
        if done == count {
            return Ok(());
        }
        py.check_signals()?;
        size = next_size(size, began.elapsed()).min(count - done);
    }
}

/// The number of rows that take about as long as wanted, if `size` rows took `elapsed`.
fn next_size(size: usize, elapsed: Duration) -> usize {
    let ratio = CHUNK.as_secs_f64() / elapsed.as_secs_f64().max(1e-6);
    scaled(size, ratio).div_ceil(LANES) * LANES
}

/// A number times a ratio, within a factor of 16, and at least 1.
fn scaled(size: usize, ratio: f64) -> usize {
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a number of rows, about"
    )]
    let wanted = (size as f64 * ratio.clamp(1.0 / 16.0, 16.0)) as usize;
    wanted.max(1)
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

/// Answers for `count` problems that take long each, a few of them at once and the rest, where that takes long, as by
/// [`in_background_parts`]: a chunk ends with its slowest thread, which costs a fifth of short ones.
pub(crate) fn in_short_chunks<T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    mut solve: impl FnMut(Range<usize>) -> kinworld::Result<Vec<T>> + Send + 'static,
) -> PyResult<Vec<T>> {
    let mut out = Vec::with_capacity(count);
    let mut size = 8;
    while out.len() < count {
        let began = Instant::now();
        let rows = out.len()..(out.len() + size).min(count);
        out.extend(call_detached(py, || solve(rows))?);
        py.check_signals()?;
        let ratio = LONG_CHUNK.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-6);
        size = scaled(size, ratio).max(4);
        let done = out.len();
        if ratio < 16.0 && count - done > 2 * size {
            let rest = move |range: Range<usize>| solve(done + range.start..done + range.end);
            out.extend(in_background_parts(py, count - done, rest)?);
            break;
        }
    }
    Ok(out)
}

/// Problems of the first part in the background, and time that a part takes, about.
///
/// A part is long beside the time in which its last problem keeps one core busy.
const FIRST_PROBLEMS: usize = 64;
const PART: Duration = Duration::from_millis(500);

/// Solves `count` problems in a thread of its own, some at a time, so that Ctrl-C ends the call at once and the work soon.
pub(crate) fn in_background_parts<T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    mut solve: impl FnMut(Range<usize>) -> kinworld::Result<Vec<T>> + Send + 'static,
) -> PyResult<Vec<T>> {
    in_background(py, None, move |job| {
        let mut out = Vec::with_capacity(count);
        let mut size = FIRST_PROBLEMS;
        while out.len() < count {
            let began = Instant::now();
            out.extend(solve(out.len()..(out.len() + size).min(count))?);
            job.advance(size)?;
            let ratio = PART.as_secs_f64() / began.elapsed().as_secs_f64().max(1e-6);
            size = scaled(size, ratio);
        }
        Ok(out)
    })
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
