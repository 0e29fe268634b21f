//! Options of pictures.

use std::collections::BTreeSet;

use crate::world::EntityId;

/// Options of a picture.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[must_use]
pub struct RenderOptions {
    /// Colour behind everything: red, green, blue from 0 to 1.
    pub background: [f64; 3],
    /// Elements that are painted red, such as those that collide; a robot stands for all its links. None by default.
    pub red: BTreeSet<EntityId>,
    /// Shadows, on elements and on a ground below all of them. True by default.
    pub shadows: bool,
    /// Four rays per pixel where an edge runs through it. True by default.
    pub smooth_edges: bool,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            background: [0.953, 0.957, 0.965],
            red: BTreeSet::new(),
            shadows: true,
            smooth_edges: true,
        }
    }
}

impl RenderOptions {
    /// The same with another [`background`](Self::background).
    pub fn with_background(mut self, background: [f64; 3]) -> Self {
        self.background = background;
        self
    }

    /// The same with other [`red`](Self::red) elements.
    pub fn with_red(mut self, red: impl IntoIterator<Item = EntityId>) -> Self {
        self.red = red.into_iter().collect();
        self
    }

    /// The same with or without [`shadows`](Self::shadows).
    pub fn with_shadows(mut self, shadows: bool) -> Self {
        self.shadows = shadows;
        self
    }

    /// The same with or without [`smooth_edges`](Self::smooth_edges).
    pub fn with_smooth_edges(mut self, smooth_edges: bool) -> Self {
        self.smooth_edges = smooth_edges;
        self
    }
}
