//! Robots made of balls.

use super::WorldModel;
use crate::geometry::{Geometry, Primitive, Sphere, SphereCover};
use crate::math::{Point, Pose};
use crate::robot::{Element, Robot, RobotBuilder};
use crate::{Error, Result};

/// A robot made of balls, and how well they fit.
#[derive(Debug, Clone)]
pub struct Spherized {
    /// The robot: each link collides as the balls that hold its shape.
    pub robot: Robot,
    /// The balls of each link in its frame, in the order of the links; none where there is no shape.
    pub outer: Vec<SphereCover>,
    /// Balls that lie inside of each link where that is solid, the largest first.
    pub inner: Vec<Vec<Sphere>>,
}

impl Robot {
    /// The same robot with balls for collision: at most `most` for each link, which together hold its shape.
    ///
    /// What is free with them is free without them, self-collisions aside of links that touch; see
    /// [`outer_spheres`](crate::geometry::Geometry::outer_spheres). What is seen stays.
    ///
    /// # Errors
    ///
    /// As [`outer_spheres`](crate::geometry::Geometry::outer_spheres).
    pub fn spherized(&self, most: usize) -> Result<Spherized> {
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
    /// The same world with robots made of balls, at most `most` for each link: see [`Robot::spherized`].
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
                    spec.collision = elements(&balls(link.name(), shape, most)?)?;
                }
            }
            world.replace_robot(robot.id(), builder.build()?)?;
        }
        Ok(world)
    }
}

/// The balls around the shape of a link.
fn balls(link: &str, shape: &Geometry, most: usize) -> Result<Vec<Sphere>> {
    let of_link = |error: Error| Error::invalid(format!("link `{link}`"), error.to_string());
    shape.cover(most).map_err(of_link)
}

/// Each ball as a shape of its own, as files of robots made of balls have it.
fn elements(spheres: &[Sphere]) -> Result<Vec<Element>> {
    let element = |sphere: &Sphere| {
        let ball = Primitive::sphere(Point::origin(), sphere.radius)?;
        let [x, y, z] = sphere.center.coords.into();
        Ok(Element::placed(ball.into(), Pose::translation(x, y, z)))
    };
    spheres.iter().map(element).collect()
}
