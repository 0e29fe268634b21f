//! Reader and writer of Klampt's robot format `.rob`: a keyword and its values per line.
//!
//! [`lex`] finds the statements, [`parse`] makes a [`document`] of them, and [`build`] and its helpers make a robot of
//! that: `count` infers the number of links, `tree` gives placements and limits, `joints` and `drivers` the motion,
//! `shapes` the shapes and `weigh` the inertia, `attach` mounts other robots and collects self-collision pairs. [`write`](mod@write) writes a robot.

mod attach;
mod build;
mod count;
mod document;
mod drivers;
mod joints;
mod keyword;
mod lex;
mod lines;
mod parse;
mod reader;
mod shapes;
mod tree;
mod weigh;
mod write;

use super::context::Context;
use super::options::{Base, FixedJoints};
use super::source::FilePath;
use crate::robot::RobotBuilder;
use crate::{Diagnostic, LoadError, Severity};

pub(super) use write::write;

/// Prefix of the property that holds the name of a link's joint.
const JOINT_NAME: &str = "urdf.joint.";

/// The robot in a `.rob` file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<RobotBuilder, LoadError> {
    let for_urdf = |option: &str, help: &str| {
        let message = format!("the option `{option}` applies to URDF only, and this is a .rob");
        Diagnostic::error(message).in_file(path).help(help)
    };
    let base = for_urdf("base", "the base of a .rob is given by its `joint` lines");
    let fixed = for_urdf(
        "fixed-joints",
        "every link of a .rob has a degree of freedom, weld joints too",
    );
    let is_used = [
        ctx.base() != Base::Auto,
        ctx.fixed_joints() != FixedJoints::Auto && !ctx.is_mounted(),
    ];
    for (error, _) in [base, fixed]
        .into_iter()
        .zip(is_used)
        .filter(|(_, is_used)| *is_used)
    {
        if !ctx.is_among_others() {
            return Err(error.into());
        }
        ctx.warn(Diagnostic {
            severity: Severity::Warning,
            ..error
        });
    }

    let text = ctx.read_text(path)?;
    let document = parse::parse(&text, ctx.report().of_file(path))?;
    build::build(ctx, path, &document)
}
