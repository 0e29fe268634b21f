//! The nearest pairs.

use std::cmp::Ordering;

use super::workspace::Candidate;
use super::{Workspace, WorldCollider, WorldDistance};

impl WorldCollider {
    /// The `n` enabled pairs of the frozen world with the least distance, nearest first, pairs at the same distance sorted; all
    /// pairs, where there are fewer.
    ///
    /// Distances are those of [`distance`](Self::distance): 0 for all pairs that collide, margins of the
    /// [filter](super::PairFilter::with_margin) not subtracted.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::world::{PairFilter, WorldCollider};
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let world = WorldModel::load(format!("{data}/worlds/cell.xml"))?.value;
    /// let collider = WorldCollider::new(&world, &PairFilter::default())?;
    /// let nearest = collider.nearest_pairs(3);
    /// assert_eq!(nearest.len(), 3);
    /// assert!(nearest.is_sorted_by_key(|pair| pair.distance));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn nearest_pairs(&self, n: usize) -> Vec<WorldDistance> {
        let mut pairs = Vec::new();
        self.with_workspace(|ws| self.nearest_pairs_with(n, ws, &mut pairs));
        pairs
    }

    /// Writes the [nearest pairs](Self::nearest_pairs) at the poses of a workspace, in place of what `out` held.
    ///
    /// Looks at the boxes of all pairs, and measures those that can be among the nearest.
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub fn nearest_pairs_with(&self, n: usize, ws: &mut Workspace, out: &mut Vec<WorldDistance>) {
        self.assert_owns(ws);
        out.clear();
        if n == 0 {
            return;
        }
        let mut candidates = std::mem::take(&mut ws.candidates);
        self.list_nearest_boxes(n, ws, &mut candidates);
        out.extend(candidates.iter().map(|of| self.distance_of(of.pair, ws)));
        let last = candidates.last().copied();
        ws.candidates = candidates;
        out.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance));

        // other pairs whose boxes are nearer than the farthest of these
        if let Some(last) = last.filter(|_| out.len() == n) {
            self.for_each_pair(ws, |ws, other| {
                let limit = out[n - 1].distance;
                if other.rank < limit && order(&last, &other).is_lt() {
                    let found = self.nearer_of(other.pair, limit, ws);
                    if let Some(found) = found.filter(|found| found.distance < limit) {
                        out.pop();
                        let at = out.partition_point(|of| of.distance <= found.distance);
                        out.insert(at, found);
                    }
                }
                limit
            });
        }
        for found in &mut *out {
            if found.b < found.a {
                std::mem::swap(&mut found.a, &mut found.b);
                std::mem::swap(&mut found.on_a, &mut found.on_b);
            }
        }
        out.sort_unstable_by(|a, b| {
            let nearer = a.distance.total_cmp(&b.distance);
            nearer.then((a.a, a.b).cmp(&(b.a, b.b)))
        });
    }

    /// Lists the `n` enabled pairs with the nearest boxes, sorted; `n` is at least 1.
    fn list_nearest_boxes(&self, n: usize, ws: &Workspace, out: &mut Vec<Candidate>) {
        out.clear();
        let most = n.saturating_mul(2);
        let mut limit = f64::INFINITY;
        self.for_each_pair(ws, |_, pair| {
            out.push(pair);
            if out.len() == most {
                let (_, last, _) = out.select_nth_unstable_by(n - 1, order);
                limit = last.rank;
                out.truncate(n);
            }
            limit
        });
        out.sort_unstable_by(order);
        out.truncate(n);
    }

    /// Calls a function with each enabled pair whose boxes are not farther apart than the limit that it returned last.
    fn for_each_pair(&self, ws: &Workspace, mut call: impl FnMut(&Workspace, Candidate) -> f64) {
        let mut limit = f64::INFINITY;
        for b in 1..self.scene.parts.len() {
            let bounds = ws.bounds(b);
            for a in 0..b {
                let rank = bounds.separation(ws.bounds(a));
                if rank <= limit && self.scene.is_enabled(a, b) {
                    limit = call(ws, Candidate { rank, pair: (a, b) });
                }
            }
        }
    }
}

/// Nearer boxes first; where they are as near, in the order of the parts.
fn order(a: &Candidate, b: &Candidate) -> Ordering {
    a.rank.total_cmp(&b.rank).then(a.pair.cmp(&b.pair))
}
