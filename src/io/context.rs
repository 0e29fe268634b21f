//! State of one call of a loader: options, search path, mesh store, report, and the files being read.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use nalgebra::Matrix4;

use super::decode::to_text;
use super::hidden::hidden;
use super::kind::{FileKind, kind_of};
use super::mesh::{self, MeshStore};
use super::options::{Base, FixedJoints, LoadLimits, LoadOptions};
use super::report::Report;
use super::resolve::{Referrer, SearchPath};
use super::source::{FilePath, Source};
use super::xml;
use crate::geometry::{Geometry, Shape};
use crate::robot::RobotBuilder;
use crate::{Diagnostic, LoadError};

/// One call of a loader.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    options: &'a LoadOptions,
    search: SearchPath,
    meshes: &'a mut MeshStore,
    report: &'a Report,
    // geometry files whose warnings were reported
    reported: HashSet<PathBuf>,
    // robot files being read, outermost first: path as named, and canonical path
    chain: Vec<(PathBuf, PathBuf)>,
    mounts: usize,
    // the file has several robots; the SRDF was for one of those so far
    is_among_others: bool,
    has_used_srdf: bool,
}

impl<'a> Context<'a> {
    /// The state at the start of a call about the file that the caller named.
    pub(crate) fn new(
        options: &'a LoadOptions,
        source: &Source,
        file: &Path,
        meshes: &'a mut MeshStore,
        report: &'a Report,
    ) -> Self {
        Self {
            options,
            search: SearchPath::new(options, source, file),
            meshes,
            report,
            reported: HashSet::new(),
            chain: Vec::new(),
            mounts: 0,
            is_among_others: false,
            has_used_srdf: false,
        }
    }

    /// Announces several robots, so that an SRDF is for those of its name only.
    pub(crate) fn expect_several_robots(&mut self) {
        self.is_among_others = true;
    }

    /// True if the file has several robots.
    pub(crate) fn is_among_others(&self) -> bool {
        self.is_among_others
    }

    /// Warns of an SRDF that fits no robot.
    pub(crate) fn warn_of_unused_srdf(&self) {
        if let Some(srdf) = &self.options.srdf
            && !self.has_used_srdf
        {
            let warning =
                Diagnostic::warning("is used for no robot: none has the name that it gives");
            self.warn(warning.in_file(srdf));
        }
    }

    /// The options of the caller.
    pub(crate) fn options(&self) -> &'a LoadOptions {
        self.options
    }

    /// [`LoadOptions::base`] for the robot file being read: it is about the outermost one only.
    pub(crate) fn base(&self) -> Base {
        if self.chain.len() > 1 {
            Base::Auto
        } else {
            self.options.base
        }
    }

    /// [`LoadOptions::fixed_joints`] for the robot file being read.
    pub(crate) fn fixed_joints(&self) -> FixedJoints {
        self.options.fixed_joints
    }

    /// True if the robot of the file being read is mounted on another one.
    pub(crate) fn is_mounted(&self) -> bool {
        self.chain.len() > 1
    }

    /// Sink for the warnings of this call.
    pub(crate) fn report(&self) -> &'a Report {
        self.report
    }

    /// Reports a warning.
    pub(crate) fn warn(&self, warning: Diagnostic) {
        self.report.add(warning);
    }

    /// The kind of a file.
    pub(crate) fn kind_of(&self, file: &FilePath) -> Result<FileKind, Diagnostic> {
        kind_of(self.search.source(), file, self.options.limits.file_size)
    }

    /// The text of a file that is not a mesh; bytes that are not UTF-8 are reported.
    pub(crate) fn read_text(&self, file: &FilePath) -> Result<String, Diagnostic> {
        let LoadLimits {
            file_size,
            text_size,
            ..
        } = self.options.limits;
        let bytes = self.search.source().read(file, file_size.min(text_size))?;
        to_text(bytes, self.report.of_file(file))
    }

    /// The bytes of a file that is not a mesh.
    pub(crate) fn read_bytes(&self, file: &FilePath) -> Result<Vec<u8>, Diagnostic> {
        let limit = self.options.limits.file_size;
        self.search.source().read(file, limit)
    }

    /// Columns, rows and brightness from 0 to 1 of an image, row by row from the top; `None` without the feature `heightmap`.
    pub(crate) fn gray_image(
        &self,
        file: &FilePath,
    ) -> Result<Option<(usize, usize, Vec<f64>)>, Diagnostic> {
        mesh::gray(&self.read_bytes(file)?, file)
    }

    /// One name for all paths of a file, as far as the system can tell.
    pub(crate) fn canonical(&self, file: &Path) -> PathBuf {
        self.search.source().canonical(file)
    }

    /// The text of an XML file that a file names, to be kept as it is.
    pub(crate) fn read_xml(&self, from: Referrer<'_>, name: &str) -> Result<String, Diagnostic> {
        let path = self.find(from, name)?;
        let text = self.read_text(&path)?;
        let root = xml::parse(&text, self.report.of_file(&path), &self.options.limits);
        let root = root.map_err(|error| hidden(error, &[]))?;
        Ok(text.get(root.span).unwrap_or_default().to_owned())
    }

    /// The path that `name` means in a file. The error has no position, and lists the paths that were tried.
    pub(crate) fn find(&self, from: Referrer<'_>, name: &str) -> Result<FilePath, Diagnostic> {
        self.search.find(from, name, self.report)
    }

    /// See [`SearchPath::find_optional`].
    #[cfg(feature = "xacro")]
    pub(crate) fn find_optional(
        &self,
        from: Referrer<'_>,
        name: &str,
    ) -> Result<Result<FilePath, Diagnostic>, Diagnostic> {
        self.search.find_optional(from, name, self.report)
    }

    /// The folder of a package, as a file names it.
    #[cfg(feature = "xacro")]
    pub(crate) fn find_package(
        &mut self,
        from: Referrer<'_>,
        package: &str,
    ) -> Result<PathBuf, Diagnostic> {
        self.search.find_package(from, package)
    }

    /// The shape in the file that `name` means in a file, or that it is itself, in metres as given there.
    ///
    /// `None` if `name` is empty or geometry is not loaded. The error is about the mesh file; without
    /// a file it has no position, and the caller adds that of the name.
    pub(crate) fn geometry(
        &mut self,
        from: Referrer<'_>,
        name: &str,
    ) -> Result<Option<Geometry>, Diagnostic> {
        if name.is_empty() || !self.options.load_geometry {
            return Ok(None);
        }
        if mesh::is_inline(name) {
            return mesh::parse_inline(name, self.report.of_file(from.file)).map(Some);
        }
        let path = self.find(from, name)?;
        self.geometry_file(&path).map(Some)
    }

    /// The shape in a file.
    pub(crate) fn geometry_file(&mut self, path: &FilePath) -> Result<Geometry, Diagnostic> {
        let limits = self.options.limits;
        let vertices = limits.vertices;
        let loaded = self.meshes.load(path, &self.search, limits)?;
        let n = size(&loaded.shape);
        if n > vertices {
            let message = format!("has {n} vertices or triangles, the limit is {vertices}");
            return Err(Diagnostic::error(message)
                .in_file(path)
                .help("raise `limits.vertices` of the load options"));
        }
        if self.reported.insert(path.to_path_buf()) {
            self.report.append(loaded.warnings);
        }
        Ok(loaded.shape)
    }

    /// Reads the geometry that a file names in advance, on all threads.
    pub(crate) fn read_ahead<'n>(
        &mut self,
        from: Referrer<'_>,
        names: impl Iterator<Item = &'n str>,
    ) {
        if !self.options.load_geometry {
            return;
        }
        // a file that cannot be found is reported when it is requested
        let found = names.filter(|name| !name.is_empty() && !mesh::is_inline(name));
        let unreported = Report::default();
        let paths = found.filter_map(|name| self.search.find(from, name, &unreported).ok());
        self.meshes
            .read_ahead(paths, &self.search, self.options.limits);
    }

    /// A shape after an affine map; equal ones share what queries cache for them.
    pub(crate) fn moved(
        &mut self,
        shape: &Geometry,
        map: &Matrix4<f64>,
    ) -> crate::Result<Geometry> {
        self.meshes.moved(shape, map)
    }

    /// The robot in the file that `name` means in a file that is being read, to be mounted there.
    pub(crate) fn mounted_robot(
        &mut self,
        from: Referrer<'_>,
        name: &str,
    ) -> Result<RobotBuilder, LoadError> {
        let limits = self.options.limits;
        self.mounts += 1;
        if self.mounts > limits.mounts {
            let message = format!("more than {} files are mounted", limits.mounts);
            return Err(Diagnostic::error(message)
                .help("raise `limits.mounts` of the load options")
                .into());
        }
        let path = self.find(from, name)?;
        self.robot(&path)
    }

    /// The robot in a file, before it is checked.
    pub(crate) fn robot(&mut self, path: &FilePath) -> Result<RobotBuilder, LoadError> {
        let one_name = self.search.source().canonical(path);
        if self.chain.iter().any(|(_, known)| *known == one_name) {
            let named = |(path, _): &(PathBuf, PathBuf)| format!("{} -> ", path.display());
            let chain: String = self.chain.iter().map(named).collect();
            let message = format!("mounts itself: {chain}{}", path.display());
            return Err(Diagnostic::error(message).into());
        }
        let depth = self.options.limits.mount_depth;
        if self.chain.len() > depth {
            let message = format!("robots are mounted on robots more than {depth} deep");
            return Err(Diagnostic::error(message)
                .help("raise `limits.mount_depth` of the load options")
                .into());
        }
        self.described(path, one_name, |ctx| super::load_robot(ctx, path))
    }

    /// The robot in the text of a URDF; names in it are relative to the folder of `path`.
    pub(crate) fn robot_from_text(
        &mut self,
        path: &Path,
        text: &str,
    ) -> Result<RobotBuilder, LoadError> {
        self.described(path, path.to_path_buf(), |ctx| {
            super::urdf::load_text(ctx, path, text)
        })
    }

    /// The robot of a description of `urdf-rs`.
    #[cfg(feature = "urdf-rs")]
    pub(crate) fn robot_from_urdf_rs(
        &mut self,
        path: &Path,
        robot: &urdf_rs::Robot,
    ) -> Result<RobotBuilder, LoadError> {
        self.described(path, path.to_path_buf(), |ctx| {
            super::urdf::load_urdf_rs(ctx, path, robot)
        })
    }

    /// Loads a robot with its SRDF, with its file on the chain.
    fn described(
        &mut self,
        path: &Path,
        one_name: PathBuf,
        load: impl FnOnce(&mut Self) -> Result<RobotBuilder, LoadError>,
    ) -> Result<RobotBuilder, LoadError> {
        if self.chain.is_empty() {
            self.mounts = 0;
        }
        self.chain.push((path.to_path_buf(), one_name));
        let robot = load(self);
        self.chain.pop();
        let mut robot = robot?;
        self.complete(&mut robot)?;
        self.check_links(robot.links.len(), path)?;
        Ok(robot)
    }

    /// Gives a robot the SRDF and the states of the caller's options, unless it is mounted on another one.
    pub(crate) fn complete(&mut self, robot: &mut RobotBuilder) -> Result<(), LoadError> {
        let options = self.options;
        if self.chain.is_empty() {
            let of_robot = |(name, _): &&(String, PathBuf)| *name == robot.name;
            let own: Vec<_> = options.robot_srdfs.iter().filter(of_robot).collect();
            for (_, srdf) in own {
                super::srdf::apply(self, &FilePath::by_caller(srdf), robot, false)?;
            }
            let of_robot = |(name, _): &&(Option<String>, PathBuf)| {
                name.as_ref().is_none_or(|name| *name == robot.name)
            };
            let own: Vec<_> = options.states.iter().filter(of_robot).collect();
            for (_, states) in own {
                super::states::apply(self, &FilePath::by_caller(states), robot)?;
            }
        }
        if let (Some(srdf), []) = (&options.srdf, self.chain.as_slice()) {
            let is_used = super::srdf::apply(
                self,
                &FilePath::by_caller(srdf),
                robot,
                self.is_among_others,
            )?;
            self.has_used_srdf |= is_used;
        }
        Ok(())
    }

    /// Refuses a robot of more links than the caller allows.
    pub(crate) fn check_links(&self, n: usize, path: &Path) -> Result<(), Diagnostic> {
        let limit = self.options.limits.links;
        if n <= limit {
            return Ok(());
        }
        let message = format!("the robot has {n} links, the limit is {limit}");
        Err(Diagnostic::error(message)
            .in_file(path)
            .help("raise `limits.links` of the load options"))
    }
}

/// The vertices of a shape, or its triangles where it has more of them.
fn size(geometry: &Geometry) -> usize {
    match geometry.shape() {
        Shape::Mesh(mesh) => mesh.vertices().len().max(mesh.triangles().len()),
        Shape::Cloud(cloud) => cloud.points().len(),
        Shape::Group(members) => members.iter().map(|(_, member)| size(member)).sum(),
        _ => 0,
    }
}
