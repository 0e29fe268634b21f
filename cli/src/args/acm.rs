//! The arguments of `acm`.

use std::path::PathBuf;

use clap::Args;

use super::{Format, Load, Missing};

/// A robot, and the sampling of its pairs of links.
#[derive(Debug, Args)]
pub(crate) struct Acm {
    /// Robot file
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Number of random configurations
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) samples: usize,
    /// Seed of the random configurations
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// File to write the disabled pairs to: of FILE's format (.rob or .urdf), or .srdf; an existing SRDF is completed
    #[arg(long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
    /// Disable pairs that collide at the reference configuration and not always, too; the bound counts them
    #[arg(long = "default")]
    pub(crate) disable_default: bool,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
