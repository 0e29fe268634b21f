//! What is free: `free`, `edge`, `clearance`.

use kinworld::EntityId;
use kinworld::planning::{EdgeQuery, Obstacle, RobotCSpace};
use serde_json::{Map, Value, json};

use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Config, Refusal, Space};
use crate::session::{Session, configured};

/// Whether a configuration is free, and if not, why.
pub(super) fn free(session: &Session, place: &Space, q: &Config) -> Result<Value, Refusal> {
    session.in_space(place, |robot, space| {
        let obstacle = space.obstacle(&configured(robot, q)?)?;
        Ok(verdict(space, obstacle).into())
    })
}

/// Whether the straight way between two configurations is free, and if not, what it meets first and where.
pub(super) fn edge(
    session: &Session,
    place: &Space,
    from: &Config,
    to: &Config,
    resolution: Option<f64>,
) -> Result<Value, Refusal> {
    session.in_space(place, |robot, space| {
        let (from, to) = (configured(robot, from)?, configured(robot, to)?);
        let contact = match resolution {
            None => space.edge_collision(&from, &to, EdgeQuery::First)?,
            Some(resolution) => {
                let finer = space.clone().with_resolution(resolution)?;
                finer.edge_collision(&from, &to, EdgeQuery::First)?
            }
        };
        let mut answer = verdict(space, contact.map(|contact| contact.obstacle));
        if let Some(contact) = contact {
            answer.insert("t".to_owned(), number(contact.t));
        }
        if let Some((a, b)) = contact.and_then(|contact| contact.obstacle.pair()) {
            answer.insert("pair".to_owned(), names(space, a, b)?);
        }
        Ok(answer.into())
    })
}

/// How far the nearest pair is apart, and how that changes with each coordinate; null where nothing can collide.
pub(super) fn clearance(session: &Session, place: &Space, q: &Config) -> Result<Value, Refusal> {
    session.in_space(place, |robot, space| {
        let q = configured(robot, q)?;
        let Some(found) = space.clearance(&q)? else {
            let none = json!({
                "distance": null, "pair": null, "on_a": null, "on_b": null, "gradient": null,
            });
            return Ok(missing::with(none, &missing_of(space)));
        };
        let nearest = found.nearest;
        let answer = json!({
            "distance": number(nearest.distance),
            "pair": names(space, nearest.a, nearest.b)?,
            "on_a": nearest.on_a.map(|p| numbers(&p.coords)),
            "on_b": nearest.on_b.map(|p| numbers(&p.coords)),
            "gradient": numbers(&found.gradient),
        });
        Ok(missing::with(answer, &missing_of(space)))
    })
}

/// `free`, and a reason where it is not.
fn verdict(space: &RobotCSpace, obstacle: Option<Obstacle>) -> Map<String, Value> {
    let mut answer = Map::new();
    answer.insert("free".to_owned(), obstacle.is_none().into());
    if let Some(obstacle) = obstacle {
        let reason = obstacle.display(space.world()).to_string();
        answer.insert("reason".to_owned(), reason.into());
    }
    missing::add(&mut answer, &missing_of(space));
    answer
}

/// Names of elements without geometry.
pub(super) fn missing_of(space: &RobotCSpace) -> Vec<String> {
    missing::names(space.world(), space.missing_geometry())
}

fn names(space: &RobotCSpace, a: EntityId, b: EntityId) -> Result<Value, Refusal> {
    let world = space.world();
    Ok(json!([world.name(a)?, world.name(b)?]))
}
