//! Saving of robots, objects, terrains and worlds, with warnings about what a format cannot hold.
//!
//! A writer makes text and passes every shape to an [`Output`], which names its file. Files are written once all are
//! complete, the one that the caller named last, so that a failed save leaves the old files unchanged. No file is replaced
//! but the one that the caller named; those that its old version had in its folder are removed at last.

mod buffer;
mod entities;
mod glb;
mod output;
mod robot;
mod world;

pub(super) use output::Output;
use output::save;
