//! The arguments of `ik`.

use std::f64::consts::PI;

use clap::Args;
use kinworld::Rotation;
use kinworld::math::so3;

use super::plan::pose_goal;
use super::values::numbers;
use super::{Missing, RobotArgs, key, point};
use crate::answer::checked_rotation;
use crate::request::{IkRequest, Key, PoseGoal, Refusal};

/// A world with one robot, and the target of a link.
#[derive(Debug, Args)]
pub(crate) struct Ik {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Group of joints that move: all others stay
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// Link, by name or index
    #[arg(
        long,
        value_name = "LINK",
        required_unless_present = "to_pose",
        allow_hyphen_values = true,
        value_parser = key
    )]
    link: Option<Key>,
    /// Point in the frame of the link that the target applies to, in metres [default: its origin]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    point: Option<[f64; 3]>,
    /// Target position of the point, in metres; the orientation is free
    #[arg(
        long,
        value_name = "X,Y,Z",
        required_unless_present_any = ["pose", "to_pose"],
        conflicts_with = "pose",
        allow_hyphen_values = true,
        value_parser = point
    )]
    position: Option<[f64; 3]>,
    /// Target pose: position of the point, then roll, pitch and yaw of the link
    ///
    /// Or twelve numbers: the rotation matrix, row-major, then the position.
    #[arg(long, value_name = "X,Y,Z,R,P,Y", allow_hyphen_values = true, value_parser = pose)]
    pose: Option<TargetPose>,
    /// Another goal, as of `plan`: a link and the position or the pose of its origin; may be given several times
    ///
    /// The goals are tried in their order, that of --link first; the answer names the one that is reached.
    #[arg(
        long,
        num_args = 2,
        value_names = ["LINK", "X,Y,Z[,R,P,Y|,QX,QY,QZ,QW]"],
        allow_hyphen_values = true
    )]
    to_pose: Vec<String>,
    /// Seed of the random restarts after the first attempt from --config [default: 0]
    ///
    /// Equal seeds give equal answers on processors with the same vector instructions; on others the last digits may differ,
    /// and where the goal is not reached, the configuration.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Tolerance of position and orientation, in m and rad [default: 1e-9]
    #[arg(long, value_name = "T")]
    tolerance: Option<f64>,
    /// Search for a configuration without collision of the robot with itself or the world
    #[arg(long)]
    avoid_collisions: bool,
    #[command(flatten)]
    pub(crate) missing: Missing,
    /// All postures for --pose, the nearest to --config first
    ///
    /// Analytic IK for 6R arms with a spherical wrist: joint 2 ⟂ 1, joint 3 ∥ 2, axes 4 to 6 intersecting, each ⟂ the next.
    #[arg(long, conflicts_with_all = ["position", "seed", "to_pose"])]
    pub(crate) all: bool,
}

/// A position and an orientation.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TargetPose {
    /// Position; roll, pitch and yaw.
    Angles([f64; 3], [f64; 3]),
    /// Position; rotation, row-major.
    Rows([f64; 3], [[f64; 3]; 3]),
}

impl TargetPose {
    /// Position and rotation.
    fn resolved(self, degrees: bool) -> Result<([f64; 3], Rotation), Refusal> {
        Ok(match self {
            Self::Angles(position, angles) => (position, of_angles(angles, degrees)),
            Self::Rows(position, rows) => (position, checked_rotation(&rows)?),
        })
    }
}

/// The rotation of roll, pitch and yaw.
pub(super) fn of_angles(angles: [f64; 3], degrees: bool) -> Rotation {
    let unit = if degrees { PI / 180.0 } else { 1.0 };
    so3::from_rpy(angles.map(|angle| angle * unit))
}

impl Ik {
    /// The request of these arguments.
    pub(crate) fn request(self) -> Result<IkRequest, Refusal> {
        let degrees = self.robot.posture.degrees;
        let pose = self.pose.map(|pose| pose.resolved(degrees)).transpose()?;
        let position = self.position.or(pose.map(|(position, _)| position));
        let mut goals = Vec::new();
        match (self.link, position) {
            (Some(link), Some(position)) => goals.push(PoseGoal {
                link,
                point: self.point.unwrap_or_default(),
                position,
                rotation: pose.map(|(_, rotation)| rotation),
            }),
            (None, None) if self.point.is_none() => {}
            _ => {
                let problem =
                    "--link needs --position or --pose, and these and --point need --link";
                return Err(Refusal(problem.to_owned()));
            }
        }
        for words in self.to_pose.chunks(2) {
            let goal = pose_goal(words, degrees);
            goals.push(goal.map_err(|problem| Refusal(format!("--to-pose: {problem}")))?);
        }
        Ok(IkRequest {
            group: self.group,
            start: self.robot.posture.into(),
            goals,
            seed: self.seed,
            restarts: None,
            tolerance: self.tolerance,
            avoid_collisions: self.avoid_collisions,
        })
    }
}

fn pose(text: &str) -> Result<TargetPose, String> {
    match *numbers(text)?.0 {
        [x, y, z, roll, pitch, yaw] => Ok(TargetPose::Angles([x, y, z], [roll, pitch, yaw])),
        [a, b, c, d, e, f, g, h, i, x, y, z] => Ok(TargetPose::Rows(
            [x, y, z],
            [[a, b, c], [d, e, f], [g, h, i]],
        )),
        ref values => Err(format!("expected 6 or 12 values, got {}", values.len())),
    }
}
