//! Loading of files, with diagnostics on standard error.

use std::path::Path;

use kinworld::io::{self, FileKind, LoadOptions, Loader};
use kinworld::kinematics::Recording;
use kinworld::{Diagnostic, Error, Loaded, Pose, Robot, WorldModel};

use crate::args::{Base, Files, FixedJoints, Kind, Load};
use crate::placed::Placed;
use crate::report::{self, Report};
use crate::request::Refusal;
use crate::session::Session;
use crate::{Failure, place, progress};

/// One world of all files, in order.
pub(crate) fn session(files: &Files, load: Load) -> Result<Session, Failure> {
    session_at(files, None, load)
}

/// One world of all files, in order; those without a pose of their own at this one.
pub(crate) fn session_at(files: &Files, at: Option<Pose>, load: Load) -> Result<Session, Failure> {
    let mut loader = Loader::with_options(load.into());
    let mut report = Report::short();
    let mut world = WorldModel::new();
    for word in &files.paths {
        let added = placed(&mut loader, word, at, &mut report)?;
        world.append(added);
    }
    Ok(Session::new(world))
}

/// The world in a file of the command line at its pose, or else at a given one.
///
/// As in a world file, the pose replaces that of a rigid object, and moves all else.
fn placed(
    loader: &mut Loader,
    word: &Path,
    at: Option<Pose>,
    report: &mut Report,
) -> Result<WorldModel, Failure> {
    let Placed { path, pose } = Placed::of(word).map_err(refused)?;
    let mut world = match loader.world(&path) {
        Ok(loaded) => {
            report.diagnostics(&loaded.diagnostics);
            loaded.value
        }
        Err(error) => {
            report.error(&error);
            return Err(Failure::Refused);
        }
    };
    let Some(pose) = pose.or(at) else {
        return Ok(world);
    };
    let object = world.rigid_objects().next().map(|(id, _)| id);
    let is_object = matches!(loader.kind(&path), Ok(FileKind::RigidObject));
    let placed = match object.filter(|_| is_object) {
        Some(id) => {
            let object = world.rigid_object_mut(id);
            let moved = object.and_then(|mut object| object.set_pose(&pose));
            moved.map(|()| world)
        }
        None => world.placed(&pose),
    };
    placed.map_err(|error| refused(error.into()))
}

fn refused(Refusal(problem): Refusal) -> Failure {
    report::refusal(&problem);
    Failure::Refused
}

/// A motion of a robot.
pub(crate) fn motion(robot: &Robot, path: &Path, load: Load) -> Result<Recording, Failure> {
    let mut report = Report::short();
    match Loader::with_options(load.into()).recording(robot, path) {
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
pub(crate) fn convert(input: &Path, output: &Path, load: Load) -> Result<(), Failure> {
    let mut report = Report::short();
    let mut loader = Loader::with_options(load.into());
    let Placed { path, pose } = Placed::of(input).map_err(refused)?;
    let converted = if pose.is_none() {
        progress::waiting("converting", || loader.convert(path, output))
    } else {
        let world = placed(&mut loader, input, None, &mut report)?;
        progress::waiting("writing", || place::save(&world, output))
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
        FileKind::World => Kind::World,
        FileKind::Configurations => Kind::Configurations,
        _ => Kind::Mesh,
    })
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
        Self::default()
            .with_load_geometry(!load.no_meshes)
            .with_packages(load.package)
            .with_srdf(load.srdf)
            .with_strict(load.strict)
            .with_xacro_args(load.xacro_args)
            .with_base(base)
            .with_fixed_joints(fixed_joints)
    }
}
