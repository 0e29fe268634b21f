//! Goals: of `ik`, `reachable` and `plan`.

use serde_json::value::RawValue;

use super::fields::{Fields, fault, is_list_of_values};
use super::parse::{COUNT, POINT, missing};
use crate::request::{Goal, IkRequest, Key, PoseGoal, Posture, PrioritizedRequest, Refusal};

impl Fields<'_> {
    /// Goals of inverse kinematics.
    pub(super) fn target(&self) -> Result<IkRequest, Refusal> {
        let start = match self.raw("q0") {
            Some(_) if self.raw("q").is_some() => {
                return Err(Refusal("`q0` is `q`: give one of them".to_owned()));
            }
            Some(_) => "q0",
            None => "q",
        };
        let restarts = match self.find("starts", "a number from 1 on")? {
            Some(0) => return Err(Refusal("`starts` must be a number from 1 on".to_owned())),
            Some(starts) if starts > MOST_STARTS => {
                return Err(Refusal(format!("`starts` is at most {MOST_STARTS}")));
            }
            starts => starts.map(|starts| starts - 1),
        };
        let goals = match self.raw("to_pose") {
            None => vec![self.pose_goal()?],
            Some(_) => match POSE.iter().find(|name| self.raw(name).is_some()) {
                None => self.pose_goals("to_pose")?,
                Some(name) => {
                    return Err(Refusal(format!(
                        "`{name}` is a field of `to_pose`: give one of them"
                    )));
                }
            },
        };
        Ok(IkRequest {
            start: Posture {
                robot: self.key("robot")?,
                config: self.config(start)?,
                degrees: false,
            },
            group: self.group()?,
            goals,
            seed: self.find("seed", "a whole number from 0 on")?,
            restarts,
            tolerance: self.find("tolerance", "a finite number")?,
            avoid_collisions: self
                .find("avoid_collisions", "true or false")?
                .unwrap_or_default(),
        })
    }

    /// Goals of a path: configurations, then poses.
    pub(super) fn goals(&self) -> Result<Vec<Goal>, Refusal> {
        let mut goals = Vec::new();
        if let Some(raw) = self.raw("to") {
            let config = |raw: &str| {
                let config = Fields::of("to", raw).state("to")?;
                Ok(Goal::Config {
                    config: config.ok_or_else(|| missing("to"))?,
                    label: raw.trim_matches('"').to_owned(),
                })
            };
            if is_list_of_values(raw) {
                goals = self.each("to", config)?;
            } else {
                self.check_range("to")?;
                goals.push(config(raw)?);
            }
        }
        if self.raw("to_pose").is_some() {
            goals.extend(self.pose_goals("to_pose")?.into_iter().map(Goal::Pose));
        }
        if goals.is_empty() {
            let problem = "a goal is missing: `to` or `to_pose`";
            return Err(Refusal(problem.to_owned()));
        }
        Ok(goals)
    }

    /// Goals of several robots.
    pub(super) fn prioritized(&self) -> Result<PrioritizedRequest, Refusal> {
        let raw = self.raw("goals").ok_or_else(|| missing("goals"))?;
        if !raw.starts_with('{') {
            let problem = "`goals` must be an object of robots and configurations";
            return Err(Refusal(problem.to_owned()));
        }
        let (goals, well_formed) = Fields::split(raw);
        well_formed.map_err(|problem| Refusal(format!("`goals`: {problem}")))?;
        let goal = |robot: &str| {
            let config = goals.state(robot);
            let config =
                config.map_err(|Refusal(problem)| Refusal(format!("`goals`: {problem}")))?;
            let config = config.ok_or_else(|| missing(robot))?;
            Ok((Key::Name(robot.to_owned()), config))
        };
        Ok(PrioritizedRequest {
            from: Vec::new(),
            to: goals.names().map(goal).collect::<Result<_, Refusal>>()?,
            swept: self.find("swept", "a number of m")?,
            shape: self.space()?.shape,
            degrees: false,
            seed: self.find("seed", COUNT)?.unwrap_or_default(),
            max_iterations: self.find("max_iterations", COUNT)?,
            max_seconds: self.find("max_seconds", "a number of seconds")?,
            timing: self.timing()?.unwrap_or_default(),
        })
    }

    /// Name of the group of joints that move.
    pub(super) fn group(&self) -> Result<Option<String>, Refusal> {
        self.find("group", "the name of a group, a string")
    }

    /// One goal or several.
    fn pose_goals(&self, name: &str) -> Result<Vec<PoseGoal>, Refusal> {
        let goal = |raw: &str| {
            if !raw.starts_with('{') {
                let problem = "it must be an object with `link` and `position`";
                return Err(Refusal(problem.to_owned()));
            }
            let (fields, well_formed) = Fields::split(raw);
            well_formed.map_err(Refusal)?;
            fields.allow(name, &POSE, &[])?;
            fields.pose_goal()
        };
        let raw = self.raw(name).unwrap_or_default();
        if raw.starts_with('[') {
            let goals = self.each(name, goal)?;
            return match goals.is_empty() {
                true => Err(Refusal(format!("`{name}` is empty"))),
                false => Ok(goals),
            };
        }
        let said = |Refusal(problem)| Refusal(format!("`{name}`: {problem}"));
        Ok(vec![goal(raw).map_err(said)?])
    }

    fn pose_goal(&self) -> Result<PoseGoal, Refusal> {
        Ok(PoseGoal {
            link: self.key("link")?.ok_or_else(|| missing("link"))?,
            point: self.find("point", POINT)?.unwrap_or_default(),
            position: self.need("position", POINT)?,
            rotation: self.rotation()?,
        })
    }

    /// The entries of a list that need not be there.
    pub(super) fn entries<T>(
        &self,
        name: &str,
        entry: impl Fn(&str) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        match self.raw(name) {
            Some(_) => self.each(name, entry),
            None => Ok(Vec::new()),
        }
    }

    /// Reads each entry of a list; an error names its number.
    pub(super) fn each<T>(
        &self,
        name: &str,
        entry: impl Fn(&str) -> Result<T, Refusal>,
    ) -> Result<Vec<T>, Refusal> {
        self.check_range(name)?;
        let list: Vec<&RawValue> = serde_json::from_str(self.raw(name).unwrap_or_default())
            .map_err(|error| Refusal(format!("`{name}` must be a list: {}", fault(&error))))?;
        if list.len() > MOST_GOALS {
            let problem = format!("`{name}` has more than {MOST_GOALS} entries");
            return Err(Refusal(problem));
        }
        let at = |(i, raw): (usize, &&RawValue)| {
            let said = |Refusal(problem)| Refusal(format!("`{name}` {i}: {problem}"));
            entry(raw.get()).map_err(said)
        };
        list.iter().enumerate().map(at).collect()
    }
}

/// Fields of a goal of a link.
const POSE: [&str; 6] = ["link", "point", "position", "rotation", "quaternion", "rpy"];

/// Maximum number of starts of one search.
const MOST_STARTS: usize = 100_000;

/// Maximum number of goals of one search.
const MOST_GOALS: usize = 1000;
