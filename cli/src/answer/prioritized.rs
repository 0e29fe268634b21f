//! Motions of several robots on one clock: `plan-prioritized`.

use kinworld::kinematics::Samples;
use kinworld::planning::{
    self, Budget, MotionLimits, PrioritizedOptions, PrioritizedPlan, RobotCSpace, Separation,
    Termination, Trajectory,
};
use kinworld::world::{RobotId, RobotRef};
use serde_json::{Value, json};

use super::Answer;
use super::path::{cell, columns, duration};
use super::planning::missing_of;
use super::timed::Limits;
use crate::json::{number, numbers};
use crate::missing;
use crate::request::{Config, Key, PrioritizedRequest, Refusal, Timing};
use crate::session::Session;

/// Motions of several robots, or why there are none.
#[derive(Debug)]
pub(crate) struct Prioritized {
    motion: Result<Motion, String>,
    /// Orders that were tried before, and why a robot found no motion in them.
    failed: Vec<(Vec<String>, String)>,
    /// Names of elements without geometry.
    pub(crate) missing: Vec<String>,
}

/// Motions of several robots at the same times.
#[derive(Debug)]
pub(crate) struct Motion {
    /// Names of the robots in the order in which they were planned; empty where they were planned together.
    order: Vec<String>,
    duration: f64,
    times: Vec<f64>,
    robots: Vec<OneMotion>,
}

/// What a robot does.
#[derive(Debug)]
struct OneMotion {
    id: RobotId,
    name: String,
    arrival: f64,
    /// Whether it follows smooth curves all along; `None` where none were asked for.
    is_smooth: Option<bool>,
    waits: Vec<[f64; 2]>,
    /// Name and unit of each coordinate.
    columns: Vec<(String, f64)>,
    /// Configurations, velocities, accelerations.
    rows: [Vec<Vec<f64>>; 3],
}

impl Prioritized {
    /// Plans motions; `watch` gets the number of samples and returns whether to go on.
    pub(crate) fn of(
        session: &Session,
        request: &PrioritizedRequest,
        watch: impl FnMut(usize) -> bool,
    ) -> Result<Self, Refusal> {
        let robots = robots(session, request)?;
        let ids: Vec<RobotId> = robots.iter().map(RobotRef::id).collect();
        let (start, goal) = ends(session, &robots, request)?;
        let limits = limits(session, &robots, &request.timing)?;
        let step = limits.step;
        let mut budget = PrioritizedOptions::default().budget.seed(request.seed);
        let samples = request.max_seconds.and(Some(usize::MAX));
        if let Some(most) = request.max_iterations.or(samples) {
            budget = budget.max_iterations(most);
        }
        if let Some(most) = request.max_seconds {
            budget = budget.max_time(duration(most)?);
        }
        let joint = Budget::default().seed(request.seed);
        let mut options = PrioritizedOptions::default()
            .with_budget(budget)
            .with_joint(Some(joint))
            .with_deviation(limits.deviation)
            .with_smoothing(limits.smoothing);
        if let Some(spacing) = request.swept {
            options = options.with_separation(Separation::SweptVolumes { spacing });
        }
        let space = session.space_of(&ids, request.shape)?;
        let plan =
            planning::plan_prioritized(&space, &start, &goal, &limits.limits, &options, watch)?;

        let named = |ids: &[RobotId]| names(&space, ids);
        let rounded = limits.smoothing.map(|_| &plan.rounded[..]);
        let failed = plan.failed.iter();
        let failed: Vec<_> = failed
            .map(|failed| (named(&failed.order), failed.reason.clone()))
            .collect();
        Ok(Self {
            motion: match &plan.motion {
                Some(found) => Ok(Motion {
                    order: named(&plan.order),
                    duration: found.duration(),
                    times: found.discretized(step)?.times().to_vec(),
                    robots: each(&robots, found, rounded, step, request.degrees)?,
                }),
                None => Err(reason(&plan, request)),
            },
            failed,
            missing: missing_of(&space),
        })
    }

    /// The motion, or why there is none.
    pub(crate) fn motion(&self) -> Result<&Motion, Refusal> {
        let motion = self.motion.as_ref();
        motion.map_err(|reason| Refusal(reason.clone()))
    }

    /// What differs from what was asked for, for people.
    pub(crate) fn hint(&self) -> Option<String> {
        let robots = &self.motion.as_ref().ok()?.robots;
        let rounded = robots.iter().filter(|robot| robot.is_smooth == Some(false));
        let names: Vec<&str> = rounded.map(|robot| &robot.name[..]).collect();
        let list = names.join("`, `");
        let hint =
            format!("no smooth curve beside the path is free for `{list}`: corners are rounded");
        (!names.is_empty()).then_some(hint)
    }
}

/// The robots that move, as loaded, each once.
fn robots<'a>(
    session: &'a Session,
    request: &PrioritizedRequest,
) -> Result<Vec<RobotRef<'a>>, Refusal> {
    let mut robots: Vec<RobotRef<'_>> = Vec::new();
    for (key, _) in &request.to {
        let robot = session.robot(Some(key))?;
        if robots.iter().any(|other| other.id() == robot.id()) {
            let problem = format!("`{}` has two goals", robot.name());
            return Err(Refusal(problem));
        }
        robots.push(robot);
    }
    if robots.is_empty() {
        return Err(Refusal("no robot has a goal".to_owned()));
    }
    robots.sort_by_key(RobotRef::id);
    Ok(robots)
}

/// Start and goal of all robots, one after the other.
fn ends(
    session: &Session,
    robots: &[RobotRef<'_>],
    request: &PrioritizedRequest,
) -> Result<(Vec<f64>, Vec<f64>), Refusal> {
    let mut started = Vec::new();
    for (key, _) in &request.from {
        let robot = session.robot(Some(key))?;
        let problem = match robots.iter().any(|other| other.id() == robot.id()) {
            false => "a start and no goal",
            true if started.contains(&robot.id()) => "two starts",
            true => {
                started.push(robot.id());
                continue;
            }
        };
        return Err(Refusal(format!("`{}` has {problem}", robot.name())));
    }
    let (mut start, mut goal) = (Vec::new(), Vec::new());
    for &robot in robots {
        let from = match given(session, robot, &request.from)? {
            Some(config) => config.resolve(robot, robot.config(), None)?,
            None => robot.config().to_vec(),
        };
        if let Some(config) = given(session, robot, &request.to)? {
            goal.extend(config.resolve(robot, &from, None)?);
        }
        start.extend(from);
    }
    Ok((start, goal))
}

/// The configuration of a robot among those that are given.
fn given<'a>(
    session: &Session,
    robot: RobotRef<'_>,
    among: &'a [(Key, Config)],
) -> Result<Option<&'a Config>, Refusal> {
    for (key, config) in among {
        if session.robot(Some(key))?.id() == robot.id() {
            return Ok(Some(config));
        }
    }
    Ok(None)
}

/// The limits of all robots, one after the other.
fn limits(session: &Session, robots: &[RobotRef<'_>], timing: &Timing) -> Result<Limits, Refusal> {
    if timing.own_torque || timing.torque.is_some() {
        let problem = "motions of several robots have no limits of torque";
        return Err(Refusal(problem.to_owned()));
    }
    let n: usize = robots.iter().map(|robot| robot.model().n_dofs()).sum();
    let lists = [&timing.velocity, &timing.acceleration, &timing.jerk];
    for list in lists.into_iter().flatten() {
        if ![1, n].contains(&list.len()) {
            let found = list.len();
            let problem = format!(
                "a limit has {found} values: give one for all, or one for each of the {n} dofs of the robots"
            );
            return Err(Refusal(problem));
        }
    }
    let (mut all, mut first) = (Vec::new(), 0);
    for &robot in robots {
        let next = first + robot.model().n_dofs();
        let part = |list: &Option<Vec<f64>>| {
            let list = list.as_ref()?;
            Some(
                list.get(first..next)
                    .filter(|_| list.len() > 1)
                    .unwrap_or(list)
                    .to_vec(),
            )
        };
        let own = Timing {
            velocity: part(&timing.velocity),
            acceleration: part(&timing.acceleration),
            jerk: part(&timing.jerk),
            ..timing.clone()
        };
        all.push(Limits::of(session, robot, &own)?);
        first = next;
    }
    let each: Vec<MotionLimits> = all.iter().map(|own| own.limits.clone()).collect();
    let last = all.pop();
    let last = last.ok_or_else(|| Refusal("no robot has a goal".to_owned()))?;
    Ok(Limits {
        limits: MotionLimits::joined(&each),
        ..last
    })
}

/// What each robot does, in rows that are `step` seconds apart.
fn each(
    robots: &[RobotRef<'_>],
    found: &planning::JointMotion,
    rounded: Option<&[RobotId]>,
    step: f64,
    degrees: bool,
) -> Result<Vec<OneMotion>, Refusal> {
    let times = found.discretized(step)?.times().to_vec();
    let states: Vec<[Vec<f64>; 3]> = times.iter().map(|&time| found.state_at(time)).collect();
    let mut first = 0;
    let mut all = Vec::new();
    for &robot in robots {
        let range = first..first + robot.model().n_dofs();
        first = range.end;
        let rows = [0, 1, 2].map(|kind: usize| {
            let rows = states.iter().map(|state| &state[kind]);
            rows.map(|row| row[range.clone()].to_vec()).collect()
        });
        all.push(OneMotion {
            id: robot.id(),
            name: robot.name().to_owned(),
            arrival: found.arrival(robot.id()).unwrap_or_default(),
            is_smooth: rounded.map(|ids| !ids.contains(&robot.id())),
            waits: found.waits(robot.id()),
            columns: columns(robot, degrees),
            rows,
        });
    }
    Ok(all)
}

fn names(space: &RobotCSpace, ids: &[RobotId]) -> Vec<String> {
    let robots = ids.iter().filter_map(|id| space.world().robot(*id).ok());
    robots.map(|robot| robot.name().to_owned()).collect()
}

fn reason(plan: &PrioritizedPlan, request: &PrioritizedRequest) -> String {
    let within = match plan.termination {
        Termination::Time => {
            let seconds = request.max_seconds.unwrap_or_default();
            format!("within {seconds} s, after {} samples", plan.iterations)
        }
        _ => format!("in {} orders of the robots", plan.failed.len()),
    };
    let last = plan.failed.last();
    let last = last.map(|failed| format!("; the last one: {}", failed.reason));
    format!("no motion found {within}{}", last.unwrap_or_default())
}

impl Answer for Prioritized {
    fn json(&self) -> Value {
        let mut answer = match &self.motion {
            Ok(motion) => {
                let robots: Vec<Value> = motion.robots.iter().map(OneMotion::json).collect();
                json!({
                    "duration": number(motion.duration),
                    "order": motion.order,
                    "is_joint": motion.order.is_empty(),
                    "times": numbers(&motion.times),
                    "robots": robots,
                })
            }
            Err(reason) => json!({ "robots": null, "reason": reason }),
        };
        let failed = self.failed.iter();
        let failed = failed.map(|(order, reason)| json!({ "order": order, "reason": reason }));
        answer["failed"] = failed.collect();
        missing::with(answer, &self.missing)
    }

    /// As CSV: a row per time, the columns of a motion for each robot.
    fn text(&self) -> String {
        let Ok(motion) = &self.motion else {
            return String::new();
        };
        let mut text = "time".to_owned();
        for robot in &motion.robots {
            for prefix in ["", "dq_", "ddq_"] {
                for (name, _) in &robot.columns {
                    text += &format!(",{}:{prefix}{name}", robot.name);
                }
            }
        }
        text.push('\n');
        for (i, time) in motion.times.iter().enumerate() {
            text += &format!("{time:?}");
            for robot in &motion.robots {
                for rows in &robot.rows {
                    for (x, (_, unit)) in rows[i].iter().zip(&robot.columns) {
                        text.push(',');
                        text += &cell(*x, *unit);
                    }
                }
            }
            text.push('\n');
        }
        text
    }

    fn reason(&self) -> Option<String> {
        self.motion.as_ref().err().cloned()
    }
}

impl Motion {
    /// The configurations of all robots, one after the other.
    pub(crate) fn trajectory(&self) -> Result<Trajectory, Refusal> {
        let row = |i: usize| {
            let robots = self.robots.iter();
            robots
                .flat_map(|robot| robot.rows[0][i].iter().copied())
                .collect()
        };
        let rows = (0..self.times.len()).map(row).collect();
        Ok(Trajectory::new(self.times.clone(), rows)?)
    }

    /// The motion of each robot, for a page.
    pub(crate) fn samples(&self) -> impl Iterator<Item = (RobotId, Samples)> {
        self.robots.iter().map(|robot| {
            let [q, dq, ddq] = robot.rows.clone();
            let samples = Samples::new(self.times.clone(), q);
            let samples = samples.with_velocities(dq).with_accelerations(ddq);
            (robot.id, samples)
        })
    }
}

impl OneMotion {
    fn json(&self) -> Value {
        let [q, dq, ddq] =
            [0, 1, 2].map(|i| -> Value { self.rows[i].iter().map(numbers).collect() });
        let waits: Vec<Value> = self.waits.iter().map(numbers).collect();
        let mut answer = json!({
            "name": self.name,
            "arrival": number(self.arrival),
            "waits": waits,
            "q": q,
            "dq": dq,
            "ddq": ddq,
        });
        if let Some(is_smooth) = self.is_smooth {
            answer["smooth"] = is_smooth.into();
        }
        answer
    }
}
