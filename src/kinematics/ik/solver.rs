//! IK solver: a descent from the start, then from random starts.

use super::levenberg_marquardt::{Descent, End, StopRule};
use super::solution::{ActiveLimit, Bound, Solution, Termination};
use super::system::System;
use super::variables::Variables;
use super::{Objective, Options};
use crate::kinematics::check;
use crate::math::SplitMix;
use crate::robot::{DofId, Robot};
use crate::{Error, Result};

/// Prepared goals with the scratch to solve them from many starts.
///
/// # Examples
///
/// An arm of two links of 1 m follows a point:
///
/// ```
/// use kinworld::kinematics::ik::{Objective, Options, Solver};
/// use kinworld::robot::{LinkMotion, LinkSpec, RobotBuilder};
/// use kinworld::{Point, Pose, Vector};
///
/// let mut arm = RobotBuilder::new("arm");
/// let upper = arm.add_link(LinkSpec::new("upper", None, LinkMotion::Revolute(Vector::z())));
/// let mut fore = LinkSpec::new("fore", Some(upper), LinkMotion::Revolute(Vector::z()));
/// fore.placement = Pose::translation(1.0, 0.0, 0.0);
/// let fore = arm.add_link(fore);
/// let arm = arm.build()?;
///
/// let hand = Point::new(1.0, 0.0, 0.0);
/// let goal = |y| Objective::point(fore, hand, Point::new(1.0, y, 0.0));
/// let mut solver = Solver::new(&arm, &[goal(1.0)], &Options::default())?;
/// let mut q = solver.solve(&[0.1, 0.2])?.q;
/// assert!(q[0].abs() < 1e-8 && (q[1] - std::f64::consts::FRAC_PI_2).abs() < 1e-8);
/// for y in [0.9, 0.8, 0.7] {
///     solver.set_goal(0, &goal(y))?;
///     let next = solver.solve(&q)?;
///     assert!(next.is_success());
///     q = next.q;
/// }
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "IKSolver")]
#[doc(alias = "GeneralizedIKSolver")]
pub struct Solver<'r> {
    robot: &'r Robot,
    system: System<'r>,
    options: Options,
    descent: Descent,
    /// Largest change of a variable from the start.
    max_deviation: f64,

    // scratch (n): limits of this search, limits with periodic angles unlimited, and configurations
    lower: Vec<f64>,
    upper: Vec<f64>,
    unwrapped_lower: Vec<f64>,
    unwrapped_upper: Vec<f64>,
    start: Vec<f64>,
    x: Vec<f64>,
    from: Vec<f64>,
    best: Vec<f64>,
    residual: Vec<f64>,
}

impl<'r> Solver<'r> {
    /// Prepares goals.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] or [`Error::Length`] for invalid goals and options: links or degrees of freedom that
    /// do not exist, numbers that are not finite, directions of length zero.
    pub fn new(robot: &'r Robot, goals: &[Objective], options: &Options) -> Result<Self> {
        let system = System::new(robot, goals, options)?;
        let n = system.variables.len();
        let is_periodic = |k: usize| system.variables.period[k] > 0.0;
        let open = |limits: &[f64], without: f64| -> Vec<f64> {
            let limit = |k| if is_periodic(k) { without } else { limits[k] };
            (0..n).map(limit).collect()
        };
        Ok(Self {
            unwrapped_lower: open(&system.variables.lower, f64::NEG_INFINITY),
            unwrapped_upper: open(&system.variables.upper, f64::INFINITY),
            lower: system.variables.lower.clone(),
            upper: system.variables.upper.clone(),
            descent: Descent::new(&system),
            residual: vec![0.0; system.goal_rows()],
            start: vec![0.0; n],
            x: vec![0.0; n],
            from: vec![0.0; n],
            best: vec![0.0; n],
            max_deviation: f64::INFINITY,
            options: options.clone(),
            robot,
            system,
        })
    }

    /// Limits the change of every active degree of freedom from the start of a search to `deviation`, rad or m.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a deviation that is negative or NaN.
    pub fn with_max_deviation(self, deviation: f64) -> Result<Self> {
        if deviation.is_nan() || deviation < 0.0 {
            let problem = format!("is {deviation}, it must not be negative");
            return Err(Error::invalid("deviation", problem));
        }
        Ok(Self {
            max_deviation: deviation,
            ..self
        })
    }

    /// Replaces the goal at an index by one with the same link, the same kind of anchor and as many rows.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for an index that does not exist, or a goal that does not fit or is invalid.
    pub fn set_goal(&mut self, index: usize, goal: &Objective) -> Result<()> {
        self.system.set_goal(index, goal)
    }

    /// The degrees of freedom that may move.
    pub fn active(&self) -> impl ExactSizeIterator<Item = DofId> + '_ {
        let follows = self.system.variables.follows.iter();
        follows.map(|follow| DofId::new(follow.dof))
    }

    /// The search variables.
    pub(super) fn variables(&self) -> &Variables {
        &self.system.variables
    }

    /// Searches from a configuration (n), which stays as it is.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite, [`Error::Invalid`].
    pub fn solve(&mut self, q0: &[f64]) -> Result<Solution> {
        self.solve_feasible(q0, |_| true)
    }

    /// Searches for a configuration that meets the goals and that the caller judges feasible.
    ///
    /// # Errors
    ///
    /// As [`solve`](Self::solve).
    pub fn solve_feasible(
        &mut self,
        q0: &[f64],
        mut is_feasible: impl FnMut(&[f64]) -> bool,
    ) -> Result<Solution> {
        check("configuration", self.robot, q0)?;
        self.set_start(q0);
        let mut random = SplitMix::new(self.options.seed);
        let (mut best, mut termination) = (f64::INFINITY, Termination::NoProgress);
        let mut starts = 0;
        while starts <= self.options.restarts {
            if starts > 0 {
                self.draw(&mut random);
            }
            starts += 1;
            let end = self.attempt();
            if end == End::Reached {
                self.improve_secondary();
                if is_feasible(self.system.config()) {
                    self.best.copy_from_slice(&self.x);
                    return Ok(self.solution(starts, Termination::Reached));
                }
                // better than any that misses the goals; the first of these is the nearest
                if termination != Termination::Infeasible {
                    self.best.copy_from_slice(&self.x);
                    (best, termination) = (0.0, Termination::Infeasible);
                }
            } else {
                let cost = self.descent.cost(self.residual.len());
                if cost < best || starts == 1 {
                    self.best.copy_from_slice(&self.x);
                    best = cost;
                }
            }
            if self.x.is_empty() {
                break;
            }
        }
        if termination != Termination::Infeasible {
            termination = self.polish();
            if termination == Termination::Reached {
                self.x.copy_from_slice(&self.best);
                self.improve_secondary();
                self.best.copy_from_slice(&self.x);
                if !is_feasible(self.system.config()) {
                    termination = Termination::Infeasible;
                }
            }
        }
        Ok(self.solution(starts, termination))
    }

    /// Sets the start and the limits around it.
    fn set_start(&mut self, q0: &[f64]) {
        self.descent.iterations = 0;
        self.system.start(q0, &mut self.start);
        let variables = &self.system.variables;
        self.from.copy_from_slice(&self.start);
        variables.wrap_into_limits(&self.from, &mut self.start);
        for k in 0..self.start.len() {
            self.lower[k] = variables.lower[k].max(self.start[k] - self.max_deviation);
            self.upper[k] = variables.upper[k].min(self.start[k] + self.max_deviation);
        }
        self.x.copy_from_slice(&self.start);
    }

    /// Draws a random start: between two limits, in a full turn, or around the given start.
    fn draw(&mut self, random: &mut SplitMix) {
        let period = &self.system.variables.period;
        for k in 0..self.x.len() {
            let (lower, upper, u) = (self.lower[k], self.upper[k], random.uniform());
            self.x[k] = if (upper - lower).is_finite() {
                lower * (1.0 - u) + upper * u
            } else if period[k] > 0.0 {
                self.start[k] + (u - 0.5) * period[k]
            } else {
                // Laplace distribution with scale 1
                let side = 2.0 * u - 1.0;
                self.start[k] - side.signum() * (-side.abs()).ln_1p()
            }
            .min(upper)
            .max(lower);
        }
    }

    /// Descends from `x` within the limits; if that fails, repeats it with periodic angles unlimited, because
    /// an angle beyond a limit may lie within it again after a full turn.
    fn attempt(&mut self) -> End {
        self.from.copy_from_slice(&self.x);
        let steps = self.options.max_iterations;
        let end = self.descend(StopRule::RESTART, steps);
        let variables = &self.system.variables;
        if end == End::Reached || self.max_deviation.is_finite() || !variables.can_wrap() {
            return end;
        }
        self.retry_unwrapped(steps, end)
    }

    /// The second half of an [`attempt`](Self::attempt).
    fn retry_unwrapped(&mut self, steps: usize, first: End) -> End {
        let rows = self.residual.len();
        let cost = self.descent.cost(rows);
        self.x.swap_with_slice(&mut self.from);
        let open = (&self.unwrapped_lower[..], &self.unwrapped_upper[..]);
        let (system, descent) = (&mut self.system, &mut self.descent);
        descent.run(system, &mut self.x, open, StopRule::RESTART, steps);
        let variables = &self.system.variables;
        variables.wrap_into_limits(&self.start, &mut self.x);
        let second = self.descend(StopRule::RESTART, steps);
        if second != End::Reached && cost < self.descent.cost(rows) {
            // return to the result of the first descent
            self.x.copy_from_slice(&self.from);
            self.descend(StopRule::RESTART, 0);
            return first;
        }
        second
    }

    /// Descends from `x` within the limits.
    fn descend(&mut self, rule: StopRule, steps: usize) -> End {
        let limits = (&self.lower[..], &self.upper[..]);
        let (system, descent) = (&mut self.system, &mut self.descent);
        descent.run(system, &mut self.x, limits, rule, steps)
    }

    /// Improves secondary objectives and posture as far as the goals allow, from an `x` that meets the goals.
    fn improve_secondary(&mut self) {
        if !self.system.has_secondary() {
            return;
        }
        self.from.copy_from_slice(&self.x);
        let steps = self.options.max_iterations.saturating_mul(5);
        if let Some(posture) = self.system.posture() {
            self.system.variables.wrap_into_limits(posture, &mut self.x);
        }

        // large weights first for progress, small ones last so that the goals lose nothing
        for factor in SECONDARY_SCALES {
            self.system.set_secondary_scale(Some(factor));
            self.descend(StopRule::SECONDARY, steps);
        }
        self.system.set_secondary_scale(None);
        if self.descend(StopRule::CONVERGE, steps) != End::Reached {
            self.x.copy_from_slice(&self.from);
            self.descend(StopRule::CONVERGE, steps);
        }
    }

    /// Descends from the best `x` until it converges.
    fn polish(&mut self) -> Termination {
        self.x.copy_from_slice(&self.best);
        let end = self.descend(
            StopRule::CONVERGE,
            self.options.max_iterations.saturating_mul(5),
        );
        self.best.copy_from_slice(&self.x);
        match end {
            End::Reached => Termination::Reached,
            End::NoProgress => Termination::NoProgress,
            End::OutOfIterations => Termination::OutOfIterations,
        }
    }

    /// Report on the best `x`.
    fn solution(&mut self, starts: usize, termination: Termination) -> Solution {
        self.system.residual(&self.best, &mut self.residual);
        let [position_error, rotation_error] = self.system.errors();
        let at_limit = |follow: &super::variables::Follow| {
            let (k, positive) = (follow.variable, follow.scale > 0.0);
            let x = self.best[k];
            let bound = if x <= self.lower[k] {
                positive
            } else if x >= self.upper[k] {
                !positive
            } else {
                return None;
            };
            Some(ActiveLimit {
                dof: DofId::new(follow.dof),
                bound: if bound { Bound::Lower } else { Bound::Upper },
            })
        };
        let follows = &self.system.variables.follows;
        let mut active_limits = Vec::with_capacity(follows.len());
        active_limits.extend(follows.iter().filter_map(at_limit));
        Solution {
            active_limits,
            q: self.system.config().to_vec(),
            residual: self.residual.clone(),
            position_error,
            rotation_error,
            iterations: self.descent.iterations,
            starts,
            termination,
        }
    }
}

/// Factors of the rows of secondary objectives, in order. Their squares are the weights relative to a goal.
const SECONDARY_SCALES: [f64; 4] = [1e-2, 1e-3, 1e-4, 1e-5];
