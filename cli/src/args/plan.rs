//! The arguments of `plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
#[cfg(feature = "oxmpl")]
use kinworld::planning::OxmplPlanner;

use super::{Files, Format, Load, Missing, key};
use crate::request::{self, Config, Key};

/// A world, and the start and goal configurations.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    robot: Option<Key>,
    /// Start configuration: one value per dof or driver, some joints by name, or a named state [default: as loaded]
    #[arg(long, value_name = "Q1,Q2,…|JOINT=Q,…|@STATE", allow_hyphen_values = true, value_parser = Config::parse)]
    from: Option<Config>,
    /// Goal configuration, as --from; joints that it does not name stay as at the start
    #[arg(long, value_name = "Q1,Q2,…|JOINT=Q,…|@STATE", allow_hyphen_values = true, value_parser = Config::parse)]
    to: Config,
    /// Seed of the random numbers: equal seeds give equal paths
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Time limit of the search, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    time: f64,
    /// Planner
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    planner: Planner,
    /// Collision geometry of links and objects
    #[arg(long, value_enum, value_name = "SHAPE", default_value_t)]
    shape: Shape,
    /// File to write the path to: .csv, .json, or Klampt's .path with a waypoint per second [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Planner {
    /// RRT-Connect: two trees that grow towards each other
    #[default]
    RrtConnect,
    /// PRM of the crate oxmpl; half of the time builds the roadmap
    #[cfg(feature = "oxmpl")]
    OxmplPrm,
    /// RRT of the crate oxmpl
    #[cfg(feature = "oxmpl")]
    OxmplRrt,
    /// RRT-Connect of the crate oxmpl
    #[cfg(feature = "oxmpl")]
    OxmplRrtConnect,
    /// RRT* of the crate oxmpl, for short paths
    #[cfg(feature = "oxmpl")]
    OxmplRrtStar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Shape {
    /// Geometry as loaded
    #[default]
    Mesh,
    /// Convex hulls
    Hull,
    /// Spheres around the links, at most 16 per link
    Spheres,
}

impl Plan {
    /// The request of these arguments.
    pub(crate) fn request(&self) -> request::PlanRequest {
        request::PlanRequest {
            space: request::Space {
                robot: self.robot.clone(),
                shape: match self.shape {
                    Shape::Mesh => request::Shape::Mesh,
                    Shape::Hull => request::Shape::Hull,
                    Shape::Spheres => request::Shape::Spheres,
                },
            },
            from: self.from.clone(),
            to: self.to.clone(),
            seed: self.seed,
            max_iterations: Some(usize::MAX),
            max_seconds: Some(self.time),
            planner: match self.planner {
                Planner::RrtConnect => request::Planner::RrtConnect,
                #[cfg(feature = "oxmpl")]
                Planner::OxmplPrm => request::Planner::Oxmpl(OxmplPlanner::Prm),
                #[cfg(feature = "oxmpl")]
                Planner::OxmplRrt => request::Planner::Oxmpl(OxmplPlanner::Rrt),
                #[cfg(feature = "oxmpl")]
                Planner::OxmplRrtConnect => request::Planner::Oxmpl(OxmplPlanner::RrtConnect),
                #[cfg(feature = "oxmpl")]
                Planner::OxmplRrtStar => request::Planner::Oxmpl(OxmplPlanner::RrtStar),
            },
        }
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(x) if x.is_finite() && x >= 0.0 => Ok(x),
        _ => Err(format!("`{text}` is not a number of seconds")),
    }
}
