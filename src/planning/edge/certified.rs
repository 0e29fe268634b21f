//! Edges by samples and certificates of the intervals between them.
//!
//! At a sample, two bodies whose distance shrinks by at most `v` within an interval around it do not collide there if they are
//! farther apart than that: the samples of the interval need no check (dynamic collision checking: Schwarzer, Saha and
//! Latombe 2005). Samples are checked coarse to fine. Between two of them one distance query tries to certify the interval;
//! the answer stays that of the samples.

use super::speeds::Speeds;
use super::{Edge, coarse_to_fine, sampled};
use crate::Result;
use crate::planning::RobotCSpace;
use crate::planning::robot_cspace::Member;
use crate::planning::workspace::Poses;

/// A step of an edge that is not free.
pub(super) fn blocked_step(
    space: &RobotCSpace,
    edge: &Edge<'_>,
    poses: &mut Poses,
) -> Result<Option<usize>> {
    let steps = edge.steps;
    // certificates are about collisions alone, and about joints that move steadily
    if steps < MIN_STEPS || !space.snapshot.is_steady {
        return sampled::blocked_step(space, edge, coarse_to_fine(steps), poses);
    }
    let speeds = space.speeds(edge.a, edge.b)?;
    let step = speeds.fastest() / steps as f64;
    let stride = (MAX_LENGTH / step).min(steps as f64) as usize;
    if stride < MIN_STEPS {
        return sampled::blocked_step(space, edge, coarse_to_fine(steps), poses);
    }
    let stride = 1 << stride.ilog2();
    let is_coarse = |i: &usize| i.is_multiple_of(stride) || *i == steps;
    let coarse = coarse_to_fine(steps).filter(is_coarse);
    if let Some(step) = sampled::blocked_step(space, edge, coarse, poses)? {
        return Ok(Some(step));
    }

    // intervals between samples that are free, the first on top
    let mut retries = RETRY_BUDGET;
    let lows = (0..steps).step_by(stride).rev();
    poses.intervals.clear();
    poses
        .intervals
        .extend(lows.map(|low| (low, (low + stride).min(steps))));
    while let Some((low, high)) = poses.intervals.pop() {
        if high - low < 2 {
            continue;
        }
        let middle = low + (high - low) / 2;
        if high - low >= MIN_STEPS && retries > 0 {
            space.set_step(edge, middle, poses)?;
            let half = (middle - low).max(high - middle) - 1;
            if certify(space, &speeds, half as f64 / steps as f64, poses)? {
                retries = (retries + 1).min(RETRY_BUDGET);
                continue;
            }
            retries -= 1;
        }
        if let Some(step) = sampled::blocked_step(space, edge, [middle], poses)? {
            return Ok(Some(step));
        }
        poses.intervals.extend([(middle, high), (low, middle)]);
    }
    Ok(None)
}

/// Proves, if it returns `true`, that nothing collides within a part of an edge around the sample where the robots are.
fn certify(space: &RobotCSpace, speeds: &Speeds, part: f64, poses: &mut Poses) -> Result<bool> {
    let collider = &space.snapshot.collider;
    for Member { id, .. } in space.members() {
        let motion = |entity| part * speeds.at_most(entity);
        let approach = |a, b| part * speeds.between(a, b);
        if collider.may_collide_with(*id, &mut poses.world, motion, approach)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The longest motion of a body within an interval, m: with a larger one it mostly has neighbours.
pub(super) const MAX_LENGTH: f64 = 0.3;

/// The fewest steps of an interval: a certificate costs more than a sample, so it has to save some.
const MIN_STEPS: usize = 4;

/// Retry budget: by how many failed certificates may outnumber successful ones until no more are tried.
const RETRY_BUDGET: usize = 6;
