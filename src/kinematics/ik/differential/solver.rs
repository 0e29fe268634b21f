//! Steps of differential IK in memory that is kept.

use super::active_set::{ActiveSet, Held, Limits, Objective, Outcome};
use super::basis::Basis;
use super::least_violation::LeastViolation;
use super::problem::too_large;
use super::rows::Rows;
use super::{DifferentialOptions, VelocityProblem, VelocitySolution};
use crate::Result;
use crate::kinematics::State;
use crate::kinematics::ik::damped_step::dot;
use crate::kinematics::ik::variables::Variables;
use crate::kinematics::ik::{ActiveLimit, Bound, Options};
use crate::robot::{DofId, Robot};

/// Joint velocities of one step after the other, in memory that is kept: a step with as many tasks and constraints as one
/// before does not allocate.
///
/// # Priorities
///
/// Limits of velocity and position always hold. Then come the [constraints](VelocityProblem::constraints); then the tasks,
/// level by level: of all velocities that leave the constraints and the levels before as they are, each level finds the one
/// with the least `½ Σ |w (J dq − v)|² + ½ damping |dq|²`. This is lexicographic least squares (Escande, Mansard, Wieber
/// 2014, "Hierarchical quadratic programming"): a level changes nothing of what those before it achieved, while limits that
/// stop one are left by another. Each minimum is exact, found by an active set. Rows of a level that are less than 1e-10 of
/// its longest one, after what others have of them, count as dependent.
///
/// # Constraints that contradict each other
///
/// The limits or the constraints among themselves may leave no velocity. Then the sum of the squares of the excesses
/// `row · dq − bound` is the least possible, [`violated_constraints`](VelocitySolution::violated_constraints) names the rows,
/// and no task makes it worse.
///
/// # Examples
///
/// A hand follows a velocity first; its redundant joint turns back to zero as far as the hand stays unmoved by it:
///
/// ```
/// use kinworld::kinematics::ik::{DifferentialOptions, DifferentialSolver, JointVelocityTask, VelocityProblem, VelocityTask};
/// use kinworld::{Point, Robot, State, Vector};
///
/// let arm = Robot::load("data/robots/planar3R.rob")?.value;
/// let mut state = State::new(&arm);
/// state.set_config(&arm, &[0.3, 0.4, 0.5])?;
/// let up = VelocityTask::point(arm.link_id("link2")?, Point::new(1.0, 0.0, 0.0), Vector::z() * 0.1);
/// let home = JointVelocityTask::towards(state.config(), &[0.0; 3], 1.0).with_level(1);
/// let problem = VelocityProblem::new(&arm, [up]).with_joints([home]);
///
/// let mut solver = DifferentialSolver::new(&arm, &DifferentialOptions::default())?;
/// let found = solver.solve(&state, &problem)?;
/// assert!(found.residual[..3].iter().all(|r| r.abs() < 1e-6));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "Oink")]
#[doc(alias = "solve_ik")]
pub struct DifferentialSolver<'r> {
    robot: &'r Robot,
    options: DifferentialOptions,
    /// One for each driver and degree of freedom that may move.
    variables: Variables,
    /// Index of the variable that each degree of freedom follows, and by which factor (n).
    follow_of: Vec<Option<(usize, f64)>>,
    solution: VelocitySolution,

    // of one step: values and bounds of all variables; which of them move
    values: Vec<f64>,
    slowest: Vec<f64>,
    fastest: Vec<f64>,
    rows: Rows,
    /// Bounds of those that move, and their velocities (m); whether a bound is active.
    lower: Vec<f64>,
    upper: Vec<f64>,
    x: Vec<f64>,
    at_bound: Vec<bool>,
    /// Limits of the constraints as far as they can be met, and whether one is active.
    limits: Vec<f64>,
    holds: Vec<bool>,
    set: ActiveSet,
    basis: Basis,
    least: LeastViolation,
}

impl<'r> DifferentialSolver<'r> {
    /// Prepares steps.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Length`](crate::Error::Length) for invalid options.
    pub fn new(robot: &'r Robot, options: &DifferentialOptions) -> Result<Self> {
        options.check(robot)?;
        let search = Options {
            active: options.active.clone(),
            ..Options::default()
        };
        let n = robot.n_dofs();
        let variables = Variables::new(robot, &search, &vec![true; n])?;
        let mut follow_of = vec![None; n];
        for follow in &variables.follows {
            follow_of[follow.dof] = Some((follow.variable, follow.scale));
        }
        let m = variables.len();
        Ok(Self {
            robot,
            options: options.clone(),
            rows: Rows::new(m, n),
            variables,
            follow_of,
            solution: VelocitySolution::default(),
            values: vec![0.0; m],
            slowest: vec![0.0; m],
            fastest: vec![0.0; m],
            lower: Vec::with_capacity(m),
            upper: Vec::with_capacity(m),
            x: Vec::with_capacity(m),
            at_bound: Vec::with_capacity(m),
            limits: Vec::new(),
            holds: Vec::new(),
            set: ActiveSet::default(),
            basis: Basis::default(),
            least: LeastViolation::default(),
        })
    }

    /// Finds the velocity of a step.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) or [`Error::Length`](crate::Error::Length) for an invalid problem: a state of
    /// another robot, links that do not exist, lists of another length, numbers that are not finite or too large. The last solution is then kept.
    pub fn solve(&mut self, state: &State, problem: &VelocityProblem) -> Result<&VelocitySolution> {
        state.check_robot(self.robot)?;
        problem.check(self.robot)?;
        self.bound_velocities(state);
        let all = self.options.active.is_some();
        self.rows.choose(self.robot, &self.variables, problem, all);
        self.lower.clear();
        self.upper.clear();
        self.x.clear();
        for &variable in self.rows.moving() {
            let (lower, upper) = (self.slowest[variable], self.fastest[variable]);
            self.lower.push(lower);
            self.upper.push(upper);
            self.x.push(0.0_f64.min(upper).max(lower));
        }
        let places = &self.follow_of;
        if !self.rows.fill(self.robot, places, state, problem) {
            return Err(too_large());
        }
        let is_optimal = self.search(problem)?;
        self.answer(problem);
        self.solution.is_optimal = is_optimal;
        Ok(&self.solution)
    }

    /// The solution of the last step.
    #[must_use]
    pub fn solution(&self) -> &VelocitySolution {
        &self.solution
    }

    /// Takes the solution of the last step.
    pub(super) fn into_solution(self) -> VelocitySolution {
        self.solution
    }

    /// Bounds all variables, so that velocity and, after `dt`, position stay within their limits.
    fn bound_velocities(&mut self, state: &State) {
        let variables = &mut self.variables;
        variables.read(state.config(), &mut self.values);
        self.slowest.fill(f64::NEG_INFINITY);
        self.fastest.fill(f64::INFINITY);
        for follow in &variables.follows {
            let [min, max] = match &self.options.velocity_limits {
                Some(limits) => limits[follow.dof],
                None => {
                    let limits = &self.robot.limits()[follow.dof];
                    [limits.v_min, limits.v_max]
                }
            };
            let ends = [min / follow.scale, max / follow.scale];
            let k = follow.variable;
            self.slowest[k] = self.slowest[k].max(ends[0].min(ends[1]));
            self.fastest[k] = self.fastest[k].min(ends[0].max(ends[1]));
        }
        let dt = self.options.dt;
        for k in 0..variables.len() {
            // return no faster than the velocity limit
            let (slow, fast) = (self.slowest[k], self.fastest[k].max(self.slowest[k]));
            self.fastest[k] = fast;
            if dt.is_finite() {
                let x = self.values[k];
                self.slowest[k] = ((variables.lower[k] - x) / dt).max(slow).min(fast);
                self.fastest[k] = ((variables.upper[k] - x) / dt).min(fast).max(slow);
                self.fastest[k] = self.fastest[k].max(self.slowest[k]);
            }
        }
    }

    /// Finds the velocities of the variables: constraints first, then level by level; `false` where a level is not at its minimum.
    fn search(&mut self, problem: &VelocityProblem) -> Result<bool> {
        let m = self.x.len();
        let rows = &self.rows;
        self.basis.reset(m);
        self.at_bound.clear();
        self.at_bound.resize(m, false);
        self.holds.clear();
        self.holds.resize(rows.bounds().len(), false);
        let mut is_optimal = true;
        if m == 0 {
            return Ok(is_optimal);
        }
        let (lower, upper) = (&self.lower, &self.upper);

        // as far as the constraints can be met
        let is_missed = |(row, bound): (&[f64], &f64)| dot(row, &self.x) > *bound;
        if rows.constraints().zip(rows.bounds()).any(is_missed) {
            let limits = Limits {
                lower,
                upper,
                rows: rows.constraint_rows(),
                limits: rows.bounds(),
            };
            let found = self
                .least
                .minimize(&mut self.set, &self.basis, &limits, &mut self.x);
            if found == Outcome::Overflow {
                return Err(too_large());
            }
        }
        self.limits.clear();
        let unit_rows = rows.unit_rows().chunks_exact(m);
        self.limits.extend(
            unit_rows
                .zip(rows.unit_bounds())
                .map(|(row, bound)| dot(row, &self.x).max(*bound)),
        );

        let mut level = problem.next_level(0);
        let mut is_first = true;
        while is_first || level.is_some() {
            let (level_rows, target) = rows.level(level);
            let objective = Objective {
                rows: level_rows,
                target,
                damping: self.options.damping,
                basis: &self.basis,
            };
            let limits = Limits {
                lower,
                upper,
                rows: rows.unit_rows(),
                limits: &self.limits,
            };
            match self.set.minimize(&objective, &limits, &mut self.x) {
                Outcome::Minimum => {}
                Outcome::Stopped => is_optimal = false,
                Outcome::Overflow => return Err(too_large()),
            }
            for held in &self.set.held {
                match *held {
                    Held::Lower(k) | Held::Upper(k) => self.at_bound[k] = true,
                    Held::Row(i) => self.holds[i] = true,
                }
            }
            is_first = false;
            let after = level.and_then(|level| level.checked_add(1));
            level = after.and_then(|after| problem.next_level(after));
            if level.is_some() {
                self.basis.remove(level_rows, m);
            }
        }
        Ok(is_optimal)
    }

    /// Writes the solution.
    fn answer(&mut self, problem: &VelocityProblem) {
        let (solution, rows, x) = (&mut self.solution, &self.rows, &self.x);
        solution.dq.clear();
        solution.dq.resize(self.robot.n_dofs(), 0.0);
        solution.active_limits.clear();
        for follow in &self.variables.follows {
            let Some(k) = rows.place(follow.variable) else {
                continue;
            };
            solution.dq[follow.dof] = follow.scale * x[k];
            if self.at_bound[k] {
                let at_lower = x[k] <= self.lower[k];
                solution.active_limits.push(ActiveLimit {
                    dof: DofId::new(follow.dof),
                    bound: if at_lower == (follow.scale > 0.0) {
                        Bound::Lower
                    } else {
                        Bound::Upper
                    },
                });
            }
        }
        solution.residual.clear();
        for (i, task) in problem.tasks.iter().enumerate() {
            let residual = rows
                .of_task(i, task)
                .map(|(row, target)| (dot(row, x) - target) / task.weight);
            solution.residual.extend(residual);
        }
        for task in &problem.joints {
            let missing = solution
                .dq
                .iter()
                .zip(&task.dq)
                .map(|(dq, target)| dq - target);
            solution.residual.extend(missing);
        }

        solution.active_constraints.clear();
        solution.violated_constraints.clear();
        solution.violation = 0.0;
        let longest = x.iter().fold(1.0_f64, |longest, x| longest.max(x.abs()));
        for (i, (row, bound)) in rows.constraints().zip(rows.bounds()).enumerate() {
            let excess = dot(row, x) - bound;
            let length: f64 = row.iter().map(|a| a.abs()).sum();
            if excess > TOLERANCE * (length * longest + bound.abs()) {
                solution.violated_constraints.push(i);
                solution.violation = solution.violation.max(excess);
            } else if self.holds[i] {
                solution.active_constraints.push(i);
            }
        }
    }
}

/// A constraint is violated from this part of its terms on.
const TOLERANCE: f64 = 1e-9;
