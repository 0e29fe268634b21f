//! Spheres in center of links, many configurations at once: which are surely free, and which surely collide.
//!
//! Two tiers before the exact one. Spheres around every link that are apart from all that they must not meet prove a
//! configuration free. Spheres inside of links that meet a solid prove that it collides. What neither proves is asked of the
//! exact shapes, and only those pairs whose spheres meet; so the answer is that of the exact shapes. Spheres meet where they are
//! not farther apart than the margin of their pair.
//!
//! Eight or sixteen configurations go side by side, in single precision; what rounding may do is added to every radius
//! ([`Model::rounding`]). Bodies have one sphere around all of their links, links one around theirs. A sphere that moves along a
//! way is first tested against all obstacles at once, by the box around its places.
//!
//! On a way, the first block of configurations spans all of it. No other configuration is farther from one of these than
//! half their gap, in which no body moves farther than the sum over its joints of turn times reach. Pairs that are farther
//! apart than that are not looked at again; where a gap is small beside the links, neither are spheres.

mod block;
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
use self::model::Model;
use self::rows::Block;
use self::scratch::{AnyScratch, build};
use super::{Workspace, WorldCollider};
use crate::Result;
use crate::math::Simd;
use crate::world::RobotId;

/// Two tiers of spheres for some robots of a [`WorldCollider`], and the memory to check with them.
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

/// Two parts whose spheres meet.
pub(crate) type Candidates<'a> = &'a [(usize, usize)];

/// Who is asked about a configuration, by its number, for pairs of parts: whether one of them collides.
type ExactCheck<'a> = &'a mut dyn FnMut(usize, Candidates<'_>) -> bool;

/// Limits that configurations may be beyond.
pub(crate) struct Bounds<'a> {
    /// Between these, one of each coordinate, a number is surely within them.
    pub(crate) surely: [&'a [f32]; 2],
    /// Whether a configuration is, by its number.
    pub(crate) exactly: &'a dyn Fn(usize) -> bool,
}

/// What decided about a configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It is beyond [`Bounds`].
    Beyond,
    /// Spheres around all links are free.
    Free,
    /// Spheres inside of links collide.
    Collides,
    /// The exact shapes, asked for pairs whose spheres meet.
    Asked {
        /// What they said.
        free: bool,
    },
}

impl Verdict {
    pub(crate) fn is_free(self) -> bool {
        matches!(self, Self::Free | Self::Asked { free: true })
    }
}

impl SphereChecker {
    /// For robots of a collider, with everything else where `ws` has it and at most `most` spheres around each link; without a
    /// number only where all links are spheres already, else `None`.
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

    /// Takes what the robots must not meet from where `ws` has it now.
    pub(crate) fn set_obstacles(&mut self, collider: &WorldCollider, ws: &Workspace) {
        Arc::make_mut(&mut self.model).set_obstacles(collider, ws);
        self.scratch = build(&self.model);
    }

    /// Judges configurations, row after row, which are within limits where no `bounds` are given; `check` is told a row and pairs
    /// of parts, and says whether one of them collides.
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

    /// Whether the way from `a` to `a + change` is free at `0..=steps` of so many steps. `check` is told the step, and pairs
    /// of parts.
    ///
    /// All coordinates go steadily from the one to the other.
    pub(crate) fn is_edge_free(
        &mut self,
        a: &[f64],
        change: &[f64],
        steps: usize,
        mut check: impl FnMut(usize, Candidates<'_>) -> bool,
    ) -> bool {
        let mut free = true;
        let mut candidates = Vec::new();
        Simd::chosen().run(Along {
            model: &self.model,
            scratch: &mut *self.scratch,
            a,
            change,
            steps,
            goal: edge::Goal::AllFree {
                check: &mut check,
                free: &mut free,
            },
            candidates: &mut candidates,
        });
        free
    }

    /// The steps of a way that are not surely free, in order, in center of what `out` held.
    pub(crate) fn unresolved_steps(
        &mut self,
        a: &[f64],
        change: &[f64],
        steps: usize,
        out: &mut Vec<usize>,
    ) {
        out.clear();
        let mut candidates = Vec::new();
        Simd::chosen().run(Along {
            model: &self.model,
            scratch: &mut *self.scratch,
            a,
            change,
            steps,
            goal: edge::Goal::Unresolved(out),
            candidates: &mut candidates,
        });
        out.sort_unstable();
    }
}

impl WorldCollider {
    /// Whether one of these pairs of parts collides.
    pub(crate) fn any_collides_with(&self, pairs: Candidates<'_>, ws: &mut Workspace) -> bool {
        self.assert_owns(ws);
        let mut pairs = pairs.iter();
        pairs.any(|&(a, b)| ws.collides((a.min(b), a.max(b))))
    }
}
