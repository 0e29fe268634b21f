//! The configuration space of a rigid object in a frozen world.

use std::sync::Arc;

use super::{CSpace, RobotCSpace, Scene, Workspace};
use crate::math::Pose;
use crate::robot::{Element, Joint, JointKind, Robot, RobotBuilder};
use crate::world::{EntityId, PairFilter, RigidObjectId, WorldModel};
use crate::{Error, Result};

/// The configuration space of a rigid object of a world: SE(3), with bounds for its position.
///
/// A configuration has six numbers: x, y, z of the object's frame in the world, then its rotations about z, y and x (yaw, pitch,
/// roll), as those of a [floating joint](crate::robot::JointKind::Floating). [`config`](Self::config) and [`pose`](Self::pose)
/// convert between the two.
///
/// | | |
/// |---|---|
/// | distance | `√(Δx² + Δy² + Δz² + α²)` with the angle `α` of the rotation between, m and rad |
/// | edge | the straight line for the origin of the frame, the shortest rotation about a fixed axis |
/// | samples | uniform between the bounds, and over all rotations |
/// | free | within the bounds, without a collision with anything that counts but what it may touch |
///
/// [`robot_space`](Self::robot_space) answers all else.
///
/// # Examples
///
/// ```
/// use kinworld::planning::{Budget, CSpace, RigidObjectCSpace, RrtConnect};
/// use kinworld::{Pose, WorldModel};
///
/// // a crate over a table, from one end to the other
/// let mut world = WorldModel::load("data/terrains/table.env")?.value;
/// let _ = world.load_element("data/objects/crate.obj")?;
/// let crate_ = world.rigid_object_id("crate")?;
/// let bounds = [[0.0, 1.5], [-1.0, 1.0], [0.0, 1.0]];
/// let space = RigidObjectCSpace::new(&world, crate_, bounds, &[])?;
///
/// let start = space.current();
/// let goal = space.config(&Pose::translation(0.7, -0.4, 0.3))?;
/// let path = RrtConnect::new(&Budget::default()).solve(&space, &start, &goal)?.path;
/// assert!(path.is_some_and(|path| path.len() >= 2));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[doc(alias = "SE3StateSpace")]
#[derive(Debug, Clone)]
pub struct RigidObjectCSpace {
    space: RobotCSpace,
    robot: Arc<Robot>,
    joint: Joint,
}

impl RigidObjectCSpace {
    /// The space of an object whose origin stays within these bounds, lower and upper for x, y and z in m; it may touch what
    /// `touch` names, a robot with all its links.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for what is not in the world, [`Error::Invalid`] for an object without a shape, for one that
    /// is [attached](WorldModel::attach) to a robot, and for bounds that are not finite or the wrong way round.
    pub fn new(
        world: &WorldModel,
        object: RigidObjectId,
        bounds: [[f64; 2]; 3],
        touch: &[EntityId],
    ) -> Result<Self> {
        let body = world.rigid_object(object)?;
        let refuse =
            |problem: &str| Error::invalid(format!("rigid object `{}`", body.name), problem);
        let Some(shape) = body.geometry.clone() else {
            return Err(refuse("has no shape that could collide"));
        };
        if world.attachment(object).is_some() {
            return Err(refuse(
                "is attached to a robot: detach it, or plan for the robot",
            ));
        }
        let is_range = |[low, high]: &[f64; 2]| low.is_finite() && high.is_finite() && low <= high;
        if let Some([low, high]) = bounds.iter().find(|range| !is_range(range)) {
            return Err(refuse(&format!("cannot stay between {low} and {high} m")));
        }

        let mut builder = RobotBuilder::new(&body.name);
        let last =
            builder.add_virtual_chain(JointKind::Floating, &body.name, None, &Pose::identity())?;
        builder.links[last.index()]
            .collision
            .push(Element::new(shape));
        builder.links[last.index()].missing_geometry = body.missing_geometry;
        for (link, [low, high]) in builder.links.iter_mut().zip(bounds) {
            (link.limits.q_min, link.limits.q_max) = (low, high);
        }
        let robot = Arc::new(builder.build()?);
        let joint = robot.joints()[0].clone();

        let mut there = world.clone();
        there.remove(object)?;
        let id = there.add_robot(Arc::clone(&robot));
        let mut q = vec![0.0; robot.n_dofs()];
        robot.set_joint_pose(&joint, &body.pose, &mut q)?;
        there.robot_mut(id)?.set_config(&q)?;
        let filter = (touch.iter()).fold(PairFilter::default(), |filter, &other| {
            filter.ignore_pair(id, other)
        });
        Ok(Self {
            space: RobotCSpace::with_filter(&there, &[id], &filter)?,
            robot,
            joint,
        })
    }

    /// The configuration of a pose.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a pose that is not finite.
    pub fn config(&self, pose: &Pose) -> Result<Vec<f64>> {
        let mut q = vec![0.0; self.robot.n_dofs()];
        self.robot.set_joint_pose(&self.joint, pose, &mut q)?;
        Ok(q)
    }

    /// The pose of a configuration.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where it has not six numbers.
    pub fn pose(&self, q: &[f64]) -> Result<Pose> {
        self.robot.joint_pose(&self.joint, q)
    }

    /// Configuration of the object in the world.
    #[must_use]
    pub fn current(&self) -> Vec<f64> {
        self.space.current()
    }

    /// The space of a robot with the object as its one body: obstacles with names, first collisions, clearance, proofs,
    /// [`plan`](super::plan).
    #[must_use]
    pub fn robot_space(&self) -> &RobotCSpace {
        &self.space
    }

    /// The same, to [move](RobotCSpace::set_pose) other objects.
    pub fn robot_space_mut(&mut self) -> &mut RobotCSpace {
        &mut self.space
    }
}

/// As that of [`RobotCSpace`].
impl CSpace for RigidObjectCSpace {
    type Workspace = Workspace;

    fn workspace(&self) -> Workspace {
        self.space.workspace()
    }

    fn with_workspace<R>(&self, query: impl FnOnce(&mut Workspace) -> R) -> R {
        self.space.with_workspace(query)
    }

    fn n_dofs(&self) -> usize {
        self.space.n_dofs()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        self.space.bounds()
    }

    fn is_free_with(&self, q: &[f64], ws: &mut Workspace) -> Result<bool> {
        self.space.is_free_with(q, ws)
    }

    fn are_free_with(&self, block: &[f64], free: &mut [bool], ws: &mut Workspace) -> Result<()> {
        self.space.are_free_with(block, free, ws)
    }

    fn reason_with(&self, q: &[f64], ws: &mut Workspace) -> Result<Option<String>> {
        self.space.reason_with(q, ws)
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], ws: &mut Workspace) -> Result<bool> {
        self.space.is_edge_free_with(a, b, ws)
    }

    fn free_share_with(
        &self,
        a: &[f64],
        b: &[f64],
        shares: &[f64],
        ws: &mut Workspace,
    ) -> Result<f64> {
        self.space.free_share_with(a, b, shares, ws)
    }

    fn step(&self) -> f64 {
        self.space.step()
    }

    fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        self.space.sample_into(uniform, out);
    }

    fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        self.space.distance(a, b)
    }

    fn interpolate_into(&self, a: &[f64], b: &[f64], u: f64, out: &mut [f64]) {
        self.space.interpolate_into(a, b, u, out);
    }

    fn scene(&self) -> Option<Scene<'_>> {
        self.space.scene()
    }

    fn embed_into(&self, q: &[f64], out: &mut Vec<f64>) {
        self.space.embed_into(q, out);
    }
}
