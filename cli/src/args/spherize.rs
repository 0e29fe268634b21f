//! The arguments of `spherize`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Load, Missing};
use crate::session::SPHERES;

/// A robot, and the number of spheres of its links.
#[derive(Debug, Args)]
pub(crate) struct Spherize {
    /// Robot file
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Maximum number of spheres per link
    #[arg(long, value_name = "N", default_value_t = SPHERES)]
    pub(crate) spheres: usize,
    /// File to write the robot with these spheres to: .urdf, .rob or .json [default: a table on standard output]
    #[arg(long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
