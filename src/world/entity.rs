//! Rigid objects and terrains.

use std::collections::BTreeMap;

use super::table::Row;
use crate::geometry::{Geometry, check_pose};
use crate::math::{Digits, Inertia, Pose, Vector};
use crate::{Error, MissingGeometry, Result};

/// Contact parameters of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ContactParameters {
    /// Coulomb friction coefficient.
    pub friction: f64,
    /// Coefficient of restitution, 0 to 1.
    pub restitution: f64,
    /// Stiffness, N/m; infinite for a rigid surface.
    #[cfg_attr(feature = "serde", serde(with = "crate::robot::infinite"))]
    pub stiffness: f64,
    /// Damping, N·s/m; infinite for a rigid surface.
    #[cfg_attr(feature = "serde", serde(with = "crate::robot::infinite"))]
    pub damping: f64,
}

impl Default for ContactParameters {
    fn default() -> Self {
        Self {
            friction: 0.5,
            restitution: 0.0,
            stiffness: f64::INFINITY,
            damping: f64::INFINITY,
        }
    }
}

/// A free rigid body.
///
/// Plain data until it is added to a world: [`WorldModel::add_rigid_object`](super::WorldModel::add_rigid_object) checks
/// it, and from then on it changes through [`RigidObjectMut`] only.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RigidObject {
    /// The name, which need not be unique.
    pub name: String,
    /// The shape in the object's frame, if it has one.
    pub geometry: Option<Geometry>,
    /// Reason why it lacks a shape that it should have, as loaders know it; `None` where there is nothing to miss.
    pub missing_geometry: Option<MissingGeometry>,
    /// The pose of the object's frame in the world.
    pub pose: Pose,
    /// Velocity of the frame's origin in world axes, m/s.
    pub velocity: Vector,
    /// Angular velocity in world axes, rad/s.
    pub angular_velocity: Vector,
    /// Mass, centre of mass and moment of inertia in the object's frame.
    pub inertia: Inertia,
    /// Contact parameters of its surface.
    pub contact: ContactParameters,
    /// Other properties from the file, by key.
    pub properties: BTreeMap<String, String>,
}

impl RigidObject {
    /// An object of 1 kg at rest at the origin of the world, without a shape and without a moment of inertia.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            geometry: None,
            missing_geometry: None,
            pose: Pose::identity(),
            velocity: Vector::zeros(),
            angular_velocity: Vector::zeros(),
            inertia: Inertia {
                mass: 1.0,
                ..Inertia::zero()
            },
            contact: ContactParameters::default(),
            properties: BTreeMap::new(),
        }
    }

    /// Checks that poses, velocities and parameters are valid.
    pub(super) fn check(&self) -> Result<()> {
        let label = format!("rigid object `{}`", self.name);
        check_pose(&label, &self.pose)?;
        check_velocity(&label, &self.angular_velocity, &self.velocity)?;
        check_inertia(&label, &self.inertia)?;
        check_contact(&label, &self.contact)
    }
}

/// A static shape.
///
/// Plain data until it is added to a world: [`WorldModel::add_terrain`](super::WorldModel::add_terrain) checks it, and
/// from then on it changes through [`TerrainMut`] only.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Terrain {
    /// The name, which need not be unique.
    pub name: String,
    /// The shape in the world, if it has one.
    pub geometry: Option<Geometry>,
    /// Reason why it lacks a shape that it should have, as loaders know it; `None` where there is nothing to miss.
    pub missing_geometry: Option<MissingGeometry>,
    /// Coulomb friction coefficient: one for all, or one per triangle.
    pub friction: Vec<f64>,
    /// Other properties from the file, by key.
    pub properties: BTreeMap<String, String>,
}

impl Terrain {
    /// A terrain with the friction coefficient 0.5 everywhere.
    #[must_use]
    pub fn new(name: impl Into<String>, geometry: Option<Geometry>) -> Self {
        Self {
            name: name.into(),
            geometry,
            missing_geometry: None,
            friction: vec![0.5],
            properties: BTreeMap::new(),
        }
    }

    /// Checks that poses, velocities and parameters are valid.
    pub(super) fn check(&self) -> Result<()> {
        check_friction(&format!("terrain `{}`", self.name), &self.friction)
    }
}

/// Mutable view of a rigid object in a world; every change is checked.
#[derive(Debug)]
pub struct RigidObjectMut<'a> {
    pub(super) object: &'a mut RigidObject,
    /// Name of the link that it is attached to.
    pub(super) holder: Option<String>,
}

impl RigidObjectMut<'_> {
    /// The object as it is.
    #[must_use]
    pub fn object(&self) -> &RigidObject {
        self.object
    }

    /// Sets the pose of the object's frame in the world; its shape moves with it.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a pose that is not finite or whose matrix is no rotation, and for an
    /// [attached](super::WorldModel::attach) object; then nothing changes.
    pub fn set_pose(&mut self, pose: &Pose) -> Result<()> {
        self.check_free()?;
        check_pose(&self.label(), pose)?;
        self.object.pose = *pose;
        Ok(())
    }

    /// Sets the angular velocity and the velocity of the frame's origin, in world axes, rad/s and m/s.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite, and for an attached object; then nothing changes.
    pub fn set_velocity(&mut self, angular: &Vector, linear: &Vector) -> Result<()> {
        self.check_free()?;
        check_velocity(&self.label(), angular, linear)?;
        self.object.angular_velocity = *angular;
        self.object.velocity = *linear;
        Ok(())
    }

    /// Sets mass, centre of mass and moment of inertia.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for numbers that are not finite or a negative mass; then nothing changes.
    pub fn set_inertia(&mut self, inertia: &Inertia) -> Result<()> {
        check_inertia(&self.label(), inertia)?;
        self.object.inertia = *inertia;
        Ok(())
    }

    /// Sets the contact parameters of the surface.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a number that is negative or not a number; then nothing changes.
    pub fn set_contact(&mut self, contact: &ContactParameters) -> Result<()> {
        check_contact(&self.label(), contact)?;
        self.object.contact = *contact;
        Ok(())
    }

    /// Sets the shape of the object, or removes it; then it lacks none.
    pub fn set_geometry(&mut self, geometry: Option<Geometry>) {
        self.object.missing_geometry = None;
        self.object.geometry = geometry;
    }

    /// Refuses to move an attached object.
    fn check_free(&self) -> Result<()> {
        self.holder.as_ref().map_or(Ok(()), |link| {
            let problem =
                format!("is attached to `{link}`: detach it first, or grasp it elsewhere");
            Err(Error::invalid(self.label(), problem))
        })
    }

    fn label(&self) -> String {
        format!("rigid object `{}`", self.object.name)
    }
}

/// Mutable view of a terrain in a world; every change is checked.
#[derive(Debug)]
pub struct TerrainMut<'a> {
    pub(super) terrain: &'a mut Terrain,
}

impl TerrainMut<'_> {
    /// The terrain as it is.
    #[must_use]
    pub fn terrain(&self) -> &Terrain {
        self.terrain
    }

    /// Sets the Coulomb friction coefficient: one for all, or one per triangle.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for no number, or one that is negative or not finite; then nothing changes.
    pub fn set_friction(&mut self, friction: Vec<f64>) -> Result<()> {
        check_friction(&format!("terrain `{}`", self.terrain.name), &friction)?;
        self.terrain.friction = friction;
        Ok(())
    }

    /// Sets the shape of the terrain, or removes it; then it lacks none.
    pub fn set_geometry(&mut self, geometry: Option<Geometry>) {
        self.terrain.missing_geometry = None;
        self.terrain.geometry = geometry;
    }
}

impl Row for RigidObject {
    const KIND: &'static str = "rigid object";

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }
}

impl Row for Terrain {
    const KIND: &'static str = "terrain";

    fn name(&self) -> &str {
        &self.name
    }

    fn rename(&mut self, name: String) {
        self.name = name;
    }
}

pub(super) fn check_velocity(label: &str, angular: &Vector, linear: &Vector) -> Result<()> {
    if angular.iter().chain(linear).all(|c| c.is_finite()) {
        Ok(())
    } else {
        Err(Error::invalid(
            format!("velocity of {label}"),
            "is not finite",
        ))
    }
}

fn check_inertia(label: &str, inertia: &Inertia) -> Result<()> {
    let refuse = |problem: &str| Err(Error::invalid(format!("mass of {label}"), problem));
    let numbers = inertia.com.iter().chain(&inertia.moment);
    if !inertia.mass.is_finite() || inertia.mass < 0.0 {
        return refuse(&format!(
            "must be finite and from 0 up, got {}",
            Digits(inertia.mass)
        ));
    }
    if numbers.copied().all(f64::is_finite) {
        Ok(())
    } else {
        refuse("its centre or its moment of inertia is not finite")
    }
}

fn check_contact(label: &str, contact: &ContactParameters) -> Result<()> {
    let numbers = [
        ("friction", contact.friction),
        ("restitution", contact.restitution),
        ("stiffness", contact.stiffness),
        ("damping", contact.damping),
    ];
    match numbers
        .iter()
        .find(|(_, value)| value.is_nan() || *value < 0.0)
    {
        Some((name, value)) => {
            let problem = format!("its {name} must be from 0 up, got {}", Digits(*value));
            Err(Error::invalid(format!("contact of {label}"), problem))
        }
        None => Ok(()),
    }
}

fn check_friction(label: &str, friction: &[f64]) -> Result<()> {
    let problem = match friction.iter().find(|c| !(c.is_finite() && **c >= 0.0)) {
        Some(bad) => format!("must be finite and from 0 up, got {}", Digits(*bad)),
        None if friction.is_empty() => "needs at least one coefficient".to_owned(),
        None => return Ok(()),
    };
    Err(Error::invalid(format!("friction of {label}"), problem))
}
