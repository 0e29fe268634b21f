//! Degrees of freedom that a driver couples.

use crate::Result;
use crate::kinematics;
use crate::robot::{DriverKind, Robot};

/// Tolerance of a coupling, rad or m: files have about six digits.
const TOLERANCE: f64 = 1e-6;

/// The drivers of a robot that move several degrees of freedom at once.
#[derive(Debug, Clone)]
pub(super) struct Coupling {
    /// Indices of the drivers.
    drivers: Vec<usize>,
}

impl Coupling {
    pub(super) fn new(robot: &Robot) -> Self {
        let is_coupling =
            |kind: &DriverKind| matches!(kind, DriverKind::Affine { links, .. } if links.len() > 1);
        let drivers = robot.drivers().iter().enumerate();
        let drivers = drivers.filter(|(_, driver)| is_coupling(&driver.kind));
        Self {
            drivers: drivers.map(|(i, _)| i).collect(),
        }
    }

    /// Returns whether no driver couples anything.
    pub(super) fn is_empty(&self) -> bool {
        self.drivers.is_empty()
    }

    /// The first driver whose coupling `q` violates.
    pub(super) fn broken(&self, robot: &Robot, q: &[f64]) -> Result<Option<usize>> {
        if self.drivers.is_empty() {
            return Ok(None);
        }
        let mut coupled = q.to_vec();
        let values = kinematics::config_to_drivers(robot, q)?;
        kinematics::config_from_drivers(robot, &values, &mut coupled)?;
        let is_broken = |driver: &&usize| {
            robot.drivers()[**driver].kind.links().iter().any(|&link| {
                let dof = robot.link(link).dof().map(|dof| dof.index());
                dof.is_some_and(|i| (q[i] - coupled[i]).abs() > TOLERANCE * q[i].abs().max(1.0))
            })
        };
        Ok(self.drivers.iter().find(is_broken).copied())
    }

    /// Moves coupled degrees of freedom to where their driver has them, within its limits.
    pub(super) fn restore(&self, robot: &Robot, q: &mut [f64]) -> Result<()> {
        if self.drivers.is_empty() {
            return Ok(());
        }
        let mut values = kinematics::config_to_drivers(robot, q)?;
        for &i in &self.drivers {
            let [low, high] = robot.driver_limits(&robot.drivers()[i]).position;
            values[i] = values[i].min(high).max(low);
        }
        kinematics::config_from_drivers(robot, &values, q)
    }
}
