//! The arguments of `ik`.

use clap::Args;
use kinworld::math::so3;

use super::{Still, key, numbers, point};
use crate::request::{Key, Reach};

/// A world with one robot, and where a link of it should be.
#[derive(Debug, Args)]
pub(crate) struct Ik {
    #[command(flatten)]
    pub(crate) still: Still,
    /// The link, by name or index
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    link: Key,
    /// The point of the link that should be there, in its frame, in metres [default: its origin]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    point: Option<[f64; 3]>,
    /// Where the point should be, in metres; the link may be turned any way
    #[arg(
        long,
        value_name = "X,Y,Z",
        required_unless_present = "pose",
        conflicts_with = "pose",
        allow_hyphen_values = true,
        value_parser = point
    )]
    position: Option<[f64; 3]>,
    /// Where the point should be and how the link should be turned: place, roll, pitch and yaw
    ///
    /// Or twelve numbers: the rotation row by row, then the place.
    #[arg(long, value_name = "X,Y,Z,R,P,Y", allow_hyphen_values = true, value_parser = pose)]
    pose: Option<Place>,
    /// What random starts are drawn from, after the first try from --config [default: 0]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// The largest distance and angle that count as there, in m and rad [default: 1e-9]
    #[arg(long, value_name = "T")]
    tolerance: Option<f64>,
    /// Go on until the robot collides neither with itself nor with the world
    #[arg(long)]
    avoid_collisions: bool,
    /// Every posture that brings the link to --pose, the nearest to --config first
    ///
    /// By closed formulas: for arms of six joints that turn, axis 2 across axis 1 and parallel to axis 3, the last three
    /// meeting in a point, each across the next.
    #[arg(long, conflicts_with_all = ["position", "seed"])]
    pub(crate) all: bool,
}

/// A place and a rotation, row by row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    position: [f64; 3],
    rotation: [[f64; 3]; 3],
}

impl Ik {
    /// The question.
    pub(crate) fn reach(self) -> Reach {
        Reach {
            start: self.still.posture.into(),
            link: self.link,
            point: self.point.unwrap_or_default(),
            position: match (self.position, self.pose) {
                (Some(position), _) => position,
                (None, Some(pose)) => pose.position,
                (None, None) => [0.0; 3],
            },
            rotation: self.pose.map(|pose| pose.rotation),
            seed: self.seed,
            tolerance: self.tolerance,
            avoid_collisions: self.avoid_collisions,
        }
    }
}

fn pose(text: &str) -> Result<Place, String> {
    match *numbers(text)?.0 {
        [x, y, z, roll, pitch, yaw] => {
            let r = so3::from_rpy([roll, pitch, yaw]);
            Ok(Place {
                position: [x, y, z],
                rotation: [0, 1, 2].map(|i| [0, 1, 2].map(|j| r[(i, j)])),
            })
        }
        [a, b, c, d, e, f, g, h, i, x, y, z] => Ok(Place {
            position: [x, y, z],
            rotation: [[a, b, c], [d, e, f], [g, h, i]],
        }),
        ref values => Err(format!("expected 6 or 12 values, got {}", values.len())),
    }
}
