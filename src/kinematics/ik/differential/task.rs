//! Target velocities of links and joints.

use crate::kinematics::{check_length, check_values};
use crate::math::{Motion, Point, Pose, Vector, se3};
use crate::robot::{LinkId, Robot};
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
    /// Weight of its rows among those of the same level, above 0.
    pub weight: f64,
    /// Level of priority: level 0 comes first, and each further one moves only what leaves those before it as they are.
    pub level: usize,
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

    /// A target for both halves of the twist: `gain` times the displacement from the pose `now` of a link to the pose `goal`,
    /// both in the world.
    ///
    /// With a gain in 1/s the distance and the angle to the goal decay as `exp(−gain · t)`; the origin moves on a straight
    /// line. The displacement is [`se3::error`], which is exact at the goal and up to half a turn from it. Close one control loop of
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
            level: 0,
        }
    }

    /// A target for the angular velocity of a link, rad/s in world axes; its position is free.
    #[must_use]
    pub fn rotation(link: LinkId, angular: Vector) -> Self {
        Self {
            linear: None,
            angular: Some(angular),
            ..Self::point(link, Point::origin(), Vector::zeros())
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

    /// Sets the level of priority, 0 for the first.
    #[must_use]
    pub fn with_level(mut self, level: usize) -> Self {
        self.level = level;
        self
    }

    /// First Jacobian row and target of each half that it controls.
    pub(super) fn parts(&self) -> impl Iterator<Item = (usize, Vector)> + use<> {
        let linear = self.linear.map(|v| (3, v));
        let angular = self.angular.map(|w| (0, w));
        linear.into_iter().chain(angular)
    }

    /// Refuses links that do not exist and numbers that say nothing.
    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        let n = robot.links().len();
        if self.link.index() >= n {
            let problem = format!("there is no link {}; there are {n}", self.link.index());
            return Err(Error::invalid("velocity task", problem));
        }
        let targets = self.parts().flat_map(|(_, v)| [v.x, v.y, v.z]);
        let mut numbers = targets.chain(self.p_link.coords.iter().copied());
        let is_good = numbers.all(f64::is_finite) && self.weight.is_finite() && self.weight > 0.0;
        if !is_good {
            let what = format!("velocity task of link `{}`", robot.link(self.link).name());
            let problem = "its numbers must be finite, and its weight above zero";
            return Err(Error::invalid(what, problem));
        }
        Ok(())
    }
}

/// Target velocity of the joints, such as a return to a posture.
///
/// # Examples
///
/// ```
/// use kinworld::kinematics::ik::JointVelocityTask;
///
/// let home = JointVelocityTask::towards(&[0.2, 1.0], &[0.0, 0.0], 5.0).with_level(1);
/// assert_eq!(home.dq, [-1.0, -5.0]);
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
#[doc(alias = "PostureTask")]
#[doc(alias = "ConfigurationTask")]
pub struct JointVelocityTask {
    /// Target velocity of each degree of freedom (n), rad/s or m/s.
    pub dq: Vec<f64>,
    /// Weight of each degree of freedom (n), not negative; `None` for 1 each.
    pub weights: Option<Vec<f64>>,
    /// Level of priority, 0 for the first.
    pub level: usize,
}

impl JointVelocityTask {
    /// A target for all degrees of freedom (n), on level 0 with equal weights.
    #[must_use]
    pub fn new(dq: impl Into<Vec<f64>>) -> Self {
        Self {
            dq: dq.into(),
            weights: None,
            level: 0,
        }
    }

    /// `gain` times the differences from the configuration `now` to `goal` (n each, or as many as the shorter one has).
    #[must_use]
    pub fn towards(now: &[f64], goal: &[f64], gain: f64) -> Self {
        let differences = now.iter().zip(goal).map(|(now, goal)| gain * (goal - now));
        Self::new(differences.collect::<Vec<f64>>())
    }

    /// Sets the weight of each degree of freedom (n), none of them negative.
    #[must_use]
    pub fn with_weights(mut self, weights: impl Into<Vec<f64>>) -> Self {
        self.weights = Some(weights.into());
        self
    }

    /// Sets the level of priority, 0 for the first.
    #[must_use]
    pub fn with_level(mut self, level: usize) -> Self {
        self.level = level;
        self
    }

    /// Weight of a degree of freedom.
    pub(super) fn weight(&self, dof: usize) -> f64 {
        self.weights.as_ref().map_or(1.0, |weights| weights[dof])
    }

    /// Refuses wrong lengths and numbers that say nothing.
    pub(super) fn check(&self, robot: &Robot) -> Result<()> {
        check_values("joint velocity task", robot.n_dofs(), &self.dq)?;
        if let Some(weights) = &self.weights {
            check_length(
                "weights of the joint velocity task",
                robot.n_dofs(),
                weights,
            )?;
            if !weights.iter().all(|w| w.is_finite() && *w >= 0.0) {
                let problem = "they must be finite and not negative";
                return Err(Error::invalid(
                    "weights of the joint velocity task",
                    problem,
                ));
            }
        }
        Ok(())
    }
}
