//! Robots, rigid objects and terrains in one world. Floor 4: knows no file.

mod entity;

pub use entity::{ContactParameters, RigidObject, Terrain};

/// A handle of anything in a world; stable, never reused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntityId(u64);

/// Robots, rigid objects and terrains.
#[derive(Debug, Clone, Default)]
pub struct WorldModel {
    next: u64,
}

impl WorldModel {
    /// An empty world.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}
