//! Setup of a simulation, from a JSON or TOML file.

mod forces;
mod mechanism;
mod over_time;
mod sensors;

use std::path::Path;

use kinworld::math::so3;
use kinworld::sim::{Method, Probe, Sensor, Steps, Tableau, Tolerance};
use kinworld::world::RobotRef;
use kinworld::{Error, Pose, Vector};
use serde::Deserialize;

use self::forces::{Friction, Gains, Load, Stops};
use self::over_time::OverTime;
use self::sensors::Probed;
use crate::request::Refusal;

/// Contents of the file: see the help of `simulate`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Setup {
    pub(super) duration: Option<f64>,
    pub(super) method: Option<String>,
    pub(super) step: Option<f64>,
    pub(super) tolerance: Option<f64>,
    /// Largest number of steps.
    pub(super) step_limit: Option<usize>,
    pub(super) period: Option<f64>,
    pub(super) gravity: Option<[f64; 3]>,
    pub(super) base: Option<Base>,
    pub(super) config: Option<Vec<f64>>,
    pub(super) velocity: Option<Vec<f64>>,
    pub(super) torque: Option<Vec<f64>>,
    pub(super) pd: Option<Gains>,
    /// External wrenches on links.
    pub(super) wrenches: Option<Vec<Load>>,
    /// Joint forces over time.
    pub(super) forces: Option<Vec<OverTime>>,
    /// Without the friction and the limits of joints, except what the two fields below say.
    pub(super) ideal: Option<bool>,
    pub(super) friction: Option<Friction>,
    pub(super) stops: Option<Stops>,
    /// Configuration from which displacements are measured.
    pub(super) reference: Option<Vec<f64>>,
    /// Spectral radius of generalized-alpha at infinite frequency.
    pub(super) rho: Option<f64>,
    /// Bodies in redundant coordinates, with joints as constraints, in place of a tree.
    pub(super) redundant: Option<bool>,
    pub(super) sensors: Option<Vec<Probed>>,
}

#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Base {
    position: [f64; 3],
    rpy: [f64; 3],
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
            None if self.redundant == Some(true) => Method::GeneralizedAlpha { rho: 0.9 },
            None => Method::Rk44,
            Some(word) => method(word)?,
        };
        let method = match (method, self.rho) {
            (method, None) => method,
            (Method::GeneralizedAlpha { .. }, Some(rho)) => Method::GeneralizedAlpha { rho },
            (method, Some(_)) => {
                let problem = "`rho` is for the method generalized-alpha alone, this one is";
                return Err(Refusal(format!("{problem} {}", name(method))));
            }
        };
        let adaptive = |tolerance| Steps::Adaptive(Tolerance::new(tolerance, tolerance));
        let is_adaptive = method.tableau().is_some_and(Tableau::has_estimate);
        match (self.step, self.tolerance) {
            (Some(_), Some(_)) => Err(Refusal("give a step or a tolerance, not both".to_owned())),
            (Some(step), None) => Ok((method, Steps::Length(step))),
            (None, Some(tolerance)) => Ok((method, adaptive(tolerance))),
            (None, None) if is_adaptive => Ok((method, adaptive(TOLERANCE))),
            (None, None) => Ok((method, Steps::Length(STEP))),
        }
    }

    /// Pose of the base.
    pub(super) fn base(&self) -> Pose {
        self.base.as_ref().map_or_else(Pose::identity, |base| {
            Pose::from_parts(Vector::from(base.position).into(), so3::from_rpy(base.rpy))
        })
    }

    /// Sensors; by default all positions and velocities, and the sensors of the robot's file.
    pub(super) fn sensors(&self, robot: RobotRef<'_>) -> Result<Vec<Sensor>, Refusal> {
        let Some(sensors) = &self.sensors else {
            let mut all = vec![
                Sensor::new("q", Probe::Positions),
                Sensor::new("dq", Probe::Velocities),
            ];
            all.extend(robot.model().sensors().iter().cloned().map(Sensor::from));
            return Ok(all);
        };
        sensors.iter().map(|probed| probed.sensor(robot)).collect()
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

/// Name of a method.
pub(super) fn name(method: Method) -> &'static str {
    let is_it = |known: &Method| std::mem::discriminant(known) == std::mem::discriminant(&method);
    let found = METHODS.iter().find(|(_, known)| is_it(known));
    found.map_or("", |(name, _)| name)
}

/// Default length of fixed steps, s.
const STEP: f64 = 1e-3;
/// Default relative and absolute tolerance of adaptive steps.
pub(super) const TOLERANCE: f64 = 1e-6;

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
