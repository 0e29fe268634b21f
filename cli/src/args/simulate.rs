//! The arguments of `simulate`.

use std::path::PathBuf;

use clap::Args;

use super::{Files, Format, Html, Load, Posture, point};
use crate::request::DofValues;

/// A world with a robot to simulate.
#[derive(Debug, Args)]
pub(crate) struct Simulate {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) posture: Posture,
    /// Setup of the simulation, as JSON, or TOML if the name ends with `.toml`; command-line options take precedence
    #[arg(long, value_name = "FILE")]
    pub(crate) setup: Option<PathBuf>,
    /// Duration, in seconds [default: 1]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) duration: Option<f64>,
    /// Integrator: euler, midpoint, rk33, rk44, rk67, ode23, dopri5, dop853, verlet,
    /// semi-implicit-euler, trapezoidal, generalized-alpha [default: rk44]
    #[arg(long, value_name = "NAME")]
    pub(crate) method: Option<String>,
    /// Time step, in seconds [default: 0.001; ode23, dopri5 and dop853 choose theirs]
    #[arg(long, value_name = "H", allow_negative_numbers = true)]
    pub(crate) step: Option<f64>,
    /// Relative and absolute tolerance of the adaptive integrators ode23, dopri5 and dop853 [default: 1e-6]
    #[arg(long, value_name = "E", conflicts_with = "step")]
    pub(crate) tolerance: Option<f64>,
    /// Time between two rows of the table, in seconds; 0 for every step [default: 0.01]
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    pub(crate) period: Option<f64>,
    /// Initial velocity, one value per dof in rad/s or m/s, or some joints by name; in deg/s with --degrees [default: at rest]
    #[arg(long, alias = "velocity", value_name = "V1,V2,…|JOINT=V,…", allow_hyphen_values = true, value_parser = DofValues::parse)]
    pub(crate) dq: Option<DofValues>,
    /// Gravity in world axes, in m/s² [default: 0,0,-9.81]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) gravity: Option<[f64; 3]>,
    /// Leave out the friction and the limits of joints that the file of the robot has
    #[arg(long)]
    pub(crate) ideal: bool,
    /// File to write the table to: JSON if the name ends with `.json`, else CSV
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// File to plot columns over time to: SVG or PNG, by its suffix
    ///
    /// A panel for up to seven columns of each sensor.
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Columns to plot, separated by commas [default: all]
    #[arg(
        long,
        value_name = "NAME1,NAME2,…",
        value_delimiter = ',',
        requires = "plot"
    )]
    pub(crate) columns: Vec<String>,
    #[command(flatten)]
    pub(crate) page: Html,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}
