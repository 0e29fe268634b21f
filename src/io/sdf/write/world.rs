//! Worlds: robots, rigid objects, terrains.

use super::Writer;
use super::body::Solid;
use crate::geometry::Geometry;
use crate::io::save::{Names, Tag};
use crate::math::{Pose, Vector};
use crate::robot::RobotBuilder;
use crate::world::{ContactParameters, RigidObject, RobotRef, Terrain, WorldModel};

impl Writer<'_> {
    /// Writes what is in a world.
    pub(super) fn world(&mut self, world: &WorldModel) {
        for (key, value) in world.properties() {
            match key.as_str() {
                "mjcf.gravity" | "sdf.gravity" => self.element(0, "gravity", value),
                key => self.losses.add("properties are not kept", key),
            }
        }
        for robot in world.robots() {
            self.placed_robot(robot);
        }
        for (id, object) in world.rigid_objects() {
            if world.attachment(id).is_some() {
                self.losses
                    .add("attachments to links are not kept", &object.name);
            }
            self.object(object);
        }
        for (_, terrain) in world.terrains() {
            self.terrain(terrain);
        }
    }

    fn placed_robot(&mut self, robot: RobotRef<'_>) {
        let model = robot.model();
        let mut spec = RobotBuilder::from(model.as_ref());
        for (link, spec) in model.links().iter().zip(&mut spec.links) {
            let value = link.dof().and_then(|dof| robot.config().get(dof.index()));
            spec.initial = value.copied().unwrap_or(0.0);
        }
        if robot.velocity().iter().any(|v| *v != 0.0) {
            self.losses.add("velocities are not kept", robot.name());
        }
        for key in robot.properties().keys() {
            self.losses.add("properties are not kept", key);
        }
        self.robot(model, &spec, robot.name());
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
        if object.velocity != Vector::zeros() || object.angular_velocity != Vector::zeros() {
            self.losses.add("velocities are not kept", &object.name);
        }
        let rest = ContactParameters {
            friction: object.contact.friction,
            ..ContactParameters::default()
        };
        if object.contact != rest {
            let what = "restitution, stiffness and damping of contacts are not kept";
            self.losses.add(what, &object.name);
        }
        for key in object.properties.keys() {
            self.losses.add("properties are not kept", key);
        }
    }

    fn terrain(&mut self, terrain: &Terrain) {
        let name = self.model_name(&terrain.name);
        self.line(0, &Tag::new("model").word("name", &name).open());
        self.element(1, "static", "true");
        self.line(1, &Tag::new("link").word("name", "link").open());
        let friction = terrain.friction.first().copied().unwrap_or(0.5);
        if terrain.friction.iter().any(|other| *other != friction) {
            let what = "of the friction of a terrain the first number is kept";
            self.losses.add(what, &terrain.name);
        }
        self.body(terrain.geometry.as_ref(), &terrain.name, friction);
        self.line(1, "</link>\n");
        self.line(0, "</model>\n");
        for key in terrain.properties.keys() {
            self.losses.add("properties are not kept", key);
        }
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
