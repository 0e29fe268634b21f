//! Command-line tool of kinworld: load robots and worlds, move them, query them.
//!
//! It translates and never decides: [`args`] defines the command line, [`request`] the requests as plain data, and
//! [`answer`] calls the library. Subcommands and [`query`] share both, so their answers agree. Only [`bench`] measures
//! time.

mod acm;
mod answer;
mod args;
mod bench;
mod check;
mod completions;
mod excerpt;
mod facts;
mod grouping;
mod json;
mod load;
mod output;
mod place;
mod placed;
mod plan;
mod progress;
mod query;
mod report;
mod request;
mod session;
mod simulate;
mod spherize;
mod style;
mod table;

use std::io;
use std::process::ExitCode;

use answer::{
    Answer, Balances, Collide, Distance, Dynamics, Fk, Ik, Info, Jacobian, Nearest, Postures, Ray,
    json_line,
};
use args::{Cli, Collision, Command, Format};
use bench::Bench;
use output::Output;
use request::Refusal;
use session::Session;

/// Reason for an early exit.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Invalid input; the reason is on standard error.
    Refused,
    /// Standard input cannot be read.
    Input(io::Error),
    /// Standard output cannot be written.
    Output(io::Error),
}

fn main() -> ExitCode {
    let cli = Cli::of_the_command_line();
    style::set(cli.messages);
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Refused) => ExitCode::FAILURE,
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
            let session = load::session(&files, load)?;
            print(output, format, Bench::of(&session, robot.as_ref()))
        }
        Command::Check(check) => check::run(check, output),
        Command::Collide(Collision { robot, link, .. }) => {
            let session = load::session(&robot.files, robot.load)?;
            let posture = robot.posture.into();
            let collide = Collide::of(&session, &posture)
                .and_then(|collide| collide.showing(&session, &posture, link.as_ref()));
            print(output, robot.format, collide)
        }
        Command::Dynamics(args) => {
            let session = load::session(&args.robot.files, args.robot.load)?;
            let request = args.drive.request(args.robot.posture);
            let dynamics = Dynamics::of(&session, &request);
            print(output, args.robot.format, dynamics)
        }
        Command::Fk(motion) => {
            let args::Fk { motion, quaternion } = motion;
            let session = load::session(&motion.robot.files, motion.robot.load)?;
            let point = motion.point.unwrap_or_default();
            let fk = Fk::of(&session, &motion.robot.posture.into())
                .and_then(|fk| fk.showing(motion.link.as_ref(), point))
                .map(|fk| {
                    if quaternion {
                        fk.with_quaternions()
                    } else {
                        fk
                    }
                });
            print(output, motion.robot.format, fk)
        }
        Command::Distance(args) => {
            let session = load::session(&args.robot.files, args.robot.load)?;
            let posture = args.robot.posture.into();
            match args.pair.as_deref() {
                Some([a, b]) => {
                    let distance = Distance::of(&session, &posture, a, b);
                    print(output, args.robot.format, distance)
                }
                _ => {
                    let nearest = Nearest::of(&session, &posture, args.nearest);
                    print(output, args.robot.format, nearest)
                }
            }
        }
        Command::Ray(args) => {
            let session = load::session(&args.robot.files, args.robot.load)?;
            let posture = args.robot.posture.into();
            let ray = Ray::of(&session, &posture, args.origin, args.direction);
            print(output, args.robot.format, ray)
        }
        Command::Place(args) => place::run(args, output),
        Command::Completions { shell } => output.text(&completions::of(shell)),
        Command::Man => output.text(&completions::man()?),
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
            let session = load::session(&motion.robot.files, motion.robot.load)?;
            let point = motion.point.unwrap_or_default();
            let posture = motion.robot.posture.into();
            let jacobian = Jacobian::of(&session, &posture, motion.link.as_ref(), point);
            print(output, motion.robot.format, jacobian)
        }
        Command::Ik(args) => {
            let (files, load) = (&args.robot.files, args.robot.load.clone());
            let session = load::session(files, load)?;
            let (format, all) = (args.robot.format, args.all);
            let request = args.request();
            if all {
                print(output, format, Postures::of(&session, &request))
            } else {
                print(output, format, Ik::of(&session, &request))
            }
        }
        Command::Wrench(args) => {
            let json = args.json;
            let session = load::session(&args.files, args.load.clone())?;
            let balances = balances(&session, &args)?;
            match balances {
                Ok(balances) if !json && !args.table => output.text(&balances.csv()),
                balances => print(output, Format { json }, balances),
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

/// Wrench balances of a motion; an invalid file is a failure at once.
fn balances<'a>(
    session: &'a Session,
    args: &args::Wrench,
) -> Result<Result<Balances<'a>, Refusal>, Failure> {
    let robot = match session.robot(args.robot.as_ref()) {
        Ok(robot) => robot,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let motion = load::motion(robot.model(), &args.motion, args.load.clone())?;
    let observed = (Some(&args.observer), args.link.as_ref());
    Ok(Balances::of(
        robot,
        &motion,
        observed,
        args.gravity,
        &args.external,
    ))
}

/// Prints an answer, or the reason for an error.
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
