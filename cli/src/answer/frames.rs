//! Frames of links and centres of mass: `frame`, `com`.

use kinworld::math::Motion;
use kinworld::{Point, Robot, State, kinematics};
use serde_json::{Value, json};

use crate::json::{number, numbers, rotation};
use crate::request::{DofValues, FrameRequest, Key, Posture, Refusal};
use crate::session::{self, Session};

/// Pose and Jacobian of a frame of a link relative to another link or the world; with `dq`, its velocity.
pub(super) fn frame(session: &Session, request: &FrameRequest) -> Result<Value, Refusal> {
    let (robot, mut state) = session.posed(&request.posture)?;
    let link = session::link(robot, &request.link)?.id();
    let reference = match &request.reference {
        None => None,
        Some(Key::Name(name)) if name == WORLD => None,
        Some(key) => Some(session::link(robot, key)?.id()),
    };
    let model = robot.model();
    let moves = set_velocity(model, &mut state, request.dq.as_ref())?;
    let point = Point::from(request.point);

    let (pose, jacobian, velocity) = match reference {
        None => (
            state.pose(model, link),
            kinematics::jacobian(model, &state, link, &point),
            Motion {
                angular: kinematics::angular_velocity(model, &state, link),
                linear: kinematics::point_velocity(model, &state, link, &point),
            },
        ),
        Some(reference) => (
            kinematics::relative_pose(model, &state, link, reference),
            kinematics::relative_jacobian(model, &state, link, &point, reference),
            kinematics::relative_velocity(model, &state, link, &point, reference),
        ),
    };
    let rows = jacobian.row_iter().map(|row| numbers(row.iter()));
    let mut answer = json!({
        "rotation": rotation(&pose.rotation),
        "translation": numbers(&(pose * point).coords),
        "jacobian": rows.collect::<Value>(),
    });
    if moves {
        answer["velocity"] = numbers(velocity.angular.iter().chain(&velocity.linear));
    }
    Ok(answer)
}

/// Mass, centre of mass and its Jacobian, of a whole robot or of a link; with `dq`, its velocity.
pub(super) fn com(
    session: &Session,
    posture: &Posture,
    dq: Option<&DofValues>,
    link: Option<&Key>,
) -> Result<Value, Refusal> {
    let (robot, mut state) = session.posed(posture)?;
    let link = link.map(|key| session::link(robot, key)).transpose()?;
    let model = robot.model();
    let moves = set_velocity(model, &mut state, dq)?;
    let mut answer = match link {
        None => {
            let jacobian = kinematics::com_jacobian(model, &state);
            let rows = jacobian.row_iter().map(|row| numbers(row.iter()));
            json!({
                "mass": number(kinematics::total_mass(model)),
                "com": numbers(&kinematics::com(model, &state).coords),
                "jacobian": rows.collect::<Value>(),
            })
        }
        Some(link) => {
            let inertia = link.model().inertia();
            let pose = state.pose(model, link.id());
            let jacobian = kinematics::jacobian(model, &state, link.id(), &inertia.com);
            let rows = jacobian.row_iter().map(|row| numbers(row.iter()));
            json!({
                "mass": number(inertia.mass),
                "com": numbers(&(pose * inertia.com).coords),
                "rotation": rotation(&pose.rotation),
                "jacobian": rows.collect::<Value>(),
            })
        }
    };
    if moves {
        answer["velocity"] = match link {
            None => numbers(&kinematics::com_velocity(model, &state)),
            Some(link) => {
                let com = link.model().inertia().com;
                let angular = kinematics::angular_velocity(model, &state, link.id());
                let linear = kinematics::point_velocity(model, &state, link.id(), &com);
                numbers(angular.iter().chain(&linear))
            }
        };
    }
    Ok(answer)
}

/// Sets the velocity, if one is given.
fn set_velocity(robot: &Robot, state: &mut State, dq: Option<&DofValues>) -> Result<bool, Refusal> {
    if let Some(dq) = dq {
        state.set_velocity(robot, &dq.resolve(robot, false)?)?;
    }
    Ok(dq.is_some())
}

/// Name of the reference at rest.
const WORLD: &str = "world";
