//! Our spaces for the planners of the crate `oxmpl`.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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
use super::{Budget, CSpace, Plan, Stop};
use crate::math::SplitMix;
use crate::{Error, Result};

/// A configuration, as a state of `oxmpl`.
#[derive(Debug, Clone, PartialEq)]
pub struct OxmplState(pub Vec<f64>);

impl State for OxmplState {}

/// A [`CSpace`] as a state space and a validity checker of `oxmpl`.
///
/// `oxmpl` knows no validator of motions: its planners ask for the validity of states along a straight line. Here they lie as
/// far apart as a [step](CSpace::step) of the space; whether the path that was found keeps to the space's own answer about
/// ways is asked by [`OxmplProblem::checked`].
#[derive(Debug)]
pub struct OxmplSpace<S> {
    space: S,
    asked: Mutex<Asked<S>>,
}

/// What changes while a planner asks.
#[derive(Debug)]
struct Asked<S> {
    space: S,
    /// The first sample, so that a roadmap has the goal.
    first: Option<Vec<f64>>,
    n_samples: usize,
    most_samples: usize,
}

impl<S> OxmplSpace<S> {
    /// A planner that panicked elsewhere leaves a space that still answers.
    fn asked(&self) -> MutexGuard<'_, Asked<S>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: CSpace> StateSpace for OxmplSpace<S> {
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
        let mut asked = self.asked();
        if let Some(first) = asked.first.take() {
            return Ok(OxmplState(first));
        }
        if asked.n_samples >= asked.most_samples {
            let attempts = u32::try_from(asked.most_samples).unwrap_or(u32::MAX);
            return Err(StateSamplingError::GoalSamplingTimeout { attempts });
        }
        asked.n_samples += 1;

        // the upper 53 bits, as many as a float holds
        let mut uniform = || (random.next_u64() >> 11) as f64 * f64::EPSILON * 0.5;
        let mut q = vec![0.0; self.space.dimension()];
        asked.space.sample_into(&mut uniform, &mut q);
        Ok(OxmplState(q))
    }

    /// `oxmpl` tests ten states on each.
    fn get_longest_valid_segment_length(&self) -> f64 {
        10.0 * self.space.step()
    }
}

impl<S: CSpace> StateValidityChecker<OxmplState> for OxmplSpace<S> {
    fn is_valid(&self, state: &OxmplState) -> bool {
        self.asked().space.is_free(&state.0)
    }
}

/// One configuration as a goal of `oxmpl`.
#[derive(Debug)]
pub struct OxmplGoal<S> {
    space: Arc<OxmplSpace<S>>,
    goal: OxmplState,
}

impl<S: CSpace> Goal<OxmplState> for OxmplGoal<S> {
    fn is_satisfied(&self, state: &OxmplState) -> bool {
        self.space.distance(state, &self.goal) <= ARRIVED
    }
}

impl<S: CSpace> GoalRegion<OxmplState> for OxmplGoal<S> {
    fn distance_goal(&self, state: &OxmplState) -> f64 {
        (self.space.distance(state, &self.goal) - ARRIVED).max(0.0)
    }
}

impl<S: CSpace> GoalSampleableRegion<OxmplState> for OxmplGoal<S> {
    fn sample_goal(&self, _: &mut impl Rng) -> std::result::Result<OxmplState, StateSamplingError> {
        Ok(self.goal.clone())
    }
}

/// A start and a goal in a space, for any planner of `oxmpl` 0.8 (feature `oxmpl`).
///
/// [`plan_with_oxmpl`] does all of it for those who need no planner of their own.
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

impl<S: CSpace + Clone + 'static> OxmplProblem<S> {
    /// From a configuration to another.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] and [`Error::Invalid`] for a start or a goal that is no configuration or is not free, which says why:
    /// planners of `oxmpl` do not ask.
    pub fn new(mut space: S, start: &[f64], goal: &[f64]) -> Result<Self> {
        check_end(&mut space, "start", start)?;
        check_end(&mut space, "goal", goal)?;
        let asked = Asked {
            space: space.clone(),
            first: Some(goal.to_vec()),
            n_samples: 0,
            most_samples: usize::MAX,
        };
        let space = Arc::new(OxmplSpace {
            space,
            asked: Mutex::new(asked),
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

    /// With at most so many samples, after which a planner ends with an error of sampling. The roadmap of a [`PRM`] would be lost
    /// with it: that ends by time.
    #[must_use]
    pub fn max_samples(self, most: usize) -> Self {
        self.space.asked().most_samples = most;
        self
    }

    /// What `Planner::setup` takes first.
    #[must_use]
    pub fn definition(&self) -> Arc<ProblemDefinition<OxmplState, OxmplSpace<S>, OxmplGoal<S>>> {
        Arc::new(ProblemDefinition {
            space: Arc::clone(&self.space),
            start_states: vec![self.start.clone()],
            goal: Arc::clone(&self.goal),
        })
    }

    /// What `Planner::setup` takes second.
    #[must_use]
    pub fn checker(&self) -> Arc<dyn StateValidityChecker<OxmplState>> {
        Arc::<OxmplSpace<S>>::clone(&self.space)
    }

    /// How many samples were drawn so far, those of the goal left out.
    #[must_use]
    pub fn n_samples(&self) -> usize {
        self.space.asked().n_samples
    }

    /// The corners of a path that a planner found, from the start to the goal, if the space calls all its edges
    /// [free](CSpace::is_edge_free).
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a path with an edge that is not free, and for one that begins elsewhere.
    pub fn checked(&self, path: &Path<OxmplState>) -> Result<Vec<Vec<f64>>> {
        let mut corners: Vec<Vec<f64>> = path.0.iter().map(|state| state.0.clone()).collect();
        if corners.first() != Some(&self.start.0) {
            return Err(Error::invalid("a path", "does not begin at the start"));
        }
        if corners.last() != Some(&self.goal.goal.0) {
            corners.push(self.goal.goal.0.clone());
        }
        let space = &mut self.space.asked().space;
        let mut edges = corners.windows(2);
        match edges.position(|edge| !space.is_edge_free(&edge[0], &edge[1])) {
            None => Ok(corners),
            Some(i) => Err(Error::invalid(
                format!("edge {i} of a path"),
                "is not free: something lies between the states that were tested",
            )),
        }
    }
}

/// The planners of `oxmpl`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OxmplPlanner {
    /// A roadmap, built for half of the time, 5 s where that has no end. How far it gets depends on the machine.
    Prm,
    /// One tree.
    Rrt,
    /// Two trees.
    RrtConnect,
    /// One tree that prefers short ways; it ends with the first path.
    RrtStar,
}

/// Looks for a path with a planner of `oxmpl` (feature `oxmpl`), asks the space whether its edges are free, and makes it shorter
/// as [`RrtConnect`](super::RrtConnect) does.
///
/// The range of the budget is that of trees, and within which [`RrtStar`](OxmplPlanner::RrtStar) looks for shorter ways; twice
/// that is how far [`Prm`](OxmplPlanner::Prm) joins samples. One sample in twenty is the goal. A path with an edge that is not free ends as
/// [`Stop::TooThin`].
///
/// # Errors
///
/// As [`RrtConnect::solve`](super::RrtConnect::solve).
pub fn plan_with_oxmpl<S: CSpace + Clone + 'static>(
    space: &mut S,
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
    let (mut path, stop) = match found {
        Ok(path) => match problem.checked(&path) {
            Ok(path) => (Some(path), Stop::Found),
            Err(_) => (None, Stop::TooThin),
        },
        Err(PlanningError::Sampling(_)) => (None, Stop::Iterations),
        Err(PlanningError::Timeout | PlanningError::NoSolutionFound) => (None, Stop::Time),
        Err(error) => return Err(Error::invalid("oxmpl", error.to_string())),
    };
    if let Some(path) = &mut path {
        let mut more = || budget.max_time.is_none_or(|most| began.elapsed() < most);
        let mut random = SplitMix::new(budget.seed);
        shorten(space, path, budget.shortcuts, &mut random, &mut more);
    }
    Ok(Plan {
        path,
        stop,
        iterations: problem.n_samples(),
    })
}

type Found<S> = (
    OxmplProblem<S>,
    std::result::Result<Path<OxmplState>, PlanningError>,
);

fn run<S: CSpace + Clone + 'static>(
    problem: OxmplProblem<S>,
    mut planner: impl Planner<OxmplState, OxmplSpace<S>, OxmplGoal<S>>,
    time: Duration,
) -> Found<S> {
    planner.setup(problem.definition(), problem.checker());
    let found = planner.solve(time);
    (problem, found)
}

/// How near to the goal counts as there, in the metric of the space; the last edge leads to the goal itself.
const ARRIVED: f64 = 1e-6;
/// How often the goal itself is drawn.
const BIAS: f64 = 0.05;
