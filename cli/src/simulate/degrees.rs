//! Tables with angles in degrees.

use kinworld::Robot;
use kinworld::sim::{Mechanism, Probe, Quantity, Sensor, Table};

use crate::config::unit;

/// The table with angles in degrees, and their unit in the names of their columns.
pub(super) fn shown(
    mut table: Table,
    sensors: &[Sensor],
    robot: &Robot,
    mechanism: &impl Mechanism,
) -> Table {
    // after the time
    let mut column = 1;
    let dofs = mechanism.dof_names();
    for sensor in sensors {
        let names = sensor.columns(mechanism);
        if let Some(unit) = unit_of(&sensor.probe) {
            for (i, name) in names.iter().enumerate() {
                let is_point = matches!(sensor.probe, Probe::Frame { .. });
                if is_point || dofs.get(i).is_some_and(|dof| is_angle(robot, dof)) {
                    let name = format!("{name} [{unit}]");
                    table = table.with_unit(column + i, name, 1_f64.to_degrees());
                }
            }
        }
        column += names.len();
    }
    table
}

/// Unit of the angles that a probe measures.
fn unit_of(probe: &Probe) -> Option<&'static str> {
    match probe {
        Probe::Positions => Some("deg"),
        Probe::Velocities => Some("deg/s"),
        Probe::Accelerations => Some("deg/s^2"),
        Probe::Frame { quantity, .. } => match quantity {
            Quantity::Rotation => Some("deg"),
            Quantity::AngularVelocity | Quantity::AngularVelocityLocal => Some("deg/s"),
            Quantity::AngularAcceleration | Quantity::AngularAccelerationLocal => Some("deg/s^2"),
            _ => None,
        },
        _ => None,
    }
}

/// Whether a degree of freedom is an angle; those of a joint of several bodies are named after their axes.
fn is_angle(robot: &Robot, dof: &str) -> bool {
    match robot.dof_id(dof) {
        Ok(dof) => unit(robot, dof, true) < 1.0,
        Err(_) => ["_rx", "_ry", "_rz"].iter().any(|end| dof.ends_with(end)),
    }
}
