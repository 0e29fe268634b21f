//! Configurations and the limits of coordinates.

use std::f64::consts::TAU;

use super::blocks::{Block, blocks};
use super::state::check;
use crate::Result;
use crate::robot::{DofId, Limits, Robot};

/// Whether every coordinate is within its limits, the bounds themselves included.
///
/// Spin joints and the yaw of planar ones count as within if they are after some whole turns.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
/// [`Error::Invalid`](crate::Error::Invalid).
pub fn in_limits(robot: &Robot, q: &[f64]) -> Result<bool> {
    Ok(first_beyond_limits(robot, q, 0.0)?.is_none())
}

/// The first coordinate that is further than `slack` (rad or m) beyond its limits, as [`in_limits`] judges.
///
/// # Errors
///
/// As [`in_limits`].
pub fn first_beyond_limits(robot: &Robot, q: &[f64], slack: f64) -> Result<Option<DofId>> {
    check("configuration", robot, q)?;
    let is_beyond = |i: usize, q: f64| {
        let Limits { q_min, q_max, .. } = robot.limits()[i];
        !(q_min - slack <= q && q <= q_max + slack)
    };
    let found = blocks(robot).find_map(|block| match block {
        Block::Weld(i) | Block::Linear(i) => is_beyond(i, q[i]).then_some(i),
        Block::Angle(i) => is_beyond(i, turned_inside(&robot.limits()[i], q[i])).then_some(i),
        Block::Rotation(angles) => angles.into_iter().find(|&i| is_beyond(i, q[i])),
    });
    Ok(found.map(DofId::new))
}

/// Whether every coordinate is a number on its own: no weld, no angle that turns freely, no rotation of three.
pub(crate) fn is_plain(robot: &Robot) -> bool {
    let mut alone = 0;
    let all = blocks(robot).all(|block| {
        alone += 1;
        matches!(block, Block::Linear(_))
    });
    all && alone == robot.n_dofs()
}

/// The nearest configuration within the limits, coordinate by coordinate.
///
/// Spin joints and the yaw of planar ones that some whole turns bring inside are turned. Limits that leave nothing
/// (a minimum above its maximum) give the minimum.
///
/// # Errors
///
/// As [`in_limits`].
pub fn clamp_to_limits(robot: &Robot, q: &[f64]) -> Result<Vec<f64>> {
    check("configuration", robot, q)?;
    let mut out = q.to_vec();
    for block in blocks(robot) {
        if let Block::Angle(i) = block {
            out[i] = turned_inside(&robot.limits()[i], q[i]);
        }
    }
    for (q, limits) in out.iter_mut().zip(robot.limits()) {
        *q = q.min(limits.q_max).max(limits.q_min);
    }
    Ok(out)
}

/// An angle, by whole turns to within the limits; unchanged if no number of turns helps.
fn turned_inside(limits: &Limits, q: f64) -> f64 {
    if within(limits, q) {
        return q;
    }
    let turned = if limits.q_min.is_finite() {
        limits.q_min + (q - limits.q_min).rem_euclid(TAU)
    } else {
        limits.q_max - (limits.q_max - q).rem_euclid(TAU)
    };
    if within(limits, turned) { turned } else { q }
}

/// Whether a position is within its limits, the bounds themselves included.
pub(super) fn within(limits: &Limits, q: f64) -> bool {
    limits.q_min <= q && q <= limits.q_max
}
