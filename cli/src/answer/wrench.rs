//! Wrench balances of links: `wrench`.

use kinworld::kinematics::Recording;
use kinworld::math::Wrench;
#[cfg(not(target_family = "wasm"))]
use kinworld::viewer::Plot;
use kinworld::world::RobotRef;
use kinworld::wrench::{self, AppliedWrench, Balance, FrameId, Frames, Site};
use kinworld::{GRAVITY, LinkId, Point, Robot, Vector};
use serde_json::{Map, Value, json};

use super::Answer;
use crate::json::{number, numbers};
use crate::request::{DofValues, ExternalWrench, Key, Refusal, WrenchRequest};
use crate::session::{self, Session};

/// Wrench balance of one link.
pub(crate) fn balance(session: &Session, request: &WrenchRequest) -> Result<Value, Refusal> {
    let dynamics = &request.dynamics;
    let (robot, mut state) = session.posed(&dynamics.posture)?;
    let model = robot.model();
    let values = |given: &Option<DofValues>| match given {
        Some(given) => given.resolve(model, false),
        None => Ok(vec![0.0; model.n_dofs()]),
    };
    state.set_velocity(model, &values(&dynamics.dq)?)?;
    let frames = Frames::new(model, &state, &values(&dynamics.ddq)?)?;

    let link = session::link(robot, &request.link)?.id();
    let observer = observer(robot, request.observer.as_ref())?;
    let gravity = dynamics.gravity.map_or(GRAVITY, Vector::from);
    let external = external_wrenches(robot, &request.external)?;
    let balance = wrench::balance(&frames, link, &observer, &gravity, &external)?;
    Ok(fields(&balance).into())
}

/// External wrenches on links, in the axes of the world.
fn external_wrenches(
    robot: RobotRef<'_>,
    wrenches: &[ExternalWrench],
) -> Result<Vec<(LinkId, AppliedWrench)>, Refusal> {
    let located = |external: &ExternalWrench| {
        let link = session::link(robot, &external.link)?.id();
        let at = Site::on_link(link, Point::from(external.point));
        let wrench = Wrench::from(external.wrench);
        let wrench = AppliedWrench::new(wrench, at, Site::WORLD.frame);
        Ok((link, wrench))
    };
    wrenches.iter().map(located).collect()
}

/// Wrench balances of links at each instant of a motion.
#[derive(Debug)]
pub(crate) struct Balances<'a> {
    robot: &'a Robot,
    observer: String,
    instants: Vec<(f64, Vec<Balance>)>,
    /// Forces of the parents through the joints, at the origins of the links, in the world, for each instant.
    pub(crate) forces: Vec<Vec<(Point, Vector)>>,
}

impl<'a> Balances<'a> {
    /// Balances of one link, or of all.
    pub(crate) fn of(
        robot: RobotRef<'a>,
        motion: &Recording,
        observed: (Option<&Key>, Option<&Key>),
        gravity: Option<[f64; 3]>,
        external: &[ExternalWrench],
    ) -> Result<Self, Refusal> {
        let model = robot.model();
        let (observer_key, link) = observed;
        let observer = observer(robot, observer_key)?;
        let link = link.map(|key| session::link(robot, key)).transpose()?;
        let gravity = gravity.map_or(GRAVITY, Vector::from);
        let external = external_wrenches(robot, external)?;
        let mut forces = Vec::new();
        let instants = motion.instants().map(|instant| {
            let frames = Frames::new(model, &instant.state(model)?, instant.ddq)?;
            let mut balances = wrench::chain(&frames, &observer, &gravity, &external)?;
            if let Some(link) = &link {
                balances = vec![balances[link.id().index()]];
            }
            let force = |balance: &Balance| {
                let origin = Site::on_link(balance.link, Point::origin());
                let joint = balance.joint.expressed(Site::WORLD.frame, &frames)?;
                Ok((frames.position(&origin)?, joint.wrench.force))
            };
            let all: kinworld::Result<Vec<_>> = balances.iter().map(force).collect();
            forces.push(all?);
            Ok((instant.time, balances))
        });
        Ok(Self {
            robot: model,
            observer: match observer.frame {
                FrameId::Link(link) => model.link(link).name().to_owned(),
                _ => WORLD.to_owned(),
            },
            instants: instants.collect::<kinworld::Result<_>>()?,
            forces,
        })
    }

    /// A line per instant and link: the time, the link, and nine wrenches of six numbers each.
    pub(crate) fn csv(&self) -> String {
        let mut text = "time,link".to_owned();
        for key in KEYS {
            for component in ["mx", "my", "mz", "fx", "fy", "fz"] {
                text += &format!(",{key}_{component}");
            }
        }
        text.push('\n');
        for (time, balance) in self.rows() {
            text += &format!("{time},{}", quoted(self.robot.link(balance.link).name()));
            for (_, wrench) in balance.rows() {
                for x in <[f64; 6]>::from(wrench.wrench) {
                    text += &format!(",{x}");
                }
            }
            text.push('\n');
        }
        text
    }

    /// Curves of the wrenches of joints, two plots per link; of a single link, of all wrenches.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn plots(&self) -> Vec<Plot> {
        let Some((_, first)) = self.instants.first() else {
            return Vec::new();
        };
        let keys = match first.len() {
            1 => &KEYS[..],
            _ => &KEYS[1..2],
        };
        let mut plots = Vec::new();
        for (i, balance) in first.iter().enumerate() {
            let link = self.robot.link(balance.link).name();
            for key in keys {
                let k = KEYS
                    .iter()
                    .position(|known| known == key)
                    .unwrap_or_default();
                let component = |at: usize| -> Vec<f64> {
                    let instants = self.instants.iter();
                    let row = instants.map(|(_, balances)| balances[i].rows()[k]);
                    row.map(|(_, w)| <[f64; 6]>::from(w.wrench)[at]).collect()
                };
                for (what, unit, start) in [("moment", "N m", 0), ("force", "N", 3)] {
                    let mut plot = Plot::new(format!("{link}: {key} {what}"), unit);
                    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
                        plot = plot.with_curve(name, component(start + axis));
                    }
                    plots.push(plot);
                }
            }
        }
        plots
    }

    fn rows(&self) -> impl Iterator<Item = (f64, &Balance)> {
        let instants = self.instants.iter();
        instants.flat_map(|(time, balances)| balances.iter().map(|balance| (*time, balance)))
    }
}

impl Answer for Balances<'_> {
    fn json(&self) -> Value {
        let wrenches = self.rows().map(|(time, balance)| {
            let mut entry = Map::new();
            entry.insert("time".to_owned(), number(time));
            let link = self.robot.link(balance.link).name();
            entry.insert("link".to_owned(), link.into());
            entry.extend(fields(balance));
            Value::Object(entry)
        });
        json!({ "observer": self.observer, "wrenches": wrenches.collect::<Value>() })
    }

    fn text(&self) -> String {
        let table = |(time, balances): &(f64, Vec<Balance>)| {
            format!("after {time} s\n\n{}", wrench::table(self.robot, balances))
        };
        self.instants
            .iter()
            .map(table)
            .collect::<Vec<_>>()
            .join("\n")
    }
}

/// Nine wrenches by name, moment first.
fn fields(balance: &Balance) -> Map<String, Value> {
    let wrenches = balance
        .rows()
        .map(|(_, wrench)| numbers(&<[f64; 6]>::from(wrench.wrench)));
    KEYS.map(str::to_owned).into_iter().zip(wrenches).collect()
}

/// The world, or a link at its origin.
fn observer(robot: RobotRef<'_>, key: Option<&Key>) -> Result<Site, Refusal> {
    match key {
        None => Ok(Site::WORLD),
        Some(Key::Name(name) | Key::Word(name)) if name == WORLD => Ok(Site::WORLD),
        Some(key) => Ok(Site::link(session::link(robot, key)?.id())),
    }
}

/// A cell of a CSV table.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

/// The wrenches in the order of [`Balance::rows`].
const KEYS: [&str; 9] = [
    "dynamic",
    "joint",
    "gravity",
    "tip",
    "external",
    "dalembert",
    "euler",
    "centrifugal",
    "coriolis",
];

/// Name of the observer at rest.
const WORLD: &str = "world";
