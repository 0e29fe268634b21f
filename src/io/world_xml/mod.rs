//! Klampt's worlds: `<world>` with robots, rigid objects and terrains, each in a file of its own.
//!
//! The text becomes a [`Document`](document::Document) (no defaults, every position kept), the document a
//! [`WorldModel`]. Data that the world does not use (`<display>`, `<simulation>`, elements and attributes of other
//! programs) is kept verbatim in properties.

mod build;
mod data;
mod document;
mod parse;
mod shapes;

use super::context::Context;
use super::report::Report;
use super::source::FilePath;
use crate::LoadError;
use crate::world::WorldModel;

/// The property that holds elements of other programs, as XML.
pub(super) const CHILDREN: &str = "xml.children";
/// Prefix of the properties that hold attributes of other programs.
pub(super) const ATTRIBUTE: &str = "xml.attribute.";
/// The property of a robot that holds its `<sensors>`, as XML.
pub(super) const SENSORS: &str = "sensors";

/// The world in a file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<WorldModel, LoadError> {
    let text = ctx.read_text(path)?;
    let report = Report::default();
    let of_file = report.of_file(path);
    let world = match parse::parse(&text, &ctx.options().limits, of_file) {
        Ok(document) => {
            drop(text);
            build::build(ctx, document, of_file)
        }
        Err(error) => Err(error.into()),
    };
    ctx.report().append(report.into_warnings().sorted());
    world
}
