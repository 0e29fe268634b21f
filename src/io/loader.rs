//! The [`Loader`] of all kinds of files.

use std::path::{Path, PathBuf};

use super::context::Context;
use super::hidden::{hidden, hidden_error};
use super::kind::{FileKind, kind_of};
use super::mesh::MeshStore;
use super::options::LoadOptions;
use super::report::Report;
use super::source::{FilePath, Source};
use super::srdf::Srdf;
use crate::geometry::Geometry;
use crate::kinematics::Recording;
use crate::kinematics::ik::Objective;
use crate::planning::{MotionLimits, Trajectory};
use crate::robot::{Robot, RobotBuilder};
use crate::world::{EntityId, RigidObject, Terrain, WorldModel, hull_links, hull_object};
use crate::{Diagnostic, Error, LoadError, Loaded, Result, Severity};

/// Reader of files; a mesh that several files name is read once and shared.
///
/// ```no_run
/// use kinworld::io::{LoadOptions, Loader};
///
/// let packages = vec![("my_arm".into(), "/data/my_arm".into())];
/// let mut loader = Loader::with_options(LoadOptions::default().with_packages(packages));
/// let left = loader.robot("left.urdf")?.value;
/// let right = loader.robot("right.urdf")?.value;
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Loader {
    options: LoadOptions,
    source: Source,
    meshes: MeshStore,
}

impl Loader {
    /// A loader with the default options.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A loader with these options.
    #[must_use]
    pub fn with_options(options: LoadOptions) -> Self {
        Self {
            options,
            ..Self::default()
        }
    }

    /// The same loader with another source of files; without one, files are read from disk. Meshes that were read are
    /// forgotten.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::Pose;
    /// use kinworld::io::{Loader, Source};
    ///
    /// let source = Source::memory().with_file("block.geom", b"AABB 0 0 0 1 2 3");
    /// let block = Loader::new().with_source(source).geometry("block.geom")?.value;
    /// let aabb = block.aabb(&Pose::identity()).expect("a box has bounds");
    /// assert!((aabb.max.z - 3.0).abs() < 1e-12);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn with_source(mut self, source: Source) -> Self {
        self.source = source;
        self.meshes = MeshStore::default();
        self
    }

    /// The source of files.
    #[must_use]
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The files on disk that this loader has read, those that other files name included, by canonical path.
    ///
    /// As [`SaveOptions::inputs`](super::SaveOptions::inputs) they are safe from a save.
    #[must_use]
    pub fn files_read(&self) -> Vec<PathBuf> {
        self.source.files_read()
    }

    /// The options.
    #[must_use]
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    pub(super) fn options_mut(&mut self) -> &mut LoadOptions {
        &mut self.options
    }

    /// The kind of a file: by suffix, and by its first words where the suffix does not tell.
    ///
    /// # Errors
    ///
    /// [`Error::Load`] for a file that cannot be read, or is of unknown format.
    pub fn kind(&self, path: impl AsRef<Path>) -> Result<FileKind> {
        let file = FilePath::by_caller(path);
        let kind = kind_of(&self.source, &file, self.options.limits.file_size);
        Ok(kind.map_err(LoadError::from)?)
    }

    /// The robot in a `.rob` or `.urdf` file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file, and the warnings that came before.
    #[doc(alias = "load_urdf")]
    #[doc(alias = "loadRobot")]
    #[doc(alias = "buildModelFromUrdf")]
    pub fn robot(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Robot>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| {
            let builder = ctx.robot(path)?;
            build(ctx, builder, path)
        })
    }

    /// The robot in the text of a URDF; names of files in it are relative to `folder`.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the text, as one of a file `robot.urdf` in that folder.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::io::Loader;
    ///
    /// let text = r#"<robot name="rock"><link name="rock"/></robot>"#;
    /// let robot = Loader::new().urdf(text, ".")?.value;
    /// assert_eq!(robot.name(), "rock");
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "buildModelFromXML")]
    pub fn urdf(&mut self, text: &str, folder: impl AsRef<Path>) -> Result<Loaded<Robot>> {
        let path = folder.as_ref().join("robot.urdf");
        self.call(&path, |ctx| {
            let builder = ctx.robot_from_text(&path, text)?;
            build(ctx, builder, &path)
        })
    }

    /// The robot of the crate `urdf-rs` as one of this library; names of files in it are relative to `folder`.
    ///
    /// That crate does not distinguish absent limits and inertias from zero, and drops elements of other programs:
    /// [`robot`](Self::robot) keeps both.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], without a position.
    #[cfg(feature = "urdf-rs")]
    pub fn urdf_rs(
        &mut self,
        robot: &urdf_rs::Robot,
        folder: impl AsRef<Path>,
    ) -> Result<Loaded<Robot>> {
        let path = folder.as_ref().join("robot.urdf");
        self.call(&path, |ctx| {
            let builder = ctx.robot_from_urdf_rs(&path, robot)?;
            build(ctx, builder, &path)
        })
    }

    /// Expands a xacro file to plain XML, with the arguments of the options.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file, and the calls of macros that led there in its help.
    #[cfg(feature = "xacro")]
    pub fn xacro(&mut self, path: impl AsRef<Path>) -> Result<Loaded<String>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| {
            let text = ctx.read_text(path)?;
            Ok(super::xacro::expand(ctx, path, &text)?.text)
        })
    }

    /// The SRDF in a file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    #[doc(alias = "removeCollisionPairs")]
    pub fn srdf(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Srdf>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::srdf::load(ctx, path))
    }

    /// The rigid object in one of Klampt's `.obj` files.
    ///
    /// Any geometry file makes an object as well: of 1 kg, spread evenly over its surface.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn rigid_object(&mut self, path: impl AsRef<Path>) -> Result<Loaded<RigidObject>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| {
            let mut object = super::rigid_object::load(ctx, path)?;
            if ctx.options().hulls {
                hull_object(&mut object).map_err(|error| refused(error, path))?;
            }
            Ok(object)
        })
    }

    /// The terrain in an `.env` file, or a geometry file as a terrain.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn terrain(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Terrain>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::terrain::load(ctx, path))
    }

    /// Adds the one body in a file to a world, and returns its handle: a robot, a rigid object, or a terrain. A geometry
    /// file becomes a terrain.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file; the world has not changed then.
    pub fn element(
        &mut self,
        world: &mut WorldModel,
        path: impl AsRef<Path>,
    ) -> Result<Loaded<EntityId>> {
        let path = path.as_ref();
        match self.kind(path)? {
            FileKind::Robot | FileKind::Mjcf | FileKind::Sdf => {
                let robot = self.robot(path)?;
                Ok(robot.map(|robot| EntityId::Robot(world.add_robot(robot))))
            }
            FileKind::RigidObject => {
                let Loaded { value, diagnostics } = self.rigid_object(path)?;
                let id = world.add_rigid_object(value);
                let id = id.map_err(|error| Error::Load(refused(error, path)))?;
                Ok(Loaded {
                    value: EntityId::RigidObject(id),
                    diagnostics,
                })
            }
            FileKind::Terrain | FileKind::Geometry => {
                let Loaded { value, diagnostics } = self.terrain(path)?;
                let id = world.add_terrain(value);
                let id = id.map_err(|error| Error::Load(refused(error, path)))?;
                Ok(Loaded {
                    value: EntityId::Terrain(id),
                    diagnostics,
                })
            }
            kind @ (FileKind::World | FileKind::Configurations) => {
                let message = format!(
                    "is {}, where one element of a world was expected",
                    kind.name()
                );
                let error = Diagnostic::error(message).in_file(path);
                let error = error.help("`WorldModel::add_file` adds all that a world holds");
                Err(Error::Load(error.into()))
            }
        }
    }

    /// The world in a file: that of a world `.xml`, or a world with the one body that another file holds.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    #[doc(alias = "readFile")]
    pub fn world(&mut self, path: impl AsRef<Path>) -> Result<Loaded<WorldModel>> {
        let path = &FilePath::by_caller(path);
        let kind = self.kind(path)?;
        if matches!(kind, FileKind::World | FileKind::Mjcf | FileKind::Sdf) {
            return self.call(path, |ctx| {
                let world = match kind {
                    FileKind::Mjcf => super::mjcf::load(ctx, path)?,
                    FileKind::Sdf => super::sdf::load(ctx, path)?,
                    _ => super::world_xml::load(ctx, path)?,
                };
                if !ctx.options().hulls {
                    return Ok(world);
                }
                world.with_hulls().map_err(|error| refused(error, path))
            });
        }
        let mut world = WorldModel::new();
        let element = self.element(&mut world, path)?;
        Ok(element.map(|_| world))
    }

    /// Adds everything in a file of any kind to a world, and returns the new handles.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file; the world has not changed then.
    pub fn add_file(
        &mut self,
        world: &mut WorldModel,
        path: impl AsRef<Path>,
    ) -> Result<Loaded<Vec<EntityId>>> {
        let loaded = self.world(path)?;
        Ok(loaded.map(|more| world.append(more)))
    }

    /// The configurations in a `.config` or `.configs` file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn configurations(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Vec<Vec<f64>>>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::config::load(ctx, path))
    }

    /// The goals of inverse kinematics in a `.ikgoal` file of Klampt.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn objectives(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Vec<Objective>>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::ik_goal::load(ctx, path))
    }

    /// The motion of a robot in a `.csv` file, see [`Recording::load`].
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn recording(
        &mut self,
        robot: &Robot,
        path: impl AsRef<Path>,
    ) -> Result<Loaded<Recording>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::recording::load(ctx, robot, path))
    }

    /// The limits of a robot with those of a `joint_limits.yaml` in MoveIt's form: `max_velocity`, `max_acceleration`, `max_jerk` and
    /// `max_effort` of joints, unless `has_…_limits: false` is beside them. What the file does not limit stays as the robot has it.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn motion_limits(
        &mut self,
        robot: &Robot,
        path: impl AsRef<Path>,
    ) -> Result<Loaded<MotionLimits>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::motion_limits::load(ctx, robot, path))
    }

    /// The trajectory in a `.path` file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    pub fn trajectory(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Trajectory>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| super::path::load(ctx, path))
    }

    /// The shape in a mesh file.
    ///
    /// # Errors
    ///
    /// [`Error::Load`], with its position in the file.
    #[doc(alias = "load_mesh")]
    pub fn geometry(&mut self, path: impl AsRef<Path>) -> Result<Loaded<Geometry>> {
        let path = &FilePath::by_caller(path);
        self.call(path, |ctx| Ok(ctx.geometry_file(path)?))
    }

    /// Runs one call about a file that the caller named; its warnings are returned with the value or with the error.
    pub(super) fn call<T>(
        &mut self,
        file: &Path,
        load: impl FnOnce(&mut Context<'_>) -> Result<T, LoadError>,
    ) -> Result<Loaded<T>> {
        let report = Report::default();
        let mut ctx = Context::new(&self.options, &self.source, file, &mut self.meshes, &report);
        let result = load(&mut ctx);
        let srdf = self.options.srdf.as_deref();
        let named: Vec<&Path> = [file].into_iter().chain(srdf).collect();
        let diagnostics = report.into_warnings().into_diagnostics().into_iter();
        let diagnostics: Vec<_> = diagnostics.map(|said| hidden(said, &named)).collect();
        let result = result.map_err(|error| hidden_error(error, &named));
        match result {
            Ok(_) if self.options.strict && !diagnostics.is_empty() => {
                Err(Error::Load(strictly(diagnostics)))
            }
            Ok(value) => Ok(Loaded { value, diagnostics }),
            Err(mut error) => {
                let later = std::mem::replace(&mut error.warnings, diagnostics);
                error.warnings.extend(later);
                Err(Error::Load(error))
            }
        }
    }
}

/// The first warning as an error, with the others beside it, for a strict caller.
fn strictly(mut warnings: Vec<Diagnostic>) -> LoadError {
    let first = warnings.remove(0);
    LoadError {
        diagnostic: Box::new(Diagnostic {
            severity: Severity::Error,
            ..first
        }),
        warnings,
    }
}

/// Builds the robot of a file.
fn build(ctx: &Context<'_>, mut builder: RobotBuilder, path: &Path) -> Result<Robot, LoadError> {
    let hulls = if ctx.options().hulls {
        hull_links(&mut builder)
    } else {
        Ok(())
    };
    // a file may name a link before its parent
    let robot = hulls.and_then(|()| builder.build_sorted());
    let robot = robot.map(|(robot, _)| robot);
    robot.map_err(|error| refused(error, path))
}

/// An error of the library about the contents of a file.
fn refused(error: Error, path: &Path) -> LoadError {
    match error {
        Error::Load(error) => error,
        error => Diagnostic::error(error.to_string()).in_file(path).into(),
    }
}
