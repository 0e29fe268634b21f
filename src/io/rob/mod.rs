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
use crate::{Diagnostic, LoadError};

pub(super) use write::write;

/// Prefix of the property that holds the name of a link's joint.
const JOINT_NAME: &str = "urdf.joint.";

/// The robot in a `.rob` file.
pub(super) fn load(ctx: &mut Context<'_>, path: &FilePath) -> Result<RobotBuilder, LoadError> {
    let refuse = |option: &str, help: &str| {
        let message = format!("the option `{option}` applies to URDF only, and this is a .rob");
        Err(Diagnostic::error(message).in_file(path).help(help).into())
    };
    if ctx.base() != Base::Auto {
        return refuse("base", "the base of a .rob is given by its `joint` lines");
    }
    if ctx.fixed_joints() != FixedJoints::Auto && !ctx.is_mounted() {
        return refuse(
            "fixed-joints",
            "every link of a .rob has a degree of freedom, weld joints too",
        );
    }

    let text = ctx.read_text(path)?;
    let document = parse::parse(&text, ctx.report().of_file(path))?;
    build::build(ctx, path, &document)
}
