//! Simpler shapes for quicker checks.

use super::WorldModel;
use crate::Result;
use crate::geometry::{Geometry, Shape};
use crate::robot::RobotBuilder;

impl WorldModel {
    /// The same world with the convex hull of each mesh and point cloud of its links and rigid objects for collision.
    ///
    /// Hulls are solid and hold the shape that they stand for, so what is free with them is free without them. Primitives
    /// stay, and so do terrains, whose hull would fill the room that they make. Members of a group get a hull each; flat
    /// shapes, which have none, stay as they are. Handles, poses and configurations are the same.
    ///
    /// # Errors
    ///
    /// As [`RobotBuilder::build`], which checks each robot again.
    pub fn with_hulls(&self) -> Result<Self> {
        let mut world = self.clone();
        for robot in self.robots() {
            let mut builder = RobotBuilder::from(&**robot.model());
            for link in &mut builder.links {
                for element in &mut link.collision {
                    element.geometry = hulled(&element.geometry)?;
                }
            }
            world.replace_robot(robot.id(), builder.build()?)?;
        }
        for (id, object) in self.rigid_objects() {
            let hull = object.geometry.as_ref().map(hulled).transpose()?;
            world.rigid_object_mut(id)?.set_geometry(hull);
        }
        Ok(world)
    }
}

/// A shape with hulls in place of its meshes and clouds.
fn hulled(geometry: &Geometry) -> Result<Geometry> {
    let hull = match geometry.shape() {
        Shape::Primitive(_) | Shape::Hull(_) => return Ok(geometry.clone()),
        Shape::Mesh(_) | Shape::Cloud(_) => match geometry.to_hull() {
            Ok(hull) => Geometry::from(hull),
            Err(_) => return Ok(geometry.clone()),
        },
        Shape::Group(members) => {
            let hulls = members
                .iter()
                .map(|(pose, member)| Ok((*pose, hulled(member)?)));
            Geometry::group(hulls.collect::<Result<_>>()?)
        }
    };
    hull.with_margin(geometry.margin())
}
