//! How far the leaves of a body reach along the direction of a walk, each looked up once.

use std::cell::Cell;

/// What is known along one direction; another direction makes all of it unknown.
#[derive(Debug, Default)]
pub(super) struct SupportCache {
    /// The number of the direction in which a leaf was looked at, and how far it reaches.
    leaves: Vec<(u32, f32)>,
    generation: u32,
}

thread_local! {
    /// Memory of both bodies, kept for the next walk.
    pub(super) static SUPPORT_CACHES: Cell<[SupportCache; 2]> = const { Cell::new([SupportCache::new(), SupportCache::new()]) };
}

impl SupportCache {
    const fn new() -> Self {
        Self {
            leaves: Vec::new(),
            generation: 0,
        }
    }

    /// Makes room for so many leaves, of which nothing is known.
    pub(super) fn start(&mut self, n_leaves: usize) {
        if self.leaves.len() < n_leaves {
            self.leaves.resize(n_leaves, (0, 0.0));
        }
        self.invalidate();
    }

    /// Forgets what is known, since the direction is another.
    #[inline(always)]
    pub(super) fn invalidate(&mut self) {
        if self.generation == u32::MAX {
            self.leaves.fill((0, 0.0));
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// How far a leaf reaches.
    #[inline(always)]
    pub(super) fn of(&mut self, leaf: usize, compute: impl FnOnce() -> f32) -> f32 {
        let entry = &mut self.leaves[leaf];
        if entry.0 != self.generation {
            *entry = (self.generation, compute());
        }
        entry.1
    }
}
