//! `plan`: searches a path, shows the progress, and writes the result.

use std::path::Path as FilePath;
use std::time::Instant;

use kinworld::planning::Trajectory;

use crate::answer::{Answer, Path, json_line};
use crate::args::Plan;
use crate::outfile::OutFile;
use crate::output::Output;
use crate::progress::Progress;
use crate::request::Refusal;
use crate::{Failure, export, load, missing, reply, report};

pub(crate) fn run(args: Plan, output: &mut Output) -> Result<(), Failure> {
    let request = args.request().map_err(refused)?;
    let target = args
        .output
        .as_deref()
        .map(Target::of)
        .transpose()
        .map_err(refused)?;
    let session = load::session(&args.files, args.degrees, args.load)?.allowing(args.missing);
    let file = args
        .output
        .as_deref()
        .map(|path| OutFile::of(path, &session.inputs))
        .transpose()
        .map_err(refused)?;
    let page = export::file(args.page.html.as_ref(), &session.inputs).map_err(refused)?;
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
    if let Ok(Some(hint)) = found.as_ref().map(Path::hint) {
        session.hint(hint);
    }
    // beside the table of waypoints, which is CSV
    if let Ok(path) = &found {
        report::lines(&missing::line(&path.missing));
    }
    if let (Some(page), Ok(path)) = (page, &found) {
        let shown = match &path.corners {
            Ok(corners) => {
                let robot = session.robot(request.space.robot.as_ref());
                robot.and_then(|robot| match &path.timed {
                    Some(timed) => export::timed_motion(&session, robot, timed, &page),
                    None => export::path(&session, robot, corners, &page),
                })
            }
            Err(_) => page.remove_stale(),
        };
        shown.map_err(refused)?;
    }
    match (target.zip(file), found) {
        (Some((target, file)), Ok(path)) => {
            target.write(&path, &file).map_err(refused)?;
            match path.corners {
                Ok(_) => {
                    report::hints(&session.take_hints());
                    Ok(())
                }
                Err(_) => reply(output, args.format, &session, Ok(path)),
            }
        }
        (_, found) => reply(output, args.format, &session, found),
    }
}

/// The format of the file for a path, which its suffix names.
#[derive(Debug, Clone, Copy)]
enum Target {
    Csv,
    Json,
    Klampt,
}

impl Target {
    /// Checked before the search, so that a wrong suffix fails at once.
    fn of(file: &FilePath) -> Result<Self, Refusal> {
        match file.extension().and_then(|suffix| suffix.to_str()) {
            Some("csv") => Ok(Self::Csv),
            Some("json") => Ok(Self::Json),
            Some("path") => Ok(Self::Klampt),
            _ => {
                let problem = "its suffix must be .csv, .json or .path";
                Err(Refusal(format!("{}: {problem}", file.display())))
            }
        }
    }

    /// Writes a path. Without one the reason is written where the format has a place for it, and an old file is removed
    /// elsewhere.
    fn write(self, path: &Path, file: &OutFile) -> Result<(), Refusal> {
        match (self, &path.corners) {
            (Self::Json, _) => file.write(&(json_line(None, &Ok(path.json())) + "\n")),
            (_, Err(_)) => file.remove_stale(),
            (Self::Csv, Ok(_)) => file.write(&path.text()),
            (Self::Klampt, Ok(corners)) => {
                let trajectory = match &path.timed {
                    Some(timed) => timed.trajectory()?,
                    None => Trajectory::from_path(corners.clone())?,
                };
                Ok(trajectory.save_with(file.path(), file.options())?)
            }
        }
    }
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}
