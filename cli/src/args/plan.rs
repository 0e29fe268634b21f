//! The arguments of `plan`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use kinworld::Rotation;
use kinworld::math::so3;
#[cfg(feature = "oxmpl")]
use kinworld::planning::OxmplPlanner;

use super::ik::of_angles;
use super::motion_limits::{Corners, MotionLimits};
use super::values::{numbers, seconds};
use super::{Files, Format, Html, Load, Missing, key};
use crate::request::{self, Config, Goal, Key, PoseGoal, Refusal};

/// A world, and the start and goal configurations.
#[derive(Debug, Args)]
pub(crate) struct Plan {
    #[command(flatten)]
    pub(crate) files: Files,
    /// Robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    robot: Option<Key>,
    /// Start configuration: one value per dof or driver, some joints by name, or a named state [default: as loaded]
    #[arg(
        long,
        value_name = "Q1,Q2,…|JOINT=Q,…|@STATE",
        allow_hyphen_values = true
    )]
    from: Option<String>,
    /// Goal configuration, as --from; joints that it does not name stay as at the start. May be given several times
    ///
    /// Of several goals, one is reached. A named state may also be given by its name alone.
    #[arg(
        long,
        value_name = "Q1,Q2,…|JOINT=Q,…|@STATE",
        required_unless_present = "to_pose",
        allow_hyphen_values = true
    )]
    to: Vec<String>,
    /// Goal pose of a link: position, then a quaternion, roll, pitch and yaw, or nothing for any orientation
    ///
    /// Inverse kinematics gives up to eight configurations as goals. May be given several times.
    #[arg(
        long,
        num_args = 2,
        value_names = ["LINK", "X,Y,Z[,QX,QY,QZ,QW|,R,P,Y]"],
        allow_hyphen_values = true
    )]
    to_pose: Vec<String>,
    /// Group of joints that move: all others stay as at the start
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// Angles in degrees, in options and in the table; JSON, lengths and files stay as they are
    #[arg(long)]
    pub(crate) degrees: bool,
    /// Seed of the random numbers: equal seeds give equal paths
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Time limit of the search, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0, value_parser = seconds)]
    time: f64,
    /// Samples for shorter paths, once there is one, and of several goals to the nearest; --time ends them as well
    ///
    /// AORRTC, which converges to the shortest path. With RRT-Connect, or after another planner.
    #[arg(long, value_name = "N", default_value_t = 0)]
    improve: usize,
    /// Planner
    #[arg(long, value_enum, value_name = "NAME", default_value_t)]
    planner: Planner,
    /// Road map: a JSON file that is read, used and written again with what it learned, and made where there is none
    ///
    /// Free configurations and edges between near ones (PRM). What was found out about edges is found out again in each run, as
    /// far as a path needs it; robots, joints and limits must be those of the map. A search fills gaps. Goals are configurations.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["planner", "to_pose"])]
    roadmap: Option<PathBuf>,
    /// Collision geometry of links and objects
    #[arg(long, value_enum, value_name = "SHAPE", default_value_t)]
    shape: Shape,
    #[command(flatten)]
    limits: MotionLimits,
    #[command(flatten)]
    corners: Corners,
    /// File to write the path to: .csv, .json, or Klampt's .path with a waypoint per second, or with the times of a trajectory [default: standard output]
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
pub(super) enum Shape {
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
    pub(crate) fn request(&self) -> Result<request::PlanRequest, Refusal> {
        let option = |name: &'static str| move |problem| Refusal(format!("{name}: {problem}"));
        let config = |text: &String| {
            let config = Config::parse_state(text)?;
            Ok(config.in_degrees(self.degrees))
        };
        let goal = |text: &String| {
            let (config, label) = (config(text)?, text.clone());
            Ok(Goal::Config { config, label })
        };
        let goals = self.to.iter().map(goal).collect::<Result<Vec<_>, _>>();
        let mut to = goals.map_err(option("--to"))?;
        for pose in self.to_pose.chunks(2) {
            let goal = pose_goal(pose, self.degrees).map_err(option("--to-pose"));
            to.push(Goal::Pose(goal?));
        }
        let from = self.from.as_ref().map(config).transpose();
        Ok(request::PlanRequest {
            space: request::Space {
                robot: self.robot.clone(),
                shape: self.shape.into(),
            },
            from: from.map_err(option("--from"))?,
            to,
            group: self.group.clone(),
            degrees: self.degrees && self.output.is_none(),
            seed: self.seed,
            max_iterations: Some(usize::MAX),
            max_seconds: Some(self.time),
            improve: self.improve,
            timing: self.corners.timing(&self.limits),
            planner: match self.planner {
                Planner::RrtConnect => match &self.roadmap {
                    Some(file) => request::Planner::RoadMap(file.clone()),
                    None => request::Planner::RrtConnect,
                },
                #[cfg(feature = "oxmpl")]
                Planner::OxmplPrm => request::Planner::Oxmpl(OxmplPlanner::Prm),
                #[cfg(feature = "oxmpl")]
                Planner::OxmplRrt => request::Planner::Oxmpl(OxmplPlanner::Rrt),
                #[cfg(feature = "oxmpl")]
                Planner::OxmplRrtConnect => request::Planner::Oxmpl(OxmplPlanner::RrtConnect),
                #[cfg(feature = "oxmpl")]
                Planner::OxmplRrtStar => request::Planner::Oxmpl(OxmplPlanner::RrtStar),
            },
        })
    }
}

/// A goal of a link and its pose.
pub(super) fn pose_goal(words: &[String], degrees: bool) -> Result<PoseGoal, String> {
    let [link, pose] = words else {
        return Err("expected a link and a pose".to_owned());
    };
    let (position, rotation) = pose_of(pose, degrees)?;
    Ok(PoseGoal {
        link: Key::Word(link.clone()),
        point: [0.0; 3],
        position,
        rotation,
    })
}

/// A position, and a rotation where one is given.
pub(super) fn pose_of(text: &str, degrees: bool) -> Result<([f64; 3], Option<Rotation>), String> {
    Ok(match *numbers(text)?.0 {
        [x, y, z] => ([x, y, z], None),
        [x, y, z, roll, pitch, yaw] => ([x, y, z], Some(of_angles([roll, pitch, yaw], degrees))),
        [x, y, z, qx, qy, qz, qw] => {
            let r = so3::from_xyzw([qx, qy, qz, qw]);
            ([x, y, z], Some(r.map_err(|error| error.to_string())?))
        }
        ref values => return Err(format!("expected 3, 6 or 7 values, got {}", values.len())),
    })
}

impl From<Shape> for request::Shape {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Mesh => Self::Mesh,
            Shape::Hull => Self::Hull,
            Shape::Spheres => Self::Spheres,
        }
    }
}
