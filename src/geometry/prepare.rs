//! Acceleration structures of shapes, built before the first query.

use std::collections::HashSet;

use super::narrow::{Body, Threads};
use super::{Geometry, Shape};
use crate::threads;

impl Geometry {
    /// Builds the structures that queries need, above all bounding volume hierarchies, now instead of at the first
    /// query; clones share them.
    ///
    /// With the feature `parallel` the threads of rayon's current pool share the work for a large mesh. The result is
    /// the same to the last bit, whichever threads build it. A second call does nothing.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::geometry::{Geometry, Primitive, query};
    /// use kinworld::{Point, Pose};
    ///
    /// let sphere = Primitive::sphere(Point::origin(), 0.5)?.to_mesh()?;
    /// let sphere = Geometry::from(sphere);
    /// sphere.prepare(); // no later query builds the tree
    ///
    /// let (here, there) = (Pose::identity(), Pose::translation(2.0, 0.0, 0.0));
    /// assert!(!query::collides((&sphere, &here), (&sphere, &there))?);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "refreshCollider")]
    #[doc(alias = "build_bvh")]
    pub fn prepare(&self) {
        self.prepared().prepare_for_solids();
    }

    /// The shape compiled for queries, built on all threads if need be.
    fn prepared(&self) -> &Body {
        if self.inner.body.get().is_none() {
            // not inside the lock: there, a thread that waits for the others could be given work that needs this body
            let body = Body::new(self, Threads::All);
            // where another thread was faster, its body is the same
            drop(self.inner.body.set(body));
        }
        self.body()
    }

    /// The shape compiled for queries.
    #[inline]
    pub(super) fn body(&self) -> &Body {
        let build = || Body::new(self, Threads::One);
        self.inner.body.get_or_init(build)
    }

    /// Returns whether it is one convex piece for queries.
    #[inline]
    pub(crate) fn is_one_piece(&self) -> bool {
        match self.shape() {
            Shape::Cloud(cloud) => cloud.points().len() == 1,
            _ => self.body().pieces.len() == 1,
        }
    }

    /// Returns whether some part is a mesh that is marked as solid.
    #[inline]
    pub(super) fn has_solid_mesh(&self) -> bool {
        match self.shape() {
            Shape::Mesh(_) => self.is_solid(),
            Shape::Group(_) => self.body().parts.iter().any(|part| part.solid),
            _ => false,
        }
    }
}

/// Builds the structures for queries between these shapes, each once.
pub(crate) fn prepare_all<'a>(shapes: impl IntoIterator<Item = &'a Geometry>) {
    let all: Vec<&Geometry> = shapes.into_iter().collect();
    let mut seen = HashSet::new();
    let mut once = all.clone();
    once.retain(|shape| seen.insert(shape.shape_identity()));
    each(&once, |shape| {
        shape.prepared();
    });
    // of shapes that share a mesh one may be solid and another not
    if all.iter().any(|shape| shape.has_solid_mesh()) {
        each(&once, |shape| shape.body().prepare_for_solids());
    }
}

fn each(shapes: &[&Geometry], work: impl Fn(&Geometry) + Sync) {
    threads::map(shapes, &|_, shape| work(shape));
}
