//! How far the leaves of a body reach along the direction of a walk, each looked up once.

use std::cell::Cell;

/// What is known along one direction; another direction makes all of it unknown.
#[derive(Debug, Default)]
pub(super) struct Tops {
    /// The number of the direction in which a leaf was looked at, and how far it reaches.
    leaves: Vec<(u32, f32)>,
    now: u32,
}

thread_local! {
    /// Memory of both bodies, kept for the next walk.
    pub(super) static TOPS: Cell<[Tops; 2]> = const { Cell::new([Tops::new(), Tops::new()]) };
}

impl Tops {
    const fn new() -> Self {
        Self {
            leaves: Vec::new(),
            now: 0,
        }
    }

    /// Makes room for so many leaves, of which nothing is known.
    pub(super) fn start(&mut self, n_leaves: usize) {
        if self.leaves.len() < n_leaves {
            self.leaves.resize(n_leaves, (0, 0.0));
        }
        self.turn();
    }

    /// Forgets what is known, since the direction is another.
    #[inline(always)]
    pub(super) fn turn(&mut self) {
        if self.now == u32::MAX {
            self.leaves.fill((0, 0.0));
            self.now = 0;
        }
        self.now += 1;
    }

    /// How far a leaf reaches.
    #[inline(always)]
    pub(super) fn of(&mut self, leaf: usize, look: impl FnOnce() -> f32) -> f32 {
        let entry = &mut self.leaves[leaf];
        if entry.0 != self.now {
            *entry = (self.now, look());
        }
        entry.1
    }
}
