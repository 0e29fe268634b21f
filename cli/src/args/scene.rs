//! The arguments of `distance`, `ray` and `place`.

use std::path::PathBuf;

use clap::Args;

use super::{Files, Format, Load, Missing, RobotArgs, key, point};
use crate::placed::{self, GivenPose};
use crate::request::{Key, NEAREST};

/// A world, with the configuration of one robot, and the pair to measure.
#[derive(Debug, Args)]
pub(crate) struct Distance {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Two elements [default: the nearest of all pairs that are tested for collision]
    ///
    /// Each is the name of an object, a terrain, a robot or `robot[link]`, or its Klampt id. A robot counts as its nearest link.
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true, value_parser = key)]
    pub(crate) pair: Option<Vec<Key>>,
    /// Number of nearest pairs
    #[arg(long, value_name = "N", default_value_t = NEAREST, conflicts_with = "pair")]
    pub(crate) nearest: usize,
    #[command(flatten)]
    pub(crate) missing: Missing,
}

/// A world, with the configuration of one robot, and a ray.
#[derive(Debug, Args)]
pub(crate) struct Ray {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Start of the ray in the world, in metres
    #[arg(long, alias = "from", value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) origin: [f64; 3],
    /// Direction of the ray in world axes, of any length
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) direction: [f64; 3],
    #[command(flatten)]
    pub(crate) missing: Missing,
}

/// Files, and where to put them.
#[derive(Debug, Args)]
pub(crate) struct Place {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Pose of each FILE that has none after an @: position in metres, then roll, pitch and yaw
    #[arg(long, value_name = "X,Y,Z[,R,P,Y]", allow_hyphen_values = true, value_parser = placed::pose)]
    pub(crate) at: Option<GivenPose>,
    /// Angles in degrees, in poses and in the table; JSON and files stay as they are
    #[arg(long)]
    pub(crate) degrees: bool,
    /// File to write: .xml for all of it; .obj, .env, .urdf or .rob for one element [default: a table on standard output]
    #[arg(long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
