//! Building query structures ahead of time.

use super::WorldModel;
use crate::geometry::{Geometry, Shape, prepare_all};

impl WorldModel {
    /// Builds the bounding-volume trees and other query structures of all shapes now instead of at the first query.
    ///
    /// Worlds, robots and colliders that share a shape share its structures; those that exist already cost nothing.
    /// With the feature `parallel` the threads of rayon's current pool share the work, with the same result.
    /// [`WorldCollider::new`](super::WorldCollider::new) does the same for all shapes but clouds of points: the spheres of a robot
    /// need no tree of them, and the first query that does builds it.
    pub fn prepare(&self) {
        prepare_all(self.shapes());
    }

    /// [`prepare`](Self::prepare) without clouds of points.
    pub(super) fn prepare_without_clouds(&self) {
        let is_cloud = |shape: &&Geometry| matches!(shape.shape(), Shape::Cloud(_));
        prepare_all(self.shapes().filter(|shape| !is_cloud(shape)));
    }

    fn shapes(&self) -> impl Iterator<Item = &Geometry> {
        let terrains = self.terrains().filter_map(|(_, t)| t.geometry.as_ref());
        let objects = self
            .rigid_objects()
            .filter_map(|(_, o)| o.geometry.as_ref());
        let robots = self.robots().map(|robot| &**robot.model());
        let links = robots.flat_map(|robot| robot.links().iter().filter_map(|link| link.shape()));
        terrains.chain(objects).chain(links)
    }
}
