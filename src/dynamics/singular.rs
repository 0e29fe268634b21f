//! Coordinates without an acceleration of their own.

use crate::robot::Robot;
use crate::{Error, Result};

/// Refuses coordinates that nothing resists: pairs of the inertia that each moves when all beyond it is free to give
/// way, and when it is stiff.
pub(super) fn check_resistance(
    robot: &Robot,
    mut inertias: impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator,
) -> Result<()> {
    // what is wrong at a link spoils all that carry it: the last is the culprit
    let Some(i) = inertias.rposition(|(free, stiff)| !resists(free, stiff)) else {
        return Ok(());
    };
    let link = robot.link(robot.dofs()[i]);
    Err(no_acceleration(format!("link `{}`", link.name())))
}

/// Whether what a coordinate moves is an inertia: with all beyond it free to give way, and with all of it stiff.
///
/// The former is what remains when much is taken from the latter: a remainder of rounding is not an inertia.
#[inline(always)]
pub(crate) fn resists(free: f64, stiff: f64) -> bool {
    (free < f64::INFINITY) & (free > ROUNDING * stiff)
}

/// The error of a coordinate, at `what`, that nothing resists.
pub(crate) fn no_acceleration(what: String) -> Error {
    let problem = "no mass resists its coordinate here, so that it has no acceleration; it and what it carries need a \
                   mass, an axis, and a direction that no other coordinate has";
    Error::invalid(what, problem)
}

/// A thin rod resists a turn about itself 10⁶ to 10⁹ times less than across; rounding is below this for a hundred links.
const ROUNDING: f64 = 1e-13;
