//! How to get from here to there: `plan`.

use std::time::Duration;

use kinworld::kinematics::ik::{self, Objective, Options, Solution, Termination as Ended};
use kinworld::planning::{Budget, CSpace, RobotCSpace, Termination, plan_to_any};
#[cfg(feature = "oxmpl")]
use kinworld::planning::{plan_with, plan_with_oxmpl};
use kinworld::world::RobotRef;
use kinworld::{DofId, LinkId};
use serde_json::{Value, json};

use super::planning::missing_of;
use super::timed::{Limits, Timed};
use super::{Answer, ik::objective};
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
    columns: Vec<(String, f64)>,
    /// The goal that was reached, where there is a choice: its index among those asked for, and its name.
    reached: Option<(usize, String)>,
    /// Names of elements without geometry.
    pub(crate) missing: Vec<String>,
    /// The motion along the path, where one is asked for.
    pub(crate) timed: Option<Timed>,
}

/// Most configurations for a pose.
const POSTURES: usize = 8;

/// Configurations that differ by less, rad or m, are one.
const SAME: f64 = 1e-3;

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
            let active = group.map(|name| session::dofs_of(robot, name)).transpose()?;
            let own;
            let space: &RobotCSpace = match &active {
                Some(dofs) => {
                    own = space.clone().with_active(dofs)?.with_inactive_at(&from)?;
                    &own
                }
                None => space,
            };
            // before the search, which is long
            let limits = journey.timing.as_ref().map(|timing| Limits::of(session, robot, timing));
            let limits = limits.transpose()?;
            let goals = match goals(session, robot, space, &from, journey, active)? {
                Ok(goals) => goals,
                Err(reason) => return Ok((Err(reason), None, missing_of(space), None)),
            };
            let ends: Vec<&[f64]> = goals.iter().map(|(_, q)| q.as_slice()).collect();
            let found = match journey.planner {
                Planner::RrtConnect => plan_to_any(space, &from, &ends, &budget, watch)?,
                #[cfg(feature = "oxmpl")]
                Planner::Oxmpl(planner) => {
                    let [to] = ends[..] else {
                        let problem = "this planner takes one goal: use --planner rrt-connect";
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
                Termination::TooThin => "no path found that is free at a finer resolution, too: something thin is in the way"
                    .to_owned(),
                _ => format!("no path found within {} samples", found.iterations),
            };
            let reached = found.goal.map(|i| goals[i].0);
            let timed = match (&found.path, limits) {
                (Some(path), Some(limits)) => Timed::along(robot, space, path, &limits)?,
                _ => None,
            };
            Ok((found.path.ok_or(reason), reached, missing_of(space), timed))
        });
        let (corners, reached, missing, timed) = found?;
        let robot = session.robot(journey.space.robot.as_ref())?;
        let model = robot.model();
        let column = |i| {
            let dof = DofId::new(i);
            let name = model.dof_name(dof).to_owned();
            match journey.degrees {
                true => {
                    let unit_name = unit_name(model, dof, true);
                    (format!("{name} [{unit_name}]"), unit(model, dof, true))
                }
                false => (name, 1.0),
            }
        };
        let is_choice = journey.to.len() > 1 || matches!(journey.to[..], [Goal::Pose(_)]);
        Ok(Self {
            columns: (0..model.n_dofs()).map(column).collect(),
            reached: reached
                .filter(|_| is_choice)
                .map(|i| (i, label(robot, &journey.to[i]))),
            corners,
            missing,
            timed,
        })
    }

    /// The goal that was reached, for people, where there was a choice.
    pub(crate) fn hint(&self) -> Option<String> {
        let (i, label) = self.reached.as_ref()?;
        Some(format!("reached goal {}: {label}", i + 1))
    }
}

fn budget(journey: &PlanRequest) -> Result<Budget, Refusal> {
    let mut budget = Budget::default().seed(journey.seed);
    if let Some(most) = journey.max_iterations {
        budget = budget.max_iterations(most);
    }
    if let Some(most) = journey.max_seconds {
        let most = Duration::try_from_secs_f64(most);
        let refused = |_| Refusal("the time of a search must be a number of seconds".to_owned());
        budget = budget.max_time(most.map_err(refused)?);
    }
    Ok(budget)
}

/// Name of a goal.
fn label(robot: RobotRef<'_>, goal: &Goal) -> String {
    match goal {
        Goal::Config { label, .. } => label.clone(),
        Goal::Pose(goal) => goal.label(robot),
    }
}

type Goals = Vec<(usize, Vec<f64>)>;

/// Configurations of all goals, with the index of the goal; why there are none, if no pose can be reached.
fn goals(
    session: &Session,
    robot: RobotRef<'_>,
    space: &RobotCSpace,
    from: &[f64],
    journey: &PlanRequest,
    active: Option<Vec<DofId>>,
) -> Result<Result<Goals, String>, Refusal> {
    let mut options = Options::default().with_seed(journey.seed);
    options.active = active;
    let mut found = Vec::new();
    let mut reasons = Vec::new();
    for (i, goal) in journey.to.iter().enumerate() {
        match goal {
            Goal::Config { config, .. } => {
                let q = config.resolve(robot, from, journey.group.as_deref())?;
                found.push((i, q));
            }
            Goal::Pose(goal) => {
                let (link, goal) = objective(session, robot, goal)?;
                match postures(robot, space, &goal, from, &options)? {
                    Ok(all) => found.extend(all.into_iter().map(|q| (i, q))),
                    Err(nearest) => reasons.push(unreached(robot, link, &nearest)),
                }
            }
        }
    }
    Ok(if found.is_empty() {
        Err(reasons.join("; "))
    } else {
        Ok(found)
    })
}

/// Free configurations of a goal, from several starts; the best of those that are not, if none is.
fn postures(
    robot: RobotRef<'_>,
    space: &RobotCSpace,
    goal: &Objective,
    from: &[f64],
    options: &Options,
) -> Result<Result<Vec<Vec<f64>>, Solution>, Refusal> {
    let goals = std::slice::from_ref(goal);
    let mut found: Vec<Vec<f64>> = Vec::new();
    let mut nearest = None;
    let mut start = from.to_vec();
    let mut random = Random(options.seed);
    for i in 0..POSTURES {
        let options = options
            .clone()
            .with_seed(options.seed.wrapping_add(i as u64));
        let is_free = |q: &[f64]| space.is_free(q).unwrap_or(false);
        let solution = ik::solve_global(robot.model(), goals, &start, &options, is_free)?;
        if !solution.is_success() {
            if i == 0 {
                // what many random starts do not reach, more will not
                return Ok(Err(solution));
            }
            nearest.get_or_insert(solution);
        } else {
            let is_same = |q: &Vec<f64>| {
                let mut changes = q.iter().zip(&solution.q);
                changes.all(|(a, b)| (a - b).abs() < SAME)
            };
            if !found.iter().any(is_same) {
                found.push(solution.q);
            }
        }
        space.sample_into(&mut || random.uniform(), &mut start);
    }
    Ok(match nearest {
        Some(nearest) if found.is_empty() => Err(nearest),
        _ => Ok(found),
    })
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

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    /// A number in `[0, 1)`.
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
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
