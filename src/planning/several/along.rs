//! The motion of one robot along its path.

use super::options::PrioritizedOptions;
use crate::planning::{MotionLimits, RobotCSpace, SmoothTrajectory, TimeParameterization};
use crate::{Error, Result};

/// A motion along a path.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Along {
    pub(super) motion: SmoothTrajectory,
    /// Whether it follows a smooth curve beside the path, and not its lines with rounded corners.
    pub(super) is_smooth: bool,
}

impl Along {
    /// The fastest motion along a path in a robot's own space, or why it is not free: along a smooth curve where one is asked for
    /// and found, along lines with rounded corners otherwise.
    pub(super) fn path(
        own: &RobotCSpace,
        path: &[Vec<f64>],
        limits: &MotionLimits,
        options: &PrioritizedOptions,
    ) -> Result<std::result::Result<Self, String>> {
        let time = TimeParameterization::new(limits);
        if let Some(smoothing) = &options.smoothing {
            match own.smooth_motion_along(path, smoothing, &time) {
                Ok(Some(motion)) => {
                    let is_smooth = true;
                    return Ok(Ok(Self { motion, is_smooth }));
                }
                // such as a free rotation that changes, which lines may have
                Ok(None) | Err(Error::Invalid { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        match own.motion_along(path, options.deviation, &time) {
            Ok(motion) => {
                let is_smooth = false;
                Ok(Ok(Self { motion, is_smooth }))
            }
            Err(error @ Error::Invalid { .. }) => Ok(Err(error.to_string())),
            Err(error) => Err(error),
        }
    }
}
