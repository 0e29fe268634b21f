//! Coordinates without an acceleration of their own.

use crate::robot::Robot;
use crate::{Error, Result};

/// Refuses coordinates that nothing resists: pairs of the inertia that each moves when all beyond it is free to give
/// way, and when it is stiff.
///
/// The former is what remains when much is taken from the latter: a remainder of rounding is not an inertia.
pub(super) fn check_resistance(
    robot: &Robot,
    mut inertias: impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator,
) -> Result<()> {
    let resists = |(free, stiff): (f64, f64)| free.is_finite() && free > ROUNDING * stiff;

    // what is wrong at a link spoils all that carry it: the last is the culprit
    let Some(i) = inertias.rposition(|inertia| !resists(inertia)) else {
        return Ok(());
    };
    let link = robot.link(robot.dofs()[i]);
    Err(Error::invalid(
        format!("link `{}`", link.name()),
        "no mass resists its coordinate here, so that it has no acceleration; it and what it carries need a mass, an \
         axis, and a direction that no other coordinate has",
    ))
}

/// A thin rod resists a turn about itself 10⁶ to 10⁹ times less than across; rounding is below this for a hundred links.
const ROUNDING: f64 = 1e-13;
