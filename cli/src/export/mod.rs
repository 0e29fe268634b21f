//! `export`: pages that show a world and its motion in a browser; also `--html` of other commands.

mod columns;
mod motion;
mod path;

use std::path::{Path, PathBuf};

use kinworld::kinematics::{Recording, Samples};
use kinworld::viewer::Page;
use kinworld::world::RobotRef;

use crate::answer::{Balances, Motion, Timed};
use crate::args::{Export, Files, Load};
use crate::outfile::OutFile;
use crate::request::{Posture, Refusal};
use crate::session::Session;
use crate::{Failure, load, missing, progress, report};

pub(crate) use columns::plots;
use path::timed;

pub(crate) fn run(mut args: Export) -> Result<(), Failure> {
    let Some(target) = args.paths.pop() else {
        return Err(refused(Refusal("no page to write".to_owned())));
    };
    check_suffix(&target).map_err(refused)?;
    if args.paths.is_empty() {
        let problem = format!(
            "no file to show in {}: name the files first, then the page",
            target.display()
        );
        return Err(refused(Refusal(problem)));
    }
    let files = Files { paths: args.paths };
    let degrees = args.posture.degrees;
    let session = load::session(&files, degrees, args.load.clone())?.allowing(args.missing);
    let mut inputs = session.inputs.clone();
    inputs.extend(args.motion.clone());
    let file = OutFile::of(&target, &inputs).map_err(refused)?;

    let robot = args.posture.robot.clone();
    let has_robot = session.world.n_robots() > 0 || robot.is_some();
    let session = match has_robot {
        true => posed(&session, &args.posture.into()).map_err(refused)?,
        false => session,
    };
    let mut page = Page::new(&session.world).with_collision_shapes(!args.only_visual);
    if args.live {
        page = page.with_live(args.missing.allow_missing_geometry);
    }
    if let Some(title) = args.title {
        page = page.with_title(title);
    }
    if let Some(path) = &args.motion {
        let robot = session.robot(robot.as_ref()).map_err(refused)?;
        let motion = motion::read(robot, path, degrees, args.load)?;
        page = page
            .with_motion(robot.id(), &motion.samples)
            .map_err(|error| refused(error.into()))?;
        for plot in motion.plots {
            page = page.with_plot(plot);
        }
    }
    if args.collisions {
        let names = session.missing().map_err(refused)?;
        report::lines(&missing::line(&names));
        let collider = session.collider().map_err(refused)?;
        let found = progress::waiting("finding collisions", || page.with_collisions(collider));
        page = found.map_err(|error| refused(error.into()))?;
    }
    write(&page, &file).map_err(refused)
}

/// The session with a robot at a posture.
pub(crate) fn posed(session: &Session, posture: &Posture) -> Result<Session, Refusal> {
    let (robot, state) = session.posed(posture)?;
    let id = robot.id();
    let mut world = session.world.clone();
    world.robot_mut(id)?.set_config(state.config())?;
    report::hints(&session.take_hints());
    Ok(session.with_world(world))
}

/// The page that `--html` names, checked before the work begins.
pub(crate) fn file(path: Option<&PathBuf>, inputs: &[PathBuf]) -> Result<Option<OutFile>, Refusal> {
    let checked = path.map(|path| {
        check_suffix(path)?;
        OutFile::of(path, inputs)
    });
    checked.transpose()
}

/// Writes a page of a session with a robot at a posture, and its collisions.
pub(crate) fn collisions(
    session: &Session,
    posture: &Posture,
    file: &OutFile,
) -> Result<(), Refusal> {
    let other;
    let session = match session.world.n_robots() {
        0 => session,
        _ => {
            other = posed(session, posture)?;
            &other
        }
    };
    write(
        &Page::new(&session.world).with_collisions(session.collider()?)?,
        file,
    )
}

/// The motion in a file, without the other columns of its table.
pub(crate) fn motion(
    robot: RobotRef<'_>,
    path: &Path,
    degrees: bool,
    load: Load,
) -> Result<Samples, Failure> {
    Ok(motion::read(robot, path, degrees, load)?.samples)
}

/// Writes a page of a motion and of the wrenches on links.
pub(crate) fn wrenches(
    session: &Session,
    robot: RobotRef<'_>,
    motion: &Recording,
    balances: &Balances<'_>,
    file: &OutFile,
) -> Result<(), Refusal> {
    let page = Page::new(&session.world);
    let mut page = page.with_motion(robot.id(), &motion::samples(motion))?;
    page = page.with_forces(&balances.forces)?;
    for plot in balances.plots() {
        page = page.with_plot(plot);
    }
    write(&page, file)
}

/// Writes a page of a path of a robot, and its collisions.
pub(crate) fn path(
    session: &Session,
    robot: RobotRef<'_>,
    waypoints: &[Vec<f64>],
    file: &OutFile,
) -> Result<(), Refusal> {
    let page = Page::new(&session.world).with_motion(robot.id(), &timed(robot, waypoints)?)?;
    write(&page.with_collisions(session.collider()?)?, file)
}

/// Writes a page of a motion of a robot, how much of its limits it uses, and its collisions.
pub(crate) fn timed_motion(
    session: &Session,
    robot: RobotRef<'_>,
    timed: &Timed,
    file: &OutFile,
) -> Result<(), Refusal> {
    let mut page = Page::new(&session.world).with_motion(robot.id(), &timed.samples())?;
    for plot in timed.plots(robot) {
        page = page.with_plot(plot);
    }
    write(&page.with_collisions(session.collider()?)?, file)
}

/// Writes a page with motions of several robots.
pub(crate) fn joint_motion(
    session: &Session,
    motion: &Motion,
    file: &OutFile,
) -> Result<(), Refusal> {
    let mut page = Page::new(&session.world);
    for (robot, samples) in motion.samples() {
        page = page.with_motion(robot, &samples)?;
    }
    write(&page.with_collisions(session.collider()?)?, file)
}

/// Writes a page.
pub(crate) fn write(page: &Page<'_>, file: &OutFile) -> Result<(), Refusal> {
    file.write(&page.html()?)
}

fn check_suffix(path: &Path) -> Result<(), Refusal> {
    let suffix = path.extension().and_then(|suffix| suffix.to_str());
    match suffix {
        Some(suffix)
            if ["html", "htm"]
                .iter()
                .any(|known| suffix.eq_ignore_ascii_case(known)) =>
        {
            Ok(())
        }
        _ => Err(Refusal(format!(
            "{}: a page is written to a file that ends with .html",
            path.display()
        ))),
    }
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}
