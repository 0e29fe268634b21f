//! What `plan` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
#[cfg(feature = "oxmpl")]
use kinworld::planning::OxmplPlanner;

use super::{Files, Format, Load, Numbers, key, numbers};
use crate::request::{self, Key};

/// From where to where, in which world.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) files: Files,
    /// The robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    robot: Option<Key>,
    /// Where it is at first: one value per coordinate or driver [default: as loaded]
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true, value_parser = numbers)]
    from: Option<Numbers>,
    /// Where it goes
    #[arg(long, value_name = "Q1,Q2,…", allow_hyphen_values = true, value_parser = numbers)]
    to: Numbers,
    /// Where the random numbers begin: equal seeds, equal paths
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// The longest that it may search, s
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    time: f64,
    /// Who plans
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    planner: Planner,
    /// By which shapes links and objects are judged
    #[arg(long, value_enum, value_name = "SHAPE", default_value_t)]
    shape: Shape,
    /// Where the path goes: .csv, .json, or .path as Klampt reads it, a corner a second [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Planner {
    /// Two trees that grow towards each other
    #[default]
    RrtConnect,
    /// A roadmap, built for half of the time, by the crate oxmpl
    #[cfg(feature = "oxmpl")]
    OxmplPrm,
    /// One tree, by the crate oxmpl
    #[cfg(feature = "oxmpl")]
    OxmplRrt,
    /// Two trees, by the crate oxmpl
    #[cfg(feature = "oxmpl")]
    OxmplRrtConnect,
    /// One tree that prefers short ways, by the crate oxmpl
    #[cfg(feature = "oxmpl")]
    OxmplRrtStar,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Shape {
    /// Those that were loaded
    #[default]
    Mesh,
    /// Their convex hulls
    Hull,
    /// Balls around the links, at most 16 for each
    Spheres,
}

impl Plan {
    /// The question that it is.
    pub(crate) fn journey(&self) -> request::Journey {
        request::Journey {
            place: request::Place {
                robot: self.robot.clone(),
                shape: match self.shape {
                    Shape::Mesh => request::Shape::Mesh,
                    Shape::Hull => request::Shape::Hull,
                    Shape::Spheres => request::Shape::Spheres,
                },
            },
            from: self.from.as_ref().map(|Numbers(values)| values.clone()),
            to: self.to.0.clone(),
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
