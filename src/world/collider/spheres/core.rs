//! Cores of obstacles: convex shapes, and clouds of points.

use std::sync::Arc;

use super::cores::{Convex, Position, height, squared_radius};
use crate::geometry::{Aabb, PointIndex};
use crate::math::{Level, Pose, Vector, outlined as alone};

/// What an obstacle is made of, without its radius.
#[derive(Debug, Clone)]
pub(super) enum Core {
    Convex(Convex),
    Cloud(Cloud),
}

/// Points at a pose, with an index that all poses share: positions are transformed to its frame.
#[derive(Debug, Clone)]
pub(super) struct Cloud {
    index: Arc<PointIndex>,
    /// Centre in coordinates along the axes, and axes.
    center: [f32; 3],
    axes: [[f32; 3]; 3],
}

impl Core {
    /// Mask of the lanes whose positions may be within a distance of the core; a cheap test for large spheres.
    #[inline(always)]
    pub(super) fn near<const N: usize, L: Level>(&self, p: &Position<N, L>, limit: f32) -> u32 {
        match self {
            Self::Convex(core) => core.square(p).not_gt(squared_radius(limit)),
            Self::Cloud(cloud) => cloud.near(p, limit),
        }
    }
}

impl Cloud {
    /// Points at a pose, and their box in the world: centre and half-lengths.
    pub(super) fn new(index: &Arc<PointIndex>, pose: &Pose) -> (Self, Vector, Vector) {
        let bounds: &Aabb = index.bounds();
        let r = crate::math::so3::orthonormalized(&pose.rotation);
        let center = r * bounds.center().coords + pose.translation.vector;
        let three = |v: Vector| [0, 1, 2].map(|k| v[k] as f32);
        let cloud = Self {
            index: Arc::clone(index),
            center: three(r.inverse() * center),
            axes: [0, 1, 2].map(|k| three(r.matrix().column(k).into_owned())),
        };
        (cloud, center, r.matrix().abs() * bounds.half_size())
    }

    #[inline(always)]
    fn near<const N: usize, L: Level>(&self, p: &Position<N, L>, limit: f32) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || self.index.near(&self.local(p), limit),
        )
    }

    /// Mask of those of some lanes whose positions are within a distance of a point, up to rounding.
    #[inline(always)]
    pub(super) fn within<const N: usize, L: Level>(
        &self,
        p: &Position<N, L>,
        limit: f32,
        lanes: u32,
    ) -> u32 {
        alone::<L, _>(
            #[inline(always)]
            || self.index.within(&self.local(p), limit, lanes),
        )
    }

    #[inline(always)]
    fn local<const N: usize, L: Level>(&self, p: &Position<N, L>) -> Position<N, L> {
        [
            height(p, &self.axes[0], self.center[0]),
            height(p, &self.axes[1], self.center[1]),
            height(p, &self.axes[2], self.center[2]),
        ]
    }
}
