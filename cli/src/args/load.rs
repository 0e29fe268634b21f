//! The options for loading files.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values::{argument, package, srdf};

/// Options for loading files.
#[derive(Debug, Clone, Args)]
pub(crate) struct Load {
    /// Folder of `package://NAME/…`; may be given several times
    #[arg(long, value_name = "NAME=DIR", value_parser = package, help_heading = LOADING)]
    pub(crate) package: Vec<(String, PathBuf)>,
    /// Folder whose files may be named by FILE and by the files that it names; may be given several times
    ///
    /// Without it these are the folder of FILE, its packages and folders such as ../meshes.
    #[arg(long, value_name = "DIR", help_heading = LOADING)]
    pub(crate) root: Vec<PathBuf>,
    /// Base joint of a URDF's root link
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = LOADING)]
    pub(crate) base: Base,
    /// Treatment of the fixed joints of a URDF
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = LOADING)]
    pub(crate) fixed_joints: FixedJoints,
    /// Do not load meshes: links and objects have no mesh geometry
    #[arg(long, help_heading = LOADING)]
    pub(crate) no_meshes: bool,
    /// Take the visual geometry of links for collision as well where their collision geometry is missing
    #[arg(long, help_heading = LOADING)]
    pub(crate) use_visual: bool,
    /// Treat warnings as errors
    #[arg(long, help_heading = LOADING)]
    pub(crate) strict: bool,
    /// SRDF file of a robot: its groups and named states, and pairs of links that are not tested for collision
    ///
    /// Of several robots it is for that of the name in the file, or for ROBOT. May be given several times.
    #[arg(long, value_name = "[ROBOT=]FILE", value_parser = srdf, help_heading = LOADING)]
    pub(crate) srdf: Vec<(Option<String>, PathBuf)>,
    /// Klampt's .configs file for a robot: its configurations are the named states 0, 1, …; may be given several times
    #[arg(long, value_name = "[ROBOT=]FILE", value_parser = srdf, help_heading = LOADING)]
    pub(crate) states: Vec<(Option<String>, PathBuf)>,
    /// Argument of a xacro file; may be given several times
    #[arg(long = "xacro-arg", value_name = "NAME=VALUE", value_parser = argument, help_heading = LOADING)]
    pub(crate) xacro_args: Vec<(String, String)>,
}

/// Format that `convert` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum To {
    /// Klampt's robot
    Rob,
    /// URDF
    Urdf,
    /// Model of MuJoCo
    Mjcf,
    /// World or model of Gazebo and Drake
    Sdf,
    /// Klampt's world
    World,
    /// Picture, as binary glTF
    Glb,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Base {
    /// Fixed, unless the file's `<klampt>` element says otherwise
    #[default]
    Auto,
    /// Fixed to the world
    Fixed,
    /// Floating: six virtual links between world and root
    Floating,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FixedJoints {
    /// No dof, unless the file has a `<klampt>` element
    #[default]
    Auto,
    /// One weld dof each
    Keep,
    /// No dof; the link stays in the list
    Merge,
}

const LOADING: &str = "Loading";
