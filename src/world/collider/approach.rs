//! Whether anything may collide while robots move a little.

use std::ops::Range;
use std::sync::Arc;

use super::{Workspace, WorldCollider};
use crate::Result;
use crate::world::{EntityId, RobotId};

impl WorldCollider {
    /// Whether some pair with a link of a robot, or with what it holds, may collide while things move: `reach` is a bound on
    /// how far something goes from where it is, `nearer` on how much nearer two things come to each other, m.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world.
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub(crate) fn may_collide_with(
        &self,
        robot: RobotId,
        ws: &mut Workspace,
        reach: impl Fn(EntityId) -> f64,
        nearer: impl Fn(EntityId, EntityId) -> f64,
    ) -> Result<bool> {
        self.assert_owns(ws);
        let parts = self.scene.robots[ws.robot(robot)?].parts.clone();
        Ok(ws.may_collide(parts, reach, nearer))
    }
}

impl Workspace {
    fn may_collide(
        &mut self,
        parts: Range<usize>,
        reach: impl Fn(EntityId) -> f64,
        nearer: impl Fn(EntityId, EntityId) -> f64,
    ) -> bool {
        // the broad phase, with boxes around all places
        let moving = &self.scene.parts[self.scene.n_still()..];
        self.grown.clear();
        let around = self.boxes.iter().zip(moving);
        let around = around.map(|(bounds, part)| bounds.inflated(reach(part.entity)));
        self.grown.extend(around);
        std::mem::swap(&mut self.boxes, &mut self.grown);
        self.find_candidates(parts);
        std::mem::swap(&mut self.boxes, &mut self.grown);

        // what is most likely to collide comes first
        let mut candidates = std::mem::take(&mut self.candidates);
        let scene = Arc::clone(&self.scene);
        let entity = |part: usize| scene.parts[part].entity;
        let nearer = |(a, b): (usize, usize)| SAFE * nearer(entity(a), entity(b));
        for candidate in &mut candidates {
            let (a, b) = candidate.pair;
            candidate.rank = self.bounds(a).separation(self.bounds(b)) - nearer(candidate.pair);
        }
        candidates.retain(|candidate| candidate.rank <= 0.0);
        candidates.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank));
        let found = candidates.iter().any(|candidate| {
            let pair = candidate.pair;
            let (a, b) = (self.placed(pair.0).1, self.placed(pair.1).1);
            let lengths = a.translation.vector.amax() + b.translation.vector.amax();
            let margin = self.scene.margins.of(pair);
            let within = margin + nearer(pair) + ROUNDING * (1.0 + lengths);
            self.are_within(pair, within)
        });
        self.candidates = candidates;
        found
    }
}

/// A bound on a motion, with room for the rounding of those who computed it.
const SAFE: f64 = 1.0 + 1e-6;

/// What rounding does to places, as a part of the lengths at hand.
const ROUNDING: f64 = 1e-12;
