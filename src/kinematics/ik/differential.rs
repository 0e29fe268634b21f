//! Differential IK: joint velocities for link velocities, for control loops.

use super::Options;
use super::damped_step::Step;
use super::solution::{ActiveLimit, Bound};
use super::variables::Variables;
use crate::kinematics::{State, check_length, jacobian_into};
use crate::math::{Motion, Point, Pose, Vector, se3};
use crate::robot::{DofId, LinkId, Robot};
use crate::{Error, Result};

/// Target velocity of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VelocityTask {
    /// The link.
    pub link: LinkId,
    /// The controlled point, in the link.
    pub p_link: Point,
    /// Target velocity of the point, m/s in world axes; `None` for any.
    pub linear: Option<Vector>,
    /// Target angular velocity of the link, rad/s in world axes; `None` for any.
    pub angular: Option<Vector>,
    /// Weight of its rows, above 0.
    pub weight: f64,
}

impl VelocityTask {
    /// A target for both halves of the twist at the link's origin.
    #[must_use]
    pub fn twist(link: LinkId, twist: &Motion) -> Self {
        Self {
            angular: Some(twist.angular),
            ..Self::point(link, Point::origin(), twist.linear)
        }
    }

    /// A target for both halves of the twist: `gain` times the way from the pose `now` of a link to the pose `goal`, both in
    /// the world.
    ///
    /// With a gain in 1/s the distance and the angle to the goal decay as `exp(−gain · t)`; the origin moves on a straight
    /// line. The way is [`se3::error`], which is exact at the goal and up to half a turn from it. Close one control loop of
    /// period `dt` with a gain below `1 / dt`.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::kinematics::ik::{self, DifferentialOptions, VelocityTask};
    /// use kinworld::{Robot, State};
    ///
    /// let arm = Robot::load("data/robots/puma560.urdf")?.value;
    /// let hand = arm.link_id("link6")?;
    /// let mut state = State::new(&arm);
    /// state.set_config(&arm, &[0.3, 0.5, -0.4, 0.3, 0.6, 0.2])?;
    /// let goal = state.pose(&arm, hand);
    /// state.set_config(&arm, &[0.2, 0.6, -0.2, 0.1, 0.5, 0.3])?;
    ///
    /// let options = DifferentialOptions::default().with_dt(0.01);
    /// for _ in 0..1000 {
    ///     let task = VelocityTask::towards(hand, &state.pose(&arm, hand), &goal, 5.0);
    ///     let dq = ik::differential(&arm, &state, &[task], &options)?.dq;
    ///     let q: Vec<f64> = state.config().iter().zip(&dq).map(|(q, dq)| q + 0.01 * dq).collect();
    ///     state.set_config(&arm, &q)?;
    /// }
    /// let end = state.pose(&arm, hand);
    /// assert!(kinworld::math::se3::distance(&end, &goal) < 1e-9);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn towards(link: LinkId, now: &Pose, goal: &Pose, gain: f64) -> Self {
        Self::twist(link, &(se3::error(goal, now) * gain))
    }

    /// A target for the velocity of a point of a link; its rotation is free.
    #[must_use]
    pub fn point(link: LinkId, p_link: Point, velocity: Vector) -> Self {
        Self {
            link,
            p_link,
            linear: Some(velocity),
            angular: None,
            weight: 1.0,
        }
    }

    /// Adds a target for the angular velocity of the link, rad/s in world axes.
    #[must_use]
    pub fn with_angular(mut self, angular: Vector) -> Self {
        self.angular = Some(angular);
        self
    }

    /// Sets the weight, above 0.
    #[must_use]
    pub fn with_weight(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }
}

/// Options of [`differential`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DifferentialOptions {
    /// Time, s, after which position limits must still hold; infinite to ignore them.
    pub dt: f64,
    /// Weight of the squared velocity relative to a task: it decides what tasks leave free, and bounds
    /// velocities near singularities.
    pub damping: f64,
    /// Smallest and largest velocity of each degree of freedom (n); `None` for those of the robot.
    pub velocity_limits: Option<Vec<[f64; 2]>>,
    /// The degrees of freedom that may move, each together with all links of its driver; `None` for all that
    /// move a link of a task.
    pub active: Option<Vec<DofId>>,
}

impl Default for DifferentialOptions {
    fn default() -> Self {
        Self {
            dt: 0.01,
            damping: 1e-6,
            velocity_limits: None,
            active: None,
        }
    }
}

impl DifferentialOptions {
    /// Sets the time after which position limits must still hold, s.
    #[must_use]
    pub fn with_dt(mut self, dt: f64) -> Self {
        self.dt = dt;
        self
    }

    /// Sets the damping.
    #[must_use]
    pub fn with_damping(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// Sets the smallest and largest velocity of each degree of freedom (n).
    #[must_use]
    pub fn with_velocity_limits(mut self, velocity_limits: impl Into<Vec<[f64; 2]>>) -> Self {
        self.velocity_limits = Some(velocity_limits.into());
        self
    }

    /// Sets the degrees of freedom that may move.
    #[must_use]
    pub fn with_active(mut self, active: impl Into<Vec<DofId>>) -> Self {
        self.active = Some(active.into());
        self
    }
}

/// Result of [`differential`].
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VelocitySolution {
    /// The velocity (n), rad/s or m/s.
    pub dq: Vec<f64>,
    /// Achieved minus target velocity of each task, linear rows first, without weights.
    pub residual: Vec<f64>,
    /// The degrees of freedom at a velocity limit, or slowed by a position limit.
    pub active_limits: Vec<ActiveLimit>,
}

/// Joint velocity within all limits that best meets the tasks: `min ½ Σ |w (J dq − v)|² + ½ damping |dq|²`.
///
/// Velocities stay within their limits, and so do positions after `dt` at this velocity; a degree of freedom beyond
/// a limit returns as fast as it may. The minimum is exact, found by an active set.
///
/// # Errors
///
/// [`Error::Invalid`] or [`Error::Length`] for invalid tasks and options.
///
/// # Panics
///
/// If the state belongs to a smaller robot.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::{self, DifferentialOptions, VelocityTask};
/// use kinworld::{Point, Robot, State, Vector};
///
/// let arm = Robot::load("data/robots/planar3R.rob")?.value;
/// let mut state = State::new(&arm);
/// state.set_config(&arm, &[0.3, 0.4, 0.5])?;
/// let up = VelocityTask::point(arm.link_id("link2")?, Point::new(1.0, 0.0, 0.0), Vector::z() * 0.1);
/// let found = ik::differential(&arm, &state, &[up], &DifferentialOptions::default())?;
/// assert!(found.residual.iter().all(|r| r.abs() < 1e-6));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "diff_ik")]
#[doc(alias = "velocity_ik")]
pub fn differential(
    robot: &Robot,
    state: &State,
    tasks: &[VelocityTask],
    options: &DifferentialOptions,
) -> Result<VelocitySolution> {
    state.check_robot(robot)?;
    tasks.iter().try_for_each(|task| check_task(robot, task))?;
    if options.dt.is_nan() || options.dt <= 0.0 {
        let problem = format!("is {}, it must be above 0", options.dt);
        return Err(Error::invalid("dt", problem));
    }
    if !(options.damping > 0.0 && options.damping.is_finite()) {
        let problem = format!("is {}, it must be finite and above 0", options.damping);
        return Err(Error::invalid("damping", problem));
    }
    let n = robot.n_dofs();
    let mut variables = variables(robot, tasks, options)?;
    let m = variables.len();
    let (mut lower, mut upper) = velocity_box(robot, state, options, &mut variables)?;
    for k in 0..m {
        upper[k] = upper[k].max(lower[k]);
        lower[k] = lower[k].min(upper[k]);
    }

    // rows of all tasks, a column for each variable
    let rows: usize = tasks.iter().map(|task| parts(task).count() * 3).sum();
    let (mut jacobian, mut residual) = (vec![0.0; rows * m], Vec::with_capacity(rows));
    let mut full = nalgebra::Matrix6xX::zeros(n);
    for task in tasks {
        jacobian_into(robot, state, task.link, &task.p_link, &mut full);
        for (top, wanted) in parts(task) {
            for axis in 0..3 {
                for follow in &variables.follows {
                    let rate = full[(top + axis, follow.dof)] * follow.scale * task.weight;
                    jacobian[follow.variable * rows + residual.len()] += rate;
                }
                residual.push(-wanted[axis] * task.weight);
            }
        }
    }
    let mut step = Step::new(m);
    step.linearize(&residual, &jacobian);
    let Some(at_bound) = step.minimize(&lower, &upper, options.damping) else {
        let problem = "their numbers are too large to solve for a velocity";
        return Err(Error::invalid("velocity tasks", problem));
    };
    let mut dq = vec![0.0; n];
    for follow in &variables.follows {
        dq[follow.dof] = follow.scale * step.step[follow.variable];
    }
    let mut row = 0;
    for task in tasks {
        for _ in 0..parts(task).count() * 3 {
            for k in 0..m {
                residual[row] += jacobian[k * rows + row] * step.step[k];
            }
            residual[row] /= task.weight;
            row += 1;
        }
    }
    let active_limits = variables.follows.iter().filter(|f| at_bound[f.variable]);
    let active_limits = active_limits.map(|follow| {
        let at_lower = step.step[follow.variable] <= lower[follow.variable];
        ActiveLimit {
            dof: DofId::new(follow.dof),
            bound: if at_lower == (follow.scale > 0.0) {
                Bound::Lower
            } else {
                Bound::Upper
            },
        }
    });
    Ok(VelocitySolution {
        active_limits: active_limits.collect(),
        dq,
        residual,
    })
}

/// First Jacobian row and target of each half that a task controls.
fn parts(task: &VelocityTask) -> impl Iterator<Item = (usize, Vector)> {
    let linear = task.linear.map(|v| (3, v));
    let angular = task.angular.map(|w| (0, w));
    linear.into_iter().chain(angular)
}

fn check_task(robot: &Robot, task: &VelocityTask) -> Result<()> {
    let n = robot.links().len();
    if task.link.index() >= n {
        let problem = format!("there is no link {}; there are {n}", task.link.index());
        return Err(Error::invalid("velocity task", problem));
    }
    let targets = parts(task).flat_map(|(_, v)| [v.x, v.y, v.z]);
    let mut numbers = targets.chain(task.p_link.coords.iter().copied());
    let is_good = numbers.all(f64::is_finite) && task.weight.is_finite() && task.weight > 0.0;
    if !is_good {
        let what = format!("velocity task of link `{}`", robot.link(task.link).name());
        let problem = "its numbers must be finite, and its weight above zero";
        return Err(Error::invalid(what, problem));
    }
    Ok(())
}

fn variables(
    robot: &Robot,
    tasks: &[VelocityTask],
    options: &DifferentialOptions,
) -> Result<Variables> {
    let mut relevant = vec![false; robot.n_dofs()];
    for task in tasks {
        for body in robot.tree().chain(robot.attachment(task.link).body) {
            relevant[body] = true;
        }
    }
    let search = Options {
        active: options.active.clone(),
        ..Options::default()
    };
    Variables::new(robot, &search, &relevant)
}

/// Bounds (m) on velocities that keep velocity and, after `dt`, position within limits.
fn velocity_box(
    robot: &Robot,
    state: &State,
    options: &DifferentialOptions,
    variables: &mut Variables,
) -> Result<(Vec<f64>, Vec<f64>)> {
    if let Some(limits) = &options.velocity_limits {
        check_length("velocity limits", robot.n_dofs(), limits)?;
        if limits.iter().flatten().any(|x| x.is_nan()) {
            let problem = "one of them is not a number";
            return Err(Error::invalid("velocity limits", problem));
        }
    }
    let m = variables.len();
    let mut x = vec![0.0; m];
    variables.read(state.config(), &mut x);
    let (mut lower, mut upper) = (vec![f64::NEG_INFINITY; m], vec![f64::INFINITY; m]);
    for follow in &variables.follows {
        let [min, max] = match &options.velocity_limits {
            Some(limits) => limits[follow.dof],
            None => {
                let limits = &robot.limits()[follow.dof];
                [limits.v_min, limits.v_max]
            }
        };
        let ends = [min / follow.scale, max / follow.scale];
        let k = follow.variable;
        lower[k] = lower[k].max(ends[0].min(ends[1]));
        upper[k] = upper[k].min(ends[0].max(ends[1]));
    }
    for k in 0..m {
        // return no faster than the velocity limit
        let (slow, fast) = (lower[k], upper[k].max(lower[k]));
        lower[k] = ((variables.lower[k] - x[k]) / options.dt)
            .max(slow)
            .min(fast);
        upper[k] = ((variables.upper[k] - x[k]) / options.dt)
            .min(fast)
            .max(slow);
    }
    Ok((lower, upper))
}
