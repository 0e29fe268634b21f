//! Bodies of a scene: links, rigid objects and terrains with their shapes.

use crate::Pose;
use crate::world::EntityId;

/// A body with a pose in the world, and its shapes.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) entity: EntityId,
    pub(crate) name: String,
    /// In the world.
    pub(crate) pose: Pose,
    /// Shapes to look at: those that collide where there are no others.
    pub(crate) visual: Vec<Drawn>,
    /// Shapes that collide; empty unless they were asked for.
    pub(crate) collision: Vec<Drawn>,
}

/// A mesh of a scene as a body carries it.
#[derive(Debug, Clone)]
pub(crate) struct Drawn {
    /// Index of the mesh.
    pub(crate) mesh: usize,
    /// In the frame of the body.
    pub(crate) placement: Pose,
    /// Index of the material.
    pub(crate) material: usize,
    /// True if the material replaces those of the mesh.
    pub(crate) covers: bool,
}

impl Body {
    pub(super) fn new(entity: EntityId, name: &str, pose: Pose) -> Self {
        Self {
            entity,
            name: name.to_owned(),
            pose,
            visual: Vec::new(),
            collision: Vec::new(),
        }
    }
}
