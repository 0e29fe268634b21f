//! Plans for robots: a search, and a proof of its path.

use super::clock::Instant;
use super::edge::Certainty;
use super::improve::{Effort, improve};
use super::rrt_connect::{bounded, free_ends};
use super::shortcut::shorten_where;
use super::{Budget, CSpace, Plan, RobotCSpace, RrtConnect, Termination, Workspace};
use crate::math::SplitMix;
use crate::{Error, Result};

/// Ratio of the resolution of a search to that of the next one.
const FINER: f64 = 4.0;

/// Number of searches, each with a finer resolution, until a path is proved.
const ROUNDS: usize = 3;

/// Number of searches after them at the last resolution, each with another seed.
const RETRIES: usize = 5;

/// Searches for a path with [`RrtConnect`], makes it shorter, and proves that it is free as a whole, by samples of up to 256 times
/// the [resolution](RobotCSpace::with_resolution) and what bodies move between them; where an end of an edge is as near to an
/// obstacle as that, the samples alone decide.
///
/// Where that fails, because something thin lies between two samples of the search, there is another one at four times its
/// resolution, and from the fourth on with another seed instead, with what is left of the budget: eight at most.
///
/// # Errors
///
/// As [`RrtConnect::solve`]: a start or a goal that is not free says why.
pub fn plan(space: &RobotCSpace, start: &[f64], goal: &[f64], budget: &Budget) -> Result<Plan> {
    plan_observed(space, start, goal, budget, |_| true)
}

/// [`plan`] with an observer: it is called with the number of samples after each of them, and returns whether to go on.
///
/// # Errors
///
/// As [`plan`].
pub fn plan_observed(
    space: &RobotCSpace,
    start: &[f64],
    goal: &[f64],
    budget: &Budget,
    mut observer: impl FnMut(usize) -> bool,
) -> Result<Plan> {
    let mut search = |space: &RobotCSpace, budget: &Budget, observer: Observer<'_>| {
        RrtConnect::new(budget).solve_observed(space, start, goal, observer)
    };
    plan_by(space, budget, &mut observer, &mut search)
}

/// [`plan_observed`] to any of several goals; [`Plan::goal`] is the one that the path reaches.
///
/// # Errors
///
/// As [`RrtConnect::solve_any`].
pub fn plan_to_any<G: AsRef<[f64]>>(
    space: &RobotCSpace,
    start: &[f64],
    goals: &[G],
    budget: &Budget,
    mut observer: impl FnMut(usize) -> bool,
) -> Result<Plan> {
    let goals: Vec<&[f64]> = goals.iter().map(AsRef::as_ref).collect();
    let mut search = |space: &RobotCSpace, budget: &Budget, observer: Observer<'_>| {
        RrtConnect::new(budget).solve_any(space, start, &goals, observer)
    };
    let mut checked = Checked::new(space, budget);
    let plan = checked.run(&mut observer, &mut search)?;
    checked.improved(plan, &[start], &goals, &mut observer)
}

/// [`plan_observed`] with another planner: `search` gets the space at the resolution of its round, the budget that is left,
/// and the observer. Its path is made shorter and proved as [`plan`] does, with [`Budget::improve`] too.
///
/// # Errors
///
/// Those of `search` and of the checks, [`Error::Length`] and [`Error::Invalid`] for a path without waypoints or with one that is
/// no configuration.
pub fn plan_with(
    space: &RobotCSpace,
    budget: &Budget,
    mut observer: impl FnMut(usize) -> bool,
    mut search: impl FnMut(&RobotCSpace, &Budget, &mut dyn FnMut(usize) -> bool) -> Result<Plan>,
) -> Result<Plan> {
    plan_by(space, budget, &mut observer, &mut search)
}

/// [`plan_with`].
fn plan_by(
    space: &RobotCSpace,
    budget: &Budget,
    observer: Observer<'_>,
    search: &mut Search<'_>,
) -> Result<Plan> {
    let mut checked = Checked::new(space, budget);
    let plan = checked.run(observer, search)?;
    checked.improved(plan, &[], &[], observer)
}

/// Is called with the number of samples, and returns whether to go on. What plans for robots calls it by a pointer, so that it is
/// compiled once, with this library.
pub(super) type Observer<'a> = &'a mut dyn FnMut(usize) -> bool;

/// A search in a space with a budget.
type Search<'a> = dyn FnMut(&RobotCSpace, &Budget, Observer<'_>) -> Result<Plan> + 'a;

/// A search whose path is checked.
pub(super) struct Checked {
    began: Instant,
    total: Budget,
    /// The space at the resolution of the next search.
    space: RobotCSpace,
}

impl Checked {
    pub(super) fn new(space: &RobotCSpace, budget: &Budget) -> Self {
        Self {
            began: Instant::now(),
            total: *budget,
            space: space.clone(),
        }
    }

    /// As after a search at the resolution of the space.
    pub(super) fn at_last(space: &RobotCSpace, budget: &Budget) -> Result<Self> {
        let checked = Self::new(space, budget);
        let space = finer(space)?;
        Ok(Self { space, ..checked })
    }

    /// The space at the resolution of the next search.
    pub(super) fn space(&self) -> &RobotCSpace {
        &self.space
    }

    /// The path of a search, made shorter, of which all is certain.
    pub(super) fn run(&mut self, observer: Observer<'_>, search: &mut Search<'_>) -> Result<Plan> {
        let Self { began, total, .. } = *self;
        let mut budget = Budget {
            shortcuts: 0,
            improve: 0,
            ..total
        };
        let mut drawn = 0;
        for round in 0..ROUNDS + RETRIES {
            if round >= ROUNDS {
                budget.seed = total.seed.wrapping_add(round as u64);
            }
            let searched = search(&self.space, &budget, &mut |i| observer(drawn + i))?;
            drawn += searched.iterations;
            let mut found = Plan {
                iterations: drawn,
                ..searched
            };
            if round < ROUNDS {
                self.space = finer(&self.space)?;
            }
            let Some(path) = &mut found.path else {
                if found.termination == Termination::TooThin {
                    budget = remaining(&total, drawn, began);
                    continue;
                }
                return Ok(found);
            };
            self.check_waypoints(path)?;
            if self.shorten(path, drawn, observer)? {
                return Ok(found);
            }
            budget = remaining(&total, drawn, began);
        }
        Ok(Plan::new(None, Termination::TooThin, drawn))
    }

    /// Checks the waypoints of a path; one alone becomes an edge from it to itself, which is proved as others are.
    fn check_waypoints(&self, path: &mut Vec<Vec<f64>>) -> Result<()> {
        for q in &*path {
            self.space.check_values(q)?;
        }
        match &path[..] {
            [] => Err(Error::invalid("the path of a search", "has no waypoints")),
            [q] => {
                path.push(q.clone());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Makes a path shorter; `drawn` is the number of samples for it. Returns whether all of it is certain.
    pub(super) fn shorten(
        &self,
        path: &mut Vec<Vec<f64>>,
        drawn: usize,
        observer: Observer<'_>,
    ) -> Result<bool> {
        let Self { began, total, .. } = self;
        let is_over = || total.max_time.is_some_and(|most| began.elapsed() >= most);
        let mut more = || !is_over() && observer(drawn);
        let mut random = SplitMix::new(total.seed);
        let space = &self.space;
        // what is left at last is proved, so that tries need not be finer than the search
        let coarse = space.clone().with_resolution(space.resolution() * FINER)?;
        let finest = finest(space)?;
        let is_certain = |a: &[f64], b: &[f64], ws: &mut Workspace| {
            finest.is_surely_free_with(a, b, CERTAIN, ws)
        };
        space.with_workspace(|ws| {
            let (tries, random) = (total.shortcuts, &mut random);
            shorten_where(&coarse, ws, path, tries, random, &mut more, &is_certain)
        })
    }

    /// A plan with the shortest path that is found from any of some starts to any of some goals, or between its own ends where
    /// there are none; its edges are as certain as those of shortcuts.
    pub(super) fn improved(
        &self,
        mut plan: Plan,
        starts: &[&[f64]],
        goals: &[&[f64]],
        observer: Observer<'_>,
    ) -> Result<Plan> {
        let (space, total) = (&self.space, &self.total);
        let Some(path) = plan.path.as_mut().filter(|_| total.improve > 0) else {
            return Ok(plan);
        };
        let finest = finest(space)?;
        let bounds = space.bounds();
        let inside = |ends: &[&[f64]], own: Option<&Vec<f64>>| -> Vec<Vec<f64>> {
            let ends = ends
                .iter()
                .map(|q| bounded(q, &bounds, total.end_tolerance));
            match ends.len() {
                0 => own.cloned().into_iter().collect(),
                _ => ends.collect(),
            }
        };
        let ends = [inside(starts, path.first()), inside(goals, path.last())];
        let searched = plan.iterations;
        let is_over = || {
            total
                .max_time
                .is_some_and(|most| self.began.elapsed() >= most)
        };
        let mut more = |drawn| !is_over() && observer(searched + drawn);
        plan.iterations += space.with_workspace(|ws| {
            let free = free_ends(space, ws, [&ends[0], &ends[1]])?;
            let certain = |a: &[f64], b: &[f64], ws: &mut Workspace| {
                finest.is_surely_free_with(a, b, CERTAIN, ws)
            };
            improve(
                space,
                ws,
                path,
                &free,
                Effort::of(total),
                &mut more,
                &certain,
            )
        })?;
        if !goals.is_empty() {
            plan.name_ends(&ends[0], &ends[1]);
        }
        Ok(plan)
    }
}

/// Distance, m, below which a proof would take longer than the samples do.
const LEAST_DISTANCE: f64 = 4e-4;

/// A start or a goal may touch something.
const CERTAIN: Certainty = Certainty {
    least_distance: LEAST_DISTANCE,
    near_ends: true,
};

/// The same space at the resolution of the next check.
fn finer(space: &RobotCSpace) -> Result<RobotCSpace> {
    space.clone().with_resolution(space.resolution() / FINER)
}

/// The same space at the resolution of the last proof: what is nearer than bodies move between samples is not proved.
fn finest(space: &RobotCSpace) -> Result<RobotCSpace> {
    finer(&finer(&finer(space)?)?)
}

/// The rest of a budget, for another search.
fn remaining(total: &Budget, drawn: usize, began: Instant) -> Budget {
    Budget {
        shortcuts: 0,
        improve: 0,
        ..total.left(drawn, began.elapsed())
    }
}
