//! From a [`Request`] to its answer: call the library, name the results.

mod collision;
mod dynamics;
mod ik;
mod info;
mod listing;
mod metric;
mod motion;
mod planning;
mod wrench;

pub(crate) use collision::Collide;
pub(crate) use dynamics::{Dynamics, ON_EARTH};
pub(crate) use ik::{Ik, Postures};
pub(crate) use info::Info;
pub(crate) use motion::{Fk, Jacobian};
pub(crate) use planning::Path;
pub(crate) use wrench::Explanation;

use serde_json::{Value, json};

use crate::request::{Refusal, Request};
use crate::session::Session;

/// An answer that the command line shows, too.
pub(crate) trait Answer {
    /// As `query` gives it.
    fn json(&self) -> Value;

    /// As tables.
    fn text(&self) -> String;
}

/// The fields of the answer to any request.
pub(crate) fn answer(session: &Session, request: &Request) -> Result<Value, Refusal> {
    Ok(match request {
        Request::Info => Info::of(session).json(),
        Request::Fk(posture) => Fk::of(session, posture)?.json(),
        Request::Jacobian {
            posture,
            link,
            point,
        } => Jacobian::of(session, posture, Some(link), *point)?.json(),
        Request::Com(posture) => motion::com(session, posture)?,
        Request::Ik(reach) => Ik::of(session, reach)?.json(),
        Request::Dynamics(moved) => Dynamics::of(session, moved)?.json(),
        Request::Interpolate { robot, a, b, u } => {
            metric::interpolate(session, robot.as_ref(), a, b, *u)?
        }
        Request::ConfigDistance { robot, a, b } => metric::distance(session, robot.as_ref(), a, b)?,
        Request::Collide(posture) => Collide::of(session, posture)?.json(),
        Request::Distance { posture, a, b } => collision::distance(session, posture, a, b)?,
        Request::Free { place, q } => planning::free(session, place, q)?,
        Request::Edge {
            place,
            from,
            to,
            resolution,
        } => planning::edge(session, place, from, to, *resolution)?,
        Request::Clearance { place, q } => planning::clearance(session, place, q)?,
        Request::Plan(journey) => Path::of(session, journey, |_| true)?.json(),
        Request::Wrench(question) => wrench::explain(session, question)?,
        Request::Ray { origin, direction } => collision::ray(session, *origin, *direction)?,
    })
}

/// The line that is sent: `ok` first, then the request's `id` as it came, then the answer.
pub(crate) fn json_line(id: Option<&str>, outcome: &Result<Value, Refusal>) -> String {
    let (ok, rest) = match outcome {
        Ok(answer) => (true, answer.to_string()),
        Err(Refusal(problem)) => (false, json!({ "error": problem }).to_string()),
    };
    let id = id.map(|id| format!("\"id\":{id},")).unwrap_or_default();

    // the answer is an object: its fields follow in the same braces
    format!("{{\"ok\":{ok},{id}{}", &rest[1..])
}
