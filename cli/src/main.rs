//! Command-line tool of kinworld: load robots and worlds, move them, query them.
//!
//! It translates and never decides: [`args`] defines the command line, [`request`] the requests as plain data, and
//! [`answer`] calls the library. Subcommands and [`query`] share both, so their answers agree. Only [`bench`] measures
//! time.

mod acm;
mod answer;
mod args;
mod bench;
mod change;
mod check;
mod completions;
mod config;
mod descriptions;
mod dof_values;
mod excerpt;
mod export;
mod facts;
mod grouping;
mod hints;
mod json;
mod load;
mod missing;
mod outfile;
mod output;
mod place;
mod placed;
mod plan;
mod progress;
mod query;
mod render;
mod report;
mod request;
mod session;
mod simulate;
mod spherize;
mod style;
mod table;
#[cfg(feature = "view")]
mod view;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use answer::{
    Answer, Balances, Collide, Distance, Dynamics, Fk, Ik, Info, Jacobian, Nearest, Postures, Ray,
    json_line,
};
use args::{Cli, Collision, Command, Format};
use bench::Bench;
use hints::Hints;
use output::Output;
use request::Refusal;
use session::Session;

/// Reason for an early exit.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid input; the reason is on standard error.
    Refused,
    /// A valid request without an answer: no path, not reached, stopped. The reason was printed.
    NoAnswer,
    /// Standard input cannot be read.
    Input(io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// Exit code of a valid request without an answer.
const NO_ANSWER: u8 = 3;

fn main() -> ExitCode {
    let cli = Cli::of_the_command_line();
    style::set(cli.messages);
    let outputs: Vec<PathBuf> = cli.command.outputs().into_iter().cloned().collect();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused) => {
            // what a user finds there is not of this run
            for path in outputs.iter().filter(|path| path.is_file()) {
                report::note(&format!("{}: the old file is unchanged", path.display()));
            }
            ExitCode::FAILURE
        }
        Err(Failure::NoAnswer) => ExitCode::from(NO_ANSWER),
        Err(Failure::Input(error)) => {
            report::refusal(&format!("cannot read standard input: {error}"));
            ExitCode::FAILURE
        }
        // the reader closed the pipe: `kinworld info arm.rob | head -1`
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::SUCCESS
        }
        Err(Failure::Output(error)) => {
            report::refusal(&format!("cannot write to standard output: {error}"));
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    let output = &mut Output::new();
    match command {
        Command::Bench {
            files,
            robot,
            load,
            format,
        } => {
            let session = load::session(&files, false, load)?;
            reply(
                output,
                format,
                &session,
                Bench::of(&session, robot.as_ref()),
            )
        }
        Command::Check(check) => check::run(check, output),
        Command::Collide(Collision {
            robot,
            link,
            page,
            missing,
        }) => {
            let session =
                load::session(&robot.files, robot.posture.degrees, robot.load)?.allowing(missing);
            let posture = robot.posture.into();
            let collide = export::file(page.html.as_ref(), &session.inputs).and_then(|file| {
                let collide = Collide::of(&session, &posture)?;
                let collide = collide.showing(&session, &posture, link.as_ref())?;
                if let Some(file) = file {
                    export::collisions(&session, &posture, &file)?;
                }
                Ok(collide)
            });
            reply(output, robot.format, &session, collide)
        }
        Command::Dynamics(args) => {
            let session = load::session(
                &args.robot.files,
                args.robot.posture.degrees,
                args.robot.load,
            )?;
            let request = args.drive.request(args.robot.posture);
            let dynamics = Dynamics::of(&session, &request);
            reply(output, args.robot.format, &session, dynamics)
        }
        Command::Fk(motion) => {
            let args::Fk { motion, quaternion } = motion;
            let session = load::session(
                &motion.robot.files,
                motion.robot.posture.degrees,
                motion.robot.load,
            )?;
            let point = motion.point.unwrap_or_default();
            let fk = Fk::of(&session, &motion.robot.posture.into())
                .and_then(|fk| fk.showing(&session, motion.link.as_ref(), point))
                .map(|fk| match quaternion {
                    true => fk.with_quaternions(),
                    false => fk,
                });
            reply(output, motion.robot.format, &session, fk)
        }
        Command::Distance(args) => {
            let session = load::session(
                &args.robot.files,
                args.robot.posture.degrees,
                args.robot.load,
            )?
            .allowing(args.missing);
            let (format, posture) = (args.robot.format, args.robot.posture.into());
            match args.pair.as_deref() {
                Some([a, b]) => {
                    let distance = Distance::of(&session, &posture, a, b);
                    reply(output, format, &session, distance)
                }
                _ => {
                    let nearest = Nearest::of(&session, &posture, args.nearest);
                    reply(output, format, &session, nearest)
                }
            }
        }
        Command::Ray(args) => {
            let session = load::session(
                &args.robot.files,
                args.robot.posture.degrees,
                args.robot.load,
            )?
            .allowing(args.missing);
            let posture = args.robot.posture.into();
            let ray = Ray::of(&session, &posture, args.origin, args.direction);
            reply(output, args.robot.format, &session, ray)
        }
        Command::Place(args) => place::run(args, output),
        Command::Completions { shell } => output.text(&completions::of(shell)),
        Command::Man => output.text(&completions::man()?),
        Command::Convert {
            input,
            output,
            to,
            force,
            load,
        } => load::convert(&input, &output, to, force, load),
        Command::Export(args) => export::run(*args),
        Command::Render(args) => render::run(*args),
        Command::Info {
            files,
            load,
            degrees,
            format,
        } => {
            let session = load::session(&files, degrees, load)?;
            reply(output, format, &session, Ok(Info::of(&session, degrees)))
        }
        Command::Jacobian(motion) => {
            let session = load::session(
                &motion.robot.files,
                motion.robot.posture.degrees,
                motion.robot.load,
            )?;
            let point = motion.point.unwrap_or_default();
            let posture = motion.robot.posture.into();
            let jacobian = Jacobian::of(&session, &posture, motion.link.as_ref(), point);
            reply(output, motion.robot.format, &session, jacobian)
        }
        Command::Ik(args) => {
            let (files, load) = (&args.robot.files, args.robot.load.clone());
            let session =
                load::session(files, args.robot.posture.degrees, load)?.allowing(args.missing);
            let (format, all) = (args.robot.format, args.all);
            let request = args.request();
            if all {
                let postures = request.and_then(|request| Postures::of(&session, &request));
                reply(output, format, &session, postures)
            } else {
                let found = request.and_then(|request| Ik::of(&session, &request));
                reply(output, format, &session, found)
            }
        }
        Command::Wrench(args) => {
            let json = args.json;
            let session = load::session(&args.files, args.degrees, args.load.clone())?;
            let balances = balances(&session, &args)?;
            match balances {
                Ok(balances) if !json && !args.table => output.text(&balances.csv()),
                balances => reply(output, Format { json }, &session, balances),
            }
        }
        Command::Simulate(args) => {
            let session = load::session(&args.files, args.posture.degrees, args.load.clone())?;
            reply(output, args.format, &session, args.run(&session))
        }
        Command::Plan(args) => plan::run(args, output),
        Command::PlanPrioritized(args) => plan::run_prioritized(*args, output),
        Command::Cartesian(args) => plan::run_cartesian(*args, output),
        Command::Acm(args) => acm::run(args, output),
        Command::Spherize(args) => spherize::run(args, output),
        #[cfg(feature = "view")]
        Command::View(args) => view::run(&args, output),
        Command::Xacro { path, load } => output.text(&load::expanded(&path, load)?),
        Command::Query {
            files,
            load,
            missing,
        } => {
            let session = load::session(&files, false, load.clone())?.allowing(missing);
            let library = query::Library::new(&files, load);
            query::run(session, library, io::stdin().lock(), output)
        }
    }
}

/// Wrench balances of a motion; an invalid file is a failure at once.
fn balances<'a>(
    session: &'a Session,
    args: &args::Wrench,
) -> Result<Result<Balances<'a>, Refusal>, Failure> {
    let robot = match session.robot(args.robot.as_ref()) {
        Ok(robot) => robot,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let mut inputs = session.inputs.clone();
    inputs.push(args.motion.clone());
    let file = match export::file(args.page.html.as_ref(), &inputs) {
        Ok(file) => file,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let motion = load::motion(robot.model(), &args.motion, args.degrees, args.load.clone())?;
    let observed = (Some(&args.observer), args.link.as_ref());
    let balances = Balances::of(robot, &motion, observed, args.gravity, &args.external);
    Ok(balances.and_then(|balances| {
        if let Some(file) = file {
            export::wrenches(session, robot, &motion, &balances, &file)?;
        }
        Ok(balances)
    }))
}

/// Prints an answer about a world, or the reason for an error.
fn reply(
    output: &mut Output,
    format: Format,
    session: &Session,
    outcome: Result<impl Answer, Refusal>,
) -> Result<(), Failure> {
    let hints = session.take_hints();
    report::hints(&hints);
    print_with(output, format, &hints, outcome)
}

/// Prints an answer, or the reason for an error.
fn print(
    output: &mut Output,
    format: Format,
    outcome: Result<impl Answer, Refusal>,
) -> Result<(), Failure> {
    print_with(output, format, &Hints::default(), outcome)
}

fn print_with(
    output: &mut Output,
    format: Format,
    hints: &Hints,
    outcome: Result<impl Answer, Refusal>,
) -> Result<(), Failure> {
    if format.json {
        let answer = outcome.as_ref().map(|answer| {
            let mut json = answer.json();
            hints.add_to(&mut json);
            json
        });
        output.line(&json_line(None, &answer.map_err(Clone::clone)))?;
    }
    match outcome {
        Ok(answer) => {
            if !format.json {
                output.text(&answer.text())?;
            }
            match answer.reason() {
                None => Ok(()),
                Some(reason) => {
                    report::refusal(&reason);
                    Err(Failure::NoAnswer)
                }
            }
        }
        Err(Refusal(message)) => {
            report::refusal(&message);
            Err(Failure::Refused)
        }
    }
}
