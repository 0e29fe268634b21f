//! `plan`: looks for a path, tells how it goes, and puts it where it is wanted.

use std::io::{IsTerminal, Write};
use std::path::Path as FilePath;
use std::time::{Duration, Instant};

use kinworld::planning::Trajectory;

use crate::answer::{Answer, Path, json_line};
use crate::args::Plan;
use crate::output::Output;
use crate::request::Refusal;
use crate::{Failure, load, print, report};

pub(crate) fn run(args: Plan, output: &mut Output) -> Result<(), Failure> {
    let journey = args.journey();
    let session = load::session(&args.files, args.load)?;
    let mut progress = Progress::new(journey.max_seconds.unwrap_or_default());
    let found = Path::of(&session, &journey, |samples| {
        progress.show(samples);
        true
    });
    progress.clear();
    match (&args.output, found) {
        (Some(file), Ok(path)) if path.corners.is_ok() => write(file, &path).map_err(refused),
        (_, found) => print(output, args.format, found),
    }
}

/// Writes a path in the format that the suffix names.
fn write(file: &FilePath, path: &Path) -> Result<(), Refusal> {
    let suffix = file.extension().and_then(|suffix| suffix.to_str());
    let text = match (suffix, &path.corners) {
        (Some("path"), Ok(corners)) => {
            return Ok(Trajectory::from_path(corners.clone())?.save(file)?);
        }
        (Some("csv"), _) => path.text(),
        (Some("json"), _) => json_line(None, &Ok(path.json())) + "\n",
        _ => {
            let problem = "has none of the suffixes .csv, .json and .path";
            return Err(Refusal(format!("{}: {problem}", file.display())));
        }
    };
    std::fs::write(file, text)
        .map_err(|error| Refusal(format!("{}: cannot be written: {error}", file.display())))
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}

/// A line on standard error, where somebody sees it, that is written over and over.
struct Progress {
    began: Instant,
    shown: Instant,
    most: f64,
    is_seen: bool,
}

impl Progress {
    fn new(most: f64) -> Self {
        let now = Instant::now();
        Self {
            began: now,
            shown: now,
            most,
            is_seen: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, samples: usize) {
        if !self.is_seen || self.shown.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.shown = Instant::now();
        let seconds = self.began.elapsed().as_secs_f64();
        let done = (30.0 * (seconds / self.most).min(1.0)) as usize;
        let bar = "#".repeat(done) + &".".repeat(30 - done);
        self.write(&format!(
            "[{bar}] {seconds:.1} of {} s, {samples} samples",
            self.most
        ));
    }

    fn clear(&mut self) {
        if self.is_seen {
            self.write("");
        }
    }

    /// Progress that cannot be shown is no reason to stop.
    fn write(&self, line: &str) {
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
    }
}
