//! How near the nearest obstacle is.

use super::workspace::Candidate;
use super::{Workspace, WorldCollider, WorldDistance};
use crate::Result;
use crate::world::{EntityId, RobotId};

/// The pair that can collide first.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Soonest {
    /// Its gap divided by its speed.
    pub(crate) time: f64,
    /// What is left until it collides, m: its distance less its margin.
    pub(crate) gap: f64,
    /// The pair, and its distance.
    pub(crate) nearest: WorldDistance,
}

impl WorldCollider {
    /// The pair that is nearest, among all that are tested and of which one is a link of these robots or something that
    /// they hold, where a workspace has them; `None` where there is no such pair. Margins of the
    /// [filter](super::PairFilter::with_margin) do not make it nearer.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound) for a robot that was not in the world.
    ///
    /// # Panics
    ///
    /// If the workspace belongs to another collider.
    pub fn clearance_with(
        &self,
        robots: &[RobotId],
        ws: &mut Workspace,
    ) -> Result<Option<WorldDistance>> {
        let found = self.soonest(robots, ws, |_, _| 1.0, |_| 0.0)?;
        Ok(found.map(|found| found.nearest))
    }

    /// The pair that can collide first: of which distance less margin, divided by speed, is least. Pairs that stand still
    /// to one another have no speed and are left out.
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
        self.assert_owns(ws);
        let mut candidates = std::mem::take(&mut ws.candidates);
        candidates.clear();
        let mut asked = std::mem::take(&mut ws.asked);
        let listed = self.ask_for(robots, ws, &mut asked);
        if listed.is_ok() {
            self.list_candidates(&asked, ws, &speed, &mut candidates);
        }
        ws.asked = asked;
        candidates.sort_unstable_by(|a, b| a.rank.total_cmp(&b.rank));

        let mut best: Option<Soonest> = None;
        for Candidate { rank, pair } in &candidates {
            if best.is_some_and(|best| *rank >= best.time) {
                break;
            }
            let (a, b) = self.entities(*pair);
            let (speed, margin) = (speed(a, b), margin(*pair));
            // with room for the rounding of the quotient
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

    /// The parts of these robots and what they hold.
    fn ask_for(&self, robots: &[RobotId], ws: &Workspace, asked: &mut Vec<bool>) -> Result<()> {
        asked.clear();
        asked.resize(self.scene.parts.len(), false);
        for &id in robots {
            asked[self.scene.robots[ws.robot(id)?].parts.clone()].fill(true);
        }
        Ok(())
    }

    /// The pairs with one of the parts that are asked for, each once; their boxes say how soon they can meet at the earliest.
    fn list_candidates(
        &self,
        asked: &[bool],
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
                let is_asked = asked[link] || asked[other];
                if is_asked && scene.is_enabled(other, link) {
                    push(other, link);
                }
            }
        }
    }
}
