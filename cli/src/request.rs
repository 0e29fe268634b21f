//! Requests to a loaded world, as plain data, from the command line and from `query`.

use std::path::PathBuf;

use kinworld::{Diagnostic, Rotation};

pub(crate) use crate::config::{Change, Config};
pub(crate) use crate::dof_values::DofValues;

/// Largest absolute value of a number that is accepted.
pub(crate) const LARGEST: f64 = 1e100;

/// A request.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    /// Contents of the world.
    Info,
    /// Configurations, poses and attachments.
    State,
    /// Sphere covers of the links of a robot, at most so many for each.
    Spheres {
        robot: Option<Key>,
        max: Option<usize>,
    },
    /// Poses of all links.
    Fk(Posture),
    /// Jacobian of a point of a link.
    Jacobian {
        posture: Posture,
        link: Key,
        /// In the frame of the link.
        point: [f64; 3],
    },
    /// Pose, Jacobian and velocity of a frame of a link relative to another link.
    Frame(FrameRequest),
    /// Mass, centre of mass, its Jacobian and its velocity: of a link, or of the robot where none is given.
    Com {
        posture: Posture,
        dq: Option<DofValues>,
        link: Option<Key>,
    },
    /// Inverse kinematics.
    Ik(IkRequest),
    /// Whether inverse kinematics finds a configuration.
    Reachable(IkRequest),
    /// Mass matrix and forces.
    Dynamics(DynamicsRequest),
    /// Interpolation of two configurations.
    Interpolate {
        robot: Option<Key>,
        a: Config,
        b: Config,
        u: f64,
    },
    /// Distance of two configurations.
    ConfigDistance {
        robot: Option<Key>,
        a: Config,
        b: Config,
    },
    /// Motions of several robots.
    PlanPrioritized(PrioritizedRequest),
    /// All colliding pairs.
    Collide(Posture),
    /// Contact points of all colliding pairs.
    Contacts {
        posture: Posture,
        /// The largest number of points of a pair.
        max: Option<usize>,
    },
    /// Distance of two elements.
    Distance { posture: Posture, a: Key, b: Key },
    /// Enabled pairs with the least distance.
    Nearest {
        posture: Posture,
        /// Largest number of pairs.
        n: usize,
    },
    /// Wrench balance of a link.
    Wrench(WrenchRequest),
    /// Collision check of a configuration.
    Free { space: Space, q: Option<Config> },
    /// Collision check of an edge between two configurations.
    Edge {
        space: Space,
        /// As in the world where none is given.
        from: Option<Config>,
        to: Config,
        /// The largest step of a joint, rad or m.
        resolution: Option<f64>,
    },
    /// Distance to the nearest obstacle.
    Clearance { space: Space, q: Option<Config> },
    /// Path planning.
    Plan(PlanRequest),
    /// A path of a link.
    Cartesian(CartesianRequest),
    /// First hit of a ray.
    Ray {
        posture: Posture,
        origin: [f64; 3],
        direction: [f64; 3],
    },
}

/// Number of nearest pairs, if none is given.
pub(crate) const NEAREST: usize = 10;

/// A robot and its configuration: as loaded, unless values are given.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Posture {
    /// The first one where none is given.
    pub(crate) robot: Option<Key>,
    pub(crate) config: Option<Config>,
    /// True if tables show angles in degrees.
    pub(crate) degrees: bool,
}

/// A link of a robot, and its goals.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct IkRequest {
    /// Robot, and start of the search.
    pub(crate) start: Posture,
    /// Group of joints that move; all where none is given.
    pub(crate) group: Option<String>,
    /// Goals of which one is to be reached, in the order in which they are tried.
    pub(crate) goals: Vec<PoseGoal>,
    /// Seed of the random restarts.
    pub(crate) seed: Option<u64>,
    /// Number of the random restarts; that of the library where none is given.
    pub(crate) restarts: Option<usize>,
    /// In m and rad.
    pub(crate) tolerance: Option<f64>,
    /// True if the result must be free of collision.
    pub(crate) avoid_collisions: bool,
}

/// A frame of a link, and the link that it is observed from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FrameRequest {
    pub(crate) posture: Posture,
    /// Velocity: adds that of the frame.
    pub(crate) dq: Option<DofValues>,
    pub(crate) link: Key,
    /// Origin of the frame, in that of the link.
    pub(crate) point: [f64; 3],
    /// The world where none is given.
    pub(crate) reference: Option<Key>,
}

/// A robot with configuration, velocity, and acceleration or forces.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DynamicsRequest {
    pub(crate) posture: Posture,
    /// Velocity, as loaded where none is given: at rest.
    pub(crate) dq: Option<DofValues>,
    /// Acceleration for inverse dynamics.
    pub(crate) ddq: Option<DofValues>,
    /// Forces for forward dynamics.
    pub(crate) tau: Option<DofValues>,
    /// As on earth, along −z, where none is given.
    pub(crate) gravity: Option<[f64; 3]>,
}

/// A link of a moving robot, with external wrenches and an observer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WrenchRequest {
    pub(crate) dynamics: DynamicsRequest,
    pub(crate) link: Key,
    /// The world where none is given.
    pub(crate) observer: Option<Key>,
    pub(crate) external: Vec<ExternalWrench>,
}

/// A robot with the collision geometry of its configuration space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Space {
    /// The first one where none is given.
    pub(crate) robot: Option<Key>,
    pub(crate) shape: Shape,
}

/// Collision geometry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Shape {
    /// As loaded.
    #[default]
    Mesh,
    /// Convex hulls of links and objects.
    Hull,
    /// Spheres around the links.
    Spheres,
}

/// Start, goal and limits of a path search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlanRequest {
    pub(crate) space: Space,
    /// As loaded where none is given.
    pub(crate) from: Option<Config>,
    /// Goals of which one is to be reached.
    pub(crate) to: Vec<Goal>,
    /// Group of joints that move; all where none is given.
    pub(crate) group: Option<String>,
    /// True if tables show angles in degrees.
    pub(crate) degrees: bool,
    pub(crate) seed: u64,
    pub(crate) max_iterations: Option<usize>,
    pub(crate) max_seconds: Option<f64>,
    /// Samples for shorter paths.
    pub(crate) improve: usize,
    pub(crate) planner: Planner,
    /// None for a path without time.
    pub(crate) timing: Option<Timing>,
}

/// Motions of several robots on one clock.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrioritizedRequest {
    /// Robots that do not start as loaded.
    pub(crate) from: Vec<(Key, Config)>,
    /// The robots that move, and their goals; all others stay where they are.
    pub(crate) to: Vec<(Key, Config)>,
    /// Spacing of swept volumes that robots keep out of, m; none where they are kept apart at each time.
    pub(crate) swept: Option<f64>,
    pub(crate) shape: Shape,
    /// True if tables show angles in degrees.
    pub(crate) degrees: bool,
    pub(crate) seed: u64,
    /// Of each search for the path of a robot.
    pub(crate) max_iterations: Option<usize>,
    /// Of all searches together.
    pub(crate) max_seconds: Option<f64>,
    pub(crate) timing: Timing,
}

/// A path of a link through space.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CartesianRequest {
    pub(crate) space: Space,
    pub(crate) link: Key,
    /// As loaded where none is given.
    pub(crate) from: Option<Config>,
    pub(crate) pieces: Vec<Piece>,
    /// Other links that move at the same time; those without pieces stay where they are.
    pub(crate) also: Vec<(Key, Vec<Piece>)>,
    /// Radius of rounded corners, m.
    pub(crate) blend: f64,
    /// Group of joints that move; all where none is given.
    pub(crate) group: Option<String>,
    /// Largest distance of the link between two configurations, m.
    pub(crate) spacing: f64,
    /// True if tables show angles in degrees.
    pub(crate) degrees: bool,
    /// None for a path without time.
    pub(crate) timing: Option<Timing>,
    /// Largest speed of the link, m/s.
    pub(crate) speed: Option<f64>,
}

/// Largest distance of the link between two configurations, m, if none is given.
pub(crate) const SPACING: f64 = 0.005;

/// Names of the kinds of pieces, in the order of [`Piece`].
pub(crate) const PIECES: [&str; 5] = ["move", "move_local", "line", "arc", "screw"];

/// A piece of a path of a link.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Piece {
    /// Straight by a vector in world axes, m.
    Move([f64; 3]),
    /// Straight by a vector in the axes of the link, m.
    MoveLocal([f64; 3]),
    /// Straight to a pose; with the same orientation where none is given.
    Line {
        position: [f64; 3],
        rotation: Option<Rotation>,
    },
    /// About an axis through a point, by an angle in rad, without turning the link.
    Arc {
        center: [f64; 3],
        axis: [f64; 3],
        angle: f64,
    },
    /// About an axis through a point, by an angle in rad, and along it, m.
    Screw {
        through: [f64; 3],
        axis: [f64; 3],
        angle: f64,
        shift: f64,
    },
}

/// Limits of a motion along a path.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Timing {
    /// One number for all degrees of freedom, or one for each; those of the robot where none are given.
    pub(crate) velocity: Option<Vec<f64>>,
    pub(crate) acceleration: Option<Vec<f64>>,
    pub(crate) jerk: Option<Vec<f64>>,
    pub(crate) torque: Option<Vec<f64>>,
    /// True if the limits of torque of the robot count.
    pub(crate) own_torque: bool,
    /// A `joint_limits.yaml`.
    pub(crate) file: Option<PathBuf>,
    /// By how much rounded corners may leave the path, rad or m.
    pub(crate) deviation: Option<f64>,
    /// The distance, m, that a smooth curve beside the path keeps from obstacles where it can; `None` for no such curve.
    pub(crate) smooth: Option<f64>,
    /// Time between two rows of the answer, s.
    pub(crate) step: Option<f64>,
}

/// A goal of a path.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Goal {
    /// A configuration; joints that it does not name stay as at the start.
    Config {
        config: Config,
        /// The configuration as it was given.
        label: String,
    },
    /// A pose of a link, for inverse kinematics.
    Pose(PoseGoal),
}

/// A point of a link, and where it is to be.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PoseGoal {
    pub(crate) link: Key,
    /// In the frame of the link.
    pub(crate) point: [f64; 3],
    /// Of the point, in the world.
    pub(crate) position: [f64; 3],
    /// Of the link; free where none is given.
    pub(crate) rotation: Option<Rotation>,
}

/// Planner.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Planner {
    #[default]
    RrtConnect,
    /// The road map in a file.
    RoadMap(PathBuf),
    #[cfg(feature = "oxmpl")]
    Oxmpl(kinworld::planning::OxmplPlanner),
}

/// An external wrench on a link.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ExternalWrench {
    pub(crate) link: Key,
    /// In the frame of the link.
    pub(crate) point: [f64; 3],
    /// Moment first, in world axes.
    pub(crate) wrench: [f64; 6],
}

/// Reference to a robot, a link or an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// By name; the first match wins.
    Name(String),
    /// By index, or by Klampt id for elements of the world.
    Index(usize),
    /// A word of the command line: a name, or else an index.
    Word(String),
}

impl Key {
    /// Resolves the reference, given lookups by name and by index.
    pub(crate) fn resolve<T, E>(
        &self,
        by_name: impl Fn(&str) -> Result<T, E>,
        by_index: impl Fn(usize) -> Result<T, E>,
    ) -> Result<T, E> {
        match self {
            Self::Name(name) => by_name(name),
            Self::Index(index) => by_index(*index),
            Self::Word(word) => by_name(word).or_else(|error| match word.parse() {
                Ok(index) => by_index(index),
                Err(_) => Err(error),
            }),
        }
    }
}

/// Reason for an error, in one sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal(pub(crate) String);

impl From<kinworld::Error> for Refusal {
    fn from(error: kinworld::Error) -> Self {
        // of many names an error shows the first
        let is_cut =
            matches!(&error, kinworld::Error::NotFound { known, .. } if known.ends_with(" more"));
        let list = if is_cut { ", which `info` lists" } else { "" };
        Self(match &error {
            kinworld::Error::Load(error) => words(&error.diagnostic),
            error => format!("{}{list}", crate::missing::message(error)),
        })
    }
}

/// A diagnostic where its severity is known: its place, what is wrong, and what to do.
fn words(diagnostic: &Diagnostic) -> String {
    let help = diagnostic.help.as_ref().map(|help| format!("; {help}"));
    let (place, message) = (place(diagnostic), &diagnostic.message);
    format!("{place}{message}{}", help.unwrap_or_default())
}

/// What a diagnostic has before its severity: file, line and column.
pub(crate) fn place(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.to_string();
    let word = format!("{}: {}", diagnostic.severity, diagnostic.message);
    text.truncate(text.len().saturating_sub(word.len()));
    text
}
