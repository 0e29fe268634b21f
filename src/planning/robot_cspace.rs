//! The configurations of robots in a frozen world.

use std::ops::Range;
use std::sync::Arc;

use super::CSpace;
use super::coupling::Coupling;
use super::limits::Limits;
use super::tiers::Balls;
use crate::kinematics;
use crate::math::Pose;
use crate::robot::Robot;
use crate::world::{PairFilter, RigidObjectId, RobotId, Workspace, WorldCollider, WorldModel};
use crate::{Error, Result};

/// The configurations of one or more robots of a world, which is frozen: what happens to it later does not count. Only
/// [`set_pose`](Self::set_pose) moves objects.
///
/// A configuration has the coordinates of the first robot, then those of the second, and so on. It is free if
///
/// 1. all coordinates are within their limits (spin joints after whole turns),
/// 2. those that an affine driver holds together are where it has them, and
/// 3. no link of these robots and nothing that they [hold](WorldModel::attach) collides, with one another or with anything
///    else that [counts](PairFilter).
///
/// Metric, ways and samples follow the joints: see [`kinematics`]. Other robots stay where they are.
///
/// # Examples
///
/// ```
/// use kinworld::WorldModel;
/// use kinworld::planning::RobotCSpace;
///
/// let world = WorldModel::load("data/worlds/cell.xml")?.value;
/// let arm = world.robot("arm")?.id();
/// let mut space = RobotCSpace::new(&world, &[arm])?;
///
/// let leaning = [0.0, 1.6, 0.0, 0.0, 0.0, 0.0];
/// let obstacle = space.obstacle(&leaning)?.expect("the table is in the way");
/// println!("{}", obstacle.told(space.world()));
///
/// let contact = space.first_contact(&[0.0; 6], &leaning)?.expect("it is on the way, too");
/// assert!(contact.t > 0.0);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RobotCSpace {
    world: WorldModel,
    pub(super) collider: WorldCollider,
    members: Vec<Member>,
    n: usize,
    resolution: f64,
    /// What the change of each coordinate counts in the metric, `None` where all count 1.
    pub(super) weights: Option<Vec<f64>>,
    /// The limits of all coordinates where each is a number on its own: what all joints of most arms are. Where there is no
    /// limit, the largest number, so that whatever is between them is finite.
    pub(super) plain: Option<Arc<Limits>>,

    // memory of the checks
    pub(super) ws: Workspace,
    pub(super) between: Vec<f64>,
    pub(super) balls: Option<Balls>,
}

/// One of the robots, and which coordinates are its.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) id: RobotId,
    pub(super) robot: Arc<Robot>,
    pub(super) range: Range<usize>,
    pub(super) coupling: Coupling,
}

/// How far interpolation may leave the limits by rounding, rad or m.
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
        let mut n = 0;
        for (i, &id) in robots.iter().enumerate() {
            let robot = Arc::clone(world.robot(id)?.model());
            if robots[..i].contains(&id) {
                let what = format!("robot `{}`", robot.name());
                return Err(Error::invalid(what, "is named twice for one space"));
            }
            let range = n..n + robot.n_dofs();
            n = range.end;
            let coupling = Coupling::new(&robot);
            members.push(Member {
                id,
                robot,
                range,
                coupling,
            });
        }
        let collider = WorldCollider::new(world, filter)?;
        let ws = collider.workspace();
        let balls = Balls::new(&collider, &ws, &members, None)?;
        Ok(Self {
            weights: None,
            plain: Limits::plain(&members).map(Arc::new),
            balls,
            world: world.clone(),
            ws,
            collider,
            members,
            n,
            resolution: 1.0 / 32.0,
            between: vec![0.0; n],
        })
    }

    /// With another resolution of ways: no joint moves further than this (rad or m) from one sample to the next.
    /// At first it is 1/32.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number that is not positive and finite.
    pub fn with_resolution(mut self, resolution: f64) -> Result<Self> {
        self.set_resolution(resolution)?;
        Ok(self)
    }

    pub(super) fn set_resolution(&mut self, resolution: f64) -> Result<()> {
        if !(resolution > 0.0 && resolution.is_finite()) {
            let problem = format!("{resolution} is not a positive number of rad or m");
            return Err(Error::invalid("the resolution of a way", problem));
        }
        self.resolution = resolution;
        Ok(())
    }

    /// How far a joint moves at most from one sample of a way to the next, rad or m.
    #[must_use]
    pub fn resolution(&self) -> f64 {
        self.resolution
    }

    /// Puts a rigid object elsewhere, for this space and those that are cloned from it later.
    ///
    /// `pose` is that of the object's frame in the world. Where balls stand for links, the list of all obstacles is made
    /// anew. Paths that were found before may collide now.
    ///
    /// # Errors
    ///
    /// As [`Workspace::set_pose`]; then nothing changes.
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
    /// assert!(space.is_free(&q));
    ///
    /// let hand = world.robot(arm)?.link("flange")?.pose();
    /// space.set_pose(ball, &hand)?;
    /// assert!(!space.is_free(&q));
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn set_pose(&mut self, object: RigidObjectId, pose: &Pose) -> Result<()> {
        let before = self.ws.pose(object)?;
        self.ws.set_pose(object, pose)?;
        let told = self.world.rigid_object_mut(object);
        if let Err(error) = told.and_then(|mut object| object.set_pose(pose)) {
            self.ws.set_pose(object, &before)?;
            return Err(error);
        }
        if let Some(balls) = &mut self.balls {
            balls.set_obstacles(&self.collider, &self.ws);
        }
        Ok(())
    }

    /// The world as it was frozen, but for objects that were [moved](Self::set_pose).
    #[must_use]
    pub fn world(&self) -> &WorldModel {
        &self.world
    }

    /// Numbers per configuration: the coordinates of all its robots.
    #[must_use]
    pub fn n_coordinates(&self) -> usize {
        self.n
    }

    /// Where the robots are in the world.
    #[must_use]
    pub fn current(&self) -> Vec<f64> {
        let states = self
            .members
            .iter()
            .filter_map(|member| self.world.robot(member.id).ok());
        states
            .flat_map(|robot| robot.state().config().to_vec())
            .collect()
    }

    /// The largest change of a joint from `a` to `b`, rad or m.
    pub(super) fn largest_change(&self, a: &[f64], b: &[f64]) -> Result<f64> {
        self.check(a)?;
        self.check(b)?;
        let mut largest = 0.0_f64;
        for member in &self.members {
            let (a, b) = (&a[member.range.clone()], &b[member.range.clone()]);
            let changes = kinematics::changes(&member.robot, a, b)?;
            largest = changes.into_iter().fold(largest, f64::max);
        }
        Ok(largest)
    }

    /// The configuration at `u` from `a` to `b`.
    pub(super) fn between_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) -> Result<()> {
        for Member { robot, range, .. } in &self.members {
            let (a, b) = (&a[range.clone()], &b[range.clone()]);
            kinematics::interpolate_into(robot, a, b, u, &mut out[range.clone()])?;
        }
        Ok(())
    }

    /// Moves the robots of the workspace.
    pub(super) fn put(&mut self, q: &[f64]) -> Result<()> {
        for Member { id, range, .. } in &self.members {
            self.ws.set_config(*id, &q[range.clone()])?;
        }
        Ok(())
    }

    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// What answers, and where it has the robots.
    pub(super) fn collider(&mut self) -> (&WorldCollider, &mut Workspace) {
        (&self.collider, &mut self.ws)
    }

    /// That these are numbers, as many as there are coordinates.
    pub(super) fn check(&self, q: &[f64]) -> Result<()> {
        kinematics::check_values("configuration", self.n, q)
    }
}

/// Lengths are those of [`dimension`](CSpace::dimension), else a check says no, and the rest panics.
impl CSpace for RobotCSpace {
    fn dimension(&self) -> usize {
        self.n
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        let limits = self.members.iter().flat_map(|member| member.robot.limits());
        limits.map(|limits| [limits.q_min, limits.q_max]).collect()
    }

    fn is_free(&mut self, q: &[f64]) -> bool {
        let mut free = [false];
        self.are_free(q, &mut free);
        free[0]
    }

    fn are_free(&mut self, block: &[f64], free: &mut [bool]) {
        self.judge(block, free);
    }

    fn reason(&mut self, q: &[f64]) -> Option<String> {
        match self.obstacle(q) {
            Ok(obstacle) => obstacle.map(|obstacle| obstacle.told(&self.world).to_string()),
            Err(error) => Some(error.to_string()),
        }
    }

    fn is_edge_free(&mut self, a: &[f64], b: &[f64]) -> bool {
        matches!(self.is_way_free(a, b), Ok(true))
    }

    fn step(&self) -> f64 {
        self.resolution
    }

    fn sample_into(&mut self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        for member in &self.members {
            let q = &mut out[member.range.clone()];
            if self.plain.is_some() {
                kinematics::sample_numbers(member.robot.limits(), 1.0, &mut *uniform, q);
                continue;
            }
            kinematics::sample_into(&member.robot, 1.0, &mut *uniform, q);

            // a sample is a configuration, so this has nothing to refuse
            let _ = member.coupling.restore(&member.robot, q);
        }
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.weighted_distance(a, b)
    }

    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        let outcome = self.between_into(a, b, u, out);
        outcome.expect("the ends of a way are configurations of its space");
    }

    fn picture(&self, q: &[f64], out: &mut Vec<f64>) {
        self.weighted_picture(q, out);
    }
}
