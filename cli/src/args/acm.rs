//! What `acm` takes.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Load};

/// A robot, and how its pairs of links are looked at.
#[derive(Debug, Args)]
pub(crate) struct Acm {
    /// The file of a robot
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// How many random configurations are looked at
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) samples: usize,
    /// Equal seeds draw equal configurations
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Where the pairs go that need no test: FILE's kind (.rob or .urdf), or .srdf; an old SRDF keeps what it says
    #[arg(long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
