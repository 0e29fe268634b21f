//! Overlaps of many moved objects, kept from one query to the next.

use super::moved::Moved;
use super::scene::Scene;
use super::sweep::sweep;
use super::tree::BoxTree;
use crate::geometry::Aabb;

/// Enabled pairs of static parts with overlapping boxes, one of them moved, as of some query: what changed since is asked anew.
///
/// One object that moves costs what it touches; where many have moved, all pairs are found again by trees, nearly linear in
/// objects and pairs.
#[derive(Debug, Clone, Default)]
pub(super) struct MovedPairs {
    /// The moved parts then.
    tree: BoxTree,
    /// Of each part: whether its pose changed since.
    is_changed: Vec<bool>,
    changed: Vec<usize>,
    pairs: Vec<(usize, usize)>,
    /// Those of `pairs` that collide, where that was asked.
    collisions: Vec<(usize, usize)>,
    is_asked: bool,
    // scratch: what was not moved; parts that have changed and are moved, their boxes and their order along x
    rest: BoxTree,
    parts: Vec<usize>,
    boxes: Vec<Aabb>,
    order: Vec<u32>,
}

/// Up to so many changes are compared with each other along one axis.
const FEW: usize = 64;

impl MovedPairs {
    /// Forgets all: nothing is moved.
    pub(super) fn clear(&mut self) {
        for part in self.changed.drain(..) {
            self.is_changed[part] = false;
        }
        self.tree.refill(std::iter::empty());
        self.pairs.clear();
        self.collisions.clear();
        self.is_asked = false;
    }

    /// Notes that a part, one of `n_still`, has another pose.
    #[inline]
    pub(super) fn change(&mut self, part: usize, n_still: usize) {
        self.is_changed.resize(n_still, false);
        if !self.is_changed[part] {
            self.is_changed[part] = true;
            self.changed.push(part);
        }
    }

    /// Finds all pairs again where too many parts have changed.
    pub(super) fn refresh(&mut self, scene: &Scene, moved: &Moved) {
        let most = FEW.max(self.tree.len() / 32);
        if self.changed.len() <= most {
            return;
        }
        self.clear();
        let parts = moved.iter().map(|(part, bounds)| (*bounds, part as u32));
        self.tree.refill(parts);

        // where most have moved, the tree of the scene holds boxes that are no longer there
        let is_sparse = 2 * self.tree.len() > scene.n_still();
        if is_sparse {
            let still = (0..scene.n_still()).filter(|&part| !moved.has(part));
            self.rest
                .refill(still.map(|part| (scene.boxes[part], part as u32)));
        }
        let still = if is_sparse { &self.rest } else { &scene.tree };
        for (part, bounds) in moved.iter() {
            self.tree.overlapping(bounds, |other| {
                let other = other as usize;
                if part < other && scene.is_enabled(part, other) {
                    self.pairs.push((part, other));
                }
            });
            still.overlapping(bounds, |other| {
                let pair = (part.min(other as usize), part.max(other as usize));
                if !moved.has(other as usize) && scene.is_enabled(pair.0, pair.1) {
                    self.pairs.push(pair);
                }
            });
        }
    }

    /// The pairs of parts that have not changed.
    pub(super) fn unchanged(&self) -> impl Iterator<Item = (usize, usize)> {
        let is_changed = |part: usize| self.is_changed.get(part).copied().unwrap_or(false);
        let pairs = self.pairs.iter().copied();
        pairs.filter(move |&(a, b)| !is_changed(a) && !is_changed(b))
    }

    /// Calls `found` with the pairs of [`unchanged`](Self::unchanged) that collide, in the order of a key; `collides` is asked
    /// about each pair at most once.
    pub(super) fn unchanged_collisions<K: Ord>(
        &mut self,
        mut collides: impl FnMut((usize, usize)) -> bool,
        key: impl Fn((usize, usize)) -> K,
        mut found: impl FnMut((usize, usize)),
    ) {
        // a pair that changes before it was asked about is never asked about
        if !self.is_asked {
            let mut collisions = std::mem::take(&mut self.collisions);
            collisions.extend(self.unchanged().filter(|&pair| collides(pair)));
            collisions.sort_unstable_by_key(|&pair| key(pair));
            self.collisions = collisions;
            self.is_asked = true;
        }
        for &(a, b) in &self.collisions {
            if !self.is_changed[a] && !self.is_changed[b] {
                found((a, b));
            }
        }
    }

    /// Calls `found` with the pairs with overlapping boxes of which one part has changed: one of them is moved, smaller
    /// index first.
    pub(super) fn changed(
        &mut self,
        scene: &Scene,
        moved: &Moved,
        mut found: impl FnMut(usize, usize),
    ) {
        let mut push = |a: usize, b: usize| {
            let pair = (a.min(b), a.max(b));
            if scene.is_enabled(pair.0, pair.1) {
                found(pair.0, pair.1);
            }
        };
        self.boxes.clear();
        self.parts.clear();
        for &part in &self.changed {
            let own = moved.bounds(part);
            let bounds = own.unwrap_or(&scene.boxes[part]);
            self.tree.overlapping(bounds, |other| {
                if !self.is_changed[other as usize] {
                    push(part, other as usize);
                }
            });
            if own.is_none() {
                continue;
            }
            self.boxes.push(*bounds);
            self.parts.push(part);
            scene.tree.overlapping(bounds, |other| {
                if !moved.has(other as usize) {
                    push(part, other as usize);
                }
            });
        }
        sweep(&self.boxes, &mut self.order, |a, b| {
            push(self.parts[a], self.parts[b])
        });
    }

    /// Calls `found` with the moved parts whose boxes overlap another.
    pub(super) fn overlapping(&self, moved: &Moved, bounds: &Aabb, mut found: impl FnMut(usize)) {
        self.tree.overlapping(bounds, |part| {
            if !self.is_changed[part as usize] {
                found(part as usize);
            }
        });
        for &part in &self.changed {
            if moved.bounds(part).is_some_and(|own| own.overlaps(bounds)) {
                found(part);
            }
        }
    }
}
