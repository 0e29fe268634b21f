//! Saving: what is in memory as files, and what a format cannot hold.
//!
//! A writer makes text and hands every shape to an [`Output`], which names its file. Nothing is written before all of it
//! is known, and the file that the caller named comes last, so that a save that fails leaves the old files as they were.

mod entities;
mod output;
mod robot;
mod world;

pub(super) use output::Output;
