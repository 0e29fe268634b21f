//! Goals that a search finds while it runs: configurations that inverse kinematics draws.

use std::time::Duration;

use super::clock::Instant;
use super::robot_plan::{Checked, Observer};
use super::{Budget, CSpace, Plan, RobotCSpace, RrtConnect};
use crate::kinematics::ik::{self, Objective, Options, Solution};
use crate::math::SplitMix;
use crate::robot::Robot;
use crate::{Error, Result};

/// Starts of inverse kinematics for each goal before a search.
const FIRST: usize = 8;

/// Rounds of inverse kinematics, each with all restarts, until a configuration that meets a goal is free.
const ROUNDS: usize = 16;

/// Largest change of a degree of freedom between configurations that count as one, rad or m.
const SAME: f64 = 1e-3;

/// A goal of [`plan_to_goals`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Goal {
    /// A configuration.
    Config(Vec<f64>),
    /// Objectives that a configuration meets all at once: the pose of a link, a region for it, several links.
    Objectives(Vec<Objective>),
}

/// [`plan_between`] from one start.
///
/// # Errors
///
/// As [`plan_between`].
pub fn plan_to_goals(
    space: &RobotCSpace,
    start: &[f64],
    goals: &[Goal],
    budget: &Budget,
    observer: impl FnMut(usize) -> bool,
) -> Result<Plan> {
    plan_between(space, &[start], goals, budget, observer)
}

/// [`plan_observed`](super::plan_observed) from any of several starts to any of several goals: configurations, and objectives of
/// inverse kinematics.
///
/// Free configurations that meet objectives are drawn by inverse kinematics: for each goal from the first start, with all
/// restarts, and from seven samples of the space before the search; and from one more sample, for each goal in turn, whenever the
/// tree that grows from the goals has two more points. Where configurations meet a goal, but none is free, it is tried with
/// sixteen times the restarts, as long as [`Budget::max_time`] is not over. A goal that [`ik::solve_global`] does not reach then is
/// left out, and is in [`Plan::unreached`]; where no goal is left, there is no path and the search ends with
/// [`Termination::NoGoal`](super::Termination::NoGoal). [`Plan::goal`] is the index in `goals` of the one that the path reaches,
/// [`Plan::start`] the index of its start. With [`Budget::improve`] they are those of the shortest path that is found.
///
/// # Errors
///
/// As [`RrtConnect::solve_any`] and [`ik::solve`]; [`Error::Invalid`] for objectives in a space of several robots.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::kinematics::ik::Objective;
/// use kinworld::planning::{Budget, Goal, RobotCSpace, plan_to_goals};
/// use kinworld::Point;
///
/// let world = WorldModel::load("data/worlds/cell.xml")?.value;
/// let arm = world.robot("arm")?;
/// let space = RobotCSpace::new(&world, &[arm.id()])?;
/// let flange = arm.model().link_id("flange")?;
/// let there = Objective::point(flange, Point::origin(), Point::new(0.2, 0.4, 0.7));
/// let goals = [Goal::Objectives(vec![there])];
/// let plan = plan_to_goals(&space, &[0.0; 6], &goals, &Budget::default(), |_| true)?;
/// assert!(plan.path.is_some() && plan.goal == Some(0));
/// # Ok::<(), kinworld::Error>(())
/// ```
pub fn plan_between<Q: AsRef<[f64]>>(
    space: &RobotCSpace,
    starts: &[Q],
    goals: &[Goal],
    budget: &Budget,
    mut observer: impl FnMut(usize) -> bool,
) -> Result<Plan> {
    let from: Vec<&[f64]> = starts.iter().map(AsRef::as_ref).collect();
    plan_from(space, &from, goals, budget, &mut observer)
}

/// [`plan_between`].
fn plan_from(
    space: &RobotCSpace,
    from: &[&[f64]],
    goals: &[Goal],
    budget: &Budget,
    observer: Observer<'_>,
) -> Result<Plan> {
    let Some(first) = from.first() else {
        return Err(Error::invalid("the starts of a search", "there are none"));
    };
    let mut drawn = Drawn::new(space, first, goals, budget)?;
    let unreached = drawn.first()?;
    if drawn.found.is_empty() && !unreached.is_empty() {
        let plan = Plan::new(None, super::Termination::NoGoal, 0);
        return Ok(Plan { unreached, ..plan });
    }
    let mut checked = Checked::new(space, budget);
    let mut search = |space: &RobotCSpace, budget: &Budget, observer: Observer<'_>| {
        let known: Vec<Vec<f64>> = drawn.found.iter().map(|(_, q)| q.clone()).collect();
        let planner = RrtConnect::new(budget);
        planner.solve_drawn(space, from, &known, || drawn.next(), observer)
    };
    let plan = checked.run(observer, &mut search)?;
    let known: Vec<&[f64]> = drawn.found.iter().map(|(_, q)| &q[..]).collect();
    let mut plan = checked.improved(plan, from, &known, observer)?;
    plan.goal = plan.goal.and_then(|k| drawn.found.get(k)).map(|(i, _)| *i);
    Ok(Plan { unreached, ..plan })
}

/// Configurations that meet goals, each with the index of its goal.
struct Drawn<'a> {
    space: &'a RobotCSpace,
    robot: Option<&'a Robot>,
    /// Goals that inverse kinematics reaches, or was not asked for yet.
    objectives: Vec<(usize, &'a [Objective])>,
    options: Options,
    random: SplitMix,
    start: Vec<f64>,
    asked: usize,
    found: Vec<(usize, Vec<f64>)>,
    began: Instant,
    max_time: Option<Duration>,
}

impl<'a> Drawn<'a> {
    fn new(
        space: &'a RobotCSpace,
        start: &[f64],
        goals: &'a [Goal],
        budget: &Budget,
    ) -> Result<Self> {
        let mut objectives = Vec::new();
        let mut found = Vec::new();
        for (i, goal) in goals.iter().enumerate() {
            match goal {
                Goal::Config(q) => found.push((i, q.clone())),
                Goal::Objectives(all) => objectives.push((i, &all[..])),
            }
        }
        let robot = match &space.snapshot.members[..] {
            [member] => Some(&*member.robot),
            _ if objectives.is_empty() => None,
            _ => {
                let problem = "objectives are for spaces of one robot";
                return Err(Error::invalid("the goals of a search", problem));
            }
        };
        let mut options = Options::default().with_seed(budget.seed);
        if !space.snapshot.fixed.is_empty() {
            options = options.with_active(space.active().collect::<Vec<_>>());
        }
        Ok(Self {
            space,
            robot,
            objectives,
            options,
            random: SplitMix::new(budget.seed),
            start: start.to_vec(),
            asked: 0,
            found,
            began: Instant::now(),
            max_time: budget.max_time,
        })
    }

    /// Draws the first configurations of each goal: the goals that are not reached, and how near they are.
    fn first(&mut self) -> Result<Vec<(usize, Solution)>> {
        let start = self.start.clone();
        let mut unreached = Vec::new();
        for (i, objectives) in std::mem::take(&mut self.objectives) {
            self.start.clone_from(&start);
            match self.reach(i, objectives)? {
                Some(nearest) => unreached.push((i, nearest)),
                None => self.objectives.push((i, objectives)),
            }
        }
        // of each sample one descent: there are more samples
        self.options.restarts = 0;
        for _ in 1..FIRST {
            for k in 0..self.objectives.len() {
                let (i, objectives) = self.objectives[k];
                self.restart();
                let _ = self.draw(i, objectives)?;
            }
        }
        Ok(unreached)
    }

    /// Draws a first configuration of a goal; where there is none, the nearest one.
    fn reach(&mut self, goal: usize, objectives: &[Objective]) -> Result<Option<Solution>> {
        let is_over = |drawn: &Self| {
            drawn
                .max_time
                .is_some_and(|most| drawn.began.elapsed() >= most)
        };
        let mut unreached = None;
        for _ in 0..ROUNDS {
            let Err(nearest) = self.draw(goal, objectives)? else {
                return Ok(None);
            };
            // what many random starts do not meet, more will not
            let is_met = nearest.termination == ik::Termination::Infeasible;
            unreached = Some(nearest);
            if !is_met || is_over(self) {
                break;
            }
        }
        Ok(unreached)
    }

    /// Draws one more configuration.
    fn next(&mut self) -> Result<Option<Vec<f64>>> {
        let Some(&(i, objectives)) = self
            .objectives
            .get(self.asked % self.objectives.len().max(1))
        else {
            return Ok(None);
        };
        self.asked += 1;
        self.restart();
        let is_new = self.draw(i, objectives)?.unwrap_or(false);
        let newest = self.found.last().filter(|_| is_new);
        Ok(newest.map(|(_, q)| q.clone()))
    }

    fn restart(&mut self) {
        let Self { random, start, .. } = self;
        self.space.sample_into(&mut || random.uniform(), start);
    }

    /// Draws a configuration of a goal: whether it is a new one, or the nearest one that was found.
    fn draw(
        &mut self,
        goal: usize,
        objectives: &[Objective],
    ) -> Result<std::result::Result<bool, Solution>> {
        let Some(robot) = self.robot else {
            return Ok(Ok(false));
        };
        let mut failure = None;
        let is_free = |q: &[f64]| {
            self.space.is_free(q).unwrap_or_else(|error| {
                failure = Some(error);
                false
            })
        };
        self.options.seed = self.options.seed.wrapping_add(1);
        let solution = ik::solve_global(robot, objectives, &self.start, &self.options, is_free)?;
        if let Some(error) = failure {
            return Err(error);
        }
        if !solution.is_success() {
            return Ok(Err(solution));
        }
        let is_same = |(_, q): &(usize, Vec<f64>)| {
            let mut changes = q.iter().zip(&solution.q);
            changes.all(|(a, b)| (a - b).abs() < SAME)
        };
        let is_new = !self.found.iter().any(is_same);
        if is_new {
            self.found.push((goal, solution.q));
        }
        Ok(Ok(is_new))
    }
}
