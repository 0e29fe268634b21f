//! The arguments of `ik`.

use clap::Args;
use kinworld::math::so3;

use super::{RobotArgs, key, numbers, point};
use crate::request::{IkRequest, Key};

/// A world with one robot, and the target of a link.
#[derive(Debug, Args)]
pub(crate) struct Ik {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
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
    /// All postures for --pose, the nearest to --config first
    ///
    /// Analytic IK for 6R arms with a spherical wrist: joint 2 ⟂ 1, joint 3 ∥ 2, axes 4 to 6 intersecting, each ⟂ the next.
    #[arg(long, conflicts_with_all = ["position", "seed"])]
    pub(crate) all: bool,
}

/// A position and a rotation, row-major.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TargetPose {
    position: [f64; 3],
    rotation: [[f64; 3]; 3],
}

impl Ik {
    /// The request of these arguments.
    pub(crate) fn request(self) -> IkRequest {
        IkRequest {
            start: self.robot.posture.into(),
            link: self.link,
            point: self.point.unwrap_or_default(),
            position: match (self.position, self.pose) {
                (Some(position), _) => position,
                (None, Some(pose)) => pose.position,
                (None, None) => [0.0; 3],
            },
            rotation: self.pose.map(|pose| pose.rotation),
            seed: self.seed,
            restarts: None,
            tolerance: self.tolerance,
            avoid_collisions: self.avoid_collisions,
        }
    }
}

fn pose(text: &str) -> Result<TargetPose, String> {
    match *numbers(text)?.0 {
        [x, y, z, roll, pitch, yaw] => {
            let r = so3::from_rpy([roll, pitch, yaw]);
            Ok(TargetPose {
                position: [x, y, z],
                rotation: [0, 1, 2].map(|i| [0, 1, 2].map(|j| r[(i, j)])),
            })
        }
        [a, b, c, d, e, f, g, h, i, x, y, z] => Ok(TargetPose {
            position: [x, y, z],
            rotation: [[a, b, c], [d, e, f], [g, h, i]],
        }),
        ref values => Err(format!("expected 6 or 12 values, got {}", values.len())),
    }
}
