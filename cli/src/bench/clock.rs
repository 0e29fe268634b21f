//! Medians of many short batches.

use std::hint::black_box;
use std::time::{Duration, Instant};

use kinworld::Result;

/// The median time of a call in nanoseconds: of batches of about a millisecond, warm. Calls are numbered from 0 on.
///
/// # Errors
///
/// The first error of a call.
pub(super) fn median_ns(mut call: impl FnMut(usize) -> Result<()>) -> Result<f64> {
    let mut number = 0;
    let mut batch = |calls: usize| -> Result<Duration> {
        let start = Instant::now();
        for _ in 0..calls {
            black_box(call(black_box(number)))?;
            number += 1;
        }
        Ok(start.elapsed())
    };

    // number of calls per batch; also warms up
    let mut calls = 1;
    let mut time = batch(calls)?;
    while time < BATCH / 2 {
        calls *= 2;
        time = batch(calls)?;
    }
    let calls = (calls as f64 * BATCH.as_secs_f64() / time.as_secs_f64()).max(1.0) as usize;

    let mut times = Vec::with_capacity(BATCHES);
    for _ in 0..BATCHES {
        times.push(batch(calls)?);
    }
    times.sort_unstable();
    Ok(times[BATCHES / 2].as_secs_f64() * 1e9 / calls as f64)
}

/// A time in nanoseconds, with a readable unit.
pub(super) fn readable(ns: f64) -> String {
    match ns {
        ns if ns < 100.0 => format!("{ns:.1} ns"),
        ns if ns < 1e4 => format!("{ns:.0} ns"),
        ns if ns < 1e7 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.1} ms", ns / 1e6),
    }
}

const BATCH: Duration = Duration::from_millis(1);
const BATCHES: usize = 41;
