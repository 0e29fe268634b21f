//! Edges by samples and certificates of the intervals between them.
//!
//! At a sample, two bodies whose distance shrinks by at most `v` within an interval around it do not collide there if they are
//! farther apart than that: the samples of the interval need no check (dynamic collision checking: Schwarzer, Saha and
//! Latombe 2005). Samples are checked coarse to fine. Between two of them one distance query tries to certify the interval;
//! the answer stays that of the samples.

use super::speeds::Speeds;
use super::{Edge, coarse_to_fine};
use crate::Result;
use crate::planning::RobotCSpace;
use crate::planning::robot_cspace::Member;
use crate::planning::workspace::Poses;

impl RobotCSpace {
    /// Returns whether an edge is free.
    pub(super) fn is_edge_free_certified(
        &self,
        edge: &Edge<'_>,
        poses: &mut Poses,
    ) -> Result<bool> {
        let steps = edge.steps;
        // certificates are about collisions alone, and about joints that move steadily
        if steps < MIN_STEPS || !self.snapshot.is_steady {
            return self.is_edge_free_sampled(edge, coarse_to_fine(steps), poses);
        }
        let speeds = self.speeds(edge.a, edge.b)?;
        let step = 0.5 * speeds.fastest() / steps as f64;
        let stride = (MAX_LENGTH / step).min(steps as f64) as usize;
        if stride < MIN_STEPS {
            return self.is_edge_free_sampled(edge, coarse_to_fine(steps), poses);
        }
        let stride = 1 << stride.ilog2();
        let is_coarse = |i: &usize| i.is_multiple_of(stride) || *i == steps;
        if !self.is_edge_free_sampled(edge, coarse_to_fine(steps).filter(is_coarse), poses)? {
            return Ok(false);
        }
        let mut retries = RETRY_BUDGET;
        for low in (0..steps).step_by(stride) {
            let interval = (low, (low + stride).min(steps));
            if !self.is_interval_free(edge, interval, &speeds, &mut retries, poses)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns whether the samples between two that are free are free; `retries` more certificates may fail.
    fn is_interval_free(
        &self,
        edge: &Edge<'_>,
        interval: (usize, usize),
        speeds: &Speeds,
        retries: &mut usize,
        poses: &mut Poses,
    ) -> Result<bool> {
        poses.intervals.clear();
        poses.intervals.push(interval);
        while let Some((low, high)) = poses.intervals.pop() {
            if high - low < 2 {
                continue;
            }
            let middle = low + (high - low) / 2;
            if high - low >= MIN_STEPS && *retries > 0 {
                self.set_step(edge, middle, poses)?;
                let half = (middle - low).max(high - middle) - 1;
                if self.is_certified(speeds, half as f64 / edge.steps as f64, poses)? {
                    *retries = (*retries + 1).min(RETRY_BUDGET);
                    continue;
                }
                *retries -= 1;
            }
            if !self.is_edge_free_sampled(edge, [middle], poses)? {
                return Ok(false);
            }
            // the lower half is next
            poses.intervals.extend([(middle, high), (low, middle)]);
        }
        Ok(true)
    }

    /// Returns whether nothing can collide within a part of an edge around the sample where the robots are.
    fn is_certified(&self, speeds: &Speeds, part: f64, poses: &mut Poses) -> Result<bool> {
        for Member { id, .. } in self.members() {
            let motion = |entity| part * speeds.at_most(entity);
            let approach = |a, b| part * speeds.between(a, b);
            let ws = &mut poses.world;
            if (self.snapshot.collider).may_collide_with(*id, ws, motion, approach)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The longest motion of a body within an interval, m: with a larger one it mostly has neighbours.
const MAX_LENGTH: f64 = 0.3;

/// The fewest steps of an interval: a certificate costs more than a sample, so it has to save some.
const MIN_STEPS: usize = 4;

/// How many certificates may fail, more than succeed, until no more are tried.
const RETRY_BUDGET: usize = 6;
