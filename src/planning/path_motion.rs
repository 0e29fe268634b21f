//! A motion along a path, or along a smooth curve beside it.

use super::{RobotCSpace, SmoothTrajectory, Smoothing, TimeParameterization};
use crate::{Error, Result};

/// A motion along a path, or beside it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PathMotion {
    /// The motion.
    pub motion: SmoothTrajectory,
    /// Whether it follows a smooth curve beside the path, and not its lines with rounded corners.
    pub is_smooth: bool,
}

impl RobotCSpace {
    /// The motion along a [smooth](Self::smooth_motion_along) curve beside a path where one is asked for and found, and along its
    /// lines with [rounded](Self::motion_along) corners otherwise; it says which.
    ///
    /// # Errors
    ///
    /// As [`motion_along`](Self::motion_along), and [`Error::Invalid`] for options of smoothing that are negative or not finite.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{MotionLimits, RobotCSpace, Smoothing, TimeParameterization};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?;
    /// let space = RobotCSpace::new(&world, &[arm.id()])?;
    /// let limits = MotionLimits::of(arm.model()).with_acceleration(&[5.0; 6])?;
    /// let time = TimeParameterization::new(&limits);
    ///
    /// let mut path = [[0.0; 6]; 3];
    /// (path[1][0], path[2][0], path[2][1]) = (0.5, 0.5, 0.3);
    /// let smooth = space.fastest_motion_along(&path, Some(&Smoothing::default()), 0.05, &time)?;
    /// let rounded = space.fastest_motion_along(&path, None, 0.05, &time)?;
    /// assert!(smooth.is_smooth && !rounded.is_smooth);
    /// assert!(smooth.motion.duration() < rounded.motion.duration());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn fastest_motion_along<Q: AsRef<[f64]>>(
        &self,
        waypoints: &[Q],
        smoothing: Option<&Smoothing>,
        deviation: f64,
        time: &TimeParameterization<'_>,
    ) -> Result<PathMotion> {
        if let Some(smoothing) = smoothing {
            smoothing.check()?;
            match self.smooth_motion_along(waypoints, smoothing, time) {
                Ok(Some(motion)) => {
                    let is_smooth = true;
                    return Ok(PathMotion { motion, is_smooth });
                }
                // such as forces that the limits do not allow on the curve: the lines may have others, or an error of their own
                Ok(None) | Err(Error::Invalid { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let motion = self.motion_along(waypoints, deviation, time)?;
        let is_smooth = false;
        Ok(PathMotion { motion, is_smooth })
    }
}
