//! Loading of files, with diagnostics on standard error.

use std::path::{Path, PathBuf};

use kinworld::io::{self, FileKind, LoadOptions, Loader, SaveFormat, SaveOptions, Srdf};
use kinworld::kinematics::Recording;
use kinworld::{Diagnostic, Error, Loaded, Pose, Robot, WorldModel};

use crate::args::{Base, Files, FixedJoints, Kind, Load, To};
use crate::placed::{GivenPose, Placed};
use crate::report::{self, Report};
use crate::request::Refusal;
use crate::session::Session;
use crate::{Failure, place, progress};

/// One world of all files, in order; `degrees` is the unit of angles in their poses.
pub(crate) fn session(files: &Files, degrees: bool, load: Load) -> Result<Session, Failure> {
    session_at(files, None, degrees, load)
}

/// One world of all files, in order; those without a pose of their own at this one.
pub(crate) fn session_at(
    files: &Files,
    at: Option<GivenPose>,
    degrees: bool,
    load: Load,
) -> Result<Session, Failure> {
    let mut report = Report::short();
    session_reported(files, at, degrees, load, &mut report)
}

/// The same, with diagnostics in a report.
pub(crate) fn session_reported(
    files: &Files,
    at: Option<GivenPose>,
    degrees: bool,
    load: Load,
    report: &mut Report,
) -> Result<Session, Failure> {
    let files = files.paths.iter().map(|word| Placed::of(word));
    let files: Result<Vec<Placed>, Refusal> = files.collect();
    let mut files = files.map_err(|refusal| report.refuse(&refusal))?;
    for file in &mut files {
        file.pose = file.pose.or(at);
    }
    let load = of_robots(&files, load).map_err(|error| {
        report.error(&error);
        Failure::Refused
    })?;
    let named = load.srdf.clone();
    let options = LoadOptions::from(load);
    // options for URDF apply to the files that have one, if any has
    let are_all_rob = files.iter().all(|file| is_rob(&file.path));
    let plain = without_urdf(options.clone());
    let mut of_rob = Loader::with_options(if are_all_rob { options.clone() } else { plain });
    let mut of_others = Loader::with_options(options);
    let mut world = WorldModel::new();
    for file in &files {
        let loader = if is_rob(&file.path) {
            &mut of_rob
        } else {
            &mut of_others
        };
        let added = placed(loader, file, degrees, report)?;
        world.append(added);
    }
    let names: Vec<&str> = world.robots().map(|robot| robot.model().name()).collect();
    for (robot, file) in &named {
        let Some(robot) = robot.as_deref().filter(|name| !names.contains(name)) else {
            continue;
        };
        let problem = format!(
            "is for robot `{robot}`, which is not there; there are: {}",
            names.join(", ")
        );
        let help = format!("name its robot: --srdf ROBOT={}", file.display());
        report.diagnostics([&Diagnostic::warning(problem).in_file(file).help(help)]);
    }
    let mut session = Session::new(world);
    session.inputs = of_rob.files_read();
    session.inputs.extend(of_others.files_read());
    Ok(session)
}

/// With several files or SRDFs, each SRDF without a robot is for that of its name.
fn of_robots(files: &[Placed], mut load: Load) -> Result<Load, Error> {
    let n_plain = load
        .srdf
        .iter()
        .filter(|(robot, _)| robot.is_none())
        .count();
    if files.len() > 1 || n_plain > 1 {
        name_srdfs(&mut load)?;
        let is_only_robot = |kinds: &[FileKind]| {
            let robots = kinds.iter().filter(|kind| **kind == FileKind::Robot);
            robots.count() == 1 && !kinds.contains(&FileKind::World)
        };
        let kinds: Vec<FileKind> = files
            .iter()
            .filter_map(|file| FileKind::of(&file.path).ok())
            .collect();
        // an arm and a table: whatever name the SRDF gives
        if n_plain == 1 && load.srdf.len() == 1 && is_only_robot(&kinds) {
            load.srdf[0].0 = None;
        }
    }
    Ok(load)
}

/// Gives each SRDF without a robot that of its name.
fn name_srdfs(load: &mut Load) -> Result<(), Error> {
    for (robot, file) in &mut load.srdf {
        if robot.is_none() {
            *robot = Some(Srdf::load(&*file)?.value.name);
        }
    }
    Ok(())
}

/// Loader of a file that a world gets later.
pub(crate) fn further(path: &Path, mut load: Load) -> Result<Loader, Error> {
    name_srdfs(&mut load)?;
    let mut options = LoadOptions::from(load);
    if is_rob(path) {
        options = without_urdf(options);
    }
    Ok(Loader::with_options(options))
}

/// The same options without those for URDF.
fn without_urdf(options: LoadOptions) -> LoadOptions {
    options
        .with_base(io::Base::Auto)
        .with_fixed_joints(io::FixedJoints::Auto)
}

fn is_rob(path: &Path) -> bool {
    path.extension()
        .is_some_and(|suffix| suffix.eq_ignore_ascii_case("rob"))
}

/// The world in a file of the command line, at its pose.
fn placed(
    loader: &mut Loader,
    file: &Placed,
    degrees: bool,
    report: &mut Report,
) -> Result<WorldModel, Failure> {
    let path = &file.path;
    let world = match loader.world(path) {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            loaded.value
        }
        Err(error) => {
            report.error(&error);
            return Err(Failure::Refused);
        }
    };
    let Some(pose) = file.pose else {
        return Ok(world);
    };
    let is_object = matches!(loader.kind(path), Ok(FileKind::RigidObject));
    let moved = moved(world, is_object, &pose.resolve(degrees));
    moved.map_err(|error| report.refuse(&error.into()))
}

/// The world of a file at a pose: as in a world file, it replaces that of a rigid object, and moves all else.
pub(crate) fn moved(
    mut world: WorldModel,
    is_object: bool,
    pose: &Pose,
) -> kinworld::Result<WorldModel> {
    let object = world.rigid_objects().next().map(|(id, _)| id);
    match object.filter(|_| is_object) {
        Some(id) => {
            world.rigid_object_mut(id)?.set_pose(pose)?;
            Ok(world)
        }
        None => world.placed(pose),
    }
}

/// Path of a robot file whose pose would change nothing in the answer.
pub(crate) fn unplaced(word: &Path, what: &str) -> Result<PathBuf, Failure> {
    let file = Placed::of(word).map_err(refused)?;
    match file.pose {
        None => Ok(file.path),
        Some(_) => {
            let (word, path) = (word.display(), file.path.display());
            let problem = format!("the pose of `{word}` changes nothing: {what}; give `{path}`");
            Err(refused(Refusal(problem)))
        }
    }
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}

/// A motion of a robot.
pub(crate) fn motion(
    robot: &Robot,
    path: &Path,
    degrees: bool,
    load: Load,
) -> Result<Recording, Failure> {
    let mut report = Report::short();
    let options = LoadOptions::from(load).with_degrees(degrees);
    match Loader::with_options(options).recording(robot, path) {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            Ok(loaded.value)
        }
        Err(error) => {
            report.error(&error);
            Err(Failure::Refused)
        }
    }
}

/// Plain XML of a xacro file.
pub(crate) fn expanded(path: &Path, load: Load) -> Result<String, Failure> {
    let mut report = Report::short();
    match Loader::with_options(load.into()).xacro(path) {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            Ok(loaded.value)
        }
        Err(error) => {
            report.error(&error);
            Err(Failure::Refused)
        }
    }
}

/// Converts a file to another format.
pub(crate) fn convert(
    input: &Path,
    output: &Path,
    to: Option<To>,
    force: bool,
    load: Load,
) -> Result<(), Failure> {
    let mut report = Report::short();
    let mut loader = Loader::with_options(load.into());
    let options = SaveOptions::default()
        .with_force(force)
        .with_format(to.map(SaveFormat::from));
    let file = Placed::of(input).map_err(refused)?;
    let converted = if file.pose.is_none() {
        progress::waiting("converting", || {
            loader.convert_with(&file.path, output, &options)
        })
    } else {
        let world = placed(&mut loader, &file, false, &mut report)?;
        let options = options.with_inputs(loader.files_read());
        progress::waiting("writing", || place::save(&world, output, &options))
    };
    match converted {
        Ok(said) => {
            report.diagnostics(&said);
            Ok(())
        }
        Err(error) => {
            report.error(&error);
            Err(Failure::Refused)
        }
    }
}

/// A world of one file, of a given kind.
pub(crate) fn alone(
    loader: &mut Loader,
    path: &Path,
    kind: Kind,
) -> Result<Loaded<WorldModel>, Error> {
    let in_file = |error: Error| Diagnostic::error(error.to_string()).in_file(path);
    let in_file = |error| Error::Load(in_file(error).into());
    let mut world = WorldModel::new();
    let diagnostics = match kind {
        Kind::Robot => {
            let Loaded {
                value, diagnostics, ..
            } = loader.robot(path)?;
            world.add_robot(value);
            diagnostics
        }
        Kind::RigidObject => {
            let Loaded {
                value, diagnostics, ..
            } = loader.rigid_object(path)?;
            world.add_rigid_object(value).map_err(in_file)?;
            diagnostics
        }
        Kind::Terrain => {
            let Loaded {
                value, diagnostics, ..
            } = loader.terrain(path)?;
            world.add_terrain(value).map_err(in_file)?;
            diagnostics
        }
        Kind::World | Kind::Configurations | Kind::Mesh => {
            loader.add_file(&mut world, path)?.diagnostics
        }
    };
    Ok(Loaded::new(world, diagnostics))
}

/// Kind of a file, by its content.
pub(crate) fn kind(path: &Path) -> Result<Kind, Error> {
    Ok(match FileKind::of(path)? {
        FileKind::Robot => Kind::Robot,
        FileKind::RigidObject => Kind::RigidObject,
        FileKind::Terrain => Kind::Terrain,
        FileKind::World | FileKind::Mjcf | FileKind::Sdf => Kind::World,
        FileKind::Configurations => Kind::Configurations,
        _ => Kind::Mesh,
    })
}

impl From<To> for SaveFormat {
    fn from(to: To) -> Self {
        match to {
            To::Rob => Self::Rob,
            To::Urdf => Self::Urdf,
            To::Mjcf => Self::Mjcf,
            To::Sdf => Self::Sdf,
            To::World => Self::World,
            To::Glb => Self::Glb,
        }
    }
}

impl From<Load> for LoadOptions {
    fn from(load: Load) -> Self {
        let base = match load.base {
            Base::Auto => io::Base::Auto,
            Base::Fixed => io::Base::Fixed,
            Base::Floating => io::Base::Floating,
        };
        let fixed_joints = match load.fixed_joints {
            FixedJoints::Auto => io::FixedJoints::Auto,
            FixedJoints::Keep => io::FixedJoints::Keep,
            FixedJoints::Merge => io::FixedJoints::Merge,
        };
        let (of_robots, plain): (Vec<_>, Vec<_>) = load
            .srdf
            .into_iter()
            .partition(|(robot, _)| robot.is_some());
        let of_robots = of_robots.into_iter();
        let of_robots = of_robots.filter_map(|(robot, file)| Some((robot?, file)));
        Self::default()
            .with_robot_srdfs(of_robots.collect())
            .with_states(load.states)
            .with_load_geometry(!load.no_meshes)
            .with_use_visual(load.use_visual)
            .with_packages(load.package)
            .with_roots(load.root)
            .with_srdf(plain.into_iter().next().map(|(_, file)| file))
            .with_strict(load.strict)
            .with_xacro_args(load.xacro_args)
            .with_base(base)
            .with_fixed_joints(fixed_joints)
    }
}
