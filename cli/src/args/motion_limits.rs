//! The limits of a motion, and what becomes of the corners of its path.

use std::path::PathBuf;

use clap::Args;

use super::values::{Numbers, metres, numbers, seconds};
use crate::request::Timing;

/// The limits of a motion along a path.
#[derive(Debug, Args)]
#[command(next_help_heading = "Trajectory")]
pub(super) struct MotionLimits {
    /// A trajectory instead of a path: the fastest motion within the limits
    ///
    /// Its rows have times, positions, velocities and accelerations. Each option of this section asks for it, too. Limits
    /// that are not given are those of the robot's file; without one of acceleration there is no trajectory.
    #[arg(long)]
    trajectory: bool,
    /// Limits of the velocity, rad/s or m/s: one for all, or one per dof [default: those of the robot]
    #[arg(long, value_name = "V[,V…]", value_parser = numbers)]
    max_velocity: Option<Numbers>,
    /// Limits of the acceleration, rad/s² or m/s²
    #[arg(long, value_name = "A[,A…]", value_parser = numbers)]
    max_acceleration: Option<Numbers>,
    /// Limits of the jerk, rad/s³ or m/s³ [default: none]
    #[arg(long, value_name = "J[,J…]", value_parser = numbers)]
    max_jerk: Option<Numbers>,
    /// Limits of the torque or force, N·m or N, with gravity and friction; without values, those of the robot [default: none]
    #[arg(long, value_name = "TAU[,TAU…]", value_parser = numbers, num_args = 0..=1, default_missing_value = "")]
    max_torque: Option<Numbers>,
    /// Limits in the form of MoveIt's joint_limits.yaml
    #[arg(long, value_name = "FILE")]
    limits: Option<PathBuf>,
    /// Time between two rows, in seconds [default: 0.01]
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    step: Option<f64>,
}

impl MotionLimits {
    /// The limits, if a trajectory is asked for.
    pub(super) fn timing(&self) -> Option<Timing> {
        let values = |given: &Option<Numbers>| given.as_ref().map(|Numbers(all)| all.clone());
        let torque = values(&self.max_torque);
        let timing = Timing {
            velocity: values(&self.max_velocity),
            acceleration: values(&self.max_acceleration),
            jerk: values(&self.max_jerk),
            own_torque: torque.as_ref().is_some_and(Vec::is_empty),
            torque: torque.filter(|all| !all.is_empty()),
            file: self.limits.clone(),
            deviation: None,
            smooth: None,
            step: self.step,
        };
        (self.trajectory || timing != Timing::default()).then_some(timing)
    }
}

/// How a trajectory takes the corners of a path.
#[derive(Debug, Args)]
#[command(next_help_heading = "Trajectory")]
pub(super) struct Corners {
    /// How far rounded corners may leave the path, rad or m [default: 0.05]
    #[arg(long, value_name = "RAD", allow_hyphen_values = true)]
    deviation: Option<f64>,
    /// A smooth curve beside the path, in place of rounded corners: a B-spline that keeps M metres from obstacles where it can [default without M: 0.01]
    ///
    /// All of it is proved to be free. Where no such curve is, corners are rounded, and the answer says so.
    #[arg(long, value_name = "M", value_parser = metres, num_args = 0..=1, default_missing_value = "0.01")]
    smooth: Option<f64>,
}

impl Corners {
    /// The limits, if a trajectory is asked for, here too.
    pub(super) fn timing(&self, limits: &MotionLimits) -> Option<Timing> {
        let timing = limits.timing();
        if self.deviation.is_none() && self.smooth.is_none() {
            return timing;
        }
        Some(Timing {
            deviation: self.deviation,
            smooth: self.smooth,
            ..timing.unwrap_or_default()
        })
    }
}
