//! Loaders and savers of robots, worlds, meshes, motions and configurations. Layer 5.
//!
//! A [`Loader`] reads robots, rigid objects, terrains and meshes; `load` of each type is the short form. What was
//! skipped, repaired or guessed comes back with the value, as [`Diagnostic`]s with file, line
//! and column.
//!
//! | file | read by | holds |
//! |---|---|---|
//! | `.rob`, `.urdf` | [`Robot::load`](crate::Robot::load) | a robot |
//! | `.obj`, of Klampt | [`RigidObject::load`](crate::world::RigidObject::load) | a rigid object |
//! | `.env` | [`Terrain::load`](crate::world::Terrain::load) | a terrain |
//! | `.xml`, of Klampt | [`WorldModel::load`](crate::WorldModel::load) | a world |
//! | `.xml`, of MuJoCo (MJCF) | [`WorldModel::load`](crate::WorldModel::load), [`Robot::load`](crate::Robot::load) | a world, and the one robot in it |
//! | `.sdf`, `.world` | [`WorldModel::load`](crate::WorldModel::load), [`Robot::load`](crate::Robot::load) | a world, and the one robot in it |
//! | `.config`, `.configs` | [`Loader::configurations`] | configurations |
//! | `.ikgoal`, of Klampt | [`Loader::objectives`] | goals of inverse kinematics |
//! | `.csv` | [`Recording::load`](crate::kinematics::Recording::load) | a motion of a robot |
//! | `.path` | [`Loader::trajectory`] | a trajectory |
//! | `.json`, of [`RoadMap::save`](crate::planning::RoadMap::save) | [`Loader::road_map`] | a road map |
//! | `.bt`, of OctoMap | [`Octree::load`](crate::geometry::Octree::load) | what is known of space; its occupied cubes as a shape |
//! | `.off`, `.obj` of Wavefront, `.stl`, `.ply`, `.dae`, `.gltf`, `.glb`, `.tri`, `.geom`, `.pcd`, `.json` | [`Geometry::load`](crate::Geometry::load) | a mesh, a primitive or a point cloud |
//!
//! A geometry file is also taken where a rigid object or a terrain is asked for. Each type has a `save` as well, which
//! returns what the format cannot hold; [`Loader::convert`] does both.

// files are untrusted, so indices taken from them are always checked
#![cfg_attr(
    not(test),
    warn(clippy::indexing_slicing, clippy::string_slice, clippy::panic)
)]

mod config;
mod context;
mod convert;
mod csv;
mod decode;
mod fields;
mod foreign;
mod heights;
mod hidden;
mod ik_goal;
mod json;
mod key_value;
mod kind;
mod load;
mod loader;
mod mask;
mod mesh;
mod mjcf;
mod motion_limits;
mod octree;
mod options;
mod output;
mod path;
mod position;
mod recording;
mod report;
mod resolve;
mod rigid_object;
mod road_map;
mod rob;
mod roots;
mod rows;
mod save;
mod sdf;
mod similar;
mod source;
mod srdf;
mod states;
mod terrain;
mod text;
mod urdf;
mod weigh;
mod words;
mod world_xml;
#[cfg(feature = "xacro")]
mod xacro;
mod xml;
mod yaml;

use std::path::Path;

pub use config::{save_configurations, save_configurations_with};
pub use ik_goal::save_objectives;
pub use kind::FileKind;
pub use loader::Loader;
pub use options::{Base, FixedJoints, LoadLimits, LoadOptions};
pub use output::{SaveFormat, SaveOptions, write_file, write_files};
pub use source::Source;
pub use srdf::{EndEffector, GroupState, LinkPair, Srdf, SrdfGroup, VirtualJoint};

use crate::robot::RobotBuilder;
use crate::{Diagnostic, LoadError};
use context::Context;
use source::FilePath;

/// The robot in a file, by its suffix.
fn load_robot(ctx: &mut Context<'_>, path: &FilePath) -> Result<RobotBuilder, LoadError> {
    match ctx.kind_of(path)? {
        FileKind::Robot if suffix(path) == "rob" => rob::load(ctx, path),
        FileKind::Robot => urdf::load(ctx, path),
        FileKind::Mjcf => mjcf::load_robot(ctx, path),
        FileKind::Sdf => sdf::load_robot(ctx, path),
        kind => {
            let message = format!("is {}, where a robot was expected", kind.name());
            Err(Diagnostic::error(message).in_file(path).into())
        }
    }
}

/// The suffix of a file's name after its last dot, in lower case.
fn suffix(path: &Path) -> String {
    let suffix = path.extension().unwrap_or_default();
    suffix.to_string_lossy().to_ascii_lowercase()
}

/// True if a name is that of a robot's file.
fn is_robot(name: &str) -> bool {
    matches!(suffix(Path::new(name)).as_str(), "rob" | "urdf" | "xacro")
}

/// Name of what a file holds: that of the file without its suffix.
fn name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}
