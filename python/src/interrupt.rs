//! Long calls notice Ctrl-C and tell how far they are.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use pyo3::prelude::*;
use rayon::prelude::*;

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
const CHUNK: Duration = Duration::from_millis(16);

/// How long the first chunk is, and how many times as long the next one may be.
///
/// Each chunk that threads share costs some tens of microseconds, in which they wake up.
#[derive(Clone, Copy)]
pub(crate) struct Pace {
    first: usize,
    growth: f64,
}

/// Of rows that take about a microsecond each, or, without optimisation, a hundred; all take as long. The library computes
/// the first chunk in one thread.
pub(crate) const QUICK: Pace = Pace {
    first: if cfg!(debug_assertions) { 64 } else { 256 },
    growth: 1024.0,
};

/// Of rows that may take half a millisecond each, some much longer than others.
const SLOW: Pace = Pace {
    first: 64,
    growth: 16.0,
};

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

/// Fills `count` rows of `width` values, some at a time, with looks for Ctrl-C between; the interpreter is released.
pub(crate) fn fill_in_chunks<T: Send>(
    py: Python<'_>,
    (count, width): (usize, usize),
    pace: Pace,
    out: &mut [T],
    mut fill: impl FnMut(Range<usize>, &mut [T]) -> kinworld::Result<()> + Send,
) -> PyResult<()> {
    let (mut done, mut size) = (0, pace.first.min(count));
    loop {
        let began = Instant::now();
        let rows = done..done + size;
        let part = &mut out[done * width..(done + size) * width];
        call_detached(py, || {
            fill(rows, part).map_err(|error| counted_from(done, error))
        })?;
        done += size;
        if done == count {
            return Ok(());
        }
        py.check_signals()?;
        size = pace.next_size(size, began.elapsed()).min(count - done);
    }
}

/// The error of a part of many, whose first one has this number: the library counts from the first of the part.
fn counted_from(first: usize, error: kinworld::Error) -> kinworld::Error {
    let kinworld::Error::Invalid { what, problem } = error else {
        return error;
    };
    let (subject, rest) = what.split_at(what.find(',').unwrap_or(what.len()));
    let number = subject.split_once(' ');
    let number = number.and_then(|(kind, k)| Some((kind, k.parse::<usize>().ok()?)));
    let what = match number {
        Some((kind, k)) => format!("{kind} {}{rest}", first + k),
        None => what,
    };
    kinworld::Error::Invalid { what, problem }
}

impl Pace {
    /// The number of rows that take about as long as a chunk, if `size` rows took `elapsed`; at least 1.
    fn next_size(self, size: usize, elapsed: Duration) -> usize {
        let ratio = CHUNK.as_secs_f64() / elapsed.as_secs_f64().max(1e-6);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a number of rows, about"
        )]
        let wanted = (size as f64 * ratio.clamp(1.0 / 16.0, self.growth)) as usize;
        wanted.max(1).div_ceil(LANES) * LANES
    }
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

/// Work that is not worth a thread of its own.
const LITTLE: Duration = Duration::from_millis(5);

/// Answers for `count` problems, blocks of `block` on all threads: in the background, so that Ctrl-C ends the call at once
/// and the work with the blocks that have begun.
///
/// The `first` problems are solved before, and tell whether so little is left that it needs no background.
pub(crate) fn in_blocks<T: Send + 'static>(
    py: Python<'_>,
    count: usize,
    (first, block): (usize, usize),
    solve: impl Fn(Range<usize>) -> kinworld::Result<Vec<T>> + Send + Sync + 'static,
) -> PyResult<Vec<T>> {
    let first = first.min(count);
    let began = Instant::now();
    let mut out = call_detached(py, || solve(0..first))?;
    py.check_signals()?;
    let elapsed = began.elapsed();
    let rest = move |job: Option<&Job>| {
        // the error is that of the first block with one, and blocks after one with an error are left out
        let failed = AtomicUsize::new(count);
        let blocks = (first..count).into_par_iter().step_by(block).map(|at| {
            if at > failed.load(Ordering::Relaxed) {
                return Ok(Vec::new());
            }
            let range = at..count.min(at + block);
            let solved = job.map_or(Ok(()), |job| job.advance(range.len()));
            let solved = solved.and_then(|()| solve(range));
            solved.map_err(|error| {
                failed.fetch_min(at, Ordering::Relaxed);
                counted_from(at, error)
            })
        });
        blocks
            .collect::<Vec<_>>()
            .into_iter()
            .collect::<kinworld::Result<Vec<_>>>()
    };
    #[expect(clippy::cast_precision_loss, reason = "about")]
    let left = elapsed.as_secs_f64() * (count - first) as f64 / first as f64;
    // not where nothing is known of it, and not of many, of which the first may be the least work
    let is_little = left <= LITTLE.as_secs_f64() && count - first <= 16 * first;
    let blocks = if is_little {
        call_detached(py, || rest(None))?
    } else {
        in_background(py, None, move |job| rest(Some(job)))?
    };
    out.reserve_exact(count - first);
    out.extend(blocks.into_iter().flatten());
    Ok(out)
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
