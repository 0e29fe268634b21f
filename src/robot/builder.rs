//! Description of a robot before validation.

use std::collections::BTreeMap;

use super::link::lack_of;
use super::{
    Driver, DriverKind, DriverLimits, Element, EndEffector, FrameSensor, Group, JointKind,
    JointSpring, Limits, LinkId, LinkMotion, LoopClosure, NamedState,
};
use crate::MissingGeometry;
use crate::math::{Inertia, Pose};

/// Description of a link: see [`Link`](super::Link) for the meaning of the fields.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct LinkSpec {
    /// The name, which need not be unique.
    pub name: String,
    /// The name of the joint between the link and its parent; empty where there is none. The joint of several degrees of
    /// freedom is named by its last link.
    #[cfg_attr(feature = "serde", serde(default))]
    pub joint: String,
    /// The parent's position in [`RobotBuilder::links`], `None` for the world.
    pub parent: Option<LinkId>,
    /// The pose in the parent at q = 0.
    pub placement: Pose,
    /// Motion relative to the parent.
    pub motion: LinkMotion,
    /// Mass, centre of mass and moment of inertia.
    pub inertia: Inertia,
    /// Limits of its degree of freedom; without meaning for a fixed link.
    pub limits: Limits,
    /// Initial value of its degree of freedom, rad or m.
    pub initial: f64,
    /// Additional inertia of its degree of freedom, kg·m² or kg; without meaning for a fixed link.
    ///
    /// A [`Rotor`](super::Rotor) of its driver adds to it. That of the last link of a
    /// [ball joint](super::JointKind::BallAndSocket) acts on the angular velocity of the joint: on all three rotations, in any
    /// direction alike.
    #[cfg_attr(feature = "serde", serde(default))]
    pub armature: f64,
    /// Spring of its degree of freedom; without meaning for a fixed link.
    #[cfg_attr(feature = "serde", serde(default))]
    pub spring: Option<JointSpring>,
    /// Collision shapes.
    pub collision: Vec<Element>,
    /// Visual shapes.
    pub visual: Vec<Element>,
    /// Reason why `collision` lacks a shape that it should have, as loaders know it; `None` where it is complete.
    ///
    /// A link with visual shapes and without collision shapes counts as one with
    /// [`VisualOnly`](MissingGeometry::VisualOnly) in any case.
    #[cfg_attr(feature = "serde", serde(default))]
    pub missing_geometry: Option<MissingGeometry>,
}

impl LinkSpec {
    /// A massless link at the origin of its parent, without shape or limits.
    #[must_use]
    pub fn new(name: impl Into<String>, parent: Option<LinkId>, motion: LinkMotion) -> Self {
        Self {
            name: name.into(),
            joint: String::new(),
            parent,
            placement: Pose::identity(),
            motion,
            inertia: Inertia::zero(),
            limits: Limits::UNLIMITED,
            initial: 0.0,
            armature: 0.0,
            spring: None,
            collision: Vec::new(),
            visual: Vec::new(),
            missing_geometry: None,
        }
    }

    /// Reason why the link lacks collision geometry that it should have.
    pub(super) fn lack(&self) -> Option<MissingGeometry> {
        self.missing_geometry
            .or_else(|| lack_of(&self.collision, &self.visual))
    }
}

/// Description of a joint: its links follow from `link` and `base`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct JointSpec {
    /// The kind.
    pub kind: JointKind,
    /// The last link of its chain.
    pub link: LinkId,
    /// Parent of the chain, `None` for the world; ignored by joints of one degree of freedom.
    pub base: Option<LinkId>,
}

impl JointSpec {
    /// A joint of this kind that ends at `link` and starts at `base`.
    #[must_use]
    pub fn new(kind: JointKind, link: LinkId, base: Option<LinkId>) -> Self {
        Self { kind, link, base }
    }
}

/// Pairs of links that are checked for self-collision.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SelfCollision {
    /// Exactly these pairs; `None` for every pair of links with collision geometry that are neither parent and
    /// child nor rigidly connected.
    pub only: Option<Vec<(LinkId, LinkId)>>,
    /// Pairs that are excluded.
    pub except: Vec<(LinkId, LinkId)>,
}

/// Description of a robot: fill it, then [`build`](Self::build) it.
///
/// All ids in it are indices into [`links`](Self::links). `build` validates everything once, so that every
/// [`Robot`](super::Robot) is valid.
#[derive(Debug, Clone, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct RobotBuilder {
    /// The name.
    pub name: String,
    /// The links, parents first; [`build_sorted`](Self::build_sorted) takes them in any order.
    pub links: Vec<LinkSpec>,
    /// The joints; `None` for one normal joint per degree of freedom.
    pub joints: Option<Vec<JointSpec>>,
    /// The drivers; `None` for one normal driver per normal or spin joint.
    pub drivers: Option<Vec<Driver>>,
    /// Pairs of links that are checked for self-collision.
    pub self_collision: SelfCollision,
    /// Named groups of joints.
    #[cfg_attr(feature = "serde", serde(default))]
    pub groups: Vec<Group>,
    /// Named configurations, of groups and of the robot.
    #[cfg_attr(feature = "serde", serde(default))]
    pub named_states: Vec<NamedState>,
    /// Groups that grasp or touch objects.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end_effectors: Vec<EndEffector>,
    /// Joints that close loops.
    #[cfg_attr(feature = "serde", serde(default))]
    pub loop_closures: Vec<LoopClosure>,
    /// Sensors at frames of links.
    #[cfg_attr(feature = "serde", serde(default))]
    pub sensors: Vec<FrameSensor>,
    /// Other properties of the file, by key.
    pub properties: BTreeMap<String, String>,
}

impl RobotBuilder {
    /// A robot without links.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Appends a link and returns its id, which [`build`](Self::build) keeps.
    pub fn add_link(&mut self, link: LinkSpec) -> LinkId {
        self.links.push(link);
        LinkId::new(self.links.len() - 1)
    }

    /// Appends a joint. The first call replaces the default of one normal joint per degree of freedom.
    pub fn add_joint(&mut self, kind: JointKind, link: LinkId, base: Option<LinkId>) {
        let joint = JointSpec::new(kind, link, base);
        self.joints.get_or_insert_default().push(joint);
    }

    /// Appends a driver. The first call replaces the default of one normal driver per joint.
    pub fn add_driver(
        &mut self,
        name: impl Into<String>,
        kind: DriverKind,
        limits: Option<DriverLimits>,
    ) {
        let driver = Driver {
            limits,
            ..Driver::new(name, kind)
        };
        self.drivers.get_or_insert_default().push(driver);
    }
}
