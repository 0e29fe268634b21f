//! Options of differential IK.

use crate::kinematics::check_length;
use crate::robot::{DofId, Robot};
use crate::{Error, Result};

/// Options of [`differential`](super::differential) and of a [`DifferentialSolver`](super::DifferentialSolver).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct DifferentialOptions {
    /// Time, s, after which position limits must still hold; infinite to ignore them.
    pub dt: f64,
    /// Weight of the squared velocity relative to a task, on each level: it decides what tasks leave free, and bounds
    /// velocities near singularities.
    pub damping: f64,
    /// Smallest and largest velocity of each degree of freedom (n); `None` for those of the robot.
    pub velocity_limits: Option<Vec<[f64; 2]>>,
    /// The degrees of freedom that may move, each together with all links of its driver; `None` for all that
    /// move a link of a task or have a place in a constraint.
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

    /// Refuses numbers that say nothing.
    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        if self.dt.is_nan() || self.dt <= 0.0 {
            let problem = format!("is {}, it must be above 0", self.dt);
            return Err(Error::invalid("dt", problem));
        }
        if !(self.damping > 0.0 && self.damping.is_finite()) {
            let problem = format!("is {}, it must be finite and above 0", self.damping);
            return Err(Error::invalid("damping", problem));
        }
        let Some(limits) = &self.velocity_limits else {
            return Ok(());
        };
        check_length("velocity limits", robot.n_dofs(), limits)?;
        for (dof, [min, max]) in limits.iter().enumerate() {
            let problem = if min.is_nan() || max.is_nan() {
                "one of them is not a number".to_owned()
            } else if min > max {
                format!(
                    "the lower one of degree of freedom {dof}, {min}, is above the upper one, {max}"
                )
            } else {
                continue;
            };
            return Err(Error::invalid("velocity limits", problem));
        }
        Ok(())
    }
}
