//! Detection of dofs without an acceleration of their own.

use crate::robot::Robot;
use crate::{Error, Result};

/// Rejects dofs without inertia. Each item is the inertia of a dof with the joints beyond it free, and with them locked.
pub(super) fn check_resistance(
    robot: &Robot,
    mut inertias: impl DoubleEndedIterator<Item = (f64, f64)> + ExactSizeIterator,
) -> Result<()> {
    // a singular dof makes those of its ancestors singular too: the last one is the cause
    let Some(i) = inertias.rposition(|(free, locked)| !resists(free, locked)) else {
        return Ok(());
    };
    let link = robot.link(robot.dofs()[i]);
    Err(no_acceleration(format!("link `{}`", link.name())))
}

/// Returns whether a dof has inertia: `free` with the joints beyond it free, `locked` with them locked.
///
/// The former is a difference of the latter, and counts as zero where it is only rounding.
#[inline(always)]
pub(crate) fn resists(free: f64, locked: f64) -> bool {
    (free < f64::INFINITY) & (free > ROUNDING * locked)
}

/// Error for a dof without inertia, at `what`.
pub(crate) fn no_acceleration(what: String) -> Error {
    let problem = "its dof has no inertia here, so that its acceleration is undefined; the link and its descendants \
                   need a mass, an axis, and a direction of motion that no other dof has";
    Error::invalid(what, problem)
}

/// The inertia of a thin rod about its axis is 10⁶ to 10⁹ times smaller than across; rounding is below this value for a
/// hundred links.
const ROUNDING: f64 = 1e-13;
