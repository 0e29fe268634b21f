//! Robot world models: load a robot, move it, ask where it is, test it for collision.
//!
//! Robots come from Klampt's `.rob` and from URDF, rigid objects, terrains and meshes from their own files. What a
//! loader skips, repairs or guesses comes back beside the value, and an error names file, line and column. Units are
//! SI and radians, frames are right-handed, and Jacobians have their orientation rows first.
//!
//! # A first program
//!
//! An arm of three links, each 1 m long, and a ball that lies in its way:
//!
//! ```
//! use kinworld::world::{PairFilter, WorldCollider};
//! use kinworld::{Point, WorldModel};
//!
//! // load
//! let mut world = WorldModel::load("data/robots/planar3R.rob")?.value;
//! world.load_element("data/objects/ball.obj")?;
//!
//! // move: one number per coordinate, positive angles lift the arm
//! let eighth = std::f64::consts::FRAC_PI_4;
//! world.robot_mut("planar3R")?.set_config(&[0.0, eighth, eighth])?;
//!
//! // ask: the first link lies, the second climbs at 45°, the third stands
//! let tip = Point::new(1.0, 0.0, 0.0);
//! let link = world.robot("planar3R")?.link("link2")?;
//! let (x, z) = (1.0 + eighth.cos(), eighth.sin() + 1.0);
//! assert!((link.world_position(&tip) - Point::new(x, 0.0, z)).norm() < 1e-15);
//!
//! // the first joint turns the tip about the origin: its rate moves the tip by (-z, 0, x)
//! let jacobian = link.position_jacobian(&tip);
//! assert!((jacobian.column(0) - Point::new(-z, 0.0, x).coords).norm() < 1e-15);
//!
//! // test: a frozen world answers for any configuration, and for any thread
//! let collider = WorldCollider::new(&world, &PairFilter::default())?;
//! assert_eq!(collider.first_collision(), None);
//!
//! let arm = world.robot("planar3R")?.id();
//! let mut workspace = collider.workspace();
//! workspace.set_config(arm, &[0.3, 0.0, 0.0])?;
//! let (a, b) = collider.first_collision_with(&mut workspace).expect("the first link meets the ball");
//! assert_eq!((world.name(a)?, world.name(b)?), ("ball".into(), "planar3R[link0]".into()));
//! # Ok::<(), kinworld::Error>(())
//! ```
//!
//! # Where to go
//!
//! | to | see |
//! |---|---|
//! | load files, and say how | [`WorldModel::load`], [`Robot::load`], [`io::Loader`] |
//! | save them, or go from one format to another | [`WorldModel::save`], [`Robot::save`], [`io::Loader::convert`] |
//! | know which files are read, and by which rules | [`guide::formats`] |
//! | build a robot, edit one, mount one on another | [`RobotBuilder`] |
//! | find the configuration that brings a link to a place | [`kinematics::ik`] |
//! | ask where links are and how they move | [`kinematics`], or the methods of [`world::RobotRef`] and [`world::LinkRef`] |
//! | ask where they are at many configurations at once | [`batch`] |
//! | ask what a motion takes, and what a push does | [`dynamics`] |
//! | let robots move through time, and record what sensors see | [`sim`] |
//! | know which force acts where, and why, as any observer explains it | [`wrench`] |
//! | know whether contacts hold an object, or a robot stands | [`contact`] |
//! | test a world for collision, measure distances, cast rays | [`world::WorldCollider`] |
//! | find a way without collision, and follow it in time | [`planning`] |
//! | test two shapes | [`geometry::query`] |
//! | know what the numbers mean | [`guide::conventions`] |
//! | find the way around the source | [`guide::architecture`] |
//!
//! The programs under `examples/` show the same at greater length, and the tool `kinworld` from the command line.

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
pub mod planning;
pub mod robot;
pub mod sim;
pub mod world;
pub mod wrench;

/// The result of a call that can fail with an [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

pub use error::{Diagnostic, Error, LoadError, Loaded, Severity};
pub use geometry::Geometry;
pub use kinematics::State;
pub use math::{Point, Pose, Rotation, Vector};
pub use robot::{DofId, LinkId, Robot, RobotBuilder};
pub use world::{EntityId, WorldModel};

/// The Rust of the README, compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
