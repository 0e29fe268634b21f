//! What the caller of a loader may choose.

use std::path::PathBuf;

/// Choices for a [`Loader`](super::Loader); the defaults load everything as the file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadOptions {
    /// Whether meshes are read. Without them robots move, but nothing collides, and centres of mass and inertias
    /// that would come from geometry are zero. True by default.
    pub load_geometry: bool,
    /// Whether links and rigid objects get the convex hulls of their meshes and point clouds for collision while they are
    /// loaded, as [`with_hulls`](crate::WorldModel::with_hulls) makes them: quicker to ask, and what is free with them is
    /// free without them. Meshes that links are drawn with stay. False by default.
    pub hulls: bool,
    /// Where `package://NAME/…` lies: pairs of a package's name and its folder, asked before anything else.
    pub packages: Vec<(String, PathBuf)>,
    /// How the root of a URDF hangs on the world. Only `Auto` is possible for a `.rob`.
    pub base: Base,
    /// What becomes of the fixed joints of a URDF. Only `Auto` is possible for a `.rob`.
    pub fixed_joints: FixedJoints,
    /// An SRDF that goes with the robot: its disabled pairs are not tested for collision, and its text becomes the
    /// property `srdf`. None by default. Of the robots of a world it goes with those of its name, unless there is
    /// only one. A robot that is mounted on another one is left as it is.
    pub srdf: Option<PathBuf>,
    /// Values for the arguments of xacro files, `$(arg NAME)`. Only the feature `xacro` reads such files.
    pub xacro_args: Vec<(String, String)>,
    /// Whether a warning is enough to refuse a file. False by default.
    pub strict: bool,
    /// How large files and robots may be.
    pub limits: LoadLimits,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            load_geometry: true,
            hulls: false,
            packages: Vec::new(),
            base: Base::default(),
            fixed_joints: FixedJoints::default(),
            srdf: None,
            xacro_args: Vec::new(),
            strict: false,
            limits: LoadLimits::default(),
        }
    }
}

/// How the root of a URDF hangs on the world.
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

/// What becomes of the fixed joints of a URDF.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum FixedJoints {
    /// Merged, unless the file carries a `<klampt>` element: then they are kept.
    #[default]
    Auto,
    /// One coordinate each, in a weld joint.
    Keep,
    /// No coordinate; the link stays a link.
    Merge,
}

/// How large files and robots may be before a loader refuses them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadLimits {
    /// Bytes of one file. 1 GiB by default.
    pub file_size: u64,
    /// Bytes of one file that describes something: a robot, an object, a terrain. 64 MiB by default.
    pub text_size: u64,
    /// Elements of an XML file inside one another. 200 by default; each takes a little of the thread's stack.
    pub nesting: usize,
    /// Elements of an XML file. 1 000 000 by default.
    pub elements: usize,
    /// Vertices, and triangles, of one mesh. 100 000 000 by default.
    pub vertices: usize,
    /// Pairs of links that the self-collision groups of one file mean. 1 000 000 by default.
    pub pairs: usize,
    /// Links of one robot, mounted ones included. 100 000 by default.
    pub links: usize,
    /// Links of all robots of a world. A million by default.
    pub world_links: usize,
    /// Robots mounted on robots mounted on robots. 16 by default.
    pub mount_depth: usize,
    /// Files mounted in all, for one robot. 1000 by default.
    pub mounts: usize,
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
            mount_depth: 16,
            mounts: 1000,
        }
    }
}
