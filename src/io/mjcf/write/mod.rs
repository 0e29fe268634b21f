//! Writer of robots and worlds as MJCF.
//!
//! A body for each link; the joints of links without mass and shape become further joints of the body that they move, because
//! MuJoCo wants a mass for all that moves. Fixed links that hold nothing, behind all others, are sites. What has no visual shape
//! is drawn by its collision shape.

mod bodies;
mod drives;
mod geoms;
mod inertial;
mod keys;
mod layout;
mod loops;
mod pairs;
mod sensors;
mod world;

use std::collections::HashMap;

use crate::Diagnostic;
use crate::io::save::{Losses, Names, Output, Tag};
use crate::io::text::number;
use crate::robot::{Robot, RobotBuilder};
use crate::world::WorldModel;
use keys::Keys;

/// The text of a robot; `output` takes its meshes, and reports what MJCF cannot hold.
pub(crate) fn write_robot(robot: &Robot, output: &mut Output) -> Result<String, Diagnostic> {
    if robot.links().is_empty() {
        let error = Diagnostic::error("an MJCF needs at least one link");
        return Err(error.help("add a link, or save another robot"));
    }
    let mut writer = Writer::new(output);
    writer.robot(robot, &RobotBuilder::from(robot), "");
    Ok(writer.finished(robot.name(), None))
}

/// The text of a world of this name; `output` takes its meshes, and reports what MJCF cannot hold.
pub(crate) fn write_world(world: &WorldModel, name: &str, output: &mut Output) -> String {
    let mut writer = Writer::new(output);
    let gravity = writer.world(world);
    // a reader names the only robot after the model
    let mut robots = world.robots();
    let name = match (robots.next(), robots.next()) {
        (Some(robot), None) => robot.name(),
        _ => name,
    };
    writer.finished(name, gravity.as_deref())
}

/// A file that is being written.
struct Writer<'o> {
    output: &'o mut Output,
    losses: Losses,
    names: AllNames,
    /// The mesh asset of each file, and the material of each name and colour.
    mesh_assets: HashMap<String, String>,
    materials: HashMap<String, String>,
    keys: Keys,
    assets: String,
    bodies: String,
    contacts: String,
    equalities: String,
    actuators: String,
    sensors: String,
}

/// The names of each kind of element.
#[derive(Debug)]
struct AllNames {
    bodies: Names,
    joints: Names,
    geoms: Names,
    sites: Names,
    actuators: Names,
    equalities: Names,
    sensors: Names,
    meshes: Names,
    materials: Names,
}

impl<'o> Writer<'o> {
    fn new(output: &'o mut Output) -> Self {
        output.for_all_programs();
        Self {
            output,
            losses: Losses::default(),
            names: AllNames {
                bodies: Names::without(&["world"]),
                joints: Names::default(),
                geoms: Names::default(),
                sites: Names::default(),
                actuators: Names::default(),
                equalities: Names::default(),
                sensors: Names::default(),
                meshes: Names::default(),
                materials: Names::default(),
            },
            mesh_assets: HashMap::new(),
            materials: HashMap::new(),
            keys: Keys::default(),
            assets: String::new(),
            bodies: String::new(),
            contacts: String::new(),
            equalities: String::new(),
            actuators: String::new(),
            sensors: String::new(),
        }
    }

    /// The whole text.
    fn finished(mut self, name: &str, gravity: Option<&str>) -> String {
        let keys = self.keys.text(&mut self.losses);
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text += &Tag::new("mujoco").word("model", name).open();
        text += "  <compiler angle=\"radian\" autolimits=\"true\" inertiafromgeom=\"false\"/>\n";
        if let Some(gravity) = gravity {
            text += &format!("  {}", Tag::new("option").word("gravity", gravity).closed());
        }
        text += DEFAULTS;
        let sections = [
            ("asset", &self.assets),
            ("worldbody", &self.bodies),
            ("contact", &self.contacts),
            ("equality", &self.equalities),
            ("actuator", &self.actuators),
            ("sensor", &self.sensors),
            ("keyframe", &keys),
        ];
        for (section, content) in sections {
            if !content.is_empty() {
                text += &format!("  <{section}>\n{content}  </{section}>\n");
            }
        }
        text += "</mujoco>\n";
        self.losses.report(self.output);
        text
    }
}

/// Shapes that only collide are in a group that MuJoCo's viewer hides at first.
const DEFAULTS: &str = "  <default>
    <default class=\"visual\">
      <geom contype=\"0\" conaffinity=\"0\" group=\"2\"/>
    </default>
    <default class=\"collision\">
      <geom group=\"3\"/>
    </default>
  </default>
";

/// A number within what MuJoCo can count with: infinities become ±1e10.
fn bounded(x: f64) -> String {
    const MOST: f64 = 1e10;
    number(x.clamp(-MOST, MOST))
}
