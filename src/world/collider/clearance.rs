//! Distance to the nearest obstacle.

use super::workspace::Candidate;
use super::{Workspace, WorldCollider, WorldDistance};
use crate::Result;
use crate::world::{EntityId, RobotId};

/// The pair that can collide first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Soonest {
    /// Its remaining distance divided by its speed.
    pub(crate) time: f64,
    /// Remaining distance until it collides, m: its distance less its margin.
    pub(crate) gap: f64,
    /// The pair, and its distance.
    pub(crate) nearest: WorldDistance,
}

impl WorldCollider {
    /// Nearest enabled pair of which one element is a link of these robots or an object attached to them, at the poses of a
    /// workspace; `None` where there is no such pair. Margins of the [filter](super::PairFilter::with_margin) are not
    /// subtracted.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world.
    pub fn clearance_with(
        &self,
        robots: &[RobotId],
        ws: &mut Workspace,
    ) -> Result<Option<WorldDistance>> {
        let found = self.soonest(robots, ws, |_, _| 1.0, |_| 0.0)?;
        Ok(found.map(|found| found.nearest))
    }

    /// Writes the enabled pairs nearer than `within`, m, of which one element is a link of these robots or an object attached to
    /// them, at the poses of a workspace. A pair of elements of several shapes is listed once for each pair of its shapes that
    /// is near. Margins of the [filter](super::PairFilter::with_margin) are not subtracted.
    ///
    /// # Errors
    ///
    /// As [`clearance_with`](Self::clearance_with).
    pub fn near_pairs_with(
        &self,
        robots: &[RobotId],
        within: f64,
        ws: &mut Workspace,
        out: &mut Vec<WorldDistance>,
    ) -> Result<()> {
        self.check_owns(ws)?;
        out.clear();
        let mut candidates = std::mem::take(&mut ws.candidates);
        candidates.clear();
        let mut selected = std::mem::take(&mut ws.selected);
        let listed = self.select_parts(robots, ws, &mut selected);
        if listed.is_ok() {
            self.list_candidates(&selected, ws, &|_, _| 1.0, &mut candidates);
        }
        ws.selected = selected;
        let near = candidates
            .iter()
            .filter(|candidate| candidate.rank < within);
        let found = near.filter_map(|candidate| self.nearer_of(candidate.pair, within, ws));
        out.extend(found.filter(|found| found.distance < within));
        ws.candidates = candidates;
        listed
    }

    /// The pair that can collide first: the one with the least distance less margin, divided by speed. Pairs of speed 0 are
    /// left out.
    pub(crate) fn soonest_with(
        &self,
        robots: &[RobotId],
        ws: &mut Workspace,
        speed: impl Fn(EntityId, EntityId) -> f64,
    ) -> Result<Option<Soonest>> {
        self.soonest(robots, ws, speed, |pair| self.scene.margins.of(pair))
    }

    fn soonest(
        &self,
        robots: &[RobotId],
        ws: &mut Workspace,
        speed: impl Fn(EntityId, EntityId) -> f64,
        margin: impl Fn((usize, usize)) -> f64,
    ) -> Result<Option<Soonest>> {
        self.check_owns(ws)?;
        let mut candidates = std::mem::take(&mut ws.candidates);
        candidates.clear();
        let mut selected = std::mem::take(&mut ws.selected);
        let listed = self.select_parts(robots, ws, &mut selected);
        if listed.is_ok() {
            self.list_candidates(&selected, ws, &speed, &mut candidates);
        }
        ws.selected = selected;
        candidates.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank));

        let mut best: Option<Soonest> = None;
        for Candidate { rank, pair } in &candidates {
            if best.is_some_and(|best| *rank >= best.time) {
                break;
            }
            let (a, b) = self.entities(*pair);
            let (speed, margin) = (speed(a, b), margin(*pair));
            // inflated by the rounding of the quotient
            let limit = best.map_or(f64::INFINITY, |best| {
                (best.time * speed + margin) * (1.0 + 4.0 * f64::EPSILON)
            });
            let Some(nearest) = self.nearer_of(*pair, limit, ws) else {
                continue;
            };
            let gap = (nearest.distance - margin).max(0.0);
            let time = gap / speed;
            if best.is_none_or(|best| time < best.time) {
                best = Some(Soonest { time, gap, nearest });
            }
        }
        ws.candidates = candidates;
        listed.map(|()| best)
    }

    /// Marks the parts of these robots, attached objects included.
    fn select_parts(
        &self,
        robots: &[RobotId],
        ws: &Workspace,
        selected: &mut Vec<bool>,
    ) -> Result<()> {
        selected.clear();
        selected.resize(self.scene.parts.len(), false);
        for &id in robots {
            selected[self.scene.robots[ws.robot(id)?].parts.clone()].fill(true);
        }
        Ok(())
    }

    /// Lists the pairs with a selected part, each once, ranked by a lower bound on their time from their boxes.
    fn list_candidates(
        &self,
        selected: &[bool],
        ws: &Workspace,
        speed: &impl Fn(EntityId, EntityId) -> f64,
        out: &mut Vec<Candidate>,
    ) {
        let scene = &*self.scene;
        let mut push = |a: usize, b: usize| {
            let (first, second) = self.entities((a, b));
            let speed = speed(first, second);
            if speed > 0.0 {
                let rank = ws.bounds(a).separation(ws.bounds(b)) / speed;
                out.push(Candidate { rank, pair: (a, b) });
            }
        };
        for link in scene.n_still()..scene.parts.len() {
            for other in 0..link {
                let is_asked = selected[link] || selected[other];
                if is_asked && scene.is_enabled(other, link) {
                    push(other, link);
                }
            }
        }
    }
}
