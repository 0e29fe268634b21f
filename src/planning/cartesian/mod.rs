//! Motions of a link along lines, arcs and screws.

mod blend;
mod follow;
mod path;

pub use follow::{Followed, Stop};
pub use path::CartesianPath;
