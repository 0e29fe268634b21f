//! The arguments of `ik`.

use std::f64::consts::PI;

use clap::Args;
use kinworld::math::so3;

use super::{Missing, RobotArgs, key, numbers, point};
use crate::request::{IkRequest, Key};

/// A world with one robot, and the target of a link.
#[derive(Debug, Args)]
pub(crate) struct Ik {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Group of joints that move: all others stay
    #[arg(long, value_name = "GROUP")]
    group: Option<String>,
    /// Link, by name or index
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    link: Key,
    /// Point in the frame of the link that the target applies to, in metres [default: its origin]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    point: Option<[f64; 3]>,
    /// Target position of the point, in metres; the orientation is free
    #[arg(
        long,
        value_name = "X,Y,Z",
        required_unless_present = "pose",
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
    /// Seed of the random restarts after the first attempt from --config [default: 0]
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
    #[arg(long, conflicts_with_all = ["position", "seed"])]
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
    /// Position and rotation, row-major.
    fn resolved(self, degrees: bool) -> ([f64; 3], [[f64; 3]; 3]) {
        match self {
            Self::Angles(position, angles) => (position, rows_of(angles, degrees)),
            Self::Rows(position, rows) => (position, rows),
        }
    }
}

/// The rotation of roll, pitch and yaw, row-major.
pub(super) fn rows_of(angles: [f64; 3], degrees: bool) -> [[f64; 3]; 3] {
    let unit = if degrees { PI / 180.0 } else { 1.0 };
    let r = so3::from_rpy(angles.map(|angle| angle * unit));
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| r[(i, j)]))
}

impl Ik {
    /// The request of these arguments.
    pub(crate) fn request(self) -> IkRequest {
        let pose = self
            .pose
            .map(|pose| pose.resolved(self.robot.posture.degrees));
        IkRequest {
            group: self.group,
            start: self.robot.posture.into(),
            link: self.link,
            point: self.point.unwrap_or_default(),
            position: match (self.position, pose) {
                (Some(position), _) => position,
                (None, Some((position, _))) => position,
                (None, None) => [0.0; 3],
            },
            rotation: pose.map(|(_, rotation)| rotation),
            seed: self.seed,
            tolerance: self.tolerance,
            avoid_collisions: self.avoid_collisions,
        }
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
