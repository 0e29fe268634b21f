//! Conversion between values of drivers and of degrees of freedom; see the table in the module `kinematics`.

use super::state::{check, check_values};
use crate::Result;
use crate::robot::{Driver, DriverKind, LinkId, Robot};

/// The value of each driver in a configuration.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) or, for a number that is not finite,
/// [`Error::Invalid`](crate::Error::Invalid).
#[doc(alias = "configToDrivers")]
pub fn config_to_drivers(robot: &Robot, q: &[f64]) -> Result<Vec<f64>> {
    check("configuration", robot, q)?;
    let drivers = robot.drivers().iter();
    Ok(drivers
        .map(|d| value(robot, d, q, Quantity::Value))
        .collect())
}

/// The velocity of each driver.
///
/// # Errors
///
/// As [`config_to_drivers`].
#[doc(alias = "velocityToDrivers")]
pub fn velocity_to_drivers(robot: &Robot, dq: &[f64]) -> Result<Vec<f64>> {
    check("velocity", robot, dq)?;
    let drivers = robot.drivers().iter();
    Ok(drivers
        .map(|d| value(robot, d, dq, Quantity::Rate))
        .collect())
}

/// Sets the degrees of freedom in `q` that have a driver from the drivers' values `u`; the others stay.
///
/// # Errors
///
/// As [`config_to_drivers`]; then `q` is as it was.
#[doc(alias = "configFromDrivers")]
pub fn config_from_drivers(robot: &Robot, u: &[f64], q: &mut [f64]) -> Result<()> {
    check_values("driver values", robot.drivers().len(), u)?;
    check("configuration", robot, q)?;
    apply(robot, u, q, Quantity::Value);
    Ok(())
}

/// Sets the velocities in `dq` of the degrees of freedom that have a driver from the drivers' velocities `du`.
///
/// # Errors
///
/// As [`config_to_drivers`]; then `dq` is as it was.
#[doc(alias = "velocityFromDrivers")]
pub fn velocity_from_drivers(robot: &Robot, du: &[f64], dq: &mut [f64]) -> Result<()> {
    check_values("driver velocities", robot.drivers().len(), du)?;
    check("velocity", robot, dq)?;
    apply(robot, du, dq, Quantity::Rate);
    Ok(())
}

/// The quantity to convert: offsets apply to values alone.
#[derive(Clone, Copy, PartialEq)]
enum Quantity {
    Value,
    Rate,
}

fn value(robot: &Robot, driver: &Driver, q: &[f64], quantity: Quantity) -> f64 {
    let at = |link: LinkId| robot.link(link).dof().map_or(0.0, |dof| q[dof.index()]);
    match &driver.kind {
        DriverKind::Normal { link }
        | DriverKind::Translation { link, .. }
        | DriverKind::Rotation { link, .. } => at(*link),
        DriverKind::Affine {
            links,
            scale,
            offset,
        } => {
            let (mut sum, mut n) = (0.0, 0.0);
            for (&link, (&scale, &offset)) in links.iter().zip(scale.iter().zip(offset)) {
                if scale != 0.0 {
                    let offset = if quantity == Quantity::Value {
                        offset
                    } else {
                        0.0
                    };
                    sum += (at(link) - offset) / scale;
                    n += 1.0;
                }
            }
            if n > 0.0 { sum / n } else { 0.0 }
        }
    }
}

fn apply(robot: &Robot, u: &[f64], q: &mut [f64], quantity: Quantity) {
    let mut set = |link: LinkId, value: f64| {
        if let Some(dof) = robot.link(link).dof() {
            q[dof.index()] = value;
        }
    };
    for (driver, &u) in robot.drivers().iter().zip(u) {
        match &driver.kind {
            DriverKind::Normal { link }
            | DriverKind::Translation { link, .. }
            | DriverKind::Rotation { link, .. } => set(*link, u),
            DriverKind::Affine {
                links,
                scale,
                offset,
            } => {
                for (&link, (&scale, &offset)) in links.iter().zip(scale.iter().zip(offset)) {
                    let offset = if quantity == Quantity::Value {
                        offset
                    } else {
                        0.0
                    };
                    set(link, scale * u + offset);
                }
            }
        }
    }
}
