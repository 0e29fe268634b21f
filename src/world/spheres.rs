//! Robots approximated by spheres.

use super::WorldModel;
use crate::geometry::{Geometry, Primitive, Sphere, SphereCover};
use crate::math::{Point, Pose};
use crate::robot::{Element, Robot, RobotBuilder};
use crate::{Error, Result};

/// A robot approximated by spheres, and the quality of the fit.
#[non_exhaustive]
#[derive(Debug, Clone)]
pub struct Spherized {
    /// The robot: the collision geometry of each link is a set of spheres that contain its shape.
    pub robot: Robot,
    /// Bounding spheres of each link in its frame, in the order of the links; empty without a shape.
    pub outer: Vec<SphereCover>,
    /// Spheres inside each solid link, the largest first.
    pub inner: Vec<Vec<Sphere>>,
}

/// Options of [`Robot::spherized`]; a number of spheres per link makes the default ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct SpherizeOptions {
    /// Largest number of spheres of a link.
    pub spheres: usize,
    /// Accepts links [without the collision geometry](Robot::missing_geometry) that they should have. False by default.
    pub allow_missing_geometry: bool,
}

impl From<usize> for SpherizeOptions {
    fn from(spheres: usize) -> Self {
        Self {
            spheres,
            allow_missing_geometry: false,
        }
    }
}

impl SpherizeOptions {
    /// With another [`allow_missing_geometry`](Self::allow_missing_geometry).
    #[must_use]
    pub fn with_allow_missing_geometry(mut self, allow: bool) -> Self {
        self.allow_missing_geometry = allow;
        self
    }
}

impl Robot {
    /// The same robot with spheres for collision: for each link at most the given number, which together contain its shape.
    ///
    /// A configuration that is free with the spheres is free with the shapes; links that touch may self-collide as spheres. See
    /// [`outer_spheres`](crate::geometry::Geometry::outer_spheres). Visual geometry stays.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](crate::geometry::Geometry::outer_spheres), and [`Error::MissingGeometry`] for links that should have
    /// collision geometry and do not, unless the options accept them.
    pub fn spherized(&self, options: impl Into<SpherizeOptions>) -> Result<Spherized> {
        let SpherizeOptions {
            spheres: most,
            allow_missing_geometry,
        } = options.into();
        let missing = self.missing_geometry();
        if !missing.is_empty() && !allow_missing_geometry {
            let named = missing.iter();
            let named = named.map(|&(id, why)| (self.link(id).name().to_owned(), why));
            return Err(Error::missing_geometry(named.collect()));
        }
        let mut builder = RobotBuilder::from(self);
        let (mut outer, mut inner) = (Vec::new(), Vec::new());
        for (link, spec) in self.links().iter().zip(&mut builder.links) {
            let Some(shape) = link.shape() else {
                outer.push(SphereCover {
                    spheres: Vec::new(),
                    overshoot: 0.0,
                });
                inner.push(Vec::new());
                continue;
            };
            let of_link =
                |error: Error| Error::invalid(format!("link `{}`", link.name()), error.to_string());
            let cover = shape.outer_spheres(most).map_err(of_link)?;
            spec.collision = elements(&cover.spheres)?;
            outer.push(cover);
            inner.push(shape.inner_spheres(most).map_err(of_link)?);
        }
        Ok(Spherized {
            robot: builder.build()?,
            outer,
            inner,
        })
    }
}

impl WorldModel {
    /// The same world with robots approximated by spheres, at most `most` for each link: see [`Robot::spherized`].
    ///
    /// Objects and terrains keep their shapes. Handles, poses and configurations are the same.
    ///
    /// # Errors
    ///
    /// As [`Robot::spherized`].
    pub fn with_spheres(&self, most: usize) -> Result<Self> {
        let mut world = self.clone();
        for robot in self.robots() {
            let mut builder = RobotBuilder::from(&**robot.model());
            for (link, spec) in robot.model().links().iter().zip(&mut builder.links) {
                if let Some(shape) = link.shape() {
                    spec.collision = elements(&cover_spheres(link.name(), shape, most)?)?;
                }
            }
            world.replace_robot(robot.id(), builder.build()?)?;
        }
        Ok(world)
    }
}

/// Bounding spheres of the shape of a link.
fn cover_spheres(link: &str, shape: &Geometry, most: usize) -> Result<Vec<Sphere>> {
    let of_link = |error: Error| Error::invalid(format!("link `{link}`"), error.to_string());
    shape.cover(most).map_err(of_link)
}

/// Collision elements with one sphere each, as in files of sphere models.
fn elements(spheres: &[Sphere]) -> Result<Vec<Element>> {
    let element = |sphere: &Sphere| {
        let solid = Primitive::sphere(Point::origin(), sphere.radius)?;
        let [x, y, z] = sphere.center.coords.into();
        Ok(Element::placed(solid.into(), Pose::translation(x, y, z)))
    };
    spheres.iter().map(element).collect()
}
