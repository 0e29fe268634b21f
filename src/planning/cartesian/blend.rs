//! Corners of paths that are rounded.

use crate::math::{Pose, se3};

/// A rounded corner: the poses of the two pieces, each at its own parameter, and the share of the second.
///
/// `u` runs from 0 to 1 while the parameter of the path goes from the radius before the corner to the radius after it. The parameters
/// are relative to the corner, in radii. Where the pieces are straight and go on in the same direction, nothing changes; the path and
/// its first two derivatives go over into the pieces at both ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Blend {
    pub(super) before: f64,
    pub(super) after: f64,
    share: f64,
}

impl Blend {
    pub(super) fn at(u: f64) -> Self {
        // smooth up to the second derivative at both ends
        let share = u * u * u * (10.0 + u * (6.0 * u - 15.0));
        Self {
            before: 2.0 * u - 1.0 - share,
            after: 2.0 * u - share,
            share,
        }
    }

    /// Pose between those of the pieces.
    pub(super) fn between(&self, before: &Pose, after: &Pose) -> Pose {
        se3::interpolate(before, after, self.share)
    }
}
