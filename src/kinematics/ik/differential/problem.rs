//! What a step of differential IK is asked, and its answer.

use super::{JointVelocityTask, VelocityConstraints, VelocityTask};
use crate::kinematics::ik::ActiveLimit;
use crate::robot::Robot;
use crate::{Error, Result};

/// Tasks and constraints of one step.
///
/// The lists can be kept and refilled between the steps of a control loop.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VelocityProblem {
    /// Target velocities of links.
    pub tasks: Vec<VelocityTask>,
    /// Target velocities of joints.
    pub joints: Vec<JointVelocityTask>,
    /// Inequalities that come before all tasks.
    pub constraints: VelocityConstraints,
}

impl VelocityProblem {
    /// Tasks without constraints.
    #[must_use]
    pub fn new(robot: &Robot, tasks: impl Into<Vec<VelocityTask>>) -> Self {
        Self {
            tasks: tasks.into(),
            joints: Vec::new(),
            constraints: VelocityConstraints::new(robot.n_dofs()),
        }
    }

    /// Sets the target velocities of joints.
    #[must_use]
    pub fn with_joints(mut self, joints: impl Into<Vec<JointVelocityTask>>) -> Self {
        self.joints = joints.into();
        self
    }

    /// Sets the constraints.
    #[must_use]
    pub fn with_constraints(mut self, constraints: VelocityConstraints) -> Self {
        self.constraints = constraints;
        self
    }

    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        self.tasks.iter().try_for_each(|task| task.check(robot))?;
        self.joints.iter().try_for_each(|task| task.check(robot))?;
        self.constraints.check(robot.n_dofs())
    }

    /// The least level from a given one on.
    pub(super) fn next_level(&self, from: usize) -> Option<usize> {
        let tasks = self.tasks.iter().map(|task| task.level);
        let levels = tasks.chain(self.joints.iter().map(|task| task.level));
        levels.filter(|level| *level >= from).min()
    }
}

/// Joint velocity, and what it achieves.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct VelocitySolution {
    /// The velocity (n), rad/s or m/s.
    pub dq: Vec<f64>,
    /// Achieved minus target velocity of each task, linear rows first, without weights; then of each joint task, n each.
    pub residual: Vec<f64>,
    /// The degrees of freedom at a velocity limit, or slowed by a position limit.
    pub active_limits: Vec<ActiveLimit>,
    /// The constraints that hold with equality.
    pub active_constraints: Vec<usize>,
    /// The constraints that no velocity within the limits satisfies together: the sum of the squares of what they are
    /// violated by is the least possible.
    pub violated_constraints: Vec<usize>,
    /// Largest `row · dq − bound` of the violated constraints; 0 where there are none.
    pub violation: f64,
    /// Whether every level is at its minimum; otherwise rounding ended a search early, and a level may be met less than it
    /// could be. Limits and constraints hold all the same.
    pub is_optimal: bool,
}

impl VelocitySolution {
    /// Returns whether every constraint is satisfied.
    #[must_use]
    pub fn is_feasible(&self) -> bool {
        self.violated_constraints.is_empty()
    }
}

/// The error for numbers whose products are not finite.
pub(super) fn too_large() -> Error {
    let problem = "their numbers are too large to solve for a velocity";
    Error::invalid("velocity tasks", problem)
}
