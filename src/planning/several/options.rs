//! Options and results of prioritized planning.

use super::motion::JointMotion;
use crate::planning::{
    Budget, MotionLimits, PathMotion, RobotCSpace, Smoothing, Termination, TimeParameterization,
};
use crate::world::RobotId;
use crate::{Error, Result};

/// How [`plan_prioritized`](super::plan_prioritized) plans.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PrioritizedOptions {
    /// Limits of each search for one robot's path, and the seed of all random numbers; its maximum duration is that of all together.
    pub budget: Budget,
    /// Most orders of the robots that are tried.
    pub max_orders: usize,
    /// How the robots are kept apart.
    pub separation: Separation,
    /// Largest deviation of rounded corners from a path, rad or m.
    pub deviation: f64,
    /// How paths are made [smooth](crate::planning::RobotCSpace::smoothed), in place of rounded corners where such a curve is free; `None`
    /// for rounded corners.
    pub smoothing: Option<Smoothing>,
    /// Limits of the search in the joint space where no order works; `None` for no such search.
    pub joint: Option<Budget>,
}

/// How motions of robots are kept apart.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Separation {
    /// At each time: robots wait for others where they have to. They need a common clock.
    Timed,
    /// At all times: no robot enters the volume that one before it in the order sweeps on its whole motion, so that each may begin when
    /// it likes and be as slow as it likes.
    SweptVolumes {
        /// Largest distance between a point of a shape and its place in a copy of it, of which volumes are made, m: they are
        /// larger by that. It holds at configurations as far apart as the [resolution](crate::planning::RobotCSpace::with_resolution)
        /// over 4 lets them be; between two of them it may be exceeded by what a point moves from one to the next.
        spacing: f64,
    },
}

impl Default for PrioritizedOptions {
    /// 10,000 samples for each search, at most 24 orders, kept apart at each time, corners rounded by 0.05, and a search in the
    /// joint space of at most 100,000 samples where no order works.
    fn default() -> Self {
        Self {
            budget: Budget::default().max_iterations(10_000),
            max_orders: 24,
            separation: Separation::Timed,
            deviation: 0.05,
            smoothing: None,
            joint: Some(Budget::default()),
        }
    }
}

impl PrioritizedOptions {
    /// Refuses numbers that cannot be used.
    pub(super) fn check(&self) -> Result<()> {
        if self.max_orders == 0 {
            let problem = "must be at least 1, got 0";
            return Err(Error::invalid("the number of orders of robots", problem));
        }
        if let Separation::SweptVolumes { spacing } = self.separation
            && !(spacing > 0.0 && spacing.is_finite())
        {
            let problem = format!("{spacing} is not a positive length");
            return Err(Error::invalid("the spacing of swept volumes", problem));
        }
        if !(self.deviation >= 0.0 && self.deviation.is_finite()) {
            let problem = format!("{} is not a number from 0 on, of rad or m", self.deviation);
            return Err(Error::invalid("the deviation of blends", problem));
        }
        self.smoothing.as_ref().map_or(Ok(()), Smoothing::check)
    }

    /// The motion along a path in a robot's own space, or why it is not free.
    pub(super) fn motion_along(
        &self,
        own: &RobotCSpace,
        path: &[Vec<f64>],
        limits: &MotionLimits,
    ) -> Result<std::result::Result<PathMotion, String>> {
        let time = TimeParameterization::new(limits);
        match own.fastest_motion_along(path, self.smoothing.as_ref(), self.deviation, &time) {
            Ok(found) => Ok(Ok(found)),
            Err(error @ Error::Invalid { .. }) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }

    /// With other limits of each search for one robot's path.
    #[must_use]
    pub fn with_budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// With at most so many orders of the robots.
    #[must_use]
    pub fn with_max_orders(mut self, max_orders: usize) -> Self {
        self.max_orders = max_orders;
        self
    }

    /// With another separation of the robots.
    #[must_use]
    pub fn with_separation(mut self, separation: Separation) -> Self {
        self.separation = separation;
        self
    }

    /// With another largest deviation of rounded corners, rad or m.
    #[must_use]
    pub fn with_deviation(mut self, deviation: f64) -> Self {
        self.deviation = deviation;
        self
    }

    /// With motions along smooth curves beside the paths, or with rounded corners.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Option<Smoothing>) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// With other limits of the search in the joint space, or without one.
    #[must_use]
    pub fn with_joint(mut self, joint: Option<Budget>) -> Self {
        self.joint = joint;
        self
    }
}

/// Result of [`plan_prioritized`](super::plan_prioritized).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PrioritizedPlan {
    /// The motion of all robots; `None` where none was found.
    pub motion: Option<JointMotion>,
    /// The order in which the robots were planned; empty where they were planned in the joint space, or no motion was found.
    pub order: Vec<RobotId>,
    /// Whether no order worked and the motion was planned in the joint space.
    pub is_joint: bool,
    /// Robots that go along lines with rounded corners in a part of their motion or in all of it, for no smooth curve is free there;
    /// empty where none was asked for.
    pub rounded: Vec<RobotId>,
    /// Orders that failed before.
    pub failed: Vec<FailedOrder>,
    /// Reason why the search ended.
    pub termination: Termination,
    /// Number of samples that were drawn.
    pub iterations: usize,
}

impl PrioritizedPlan {
    /// With what is known at the end.
    pub(super) fn finished(mut self, options: &PrioritizedOptions, iterations: usize) -> Self {
        self.iterations = iterations;
        if let (Some(motion), Some(_)) = (&self.motion, &options.smoothing) {
            self.rounded = motion.rounded();
        }
        self
    }
}

/// An order of robots in which no motion was found.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FailedOrder {
    /// The robots, up to the one that found no motion among those before it; empty for the joint space.
    pub order: Vec<RobotId>,
    /// Why that one found none, for people.
    pub reason: String,
}
