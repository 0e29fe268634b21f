//! Motions of links along lines, arcs and screws.

mod blend;
mod follow;
mod path;
mod together;

pub use follow::{Followed, Stop};
pub use path::CartesianPath;
