//! `plan`: searches a path, shows the progress, and writes the result.

use std::io::{IsTerminal, Write};
use std::path::Path as FilePath;
use std::time::{Duration, Instant};

use kinworld::planning::Trajectory;

use crate::answer::{Answer, Path, json_line};
use crate::args::Plan;
use crate::output::Output;
use crate::request::Refusal;
use crate::{Failure, load, reply, report};

pub(crate) fn run(args: Plan, output: &mut Output) -> Result<(), Failure> {
    let request = args.request().map_err(refused)?;
    let target = args
        .output
        .as_deref()
        .map(Target::of)
        .transpose()
        .map_err(refused)?;
    let session = load::session(&args.files, args.load)?;
    let mut progress = Progress::new(request.max_seconds.unwrap_or_default());
    let found = Path::of(&session, &request, |samples| {
        progress.show(samples);
        true
    });
    progress.clear();
    if let Ok(Some(hint)) = found.as_ref().map(Path::hint) {
        session.hint(hint);
    }
    match (target, found) {
        (Some(target), Ok(path)) if path.corners.is_ok() => {
            report::hints(&session.take_hints());
            target.write(&path).map_err(refused)
        }
        (_, found) => reply(output, args.format, &session, found),
    }
}

/// The file for a path, and the format that its suffix names.
enum Target<'a> {
    Csv(&'a FilePath),
    Json(&'a FilePath),
    Klampt(&'a FilePath),
}

impl<'a> Target<'a> {
    /// Checked before the search, so that a wrong suffix fails at once.
    fn of(file: &'a FilePath) -> Result<Self, Refusal> {
        match file.extension().and_then(|suffix| suffix.to_str()) {
            Some("csv") => Ok(Self::Csv(file)),
            Some("json") => Ok(Self::Json(file)),
            Some("path") => Ok(Self::Klampt(file)),
            _ => {
                let problem = "its suffix must be .csv, .json or .path";
                Err(Refusal(format!("{}: {problem}", file.display())))
            }
        }
    }

    fn write(&self, path: &Path) -> Result<(), Refusal> {
        let (file, text) = match self {
            Self::Csv(file) => (file, path.text()),
            Self::Json(file) => (file, json_line(None, &Ok(path.json())) + "\n"),
            Self::Klampt(file) => {
                let corners = path.corners.clone().map_err(Refusal)?;
                return Ok(Trajectory::from_path(corners)?.save(file)?);
            }
        };
        std::fs::write(file, text)
            .map_err(|error| Refusal(format!("{}: cannot be written: {error}", file.display())))
    }
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}

/// A progress line on standard error, if that is a terminal.
struct Progress {
    began: Instant,
    shown: Instant,
    limit: f64,
    is_terminal: bool,
}

impl Progress {
    fn new(limit: f64) -> Self {
        let now = Instant::now();
        Self {
            began: now,
            shown: now,
            limit,
            is_terminal: std::io::stderr().is_terminal(),
        }
    }

    fn show(&mut self, samples: usize) {
        if !self.is_terminal || self.shown.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.shown = Instant::now();
        let seconds = self.began.elapsed().as_secs_f64();
        let done = (30.0 * (seconds / self.limit).min(1.0)) as usize;
        let bar = "#".repeat(done) + &".".repeat(30 - done);
        self.write(&format!(
            "[{bar}] {seconds:.1} of {} s, {samples} samples",
            self.limit
        ));
    }

    fn clear(&mut self) {
        if self.is_terminal {
            self.write("");
        }
    }

    /// Errors of writing are ignored.
    fn write(&self, line: &str) {
        let _ = write!(std::io::stderr(), "\r\x1b[2K{line}");
    }
}
