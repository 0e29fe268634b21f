//! The command line and its help.

mod acm;
mod cartesian;
mod export;
mod help;
mod ik;
mod load;
mod messages;
mod motion_limits;
mod plan;
mod prioritized;
mod render;
mod scene;
mod simulate;
mod spherize;
mod values;
#[cfg(feature = "view")]
mod view;
mod wrench;

use std::convert::Infallible;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::request::{self, Config, DofValues, Key};
pub(crate) use acm::Acm;
pub(crate) use cartesian::Cartesian;
pub(crate) use export::{Export, Html};
pub(crate) use ik::Ik;
pub(crate) use load::{Base, FixedJoints, Load, To};
pub(crate) use messages::{Color, Messages};
pub(crate) use plan::Plan;
pub(crate) use prioritized::PlanPrioritized;
pub(crate) use render::Render;
pub(crate) use scene::{Distance, Place, Ray};
pub(crate) use simulate::Simulate;
pub(crate) use spherize::Spherize;
use values::{key, now_ddq, now_dq, now_tau, point};
#[cfg(feature = "view")]
pub(crate) use view::View;
pub(crate) use wrench::Wrench;

use help::{
    ACM_EXAMPLES, BENCH_EXAMPLES, CARTESIAN_EXAMPLES, CHECK_EXAMPLES, COLLIDE_EXAMPLES,
    COMPLETIONS_EXAMPLES, CONVERT_EXAMPLES, DISTANCE_EXAMPLES, DYNAMICS_EXAMPLES, EXIT_CODES,
    EXPORT_EXAMPLES, FK_EXAMPLES, IK_EXAMPLES, INFO_EXAMPLES, JACOBIAN_EXAMPLES, MAN_EXAMPLES,
    PLACE_EXAMPLES, PLAN_EXAMPLES, QUERY_ABOUT, QUERY_EXAMPLES, RAY_EXAMPLES, RENDER_EXAMPLES,
    SIMULATE_EXAMPLES, SPHERIZE_EXAMPLES, WRENCH_EXAMPLES, XACRO_EXAMPLES,
};

/// Robot world models: kinematics, dynamics, collision, planning and simulation.
#[derive(Debug, Parser)]
#[command(name = "kinworld", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
    #[command(flatten)]
    pub(crate) messages: Messages,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List links, dofs, drivers, objects and terrains
    #[command(after_help = INFO_EXAMPLES)]
    Info {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        load: Load,
        /// Angles in degrees in the table
        #[arg(long)]
        degrees: bool,
        #[command(flatten)]
        format: Format,
    },
    /// Load each file and report every error and warning
    #[command(after_help = CHECK_EXAMPLES)]
    Check(Check),
    /// Print the pose of every link of a robot
    #[command(after_help = FK_EXAMPLES)]
    Fk(Fk),
    /// Print the Jacobian of a point of a link
    ///
    /// Six rows, in world axes: three for the angular velocity of the link, then three for the
    /// velocity of the point. One column per dof.
    #[command(after_help = JACOBIAN_EXAMPLES)]
    Jacobian(Motion),
    /// Inverse kinematics: find a configuration for the pose of a link
    ///
    /// Starts from the current configuration, then from random ones within the joint limits. For an unreachable target the
    /// nearest configuration is printed.
    #[command(after_help = IK_EXAMPLES)]
    Ik(Ik),
    /// Print the mass matrix and the forces of a robot
    ///
    /// Coriolis and centrifugal forces (`coriolis`) and the forces that hold the robot against gravity; `tau` and `ddq`
    /// include both. In N m where the dof is an angle, in N where it is a length.
    #[command(after_help = DYNAMICS_EXAMPLES)]
    Dynamics(Dynamics),
    /// List colliding pairs, self-collisions included
    #[command(after_help = COLLIDE_EXAMPLES)]
    Collide(Collision),
    /// Measure distances: nearest pairs, or one pair
    ///
    /// In metres, with the nearest points and the unit normal from the first to the second, in the world; 0 and no points where
    /// two elements overlap.
    #[command(after_help = DISTANCE_EXAMPLES)]
    Distance(Distance),
    /// Find the first element that a ray hits
    #[command(after_help = RAY_EXAMPLES)]
    Ray(Ray),
    /// Put files at a pose, and list or write what results
    #[command(after_help = PLACE_EXAMPLES)]
    Place(Place),
    /// Measure the speed of the library's kernels for a robot
    ///
    /// Median nanoseconds per configuration on one core, through the library's public functions: 256 random
    /// configurations within limits in turn, after warm-up, in batches of about a millisecond.
    #[command(after_help = BENCH_EXAMPLES)]
    Bench {
        #[command(flatten)]
        files: Files,
        /// Robot, by name or index in load order [default: the first]
        #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
        robot: Option<Key>,
        #[command(flatten)]
        load: Load,
        #[command(flatten)]
        format: Format,
    },
    /// Print the wrench balances of the links of a robot during a recorded motion
    ///
    /// For each instant and link: the rate of its momentum, as an observer measures it, and the wrenches that sum to it: of
    /// its joint, its weight, its children, external ones, and the fictitious ones of a moving observer. Moments in N m about
    /// the origin of the link, then forces in N, in the axes of the observer.
    #[command(after_help = WRENCH_EXAMPLES)]
    Wrench(Wrench),
    /// Plan a collision-free path between two configurations
    ///
    /// Prints the waypoints of the path, a line each; between them the configuration is interpolated linearly. The final path
    /// is checked again at a quarter of the step (1/32 rad or m) of the search.
    #[command(after_help = PLAN_EXAMPLES)]
    Plan(Plan),
    /// Plan motions of several robots on one clock, one robot after the other
    ///
    /// Each robot avoids those that were planned before it, and waits on its path where it has to. Where one finds no motion other
    /// orders are tried, and at last all robots together. Prints a row per time, with position, velocity and acceleration of each
    /// joint. Limits of acceleration are needed; lists of limits are those of the robots in load order.
    #[command(after_help = help::PRIORITIZED_EXAMPLES)]
    PlanPrioritized(Box<PlanPrioritized>),
    /// Move a link, or several at once, along lines, arcs and screws, free of collisions
    ///
    /// Prints the configurations along the path, a line each: each is the solution of inverse kinematics that is nearest to
    /// the one before, and the edge to it is free. Where that does not go on, `reason` says where and why.
    #[command(after_help = CARTESIAN_EXAMPLES)]
    Cartesian(Box<Cartesian>),
    /// Compute the allowed-collision matrix of a robot: pairs of links that need no collision test
    ///
    /// Samples random configurations within limits. Disabled are pairs of parent and child (Adjacent), that collide in every
    /// configuration (Always) or in none (Never), and those that FILE disables (User). Pairs that collide at the reference, which
    /// is the initial configuration or the centre of limits where that is outside, and not always (Default) are tested unless
    /// `--default` disables them. The first half of the samples classifies, the second half bounds the collisions that the
    /// disabled pairs hide: all of them but Adjacent, Always and User.
    #[command(after_help = ACM_EXAMPLES)]
    Acm(Acm),
    /// Cover the links of a robot with spheres
    ///
    /// Each link gets at most the given number of spheres that enclose its geometry; with `--json`, also spheres inside of it
    /// where it is solid.
    #[command(after_help = SPHERIZE_EXAMPLES)]
    Spherize(Spherize),
    /// Expand a xacro file to plain XML
    #[command(after_help = XACRO_EXAMPLES)]
    Xacro {
        /// File to expand
        #[arg(value_name = "FILE")]
        path: PathBuf,
        #[command(flatten)]
        load: Load,
    },
    /// Convert a file to another format
    ///
    /// The suffix of OUT selects it: .rob, .urdf, .mjcf (MuJoCo), .sdf or .world (Gazebo, Drake), .obj, .env, .xml (a world of
    /// Klampt), a picture for other programs (.glb), or a mesh (.off, .obj, .stl, .ply). MJCF in a file named .xml needs
    /// `--to mjcf`.
    /// Geometry is written to a folder beside it, `NAME_files/`; where something else has that name, to `NAME_SUFFIX_files/`.
    /// All of it appears at once or not at all. Data that the format cannot represent gives a warning.
    #[command(after_help = CONVERT_EXAMPLES)]
    Convert {
        /// File to read
        #[arg(value_name = "IN")]
        input: PathBuf,
        /// File to write; an existing one is replaced, but none that was read
        #[arg(value_name = "OUT")]
        output: PathBuf,
        /// Format of robots and worlds, whatever the suffix
        #[arg(long, value_name = "FORMAT", value_enum)]
        to: Option<To>,
        /// Replace files that were read, and those that something else wrote to `NAME_files/`
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        load: Load,
    },
    /// Write a page that shows a world and its motion in any browser, without a network
    ///
    /// One HTML file: sliders of the joints, a scrubber for a motion, curves, collisions, frames, centres of mass and boxes of
    /// inertia; a click shows name, pose and mass.
    #[command(after_help = EXPORT_EXAMPLES)]
    Export(Box<Export>),
    /// Draw a picture of a world, without a display
    ///
    /// By rays on all cores: visual shapes, two lights, shadows and a ground. Also the depth and the element of each pixel, as a
    /// depth camera gives them.
    #[command(after_help = RENDER_EXAMPLES)]
    Render(Box<Render>),
    /// Show a world in the browser, with exact collisions, inverse kinematics and planning
    ///
    /// Serves a page on this computer alone, and prints its address, which holds a secret. The files are watched: an edit
    /// reloads the world, and an error in it is shown in the page.
    #[cfg(feature = "view")]
    #[command(after_help = help::VIEW_EXAMPLES)]
    View(Box<View>),
    /// Simulate a robot and record its sensors
    #[command(after_help = SIMULATE_EXAMPLES)]
    Simulate(Box<Simulate>),
    /// Answer JSON requests, one per line of standard input
    #[command(long_about = QUERY_ABOUT, after_long_help = QUERY_EXAMPLES)]
    Query {
        #[command(flatten)]
        files: Files,
        #[command(flatten)]
        load: Load,
        #[command(flatten)]
        missing: Missing,
    },
    /// Print completions for a shell
    #[command(after_help = COMPLETIONS_EXAMPLES)]
    Completions {
        /// Shell
        #[arg(value_name = "SHELL", value_enum)]
        shell: Shell,
    },
    /// Print the manual page, in the format of `man`
    #[command(after_help = MAN_EXAMPLES)]
    Man,
}

impl Command {
    /// The files that the command is to write.
    pub(crate) fn outputs(&self) -> Vec<&PathBuf> {
        let files = match self {
            Self::Plan(plan) => [plan.output.as_ref(), plan.page.html.as_ref(), None],
            Self::PlanPrioritized(plan) => [plan.output.as_ref(), plan.page.html.as_ref(), None],
            Self::Cartesian(path) => [path.output.as_ref(), path.page.html.as_ref(), None],
            Self::Acm(acm) => [acm.output.as_ref(), None, None],
            Self::Check(check) => [check.page.html.as_ref(), None, None],
            Self::Collide(collide) => [collide.page.html.as_ref(), None, None],
            Self::Place(place) => [place.output.as_ref(), None, None],
            Self::Spherize(spherize) => [spherize.output.as_ref(), None, None],
            Self::Convert { output, .. } => [Some(output), None, None],
            Self::Export(export) => [export.page(), None, None],
            Self::Render(render) => [
                render.picture(),
                render.depth.as_ref(),
                render.segmentation.as_ref(),
            ],
            Self::Simulate(simulate) => [
                simulate.output.as_ref(),
                simulate.plot.as_ref(),
                simulate.page.html.as_ref(),
            ],
            Self::Wrench(wrench) => [wrench.page.html.as_ref(), None, None],
            _ => [None; 3],
        };
        files.into_iter().flatten().collect()
    }
}

/// The files that make up one world.
#[derive(Debug, Args)]
pub(crate) struct Files {
    /// Files to load into one world, in this order
    ///
    /// Worlds (.xml of Klampt and MuJoCo, .sdf), robots (.rob, .urdf, .xacro), rigid objects (.obj), terrains (.env), and meshes
    /// (.off, .obj, .stl), which become terrains. FILE@X,Y,Z or FILE@X,Y,Z,ROLL,PITCH,YAW is the file at a
    /// pose, in metres and radians: crate.obj@0.4,0,0.2
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Files to check, each on its own
    #[arg(value_name = "FILE", required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Kind of the files [default: detected from the content]
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub(crate) kind: Option<Kind>,
    #[command(flatten)]
    pub(crate) load: Load,
    /// Print one line of facts per file, as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) page: Html,
}

/// A world, with the configuration of one robot.
#[derive(Debug, Args)]
pub(crate) struct RobotArgs {
    #[command(flatten)]
    pub(crate) files: Files,
    #[command(flatten)]
    pub(crate) posture: Posture,
    #[command(flatten)]
    pub(crate) load: Load,
    #[command(flatten)]
    pub(crate) format: Format,
}

/// A world, with the configuration of one robot, and a point of a link.
#[derive(Debug, Args)]
pub(crate) struct Motion {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// Link, by name, by that of its joint or by index [default: all for `fk`, the last one for `jacobian`]
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    pub(crate) link: Option<Key>,
    /// Point in the frame of the link, in metres [default: its origin]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) point: Option<[f64; 3]>,
}

/// A world, with the configuration of one robot, and the content of the table.
#[derive(Debug, Args)]
pub(crate) struct Fk {
    #[command(flatten)]
    pub(crate) motion: Motion,
    /// Show orientations as quaternions w, x, y, z instead of roll, pitch and yaw; --json always has them
    #[arg(long)]
    pub(crate) quaternion: bool,
}

/// A world, with the motion of one robot.
#[derive(Debug, Args)]
pub(crate) struct Dynamics {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    #[command(flatten)]
    pub(crate) drive: Drive,
}

/// Velocity, acceleration and forces of a robot.
#[derive(Debug, Args)]
pub(crate) struct Drive {
    /// Velocity, one value per dof in rad/s or m/s, or some joints by name; in deg/s with --degrees [default: at rest]
    #[arg(long, value_name = "V1,V2,…|JOINT=V,…", allow_hyphen_values = true, value_parser = DofValues::parse)]
    pub(crate) dq: Option<DofValues>,
    /// Acceleration: adds `tau`, the forces of inverse dynamics
    #[arg(long, value_name = "A1,A2,…|JOINT=A,…", allow_hyphen_values = true, value_parser = DofValues::parse)]
    pub(crate) ddq: Option<DofValues>,
    /// Motor forces: adds `ddq`, the acceleration of forward dynamics
    #[arg(long, value_name = "T1,T2,…|JOINT=T,…", allow_hyphen_values = true, value_parser = DofValues::parse)]
    pub(crate) tau: Option<DofValues>,
    /// Former name of `--dq`
    #[arg(long, hide = true, allow_hyphen_values = true, value_parser = now_dq)]
    velocity: Option<Infallible>,
    /// Former name of `--ddq`
    #[arg(long, hide = true, allow_hyphen_values = true, value_parser = now_ddq)]
    accel: Option<Infallible>,
    /// Former name of `--tau`
    #[arg(long, hide = true, allow_hyphen_values = true, value_parser = now_tau)]
    torque: Option<Infallible>,
    /// Gravity in world axes, in m/s² [default: 0,0,-9.81]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pub(crate) gravity: Option<[f64; 3]>,
}

impl Drive {
    /// The request of these arguments at a configuration.
    pub(crate) fn request(self, posture: Posture) -> request::DynamicsRequest {
        request::DynamicsRequest {
            posture: posture.into(),
            dq: self.dq,
            ddq: self.ddq,
            tau: self.tau,
            gravity: self.gravity,
        }
    }
}

/// A world, with the configuration of one robot, and one of its links.
#[derive(Debug, Args)]
pub(crate) struct Collision {
    #[command(flatten)]
    pub(crate) robot: RobotArgs,
    /// List only the pairs with this link, by name or index [default: all pairs]
    #[arg(long, value_name = "LINK", allow_hyphen_values = true, value_parser = key)]
    pub(crate) link: Option<Key>,
    #[command(flatten)]
    pub(crate) page: Html,
    #[command(flatten)]
    pub(crate) missing: Missing,
}

/// A robot and its configuration.
#[derive(Debug, Args)]
pub(crate) struct Posture {
    /// Robot, by name or index in load order [default: the first]
    #[arg(long, value_name = "ROBOT", allow_hyphen_values = true, value_parser = key)]
    pub(crate) robot: Option<Key>,
    /// Configuration, in rad and m: one value per dof or driver, or some joints by name [default: as loaded]
    ///
    /// `0,0.5,1`, `elbow=0.5,wrist=1`, or a named state of an SRDF: `@home`, `@home,wrist=1`. Joints that are not named stay as
    /// loaded.
    #[arg(
        long,
        visible_alias = "q",
        value_name = "Q1,Q2,…|JOINT=Q,…|@STATE",
        allow_hyphen_values = true,
        value_parser = Config::parse
    )]
    pub(crate) config: Option<Config>,
    /// Angles in degrees, in options and in tables; JSON and lengths stay as they are
    #[arg(long)]
    pub(crate) degrees: bool,
}

impl Posture {
    /// The configuration, with its unit.
    pub(crate) fn config(&self) -> Option<Config> {
        let config = self.config.clone();
        config.map(|config| config.in_degrees(self.degrees))
    }
}

impl From<Posture> for request::Posture {
    fn from(posture: Posture) -> Self {
        Self {
            config: posture.config(),
            robot: posture.robot,
            degrees: posture.degrees,
        }
    }
}

/// What counts as free.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Missing {
    /// Answer although collision geometry is missing, as if it were free space; the answer names what is missing
    #[arg(long)]
    pub(crate) allow_missing_geometry: bool,
}

/// Output format.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct Format {
    /// Print one line of JSON, as `query` does, instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

/// Kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "snake_case")]
pub(crate) enum Kind {
    Robot,
    RigidObject,
    Terrain,
    World,
    Configurations,
    Mesh,
}
