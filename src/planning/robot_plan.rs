//! A path for robots, checked again more finely than it was found.

use super::clock::Instant;
use super::shortcut::shorten;
use super::{Budget, Plan, RobotCSpace, RrtConnect, Stop};
use crate::Result;
use crate::math::SplitMix;

/// How much finer a path is checked than it was found.
const FINER: f64 = 4.0;

/// How often a path that does not stand the check is looked for anew, each time with a finer resolution.
const ROUNDS: usize = 3;

/// Looks for a path with [`RrtConnect`], and checks what it found at four times the
/// [resolution](RobotCSpace::with_resolution), in the direction in which it will be followed. Shortcuts lead close
/// past what is in the way: they are tried at four times that again.
///
/// A path that does not stand the check, because something thin lies between two samples, is looked for again at the finer
/// resolution, with what is left of the budget.
///
/// # Errors
///
/// As [`RrtConnect::solve`]: a start or a goal that is not free says why.
pub fn plan(space: &mut RobotCSpace, start: &[f64], goal: &[f64], budget: &Budget) -> Result<Plan> {
    plan_watched(space, start, goal, budget, |_| true)
}

/// [`plan`], for somebody who watches: told the number of samples after each of them, the answer is whether to go on.
///
/// # Errors
///
/// As [`plan`].
pub fn plan_watched(
    space: &mut RobotCSpace,
    start: &[f64],
    goal: &[f64],
    budget: &Budget,
    mut watch: impl FnMut(usize) -> bool,
) -> Result<Plan> {
    plan_with(space, budget, &mut watch, |space, budget, watch| {
        RrtConnect::new(budget).solve_watched(space, start, goal, watch)
    })
}

/// [`plan_watched`] with another planner: `search` looks for a path in the space as it is handed over, within the budget that is
/// left, and may ask whoever watches whether to go on. What it finds is checked and made shorter as [`plan`] does.
///
/// # Errors
///
/// Those of `search`.
pub fn plan_with(
    space: &mut RobotCSpace,
    budget: &Budget,
    mut watch: impl FnMut(usize) -> bool,
    search: impl FnMut(&mut RobotCSpace, &Budget, &mut dyn FnMut(usize) -> bool) -> Result<Plan>,
) -> Result<Plan> {
    let resolution = space.resolution();
    let outcome = rounds(space, *budget, &mut watch, search);
    space.set_resolution(resolution)?;
    outcome
}

fn rounds(
    space: &mut RobotCSpace,
    mut budget: Budget,
    watch: &mut impl FnMut(usize) -> bool,
    mut search: impl FnMut(&mut RobotCSpace, &Budget, &mut dyn FnMut(usize) -> bool) -> Result<Plan>,
) -> Result<Plan> {
    let began = Instant::now();
    let whole = budget;
    let mut drawn = 0;
    budget.shortcuts = 0;
    for _ in 0..ROUNDS {
        let searched = search(space, &budget, &mut |i| watch(drawn + i))?;
        drawn += searched.iterations;
        let mut found = Plan {
            iterations: drawn,
            ..searched
        };
        space.set_resolution(space.resolution() / FINER)?;
        let Some(path) = &mut found.path else {
            if found.stop == Stop::TooThin {
                budget = left(&whole, drawn, began);
                continue;
            }
            return Ok(found);
        };
        if stands(space, path)? {
            let is_over = || whole.max_time.is_some_and(|most| began.elapsed() >= most);
            let mut more = || !is_over() && watch(drawn);
            let mut random = SplitMix::new(whole.seed);
            space.set_resolution(space.resolution() / FINER)?;
            shorten(space, path, whole.shortcuts, &mut random, &mut more);
            return Ok(found);
        }
        budget = left(&whole, drawn, began);
    }
    Ok(Plan {
        path: None,
        stop: Stop::TooThin,
        iterations: drawn,
    })
}

/// What is left of a budget for another search.
fn left(whole: &Budget, drawn: usize, began: Instant) -> Budget {
    Budget {
        max_iterations: whole.max_iterations.saturating_sub(drawn),
        max_time: whole
            .max_time
            .map(|most| most.saturating_sub(began.elapsed())),
        shortcuts: 0,
        ..*whole
    }
}

/// Whether every edge of a path is free.
fn stands(space: &mut RobotCSpace, path: &[Vec<f64>]) -> Result<bool> {
    for edge in path.windows(2) {
        if space.first_contact(&edge[0], &edge[1])?.is_some() {
            return Ok(false);
        }
    }
    Ok(true)
}
