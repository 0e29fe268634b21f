//! Worlds: robots as they stand, rigid objects, terrains.

use std::collections::HashSet;

use super::Writer;
use super::geoms::{Role, Solid};
use crate::geometry::{Geometry, Shape};
use crate::io::save::{Tag, as_placed, friction, gravity, lost_of_object};
use crate::math::Pose;
use crate::world::{RigidObject, Terrain, WorldModel};

impl Writer<'_> {
    /// Writes a world; returns its gravity where it names one.
    pub(super) fn world(&mut self, world: &WorldModel) -> Option<String> {
        let gravity = gravity(world, &mut self.losses).map(str::to_owned);
        let prefixes = prefixes(world);
        let is_one = world.n_robots() == 1;
        for (robot, prefix) in world.robots().zip(&prefixes) {
            if !is_one {
                let what =
                    "where there are several robots, each is read with the name of its first body";
                self.losses.add(what, robot.name());
            }
            let spec = as_placed(robot, &mut self.losses);
            self.robot(robot.model(), &spec, prefix);
        }
        for (_, object) in world.rigid_objects() {
            self.object(object);
        }
        for (_, terrain) in world.terrains() {
            self.terrain(terrain);
        }
        gravity
    }

    fn object(&mut self, object: &RigidObject) {
        let name = self.names.bodies.unique(&object.name, "object");
        if name != object.name {
            self.losses.add(
                "objects are renamed: names of bodies are unique",
                &object.name,
            );
        }
        let tag = self.posed(
            Tag::new("body").word("name", &name),
            &object.pose,
            &object.name,
        );
        self.bodies += &format!("    {}", tag.open());
        let needs_mass = !super::inertial::is_heavy(&object.inertia);
        if let Some(inertial) = self.inertial(&object.inertia, needs_mass, &object.name) {
            self.bodies += &format!("      {inertial}");
        }
        self.bodies += "      <freejoint/>\n";
        if let Some(geometry) = &object.geometry {
            let friction = object.contact.friction;
            self.solid(plain(geometry, "", &object.name, friction), "      ");
        }
        self.bodies += "    </body>\n";
        self.keys.add_free(&object.pose);
        lost_of_object(object, &mut self.losses);
    }

    fn terrain(&mut self, terrain: &Terrain) {
        let friction = friction(terrain, &mut self.losses);
        let Some(geometry) = &terrain.geometry else {
            self.losses
                .add("terrains without a shape are not kept", &terrain.name);
            return;
        };
        // a single geom is the terrain; several need a body with its name
        if !matches!(geometry.shape(), Shape::Group(_)) {
            let solid = Solid {
                is_named: true,
                ..plain(geometry, &terrain.name, &terrain.name, friction)
            };
            let names = self.solid(solid, "    ");
            if names.iter().any(|name| *name != terrain.name) {
                self.losses
                    .add("terrains of the same name are numbered", &terrain.name);
            }
            return;
        }
        let name = self.names.bodies.unique(&terrain.name, "terrain");
        if name != terrain.name {
            self.losses.add(
                "terrains are renamed: names of bodies are unique",
                &terrain.name,
            );
        }
        self.bodies += &format!("    {}", Tag::new("body").word("name", &name).open());
        self.solid(plain(geometry, "", &terrain.name, friction), "      ");
        self.bodies += "    </body>\n";
    }
}

/// A shape that is drawn and collides.
fn plain<'a>(geometry: &'a Geometry, name: &'a str, owner: &'a str, friction: f64) -> Solid<'a> {
    Solid {
        geometry,
        pose: Pose::identity(),
        name,
        appearance: None,
        friction: Some(friction),
        role: Role::Both,
        owner,
        is_named: false,
    }
}

/// What the names of each robot begin with: nothing, or its own name where a link or joint of another robot has the same.
fn prefixes(world: &WorldModel) -> Vec<String> {
    let mut taken: HashSet<&str> = HashSet::new();
    let mut prefixes = Vec::new();
    for robot in world.robots() {
        let names = || {
            let links = robot.model().links().iter();
            links.flat_map(|link| [Some(link.name()), link.joint_name()])
        };
        let is_taken = names().flatten().any(|name| taken.contains(name));
        taken.extend(names().flatten());
        prefixes.push(match is_taken {
            true => format!("{}/", robot.name()),
            false => String::new(),
        });
    }
    prefixes
}
