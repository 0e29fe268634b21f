//! MJCF: models of MuJoCo.
//!
//! The files become [`Document`](document::Document)s (no defaults, every position kept), these a
//! [`Model`](model::Model) with all defaults applied and bodies in MuJoCo's order, and the model a
//! [`WorldModel`]: each child of the world with joints below it is a robot, one with a free joint alone a rigid object, and what
//! cannot move terrains. Values of hinges and slides are MuJoCo's `qpos`.

mod actuators;
mod asset;
mod bodies;
mod check;
mod couplings;
mod document;
mod drivers;
mod fields;
mod fit;
mod frame;
mod geom;
mod height_field;
mod include;
mod inertia;
mod joint;
mod keys;
mod left_out;
mod loops;
mod mesh_solid;
mod model;
mod notes;
mod pairs;
mod parse;
mod references;
mod replicate;
mod robot;
mod schema;
mod sensors;
mod settings;
mod shapes;
mod solid;
mod world;
mod write;

use std::path::Path;

use super::context::Context;
use super::report::Report;
use super::source::FilePath;
use crate::robot::RobotBuilder;
use crate::world::WorldModel;
use crate::{Diagnostic, LoadError};
use bodies::{Bodies, Scope};
use document::Document;
use model::Model;
use notes::Notes;
use settings::Settings;
pub(super) use write::{write_robot, write_world};

/// The world of a model.
pub(super) fn load(context: &mut Context<'_>, path: &FilePath) -> Result<WorldModel, LoadError> {
    with_model(context, path, world::build)
}

/// The one robot of a model, before it is checked.
pub(super) fn load_robot(
    context: &mut Context<'_>,
    path: &FilePath,
) -> Result<RobotBuilder, LoadError> {
    with_model(context, path, world::only_robot)
}

/// Everything that was read of a file.
struct Loaded {
    model: Model,
    /// The main model and those that it attaches, with their settings.
    documents: Vec<Document>,
    settings: Vec<Settings>,
    /// Where the elements outside of the trees belong.
    scopes: Vec<Scope>,
    has_replicas: bool,
}

/// Reads a model, and reports the warnings of a function of it in the order of the files.
fn with_model<T>(
    context: &mut Context<'_>,
    path: &FilePath,
    build: impl FnOnce(&Loaded, &mut Context<'_>, &mut Notes<'_>) -> Result<T, LoadError>,
) -> Result<T, LoadError> {
    let report = Report::default();
    let mut notes = Notes::new(&report);
    let built = read(context, path, &mut notes).and_then(|loaded| {
        check::names(&loaded, &mut notes)?;
        left_out::report(&loaded, &mut notes);
        let built = build(&loaded, context, &mut notes)?;
        notes.report_left_out();
        Ok(built)
    });
    context.report().append(report.into_warnings().sorted());
    built
}

fn read(
    context: &mut Context<'_>,
    path: &FilePath,
    notes: &mut Notes<'_>,
) -> Result<Loaded, LoadError> {
    let documents = include::read(context, path, notes)?;
    let settings = documents
        .iter()
        .map(|document| Settings::of(document, notes))
        .collect::<Result<Vec<_>, Diagnostic>>()?;
    asset::read_ahead(context, &documents, &settings, notes);
    let mut bodies = Bodies::new(&documents, &settings, context, notes);
    bodies.read()?;
    let mut model = std::mem::take(&mut bodies.model);
    let scopes = std::mem::take(&mut bodies.attached);
    let has_replicas = bodies.has_replicas;
    let main = documents.first();
    model.name = main
        .and_then(|main| main.name.clone())
        .unwrap_or_else(|| stem(path));
    if settings.iter().any(|settings| settings.align_free) {
        let what = "`alignfree` of <compiler> is left out: frames of free bodies stay as written";
        notes.leave_out(what, robot::place(&model));
    }
    let of_main = settings.first().expect("the main model has settings");
    inertia::infer(&mut model, of_main, |body, problem| {
        notes.error(body.place, &body.subject(), problem)
    })?;
    check::masses(&model, notes)?;
    let mut loaded = Loaded {
        model,
        documents,
        settings,
        scopes,
        has_replicas,
    };
    pairs::mark(&mut loaded);
    Ok(loaded)
}

fn stem(path: &Path) -> String {
    super::name(path)
}
