//! SDF, versions 1.4 to 1.12: worlds and models of Gazebo and Drake.
//!
//! The files become [`Document`](document::Document)s (no frames resolved, every place kept), these a
//! [`Graph`](placed::Graph) of frames and joints, and what joints hold together becomes a robot. A model of one link without a
//! joint is a rigid object, and what cannot move is a terrain.

mod additions;
mod axis;
mod document;
mod fields;
mod graph;
mod heightmap;
mod include;
mod link;
mod parse;
mod placed;
mod polyline;
mod robot;
mod shapes;
mod tree;
mod world;
mod write;

use super::context::Context;
use super::report::Report;
use super::source::FilePath;
use crate::LoadError;
use crate::robot::RobotBuilder;
use crate::world::WorldModel;
use fields::Notes;
use placed::Graph;
pub(super) use write::{write_robot, write_world};

/// The world of a file.
pub(super) fn load(context: &mut Context<'_>, path: &FilePath) -> Result<WorldModel, LoadError> {
    with_graph(context, path, world::build)
}

/// The one robot of a file, before it is checked.
pub(super) fn load_robot(
    context: &mut Context<'_>,
    path: &FilePath,
) -> Result<RobotBuilder, LoadError> {
    with_graph(context, path, world::only_robot)
}

/// Reads a file, and reports the warnings of a function of it in the order of the file.
fn with_graph<T>(
    context: &mut Context<'_>,
    path: &FilePath,
    build: impl FnOnce(&Graph, &mut Context<'_>, &Notes<'_>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let report = Report::default();
    let notes = Notes::new(&report);
    let world = include::read(context, path, &notes).map_err(LoadError::from);
    let built = world.and_then(|world| {
        let graph = Graph::new(&world, &notes)?;
        let built = build(&graph, context, &notes)?;
        notes.report_left_out();
        Ok(built)
    });
    context.report().append(report.into_warnings().sorted());
    built
}
