//! `plan`, `plan-prioritized` and `cartesian`: find a path, show the progress, and write the result.

use std::path::Path as FilePath;
use std::time::Instant;

use kinworld::planning::Trajectory;

use crate::answer::{self, Answer, Path, Prioritized, json_line};
use crate::args::{Cartesian, Format, Html, Plan, PlanPrioritized};
use crate::outfile::OutFile;
use crate::output::Output;
use crate::progress::Progress;
use crate::request::{Key, Refusal};
use crate::session::Session;
use crate::{Failure, export, load, missing, reply, report};

pub(crate) fn run(args: Plan, output: &mut Output) -> Result<(), Failure> {
    let request = args.request().map_err(refused)?;
    let target = Target::of_option(args.output.as_deref())?;
    let session = load::session(&args.files, args.degrees, args.load)?.allowing(args.missing);
    let written = Written::new(&session, args.output.as_deref(), target, &args.page)?;
    let mut progress = Searching::new(request.max_seconds.unwrap_or_default());
    let found = Path::of(&session, &request, |samples| progress.goes_on(samples));
    drop(progress);
    for hint in found.iter().flat_map(Path::hints) {
        session.hint(hint);
    }
    let robot = request.space.robot.as_ref();
    written.reply(&session, robot, found, args.format, output)
}

pub(crate) fn run_prioritized(args: PlanPrioritized, output: &mut Output) -> Result<(), Failure> {
    let request = args.request().map_err(refused)?;
    let target = Target::of_option(args.output.as_deref())?;
    let session = load::session(&args.files, args.degrees, args.load)?.allowing(args.missing);
    let written = Written::new(&session, args.output.as_deref(), target, &args.page)?;
    let mut progress = Searching::new(request.max_seconds.unwrap_or_default());
    let found = Prioritized::of(&session, &request, |samples| progress.goes_on(samples));
    drop(progress);
    if let Some(hint) = found.iter().find_map(Prioritized::hint) {
        session.hint(hint);
    }
    written.reply(&session, None, found, args.format, output)
}

pub(crate) fn run_cartesian(args: Cartesian, output: &mut Output) -> Result<(), Failure> {
    let request = args.request().map_err(refused)?;
    let target = Target::of_option(args.output.as_deref())?;
    let session = load::session(&args.files, args.degrees, args.load)?.allowing(args.missing);
    let written = Written::new(&session, args.output.as_deref(), target, &args.page)?;
    let found = answer::Cartesian::of(&session, &request);
    let robot = request.space.robot.as_ref();
    written.reply(&session, robot, found, args.format, output)
}

/// The progress of a search with a time limit.
#[derive(Debug)]
struct Searching {
    progress: Progress,
    began: Instant,
    limit: f64,
}

impl Searching {
    fn new(limit: f64) -> Self {
        Self {
            progress: Progress::new("planning"),
            began: Instant::now(),
            limit,
        }
    }

    /// Shows the number of samples; always true.
    fn goes_on(&mut self, samples: usize) -> bool {
        let (seconds, limit) = (self.began.elapsed().as_secs_f64(), self.limit);
        self.progress.show(seconds / limit, || {
            format!("{seconds:.1} of {limit} s, {samples} samples")
        });
        true
    }
}

/// Files that a path is written to.
#[derive(Debug)]
struct Written {
    target: Option<(Target, OutFile)>,
    page: Option<OutFile>,
}

impl Written {
    fn new(
        session: &Session,
        output: Option<&FilePath>,
        target: Option<Target>,
        page: &Html,
    ) -> Result<Self, Failure> {
        let file = output.map(|path| OutFile::of(path, &session.inputs));
        let file = file.transpose().map_err(refused)?;
        Ok(Self {
            target: target.zip(file),
            page: export::file(page.html.as_ref(), &session.inputs).map_err(refused)?,
        })
    }

    /// Writes what was found, and answers with it where no file was asked for.
    fn reply<A: Planned>(
        self,
        session: &Session,
        robot: Option<&Key>,
        found: Result<A, Refusal>,
        format: Format,
        output: &mut Output,
    ) -> Result<(), Failure> {
        // beside the table of waypoints, which is CSV
        if let Ok(found) = &found {
            report::lines(&missing::line(found.missing()));
        }
        if let (Some(page), Ok(found)) = (self.page, &found) {
            let shown = match found.reason() {
                None => found.show(session, robot, &page),
                Some(_) => page.remove_stale(),
            };
            shown.map_err(refused)?;
        }
        match (self.target, found) {
            (Some((target, file)), Ok(found)) => {
                target.write(&found, &file).map_err(refused)?;
                match found.reason() {
                    None => {
                        report::hints(&session.take_hints());
                        Ok(())
                    }
                    Some(_) => reply(output, format, session, Ok(found)),
                }
            }
            (_, found) => reply(output, format, session, found),
        }
    }
}

/// An answer that is written to files: a path or motions, or why there are none.
trait Planned: Answer {
    /// Names of elements without geometry.
    fn missing(&self) -> &[String];

    /// Writes a page that plays it.
    fn show(&self, session: &Session, robot: Option<&Key>, page: &OutFile) -> Result<(), Refusal>;

    /// The trajectory that Klampt's `.path` has.
    fn trajectory(&self) -> Result<Trajectory, Refusal>;
}

impl<A: Answer + AsRef<Path>> Planned for A {
    fn missing(&self) -> &[String] {
        &self.as_ref().missing
    }

    fn show(&self, session: &Session, robot: Option<&Key>, page: &OutFile) -> Result<(), Refusal> {
        let path = self.as_ref();
        let robot = session.robot(robot)?;
        match (&path.timed, &path.corners) {
            (Some(timed), _) => export::timed_motion(session, robot, timed, page),
            (None, Ok(corners)) => export::path(session, robot, corners, page),
            (None, Err(reason)) => Err(Refusal(reason.clone())),
        }
    }

    fn trajectory(&self) -> Result<Trajectory, Refusal> {
        let path = self.as_ref();
        match (&path.timed, &path.corners) {
            (Some(timed), _) => timed.trajectory(),
            (None, Ok(corners)) => Ok(Trajectory::from_path(corners.clone())?),
            (None, Err(reason)) => Err(Refusal(reason.clone())),
        }
    }
}

impl Planned for Prioritized {
    fn missing(&self) -> &[String] {
        &self.missing
    }

    fn show(&self, session: &Session, _: Option<&Key>, page: &OutFile) -> Result<(), Refusal> {
        export::joint_motion(session, self.motion()?, page)
    }

    fn trajectory(&self) -> Result<Trajectory, Refusal> {
        self.motion()?.trajectory()
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
    fn of_option(file: Option<&FilePath>) -> Result<Option<Self>, Failure> {
        file.map(Self::of).transpose().map_err(refused)
    }

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
    fn write(self, found: &impl Planned, file: &OutFile) -> Result<(), Refusal> {
        match (self, found.reason()) {
            (Self::Json, _) => file.write(&(json_line(None, &Ok(found.json())) + "\n")),
            (_, Some(_)) => file.remove_stale(),
            (Self::Csv, None) => file.write(&found.text()),
            (Self::Klampt, None) => {
                let trajectory = found.trajectory()?;
                Ok(trajectory.save_with(file.path(), file.options())?)
            }
        }
    }
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}
