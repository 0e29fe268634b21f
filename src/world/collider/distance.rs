//! Distances between elements.

use super::workspace::Candidate;
use super::{Workspace, WorldCollider};
use crate::Result;
use crate::geometry::query;
use crate::math::Point;
use crate::world::EntityId;

/// Distance between two elements, and their nearest points.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WorldDistance {
    /// Distance less the margins of both shapes, m; 0 where they overlap or touch.
    pub distance: f64,
    /// Nearest point of the first element in the world; `None` where they overlap or touch.
    pub on_a: Option<Point>,
    /// Nearest point of the second element in the world; `None` where they overlap or touch.
    pub on_b: Option<Point>,
    /// The first element; of a robot, its nearest link.
    pub a: EntityId,
    /// The second element; of a robot, its nearest link.
    pub b: EntityId,
}

impl WorldCollider {
    /// Distance between two elements of the frozen world; a robot counts as its nearest link.
    ///
    /// Works for any two elements, whether or not their pair is enabled, and ignores the
    /// [margin](super::PairFilter::with_margin) of the pair. An element overlaps itself, and a robot its links.
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

    /// [`distance`](Self::distance) at the poses of a workspace.
    ///
    /// # Errors
    ///
    /// As [`distance`](Self::distance).
    pub fn distance_with(
        &self,
        a: impl Into<EntityId>,
        b: impl Into<EntityId>,
        ws: &mut Workspace,
    ) -> Result<WorldDistance> {
        self.check_owns(ws)?;
        let (parts_a, parts_b) = (self.parts_of(a.into())?, self.parts_of(b.into())?);
        let overlap = parts_a.start.max(parts_b.start)..parts_a.end.min(parts_b.end);
        if !overlap.is_empty() {
            return Ok(self.same(overlap.start));
        }

        // the pair with the nearest boxes gives an upper bound that prunes most others
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

        // the rest, part by part and nearest boxes first: needs memory for the parts of the second element only
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

    /// Distance between two parts.
    pub(super) fn distance_of(&self, pair: (usize, usize), ws: &Workspace) -> WorldDistance {
        self.world_distance(
            pair,
            query::distance_at(ws.placed(pair.0), ws.placed(pair.1)),
        )
    }

    /// Distance between two parts; `None` where it exceeds `limit`, which is faster to decide.
    pub(super) fn nearer_of(
        &self,
        pair: (usize, usize),
        limit: f64,
        ws: &Workspace,
    ) -> Option<WorldDistance> {
        let found = query::nearer_at(ws.placed(pair.0), ws.placed(pair.1), limit);
        found.map(|found| self.world_distance(pair, found))
    }

    fn world_distance(&self, pair: (usize, usize), found: query::Distance) -> WorldDistance {
        let (a, b) = self.entities(pair);
        WorldDistance {
            distance: found.distance,
            on_a: found.on_a,
            on_b: found.on_b,
            a,
            b,
        }
    }

    /// Distance of a part to itself: 0.
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
