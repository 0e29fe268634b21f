//! Read-only view of a robot in a world.

use std::collections::BTreeMap;
use std::sync::Arc;

use nalgebra::{Matrix3, Matrix3xX};

use super::{Key, LinkRef, PlacedRobot, RobotId, SelfCollisionOptions, self_collisions_with};
use crate::kinematics::{self, State};
use crate::math::{Point, Vector};
use crate::robot::{Limits, LinkId, Robot};
use crate::{Error, Result};

/// Read-only view of a robot in a world, with its kinematics and dynamics as methods.
///
/// Every method is one call of [`kinematics`](crate::kinematics), of [`dynamics`](crate::dynamics) or of the [`Robot`]
/// itself.
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

    /// The robot description; clone the `Arc` to keep it.
    #[must_use]
    pub fn model(&self) -> &'a Arc<Robot> {
        &self.row.robot
    }

    /// Other properties from the file of the world, by key.
    #[must_use]
    pub fn properties(&self) -> &'a BTreeMap<String, String> {
        &self.row.properties
    }

    /// Current state; clone it to evaluate other configurations without moving the robot.
    #[must_use]
    pub fn state(&self) -> &'a State {
        &self.row.state
    }

    /// Number of links, fixed ones included.
    #[must_use]
    pub fn n_links(&self) -> usize {
        self.row.robot.links().len()
    }

    /// A link, by id, index or name.
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

    /// Position of the dof of a link, rad or m.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] for an unknown link, [`Error::Invalid`] for one without a dof.
    pub fn dof_position<'k>(&self, link: impl Into<Key<'k, LinkId>>) -> Result<f64> {
        Ok(self.config()[find_dof(&self.row.robot, link.into())?])
    }

    /// Limits of each dof.
    #[must_use]
    pub fn limits(&self) -> &'a [Limits] {
        self.row.robot.limits()
    }

    /// The value of each driver, rad or m.
    #[must_use]
    pub fn driver_values(&self) -> Vec<f64> {
        kinematics::config_to_drivers(self.model(), self.config())
            .expect("the configuration of a state is valid")
    }

    /// The velocity of each driver, rad/s or m/s.
    #[must_use]
    pub fn driver_velocities(&self) -> Vec<f64> {
        kinematics::velocity_to_drivers(self.model(), self.velocity())
            .expect("the velocity of a state is valid")
    }

    /// The mass of all links, kg.
    #[must_use]
    pub fn mass(&self) -> f64 {
        kinematics::total_mass(self.model())
    }

    /// The centre of mass in the world, m.
    #[must_use]
    pub fn com(&self) -> Point {
        kinematics::com(self.model(), self.state())
    }

    /// The velocity of the centre of mass in world axes, m/s.
    #[must_use]
    pub fn com_velocity(&self) -> Vector {
        kinematics::com_velocity(self.model(), self.state())
    }

    /// The Jacobian (3 × n) of the centre of mass in world axes.
    #[must_use]
    pub fn com_jacobian(&self) -> Matrix3xX<f64> {
        kinematics::com_jacobian(self.model(), self.state())
    }

    /// The moment of inertia (3 × 3) of the whole robot about its centre of mass in world axes, kg·m².
    #[must_use]
    pub fn total_inertia(&self) -> Matrix3<f64> {
        kinematics::total_inertia(self.model(), self.state())
    }

    /// The pairs of links that collide with each other, smaller id first, sorted.
    ///
    /// # Errors
    ///
    /// [`Error::MissingGeometry`] where links lack geometry that they should have.
    pub fn self_collisions(&self) -> Result<Vec<(LinkId, LinkId)>> {
        self.self_collisions_with(SelfCollisionOptions::default())
    }

    /// As [`self_collisions`](Self::self_collisions), with options: missing geometry may be accepted.
    ///
    /// # Errors
    ///
    /// As [`self_collisions`](Self::self_collisions), unless that is accepted.
    pub fn self_collisions_with(
        &self,
        options: SelfCollisionOptions,
    ) -> Result<Vec<(LinkId, LinkId)>> {
        self_collisions_with(self.model(), self.state(), options)
    }

    /// Returns whether any two links collide with each other.
    ///
    /// # Errors
    ///
    /// As [`self_collisions`](Self::self_collisions).
    pub fn self_collides(&self) -> Result<bool> {
        Ok(!self.self_collisions()?.is_empty())
    }

    /// Distance between two configurations in the [metric](kinematics#the-space-of-configurations) of the joints.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite, [`Error::Invalid`].
    pub fn distance(&self, a: &[f64], b: &[f64]) -> Result<f64> {
        kinematics::distance(self.model(), a, b)
    }

    /// Interpolates on the shortest path from `a` (`u` = 0) to `b` (1).
    ///
    /// # Errors
    ///
    /// As [`distance`](Self::distance).
    pub fn interpolate(&self, a: &[f64], b: &[f64], u: f64) -> Result<Vec<f64>> {
        kinematics::interpolate(self.model(), a, b, u)
    }

    /// The rate of [`interpolate`](Self::interpolate) at `a`.
    ///
    /// # Errors
    ///
    /// As [`distance`](Self::distance).
    pub fn interpolate_deriv(&self, a: &[f64], b: &[f64]) -> Result<Vec<f64>> {
        kinematics::interpolate_deriv(self.model(), a, b)
    }

    /// A random configuration within the limits, the same for the same seed; the robot stays where it is.
    ///
    /// Dofs without limits are drawn from a range of about `scale`, see [`kinematics::sample`].
    #[must_use]
    pub fn sample(&self, seed: u64, scale: f64) -> Vec<f64> {
        kinematics::sample(self.model(), seed, scale)
    }
}

/// The link that a key refers to.
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

/// Index in a configuration of the dof of the link that a key refers to.
pub(super) fn find_dof(robot: &Robot, key: Key<'_, LinkId>) -> Result<usize> {
    let link = robot.link(find_link(robot, key)?);
    match link.dof() {
        Some(dof) => Ok(dof.index()),
        None => Err(Error::invalid(
            format!("link `{}`", link.name()),
            "has no dof: it is fixed to its parent",
        )),
    }
}
