//! Colliding pairs.

use std::ops::Range;

use super::sweep::sweep;
use super::workspace::Candidate;
use super::{Workspace, WorldCollider};
use crate::Result;
use crate::geometry::query;
use crate::world::{EntityId, RobotId};

/// Up to so many pairs are put in their places in a sorted list one by one.
const FEW: usize = 32;

impl WorldCollider {
    /// All colliding pairs of the frozen world, sorted.
    #[must_use]
    pub fn colliding_pairs(&self) -> Vec<(EntityId, EntityId)> {
        let mut pairs = Vec::new();
        self.with_workspace(|ws| self.colliding_pairs_with(ws, &mut pairs));
        pairs
    }

    /// Writes all colliding pairs at the poses of a workspace, sorted, in place of what `out` held.
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub fn colliding_pairs_with(&self, ws: &mut Workspace, out: &mut Vec<(EntityId, EntityId)>) {
        self.assert_owns(ws);
        ws.find_candidates(0..self.scene.parts.len(), false);
        let still = self.still_collisions().iter().copied();
        let still = still.filter(|&(a, b)| !ws.moved.has(a) && !ws.moved.has(b));
        out.clear();
        out.extend(still.map(|pair| self.sorted(pair)));
        let mut moved = std::mem::take(&mut ws.moved.pairs);
        let collisions = moved.collisions(|pair| ws.collides(*pair), |pair| self.sorted(*pair));
        out.extend(collisions.iter().map(|pair| self.sorted(*pair)));
        ws.moved.pairs = moved;
        if !out.is_sorted() {
            out.sort_unstable();
        }

        // those of links
        let mut candidates = std::mem::take(&mut ws.candidates);
        candidates.retain(|candidate| ws.collides(candidate.pair));
        let known = out.len();
        if candidates.len() <= FEW {
            for candidate in &candidates {
                let pair = self.sorted(candidate.pair);
                out.insert(out.partition_point(|other| *other < pair), pair);
            }
        } else {
            out.extend(candidates.iter().map(|other| self.sorted(other.pair)));
            out.sort_unstable();
        }
        debug_assert_eq!(out.len(), known + candidates.len());
        ws.candidates = candidates;
    }

    /// Some colliding pair of the frozen world; `None` where nothing collides.
    #[must_use]
    pub fn first_collision(&self) -> Option<(EntityId, EntityId)> {
        self.with_workspace(|ws| self.first_collision_with(ws))
    }

    /// Some colliding pair at the poses of a workspace, cheapest test first; `None` where nothing collides.
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub fn first_collision_with(&self, ws: &mut Workspace) -> Option<(EntityId, EntityId)> {
        self.assert_owns(ws);
        let mut still = self.still_collisions().iter().copied();
        let still = still.find(|&(a, b)| !ws.moved.has(a) && !ws.moved.has(b));
        let pair = still.or_else(|| ws.first_collision(0..self.scene.parts.len()));
        pair.map(|pair| self.sorted(pair))
    }

    /// Some colliding pair with a link of one robot or with an object attached to it, self pairs included; `None` where there
    /// is none.
    ///
    /// Planners for one robot need just this: collisions among other elements do not matter to them.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world.
    pub fn robot_collision_with(
        &self,
        robot: RobotId,
        ws: &mut Workspace,
    ) -> Result<Option<(EntityId, EntityId)>> {
        self.check_owns(ws)?;
        let parts = self.scene.robots[ws.robot(robot)?].parts.clone();
        Ok(ws.first_collision(parts).map(|pair| self.sorted(pair)))
    }

    /// Returns whether a link of one robot or an object attached to it collides: whether
    /// [`robot_collision_with`](Self::robot_collision_with) finds a pair.
    ///
    /// Faster than finding the pair: the workspace learns which pairs are likely to collide and checks them first.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world.
    pub fn robot_collides_with(&self, robot: RobotId, ws: &mut Workspace) -> Result<bool> {
        self.check_owns(ws)?;
        let parts = self.scene.robots[ws.robot(robot)?].parts.clone();
        Ok(ws.any_collision(parts))
    }

    /// Colliding pairs of terrains and free rigid objects, which do not depend on the configuration: computed once. Not valid
    /// for objects that were moved in a workspace.
    fn still_collisions(&self) -> &[(usize, usize)] {
        self.scene.still_collisions.get_or_init(|| {
            let scene = &*self.scene;
            let mut pairs = Vec::new();
            for a in 0..scene.n_still() {
                scene.tree.overlapping(&scene.boxes[a], |b| {
                    let pair = (a, b as usize);
                    if pair.0 < pair.1 && scene.is_enabled(a, pair.1) && self.initial.meet(pair) {
                        pairs.push(pair);
                    }
                });
            }
            pairs.sort_unstable_by_key(|&pair| self.sorted(pair));
            pairs
        })
    }
}

impl Workspace {
    /// Some colliding pair with a moving part among `parts`, cheapest test first.
    fn first_collision(&mut self, parts: Range<usize>) -> Option<(usize, usize)> {
        self.find_candidates(parts, true);
        self.first_candidate()
    }

    /// Returns whether some pair with a moving part among `parts` collides, in the order of cost per probability.
    fn any_collision(&mut self, parts: Range<usize>) -> bool {
        self.find_candidates(parts, true);
        for candidate in &mut self.candidates {
            // the cost of a test grows more slowly than the number of triangles
            candidate.rank = candidate.rank.sqrt() / self.memory.chance(candidate.pair);
        }
        let Some(hit) = self.first_candidate() else {
            return false;
        };
        for candidate in &self.candidates {
            let is_hit = candidate.pair == hit;
            self.memory.learn(candidate.pair, is_hit);
            if is_hit {
                break;
            }
        }
        true
    }

    /// The first of the candidates that collides.
    fn first_candidate(&mut self) -> Option<(usize, usize)> {
        let mut candidates = std::mem::take(&mut self.candidates);
        // the result must not depend on the order in which overlaps were found
        candidates.sort_unstable_by(|a, b| {
            let by_rank = a.rank.total_cmp(&b.rank);
            by_rank.then_with(|| a.pair.cmp(&b.pair))
        });
        let mut pairs = candidates.iter().map(|candidate| candidate.pair);
        let hit = pairs.find(|&pair| self.collides(pair));
        self.candidates = candidates;
        hit
    }

    /// Broad phase: collects the enabled pairs with overlapping boxes, of which one part moves and is among `parts`; on
    /// request also [those of moved objects](super::moved_pairs::MovedPairs::candidates) and static parts.
    pub(super) fn find_candidates(&mut self, parts: Range<usize>, with_moved: bool) {
        let scene = &*self.scene;
        let n_still = scene.n_still();
        let candidates = &mut self.candidates;
        candidates.clear();
        let mut push = |a: usize, b: usize| {
            let rank = (scene.parts[a].cost + scene.parts[b].cost) as f64;
            candidates.push(Candidate { rank, pair: (a, b) });
        };

        // against static parts
        let links = parts.start.max(n_still)..parts.end;
        let boxes = &self.boxes[links.start - n_still..links.end - n_still];
        self.static_pairs.clear();
        scene.still_near(boxes, links.start, &mut self.static_pairs);
        for &(still, link) in &self.static_pairs {
            let (still, link) = (still as usize, link as usize);
            let overlap = self.boxes[link - n_still].overlaps(&scene.boxes[still]);
            if overlap && !self.moved.has(still) && scene.is_enabled(still, link) {
                push(still, link);
            }
        }

        // moved objects, against links and attached objects, then against static parts and each other
        let among = |a: usize, b: usize| parts.contains(&a) || parts.contains(&b);
        let only_links = parts.start >= n_still;
        let mut pairs = std::mem::take(&mut self.moved.pairs);
        if self.moved.iter().len() > 0 {
            let links = if only_links {
                parts.clone()
            } else {
                n_still..scene.parts.len()
            };
            pairs.expect(links.len(), &self.moved);
            for link in links {
                pairs.overlapping(&self.moved, &self.boxes[link - n_still], |part| {
                    if among(part, link) && scene.is_enabled(part, link) {
                        push(part, link);
                    }
                });
            }
        }
        if !only_links {
            pairs.update(scene, &self.moved);
            if with_moved {
                let candidates = pairs.candidates().filter(|&(a, b)| among(a, b));
                candidates.for_each(|(a, b)| push(a, b));
            }
        }
        self.moved.pairs = pairs;

        // against moving parts
        match &scene.link_pairs {
            Some(pairs) => {
                for &(a, b) in pairs {
                    let overlap = || self.boxes[a - n_still].overlaps(&self.boxes[b - n_still]);
                    if among(a, b) && overlap() {
                        push(a, b);
                    }
                }
            }
            None => sweep(&self.boxes, &mut self.order, |a, b| {
                let (a, b) = (a + n_still, b + n_still);
                if among(a, b) && scene.is_enabled(a, b) {
                    push(a, b);
                }
            }),
        }
    }

    /// Returns whether two parts collide: whether their distance is at most their margin.
    #[inline]
    pub(super) fn collides(&mut self, pair: (usize, usize)) -> bool {
        self.are_within(pair, self.scene.margins.of(pair))
    }

    /// Returns whether two parts are within a distance. Convex pairs start from their last separating direction.
    #[inline]
    pub(super) fn are_within(&mut self, pair: (usize, usize), distance: f64) -> bool {
        let parts = &self.scene.parts;
        if !(parts[pair.0].is_convex && parts[pair.1].is_convex) {
            let (a, b) = (self.placed(pair.0), self.placed(pair.1));
            return query::within_distance_at(a, b, distance);
        }
        let mut memory = std::mem::take(&mut self.memory);
        let (a, b) = (self.placed(pair.0), self.placed(pair.1));
        let within = query::within_distance_from(a, b, distance, memory.separating_direction(pair));
        self.memory = memory;
        within
    }

    /// [`collides`](Self::collides) without cached directions.
    pub(super) fn meet(&self, (a, b): (usize, usize)) -> bool {
        let margin = self.scene.margins.of((a, b));
        query::within_distance_at(self.placed(a), self.placed(b), margin)
    }
}
