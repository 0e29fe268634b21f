//! Between two configurations: `interpolate`, `config_distance`.

use kinworld::kinematics;
use serde_json::{Value, json};

use crate::json::{number, numbers};
use crate::request::{Key, Refusal};
use crate::session::{Session, configuration};

/// The configuration at `u` on the way from `a` to `b`.
pub(crate) fn interpolate(
    session: &Session,
    robot: Option<&Key>,
    a: &[f64],
    b: &[f64],
    u: f64,
) -> Result<Value, Refusal> {
    let robot = session.robot(robot)?;
    let (a, b) = (configuration(robot, a)?, configuration(robot, b)?);
    let q = kinematics::interpolate(robot.model(), &a, &b, u)?;
    Ok(json!({ "q": numbers(&q) }))
}

/// How far two configurations are apart.
pub(crate) fn distance(
    session: &Session,
    robot: Option<&Key>,
    a: &[f64],
    b: &[f64],
) -> Result<Value, Refusal> {
    let robot = session.robot(robot)?;
    let (a, b) = (configuration(robot, a)?, configuration(robot, b)?);
    let distance = kinematics::distance(robot.model(), &a, &b)?;
    Ok(json!({ "distance": number(distance) }))
}
