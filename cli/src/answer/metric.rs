//! Metric of the configuration space: `interpolate`, `config_distance`.

use kinworld::kinematics;
use serde_json::{Value, json};

use crate::json::{number, numbers};
use crate::request::{Config, Key, Refusal};
use crate::session::{Session, configured};

/// Configuration at parameter `u` between `a` and `b`.
pub(crate) fn interpolate(
    session: &Session,
    robot: Option<&Key>,
    a: &Config,
    b: &Config,
    u: f64,
) -> Result<Value, Refusal> {
    let robot = session.robot(robot)?;
    let (a, b) = (configured(robot, a)?, configured(robot, b)?);
    let q = kinematics::interpolate(robot.model(), &a, &b, u)?;
    Ok(json!({ "q": numbers(&q) }))
}

/// Distance of two configurations.
pub(crate) fn distance(
    session: &Session,
    robot: Option<&Key>,
    a: &Config,
    b: &Config,
) -> Result<Value, Refusal> {
    let robot = session.robot(robot)?;
    let (a, b) = (configured(robot, a)?, configured(robot, b)?);
    let distance = kinematics::distance(robot.model(), &a, &b)?;
    Ok(json!({ "distance": number(distance) }))
}
