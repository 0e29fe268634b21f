//! Sensors of a setup.

use kinworld::Point;
use kinworld::sim::{Probe, Quantity, Sensor};
use kinworld::world::RobotRef;
use serde::Deserialize;

use crate::request::{Key, Refusal};
use crate::session;

/// Sensor: a quantity of the robot, or of a point of a link.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::simulate) struct Probed {
    quantity: String,
    link: Option<String>,
    point: Option<[f64; 3]>,
    name: Option<String>,
}

impl Probed {
    pub(super) fn sensor(&self, robot: RobotRef<'_>) -> Result<Sensor, Refusal> {
        let whole = match self.quantity.as_str() {
            "positions" => Some(Probe::Positions),
            "velocities" => Some(Probe::Velocities),
            "accelerations" => Some(Probe::Accelerations),
            "force" => Some(Probe::Force),
            "energy" => Some(Probe::Energy),
            _ => None,
        };
        if let Some(probe) = whole {
            return Ok(Sensor::new(
                self.name.as_ref().unwrap_or(&self.quantity),
                probe,
            ));
        }
        let named = |quantity: &&Quantity| quantity.name() == self.quantity;
        let Some(&quantity) = Quantity::ALL.iter().find(named) else {
            let of_points = Quantity::ALL.map(Quantity::name).join(", ");
            return Err(Refusal(format!(
                "no quantity named `{}`; there are: positions, velocities, accelerations, force, energy, {of_points}",
                self.quantity
            )));
        };
        let Some(link) = &self.link else {
            return Err(Refusal(format!(
                "a sensor of {} needs a link",
                self.quantity
            )));
        };
        let found = session::link(robot, &Key::Word(link.clone()))?;
        let name = self
            .name
            .clone()
            .unwrap_or_else(|| format!("{link}_{}", self.quantity));
        let point = Point::from(self.point.unwrap_or_default());
        Ok(Sensor::at(name, found.id(), point, quantity))
    }
}
