//! Building query structures ahead of time.

use super::WorldModel;
use crate::geometry::prepare_all;

impl WorldModel {
    /// Builds the bounding-volume trees and other query structures of all shapes now instead of at the first query.
    ///
    /// Worlds, robots and colliders that share a shape share its structures; those that exist already cost nothing.
    /// With the feature `parallel` the threads of rayon's current pool share the work, with the same result.
    /// [`WorldCollider::new`](super::WorldCollider::new) does the same.
    pub fn prepare(&self) {
        let terrains = self.terrains().filter_map(|(_, t)| t.geometry.as_ref());
        let objects = self
            .rigid_objects()
            .filter_map(|(_, o)| o.geometry.as_ref());
        let robots = self.robots().map(|robot| &**robot.model());
        let links = robots.flat_map(|robot| robot.links().iter().filter_map(|link| link.shape()));
        prepare_all(terrains.chain(objects).chain(links));
    }
}
