//! Overlaps of moved objects, kept from one query to the next.

use super::moved::Moved;
use super::scene::Scene;
use super::tree::{BoxTree, Sorting};
use crate::geometry::Aabb;

/// Enabled pairs of static parts with overlapping boxes, one of them moved: those of some query, and what changed since.
///
/// One object that moves costs what it touches; where many have moved, all pairs are found again by a tree, nearly linear in
/// objects and pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct MovedPairs {
    /// The moved parts when it was built, and the parts that changed since.
    tree: BoxTree,
    changed: PartSet,
    /// Boxes of changed parts that were looked at one by one since then.
    n_scanned: usize,

    /// Parts that changed since the pairs were found.
    fresh: PartSet,
    /// Pairs that nobody has asked about.
    unasked: Vec<(usize, usize)>,
    /// Pairs that collide, sorted; those that do not are forgotten until a part of them changes.
    collisions: Vec<(usize, usize)>,

    // scratch: what was not moved
    rest: BoxTree,
    sorting: Sorting,
}

/// Up to so many changes are handled one by one.
const FEW: usize = 64;

/// Boxes that can be looked at in the time that it takes to put one into a tree.
const SCANS: usize = 64;

impl MovedPairs {
    /// Forgets all: nothing is moved.
    pub(super) fn clear(&mut self) {
        self.changed.clear();
        self.fresh.clear();
        self.tree.clear();
        self.unasked.clear();
        self.collisions.clear();
        self.n_scanned = 0;
    }

    /// Notes that a part, one of `n_still`, has another pose.
    #[inline]
    pub(super) fn change(&mut self, part: usize, n_still: usize) {
        self.changed.insert(part, n_still);
        self.fresh.insert(part, n_still);
    }

    /// Finds the pairs of what has changed since the last call.
    pub(super) fn update(&mut self, scene: &Scene, moved: &Moved) {
        let few = FEW.max(moved.iter().len() / 16);
        if self.fresh.parts.len() > few {
            self.find_all(scene, moved);
        } else if !self.fresh.parts.is_empty() {
            if self.changed.parts.len() > few {
                self.rebuild(moved);
            }
            self.find_fresh(scene, moved);
        }
        self.fresh.clear();
    }

    /// Builds the tree again where looking at what has changed, for so many boxes more, takes longer in the long run.
    pub(super) fn expect(&mut self, n_boxes: usize, moved: &Moved) {
        self.n_scanned += n_boxes * self.changed.parts.len();
        if self.changed.parts.len() > FEW && self.n_scanned > SCANS * moved.iter().len() {
            self.rebuild(moved);
        }
    }

    fn rebuild(&mut self, moved: &Moved) {
        self.changed.clear();
        self.n_scanned = 0;
        let parts = moved.iter().map(|(part, bounds)| (*bounds, part as u32));
        self.tree.refill(parts, &mut self.sorting);
    }

    fn find_all(&mut self, scene: &Scene, moved: &Moved) {
        self.rebuild(moved);
        self.collisions.clear();
        self.unasked.clear();
        let unasked = &mut self.unasked;
        let mut push = |a: u32, b: u32| {
            let pair = (a.min(b) as usize, a.max(b) as usize);
            if scene.is_enabled(pair.0, pair.1) {
                unasked.push(pair);
            }
        };
        self.tree.overlapping_pairs(&mut push);

        // where most have moved, the tree of the scene holds boxes that are no longer there
        let n_moved = moved.iter().len();
        let still = if 2 * n_moved > scene.n_still() {
            let still = (0..scene.n_still()).filter(|&part| !moved.has(part));
            let still = still.map(|part| (scene.boxes[part], part as u32));
            self.rest.refill(still, &mut self.sorting);
            &self.rest
        } else {
            &scene.tree
        };
        if still.is_empty() {
            return;
        }
        for (part, bounds) in moved.iter() {
            still.overlapping(bounds, |other| {
                if !moved.has(other as usize) {
                    push(part as u32, other);
                }
            });
        }
    }

    fn find_fresh(&mut self, scene: &Scene, moved: &Moved) {
        let mut pairs = std::mem::take(&mut self.unasked);
        let fresh = &self.fresh;
        let is_same = |&(a, b): &(usize, usize)| !fresh.has(a) && !fresh.has(b);
        pairs.retain(is_same);
        self.collisions.retain(is_same);
        for &part in &fresh.parts {
            let mut push = |other: usize| {
                // two that are both fresh meet once
                let is_found_there = fresh.has(other) && other <= part;
                let pair = (part.min(other), part.max(other));
                if !is_found_there && scene.is_enabled(pair.0, pair.1) {
                    pairs.push(pair);
                }
            };
            let own = moved.bounds(part);
            let bounds = own.unwrap_or(&scene.boxes[part]);
            self.overlapping(moved, bounds, &mut push);
            if own.is_some() {
                scene.tree.overlapping(bounds, |other| {
                    if !moved.has(other as usize) {
                        push(other as usize);
                    }
                });
            }
        }
        self.unasked = pairs;
    }

    /// Pairs that may collide, as of the last [update](Self::update), in no order.
    pub(super) fn candidates(&self) -> impl Iterator<Item = (usize, usize)> {
        self.unasked.iter().chain(&self.collisions).copied()
    }

    /// Pairs that collide, as of the last [update](Self::update), in the order of a key, which is always the same; `collides`
    /// is asked about pairs that it was not asked about yet.
    pub(super) fn collisions<K: Ord>(
        &mut self,
        collides: impl FnMut(&(usize, usize)) -> bool,
        key: impl Fn(&(usize, usize)) -> K,
    ) -> &[(usize, usize)] {
        self.unasked.retain(collides);
        if self.unasked.len() <= FEW {
            for pair in self.unasked.drain(..) {
                let at = self
                    .collisions
                    .partition_point(|other| key(other) < key(&pair));
                self.collisions.insert(at, pair);
            }
        } else {
            self.collisions.append(&mut self.unasked);
            self.collisions.sort_unstable_by_key(key);
        }
        &self.collisions
    }

    /// Calls `found` with the moved parts whose boxes overlap another.
    pub(super) fn overlapping(&self, moved: &Moved, bounds: &Aabb, mut found: impl FnMut(usize)) {
        self.tree.overlapping(bounds, |part| {
            if !self.changed.has(part as usize) {
                found(part as usize);
            }
        });
        for &part in &self.changed.parts {
            if moved.bounds(part).is_some_and(|own| own.overlaps(bounds)) {
                found(part);
            }
        }
    }
}

/// Some static parts.
#[derive(Debug, Clone, Default)]
struct PartSet {
    parts: Vec<usize>,
    is_in: Vec<bool>,
}

impl PartSet {
    #[inline]
    fn has(&self, part: usize) -> bool {
        self.is_in.get(part).copied().unwrap_or(false)
    }

    /// Adds a part, one of `n_still`.
    #[inline]
    fn insert(&mut self, part: usize, n_still: usize) {
        self.is_in.resize(n_still, false);
        if !self.is_in[part] {
            self.is_in[part] = true;
            self.parts.push(part);
        }
    }

    fn clear(&mut self) {
        for part in self.parts.drain(..) {
            self.is_in[part] = false;
        }
    }
}
