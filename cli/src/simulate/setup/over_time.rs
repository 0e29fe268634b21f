//! Joint forces over time.

use kinworld::robot::DofId;
use kinworld::world::RobotRef;
use serde::Deserialize;

use crate::request::{Key, Refusal};
use crate::session;

/// Force on a joint over time: a table, linear between its times and constant before and after, and a sine.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::simulate) struct OverTime {
    link: String,
    #[serde(default)]
    times: Vec<f64>,
    #[serde(default)]
    values: Vec<f64>,
    /// N·m or N.
    #[serde(default)]
    amplitude: f64,
    /// Hz.
    #[serde(default)]
    frequency: f64,
    /// rad.
    #[serde(default)]
    phase: f64,
}

impl OverTime {
    /// Degree of freedom that it acts on.
    pub(super) fn dof(&self, robot: RobotRef<'_>) -> Result<DofId, Refusal> {
        let refuse =
            |problem: &str| Err(Refusal(format!("force on link `{}`: {problem}", self.link)));
        let link = session::link(robot, &Key::Word(self.link.clone()))?.id();
        if self.times.len() != self.values.len() {
            return refuse("it needs as many values as times");
        }
        if self.times.windows(2).any(|pair| pair[0] >= pair[1]) {
            return refuse("its times must rise");
        }
        match robot.model().link(link).dof() {
            Some(dof) => Ok(dof),
            None => refuse("the link has no degree of freedom"),
        }
    }

    /// Force at time `t`.
    pub(super) fn at(&self, t: f64) -> f64 {
        let angle = std::f64::consts::TAU * self.frequency * t + self.phase;
        self.table(t) + self.amplitude * angle.sin()
    }

    fn table(&self, t: f64) -> f64 {
        let after = self.times.partition_point(|time| *time <= t);
        match (after.checked_sub(1), after < self.times.len()) {
            (None, false) => 0.0,
            (None, true) => self.values[0],
            (Some(before), false) => self.values[before],
            (Some(before), true) => {
                let [a, b] = [self.times[before], self.times[after]];
                let part = (t - a) / (b - a);
                self.values[before] + part * (self.values[after] - self.values[before])
            }
        }
    }
}
