//! Setup of a simulation, from a JSON or TOML file.

use std::path::Path;

use kinworld::math::so3;
use kinworld::robot::JointKind;
use kinworld::sim::{JointStops, Method, Pd, Probe, Quantity, Sensor, Steps, Tolerance};
use kinworld::world::RobotRef;
use kinworld::{Error, Point, Pose, Robot, Vector};
use serde::Deserialize;

use crate::request::{Key, Refusal};
use crate::session;

/// Contents of the file: see the help of `simulate`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Setup {
    pub(super) duration: Option<f64>,
    pub(super) method: Option<String>,
    pub(super) step: Option<f64>,
    pub(super) tolerance: Option<f64>,
    pub(super) period: Option<f64>,
    pub(super) gravity: Option<[f64; 3]>,
    pub(super) base: Option<Base>,
    pub(super) config: Option<Vec<f64>>,
    pub(super) velocity: Option<Vec<f64>>,
    pub(super) torque: Option<Vec<f64>>,
    pub(super) pd: Option<Gains>,
    /// Slip velocity of friction, rad/s or m/s.
    pub(super) friction: Option<f64>,
    pub(super) stops: Option<Damper>,
    pub(super) sensors: Option<Vec<Probed>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Base {
    position: [f64; 3],
    rpy: [f64; 3],
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gains {
    p: Each,
    d: Each,
    position: Vec<f64>,
    velocity: Option<Vec<f64>>,
}

/// One value for all degrees of freedom, or one for each.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Each {
    All(f64),
    One(Vec<f64>),
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Damper {
    stiffness: f64,
    #[serde(default)]
    damping: f64,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Probed {
    quantity: String,
    link: Option<String>,
    point: Option<[f64; 3]>,
    name: Option<String>,
}

impl Setup {
    /// Reads a file: TOML by its suffix, else JSON.
    pub(super) fn read(path: &Path) -> Result<Self, Refusal> {
        let refuse = |why: String| Refusal(format!("{}: {why}", path.display()));
        let text = std::fs::read_to_string(path).map_err(|error| refuse(error.to_string()))?;
        if path.extension().is_some_and(|suffix| suffix == "toml") {
            return toml::from_str(&text)
                .map_err(|error| refuse(error.to_string().trim_end().to_owned()));
        }
        serde_json::from_str(&text).map_err(|error| refuse(error.to_string()))
    }

    /// Integration method and step control.
    pub(super) fn method(&self) -> Result<(Method, Steps), Refusal> {
        let method = match self.method.as_deref() {
            None if self.tolerance.is_some() => Method::Dopri5,
            None => Method::Rk44,
            Some(word) => method(word)?,
        };
        match (self.step, self.tolerance) {
            (Some(_), Some(_)) => Err(Refusal("give a step or a tolerance, not both".to_owned())),
            (Some(step), None) => Ok((method, Steps::Length(step))),
            (None, Some(tolerance)) => Ok((
                method,
                Steps::Adaptive(Tolerance::new(tolerance, tolerance)),
            )),
            (None, None) => Ok((method, Steps::Length(1e-3))),
        }
    }

    /// Pose of the base.
    pub(super) fn base(&self) -> Pose {
        self.base.as_ref().map_or_else(Pose::identity, |base| {
            Pose::from_parts(Vector::from(base.position).into(), so3::from_rpy(base.rpy))
        })
    }

    /// Controller of the joints.
    pub(super) fn pd(&self, robot: RobotRef<'_>) -> Result<Pd, Refusal> {
        let Some(gains) = &self.pd else {
            return Ok(Pd::default());
        };
        let model = robot.model();
        Ok(Pd::default()
            .with_p(gains.p.list(model))
            .with_d(gains.d.list(model))
            .with_position(session::configuration(robot, &gains.position)?)
            .with_velocity(match &gains.velocity {
                Some(velocity) => velocity.clone(),
                None => vec![0.0; model.n_dofs()],
            }))
    }

    pub(super) fn stops(&self) -> Option<JointStops> {
        self.stops
            .map(|Damper { stiffness, damping }| JointStops::new(stiffness, damping))
    }

    /// Sensors; by default all positions and velocities.
    pub(super) fn sensors(&self, robot: RobotRef<'_>) -> Result<Vec<Sensor>, Refusal> {
        let Some(sensors) = &self.sensors else {
            return Ok(vec![
                Sensor::new("q", Probe::Positions),
                Sensor::new("dq", Probe::Velocities),
            ]);
        };
        sensors.iter().map(|probed| probed.sensor(robot)).collect()
    }
}

impl Each {
    /// One gain per degree of freedom; a common gain leaves out the virtual links of bases.
    fn list(&self, model: &Robot) -> Vec<f64> {
        match self {
            Self::One(list) => list.clone(),
            Self::All(gain) => {
                let of = |link| match model.joint_of(link).map(|joint| joint.kind) {
                    None | Some(JointKind::Normal | JointKind::Spin) => *gain,
                    Some(_) => 0.0,
                };
                model.dofs().iter().map(|&link| of(link)).collect()
            }
        }
    }
}

impl Probed {
    fn sensor(&self, robot: RobotRef<'_>) -> Result<Sensor, Refusal> {
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

/// Method of this name.
fn method(word: &str) -> Result<Method, Refusal> {
    match METHODS.iter().find(|(name, _)| *name == word) {
        Some((_, method)) => Ok(*method),
        None => {
            let names = METHODS.iter().map(|(name, _)| *name);
            Err(Error::not_found("method", word, names).into())
        }
    }
}

const METHODS: [(&str, Method); 12] = [
    ("euler", Method::ExplicitEuler),
    ("midpoint", Method::ExplicitMidpoint),
    ("rk33", Method::Rk33),
    ("rk44", Method::Rk44),
    ("rk67", Method::Rk67),
    ("ode23", Method::Ode23),
    ("dopri5", Method::Dopri5),
    ("dop853", Method::Dop853),
    ("semi-implicit-euler", Method::SemiImplicitEuler),
    ("verlet", Method::VelocityVerlet),
    ("trapezoidal", Method::Trapezoidal),
    ("generalized-alpha", Method::GeneralizedAlpha { rho: 0.9 }),
];
