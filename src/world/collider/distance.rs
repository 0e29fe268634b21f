//! How near things are.

use super::workspace::Candidate;
use super::{Workspace, WorldCollider};
use crate::Result;
use crate::geometry::query;
use crate::math::Point;
use crate::world::EntityId;

/// How far apart two elements are, and where they are nearest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldDistance {
    /// The gap less both margins, m; 0 where they overlap or touch.
    pub distance: f64,
    /// The nearest point of the first element in the world; `None` where they overlap or touch.
    pub on_a: Option<Point>,
    /// The nearest point of the second element in the world; `None` where they overlap or touch.
    pub on_b: Option<Point>,
    /// The first element; of a robot, the link that is nearest.
    pub a: EntityId,
    /// The second element; of a robot, the link that is nearest.
    pub b: EntityId,
}

impl WorldCollider {
    /// How far apart two elements are, with the robots where they were; a robot counts as its nearest link.
    ///
    /// Any two elements can be asked for, whether or not their pair is tested for collision, and whatever
    /// [margin](super::PairFilter::with_margin) their pair has. An element overlaps itself,
    /// and a robot its links.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) or [`Error::Invalid`](crate::Error::Invalid) for an element that
    /// was not in the world or has no collision geometry.
    pub fn distance(
        &self,
        a: impl Into<EntityId>,
        b: impl Into<EntityId>,
    ) -> Result<WorldDistance> {
        self.with_workspace(|ws| self.distance_with(a, b, ws))
    }

    /// [`distance`](Self::distance) with the robots of a workspace.
    ///
    /// # Errors
    ///
    /// As [`distance`](Self::distance).
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub fn distance_with(
        &self,
        a: impl Into<EntityId>,
        b: impl Into<EntityId>,
        ws: &mut Workspace,
    ) -> Result<WorldDistance> {
        self.assert_owns(ws);
        let (parts_a, parts_b) = (self.parts_of(a.into())?, self.parts_of(b.into())?);
        let overlap = parts_a.start.max(parts_b.start)..parts_a.end.min(parts_b.end);
        if !overlap.is_empty() {
            return Ok(self.same(overlap.start));
        }

        // the nearest boxes give a bound that most others exceed
        let mut first = (f64::INFINITY, (parts_a.start, parts_b.start));
        for a in parts_a.clone() {
            for b in parts_b.clone() {
                let rank = ws.bounds(a).separation(ws.bounds(b));
                if rank < first.0 {
                    first = (rank, (a, b));
                }
            }
        }
        let mut best = self.distance_of(first.1, ws);

        // of one part after the other what is left, nearest boxes first: memory for as many as the second element has
        let mut candidates = std::mem::take(&mut ws.candidates);
        for a in parts_a {
            candidates.clear();
            for b in parts_b.clone() {
                let rank = ws.bounds(a).separation(ws.bounds(b));
                if rank < best.distance && (a, b) != first.1 {
                    candidates.push(Candidate { rank, pair: (a, b) });
                }
            }
            candidates.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank));
            for candidate in &candidates {
                if candidate.rank >= best.distance {
                    break;
                }
                let found = self.nearer_of(candidate.pair, best.distance, ws);
                best = found.filter(|f| f.distance < best.distance).unwrap_or(best);
            }
        }
        ws.candidates = candidates;
        Ok(best)
    }

    /// How far two parts are apart.
    pub(super) fn distance_of(&self, pair: (usize, usize), ws: &Workspace) -> WorldDistance {
        self.told(
            pair,
            query::distance_at(ws.placed(pair.0), ws.placed(pair.1)),
        )
    }

    /// How far two parts are apart, `None` where that is more than `limit`, which is told sooner.
    pub(super) fn nearer_of(
        &self,
        pair: (usize, usize),
        limit: f64,
        ws: &Workspace,
    ) -> Option<WorldDistance> {
        let found = query::nearer_at(ws.placed(pair.0), ws.placed(pair.1), limit);
        found.map(|found| self.told(pair, found))
    }

    fn told(&self, pair: (usize, usize), found: query::Distance) -> WorldDistance {
        let (a, b) = self.entities(pair);
        WorldDistance {
            distance: found.distance,
            on_a: found.on_a,
            on_b: found.on_b,
            a,
            b,
        }
    }

    /// A part and itself.
    fn same(&self, part: usize) -> WorldDistance {
        let (a, b) = self.entities((part, part));
        WorldDistance {
            distance: 0.0,
            on_a: None,
            on_b: None,
            a,
            b,
        }
    }
}
