//! Repairs of road maps after something moved.

use super::RoadMap;
use super::graph::EdgeState;
use super::scene::{Changes, Seen};
use crate::Result;
use crate::planning::CSpace;

/// What a [repair](RoadMap::repair) did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Repair {
    /// Number of edges that were known to be free or not, and still are.
    pub kept: usize,
    /// Number of edges that were known, and are not any more.
    pub forgotten: usize,
}

impl RoadMap {
    /// Forgets what may not hold any more, because something moved in the [scene](CSpace::scene) of a space; every query and every
    /// growth begins with it.
    ///
    /// After [`RobotCSpace::set_pose`](crate::planning::RobotCSpace::set_pose), an edge that was free stays so where the robots come
    /// into none of the boxes around the objects where they are now, and one that was not where they come into none of those where
    /// they were: boxes around the links, as they turn along the edge, tell, and never wrongly. All is forgotten for joints that do
    /// not move steadily, in a space of other [edges](super::Scene::with_other_edges), at another resolution, and in a space that
    /// was not made from the one before by moving objects.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`](crate::Error::Invalid) for a space that the map is not of; then nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{RoadMap, RobotCSpace};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let (arm, ball) = (world.robot("arm")?.id(), world.rigid_object_id("ball")?);
    /// let mut space = RobotCSpace::new(&world, &[arm])?;
    /// let mut map = RoadMap::new(&space);
    /// map.grow(&space, 50)?;
    /// map.check_edges(&space, |_| true)?;
    ///
    /// // out of reach, and so every edge that was free still is
    /// let free = map.edges().iter().filter(|edge| edge.state == kinworld::planning::EdgeState::Free).count();
    /// space.set_pose(ball, &kinworld::Pose::translation(9.0, 0.0, 0.0))?;
    /// let repair = map.repair(&space)?;
    /// assert!(free > 0 && repair.kept >= free);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn repair(&mut self, space: &impl CSpace) -> Result<Repair> {
        let is_current = self
            .seen
            .as_ref()
            .is_some_and(|seen| seen.is_current(space));
        // another space without robots would look the same
        if !is_current || space.scene().is_none() {
            self.owner.check(space)?;
        }
        if is_current && self.graph.is_measured {
            let kept = self.known();
            return Ok(Repair { kept, forgotten: 0 });
        }
        let now = Seen::of(space);
        let changes = match (&self.seen, self.read) {
            (Some(seen), _) => seen.changes(&now, space)?,
            (None, Some(step)) if self.is_trusted && step.to_bits() == now.step().to_bits() => {
                Changes::None
            }
            (None, _) => Changes::All,
        };
        let kept = self.kept(space, &changes)?;

        // nothing fails from here on
        let is_measured = self
            .seen
            .as_ref()
            .is_some_and(|seen| seen.has_metric_of(&now));
        if !(is_measured && self.graph.is_measured) {
            self.graph.measure(space);
        }
        (self.seen, self.read) = (Some(now), None);
        let mut repair = Repair::default();
        for (edge, kept) in self.graph.edges.iter_mut().zip(kept) {
            if edge.state != EdgeState::Unknown {
                let count = if kept {
                    &mut repair.kept
                } else {
                    &mut repair.forgotten
                };
                *count += 1;
            }
            if !kept {
                edge.state = EdgeState::Unknown;
            }
        }
        Ok(repair)
    }

    /// Forgets what is known about all edges, and keeps the milestones: for a space whose answers changed.
    #[doc(alias = "invalidate")]
    pub fn forget(&mut self) {
        for edge in &mut self.graph.edges {
            edge.state = EdgeState::Unknown;
        }
        (self.read, self.is_trusted) = (None, false);
    }

    /// Checks all edges about which nothing is known, so that queries need not: returns how many.
    ///
    /// [`plan`](Self::plan) works at a quarter of the resolution of its space: for it, check at that resolution. The observer is
    /// called with the number of edges before each, and returns whether to go on.
    ///
    /// # Errors
    ///
    /// As [`repair`](Self::repair), and what checks of the space fail with.
    pub fn check_edges<S: CSpace>(
        &mut self,
        space: &S,
        mut observer: impl FnMut(usize) -> bool,
    ) -> Result<usize> {
        self.repair(space)?;
        space.with_workspace(|ws| {
            let mut checked = 0;
            for i in 0..self.graph.edges.len() {
                if self.graph.edges[i].state != EdgeState::Unknown {
                    continue;
                }
                if !observer(checked) {
                    break;
                }
                checked += 1;
                self.graph.check(i, space, ws)?;
            }
            Ok(checked)
        })
    }

    /// Number of edges that are known to be free or not.
    fn known(&self) -> usize {
        let edges = self.edges().iter();
        edges
            .filter(|edge| edge.state != EdgeState::Unknown)
            .count()
    }

    /// Of each edge, whether its state holds after these changes.
    fn kept<S: CSpace>(&self, space: &S, changes: &Changes) -> Result<Vec<bool>> {
        let edges = self.edges();
        let (before, after) = match changes {
            Changes::None => return Ok(vec![true; edges.len()]),
            Changes::All => return Ok(vec![false; edges.len()]),
            Changes::Near { before, after } => (before, after),
        };
        let Some(scene) = space.scene() else {
            return Ok(vec![false; edges.len()]);
        };
        scene.space.with_workspace(|ws| {
            let kept = edges.iter().map(|edge| {
                let boxes = match edge.state {
                    EdgeState::Unknown => return Ok(true),
                    EdgeState::Free => after,
                    EdgeState::Blocked => before,
                };
                let [a, b] = edge.ends.map(|end| self.graph.q(end));
                Ok(!scene.space.may_sweep(a, b, boxes, ws)?)
            });
            kept.collect()
        })
    }
}
