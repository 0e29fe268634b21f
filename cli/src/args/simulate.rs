//! What a run through time is to be.

use std::path::PathBuf;

use clap::Args;

use super::{Files, Format, Load, Numbers, Posture, numbers, point};

/// A world with a robot that moves by itself.
#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) posture: Posture,
    /// What the run is to be, as JSON, or TOML where the name ends with `.toml`; options of the command line go before it
    #[arg(long, value_name = "FILE")]
    pub(crate) setup: Option<PathBuf>,
    /// How long it lasts, in seconds [default: 1]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    /// How steps are made: euler, midpoint, rk33, rk44, rk67, ode23, dopri5, dop853, verlet,
    /// semi-implicit-euler, trapezoidal, generalized-alpha [default: rk44]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// How long a step is, in seconds [default: 0.001]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) step: Option<f64>,
    /// Choose steps by this error, relative and absolute: for ode23, dopri5 and dop853
    #[arg(long, value_name = "E", conflicts_with = "step")]
    pub(crate) tolerance: Option<f64>,
    /// The time between two rows of the table, in seconds; 0 for every step [default: 0.01]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) period: Option<f64>,
    /// The velocity at the beginning, in rad/s or m/s, one value per coordinate [default: at rest]
    #[arg(long, value_name = "V1,V2,…", allow_hyphen_values = true, value_parser = numbers)]
    pub(crate) velocity: Option<Numbers>,
    /// Gravity in world axes, in m/s² [default: 0,0,-9.81]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) gravity: Option<[f64; 3]>,
    /// Write the table there: JSON where the name ends with `.json`, else CSV
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Draw columns over time, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// The columns to draw, separated by commas [default: all]
    #[arg(
        long,
        value_name = "NAME1,NAME2,…",
        value_delimiter = ',',
        requires = "plot"
    )]
    pub(crate) columns: Vec<String>,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
