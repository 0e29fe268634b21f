//! Cached support values of a body's leaves along the direction of a traversal.

use std::cell::Cell;

/// Support values along one direction; another direction invalidates all of them.
#[derive(Debug, Default)]
pub(super) struct SupportCache {
    /// The generation in which a leaf was evaluated, and its support value.
    leaves: Vec<(u32, f32)>,
    generation: u32,
}

thread_local! {
    /// Memory for both bodies, kept for the next traversal.
    pub(super) static SUPPORT_CACHES: Cell<[SupportCache; 2]> = const { Cell::new([SupportCache::new(), SupportCache::new()]) };
}

impl SupportCache {
    const fn new() -> Self {
        Self {
            leaves: Vec::new(),
            generation: 0,
        }
    }

    /// Resizes to a number of leaves and invalidates all.
    pub(super) fn start(&mut self, n_leaves: usize) {
        if self.leaves.len() < n_leaves {
            self.leaves.resize(n_leaves, (0, 0.0));
        }
        self.invalidate();
    }

    /// Invalidates all values, since the direction has changed.
    #[inline(always)]
    pub(super) fn invalidate(&mut self) {
        if self.generation == u32::MAX {
            self.leaves.fill((0, 0.0));
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Support value of a leaf, computed once per direction.
    #[inline(always)]
    pub(super) fn of(&mut self, leaf: usize, compute: impl FnOnce() -> f32) -> f32 {
        let entry = &mut self.leaves[leaf];
        if entry.0 != self.generation {
            *entry = (self.generation, compute());
        }
        entry.1
    }
}
