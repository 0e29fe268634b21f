//! Checks of configurations against joint limits.

use std::f64::consts::TAU;

use super::joint_blocks::{Block, blocks};
use super::state::check;
use crate::Result;
use crate::robot::{DofId, Limits, Robot};

/// Returns whether every degree of freedom is within its limits, bounds included.
///
/// Spin joints and the yaw of planar joints count as within if adding full turns brings them within. False for numbers that
/// are not finite and for another number of them; [`first_beyond_limits`] says what is wrong.
#[doc(alias = "inJointLimits")]
#[must_use]
pub fn in_limits(robot: &Robot, q: &[f64]) -> bool {
    matches!(first_beyond_limits(robot, q, 0.0), Ok(None))
}

/// The first degree of freedom that is further than `tolerance` (rad or m) beyond its limits, as [`in_limits`] judges.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
/// [`Error::Invalid`](crate::Error::Invalid).
pub fn first_beyond_limits(robot: &Robot, q: &[f64], tolerance: f64) -> Result<Option<DofId>> {
    check("configuration", robot, q)?;
    Ok(beyond(robot, q, tolerance).next().map(DofId::new))
}

/// All degrees of freedom that are further than `tolerance` (rad or m) beyond their limits, as [`in_limits`] judges.
///
/// # Errors
///
/// As [`in_limits`].
pub fn beyond_limits(robot: &Robot, q: &[f64], tolerance: f64) -> Result<Vec<DofId>> {
    check("configuration", robot, q)?;
    Ok(beyond(robot, q, tolerance).map(DofId::new).collect())
}

fn beyond<'a>(robot: &'a Robot, q: &'a [f64], tolerance: f64) -> impl Iterator<Item = usize> + 'a {
    let is_beyond = move |i: usize, q: f64| {
        let Limits { q_min, q_max, .. } = robot.limits()[i];
        !(q_min - tolerance <= q && q <= q_max + tolerance)
    };
    let found = blocks(robot).flat_map(move |block| match block {
        Block::Weld(i) | Block::Linear(i) => [Some((i, q[i])), None, None],
        Block::Angle(i) => [
            Some((i, wrapped_inside(&robot.limits()[i], q[i]))),
            None,
            None,
        ],
        Block::Rotation(angles) => angles.map(|i| Some((i, q[i]))),
    });
    let found = found.flatten();
    found.filter_map(move |(i, q)| is_beyond(i, q).then_some(i))
}

/// Returns whether every degree of freedom is an independent number: no weld, no periodic angle, no rotation of
/// three.
pub(crate) fn is_plain(robot: &Robot) -> bool {
    let mut n_blocks = 0;
    let all = blocks(robot).all(|block| {
        n_blocks += 1;
        matches!(block, Block::Linear(_))
    });
    all && n_blocks == robot.n_dofs()
}

/// The nearest configuration within the limits, component by component.
///
/// Spin joints and the yaw of planar joints are shifted by full turns where that brings them within. Where the
/// minimum is above the maximum the result is the minimum.
///
/// # Errors
///
/// As [`first_beyond_limits`].
pub fn clamp_to_limits(robot: &Robot, q: &[f64]) -> Result<Vec<f64>> {
    check("configuration", robot, q)?;
    let mut out = q.to_vec();
    for block in blocks(robot) {
        if let Block::Angle(i) = block {
            out[i] = wrapped_inside(&robot.limits()[i], q[i]);
        }
    }
    for (q, limits) in out.iter_mut().zip(robot.limits()) {
        *q = q.min(limits.q_max).max(limits.q_min);
    }
    Ok(out)
}

/// The angle shifted by full turns to within the limits; unchanged where no shift does it.
fn wrapped_inside(limits: &Limits, q: f64) -> f64 {
    if within(limits, q) {
        return q;
    }
    let wrapped = if limits.q_min.is_finite() {
        limits.q_min + (q - limits.q_min).rem_euclid(TAU)
    } else {
        limits.q_max - (limits.q_max - q).rem_euclid(TAU)
    };
    if within(limits, wrapped) { wrapped } else { q }
}

/// Returns whether a position is within its limits, bounds included.
#[inline]
pub(super) fn within(limits: &Limits, q: f64) -> bool {
    limits.q_min <= q && q <= limits.q_max
}
