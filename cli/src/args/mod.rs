//! The command line: what can be asked, and the help that explains it.

mod acm;
mod help;
mod ik;
mod plan;
mod simulate;
mod spherize;
mod wrench;

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::request::{self, Key};
pub(crate) use acm::Acm;
pub(crate) use ik::Ik;
pub(crate) use plan::Plan;
pub(crate) use simulate::Simulate;
pub(crate) use spherize::Spherize;
pub(crate) use wrench::Wrench;

use help::{
    ACM_EXAMPLES, BENCH_EXAMPLES, CHECK_EXAMPLES, COLLIDE_EXAMPLES, CONVERT_EXAMPLES,
    DYNAMICS_EXAMPLES, EXIT_CODES, FK_EXAMPLES, IK_EXAMPLES, INFO_EXAMPLES, JACOBIAN_EXAMPLES,
    PLAN_EXAMPLES, QUERY_ABOUT, QUERY_EXAMPLES, SIMULATE_EXAMPLES, SPHERIZE_EXAMPLES,
    WRENCH_EXAMPLES, XACRO_EXAMPLES,
};

/// Load robots and worlds, move them, ask where they are, test them for collision.
#[derive(Debug, Parser)]
#[command(name = "kinworld", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List links, coordinates, drivers, objects and terrains
    #[command(after_help = INFO_EXAMPLES)]
    Info {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        load: Load,
        #[command(flatten)]
        format: Format,
    },
    /// Load each file and report every error and warning
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Print the pose of every link of a robot
    #[command(after_help = FK_EXAMPLES)]
    Fk(Motion),
    /// Print the Jacobian of a point of a link
    ///
    /// Six rows, in world axes: three for the angular velocity of the link, then three for the
    /// velocity of the point. One column per coordinate.
    #[command(after_help = JACOBIAN_EXAMPLES)]
    Jacobian(Motion),
    /// Find the configuration that brings a link somewhere
    ///
    /// From where the robot is, then from random starts, within its limits. A place out of reach is answered with the
    /// configuration that comes nearest.
    #[command(after_help = IK_EXAMPLES)]
    Ik(Ik),
    /// Print the mass matrix and the forces of a robot
    ///
    /// Forces of velocity (`coriolis`) and those that hold the robot against gravity, which `tau`
    /// and `ddq` include. In N m where the coordinate is an angle, in N where it is a length.
    #[command(after_help = DYNAMICS_EXAMPLES)]
    Dynamics(Dynamics),
    /// List the pairs that collide, self-collisions included
    #[command(after_help = COLLIDE_EXAMPLES)]
    Collide(Collision),
    /// Time the kernels of the library for a robot
    ///
    /// Median nanoseconds per configuration on one core, through the library's public functions: 256
    /// random configurations within limits take turns, warm, in batches of about a millisecond.
    #[command(after_help = BENCH_EXAMPLES)]
    Bench {
        #[command(flatten)]
        files: Files,
        /// The robot, by name or index in load order [default: the first]
        #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
        robot: Option<Key>,
        #[command(flatten)]
        load: Load,
        #[command(flatten)]
        format: Format,
    },
    /// Print what acts on the links of a robot during a recorded motion, and why
    ///
    /// For each instant and link: what changes its momentum, as an observer sees it, and what that is the sum of: the
    /// wrenches of its joint, its weight and its children, and what an observer that moves has to add. Forces in N, moments in
    /// N m about the origin of the link, in the axes of the observer.
    #[command(after_help = WRENCH_EXAMPLES)]
    Wrench(Wrench),
    /// Find a way for a robot from one configuration to another without collision
    ///
    /// Prints the corners of the path, a line each; between them every joint moves steadily. The path is checked again at a
    /// quarter of the step (1/32 rad or m) at which it was found.
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(Plan),
    /// Find out which pairs of links of a robot need no collision test
    ///
    /// Looks at random configurations within limits. Left out are links that hang on one another (Adjacent), that collide where
    /// the robot starts (Default), in every configuration (Always) or in none (Never), and what FILE leaves out (User). The first
    /// half of the configurations proposes, the second half checks what never collides, and tells how much that may miss.
    #[command(after_help = ACM_EXAMPLES)]
    Acm(Acm),
    /// Put balls around the links of a robot
    ///
    /// Each link gets at most so many balls that together hold its shape, and with `--json` also those that lie inside of it
    /// where it is solid.
    #[command(after_help = SPHERIZE_EXAMPLES)]
    Spherize(Spherize),
    /// Print the plain XML that a xacro file stands for
    #[command(after_help = XACRO_EXAMPLES)]
    Xacro {
        /// The file to expand
        #[arg(value_name = "FILE")]
        path: PathBuf,
        #[command(flatten)]
        load: Load,
    },
    /// Write what a file holds in another format
    ///
    /// The suffix of OUT says which: .rob, .urdf, .obj, .env, .xml, or a mesh (.off, .obj, .stl, .ply).
    /// Shapes go to a folder beside it. What the format cannot hold is a warning.
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert {
        /// The file to read
        #[arg(value_name = "IN")]
        input: PathBuf,
        /// The file to write; an old one is replaced, but never IN itself
        #[arg(value_name = "OUT")]
        output: PathBuf,
        #[command(flatten)]
        load: Load,
    },
    /// Let a robot move by itself, and record what sensors see
    #[command(after_help = SIMULATE_EXAMPLES)]
    Simulate(Box<Simulate>),
    /// Answer JSON requests, one per line of standard input
    #[command(long_about = QUERY_ABOUT, after_long_help = QUERY_EXAMPLES)]
    Query {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        load: Load,
        /// Changes nothing here: `query` always speaks JSON
        #[arg(long)]
        json: bool,
    },
}

/// The files that make up one world.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// Files to load into one world, in this order
    ///
    /// Worlds (.xml), robots (.rob, .urdf, .xacro), rigid objects (.obj), terrains (.env), and meshes
    /// (.off, .obj, .stl), which become terrains.
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files to check, each on its own
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// What the file is; by default that follows from its content
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) load: Load,
    /// Print one line of facts per file, as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// A world with one robot put somewhere.
#[derive(Debug, Args)]
pub(crate) struct Still {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) posture: Posture,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// A world with one robot put somewhere, and a point of it.
#[derive(Debug, Args)]
pub(crate) struct Motion {
    #[command(flatten)]
    pub(crate) still: Still,
    /// The link, by name or index [default: all for `fk`, the last one for `jacobian`]
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    pub(crate) link: Option<Key>,
    /// A point in the frame of the link, in metres [default: its origin]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) point: Option<[f64; 3]>,
}

/// A world with one robot put somewhere, and how that moves.
#[derive(Debug, Args)]
pub(crate) struct Dynamics {
    #[command(flatten)]
    pub(crate) still: Still,
    #[command(flatten)]
    pub(crate) drive: Drive,
}

/// How a robot moves, and what makes it.
#[derive(Debug, Args)]
pub(crate) struct Drive {
    /// Its velocity, one value per coordinate in rad/s or m/s [default: at rest]
    #[arg(long, value_name = "V1,V2,…", allow_hyphen_values = true, value_parser = numbers)]
    pub(crate) velocity: Option<Numbers>,
    /// Its acceleration: adds `tau`, the forces that this takes
    #[arg(long, value_name = "A1,A2,…", allow_hyphen_values = true, value_parser = numbers)]
    pub(crate) accel: Option<Numbers>,
    /// The forces of its motors: adds `ddq`, the acceleration that follows
    #[arg(long, value_name = "T1,T2,…", allow_hyphen_values = true, value_parser = numbers)]
    pub(crate) torque: Option<Numbers>,
    /// Gravity in world axes, in m/s² [default: 0,0,-9.81]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) gravity: Option<[f64; 3]>,
}

impl Drive {
    /// The same, of a robot that is somewhere.
    pub(crate) fn from(self, posture: Posture) -> request::Moved {
        let values = |numbers: Option<Numbers>| numbers.map(|Numbers(values)| values);
        request::Moved {
            posture: posture.into(),
            dq: values(self.velocity),
            ddq: values(self.accel),
            tau: values(self.torque),
            gravity: self.gravity,
        }
    }
}

/// A world with one robot put somewhere, and a link of it to look at.
#[derive(Debug, Args)]
pub(crate) struct Collision {
    #[command(flatten)]
    pub(crate) still: Still,
    /// List only the pairs with this link, by name or index [default: all pairs]; not with `--json`
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    pub(crate) link: Option<Key>,
    /// Changes nothing here: shapes collide, points do not
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) point: Option<[f64; 3]>,
}

/// Which robot, and where it is.
#[derive(Debug, Args)]
pub(crate) struct Posture {
    /// The robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    pub(crate) robot: Option<Key>,
    /// Where it is, in rad and m: one value per coordinate or driver [default: as loaded]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true, value_parser = numbers)]
    pub(crate) config: Option<Numbers>,
}

impl From<Posture> for request::Posture {
    fn from(posture: Posture) -> Self {
        Self {
            robot: posture.robot,
            config: posture.config.map(|Numbers(values)| values),
        }
    }
}

/// How files are read.
#[derive(Debug, Clone, Args)]
pub(crate) struct Load {
    /// Where `package://NAME/…` points to; may be given several times
    #[arg(long, value_name = "NAME=DIR", value_parser = package, help_heading = LOADING)]
    pub(crate) package: Vec<(String, PathBuf)>,
    /// How the root of a URDF hangs on the world
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = LOADING)]
    pub(crate) base: Base,
    /// What becomes of the fixed joints of a URDF
    #[arg(long, value_enum, value_name = "HOW", default_value_t, help_heading = LOADING)]
    pub(crate) fixed_joints: FixedJoints,
    /// Do not read meshes: links and objects stay without those shapes
    #[arg(long, help_heading = LOADING)]
    pub(crate) no_meshes: bool,
    /// Refuse files that are warned about
    #[arg(long, help_heading = LOADING)]
    pub(crate) strict: bool,
    /// An SRDF for the robots: pairs that it disables are not tested for collision
    #[arg(long, value_name = "FILE", help_heading = LOADING)]
    pub(crate) srdf: Option<PathBuf>,
    /// An argument of a xacro file; may be given several times
    #[arg(long = "xacro-arg", value_name = "NAME=VALUE", value_parser = argument, help_heading = LOADING)]
    pub(crate) xacro_args: Vec<(String, String)>,
}

/// How the answer looks.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Format {
    /// Print one line of JSON, as `query` answers it, in place of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// What a file is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Kind {
    Robot,
    RigidObject,
    Terrain,
    World,
    Configurations,
    Mesh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum Base {
    /// Fixed, unless the file's `<klampt>` element says otherwise
    #[default]
    Auto,
    /// Fixed to the world
    Fixed,
    /// Free: six virtual links carry the root
    Floating,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(crate) enum FixedJoints {
    /// No coordinate, unless the file has a `<klampt>` element
    #[default]
    Auto,
    /// One weld coordinate each
    Keep,
    /// No coordinate; the link stays in the list
    Merge,
}

/// A list of finite numbers; a type of its own, since clap reads `Vec` as a repeated option.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Numbers(pub(crate) Vec<f64>);

fn numbers(text: &str) -> Result<Numbers, String> {
    if text.trim().is_empty() {
        return Ok(Numbers(Vec::new()));
    }
    text.split(',')
        .map(|word| match word.trim().parse::<f64>() {
            Ok(x) if x.is_finite() => Ok(x),
            Ok(_) => Err(format!("`{word}` is not finite")),
            Err(_) => Err(format!("`{word}` is not a number")),
        })
        .collect::<Result<_, _>>()
        .map(Numbers)
}

fn point(text: &str) -> Result<[f64; 3], String> {
    let Numbers(values) = numbers(text)?;
    <[f64; 3]>::try_from(values)
        .map_err(|values| format!("expected 3 values, got {}", values.len()))
}

fn key(text: &str) -> Result<Key, Infallible> {
    Ok(Key::Word(text.to_owned()))
}

fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, dir)) if !name.is_empty() && !dir.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(dir)))
        }
        _ => Err("expected NAME=DIR, for instance my_robot=/opt/models/my_robot".to_owned()),
    }
}

fn argument(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, for instance prefix=left_".to_owned()),
    }
}

const LOADING: &str = "Loading";
