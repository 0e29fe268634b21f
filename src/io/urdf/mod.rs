//! URDF, with the `<klampt>` element.
//!
//! The text becomes a [`Document`](document::Document) (no defaults, every position kept), the document a
//! [`RobotBuilder`]. Degrees of freedom:
//!
//! | | plain URDF | with `<klampt>` |
//! |---|---|---|
//! | root link | a link without a degree of freedom, fixed to the world | none if it is called `world`, else the last of six virtual links |
//! | fixed joint | none | one, held at zero by a weld |
//! | revolute, continuous, prismatic | one, about or along the axis made a unit vector | one, the length of the axis kept |
//! | planar, floating | three, six: a chain of virtual links that ends in the child | the same |
//!
//! Links come depth-first from the root, the children of a link by the name of their joint.

pub(in crate::io) mod document;
mod drivers;
mod inertia;
#[cfg(feature = "urdf-rs")]
mod interop;
mod joint;
mod klampt;
mod parse;
mod parse_klampt;
mod parse_link;
mod robot;
mod rules;
mod shapes;
mod tree;
mod write;

use std::path::Path;

use super::context::Context;
use super::fields;
use super::report::Report;
use super::source::FilePath;
use crate::robot::RobotBuilder;
use crate::{Diagnostic, LoadError};
#[cfg(feature = "urdf-rs")]
use crate::{Loaded, Robot};

pub(super) use inertia::warn_of_massless;
pub(super) use write::write;

/// The robot in a URDF file, before it is checked.
pub(super) fn load(context: &mut Context<'_>, file: &FilePath) -> Result<RobotBuilder, LoadError> {
    let text = context.read_text(file)?;
    load_text(context, file, &text)
}

/// The robot in the text of a file that need not exist: names in it are relative to its folder.
pub(super) fn load_text(
    context: &mut Context<'_>,
    file: &Path,
    text: &str,
) -> Result<RobotBuilder, LoadError> {
    #[cfg(feature = "xacro")]
    if super::xacro::is_xacro(file, text) {
        let expanded = super::xacro::expand(context, file, text)?;
        return read(context, file, &expanded.text, |diagnostic| {
            expanded.at_origin(diagnostic)
        });
    }
    read(context, file, text, |diagnostic| diagnostic)
}

/// The robot in a text; `origin` moves a diagnostic about the text to where it belongs.
fn read(
    context: &mut Context<'_>,
    file: &Path,
    text: &str,
    origin: impl Fn(Diagnostic) -> Diagnostic,
) -> Result<RobotBuilder, LoadError> {
    let of_this_file = |diagnostic: Diagnostic| match diagnostic.path.as_deref() == Some(file) {
        true => origin(diagnostic),
        false => diagnostic,
    };
    let report = Report::default();
    let of_file = report.of_file(file);
    let document = parse::parse(text, &context.options().limits, of_file);
    let robot = match document {
        Ok(document) => robot::robot(&document, file, context, of_file),
        Err(error) => Err(error.into()),
    };
    let warnings = report.into_warnings().sorted();
    context.report().append(warnings.map(of_this_file));
    robot.map_err(|error: LoadError| LoadError {
        diagnostic: Box::new(of_this_file(*error.diagnostic)),
        ..error
    })
}

/// The robot of a document that another format has made.
pub(super) fn from_document(
    document: &document::Document,
    file: &Path,
    context: &mut Context<'_>,
    report: super::report::FileReport<'_>,
) -> Result<RobotBuilder, LoadError> {
    robot::robot(document, file, context, report)
}

/// The robot of a description of `urdf-rs`; names of files are relative to the folder of `file`.
#[cfg(feature = "urdf-rs")]
pub(super) fn load_urdf_rs(
    context: &mut Context<'_>,
    file: &Path,
    robot: &urdf_rs::Robot,
) -> Result<RobotBuilder, LoadError> {
    let report = Report::default();
    let document = interop::document(robot);
    let built = robot::robot(&document, file, context, report.of_file(file));
    // there is no file for positions to refer to
    let placeless = |diagnostic: Diagnostic| Diagnostic {
        path: diagnostic.path.filter(|path| path != file),
        line: None,
        column: None,
        ..diagnostic
    };
    let warnings = report.into_warnings().sorted();
    context.report().append(warnings.map(placeless));
    built.map_err(|error| LoadError {
        diagnostic: Box::new(placeless(*error.diagnostic)),
        ..error
    })
}

/// Converts a robot to the types of `urdf-rs`, with warnings about what these cannot hold.
#[cfg(feature = "urdf-rs")]
pub(super) fn to_urdf_rs(robot: &Robot) -> Loaded<urdf_rs::Robot> {
    interop::robot(robot)
}
