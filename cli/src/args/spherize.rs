//! What `spherize` takes.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Load};
use crate::session::SPHERES;

/// A robot, and how many balls its links may have.
#[derive(Debug, Args)]
pub(crate) struct Spherize {
    /// The file of a robot
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// The most balls for each link
    #[arg(long, value_name = "N", default_value_t = SPHERES)]
    pub(crate) spheres: usize,
    /// Where the robot with these balls goes: .urdf, .rob or .json [default: a table on standard output]
    #[arg(long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
