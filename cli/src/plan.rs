//! `plan`: searches a path, shows the progress, and writes the result.

use std::path::Path as FilePath;
use std::time::Instant;

use kinworld::planning::Trajectory;

use crate::answer::{Answer, Path, json_line};
use crate::args::Plan;
use crate::output::Output;
use crate::progress::Progress;
use crate::request::Refusal;
use crate::{Failure, load, print, report};

pub(crate) fn run(args: Plan, output: &mut Output) -> Result<(), Failure> {
    let request = args.request();
    let target = args
        .output
        .as_deref()
        .map(Target::of)
        .transpose()
        .map_err(refused)?;
    let session = load::session(&args.files, args.load)?;
    let (began, limit) = (Instant::now(), request.max_seconds.unwrap_or_default());
    let mut progress = Progress::new("planning");
    let found = Path::of(&session, &request, |samples| {
        let seconds = began.elapsed().as_secs_f64();
        progress.show(seconds / limit, || {
            format!("{seconds:.1} of {limit} s, {samples} samples")
        });
        true
    });
    drop(progress);
    match (target, found) {
        (Some(target), Ok(path)) if path.corners.is_ok() => target.write(&path).map_err(refused),
        (_, found) => print(output, args.format, found),
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
