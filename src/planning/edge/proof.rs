//! Proofs about all of an edge, without samples: conservative advancement.
//!
//! Two links whose gap is `d` and whose [speeds](super::speeds) add to `v` cannot meet within `d / v` of the edge. The pair for
//! which that is least says how far to go on (Mirtich and Canny 1995; Zhang, Lee and Kim 2006). The gap of a pair is its
//! distance less its margin.

use super::EdgeCollision;
use crate::planning::robot_cspace::ROUNDING;
use crate::planning::{CSpace, RobotCSpace, Workspace, configuration};
use crate::world::WorldDistance;
use crate::{Error, Result};

/// Outcome of a proof about all configurations of an edge, not of samples on it.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Proof {
    /// Nothing on the edge collides.
    Free,
    /// The edge meets an obstacle.
    Collision(EdgeCollision),
    /// The edge passes so near to an obstacle that the proof ends.
    Near {
        /// Position on the edge, from 0 to 1; up to here it is free.
        t: f64,
        /// The pair, and its distance; a [margin](crate::world::PairFilter::with_margin) of the pair is not taken off.
        nearest: WorldDistance,
    },
}

/// The most steps of a proof: as many as gaps never below the least allow.
const MAX_STEPS: f64 = 1e7;

impl RobotCSpace {
    /// Proves that the whole edge from `a` to `b` is free, without any resolution, or says where the proof ends.
    ///
    /// `least_gap` (m) is the distance, less the pair's margin, below which the proof gives up: the smaller, the more steps along obstacles.
    ///
    /// # Errors
    ///
    /// As [`obstacle`](Self::obstacle), for a `least_gap` that is not positive and finite, and for an edge that is too long
    /// for it.
    pub fn prove_edge(&self, a: &[f64], b: &[f64], least_gap: f64) -> Result<Proof> {
        self.with_workspace(|ws| self.prove_edge_with(a, b, least_gap, ws))
    }

    /// [`prove_edge`](Self::prove_edge) in a workspace of the caller.
    ///
    /// # Errors
    ///
    /// As [`prove_edge`](Self::prove_edge).
    pub fn prove_edge_with(
        &self,
        a: &[f64],
        b: &[f64],
        least_gap: f64,
        ws: &mut Workspace,
    ) -> Result<Proof> {
        if !(least_gap > 0.0 && least_gap.is_finite()) {
            let problem = format!("{least_gap} is not a positive length");
            return Err(Error::invalid("the least gap of a proof", problem));
        }
        for (t, q) in [(0.0, a), (1.0, b)] {
            if let Some(obstacle) = self.obstacle_with(q, ws)? {
                return Ok(Proof::Collision(EdgeCollision { t, obstacle }));
            }
        }
        let speeds = self.speeds(a, b)?;
        let fastest = 2.0 * speeds.fastest();
        if fastest / least_gap > MAX_STEPS {
            let problem = format!("is too long for a least gap of {least_gap} m");
            return Err(Error::invalid(
                "the edge between two configurations",
                problem,
            ));
        }
        let ids = self.ids();
        let (world, q) = (&mut ws.poses.world, &mut ws.poses.between);
        let mut t = 0.0;
        while t < 1.0 {
            self.between_into(a, b, t, q)?;
            if let Some(obstacle) = configuration::obstacle(self, q, ROUNDING, world)? {
                return Ok(Proof::Collision(EdgeCollision { t, obstacle }));
            }
            let speed = |a, b| speeds.between(a, b);
            let soonest = self.snapshot.collider.soonest_with(&ids, world, speed)?;
            let Some(soonest) = soonest else {
                break;
            };
            if soonest.gap <= least_gap {
                let nearest = soonest.nearest;
                return Ok(Proof::Near { t, nearest });
            }
            t += soonest.time;
        }
        Ok(Proof::Free)
    }
}
