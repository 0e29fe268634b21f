//! Answers to [`Request`]s: calls of the library, with named results.

mod cartesian;
mod collision;
mod contacts;
mod distance;
mod dynamics;
mod frames;
mod ik;
mod info;
mod listing;
mod metric;
mod motion;
mod path;
mod planning;
#[cfg(not(target_family = "wasm"))]
mod postures;
mod prioritized;
mod road_map;
mod spheres;
mod state;
mod timed;
mod wrench;

pub(crate) use cartesian::Cartesian;
pub(crate) use collision::Collide;
pub(crate) use distance::{Distance, Nearest, Ray};
pub(crate) use dynamics::Dynamics;
pub(crate) use ik::{Ik, rotation as checked_rotation};
pub(crate) use info::Info;
pub(crate) use motion::{Fk, Jacobian};
pub(crate) use path::Path;
#[cfg(not(target_family = "wasm"))]
pub(crate) use postures::Postures;
pub(crate) use prioritized::{Motion, Prioritized};
pub(crate) use spheres::SphereCover;
pub(crate) use state::state;
pub(crate) use timed::Timed;
pub(crate) use wrench::Balances;

use serde_json::{Value, json};

use crate::request::{Refusal, Request};
use crate::session::Session;

/// An answer, for `query` and for the command line.
pub(crate) trait Answer {
    /// Answer of `query`.
    fn json(&self) -> Value;

    /// Tables of the command line.
    fn text(&self) -> String;

    /// Why there is none, for a valid request without an answer: exit code 3.
    fn reason(&self) -> Option<String> {
        None
    }
}

/// Fields of the answer to a request.
pub(crate) fn answer(session: &Session, request: &Request) -> Result<Value, Refusal> {
    let answer = plain(session, request);
    let hints = session.take_hints();
    let mut answer = answer?;
    hints.add_to(&mut answer);
    Ok(answer)
}

/// The same without hints.
fn plain(session: &Session, request: &Request) -> Result<Value, Refusal> {
    Ok(match request {
        Request::Info => Info::of(session, false).json(),
        Request::State => state(session)?,
        Request::Spheres { robot, max } => SphereCover::of(session, robot.as_ref(), *max)?.json(),
        Request::Fk(posture) => Fk::of(session, posture)?.json(),
        Request::Jacobian {
            posture,
            link,
            point,
        } => Jacobian::of(session, posture, Some(link), *point)?.json(),
        Request::Frame(request) => frames::frame(session, request)?,
        Request::Com { posture, dq, link } => {
            frames::com(session, posture, dq.as_ref(), link.as_ref())?
        }
        Request::Ik(target) => Ik::of(session, target)?.json(),
        Request::Reachable(target) => Ik::of(session, target)?.verdict(),
        Request::Dynamics(motion) => Dynamics::of(session, motion)?.json(),
        Request::Interpolate { robot, a, b, u } => {
            metric::interpolate(session, robot.as_ref(), a, b, *u)?
        }
        Request::ConfigDistance { robot, a, b } => metric::distance(session, robot.as_ref(), a, b)?,
        Request::Collide(posture) => Collide::of(session, posture)?.json(),
        Request::Contacts { posture, max } => contacts::contacts(session, posture, *max)?,
        Request::Distance { posture, a, b } => collision::distance(session, posture, a, b)?,
        Request::Nearest { posture, n } => Nearest::of(session, posture, *n)?.json(),
        Request::Free { space, q } => {
            let q = session.values(space.robot.as_ref(), q.as_ref())?;
            planning::free(session, space, &q)?
        }
        Request::Edge {
            space,
            from,
            to,
            resolution,
        } => {
            let from = session.values(space.robot.as_ref(), from.as_ref())?;
            planning::edge(session, space, &from, to, *resolution)?
        }
        Request::Clearance { space, q } => {
            let q = session.values(space.robot.as_ref(), q.as_ref())?;
            planning::clearance(session, space, &q)?
        }
        Request::Plan(query) => Path::of(session, query, |_| true)?.json(),
        Request::PlanPrioritized(query) => Prioritized::of(session, query, |_| true)?.json(),
        Request::Cartesian(query) => Cartesian::of(session, query)?.json(),
        Request::Wrench(request) => wrench::balance(session, request)?,
        Request::Ray {
            posture,
            origin,
            direction,
        } => collision::ray(session, posture, *origin, *direction)?,
    })
}

/// Names the goal that was reached, where there was a choice.
fn name_goal(answer: &mut Value, reached: Option<&(usize, String)>) {
    if let Some((index, name)) = reached {
        answer["goal"] = json!({ "index": index, "name": name });
    }
}

/// Line of an answer: `ok`, then the `id` of the request unchanged, then the fields.
pub(crate) fn json_line(id: Option<&str>, outcome: &Result<Value, Refusal>) -> String {
    let text = outcome.as_ref().map(Value::to_string);
    line(id, &text.map_err(Clone::clone))
}

/// [`json_line`] of an answer as text: an object.
pub(crate) fn line(id: Option<&str>, outcome: &Result<String, Refusal>) -> String {
    let refused;
    let (ok, answer) = match outcome {
        Ok(answer) => (true, answer),
        Err(Refusal(problem)) => {
            refused = json!({ "error": problem }).to_string();
            (false, &refused)
        }
    };
    let id = id.map(|id| format!(",\"id\":{id}")).unwrap_or_default();

    // the answer is an object: its fields follow in the same braces
    let fields = &answer[1..];
    let comma = if fields == "}" { "" } else { "," };
    format!("{{\"ok\":{ok}{id}{comma}{fields}")
}
