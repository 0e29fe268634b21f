//! What is free, and how to get from here to there: `free`, `edge`, `clearance`, `plan`.

use std::time::Duration;

use kinworld::EntityId;
use kinworld::planning::{Budget, EdgeQuery, Obstacle, RobotCSpace, Termination, plan_observed};
#[cfg(feature = "oxmpl")]
use kinworld::planning::{plan_with, plan_with_oxmpl};
use serde_json::{Map, Value, json};

use super::Answer;
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Config, PlanRequest, Planner, Refusal, Space};
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
fn missing_of(space: &RobotCSpace) -> Vec<String> {
    missing::names(space.world(), space.missing_geometry())
}

fn names(space: &RobotCSpace, a: EntityId, b: EntityId) -> Result<Value, Refusal> {
    let world = space.world();
    Ok(json!([world.name(a)?, world.name(b)?]))
}

/// A path from one configuration to another, or why there is none.
#[derive(Debug)]
pub(crate) struct Path {
    /// The corners, both ends included.
    pub(crate) corners: Result<Vec<Vec<f64>>, String>,
    links: Vec<String>,
    /// Names of elements without geometry.
    pub(crate) missing: Vec<String>,
}

impl Path {
    /// Plans a path; `watch` gets the number of samples and returns whether to go on.
    pub(crate) fn of(
        session: &Session,
        journey: &PlanRequest,
        watch: impl FnMut(usize) -> bool,
    ) -> Result<Self, Refusal> {
        let mut budget = Budget::default().seed(journey.seed);
        if let Some(most) = journey.max_iterations {
            budget = budget.max_iterations(most);
        }
        if let Some(most) = journey.max_seconds {
            let most = Duration::try_from_secs_f64(most);
            let refused =
                |_| Refusal("the time of a search must be a number of seconds".to_owned());
            budget = budget.max_time(most.map_err(refused)?);
        }
        session.in_space(&journey.space, |robot, space| {
            let from = match &journey.from {
                Some(values) => configured(robot, values)?,
                None => robot.config().to_vec(),
            };
            let to = configured(robot, &journey.to)?;
            let found = match journey.planner {
                Planner::RrtConnect => plan_observed(space, &from, &to, &budget, watch)?,
                #[cfg(feature = "oxmpl")]
                Planner::Oxmpl(planner) => plan_with(space, &budget, watch, |space, left, _| {
                    plan_with_oxmpl(space, &from, &to, planner, left)
                })?,
            };
            let reason = match found.termination {
                Termination::Time => format!(
                    "no path found within {} s, after {} samples",
                    journey.max_seconds.unwrap_or_default(),
                    found.iterations
                ),
                Termination::TooThin => "no path found that is free at a finer resolution, too: something thin is in the way"
                    .to_owned(),
                _ => format!("no path found within {} samples", found.iterations),
            };
            let model = robot.model();
            let name = |&link: &_| model.link(link).name().to_owned();
            Ok(Self {
                corners: found.path.ok_or(reason),
                links: model.dofs().iter().map(name).collect(),
                missing: missing_of(space),
            })
        })
    }
}

impl Answer for Path {
    fn json(&self) -> Value {
        let answer = match &self.corners {
            Ok(corners) => {
                let corners: Vec<Value> = corners.iter().map(numbers).collect();
                json!({ "path": corners })
            }
            Err(reason) => json!({ "path": null, "reason": reason }),
        };
        missing::with(answer, &self.missing)
    }

    /// As CSV: a line per corner, a column per coordinate, under the names of their links.
    fn text(&self) -> String {
        match &self.corners {
            Ok(corners) => {
                let mut text = self.links.join(",") + "\n";
                for q in corners {
                    let cells: Vec<String> = q.iter().map(|x| format!("{x:?}")).collect();
                    text += &(cells.join(",") + "\n");
                }
                text
            }
            Err(_) => String::new(),
        }
    }

    fn reason(&self) -> Option<String> {
        self.corners.as_ref().err().cloned()
    }
}
