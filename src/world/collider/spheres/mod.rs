//! Sphere pre-filter for batches of configurations and for edges.
//!
//! Two conservative tests run before the exact one. If the bounding spheres of all links are separated from everything that
//! they may not touch, the configuration is free. If a sphere inside a link overlaps a solid obstacle, it collides. All else is
//! decided by the exact shapes, and only for the pairs whose spheres overlap, so the answer is always that of the exact
//! shapes. Spheres overlap where their separation is at most the margin of their pair.
//!
//! Eight or sixteen configurations are checked at a time, one per lane, in single precision; a bound on the rounding errors is
//! added to every radius ([`Model::rounding`]). Each body has a bounding sphere of all its links, each link one of its own. A
//! sphere that moves along an edge is first tested against all obstacles at once, by the box around its positions.
//!
//! The first block of an edge spans all of it. Every other configuration is at most half a step between lanes from one of that
//! block, and within that step a body moves at most the sum over its joints of angle times bounding radius. Pairs that are
//! separated by more than that are not checked again; where the bound is small compared with the links, this also holds for
//! single spheres.

mod block;
mod core;
mod cores;
mod edge;
mod meet;
mod model;
mod motions;
mod obstacles;
mod rows;
mod scratch;
mod shortlist;
mod sphere;

use std::sync::Arc;

use self::edge::Along;
pub(crate) use self::edge::Unresolved;
use self::model::Model;
use self::rows::Block;
use self::scratch::{AnyScratch, build};
use super::{Workspace, WorldCollider};
use crate::Result;
use crate::math::Simd;
use crate::world::RobotId;

/// Sphere pre-filter of some robots of a [`WorldCollider`], with its scratch memory.
#[derive(Debug)]
pub(crate) struct SphereChecker {
    model: Arc<Model>,
    scratch: Box<dyn AnyScratch>,
}

impl Clone for SphereChecker {
    fn clone(&self) -> Self {
        Self {
            model: Arc::clone(&self.model),
            scratch: build(&self.model),
        }
    }
}

/// Pairs of parts whose spheres overlap.
pub(crate) type Candidates<'a> = &'a [(usize, usize)];

/// Exact check of a configuration, given by its number, for pairs of parts: returns whether one of them collides.
type ExactCheck<'a> = &'a mut dyn FnMut(usize, Candidates<'_>) -> bool;

/// Limits that configurations may violate.
pub(crate) struct Bounds<'a> {
    /// Lower and upper bounds per dof between which a value is certainly within its limits.
    pub(crate) surely: [&'a [f32]; 2],
    /// Exact test whether a configuration, given by its number, is within the limits.
    pub(crate) exactly: &'a dyn Fn(usize) -> bool,
}

/// The result for one configuration, and the test that decided it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It violates the [`Bounds`].
    Beyond,
    /// The bounding spheres of all links are free.
    Free,
    /// Spheres inside links collide.
    Collides,
    /// Decided by the exact shapes of the pairs whose spheres overlap.
    Asked {
        /// Whether they are free.
        free: bool,
    },
}

impl Verdict {
    pub(crate) fn is_free(self) -> bool {
        matches!(self, Self::Free | Self::Asked { free: true })
    }
}

impl SphereChecker {
    /// Builds the pre-filter for robots of a collider, with everything else at its pose in `ws` and at most `most` spheres
    /// around each link. Without a number the links must consist of spheres already; otherwise returns `None`.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](crate::geometry::Geometry::outer_spheres).
    pub(crate) fn new(
        collider: &WorldCollider,
        ws: &Workspace,
        robots: &[RobotId],
        most: Option<usize>,
    ) -> Result<Option<Self>> {
        let model = Model::new(collider, ws, robots, most)?;
        Ok(model.map(|model| {
            let scratch = build(&model);
            let model = Arc::new(model);
            Self { model, scratch }
        }))
    }

    /// Updates the poses of all obstacles from `ws`.
    pub(crate) fn set_obstacles(&mut self, collider: &WorldCollider, ws: &Workspace) {
        Arc::make_mut(&mut self.model).set_obstacles(collider, ws);
        self.scratch = build(&self.model);
    }

    /// Checks configurations, stored row after row, which have to be within limits where no `bounds` are given. `check` gets a
    /// row and pairs of parts, and returns whether one of them collides.
    pub(crate) fn judge(
        &mut self,
        configs: &[f64],
        bounds: Option<Bounds<'_>>,
        mut check: impl FnMut(usize, Candidates<'_>) -> bool,
        out: &mut [Verdict],
    ) {
        Simd::chosen().run(Block {
            model: &self.model,
            scratch: &mut *self.scratch,
            configs,
            bounds,
            check: &mut check,
            out,
        });
    }

    /// A step of the edge from `a` to `a + change` that is not free, of the first `0..=steps` of `all`. `check` gets the step and pairs
    /// of parts.
    ///
    /// All dofs change linearly along the edge.
    pub(crate) fn blocked_step(
        &mut self,
        a: &[f64],
        change: &[f64],
        (steps, all): (usize, usize),
        mut check: impl FnMut(usize, Candidates<'_>) -> bool,
    ) -> Option<usize> {
        let mut blocked = None;
        let mut candidates = Vec::new();
        Simd::chosen().run(Along {
            model: &self.model,
            scratch: &mut *self.scratch,
            a,
            change,
            steps,
            all,
            travel: 0.0,
            goal: edge::Goal::Blocked {
                check: &mut check,
                step: &mut blocked,
            },
            candidates: &mut candidates,
        });
        blocked
    }

    /// The steps of an edge that the spheres do not prove free wherever bodies move by at most `travel` (m), in order, in place of
    /// what `out` held.
    pub(crate) fn unresolved_steps(
        &mut self,
        a: &[f64],
        change: &[f64],
        (steps, travel): (usize, f64),
        out: &mut Unresolved,
    ) {
        out.clear();
        let mut candidates = Vec::new();
        Simd::chosen().run(Along {
            model: &self.model,
            scratch: &mut *self.scratch,
            a,
            change,
            steps,
            all: steps,
            travel,
            goal: edge::Goal::Unresolved(out),
            candidates: &mut candidates,
        });
        out.sort();
    }
}

impl WorldCollider {
    /// Returns whether one of these pairs of parts collides.
    pub(crate) fn any_collides_with(&self, pairs: Candidates<'_>, ws: &mut Workspace) -> bool {
        self.assert_owns(ws);
        let mut pairs = pairs.iter();
        pairs.any(|&(a, b)| ws.collides((a.min(b), a.max(b))))
    }
}
