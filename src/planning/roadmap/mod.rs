//! Road maps: milestones and edges that are kept from one query to the next.

mod graph;
mod parts;
mod plan;
mod repair;
mod scene;
mod shortest;
mod solve;

pub use graph::{EdgeState, RoadMapEdge};
pub use repair::Repair;
pub use scene::Scene;

pub(crate) use parts::Parts;
pub(crate) use scene::Owner;

use graph::Graph;
use scene::Seen;

use super::CSpace;
use crate::math::{SplitMix, mix};
use crate::{Error, Result};

/// A probabilistic road map (PRM): free configurations of a [`CSpace`], its milestones, and edges between near ones, kept for many
/// queries in one scene.
///
/// | | |
/// |---|---|
/// | milestones | free samples of the space (Kavraki et al. 1996), each with edges to its e (1 + 1/d) ln n nearest, so that the shortest paths of a growing map converge to those of the space (PRM\*: Karaman and Frazzoli 2011) |
/// | edges | checked when a query needs them, and what comes out is kept (lazy PRM: Bohlin and Kavraki 2000): [`EdgeState`] |
/// | query | the shortest path along edges that may be free, by A\*; the edges of it that are unknown are checked, from the ends to the middle, until a path has none. Ends are joined to their nearest milestones for this query |
/// | where the map does not join the ends | [`RrtConnect`](super::RrtConnect) searches with the budget that is left, and the map learns its path, as in Thunder (Coleman et al. 2015) |
/// | objects that move | before each query the map finds out what moved in the [scene](CSpace::scene) of the space, and forgets what it knew about edges near where that was or is: see [`repair`](Self::repair) |
///
/// A query so gives the same path as in a map of which nothing is known yet. Paths are free as far as the checks of the space say;
/// [`plan`](Self::plan), for robots, holds them to what [`plan`](super::plan) does.
///
/// A space of your own without a [scene](CSpace::scene) is taken to give the same answers always; after it changed, call
/// [`forget`](Self::forget). A map is of one space: of robots with these names, joints and limits. To use it in another one
/// of these robots, with another constraint, call [`forget`](Self::forget) first, too.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::planning::{Budget, RoadMap, RobotCSpace};
///
/// let world = WorldModel::load("data/worlds/cell.xml")?.value;
/// let arm = world.robot("arm")?.id();
/// let mut space = RobotCSpace::new(&world, &[arm])?;
/// let mut map = RoadMap::new(&space).with_seed(7);
/// map.grow(&space, 200)?;
///
/// let (start, goal) = (space.current(), [1.0, 0.2, 0.0, 0.0, 0.0, 0.0]);
/// let found = map.plan(&space, &start, &goal, &Budget::default())?;
/// assert!(found.path.is_some());
///
/// // the ball moves, and the map notices
/// let ball = world.rigid_object_id("ball")?;
/// space.set_pose(ball, &kinworld::Pose::translation(0.5, 0.3, 0.6))?;
/// let found = map.plan(&space, &start, &goal, &Budget::default())?;
/// assert!(found.path.is_some());
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "PRM")]
#[doc(alias = "PRMstar")]
#[doc(alias = "LazyPRM")]
#[doc(alias = "roadmap")]
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct RoadMap {
    owner: Owner,
    seed: u64,
    /// Number of samples that were drawn.
    drawn: u64,
    graph: Graph,
    /// The scene in which the states of edges were found.
    seen: Option<Seen>,
    /// The step of the samples of edges in that scene, of a map that was read; then whether the next scene is taken to be it.
    read: Option<f64>,
    is_trusted: bool,
}

/// The most milestones, and the most edges.
const MOST: usize = u32::MAX as usize / 2;

/// Samples that are checked together.
const BLOCK: usize = 64;

impl RoadMap {
    /// An empty map of a space.
    #[must_use]
    pub fn new(space: &impl CSpace) -> Self {
        Self {
            owner: Owner::of(space),
            seed: 0,
            drawn: 0,
            graph: Graph::new(space.n_dofs()),
            seen: None,
            read: None,
            is_trusted: false,
        }
    }

    /// With another seed of its samples; at first it is 0. Equal seeds give equal milestones.
    #[must_use]
    pub fn with_seed(mut self, seed: u64) -> Self {
        self.seed = seed;
        self
    }

    /// Number of milestones.
    #[must_use]
    pub fn len(&self) -> usize {
        self.graph.len()
    }

    /// Returns whether there is no milestone.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The configurations of the milestones.
    pub fn milestones(&self) -> impl ExactSizeIterator<Item = &[f64]> + '_ {
        (0..self.len()).map(|milestone| self.graph.q(milestone))
    }

    /// The edges.
    #[must_use]
    pub fn edges(&self) -> &[RoadMapEdge] {
        &self.graph.edges
    }

    /// Draws so many samples more, and adds those that are free as milestones: returns how many.
    ///
    /// No edge is checked. Growing in steps gives the same milestones as growing at once.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a space that the map is not of, and for more than 2³¹ milestones or edges; what checks of the space
    /// fail with.
    pub fn grow(&mut self, space: &impl CSpace, samples: usize) -> Result<usize> {
        self.grow_observed(space, samples, |_| true)
    }

    /// [`grow`](Self::grow) with an observer: it is called with the number of samples after each sixty-four of them, and returns
    /// whether to go on.
    ///
    /// # Errors
    ///
    /// As [`grow`](Self::grow).
    pub fn grow_observed(
        &mut self,
        space: &impl CSpace,
        samples: usize,
        mut observer: impl FnMut(usize) -> bool,
    ) -> Result<usize> {
        self.repair(space)?;
        let before = self.len();
        let n = space.n_dofs();
        let mut done = 0;
        while done < samples && observer(done) {
            let count = BLOCK.min(samples - done);
            let mut block = vec![0.0; count * n];
            for (k, q) in block.chunks_exact_mut(n.max(1)).enumerate() {
                let mut random = self.random(self.drawn + k as u64);
                space.sample_into(&mut || random.uniform(), q);
            }
            let mut free = vec![false; count];
            space.with_workspace(|ws| space.are_free_with(&block, &mut free, ws))?;
            for (q, _) in (block.chunks_exact(n.max(1)).zip(&free)).filter(|(_, free)| **free) {
                self.check_size()?;
                self.graph.insert(space, q);
            }
            self.drawn += count as u64;
            done += count;
        }
        Ok(self.len() - before)
    }

    /// The random numbers of a sample.
    fn random(&self, sample: u64) -> SplitMix {
        SplitMix::new(mix(self.seed ^ mix(sample + 1)))
    }

    /// Checks that there is room for another milestone with its edges.
    fn check_size(&self) -> Result<()> {
        if self.len() < MOST && self.edges().len() < MOST {
            return Ok(());
        }
        let problem = "is full: it has 2³¹ milestones or edges";
        Err(Error::invalid("a road map", problem))
    }
}
