//! Robot world models: file formats, kinematics, dynamics, collision detection, motion planning.
//!
//! Robots are loaded from Klampt's `.rob` and from URDF, rigid objects, terrains and meshes from their own formats. Loaders
//! return warnings about what they skip, repair or guess, and errors name file, line and column. Units are SI and radians, frames are right-handed, and Jacobians have their orientation rows first.
//!
//! # A first program
//!
//! An arm of three links, each 1 m long, and a sphere as an obstacle:
//!
//! ```
//! use kinworld::world::{PairFilter, WorldCollider};
//! use kinworld::{Point, WorldModel};
//!
//! // load
//! let mut world = WorldModel::load("data/robots/planar3R.rob")?.value;
//! world.load_element("data/objects/ball.obj")?;
//!
//! // move: one value per dof, positive angles lift the arm
//! let eighth = std::f64::consts::FRAC_PI_4;
//! world.robot_mut("planar3R")?.set_config(&[0.0, eighth, eighth])?;
//!
//! // query: the first link is horizontal, the second at 45°, the third vertical
//! let tip = Point::new(1.0, 0.0, 0.0);
//! let link = world.robot("planar3R")?.link("link2")?;
//! let (x, z) = (1.0 + eighth.cos(), eighth.sin() + 1.0);
//! assert!((link.world_position(&tip) - Point::new(x, 0.0, z)).norm() < 1e-15);
//!
//! // the first joint rotates the tip about the origin: its rate moves the tip by (-z, 0, x)
//! let jacobian = link.position_jacobian(&tip);
//! assert!((jacobian.column(0) - Point::new(-z, 0.0, x).coords).norm() < 1e-15);
//!
//! // test: a frozen world is queried for any configuration, from any thread
//! let collider = WorldCollider::new(&world, &PairFilter::default())?;
//! assert_eq!(collider.first_collision(), None);
//!
//! let arm = world.robot("planar3R")?.id();
//! let mut workspace = collider.workspace();
//! workspace.set_config(arm, &[0.3, 0.0, 0.0])?;
//! let (a, b) = collider.first_collision_with(&mut workspace).expect("the first link hits the sphere");
//! assert_eq!((world.name(a)?, world.name(b)?), ("ball".into(), "planar3R[link0]".into()));
//! # Ok::<(), kinworld::Error>(())
//! ```
//!
//! # Where to go
//!
//! | to | see |
//! |---|---|
//! | load files, with options | [`WorldModel::load`], [`Robot::load`], [`io::Loader`] |
//! | save and convert files | [`WorldModel::save`], [`Robot::save`], [`io::Loader::convert`] |
//! | look up file formats and their rules | [`guide::formats`] |
//! | build a robot, edit one, mount one on another | [`RobotBuilder`] |
//! | solve inverse kinematics | [`kinematics::ik`] |
//! | compute poses, velocities and Jacobians of links | [`kinematics`], or the methods of [`world::RobotRef`] and [`world::LinkRef`] |
//! | evaluate many configurations at once | [`batch`] |
//! | compute inverse and forward dynamics | [`dynamics`] |
//! | simulate robots and record sensors | [`sim`] |
//! | analyse wrenches for any observer | [`wrench`] |
//! | test contacts for equilibrium and force closure | [`contact`] |
//! | test a world for collision, measure distances, cast rays | [`world::WorldCollider`] |
//! | plan collision-free paths and trajectories | [`planning`] |
//! | draw a world, or simulate a depth camera | [`render`] |
//! | show a world, a motion or diagnostics in a browser | `viewer`, with the feature of that name |
//! | query two shapes | [`geometry::query`] |
//! | import the common names at once | [`prelude`] |
//! | look up units, frames and conventions | [`guide::conventions`] |
//! | read about the architecture | [`guide::architecture`] |
//!
//! The programs under `examples/` show the same at greater length, and the tool `kinworld` from the command line.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(not(test), warn(clippy::unwrap_used))]

pub mod batch;
pub mod contact;
pub mod dynamics;
mod error;
pub mod geometry;
pub mod guide;
pub mod io;
mod kernel;
pub mod kinematics;
pub mod math;
mod missing;
pub mod planning;
pub mod prelude;
pub mod render;
pub mod robot;
mod scene;
pub mod sim;
mod threads;
#[cfg(feature = "viewer")]
pub mod viewer;
pub mod world;
pub mod wrench;

/// The linear algebra of the public interface, in the version that this crate was built with.
pub use nalgebra;

/// Result of a call that can fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub use error::{Cause, Diagnostic, Error, LoadError, Loaded, Severity};
pub use geometry::Geometry;
pub use kinematics::State;
pub use math::{GRAVITY, Point, Pose, Rotation, Vector};
pub use missing::MissingGeometry;
pub use robot::{DofId, LinkId, Robot, RobotBuilder};
pub use world::{EntityId, WorldModel};

/// The Rust of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// Number of draws of a test: `all` where `KINWORLD_FULL` is set, which optimises the tests, else `few`.
#[cfg(test)]
fn draws(few: usize, all: usize) -> usize {
    let is_full = std::env::var_os("KINWORLD_FULL").is_some();
    if is_full { all } else { few }
}
