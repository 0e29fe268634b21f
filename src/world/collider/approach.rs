//! Conservative collision test for small motions.

use std::ops::Range;

use super::scene::Scene;
use super::{Workspace, WorldCollider};
use crate::Result;
use crate::world::{EntityId, RobotId};

impl WorldCollider {
    /// Returns whether some pair with a link of a robot, or with an object attached to it, may collide during a motion:
    /// `travel` bounds the displacement of an element, `approach` the decrease of the distance of two, m.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world.
    pub(crate) fn may_collide_with(
        &self,
        robot: RobotId,
        ws: &mut Workspace,
        travel: impl Fn(EntityId) -> f64,
        approach: impl Fn(EntityId, EntityId) -> f64,
    ) -> Result<bool> {
        self.check_owns(ws)?;
        let parts = self.scene.robots[ws.robot(robot)?].parts.clone();
        Ok(ws.may_collide(parts, travel, approach))
    }
}

impl Workspace {
    fn may_collide(
        &mut self,
        parts: Range<usize>,
        travel: impl Fn(EntityId) -> f64,
        approach: impl Fn(EntityId, EntityId) -> f64,
    ) -> bool {
        // broad phase, with boxes inflated by the displacement
        let moving = &self.scene.parts[self.scene.n_still()..];
        self.inflated.clear();
        let around = self.boxes.iter().zip(moving);
        let around = around.map(|(bounds, part)| bounds.inflated(travel(part.entity)));
        self.inflated.extend(around);
        std::mem::swap(&mut self.boxes, &mut self.inflated);
        self.find_candidates(parts, true);
        std::mem::swap(&mut self.boxes, &mut self.inflated);

        // most likely collisions first
        let mut candidates = std::mem::take(&mut self.candidates);
        let approach = |scene: &Scene, (a, b): (usize, usize)| {
            SAFE * approach(scene.parts[a].entity, scene.parts[b].entity)
        };
        for candidate in &mut candidates {
            let (a, b) = candidate.pair;
            let between = self.bounds(a).separation(self.bounds(b));
            candidate.rank = between - approach(&self.scene, candidate.pair);
        }
        candidates.retain(|candidate| candidate.rank <= 0.0);
        candidates.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank));
        let found = candidates.iter().any(|candidate| {
            let pair = candidate.pair;
            let (a, b) = (self.placed(pair.0).1, self.placed(pair.1).1);
            let lengths = a.translation.vector.amax() + b.translation.vector.amax();
            let margin = self.scene.margins.of(pair);
            let within = margin + approach(&self.scene, pair) + ROUNDING * (1.0 + lengths);
            self.are_within(pair, within)
        });
        self.candidates = candidates;
        found
    }
}

/// Factor that covers the rounding of the given bounds.
const SAFE: f64 = 1.0 + 1e-6;

/// Rounding error of positions, relative to the lengths involved.
const ROUNDING: f64 = 1e-12;
