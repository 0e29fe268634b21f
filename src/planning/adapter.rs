//! Configuration spaces for the planners of the crate `oxmpl`.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use oxmpl::base::error::{PlanningError, StateSamplingError};
use oxmpl::base::goal::{Goal, GoalRegion, GoalSampleableRegion};
use oxmpl::base::planner::{Path, Planner, PlannerConfig};
use oxmpl::base::problem_definition::ProblemDefinition;
use oxmpl::base::space::StateSpace;
use oxmpl::base::state::State;
use oxmpl::base::validity::StateValidityChecker;
use oxmpl::geometric::{PRM, RRT, RRTConnect, RRTStar};
use rand_core::Rng;

use super::clock::Instant;
use super::rrt_connect::check_end;
use super::shortcut::shorten;
use super::{Budget, CSpace, Plan, Termination};
use crate::math::SplitMix;
use crate::{Error, Result};

/// A configuration, as a state of `oxmpl`.
#[derive(Debug, Clone, PartialEq)]
pub struct OxmplState(pub Vec<f64>);

impl State for OxmplState {}

/// A [`CSpace`] as a state space and a validity checker of `oxmpl`.
///
/// The validity checks of any number of threads share the one space. `oxmpl` has no motion validator: its planners check
/// states along a straight line. Here these lie as far apart as a [step](CSpace::step) of the space.
/// [`OxmplProblem::checked`] checks the edges of the path that was found as the space does.
///
/// A check that fails counts as invalid here, for the hook of `oxmpl` returns no errors; [`error`](Self::error) keeps the first.
#[derive(Debug)]
pub struct OxmplSpace<S> {
    space: S,
    /// The first sample, so that a roadmap has the goal.
    goal: Vec<f64>,
    has_drawn_goal: AtomicBool,
    n_samples: AtomicUsize,
    max_samples: AtomicUsize,
    error: OnceLock<Error>,
}

impl<S> OxmplSpace<S> {
    /// The space.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.space
    }

    /// The first error of a validity check, `None` where there was none.
    #[must_use]
    pub fn error(&self) -> Option<&Error> {
        self.error.get()
    }
}

impl<S: CSpace + Send + Sync> StateSpace for OxmplSpace<S> {
    type StateType = OxmplState;

    fn distance(&self, a: &OxmplState, b: &OxmplState) -> f64 {
        self.space.distance(&a.0, &b.0)
    }

    fn interpolate(&self, from: &OxmplState, to: &OxmplState, t: f64, state: &mut OxmplState) {
        self.space.interpolate_into(&from.0, &to.0, t, &mut state.0);
    }

    fn enforce_bounds(&self, state: &mut OxmplState) {
        for (x, [low, high]) in state.0.iter_mut().zip(self.space.bounds()) {
            *x = x.min(high).max(low);
        }
    }

    fn satisfies_bounds(&self, state: &OxmplState) -> bool {
        let bounds = self.space.bounds();
        let mut both = state.0.iter().zip(bounds);
        both.all(|(x, [low, high])| low <= *x && *x <= high)
    }

    fn sample_uniform(
        &self,
        random: &mut impl Rng,
    ) -> std::result::Result<OxmplState, StateSamplingError> {
        if !self.has_drawn_goal.swap(true, Ordering::Relaxed) {
            return Ok(OxmplState(self.goal.clone()));
        }
        let most = self.max_samples.load(Ordering::Relaxed);
        let count = |n: usize| (n < most).then_some(n + 1);
        let n_samples = &self.n_samples;
        if n_samples
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, count)
            .is_err()
        {
            let attempts = u32::try_from(most).unwrap_or(u32::MAX);
            return Err(StateSamplingError::GoalSamplingTimeout { attempts });
        }

        // the upper 53 bits, as many as a float holds
        let mut uniform = || (random.next_u64() >> 11) as f64 * f64::EPSILON * 0.5;
        let mut q = vec![0.0; self.space.n_dofs()];
        self.space.sample_into(&mut uniform, &mut q);
        Ok(OxmplState(q))
    }

    /// Ten steps: `oxmpl` checks ten states on each segment.
    fn get_longest_valid_segment_length(&self) -> f64 {
        10.0 * self.space.step()
    }
}

impl<S: CSpace + Send + Sync> StateValidityChecker<OxmplState> for OxmplSpace<S> {
    fn is_valid(&self, state: &OxmplState) -> bool {
        self.space.is_free(&state.0).unwrap_or_else(|error| {
            // only the first is kept
            let _ = self.error.set(error);
            false
        })
    }
}

/// One configuration as a goal of `oxmpl`.
#[derive(Debug)]
pub struct OxmplGoal<S> {
    space: Arc<OxmplSpace<S>>,
    goal: OxmplState,
}

impl<S: CSpace + Send + Sync> Goal<OxmplState> for OxmplGoal<S> {
    fn is_satisfied(&self, state: &OxmplState) -> bool {
        self.space.distance(state, &self.goal) <= TOLERANCE
    }
}

impl<S: CSpace + Send + Sync> GoalRegion<OxmplState> for OxmplGoal<S> {
    fn distance_goal(&self, state: &OxmplState) -> f64 {
        (self.space.distance(state, &self.goal) - TOLERANCE).max(0.0)
    }
}

impl<S: CSpace + Send + Sync> GoalSampleableRegion<OxmplState> for OxmplGoal<S> {
    fn sample_goal(&self, _: &mut impl Rng) -> std::result::Result<OxmplState, StateSamplingError> {
        Ok(self.goal.clone())
    }
}

/// A start and a goal in a space, for any planner of `oxmpl` 0.8 (feature `oxmpl`).
///
/// [`plan_with_oxmpl`] does all of it with a planner by name.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use kinworld::WorldModel;
/// use kinworld::planning::{OxmplProblem, RobotCSpace};
/// use oxmpl::base::planner::{Planner, PlannerConfig};
/// use oxmpl::geometric::RRT;
///
/// let world = WorldModel::load("data/worlds/cell.xml")?.value;
/// let arm = world.robot("arm")?.id();
/// let space = RobotCSpace::new(&world, &[arm])?;
/// let problem = OxmplProblem::new(space, &[0.0; 6], &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0])?;
///
/// let mut planner = RRT::new(1.0, 0.05, &PlannerConfig { seed: Some(1) });
/// planner.setup(problem.definition(), problem.checker());
/// let path = planner.solve(Duration::from_secs(60)).expect("nothing is in the way");
/// assert!(problem.checked(&path)?.len() >= 2);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug)]
pub struct OxmplProblem<S> {
    space: Arc<OxmplSpace<S>>,
    start: OxmplState,
    goal: Arc<OxmplGoal<S>>,
}

impl<S: CSpace + Send + Sync + 'static> OxmplProblem<S> {
    /// The problem of a path from a configuration to another.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for a start or a goal that is no configuration or is not free, which says why:
    /// planners of `oxmpl` do not check that.
    pub fn new(space: S, start: &[f64], goal: &[f64]) -> Result<Self> {
        space.with_workspace(|ws| {
            check_end(&space, ws, "start", start)?;
            check_end(&space, ws, "goal", goal)
        })?;
        let space = Arc::new(OxmplSpace {
            space,
            goal: goal.to_vec(),
            has_drawn_goal: AtomicBool::new(false),
            n_samples: AtomicUsize::new(0),
            max_samples: AtomicUsize::new(usize::MAX),
            error: OnceLock::new(),
        });
        let goal = OxmplState(goal.to_vec());
        Ok(Self {
            start: OxmplState(start.to_vec()),
            goal: Arc::new(OxmplGoal {
                space: Arc::clone(&space),
                goal,
            }),
            space,
        })
    }

    /// With at most so many samples, after which a planner ends with a sampling error. A [`PRM`] would lose its roadmap by
    /// that: it ends by time.
    #[must_use]
    pub fn max_samples(self, most: usize) -> Self {
        self.space.max_samples.store(most, Ordering::Relaxed);
        self
    }

    /// The problem definition: the first argument of `Planner::setup`.
    #[must_use]
    pub fn definition(&self) -> Arc<ProblemDefinition<OxmplState, OxmplSpace<S>, OxmplGoal<S>>> {
        Arc::new(ProblemDefinition {
            space: Arc::clone(&self.space),
            start_states: vec![self.start.clone()],
            goal: Arc::clone(&self.goal),
        })
    }

    /// The validity checker: the second argument of `Planner::setup`.
    #[must_use]
    pub fn checker(&self) -> Arc<dyn StateValidityChecker<OxmplState>> {
        Arc::<OxmplSpace<S>>::clone(&self.space)
    }

    /// Number of samples that were drawn so far, without those of the goal.
    #[must_use]
    pub fn n_samples(&self) -> usize {
        self.space.n_samples.load(Ordering::Relaxed)
    }

    /// The waypoints of a path that a planner found, from the start to the goal, if all its edges are
    /// [free](CSpace::is_edge_free) in the space.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a path with an edge that is not free, and for one that begins elsewhere; the errors of the
    /// checks, those of the search included.
    pub fn checked(&self, path: &Path<OxmplState>) -> Result<Vec<Vec<f64>>> {
        if let Some(error) = self.space.error() {
            return Err(error.clone());
        }
        let waypoints = self.waypoints(path)?;
        match self
            .space
            .space
            .with_workspace(|ws| blocked_edge(&self.space.space, &waypoints, ws))?
        {
            None => Ok(waypoints),
            Some(i) => Err(Error::invalid(
                format!("edge {i} of a path"),
                "is not free: something lies between the states that were checked",
            )),
        }
    }

    /// The waypoints of a path that a planner found, from the start to the goal.
    fn waypoints(&self, path: &Path<OxmplState>) -> Result<Vec<Vec<f64>>> {
        let mut waypoints: Vec<Vec<f64>> = path.0.iter().map(|state| state.0.clone()).collect();
        if waypoints.first() != Some(&self.start.0) {
            return Err(Error::invalid("a path", "does not begin at the start"));
        }
        if waypoints.last() != Some(&self.goal.goal.0) {
            waypoints.push(self.goal.goal.0.clone());
        }
        Ok(waypoints)
    }
}

/// A planner of `oxmpl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OxmplPlanner {
    /// A roadmap, built for half of the time, 5 s where that has no end. Its size depends on the machine.
    Prm,
    /// One tree.
    Rrt,
    /// Two trees.
    RrtConnect,
    /// One tree that prefers short paths; it ends with the first path.
    RrtStar,
}

/// Searches for a path with a planner of `oxmpl` (feature `oxmpl`), checks its edges in the space, and makes it shorter as
/// [`RrtConnect`](super::RrtConnect) does.
///
/// The range of the budget is that of trees, and the radius within which [`RrtStar`](OxmplPlanner::RrtStar) rewires; twice
/// that is the distance within which [`Prm`](OxmplPlanner::Prm) joins samples. One sample in twenty is the goal. A path with
/// an edge that is not free ends as [`Termination::TooThin`].
///
/// # Errors
///
/// As [`RrtConnect::solve`](super::RrtConnect::solve).
pub fn plan_with_oxmpl<S: CSpace + Clone + Send + Sync + 'static>(
    space: &S,
    start: &[f64],
    goal: &[f64],
    planner: OxmplPlanner,
    budget: &Budget,
) -> Result<Plan> {
    let range = budget.range;
    if !(range > 0.0 && range.is_finite()) {
        let problem = format!("{range} is not a positive length");
        return Err(Error::invalid("the range of a planner", problem));
    }
    let began = Instant::now();
    let problem = OxmplProblem::new(space.clone(), start, goal)?;
    let config = PlannerConfig {
        seed: Some(budget.seed),
    };
    let time = budget.max_time.unwrap_or(Duration::MAX);
    let most = budget.max_iterations;
    let (problem, found) = match planner {
        OxmplPlanner::Prm => {
            let half = budget.max_time.map_or(5.0, |time| 0.5 * time.as_secs_f64());
            let mut planner = PRM::new(half, 2.0 * range, &config);
            planner.setup(problem.definition(), problem.checker());
            let found = planner
                .construct_roadmap()
                .and_then(|()| planner.solve(time.saturating_sub(began.elapsed())));
            (problem, found)
        }
        OxmplPlanner::Rrt => run(
            problem.max_samples(most),
            RRT::new(range, BIAS, &config),
            time,
        ),
        OxmplPlanner::RrtConnect => run(
            problem.max_samples(most),
            RRTConnect::new(range, BIAS, &config),
            time,
        ),
        OxmplPlanner::RrtStar => run(
            problem.max_samples(most),
            RRTStar::new(range, BIAS, range, &config),
            time,
        ),
    };
    if let Some(error) = problem.space.error() {
        return Err(error.clone());
    }
    let (mut path, termination) = match found {
        Ok(path) => {
            let waypoints = problem.waypoints(&path)?;
            match space.with_workspace(|ws| blocked_edge(space, &waypoints, ws))? {
                None => (Some(waypoints), Termination::Found),
                Some(_) => (None, Termination::TooThin),
            }
        }
        Err(PlanningError::Sampling(_)) => (None, Termination::Iterations),
        Err(PlanningError::Timeout | PlanningError::NoSolutionFound) => (None, Termination::Time),
        Err(error) => return Err(Error::invalid("oxmpl", error.to_string())),
    };
    if let Some(path) = &mut path {
        let mut more = || budget.max_time.is_none_or(|most| began.elapsed() < most);
        let mut random = SplitMix::new(budget.seed);
        space.with_workspace(|ws| {
            shorten(space, ws, path, budget.shortcuts, &mut random, &mut more)
        })?;
    }
    Ok(Plan::new(path, termination, problem.n_samples()))
}

type Found<S> = (
    OxmplProblem<S>,
    std::result::Result<Path<OxmplState>, PlanningError>,
);

fn run<S: CSpace + Send + Sync + 'static>(
    problem: OxmplProblem<S>,
    mut planner: impl Planner<OxmplState, OxmplSpace<S>, OxmplGoal<S>>,
    time: Duration,
) -> Found<S> {
    planner.setup(problem.definition(), problem.checker());
    let found = planner.solve(time);
    (problem, found)
}

/// The index of the first edge of a path that is not free.
fn blocked_edge<S: CSpace>(
    space: &S,
    path: &[Vec<f64>],
    ws: &mut S::Workspace,
) -> Result<Option<usize>> {
    for (i, edge) in path.windows(2).enumerate() {
        if !space.is_edge_free_with(&edge[0], &edge[1], ws)? {
            return Ok(Some(i));
        }
    }
    Ok(None)
}

/// Tolerance of the goal, in the metric of the space; the last edge leads to the goal itself.
const TOLERANCE: f64 = 1e-6;
/// Share of samples that are the goal itself.
const BIAS: f64 = 0.05;
