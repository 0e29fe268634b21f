//! Saving of robots, objects, terrains and worlds, with warnings about what a format cannot hold.
//!
//! A writer makes text and passes every shape to an [`Output`], which names its file. Files are written once all are
//! complete, the one that the caller named last, so that a failed save leaves the old files unchanged. No file is replaced
//! but the one that the caller named; those that its old version had in its folder are removed at last.

mod buffer;
mod chains;
mod drives;
mod entities;
mod glb;
mod losses;
mod names;
mod output;
mod pieces;
mod placed;
mod robot;
mod rotation;
mod tag;
mod world;

pub(super) use chains::{Chain, ChainKind, Children, chains, is_bare, welds, world_link};
pub(super) use drives::Drives;
pub(super) use losses::{Losses, loop_name};
pub(super) use names::Names;
pub(super) use output::Output;
use output::save;
pub(super) use pieces::{Form, Piece, pieces};
use placed::lost_of_world;
pub(super) use placed::{as_placed, friction, gravity, lost_of_object};
pub(super) use rotation::{rpy, wxyz};
pub(super) use tag::{Tag, indent};
