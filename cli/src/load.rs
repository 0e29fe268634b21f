//! Loading of files, with diagnostics on standard error.

use std::path::Path;

use kinworld::io::{self, FileKind, LoadOptions, Loader};
use kinworld::kinematics::Recording;
use kinworld::{Diagnostic, Error, Loaded, Result, Robot, WorldModel};

use crate::Failure;
use crate::args::{Base, Files, FixedJoints, Kind, Load};
use crate::report::Report;
use crate::session::Session;

/// One world of all files, in order.
pub(crate) fn session(files: &Files, load: Load) -> Result<Session, Failure> {
    let options = LoadOptions::from(load);
    // options for URDF apply to the files that have one, if any has
    let is_rob = |path: &Path| {
        path.extension()
            .is_some_and(|suffix| suffix.eq_ignore_ascii_case("rob"))
    };
    let are_all_rob = files.paths.iter().all(|path| is_rob(path));
    let plain = options
        .clone()
        .with_base(io::Base::Auto)
        .with_fixed_joints(io::FixedJoints::Auto);
    let mut of_rob = Loader::with_options(if are_all_rob { options.clone() } else { plain });
    let mut of_others = Loader::with_options(options);
    let mut report = Report::short();
    let mut world = WorldModel::new();
    for path in &files.paths {
        let loader = if is_rob(path) {
            &mut of_rob
        } else {
            &mut of_others
        };
        match loader.add_file(&mut world, path) {
            Ok(loaded) => report.diagnostics(&loaded.diagnostics),
            Err(error) => {
                report.error(&error);
                return Err(Failure::Refused);
            }
        }
    }
    Ok(Session::new(world))
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
    match Loader::with_options(load.into()).convert(input, output) {
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
pub(crate) fn alone(loader: &mut Loader, path: &Path, kind: Kind) -> Result<Loaded<WorldModel>> {
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
pub(crate) fn kind(path: &Path) -> Result<Kind> {
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
            .with_roots(load.root)
            .with_srdf(load.srdf)
            .with_strict(load.strict)
            .with_xacro_args(load.xacro_args)
            .with_base(base)
            .with_fixed_joints(fixed_joints)
    }
}
