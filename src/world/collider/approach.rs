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
        ws.find_approaching(parts, travel, &approach);
        let mut candidates = std::mem::take(&mut ws.candidates);
        // most likely collisions first
        candidates.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank));
        let mut pairs = candidates.iter().map(|candidate| candidate.pair);
        let found = pairs.any(|pair| ws.may_meet(pair, &approach));
        ws.candidates = candidates;
        Ok(found)
    }

    /// Appends the pairs for which [`may_collide_with`](Self::may_collide_with) is true, in no order.
    ///
    /// # Errors
    ///
    /// As [`may_collide_with`](Self::may_collide_with).
    pub(crate) fn find_approaching_with(
        &self,
        robot: RobotId,
        ws: &mut Workspace,
        travel: impl Fn(EntityId) -> f64,
        approach: impl Fn(EntityId, EntityId) -> f64,
        out: &mut Vec<(usize, usize)>,
    ) -> Result<()> {
        self.check_owns(ws)?;
        let parts = self.scene.robots[ws.robot(robot)?].parts.clone();
        ws.find_approaching(parts, travel, &approach);
        let candidates = std::mem::take(&mut ws.candidates);
        let pairs = candidates.iter().map(|candidate| candidate.pair);
        out.extend(pairs.filter(|&pair| ws.may_meet(pair, &approach)));
        ws.candidates = candidates;
        Ok(())
    }

    /// Returns whether a pair may collide during a motion in which its distance shrinks by at most `approach`, m.
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub(crate) fn may_meet_with(
        &self,
        pair: (usize, usize),
        ws: &mut Workspace,
        approach: impl Fn(EntityId, EntityId) -> f64,
    ) -> bool {
        self.assert_owns(ws);
        ws.separation(pair, &approach) <= 0.0 && ws.may_meet(pair, &approach)
    }
}

impl Workspace {
    /// Broad phase: collects the pairs with a moving part among `parts` whose boxes may overlap during a motion, ranked by how
    /// far apart the boxes stay.
    fn find_approaching(
        &mut self,
        parts: Range<usize>,
        travel: impl Fn(EntityId) -> f64,
        approach: &impl Fn(EntityId, EntityId) -> f64,
    ) {
        // boxes inflated by the displacement
        let moving = &self.scene.parts[self.scene.n_still()..];
        self.inflated.clear();
        let around = self.boxes.iter().zip(moving);
        let around = around.map(|(bounds, part)| bounds.inflated(travel(part.entity)));
        self.inflated.extend(around);
        std::mem::swap(&mut self.boxes, &mut self.inflated);
        self.find_candidates(parts, true);
        std::mem::swap(&mut self.boxes, &mut self.inflated);

        let mut candidates = std::mem::take(&mut self.candidates);
        for candidate in &mut candidates {
            candidate.rank = self.separation(candidate.pair, approach);
        }
        candidates.retain(|candidate| candidate.rank <= 0.0);
        self.candidates = candidates;
    }

    /// How far apart the boxes of two parts stay during a motion; without margins.
    fn separation(
        &self,
        pair: (usize, usize),
        approach: &impl Fn(EntityId, EntityId) -> f64,
    ) -> f64 {
        let between = self.bounds(pair.0).separation(self.bounds(pair.1));
        between - approach_of(&self.scene, pair, approach)
    }

    /// Narrow phase: whether two parts may collide during a motion.
    fn may_meet(
        &mut self,
        pair: (usize, usize),
        approach: &impl Fn(EntityId, EntityId) -> f64,
    ) -> bool {
        let (a, b) = (self.placed(pair.0).1, self.placed(pair.1).1);
        let lengths = a.translation.vector.amax() + b.translation.vector.amax();
        let margin = self.scene.margins.of(pair);
        let approach = approach_of(&self.scene, pair, approach);
        self.are_within(pair, margin + approach + ROUNDING * (1.0 + lengths))
    }
}

/// By how much the distance of two parts shrinks at most.
fn approach_of(
    scene: &Scene,
    (a, b): (usize, usize),
    approach: &impl Fn(EntityId, EntityId) -> f64,
) -> f64 {
    SAFE * approach(scene.parts[a].entity, scene.parts[b].entity)
}

/// Factor that covers the rounding of the given bounds.
const SAFE: f64 = 1.0 + 1e-6;

/// Rounding error of positions, relative to the lengths involved.
const ROUNDING: f64 = 1e-12;
