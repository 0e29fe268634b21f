//! Command-line tool of kinworld: load robots and worlds, move them, query them.
//!
//! It translates and never decides: [`args`] is what can be asked, [`request`] the question as plain data,
//! [`answer`] the calls of the library that answer it. The subcommands and [`query`] meet there, so both say
//! the same. [`bench`] alone has a watch.

mod acm;
mod answer;
mod args;
mod bench;
mod check;
mod excerpt;
mod facts;
mod json;
mod load;
mod output;
mod plan;
mod query;
mod report;
mod request;
mod session;
mod simulate;
mod spherize;
mod table;

use std::io;
use std::process::ExitCode;

use clap::Parser;

use answer::{Answer, Collide, Dynamics, Explanation, Fk, Ik, Info, Jacobian, Postures, json_line};
use args::{Cli, Collision, Command, Format};
use bench::Bench;
use output::Output;
use request::Refusal;
use session::Session;

/// Why the tool stops before it is done.
#[derive(Debug)]
pub(crate) enum Failure {
    /// An input was refused, and standard error says why.
    Refused,
    /// Standard input cannot be read.
    Input(io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused) => ExitCode::FAILURE,
        Err(Failure::Input(error)) => {
            report::refusal(&format!("cannot read standard input: {error}"));
            ExitCode::FAILURE
        }
        // whoever reads has had enough: `kinworld info arm.rob | head -1`
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
            let session = load::session(&files, load)?;
            print(output, format, Bench::of(&session, robot.as_ref()))
        }
        Command::Check(check) => check::run(check, output),
        Command::Collide(Collision { still, link, .. }) => {
            let session = load::session(&still.files, still.load)?;
            let posture = still.posture.into();
            let collide = Collide::of(&session, &posture)
                .and_then(|collide| collide.showing(&session, &posture, link.as_ref()));
            print(output, still.format, collide)
        }
        Command::Dynamics(args) => {
            let session = load::session(&args.still.files, args.still.load)?;
            let moved = args.drive.from(args.still.posture);
            let dynamics = Dynamics::of(&session, &moved);
            print(output, args.still.format, dynamics)
        }
        Command::Fk(motion) => {
            let session = load::session(&motion.still.files, motion.still.load)?;
            let point = motion.point.unwrap_or_default();
            let fk = Fk::of(&session, &motion.still.posture.into())
                .and_then(|fk| fk.showing(motion.link.as_ref(), point));
            print(output, motion.still.format, fk)
        }
        Command::Convert {
            input,
            output,
            load,
        } => load::convert(&input, &output, load),
        Command::Info {
            files,
            load,
            format,
        } => {
            let session = load::session(&files, load)?;
            print(output, format, Ok(Info::of(&session)))
        }
        Command::Jacobian(motion) => {
            let session = load::session(&motion.still.files, motion.still.load)?;
            let point = motion.point.unwrap_or_default();
            let posture = motion.still.posture.into();
            let jacobian = Jacobian::of(&session, &posture, motion.link.as_ref(), point);
            print(output, motion.still.format, jacobian)
        }
        Command::Ik(args) => {
            let (files, load) = (&args.still.files, args.still.load.clone());
            let session = load::session(files, load)?;
            let (format, all) = (args.still.format, args.all);
            let reach = args.reach();
            if all {
                print(output, format, Postures::of(&session, &reach))
            } else {
                print(output, format, Ik::of(&session, &reach))
            }
        }
        Command::Wrench(args) => {
            let json = args.json;
            let session = load::session(&args.files, args.load.clone())?;
            let explained = explained(&session, &args)?;
            match explained {
                Ok(explanation) if !json && !args.table => output.text(&explanation.csv()),
                explained => print(output, Format { json }, explained),
            }
        }
        Command::Simulate(args) => {
            let session = load::session(&args.files, args.load.clone())?;
            print(output, args.format, args.run(&session))
        }
        Command::Plan(args) => plan::run(args, output),
        Command::Acm(args) => acm::run(args, output),
        Command::Spherize(args) => spherize::run(args, output),
        Command::Xacro { path, load } => output.text(&load::expanded(&path, load)?),
        Command::Query { files, load, .. } => {
            let session = load::session(&files, load)?;
            query::run(&session, io::stdin().lock(), output)
        }
    }
}

/// What acts on links during a motion; a file that cannot be used is a failure at once.
fn explained<'a>(
    session: &'a Session,
    args: &args::Wrench,
) -> Result<Result<Explanation<'a>, Refusal>, Failure> {
    let robot = match session.robot(args.robot.as_ref()) {
        Ok(robot) => robot,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let motion = load::motion(robot.model(), &args.motion, args.load.clone())?;
    let observed = (Some(&args.observer), args.link.as_ref());
    Ok(Explanation::of(
        robot,
        &motion,
        observed,
        args.gravity,
        &args.pushes,
    ))
}

/// Prints an answer, or says why there is none.
fn print(
    output: &mut Output,
    format: Format,
    outcome: Result<impl Answer, Refusal>,
) -> Result<(), Failure> {
    if format.json {
        let answer = outcome.as_ref().map(Answer::json);
        output.line(&json_line(None, &answer.map_err(Clone::clone)))?;
    }
    match outcome {
        Ok(_) if format.json => Ok(()),
        Ok(answer) => output.text(&answer.text()),
        Err(Refusal(message)) => {
            report::refusal(&message);
            Err(Failure::Refused)
        }
    }
}
