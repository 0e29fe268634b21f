//! Scratch memory of the checks of a [`RobotCSpace`], and the pool that lends it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::PrefilterCounts;
use super::edge::Intervals;
use super::prefilter::Spheres;
use super::robot_cspace::Snapshot;
use crate::world;
use crate::{Error, Result};

/// Scratch memory of the checks of a [`RobotCSpace`](super::RobotCSpace): one per thread.
///
/// [`CSpace::workspace`](super::CSpace::workspace) makes one. It serves all clones of a space, at any resolution and with any
/// weights. A space that [changed](super::RobotCSpace::set_pose) since makes it anew, which allocates; another space refuses it,
/// as a collider refuses a [`world::Workspace`] of another collider. It keeps no answers: every check sets the robots first.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// The names of the robots of its space; the address tells spaces apart, whatever they changed since.
    space: Arc<str>,
    /// The snapshot that the poses and spheres are from.
    version: Arc<()>,
    pub(super) poses: Poses,
    pub(super) spheres: Option<Spheres>,
    pub(super) counts: PrefilterCounts,
    pub(super) intervals: Intervals,
}

/// Poses of the robots of a space during a check.
#[derive(Debug, Clone)]
pub(super) struct Poses {
    pub(super) world: world::Workspace,
    /// A configuration within an edge.
    pub(super) between: Vec<f64>,
    /// Intervals of an edge that are still to be checked.
    pub(super) intervals: Vec<(usize, usize)>,
}

impl Workspace {
    pub(super) fn new(robots: &str, world: world::Workspace, n_dofs: usize) -> Self {
        Self {
            space: robots.into(),
            version: Arc::default(),
            poses: Poses {
                world,
                between: vec![0.0; n_dofs],
                intervals: Vec::new(),
            },
            spheres: None,
            counts: PrefilterCounts::default(),
            intervals: Intervals::default(),
        }
    }

    /// Number of checks of [`is_free`](super::CSpace::is_free_with), [`are_free`](super::CSpace::are_free_with) and
    /// [`is_edge_free`](super::CSpace::is_edge_free_with) in this workspace that each tier decided, and of each part of an edge that
    /// [`free_share`](super::CSpace::free_share_with) checked; zeros without spheres.
    #[must_use]
    pub fn prefilter_counts(&self) -> PrefilterCounts {
        self.counts
    }

    /// Makes the workspace anew where it is not from this snapshot, and refuses one of another space.
    #[inline]
    pub(super) fn update(&mut self, snapshot: &Snapshot) -> Result<()> {
        let initial = &snapshot.initial;
        if Arc::ptr_eq(&self.version, &initial.version) {
            return Ok(());
        }
        if !Arc::ptr_eq(&self.space, &initial.space) {
            let problem = format!(
                "belongs to another space, of {}: take one from `workspace` of this one, of {}",
                self.space, initial.space
            );
            return Err(Error::invalid("workspace", problem));
        }
        let counts = self.counts;
        self.clone_from(initial);
        self.counts = counts;
        Ok(())
    }

    /// What tells its space apart, whatever changed in it since, and what tells its snapshot apart.
    pub(super) fn identity(&self) -> (&Arc<str>, &Arc<()>) {
        (&self.space, &self.version)
    }

    /// Marks the workspace as the first of a new snapshot.
    pub(super) fn renew(&mut self) {
        self.version = Arc::default();
    }
}

/// Workspaces that are not in use: as many as were ever in use at once.
#[derive(Debug, Default)]
pub(super) struct Pool {
    #[expect(
        clippy::vec_box,
        reason = "a workspace is large; to lend it moves a pointer"
    )]
    idle: Mutex<Vec<Box<Workspace>>>,
}

impl Pool {
    /// Runs `query` in an idle workspace, or in a copy of `initial` where there is none.
    pub(super) fn lend<R>(
        &self,
        initial: &Workspace,
        query: impl FnOnce(&mut Workspace) -> R,
    ) -> R {
        let idle = self.lock().pop();
        let mut ws = idle.unwrap_or_else(|| Box::new(initial.clone()));
        let answer = query(&mut ws);
        self.lock().push(ws);
        answer
    }

    /// Adds an idle workspace.
    pub(super) fn add(&self, ws: Workspace) {
        self.lock().push(Box::new(ws));
    }

    /// The idle workspaces. A thread that panics while it holds the lock leaves only whole workspaces.
    #[expect(
        clippy::vec_box,
        reason = "a workspace is large; to lend it moves a pointer"
    )]
    fn lock(&self) -> MutexGuard<'_, Vec<Box<Workspace>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// An empty pool: a changed snapshot fills its own.
impl Clone for Pool {
    fn clone(&self) -> Self {
        Self::default()
    }
}
