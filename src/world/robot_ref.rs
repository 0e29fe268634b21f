//! A robot of a world, to ask.

use std::sync::Arc;

use super::{Key, LinkRef, PlacedRobot, RobotId};
use crate::kinematics::State;
use crate::robot::{Limits, LinkId, Robot};
use crate::{Error, Result};

/// A robot of a world, to ask where it is.
///
/// Every method is one call of [`kinematics`](crate::kinematics) or of the [`Robot`] itself.
#[derive(Debug, Clone, Copy)]
pub struct RobotRef<'a> {
    pub(super) id: RobotId,
    pub(super) row: &'a PlacedRobot,
}

impl<'a> RobotRef<'a> {
    /// The stable handle.
    #[must_use]
    pub fn id(&self) -> RobotId {
        self.id
    }

    /// The name in the world, which may differ from that of the model.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.row.name
    }

    /// What the robot is; clone the `Arc` to keep it.
    #[must_use]
    pub fn model(&self) -> &'a Arc<Robot> {
        &self.row.robot
    }

    /// Where the robot is; clone it to look elsewhere without moving the robot.
    #[must_use]
    pub fn state(&self) -> &'a State {
        &self.row.state
    }

    /// How many links there are, fixed ones included.
    #[must_use]
    pub fn n_links(&self) -> usize {
        self.row.robot.links().len()
    }

    /// A link, by id, position or name.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], which lists the names that exist.
    pub fn link<'k>(&self, key: impl Into<Key<'k, LinkId>>) -> Result<LinkRef<'a>> {
        let id = find_link(&self.row.robot, key.into())?;
        Ok(LinkRef { robot: *self, id })
    }

    /// The links, parents before children.
    pub fn links(&self) -> impl ExactSizeIterator<Item = LinkRef<'a>> + use<'a> {
        let robot = *self;
        (0..self.n_links()).map(move |index| LinkRef {
            robot,
            id: LinkId::new(index),
        })
    }

    /// The configuration (n), rad or m.
    #[must_use]
    pub fn config(&self) -> &'a [f64] {
        self.row.state.config()
    }

    /// The velocity (n), rad/s or m/s.
    #[must_use]
    pub fn velocity(&self) -> &'a [f64] {
        self.row.state.velocity()
    }

    /// The coordinate of a link, rad or m.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown link, [`Error::Invalid`] for one without a coordinate.
    pub fn dof_position<'k>(&self, link: impl Into<Key<'k, LinkId>>) -> Result<f64> {
        Ok(self.config()[find_dof(&self.row.robot, link.into())?])
    }

    /// The limits of each coordinate.
    #[must_use]
    pub fn limits(&self) -> &'a [Limits] {
        self.row.robot.limits()
    }
}

/// The link that a key means.
pub(super) fn find_link(robot: &Robot, key: Key<'_, LinkId>) -> Result<LinkId> {
    let index = match key {
        Key::Name(name) => return robot.link_id(name),
        Key::Id(id) => id.index(),
        Key::Index(index) => index,
    };
    if index < robot.links().len() {
        return Ok(LinkId::new(index));
    }
    let known = robot.links().iter().map(|link| link.name());
    Err(Error::not_found("link", index.to_string(), known))
}

/// The position in a configuration of the coordinate of the link that a key means.
pub(super) fn find_dof(robot: &Robot, key: Key<'_, LinkId>) -> Result<usize> {
    let link = robot.link(find_link(robot, key)?);
    match link.dof() {
        Some(dof) => Ok(dof.index()),
        None => Err(Error::invalid(
            format!("link `{}`", link.name()),
            "has no coordinate: it is fixed to its parent",
        )),
    }
}
