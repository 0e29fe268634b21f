//! Sphere pre-filter: spheres around and inside of links decide about most configurations, and the shapes about the rest.

use super::cspace::check_block;
use super::robot_cspace::ROUNDING;
use super::workspace::Poses;
use super::{CSpace, RobotCSpace, Workspace, configuration};
use crate::Result;
use crate::world::{self, Bounds, RobotId, SphereChecker, Unresolved, Verdict, WorldCollider};

/// Number of checks that each tier of the [sphere pre-filter](RobotCSpace::with_sphere_prefilter) decided: of
/// configurations, and of whole edges.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct PrefilterCounts {
    /// Free, because the spheres around all links are.
    pub outer: u64,
    /// Not free, because spheres inside of links collide.
    pub inner: u64,
    /// Either, by the shapes themselves.
    pub exact: u64,
}

/// Spheres for the robots of a space, with the scratch memory to check them.
#[derive(Debug, Clone)]
pub(super) struct Spheres {
    pub(super) checker: SphereChecker,
    /// Change of each degree of freedom along an edge.
    pub(super) change: Vec<f64>,
    /// Steps of an edge that spheres do not decide to be free.
    pub(super) unresolved: Unresolved,
    rows: Vec<f64>,
    which: Vec<usize>,
    verdicts: Vec<Verdict>,
}

impl Spheres {
    pub(super) fn new(
        collider: &WorldCollider,
        ws: &world::Workspace,
        robots: &[RobotId],
        most: Option<usize>,
    ) -> Result<Option<Self>> {
        let checker = SphereChecker::new(collider, ws, robots, most)?;
        Ok(checker.map(|checker| Self {
            checker,
            change: Vec::new(),
            unresolved: Unresolved::default(),
            rows: Vec::new(),
            which: Vec::new(),
            verdicts: Vec::new(),
        }))
    }

    /// Takes the obstacles of the robots from where `ws` has them.
    pub(super) fn set_obstacles(&mut self, collider: &WorldCollider, ws: &world::Workspace) {
        self.checker.set_obstacles(collider, ws);
    }
}

/// Checks each row of `block`, by spheres where there are any.
pub(super) fn are_free(
    space: &RobotCSpace,
    block: &[f64],
    free: &mut [bool],
    ws: &mut Workspace,
) -> Result<()> {
    ws.update(&space.snapshot)?;
    let width = space.n_dofs();
    check_block(width, block, free)?;
    let row = |k: usize| &block[k * width..(k + 1) * width];
    let Workspace {
        poses: Poses { world, .. },
        spheres,
        counts,
        ..
    } = ws;
    let Some(spheres) = spheres else {
        for (k, free) in free.iter_mut().enumerate() {
            space.check_values(row(k))?;
            *free = configuration::is_free(space, row(k), 0.0, world)?;
        }
        return Ok(());
    };

    // rows beyond limits are not free; where limits are plain the lanes see to them, else what is left is packed
    free.fill(false);
    spheres.which.clear();
    spheres.rows.clear();
    let plain = space.snapshot.plain.as_ref();
    let rows = if plain.is_some() {
        spheres.which.extend(0..free.len());
        block
    } else {
        for k in 0..free.len() {
            space.check_values(row(k))?;
            if space.is_within_limits(row(k))? {
                spheres.rows.extend_from_slice(row(k));
                spheres.which.push(k);
            }
        }
        &spheres.rows
    };
    let row = |k: usize| &rows[k * width..(k + 1) * width];
    let exactly = |k: usize| plain.is_none_or(|limits| limits.contain(row(k)));
    let bounds = plain.map(|limits| Bounds {
        surely: limits.surely(),
        exactly: &exactly,
    });
    spheres.verdicts.clear();
    spheres.verdicts.resize(spheres.which.len(), Verdict::Free);
    let mut failure = None;
    let ask = |k: usize, pairs: &[(usize, usize)]| {
        let hit = space.set_robots(row(k), world);
        let hit = hit.and_then(|()| space.collides(pairs, world));
        hit.unwrap_or_else(|error| {
            failure = Some(error);
            true
        })
    };
    spheres
        .checker
        .judge(rows, bounds, ask, &mut spheres.verdicts);
    if let Some(error) = failure {
        return Err(error);
    }
    for (&k, verdict) in spheres.which.iter().zip(&spheres.verdicts) {
        free[k] = verdict.is_free();
        let count = match verdict {
            Verdict::Beyond => {
                // what is not finite is beyond every plain limit
                space.check_values(row(k))?;
                continue;
            }
            Verdict::Free => &mut counts.outer,
            Verdict::Collides => &mut counts.inner,
            Verdict::Asked { .. } => &mut counts.exact,
        };
        *count += 1;
    }
    Ok(())
}

/// Interpolation leaves the limits by at most [`ROUNDING`], which the slack of single precision covers.
const _: () = assert!(ROUNDING <= 1e-6);
