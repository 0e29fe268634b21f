//! Options of a loader.

use std::path::PathBuf;

/// Options of a [`Loader`](super::Loader); the defaults load all contents of a file.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// Reads meshes. Without them robots move, and centres of mass and inertias that would come from geometry are zero; queries
    /// of collision refuse them as [not loaded](crate::MissingGeometry::NotLoaded). True by default.
    pub load_geometry: bool,
    /// Takes the visual shapes of a link of a URDF for collision as well where it has no collision shapes, or where one of those
    /// cannot be read. False by default.
    pub use_visual: bool,
    /// Replaces meshes and point clouds of links and rigid objects by their convex hulls for collision, while they are
    /// loaded, as [`with_hulls`](crate::WorldModel::with_hulls) does: queries are faster, and what is free with them is
    /// free without them. Visual meshes are kept. False by default.
    pub hulls: bool,
    /// Takes angles of motions in degrees where the head of their column names no unit. False by default: in radians.
    pub degrees: bool,
    /// Folders of packages for `package://NAME/…`: pairs of a name and a folder, searched before anything else.
    pub packages: Vec<(String, PathBuf)>,
    /// Further folders whose files a file may name. A file may name others (meshes, materials, included and mounted
    /// files) in its own folder, in the packages around it, in neighbouring folders such as `../meshes`, in the folders of
    /// packages, and in these; all others are refused. The path that the caller gives to a loader may be anywhere.
    /// Empty by default; the [guide](crate::guide::formats) has the whole rule.
    pub roots: Vec<PathBuf>,
    /// Joint between the world and the root of a URDF. Only `Auto` is possible for a `.rob`; beside other robots of a
    /// world, one gets a warning.
    pub base: Base,
    /// Treatment of the fixed joints of a URDF. Only `Auto` is possible for a `.rob`.
    pub fixed_joints: FixedJoints,
    /// An SRDF that goes with the robot: its disabled pairs are not tested for collision, and its text becomes the
    /// property `srdf`. None by default. Of the robots of a world it goes with those of its name, unless there is
    /// only one. A robot that is mounted on another one is left as it is.
    pub srdf: Option<PathBuf>,
    /// SRDFs of single robots, each with the name of its robot in the file that is read. None by default.
    pub robot_srdfs: Vec<(String, PathBuf)>,
    /// Klampt's lists of configurations, each with the name of its robot in the file that is read, `None` for any: they become
    /// [named states](crate::Robot::named_states) of the robot, `0` the first. None by default.
    pub states: Vec<(Option<String>, PathBuf)>,
    /// Values for the arguments of xacro files, `$(arg NAME)`. Only the feature `xacro` reads such files.
    pub xacro_args: Vec<(String, String)>,
    /// Refuses a file at its first warning. False by default.
    pub strict: bool,
    /// Limits on the size of files and robots.
    pub limits: LoadLimits,
}

impl LoadOptions {
    /// The same options with another [`load_geometry`](Self::load_geometry).
    #[must_use]
    pub fn with_load_geometry(mut self, load_geometry: bool) -> Self {
        self.load_geometry = load_geometry;
        self
    }

    /// The same options with another [`use_visual`](Self::use_visual).
    #[must_use]
    pub fn with_use_visual(mut self, use_visual: bool) -> Self {
        self.use_visual = use_visual;
        self
    }

    /// The same options with another [`degrees`](Self::degrees).
    #[must_use]
    pub fn with_degrees(mut self, degrees: bool) -> Self {
        self.degrees = degrees;
        self
    }

    /// The same options with another [`hulls`](Self::hulls).
    #[must_use]
    pub fn with_hulls(mut self, hulls: bool) -> Self {
        self.hulls = hulls;
        self
    }

    /// The same options with another [`packages`](Self::packages).
    #[must_use]
    pub fn with_packages(mut self, packages: Vec<(String, PathBuf)>) -> Self {
        self.packages = packages;
        self
    }

    /// The same options with other [`roots`](Self::roots).
    ///
    /// # Examples
    ///
    /// ```no_run
    /// use kinworld::io::{LoadOptions, Loader};
    ///
    /// // arm.urdf names ../../cad/link1.stl
    /// let options = LoadOptions::default().with_roots(vec!["/data/cad".into()]);
    /// let arm = Loader::with_options(options).robot("/data/arms/left/arm.urdf")?.value;
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn with_roots(mut self, roots: Vec<PathBuf>) -> Self {
        self.roots = roots;
        self
    }

    /// The same options with another [`base`](Self::base).
    #[must_use]
    pub fn with_base(mut self, base: Base) -> Self {
        self.base = base;
        self
    }

    /// The same options with another [`fixed_joints`](Self::fixed_joints).
    #[must_use]
    pub fn with_fixed_joints(mut self, fixed_joints: FixedJoints) -> Self {
        self.fixed_joints = fixed_joints;
        self
    }

    /// The same options with another [`srdf`](Self::srdf).
    #[must_use]
    pub fn with_srdf(mut self, srdf: impl Into<Option<PathBuf>>) -> Self {
        self.srdf = srdf.into();
        self
    }

    /// The same options with another [`robot_srdfs`](Self::robot_srdfs).
    #[must_use]
    pub fn with_robot_srdfs(mut self, robot_srdfs: Vec<(String, PathBuf)>) -> Self {
        self.robot_srdfs = robot_srdfs;
        self
    }

    /// The same options with other [`states`](Self::states).
    #[must_use]
    pub fn with_states(mut self, states: Vec<(Option<String>, PathBuf)>) -> Self {
        self.states = states;
        self
    }

    /// The same options with another [`xacro_args`](Self::xacro_args).
    #[must_use]
    pub fn with_xacro_args(mut self, xacro_args: Vec<(String, String)>) -> Self {
        self.xacro_args = xacro_args;
        self
    }

    /// The same options with another [`strict`](Self::strict).
    #[must_use]
    pub fn with_strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The same options with another [`limits`](Self::limits).
    #[must_use]
    pub fn with_limits(mut self, limits: LoadLimits) -> Self {
        self.limits = limits;
        self
    }
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            load_geometry: true,
            use_visual: false,
            hulls: false,
            degrees: false,
            packages: Vec::new(),
            roots: Vec::new(),
            base: Base::default(),
            fixed_joints: FixedJoints::default(),
            srdf: None,
            robot_srdfs: Vec::new(),
            states: Vec::new(),
            xacro_args: Vec::new(),
            strict: false,
            limits: LoadLimits::default(),
        }
    }
}

/// Joint between the world and the root of a URDF.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Base {
    /// Fixed, unless the file carries a `<klampt>` element: then its rules hold.
    #[default]
    Auto,
    /// Fixed to the world.
    Fixed,
    /// On six virtual links: x, y, z and rotations about z, y, x.
    Floating,
}

/// Treatment of the fixed joints of a URDF.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FixedJoints {
    /// Merged, unless the file carries a `<klampt>` element: then they are kept.
    #[default]
    Auto,
    /// One degree of freedom each, in a weld joint.
    Keep,
    /// No degree of freedom; the link stays a link.
    Merge,
}

/// Limits on the size of files and robots; a loader refuses larger ones.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadLimits {
    /// Bytes of one file. 1 GiB by default.
    pub file_size: u64,
    /// Bytes of one text file: a robot, an object, a terrain. 64 MiB by default.
    pub text_size: u64,
    /// Elements of an XML file inside one another. 200 by default; each takes a little of the thread's stack.
    pub nesting: usize,
    /// Elements of an XML file. 1 000 000 by default.
    pub elements: usize,
    /// Vertices, and triangles, of one mesh. 100 000 000 by default.
    pub vertices: usize,
    /// Pairs of links in the self-collision groups of one file. 1 000 000 by default.
    pub pairs: usize,
    /// Links of one robot, mounted ones included. 100 000 by default.
    pub links: usize,
    /// Links of all robots of a world. A million by default.
    pub world_links: usize,
    /// Depth of robots mounted on robots. 64 by default.
    pub mount_depth: usize,
    /// Files mounted in all, for one robot. 1000 by default.
    pub mounts: usize,
}

impl LoadLimits {
    /// The same limits with another [`file_size`](Self::file_size).
    #[must_use]
    pub fn with_file_size(mut self, file_size: u64) -> Self {
        self.file_size = file_size;
        self
    }

    /// The same limits with another [`text_size`](Self::text_size).
    #[must_use]
    pub fn with_text_size(mut self, text_size: u64) -> Self {
        self.text_size = text_size;
        self
    }

    /// The same limits with another [`nesting`](Self::nesting).
    #[must_use]
    pub fn with_nesting(mut self, nesting: usize) -> Self {
        self.nesting = nesting;
        self
    }

    /// The same limits with another [`elements`](Self::elements).
    #[must_use]
    pub fn with_elements(mut self, elements: usize) -> Self {
        self.elements = elements;
        self
    }

    /// The same limits with another [`vertices`](Self::vertices).
    #[must_use]
    pub fn with_vertices(mut self, vertices: usize) -> Self {
        self.vertices = vertices;
        self
    }

    /// The same limits with another [`pairs`](Self::pairs).
    #[must_use]
    pub fn with_pairs(mut self, pairs: usize) -> Self {
        self.pairs = pairs;
        self
    }

    /// The same limits with another [`links`](Self::links).
    #[must_use]
    pub fn with_links(mut self, links: usize) -> Self {
        self.links = links;
        self
    }

    /// The same limits with another [`world_links`](Self::world_links).
    #[must_use]
    pub fn with_world_links(mut self, world_links: usize) -> Self {
        self.world_links = world_links;
        self
    }

    /// The same limits with another [`mount_depth`](Self::mount_depth).
    #[must_use]
    pub fn with_mount_depth(mut self, mount_depth: usize) -> Self {
        self.mount_depth = mount_depth;
        self
    }

    /// The same limits with another [`mounts`](Self::mounts).
    #[must_use]
    pub fn with_mounts(mut self, mounts: usize) -> Self {
        self.mounts = mounts;
        self
    }
}

impl Default for LoadLimits {
    fn default() -> Self {
        Self {
            file_size: 1 << 30,
            text_size: 1 << 26,
            nesting: 200,
            elements: 1_000_000,
            vertices: 100_000_000,
            pairs: 1_000_000,
            links: 100_000,
            world_links: 1_000_000,
            mount_depth: 64,
            mounts: 1000,
        }
    }
}
