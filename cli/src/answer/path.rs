//! How to get from here to there: `plan`.

use std::time::Duration;

use kinworld::kinematics::ik::{Solution, Termination as Ended};
use kinworld::planning::{self, Budget, RobotCSpace, Termination, plan_to_goals};
#[cfg(feature = "oxmpl")]
use kinworld::planning::{plan_with, plan_with_oxmpl};
use kinworld::world::RobotRef;
use kinworld::{DofId, LinkId};
use serde_json::{Value, json};

use super::planning::missing_of;
use super::timed::{Limits, Timed};
use super::{Answer, ik::objective, road_map};
use crate::config::{unit, unit_name};
use crate::json::numbers;
use crate::missing;
use crate::request::{Goal, PlanRequest, Planner, Refusal};
use crate::session::{self, Session};

/// A path from one configuration to another, or why there is none.
#[derive(Debug)]
pub(crate) struct Path {
    /// The corners, both ends included.
    pub(crate) corners: Result<Vec<Vec<f64>>, String>,
    /// Name and unit of each coordinate.
    pub(super) columns: Vec<(String, f64)>,
    /// The goal that was reached, where there is a choice: its index among those asked for, and its name.
    pub(super) reached: Option<(usize, String)>,
    /// Names of elements without geometry.
    pub(crate) missing: Vec<String>,
    /// The motion along the path, where one is asked for.
    pub(crate) timed: Option<Timed>,
}

impl Path {
    /// Plans a path; `watch` gets the number of samples and returns whether to go on.
    pub(crate) fn of(
        session: &Session,
        journey: &PlanRequest,
        watch: impl FnMut(usize) -> bool,
    ) -> Result<Self, Refusal> {
        let budget = budget(journey)?;
        let group = journey.group.as_deref();
        let found = session.in_space(&journey.space, |robot, space| {
            let start = robot.config();
            let from = match &journey.from {
                Some(config) => config.resolve(robot, start, group)?,
                None => start.to_vec(),
            };
            let own = group.map(|name| of_group(space, robot, name, &from)).transpose()?;
            let space: &RobotCSpace = own.as_ref().unwrap_or(space);
            // before the search, which is long
            let limits = journey.timing.as_ref().map(|timing| Limits::of(session, robot, timing));
            let limits = limits.transpose()?;
            let (goals, links) = goals(session, robot, &from, journey)?;
            let found = match journey.planner {
                Planner::RoadMap(ref file) => {
                    road_map::plan(session, space, file, (&from, &goals), &budget, watch)?
                }
                Planner::RrtConnect => plan_to_goals(space, &from, &goals, &budget, watch)?,
                #[cfg(feature = "oxmpl")]
                Planner::Oxmpl(planner) => {
                    let [planning::Goal::Config(to)] = &goals[..] else {
                        let problem = "this planner takes one configuration: use --planner rrt-connect";
                        return Err(Refusal(problem.to_owned()));
                    };
                    plan_with(space, &budget, watch, |space, left, _| {
                        plan_with_oxmpl(space, &from, to, planner, left)
                    })?
                }
            };
            let reason = match found.termination {
                Termination::Time => format!(
                    "no path found within {} s, after {} samples",
                    journey.max_seconds.unwrap_or_default(),
                    found.iterations
                ),
                Termination::NoGoal => {
                    let each = found.unreached.iter().filter_map(|(i, nearest)| {
                        let link = links.get(*i).copied().flatten()?;
                        Some(unreached(robot, link, nearest))
                    });
                    each.collect::<Vec<_>>().join("; ")
                }
                Termination::TooThin => "no path found that is free at a finer resolution, too: something thin is in the way"
                    .to_owned(),
                _ => format!("no path found within {} samples", found.iterations),
            };
            let reached = found.goal;
            let timed = match (&found.path, limits) {
                (Some(path), Some(limits)) => Timed::along(robot, space, path, &limits)?,
                _ => None,
            };
            Ok((found.path.ok_or(reason), reached, missing_of(space), timed))
        });
        let (corners, reached, missing, timed) = found?;
        let robot = session.robot(journey.space.robot.as_ref())?;
        let is_choice = journey.to.len() > 1 || matches!(journey.to[..], [Goal::Pose(_)]);
        Ok(Self {
            columns: columns(robot, journey.degrees),
            reached: reached
                .filter(|_| is_choice)
                .map(|i| (i, label(robot, &journey.to[i]))),
            corners,
            missing,
            timed,
        })
    }

    /// The goal that was reached, where there was a choice, and what differs from what was asked for, for people.
    pub(crate) fn hints(&self) -> impl Iterator<Item = String> {
        let reached = self.reached.as_ref();
        let reached = reached.map(|(i, label)| format!("reached goal {}: {label}", i + 1));
        reached
            .into_iter()
            .chain(self.timed.as_ref().and_then(Timed::hint))
    }
}

/// The space of a group of joints, with all others as they are in a configuration.
pub(super) fn of_group(
    space: &RobotCSpace,
    robot: RobotRef<'_>,
    group: &str,
    from: &[f64],
) -> Result<RobotCSpace, Refusal> {
    let dofs = session::dofs_of(robot, group)?;
    Ok(space.clone().with_active(&dofs)?.with_inactive_at(from)?)
}

/// Name and unit of each coordinate of a configuration.
pub(super) fn columns(robot: RobotRef<'_>, degrees: bool) -> Vec<(String, f64)> {
    let model = robot.model();
    let column = |i| {
        let dof = DofId::new(i);
        let name = model.dof_name(dof).to_owned();
        match degrees {
            true => {
                let unit_name = unit_name(model, dof, true);
                (format!("{name} [{unit_name}]"), unit(model, dof, true))
            }
            false => (name, 1.0),
        }
    };
    (0..model.n_dofs()).map(column).collect()
}

fn budget(journey: &PlanRequest) -> Result<Budget, Refusal> {
    let mut budget = Budget::default()
        .seed(journey.seed)
        .improve(journey.improve);
    // a limit of time needs no other
    let samples = journey.max_seconds.and(Some(usize::MAX));
    if let Some(most) = journey.max_iterations.or(samples) {
        budget = budget.max_iterations(most);
    }
    if let Some(most) = journey.max_seconds {
        budget = budget.max_time(duration(most)?);
    }
    Ok(budget)
}

/// The time of a search.
pub(super) fn duration(seconds: f64) -> Result<Duration, Refusal> {
    Duration::try_from_secs_f64(seconds).map_err(|_| {
        let wanted = "the time of a search is a number of seconds, 0 or more";
        Refusal(format!("{wanted}, not {seconds}"))
    })
}

/// Name of a goal.
fn label(robot: RobotRef<'_>, goal: &Goal) -> String {
    match goal {
        Goal::Config { label, .. } => label.clone(),
        Goal::Pose(goal) => goal.label(robot),
    }
}

/// The goals for the search, and the link of each that is a pose.
fn goals(
    session: &Session,
    robot: RobotRef<'_>,
    from: &[f64],
    journey: &PlanRequest,
) -> Result<(Vec<planning::Goal>, Vec<Option<LinkId>>), Refusal> {
    let each = journey.to.iter().map(|goal| match goal {
        Goal::Config { config, .. } => {
            let q = config.resolve(robot, from, journey.group.as_deref())?;
            Ok((planning::Goal::Config(q), None))
        }
        Goal::Pose(goal) => {
            let (link, goal) = objective(session, robot, goal)?;
            Ok((planning::Goal::Objectives(vec![goal]), Some(link)))
        }
    });
    each.collect()
}

/// Why a pose is no goal.
fn unreached(robot: RobotRef<'_>, link: LinkId, nearest: &Solution) -> String {
    let link = robot.model().link(link).name();
    match nearest.termination {
        Ended::Infeasible => format!("`{link}` gets there only by colliding"),
        _ => format!(
            "`{link}` does not get there: the nearest configuration is off by {:.1e} m and {:.1e} rad",
            nearest.position_error, nearest.rotation_error
        ),
    }
}

impl AsRef<Self> for Path {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl Answer for Path {
    fn json(&self) -> Value {
        let mut answer = match &self.corners {
            Ok(corners) => {
                let corners: Vec<Value> = corners.iter().map(numbers).collect();
                let mut answer = json!({ "path": corners });
                if let Some(timed) = &self.timed {
                    answer["trajectory"] = timed.json();
                }
                answer
            }
            Err(reason) => json!({ "path": null, "reason": reason }),
        };
        super::name_goal(&mut answer, self.reached.as_ref());
        missing::with(answer, &self.missing)
    }

    /// As CSV: a line per corner, a column per coordinate, under the names of their joints.
    fn text(&self) -> String {
        if let Some(timed) = &self.timed {
            return timed.text(&self.columns);
        }
        match &self.corners {
            Ok(corners) => {
                let names: Vec<&str> = self.columns.iter().map(|(name, _)| name.as_str()).collect();
                let mut text = names.join(",") + "\n";
                for q in corners {
                    let cells = q.iter().zip(&self.columns);
                    let cells: Vec<String> = cells.map(|(x, (_, unit))| cell(*x, *unit)).collect();
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

/// A value in its unit: exactly in rad or m, in degrees to nine decimals.
pub(super) fn cell(x: f64, unit: f64) -> String {
    if unit >= 1.0 {
        return format!("{x:?}");
    }
    format!("{:?}", (x / unit * 1e9).round() / 1e9)
}
