//! The configuration space of robots in a frozen world.

use std::ops::Range;
use std::sync::Arc;

use super::coupling::Coupling;
use super::limits::Limits;
use super::prefilter::Spheres;
use super::workspace::{Pool, Workspace};
use super::{CSpace, Scene, edge, many, prefilter};
use crate::math::Pose;
use crate::robot::Robot;
use crate::world::{self, EntityId, PairFilter, RigidObjectId, RobotId, WorldCollider, WorldModel};
use crate::{Error, MissingGeometry, Result, kinematics};

/// The configuration space of one or more robots of a world.
///
/// A space is a description: share it between threads, or clone it, which copies two pointers. The world is frozen; what
/// happens to it later does not count. Only [`set_pose`](Self::set_pose) moves objects.
///
/// A configuration lists the degrees of freedom of the first robot, then those of the second, and so on. It is free if
///
/// 1. all of them are within their limits (spin joints after whole turns),
/// 2. those that an affine driver couples are where it has them,
/// 3. those that are not [active](Self::with_active) are where they stay, and
/// 4. no link of these robots and nothing [attached](WorldModel::attach) to them collides, with one another or with anything
///    else that [counts](PairFilter).
///
/// Metric, edges and samples follow the joints: see [`kinematics`]. Other robots stay where they are.
///
/// Each check comes in two forms. The short one borrows a [`Workspace`] from a pool in the space, which takes about 0.1 µs;
/// the one that ends in `_with` takes that of the caller. Neither allocates, once it has been used.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::planning::{CSpace, EdgeQuery, RobotCSpace};
///
/// let world = WorldModel::load("data/worlds/cell.xml")?.value;
/// let arm = world.robot("arm")?.id();
/// let space = RobotCSpace::new(&world, &[arm])?;
///
/// let leaning = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
/// assert!(!space.is_free(&leaning)?);
/// let obstacle = space.obstacle(&leaning)?.expect("the table is in the way");
/// println!("{}", obstacle.display(space.world()));
///
/// let first = space.edge_collision(&[0.0; 6], &leaning, EdgeQuery::First)?;
/// assert!(first.expect("it is on the edge, too").t > 0.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RobotCSpace {
    pub(super) snapshot: Arc<Snapshot>,
    resolution: f64,
    /// The weight of each degree of freedom in the metric, `None` where all count 1.
    pub(super) weights: Option<Arc<[f64]>>,
}

/// The frozen world and robots of a space: what all its clones share.
#[derive(Debug, Clone)]
pub(super) struct Snapshot {
    pub(super) world: WorldModel,
    pub(super) collider: WorldCollider,
    /// The pairs that count, and the most spheres of a link where there is a pre-filter: what spaces of single robots take over.
    pub(super) filter: PairFilter,
    pub(super) spheres: Option<usize>,
    pub(super) members: Vec<Member>,
    n_dofs: usize,
    /// The value of each degree of freedom that is not active; empty where all are.
    pub(super) fixed: Vec<Option<f64>>,
    /// The limits of all degrees of freedom where each is a number on its own: what all joints of most arms are.
    pub(super) plain: Option<Limits>,
    /// True if every degree of freedom changes steadily along an edge, and stays within its limits between two that are.
    pub(super) is_steady: bool,
    /// The workspace that others are copied from, with moved objects where they are.
    pub(super) initial: Workspace,
    pool: Pool,
}

/// One of the robots, and the range of its degrees of freedom in a configuration.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) id: RobotId,
    pub(super) robot: Arc<Robot>,
    pub(super) range: Range<usize>,
    pub(super) coupling: Coupling,
}

/// Rounding of interpolation: how far it may leave the limits, rad or m.
pub(super) const ROUNDING: f64 = 1e-9;

impl RobotCSpace {
    /// The space of these robots of a world.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for a robot that is not in the world, [`Error::Invalid`] for no robot at all, for one that is
    /// named twice, and as [`WorldCollider::new`].
    pub fn new(world: &WorldModel, robots: &[RobotId]) -> Result<Self> {
        Self::with_filter(world, robots, &PairFilter::default())
    }

    /// [`new`](Self::new) with a choice of the pairs that count, and of the margins that they keep.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn with_filter(
        world: &WorldModel,
        robots: &[RobotId],
        filter: &PairFilter,
    ) -> Result<Self> {
        if robots.is_empty() {
            return Err(Error::invalid("the robots of a space", "there are none"));
        }
        let mut members = Vec::new();
        let mut n_dofs = 0;
        for (i, &id) in robots.iter().enumerate() {
            let robot = Arc::clone(world.robot(id)?.model());
            if robots[..i].contains(&id) {
                let what = format!("robot `{}`", robot.name());
                return Err(Error::invalid(what, "is named twice for one space"));
            }
            let range = n_dofs..n_dofs + robot.n_dofs();
            n_dofs = range.end;
            let coupling = Coupling::new(&robot);
            members.push(Member {
                id,
                robot,
                range,
                coupling,
            });
        }
        let moves = |entity: EntityId| match entity {
            EntityId::RigidObject(id) => {
                let held = world.attachment(id);
                held.is_some_and(|held| robots.contains(&held.robot()))
            }
            _ => entity.robot().is_some_and(|robot| robots.contains(&robot)),
        };
        let collider = WorldCollider::of_bodies(world, filter, &moves)?;
        let names: Vec<String> = members
            .iter()
            .map(|m| format!("`{}`", m.robot.name()))
            .collect();
        let mut snapshot = Snapshot {
            world: world.clone(),
            plain: Limits::plain(&members, &[]),
            fixed: Vec::new(),
            is_steady: members.iter().all(edge::is_steady),
            initial: Workspace::new(&names.join(", "), collider.workspace(), n_dofs),
            pool: Pool::default(),
            collider,
            filter: filter.clone(),
            spheres: None,
            members,
            n_dofs,
        };
        snapshot.add_spheres(None)?;
        snapshot.renew();
        Ok(Self {
            snapshot: Arc::new(snapshot),
            resolution: 1.0 / 32.0,
            weights: None,
        })
    }

    /// With another resolution of edges: no joint moves further than this (rad or m) from one sample to the next.
    /// At first it is 1/32.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number that is not positive and finite.
    pub fn with_resolution(mut self, resolution: f64) -> Result<Self> {
        if !(resolution > 0.0 && resolution.is_finite()) {
            let problem = format!("{resolution} is not a positive number of rad or m");
            return Err(Error::invalid("the resolution of an edge", problem));
        }
        self.resolution = resolution;
        Ok(self)
    }

    /// Largest motion of a joint from one sample of an edge to the next, rad or m.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// With a sphere pre-filter: spheres around and inside of links, at most `most` of each for a link, decide where they
    /// can; the answers stay those of the shapes. Those inside are of solid links, and of links with closed meshes: these touch what
    /// reaches from inside of them to outside, as all does that is too large to be wholly inside.
    ///
    /// The spheres are fitted here, which takes some milliseconds for each link of a robot with fine meshes.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](crate::geometry::Geometry::outer_spheres).
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    /// use kinworld::planning::{CSpace, RobotCSpace};
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let arm = world.robot("arm")?.id();
    /// let space = RobotCSpace::new(&world, &[arm])?.with_sphere_prefilter(8)?;
    ///
    /// let mut ws = space.workspace();
    /// assert!(space.is_free_with(&[0.0; 6], &mut ws)?);
    /// let counts = ws.prefilter_counts();
    /// assert_eq!(counts.outer + counts.inner + counts.exact, 1);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn with_sphere_prefilter(mut self, most: usize) -> Result<Self> {
        let snapshot = Arc::make_mut(&mut self.snapshot);
        snapshot.add_spheres(Some(most))?;
        snapshot.spheres = Some(most);
        snapshot.renew();
        Ok(self)
    }

    /// Moves a rigid object, in this space and those that are cloned from it later; clones that were made before keep it where
    /// it was.
    ///
    /// `pose` is that of the object's frame in the world. With a sphere pre-filter, the list of all obstacles is made
    /// anew. Paths that were found before may collide now.
    ///
    /// # Errors
    ///
    /// As [`world::Workspace::set_pose`]; then nothing changes.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::planning::{CSpace, RobotCSpace};
    /// use kinworld::WorldModel;
    ///
    /// let world = WorldModel::load("data/worlds/cell.xml")?.value;
    /// let (arm, ball) = (world.robot("arm")?.id(), world.rigid_object_id("ball")?);
    /// let mut space = RobotCSpace::new(&world, &[arm])?;
    /// let q = space.current();
    /// assert!(space.is_free(&q)?);
    ///
    /// let hand = world.robot(arm)?.link("flange")?.pose();
    /// space.set_pose(ball, &hand)?;
    /// assert!(!space.is_free(&q)?);
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn set_pose(&mut self, object: RigidObjectId, pose: &Pose) -> Result<()> {
        let snapshot = Arc::make_mut(&mut self.snapshot);
        let ws = &mut snapshot.initial.poses.world;
        let before = ws.pose(object)?;
        ws.set_pose(object, pose)?;
        let moved = snapshot.world.rigid_object_mut(object);
        if let Err(error) = moved.and_then(|mut object| object.set_pose(pose)) {
            ws.set_pose(object, &before)?;
            return Err(error);
        }
        if let Some(spheres) = &mut snapshot.initial.spheres {
            spheres.set_obstacles(&snapshot.collider, ws);
        }
        snapshot.renew();
        Ok(())
    }

    /// The world as it was frozen, but for objects that were [moved](Self::set_pose).
    #[must_use]
    pub fn world(&self) -> &WorldModel {
        &self.snapshot.world
    }

    /// The robots, in the order of their degrees of freedom in a configuration.
    pub fn robots(&self) -> impl ExactSizeIterator<Item = RobotId> + '_ {
        self.members().iter().map(|member| member.id)
    }

    /// Elements that should have collision geometry and do not, where that could hide a collision of these robots: empty
    /// unless the filter [accepts](PairFilter::allow_missing_geometry) it.
    #[must_use]
    pub fn missing_geometry(&self) -> &[(EntityId, MissingGeometry)] {
        self.snapshot.collider.missing_geometry()
    }

    /// Configuration of the robots in the world.
    #[must_use]
    pub fn current(&self) -> Vec<f64> {
        let robots = self.members().iter();
        let robots = robots.filter_map(|member| self.world().robot(member.id).ok());
        robots
            .flat_map(|robot| robot.state().config().to_vec())
            .collect()
    }

    /// The configuration at `u` from `a` to `b`.
    pub(super) fn between_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) -> Result<()> {
        for Member { robot, range, .. } in self.members() {
            let (a, b) = (&a[range.clone()], &b[range.clone()]);
            kinematics::interpolate_into(robot, a, b, u, &mut out[range.clone()])?;
        }
        // of equal rotations interpolation may give other angles
        for (i, _) in (self.snapshot.fixed.iter().enumerate()).filter(|(_, fixed)| fixed.is_some())
        {
            out[i] = a[i];
        }
        Ok(())
    }

    /// Sets the robots of a workspace to a configuration.
    pub(super) fn set_robots(&self, q: &[f64], ws: &mut world::Workspace) -> Result<()> {
        for Member { id, range, .. } in self.members() {
            ws.set_config(*id, &q[range.clone()])?;
        }
        Ok(())
    }

    pub(super) fn members(&self) -> &[Member] {
        &self.snapshot.members
    }

    /// Ids of the robots.
    pub(super) fn ids(&self) -> Vec<RobotId> {
        self.members().iter().map(|member| member.id).collect()
    }

    /// Checks that these are finite numbers, one per degree of freedom.
    pub(super) fn check_values(&self, q: &[f64]) -> Result<()> {
        kinematics::check_values("configuration", self.snapshot.n_dofs, q)
    }

    /// Returns whether a configuration is within limits, and where drivers couple it.
    pub(super) fn is_within_limits(&self, q: &[f64]) -> Result<bool> {
        if let Some(limits) = &self.snapshot.plain {
            return Ok(limits.contain(q));
        }
        if self.moved(q, 0.0).is_some() {
            return Ok(false);
        }
        for member in self.members() {
            let (robot, q) = (&member.robot, &q[member.range.clone()]);
            if kinematics::first_beyond_limits(robot, q, 0.0)?.is_some()
                || member.coupling.broken(robot, q)?.is_some()
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Snapshot {
    /// Fits spheres for the robots; without a number only where all links are spheres already.
    fn add_spheres(&mut self, most: Option<usize>) -> Result<()> {
        let ids: Vec<RobotId> = self.members.iter().map(|member| member.id).collect();
        self.initial.spheres = Spheres::new(&self.collider, &self.initial.poses.world, &ids, most)?;
        Ok(())
    }

    /// Has all workspaces of the snapshot as it was made anew.
    pub(super) fn renew(&mut self) {
        self.initial.renew();
        self.pool = Pool::default();
        // so that the first check allocates no more than its lists
        self.pool.add(self.initial.clone());
    }
}

/// Panics, in all but checks, where a configuration does not have [`n_dofs`](CSpace::n_dofs) numbers.
impl CSpace for RobotCSpace {
    type Workspace = Workspace;

    fn workspace(&self) -> Workspace {
        self.snapshot.initial.clone()
    }

    fn with_workspace<R>(&self, query: impl FnOnce(&mut Workspace) -> R) -> R {
        self.snapshot.pool.lend(&self.snapshot.initial, query)
    }

    fn n_dofs(&self) -> usize {
        self.snapshot.n_dofs
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        let limits = self.members().iter();
        let limits = limits.flat_map(|member| member.robot.limits());
        let fixed = self.snapshot.fixed.iter().copied();
        let fixed = fixed.chain(std::iter::repeat(None));
        let bounds = limits.zip(fixed);
        bounds
            .map(|(limits, fixed)| fixed.map_or([limits.q_min, limits.q_max], |at| [at, at]))
            .collect()
    }

    fn is_free_with(&self, q: &[f64], ws: &mut Workspace) -> Result<bool> {
        let mut free = [false];
        self.are_free_with(q, &mut free, ws)?;
        Ok(free[0])
    }

    fn reason_with(&self, q: &[f64], ws: &mut Workspace) -> Result<Option<String>> {
        let obstacle = self.obstacle_with(q, ws)?;
        Ok(obstacle.map(|obstacle| obstacle.display(self.world()).to_string()))
    }

    fn are_free_with(&self, block: &[f64], free: &mut [bool], ws: &mut Workspace) -> Result<()> {
        prefilter::are_free(self, block, free, ws)
    }

    /// With the feature `parallel` on the threads of `rayon`, whose number changes no answer. The error of an invalid value
    /// counts the configurations from 0.
    fn are_free(&self, block: &[f64], free: &mut [bool]) -> Result<()> {
        many::are_free(self, block, free)
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], ws: &mut Workspace) -> Result<bool> {
        Ok(edge::free_share(self, (a, b), None, &[], ws)? >= 1.0)
    }

    fn free_share_with(
        &self,
        a: &[f64],
        b: &[f64],
        shares: &[f64],
        ws: &mut Workspace,
    ) -> Result<f64> {
        edge::free_share(self, (a, b), None, shares, ws)
    }

    fn step(&self) -> f64 {
        self.resolution
    }

    fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        if let Some(limits) = &self.snapshot.plain
            && limits.sample_into(uniform, out)
        {
            return self.hold(out);
        }
        for member in self.members() {
            let q = &mut out[member.range.clone()];
            kinematics::sample_into(&member.robot, 1.0, &mut *uniform, q);

            // a sample is a configuration, so this has nothing to refuse
            let _ = member.coupling.restore(&member.robot, q);
        }
        self.hold(out);
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.weighted_distance(a, b)
    }

    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        let outcome = self.between_into(a, b, u, out);
        outcome.expect("the ends of an edge are configurations of its space");
    }

    fn scene(&self) -> Option<Scene<'_>> {
        Some(Scene::of(self))
    }

    fn embed_into(&self, q: &[f64], out: &mut Vec<f64>) {
        self.weighted_embedding(q, out);
    }
}
