//! The arguments of `plan-prioritized`.

use std::path::PathBuf;

use clap::Args;

use super::motion_limits::{Corners, MotionLimits};
use super::plan::Shape;
use super::values::seconds;
use super::{Files, Format, Html, Load, Missing};
use crate::request::{Config, Key, PrioritizedRequest, Refusal};

/// A world, and the goals of the robots that move.
#[derive(Debug, Args)]
pub(crate) struct PlanPrioritized {
    #[command(flatten)]
    pub(crate) files: Files,
    /// A robot that moves, by name or index, and its goal configuration; once for each of them
    ///
    /// One value per dof or driver, some joints by name, or a named state; joints that are not named stay as at the start. Robots
    /// without a goal stay where they are.
    #[arg(
        long,
        num_args = 2,
        value_names = ["ROBOT", "Q1,Q2,…|JOINT=Q,…|@STATE"],
        required = true,
        allow_hyphen_values = true
    )]
    goal: Vec<String>,
    /// A robot that moves, and its start configuration [default: as loaded]
    #[arg(
        long,
        num_args = 2,
        value_names = ["ROBOT", "Q1,Q2,…|JOINT=Q,…|@STATE"],
        allow_hyphen_values = true
    )]
    from: Vec<String>,
    /// Keep each robot out of the volumes that those before it sweep, which are made of copies of their shapes this far apart, m
    ///
    /// Then each may begin when it likes and be as slow as it likes. Otherwise robots are kept apart at each time, and wait for
    /// others where they have to.
    #[arg(long, value_name = "M", allow_hyphen_values = true)]
    swept: Option<f64>,
    /// Angles in degrees, in options and in the table; JSON, lengths and files stay as they are
    #[arg(long)]
    pub(crate) degrees: bool,
    /// Seed of the random numbers: equal seeds give equal motions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Time limit of all searches together, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    time: f64,
    /// Collision geometry of links and objects
    #[arg(long, value_enum, value_name = "SHAPE", default_value_t)]
    shape: Shape,
    #[command(flatten)]
    limits: MotionLimits,
    #[command(flatten)]
    corners: Corners,
    /// File to write the motions to: .csv, .json, or Klampt's .path with the configurations of the robots one after the other [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) page: Html,
    #[command(flatten)]
    pub(crate) missing: Missing,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}

impl PlanPrioritized {
    /// The request of these arguments.
    pub(crate) fn request(&self) -> Result<PrioritizedRequest, Refusal> {
        let configs = |name: &str, words: &[String]| {
            let config = |pair: &[String]| {
                let [robot, config] = pair else {
                    return Err("expected a robot and a configuration".to_owned());
                };
                let config = Config::parse_state(config)?.in_degrees(self.degrees);
                Ok((Key::Word(robot.clone()), config))
            };
            let each = words.chunks(2).map(config).collect::<Result<Vec<_>, _>>();
            each.map_err(|problem| Refusal(format!("{name}: {problem}")))
        };
        Ok(PrioritizedRequest {
            from: configs("--from", &self.from)?,
            to: configs("--goal", &self.goal)?,
            swept: self.swept,
            shape: self.shape.into(),
            degrees: self.degrees && self.output.is_none(),
            seed: self.seed,
            max_iterations: None,
            max_seconds: Some(self.time),
            timing: self.corners.timing(&self.limits).unwrap_or_default(),
        })
    }
}
