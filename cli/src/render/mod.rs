//! `render`: pictures of a world.

mod film;

use std::path::{Path, PathBuf};

use kinworld::Point;
use kinworld::io::write_files;
use kinworld::render::{Camera, RenderOptions, picture};

use crate::args::{Files, Render};
use crate::export::posed;
use crate::outfile::OutFile;
use crate::request::Refusal;
use crate::{Failure, export, load, missing, progress, report};
use film::Film;

pub(crate) fn run(mut args: Render) -> Result<(), Failure> {
    let target = args.paths.pop().unwrap_or_default();
    let targets = [
        Some(&target),
        args.depth.as_ref(),
        args.segmentation.as_ref(),
    ];
    for (i, path) in targets.iter().enumerate() {
        check(*path, &targets[..i]).map_err(refused)?;
    }
    if args.paths.is_empty() {
        let name = target.display();
        let problem = format!("nothing to show in {name}: name the files first, then the picture");
        return Err(refused(Refusal(problem)));
    }
    let files = Files { paths: args.paths };
    let (robot, degrees, load) = (args.posture.robot.clone(), args.posture.degrees, args.load);
    let session = load::session(&files, degrees, load.clone())?.allowing(args.missing);
    let out = targets.map(|path| {
        path.map(|path| OutFile::of(path, &session.inputs))
            .transpose()
    });
    let [colors, depth, segments] = out;
    let out = [colors, depth, segments]
        .into_iter()
        .collect::<Result<Vec<_>, _>>();
    let out = out.map_err(refused)?;
    let session = match session.world.n_robots() > 0 || args.posture.robot.is_some() {
        true => posed(&session, &args.posture.into()).map_err(refused)?,
        false => session,
    };
    if let Some(motion) = &args.motion {
        let robot = session.robot(robot.as_ref()).map_err(refused)?;
        let motion = export::motion(robot, motion, degrees, load)?;
        let film = Film::new(&session, robot.id(), &motion, args.fps).map_err(refused)?;
        let camera = args.camera.map_or_else(
            || film.camera(args.size),
            |at| Ok(camera(at, args.size, args.fov)),
        );
        let camera = camera.map_err(refused)?;
        let bytes = film.draw(&camera, args.collisions).map_err(refused)?;
        let Some(Some(file)) = out.first() else {
            return Ok(());
        };
        let written = write_files([(file.path(), bytes.as_slice())], file.options());
        return written.map_err(|error| refused(error.into()));
    }
    let world = &session.world;
    let camera = match args.camera {
        Some(at) => camera(at, args.size, args.fov),
        None => Camera::of_world(world, args.size),
    };
    let mut options = RenderOptions::default();
    if args.collisions {
        let names = session.missing().map_err(refused)?;
        report::lines(&missing::line(&names));
        let pairs = session.collider().map_err(refused)?.colliding_pairs();
        options = options.with_red(pairs.into_iter().flat_map(|(a, b)| [a, b]));
    }
    let seen = progress::waiting("drawing", || picture(world, &camera, &options));
    let seen = seen.map_err(|error| refused(error.into()))?;
    let mut files: Vec<(&OutFile, Vec<u8>)> = Vec::new();
    for (i, file) in out.iter().enumerate() {
        let Some(file) = file else {
            continue;
        };
        let bytes = match i {
            0 => seen.to_png(),
            1 => seen.depth_to_png(),
            _ => seen.segmentation_to_png(),
        };
        files.push((file, bytes));
    }
    let Some((first, _)) = files.first() else {
        return Ok(());
    };
    let options = first.options().clone();
    let files = files
        .iter()
        .map(|(file, bytes)| (file.path(), bytes.as_slice()));
    write_files(files, &options).map_err(|error| refused(error.into()))
}

/// A camera from its place and the point that it looks at.
fn camera([x, y, z, to_x, to_y, to_z]: [f64; 6], size: [usize; 2], fov: f64) -> Camera {
    let (eye, target) = (Point::new(x, y, z), Point::new(to_x, to_y, to_z));
    Camera::looking_at(eye, target, size, fov.to_radians())
}

/// Refuses a name that is not that of a PNG, or that of a file that is written already.
fn check(path: Option<&PathBuf>, before: &[Option<&PathBuf>]) -> Result<(), Refusal> {
    let Some(path) = path else {
        return Ok(());
    };
    let refuse = |problem: &str| Err(Refusal(format!("{}: {problem}", path.display())));
    let suffix = Path::extension(path).and_then(|suffix| suffix.to_str());
    if !suffix.is_some_and(|suffix| suffix.eq_ignore_ascii_case("png")) {
        return refuse("a picture is written to a file that ends with .png");
    }
    match before.contains(&Some(path)) {
        true => refuse("cannot hold two pictures: name two files"),
        false => Ok(()),
    }
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}
