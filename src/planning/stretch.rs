//! Stretches of a way that one look proves to be free.
//!
//! At a sample, no two bodies that come nearer to each other by at most `v` on a stretch around it collide there if they are
//! farther apart than that: the samples on it need no look (dynamic collision checking: Schwarzer, Saha and Latombe 2005).
//! The answer stays that of the samples.

use super::RobotCSpace;
use super::edge::coarse_to_fine;
use super::proof::Speeds;
use super::tiers::is_steady;
use crate::Result;

/// The samples of a way that is looked at.
struct Way<'a> {
    a: &'a [f64],
    b: &'a [f64],
    steps: usize,
    speeds: Speeds,
    /// How many more proofs may fail.
    patience: usize,
}

impl RobotCSpace {
    /// Whether the way from `a` to `b`, both of them configurations, is free at so many equal steps.
    pub(super) fn is_free_on(&mut self, a: &[f64], b: &[f64], steps: usize) -> Result<bool> {
        // the proof is about collisions alone, and about joints that go steadily
        if steps < FEWEST || !self.members().iter().all(is_steady) {
            return self.are_steps_clear(a, b, coarse_to_fine(steps), steps);
        }
        let speeds = self.speeds(a, b)?;
        let step = 0.5 * speeds.fastest() / steps as f64;
        let stride = (LONGEST / step).min(steps as f64) as usize;
        if stride < FEWEST {
            return self.are_steps_clear(a, b, coarse_to_fine(steps), steps);
        }
        let stride = 1 << stride.ilog2();
        let is_coarse = |i: &usize| i.is_multiple_of(stride) || *i == steps;
        if !self.are_steps_clear(a, b, coarse_to_fine(steps).filter(is_coarse), steps)? {
            return Ok(false);
        }
        let patience = PATIENCE;
        let mut way = Way {
            a,
            b,
            steps,
            speeds,
            patience,
        };
        for low in (0..steps).step_by(stride) {
            if !self.is_stretch_free(&mut way, low, (low + stride).min(steps))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether these of so many steps of a way are free.
    fn are_steps_clear(
        &mut self,
        a: &[f64],
        b: &[f64],
        which: impl Iterator<Item = usize>,
        steps: usize,
    ) -> Result<bool> {
        for i in which {
            if !self.is_step_clear(a, b, i, steps)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the samples between two that are free are free.
    fn is_stretch_free(&mut self, way: &mut Way<'_>, low: usize, high: usize) -> Result<bool> {
        if high - low < 2 {
            return Ok(true);
        }
        let middle = low + (high - low) / 2;
        if high - low >= FEWEST && way.patience > 0 {
            self.put_step(way.a, way.b, middle, way.steps)?;
            let half = (middle - low).max(high - middle) - 1;
            if !self.may_collide(&way.speeds, half as f64 / way.steps as f64)? {
                way.patience = (way.patience + 1).min(PATIENCE);
                return Ok(true);
            }
            way.patience -= 1;
        }
        Ok(self.is_step_clear(way.a, way.b, middle, way.steps)?
            && self.is_stretch_free(way, low, middle)?
            && self.is_stretch_free(way, middle, high)?)
    }

    /// Whether anything may collide within a part of a way from where the robots are.
    fn may_collide(&mut self, speeds: &Speeds, part: f64) -> Result<bool> {
        for i in 0..self.members().len() {
            let id = self.members()[i].id;
            let (collider, ws) = self.collider();
            let reach = |entity| part * speeds.at_most(entity);
            let nearer = |a, b| part * speeds.between(a, b);
            if collider.may_collide_with(id, ws, reach, nearer)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// How far bodies go on a stretch at most, m: few are free of neighbours in a larger room.
const LONGEST: f64 = 0.3;

/// A proof costs more than a look, so it has to save some.
const FEWEST: usize = 4;

/// How many proofs may fail, more than succeed, until no more are tried.
const PATIENCE: usize = 6;
