//! Worlds: robots, rigid objects, terrains.

use super::Writer;
use super::body::Solid;
use crate::geometry::Geometry;
use crate::io::save::{Names, Tag, as_placed, friction, gravity, lost_of_object};
use crate::math::Pose;
use crate::world::{RigidObject, Terrain, WorldModel};

impl Writer<'_> {
    /// Writes what is in a world.
    pub(super) fn world(&mut self, world: &WorldModel) {
        if let Some(gravity) = gravity(world, &mut self.losses) {
            self.element(0, "gravity", gravity);
        }
        for robot in world.robots() {
            let spec = as_placed(robot, &mut self.losses);
            self.robot(robot.model(), &spec, robot.name());
        }
        for (_, object) in world.rigid_objects() {
            self.object(object);
        }
        for (_, terrain) in world.terrains() {
            self.terrain(terrain);
        }
    }

    fn object(&mut self, object: &RigidObject) {
        let name = self.model_name(&object.name);
        self.line(0, &Tag::new("model").word("name", &name).open());
        self.pose(1, &object.pose, None, &object.name);
        self.line(1, &Tag::new("link").word("name", "link").open());
        self.inertial(&object.inertia, &object.name);
        self.body(
            object.geometry.as_ref(),
            &object.name,
            object.contact.friction,
        );
        self.line(1, "</link>\n");
        self.line(0, "</model>\n");
        lost_of_object(object, &mut self.losses);
    }

    fn terrain(&mut self, terrain: &Terrain) {
        let name = self.model_name(&terrain.name);
        self.line(0, &Tag::new("model").word("name", &name).open());
        self.element(1, "static", "true");
        self.line(1, &Tag::new("link").word("name", "link").open());
        let friction = friction(terrain, &mut self.losses);
        self.body(terrain.geometry.as_ref(), &terrain.name, friction);
        self.line(1, "</link>\n");
        self.line(0, "</model>\n");
    }

    /// Writes a shape, to be seen and to collide with.
    fn body(&mut self, geometry: Option<&Geometry>, owner: &str, friction: f64) {
        let Some(geometry) = geometry else {
            return;
        };
        let mut names = Names::default();
        for (tag, friction) in [("visual", None), ("collision", Some(friction))] {
            let solid = Solid {
                tag,
                geometry,
                pose: Pose::identity(),
                name: "",
                appearance: None,
                friction,
                owner,
            };
            self.solid(solid, &mut names);
        }
    }
}
