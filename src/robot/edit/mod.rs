//! Editing of robots: mount, merge, subset, reduce.
//!
//! All operations work on a [`RobotBuilder`]: make one [`from`](RobotBuilder::from) a robot, change it, and
//! [`build`](RobotBuilder::build) it again. Operations that renumber links return a [`LinkMap`].

mod groups;
mod mount;
mod payload;
mod reduce;
mod subset;

use super::{Joint, JointSpec, LinkId, LinkSpec, Robot, RobotBuilder};
use crate::math::Pose;
use crate::{Error, Result};

/// Map from old links to new links.
#[derive(Debug, Clone, PartialEq)]
pub struct LinkMap {
    images: Vec<LinkImage>,
}

/// Image of a link after an edit.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum LinkImage {
    /// A link of its own.
    Link(LinkId),
    /// A part of this link, at this pose in its frame.
    Part(LinkId, Pose),
    /// Removed from the robot.
    Removed,
}

impl LinkMap {
    /// The image of a link.
    ///
    /// # Panics
    ///
    /// If the id belongs to a larger robot.
    #[must_use]
    pub fn image(&self, old: LinkId) -> &LinkImage {
        &self.images[old.index()]
    }

    /// The new id of a link, `None` where it is no longer a link of its own.
    #[must_use]
    pub fn link(&self, old: LinkId) -> Option<LinkId> {
        match self.images.get(old.index()) {
            Some(LinkImage::Link(id)) => Some(*id),
            _ => None,
        }
    }

    /// The images of all links, by old id.
    #[must_use]
    pub fn images(&self) -> &[LinkImage] {
        &self.images
    }
}

impl From<&Robot> for RobotBuilder {
    /// The description of the robot, ready to be changed.
    fn from(robot: &Robot) -> Self {
        let spec = |link: &super::Link| LinkSpec {
            name: link.name.clone(),
            joint: link.joint.clone(),
            parent: link.parent,
            placement: link.placement,
            motion: link.motion,
            inertia: link.inertia,
            limits: link
                .dof
                .map(|dof| robot.limits[dof.index()])
                .unwrap_or_default(),
            initial: link.dof.map_or(0.0, |dof| robot.initial[dof.index()]),
            armature: link.dof.map_or(0.0, |dof| robot.own_armature[dof.index()]),
            spring: link.spring,
            collision: link.collision.clone(),
            visual: link.visual.clone(),
            missing_geometry: link.missing_geometry,
        };
        let joint = |joint: &Joint| JointSpec {
            kind: joint.kind,
            link: joint.link,
            base: joint.base,
        };
        Self {
            name: robot.name.clone(),
            links: robot.links.iter().map(spec).collect(),
            joints: Some(robot.joints.iter().map(joint).collect()),
            drivers: Some(robot.drivers.clone()),
            self_collision: robot.self_collision.to_spec(),
            groups: robot.groups.clone(),
            named_states: robot.named_states.clone(),
            end_effectors: robot.end_effectors.clone(),
            loop_closures: robot.loop_closures.clone(),
            sensors: robot.sensors.clone(),
            properties: robot.properties.clone(),
        }
    }
}

impl RobotBuilder {
    /// The first link of this name.
    #[must_use]
    pub fn find_link(&self, name: &str) -> Option<LinkId> {
        self.links
            .iter()
            .position(|link| link.name == name)
            .map(LinkId::new)
    }

    /// Fills in default joints and drivers, so that links can be added and removed.
    fn spell_out(&mut self) {
        if self.drivers.is_none() {
            self.drivers = Some(self.default_drivers());
        }
        if self.joints.is_none() {
            self.joints = Some(self.default_joints());
        }
    }
}

impl From<Robot> for RobotBuilder {
    fn from(robot: Robot) -> Self {
        Self::from(&robot)
    }
}

impl TryFrom<RobotBuilder> for Robot {
    type Error = Error;

    fn try_from(builder: RobotBuilder) -> Result<Self> {
        builder.build()
    }
}
