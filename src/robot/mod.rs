//! Robot models: links in a tree, joints, drivers, limits, shapes. Layer 2: no file, no state.

mod build;
mod builder;
mod check;
pub mod dh;
mod driver;
mod drivers;
mod edit;
mod groups;
mod joint;
mod limits;
mod link;
mod link_order;
mod loop_closure;
mod mujoco;
mod names;
mod self_collision;
mod sensor;
mod tree;
mod virtual_chain;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use builder::{JointSpec, LinkSpec, RobotBuilder, SelfCollision};
pub(crate) use check::Part;
pub use driver::{Driver, DriverKind, DriverLimits, Rotor, Servo};
pub use edit::{LinkImage, LinkMap};
pub use groups::{EndEffector, Group, NamedState};
pub use joint::{Joint, JointKind};
pub use limits::Limits;
#[cfg(feature = "serde")]
pub(crate) use limits::infinite;
pub use link::{DofId, Element, JointId, JointSpring, Link, LinkId, LinkMotion};
pub use loop_closure::{LoopClosure, LoopFrame, LoopKind};
pub use sensor::{FrameSensor, Quantity};

use self::self_collision::SelfCollisionPairs;
use crate::kernel;
use crate::math::{Pose, Rotation};
use crate::{MissingGeometry, Result};

/// An articulated robot: immutable once built, and shared between threads.
///
/// Links are sorted so that parents come first. A configuration has one number per degree of freedom ([`DofId`]),
/// in link order.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(into = "RobotBuilder", try_from = "RobotBuilder")
)]
#[doc(alias = "RobotModel")]
#[doc(alias = "Model")]
#[doc(alias = "mjModel")]
pub struct Robot {
    name: String,
    // the name when it was built, and by its address the robots that share their states
    identity: Arc<str>,
    links: Vec<Link>,
    dofs: Vec<LinkId>,
    limits: Vec<Limits>,
    initial: Vec<f64>,
    // of the links alone, without the rotors of drivers
    own_armature: Vec<f64>,
    joints: Vec<Joint>,
    joint_of_link: Vec<Option<usize>>,
    drivers: Vec<Driver>,
    self_collision: SelfCollisionPairs,
    groups: Vec<Group>,
    named_states: Vec<NamedState>,
    end_effectors: Vec<EndEffector>,
    loop_closures: Vec<LoopClosure>,
    sensors: Vec<FrameSensor>,
    properties: BTreeMap<String, String>,

    // the compiled tree: body i moves with degree of freedom i
    tree: kernel::Tree,
    attachments: Vec<Attachment>,
}

/// Attachment of a link to the compiled tree.
#[derive(Debug, Clone)]
pub(crate) struct Attachment {
    /// The body that carries the link, `None` for the world.
    pub(crate) body: Option<usize>,
    /// The pose of the link in that body's (re-framed) frame, or in the world.
    pub(crate) x_bl: Pose,
    /// The columns of its rotation.
    pub(crate) along: [kernel::SignedAxis; 3],
}

impl Attachment {
    fn new(body: Option<usize>, x_bl: Pose) -> Self {
        let column =
            |k| kernel::SignedAxis::of(x_bl.rotation.matrix().column(k).into_owned().into());
        Self {
            body,
            along: [column(0), column(1), column(2)],
            x_bl,
        }
    }
}

impl Robot {
    /// The name.
    #[must_use]
    #[inline]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// All links, parents before children, fixed ones included.
    #[must_use]
    #[inline]
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// A link by id.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    #[inline]
    pub fn link(&self, id: LinkId) -> &Link {
        &self.links[id.index()]
    }

    /// The first link of this name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`](crate::Error::NotFound), which lists the names that exist.
    pub fn link_id(&self, name: &str) -> Result<LinkId> {
        match self.links.iter().position(|link| link.name == name) {
            Some(index) => Ok(LinkId::new(index)),
            None => Err(self.no_link(name)),
        }
    }

    /// Number of degrees of freedom, the length of a configuration.
    #[must_use]
    #[inline]
    #[doc(alias = "nv")]
    #[doc(alias = "numLinks")]
    pub fn n_dofs(&self) -> usize {
        self.dofs.len()
    }

    /// The link that each degree of freedom moves.
    #[must_use]
    #[inline]
    pub fn dofs(&self) -> &[LinkId] {
        &self.dofs
    }

    /// The limits of each degree of freedom.
    #[must_use]
    #[inline]
    pub fn limits(&self) -> &[Limits] {
        &self.limits
    }

    /// The initial configuration from the file, else zeros.
    #[must_use]
    #[inline]
    pub fn initial_config(&self) -> &[f64] {
        &self.initial
    }

    /// Armature (n): inertia of each degree of freedom in addition to the links, kg·m² or kg; of its link and
    /// of its driver's rotor. The three rotations of a ball joint have that of their last link.
    ///
    /// See [`dynamics`](crate::dynamics#armature) for its effect.
    #[inline]
    #[doc(alias = "rotorInertia")]
    pub fn armature(&self) -> impl ExactSizeIterator<Item = f64> + '_ {
        self.tree.armature()
    }

    /// The joints.
    #[must_use]
    #[inline]
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// The joint that owns a link's degree of freedom, `None` where none does.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    #[inline]
    pub fn joint_of(&self, link: LinkId) -> Option<&Joint> {
        self.joint_of_link[link.index()].map(|j| &self.joints[j])
    }

    /// The drivers.
    #[must_use]
    #[inline]
    pub fn drivers(&self) -> &[Driver] {
        &self.drivers
    }

    /// Pairs of links that are checked for self-collision, each once with the smaller id first, sorted.
    #[doc(alias = "enableSelfCollision")]
    pub fn self_collision_pairs(&self) -> impl Iterator<Item = (LinkId, LinkId)> + '_ {
        self.self_collision.iter()
    }

    /// Returns whether two links are checked for self-collision, in either order.
    ///
    /// # Panics
    ///
    /// If an id belongs to a larger robot.
    #[must_use]
    #[doc(alias = "selfCollisionEnabled")]
    pub fn self_collision_enabled(&self, a: LinkId, b: LinkId) -> bool {
        self.self_collision.contains(a, b)
    }

    /// The links that lack collision geometry that they should have, and why.
    ///
    /// Those are links whose shapes could not be read or were not loaded, links with visual geometry alone, and all links
    /// where none has any geometry. A link that carries nothing, such as a frame, is complete beside others that do.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::{MissingGeometry, Robot};
    ///
    /// let sketch = Robot::load("data/robots/ur5.urdf")?.value;
    /// assert_eq!(sketch.missing_geometry()[0].1, MissingGeometry::NoShapes);
    /// assert!(Robot::load("data/robots/arm6.rob")?.value.missing_geometry().is_empty());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[must_use]
    pub fn missing_geometry(&self) -> Vec<(LinkId, MissingGeometry)> {
        let links = || self.links.iter().zip((0..).map(LinkId::new));
        let missing = links().filter_map(|(link, id)| Some((id, link.missing_geometry()?)));
        let missing: Vec<_> = missing.collect();
        if missing.is_empty() && self.links.iter().all(|link| link.shape().is_none()) {
            return links()
                .map(|(_, id)| (id, MissingGeometry::NoShapes))
                .collect();
        }
        missing
    }

    /// Returns whether two links would be checked for self-collision if both had a shape.
    pub(crate) fn self_collision_wanted(&self, a: LinkId, b: LinkId) -> bool {
        self.self_collision.wants(a, b)
    }

    /// Other properties of the file, by key.
    #[must_use]
    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// Rotates a link with a degree of freedom by `r`, in its own frame, from its placement in `reference`; its
    /// descendants follow.
    pub(crate) fn rotate_link(&mut self, reference: &Self, link: LinkId, r: &Rotation) {
        let Some(dof) = reference.link(link).dof() else {
            return;
        };
        let placement = reference.link(link).placement();
        self.links[link.index()].placement.rotation = placement.rotation * r;
        let columns = std::array::from_fn(|i| r.matrix()[i]);
        self.tree
            .rotate_placement(&reference.tree, dof.index(), &columns);
    }

    /// What states are recognised by: shared by clones, and by the same robot with a payload.
    #[inline]
    pub(crate) fn identity(&self) -> &Arc<str> {
        &self.identity
    }

    /// The compiled tree; body `i` moves with degree of freedom `i`.
    #[inline]
    pub(crate) fn tree(&self) -> &kernel::Tree {
        &self.tree
    }

    /// Attachment of a link to the compiled tree.
    #[inline]
    pub(crate) fn attachment(&self, link: LinkId) -> &Attachment {
        &self.attachments[link.index()]
    }
}
