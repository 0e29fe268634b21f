//! Cost against size: each public operation on 10, 100 and more links or objects, and the exponent with which its time grows.
//!
//! ```sh
//! cargo bench -p kinworld-benches --bench growth
//! cargo bench -p kinworld-benches --bench growth -- --models /tmp/models    # writes the chains for tests/peers/rbd/pinbench
//! ```
//!
//! Times are minima over batches of one thread. The exponent is that of the last step: log of the ratio of the times by log of
//! the ratio of the sizes.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

mod dynamics;
mod objects;

use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let value = |flag: &str| {
        let at = args.iter().position(|arg| arg == flag)?;
        args.get(at + 1).cloned()
    };
    if args.iter().any(|arg| arg == "--test") {
        return;
    }
    if let Some(folder) = value("--models") {
        dynamics::write_models(folder.as_ref());
        return;
    }
    let only = value("--only").unwrap_or_default();
    if "dynamics".starts_with(&only) {
        dynamics::print(value("--robot").as_deref());
    }
    if "objects".starts_with(&only) && value("--robot").is_none() {
        objects::print();
    }
}

/// The least time of a call, in nanoseconds.
fn time(mut call: impl FnMut()) -> f64 {
    call();
    let start = Instant::now();
    call();
    let once = start.elapsed().as_nanos().max(1) as f64;
    let calls = (2e6 / once).ceil() as usize;
    let budget = Instant::now();
    let mut least = f64::INFINITY;
    for round in 0.. {
        let start = Instant::now();
        for _ in 0..calls {
            call();
        }
        least = least.min(start.elapsed().as_nanos() as f64 / calls as f64);
        if round >= 2 && budget.elapsed() > Duration::from_millis(60) {
            break;
        }
    }
    black_box(least)
}

/// Prints the times of one operation at each size, and the exponent of the last step.
fn print_row(name: &str, sizes: &[usize], times: &[f64]) {
    print!("| {name} |");
    for ns in times {
        print!(" {} |", duration(*ns));
    }
    let exponent = match (sizes, times) {
        ([.., a, b], [.., s, t]) => (t / s).ln() / (*b as f64 / *a as f64).ln(),
        _ => f64::NAN,
    };
    println!(" {exponent:.2} |");
}

/// Prints the names of the columns.
fn print_head(what: &str, sizes: &[usize]) {
    let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
    println!("\n| {what} | {} | exponent |", sizes.join(" | "));
    println!("|{}", "---|".repeat(sizes.len() + 2));
}

/// Three digits and a unit.
fn duration(ns: f64) -> String {
    let (number, unit) = match ns {
        _ if ns < 1e3 => (ns, "ns"),
        _ if ns < 1e6 => (ns / 1e3, "µs"),
        _ => (ns / 1e6, "ms"),
    };
    let digits = if number < 10.0 {
        2
    } else {
        usize::from(number < 100.0)
    };
    format!("{number:.digits$} {unit}")
}
