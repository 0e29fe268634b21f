//! RRT-Connect (Kuffner and LaValle 2000): two trees grow towards samples and towards each other.

use super::clock::Instant;
use super::edge::MAX_STEPS;
use super::improve::{Effort, improve};
use super::tree::Tree;
use super::{Budget, CSpace, Plan, Termination, shortcut};
use crate::math::SplitMix;
use crate::{Error, Result};

/// A planner for any [`CSpace`].
///
/// Each iteration draws a sample, grows one tree a [range](Budget::range) towards it and, if that is free, the other tree
/// towards the new point as far as it is free. The tree with fewer points is the one that grows; where both have as many, they
/// take turns. Of an edge that is not free 0.7 or else 0.4 is taken, where that is free and no shorter than a quarter of the range.
/// A point from which none was free grows no more towards samples that are farther from it than a radius, which shrinks with each
/// such edge, and grows with each that is free, all or a part (dynamic domains: Yershova et al. 2005, tuned as by Jaillet et al.
/// 2005), and with each sample that is left out. A path that was found is made shorter: random pairs of its
/// points are joined directly where that is free. A step that leads nearer to its target by less than a tenth of the range,
/// as on a manifold that bends away, counts as one that is not free.
#[doc(alias = "RRTConnect")]
#[doc(alias = "birrt")]
#[derive(Debug, Clone)]
pub struct RrtConnect {
    budget: Budget,
}

impl RrtConnect {
    /// A planner with this budget.
    #[must_use]
    pub fn new(budget: &Budget) -> Self {
        Self { budget: *budget }
    }

    /// Searches for a path.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for a start or a goal that is no configuration or is not free, which says
    /// why, for a range that is not positive or makes more than ten million steps from the start to the goal, and what checks
    /// of the space fail with.
    pub fn solve(&self, space: &impl CSpace, start: &[f64], goal: &[f64]) -> Result<Plan> {
        self.solve_observed(space, start, goal, |_| true)
    }

    /// [`solve`](Self::solve) with an observer: it is called with the number of samples after each of them, and returns whether
    /// to go on.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn solve_observed(
        &self,
        space: &impl CSpace,
        start: &[f64],
        goal: &[f64],
        observer: impl FnMut(usize) -> bool,
    ) -> Result<Plan> {
        self.solve_any(space, start, &[goal], observer)
    }

    /// Searches for a path to any of several goals, one tree growing from all of them; [`Plan::goal`] is the one that it
    /// reaches. Goals that are not free are left out. `observer` as in [`solve_observed`](Self::solve_observed).
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve); of goals where none is free, for the first, and [`Error::Invalid`] where there is none.
    pub fn solve_any<G: AsRef<[f64]>>(
        &self,
        space: &impl CSpace,
        start: &[f64],
        goals: &[G],
        observer: impl FnMut(usize) -> bool,
    ) -> Result<Plan> {
        self.solve_drawn(space, &[start], goals, || Ok(None), observer)
    }

    /// [`solve_any`](Self::solve_any) from any of several starts, with goals that are drawn while it runs: `draw` is asked for
    /// another one whenever the tree that grows from the goals has two more points, and those that are not free are left out.
    /// [`Plan::goal`] counts the `goals` first, then those drawn; [`Plan::start`] is the start of the path.
    ///
    /// # Errors
    ///
    /// As [`solve_any`](Self::solve_any), of starts as of goals, those of `draw`, and for a drawn goal that is no configuration.
    pub fn solve_drawn<Q: AsRef<[f64]>, G: AsRef<[f64]>>(
        &self,
        space: &impl CSpace,
        starts: &[Q],
        goals: &[G],
        mut draw: impl FnMut() -> Result<Option<Vec<f64>>>,
        mut observer: impl FnMut(usize) -> bool,
    ) -> Result<Plan> {
        let began = Instant::now();
        let bounds = space.bounds();
        let inside = |q: &[f64]| bounded(q, &bounds, self.budget.end_tolerance);
        let starts: Vec<Vec<f64>> = starts.iter().map(|start| inside(start.as_ref())).collect();
        let mut all: Vec<Vec<f64>> = goals.iter().map(|goal| inside(goal.as_ref())).collect();
        let known = all.clone();
        let known: Vec<&[f64]> = known.iter().map(|goal| &goal[..]).collect();
        space.with_workspace(|ws| {
            let mut draw = || {
                let goal = draw()?.map(|goal| inside(&goal));
                all.extend(goal.clone());
                Ok(goal)
            };
            let from: Vec<&[f64]> = starts.iter().map(|start| &start[..]).collect();
            let mut plan = self.search(space, ws, &from, &known, &mut draw, &mut observer)?;
            self.improve(space, ws, &mut plan, [&starts, &all], began, &mut observer)?;
            plan.name_ends(&starts, &all);
            Ok(plan)
        })
    }

    /// Looks for paths that are shorter than that of a plan, to any of the goals.
    fn improve<S: CSpace>(
        &self,
        space: &S,
        ws: &mut S::Workspace,
        plan: &mut Plan,
        ends: [&[Vec<f64>]; 2],
        began: Instant,
        observer: &mut dyn FnMut(usize) -> bool,
    ) -> Result<()> {
        let Some(path) = plan.path.as_mut().filter(|_| self.budget.improve > 0) else {
            return Ok(());
        };
        let ends = free_ends(space, ws, ends)?;
        let is_over = || self.budget.max_time.is_some_and(|t| began.elapsed() >= t);
        let searched = plan.iterations;
        let mut more = |drawn| !is_over() && observer(searched + drawn);
        let certain = |_: &[f64], _: &[f64], _: &mut S::Workspace| Ok(true);
        let effort = Effort::of(&self.budget);
        plan.iterations += improve(space, ws, path, &ends, effort, &mut more, &certain)?;
        Ok(())
    }

    fn search<S: CSpace>(
        &self,
        space: &S,
        ws: &mut S::Workspace,
        starts: &[&[f64]],
        goals: &[&[f64]],
        draw: &mut dyn FnMut() -> Result<Option<Vec<f64>>>,
        observer: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Plan> {
        let Budget {
            seed,
            max_iterations,
            max_time,
            range,
            shortcuts,
            ..
        } = self.budget;
        if !(range > 0.0 && range.is_finite()) {
            let problem = format!("{range} is not a positive length");
            return Err(Error::invalid("the range of RRT-Connect", problem));
        }
        let starts = &free_only(space, ws, "start", starts)?;
        let goals = &free_only(space, ws, "goal", goals)?;
        let pairs = || {
            starts
                .iter()
                .flat_map(|start| goals.iter().map(move |goal| (start, goal)))
        };
        for (start, goal) in pairs() {
            let across = space.distance(start, goal) / range;
            if across.is_nan() || across > MAX_STEPS {
                let problem =
                    format!("makes {across} steps from the start to the goal; choose a longer one");
                return Err(Error::invalid("the range of RRT-Connect", problem));
            }
        }
        let began = Instant::now();
        let is_over = || max_time.is_some_and(|most| began.elapsed() >= most);
        let mut random = SplitMix::new(seed);

        for (start, goal) in pairs() {
            if space.is_edge_free_with(start, goal, ws)? {
                let path = vec![start.to_vec(), goal.to_vec()];
                return Ok(Plan::new(Some(path), Termination::Found, 0));
            }
        }
        let mut trees = [Tree::new(space, starts), Tree::new(space, goals)];
        let mut sample = vec![0.0; space.n_dofs()];
        let mut grows = 1;
        let mut drawn = goals.len();
        for iteration in 0..max_iterations {
            if is_over() {
                return Ok(Plan::new(None, Termination::Time, iteration));
            }
            if !observer(iteration) {
                return Ok(Plan::new(None, Termination::Cancelled, iteration));
            }
            if drawn < trees[1].len() / POINTS_PER_GOAL {
                drawn += 1;
                if let Some(goal) = draw()?
                    && is_free_end(space, ws, "goal", &goal)?
                {
                    for start in starts {
                        if space.is_edge_free_with(start, &goal, ws)? {
                            let path = vec![start.to_vec(), goal];
                            return Ok(Plan::new(Some(path), Termination::Found, iteration));
                        }
                    }
                    trees[1].push(space, &goal, None);
                }
            }
            space.sample_into(&mut || random.uniform(), &mut sample);
            if trees[1 - grows].len() <= trees[grows].len() {
                grows = 1 - grows;
            }
            let [a, b] = &mut trees;
            let (one, other) = if grows == 0 { (a, b) } else { (b, a) };
            let Some(new) = one.grow(space, ws, &sample, range)? else {
                continue;
            };
            let target = one.configuration(new);
            if let Some(met) = other.connect(space, ws, target, range, &is_over)? {
                let (mut path, mut rest) = (one.to_root(new), other.to_root(met));
                if grows == 1 {
                    std::mem::swap(&mut path, &mut rest);
                }
                path.reverse();

                // both trees end in the same point
                path.extend(rest.into_iter().skip(1));
                let mut more = || !is_over() && observer(iteration);
                shortcut::shorten(space, ws, &mut path, shortcuts, &mut random, &mut more)?;
                return Ok(Plan::new(Some(path), Termination::Found, iteration + 1));
            }
        }
        Ok(Plan::new(None, Termination::Iterations, max_iterations))
    }
}

/// The configuration with each dof that is beyond its bounds by at most `tolerance` at its bound.
pub(super) fn bounded(q: &[f64], bounds: &[[f64; 2]], tolerance: f64) -> Vec<f64> {
    let mut q = q.to_vec();
    for (x, [low, high]) in q.iter_mut().zip(bounds) {
        let nearest = x.max(*low).min(*high);
        if (*x - nearest).abs() <= tolerance {
            *x = nearest;
        }
    }
    q
}

/// The starts or the goals that are free; an error where none is.
pub(super) fn free_only<'g, S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    end: &'static str,
    all: &[&'g [f64]],
) -> Result<Vec<&'g [f64]>> {
    let Some(first) = all.first() else {
        let subject = format!("the {end}s of a search");
        return Err(Error::invalid(subject, "there are none"));
    };
    let mut free = Vec::new();
    for q in all {
        if is_free_end(space, ws, end, q)? {
            free.push(*q);
        }
    }
    if free.is_empty() {
        check_end(space, ws, end, first)?;
    }
    Ok(free)
}

/// The starts and the goals that are free.
pub(super) fn free_ends<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    ends: [&[Vec<f64>]; 2],
) -> Result<[Vec<Vec<f64>>; 2]> {
    let mut free = [Vec::new(), Vec::new()];
    for (free, ends) in free.iter_mut().zip(ends) {
        for q in ends {
            if is_free_end(space, ws, "end", q)? {
                free.push(q.clone());
            }
        }
    }
    Ok(free)
}

/// Checks that a start or a goal is a free configuration.
pub(super) fn check_end<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    end: &'static str,
    q: &[f64],
) -> Result<()> {
    if is_free_end(space, ws, end, q)? {
        return Ok(());
    }
    let reason = space.reason_with(q, ws)?;
    reason.map_or(Ok(()), |reason| Err(Error::invalid(end, reason)))
}

/// Returns whether a start or a goal is free; an error for what is no configuration.
fn is_free_end<S: CSpace>(
    space: &S,
    ws: &mut S::Workspace,
    end: &'static str,
    q: &[f64],
) -> Result<bool> {
    if q.len() != space.n_dofs() {
        return Err(Error::Length {
            what: end,
            expected: space.n_dofs(),
            found: q.len(),
        });
    }
    if let Some(i) = q.iter().position(|x| !x.is_finite()) {
        return Err(Error::invalid(end, format!("[{i}] is {}", q[i])));
    }
    space.is_free_with(q, ws)
}

/// Points of the tree that grows from the goals for each goal that is drawn.
const POINTS_PER_GOAL: usize = 2;
