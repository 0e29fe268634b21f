//! Writer of robots and worlds as SDF 1.11.
//!
//! A joint stands at the frame of its child, and is placed in its parent: numbers are those of the robot. Fixed links without
//! mass, shape and children are frames.

mod body;
mod joints;
mod layout;
mod loops;
mod world;

use crate::Diagnostic;
use crate::io::save::{Losses, Names, Output, Tag};
use crate::robot::{Robot, RobotBuilder};
use crate::world::WorldModel;

/// The text of a robot; `output` takes its meshes, and reports what SDF cannot hold.
pub(crate) fn write_robot(robot: &Robot, output: &mut Output) -> Result<String, Diagnostic> {
    if robot.links().is_empty() {
        let error = Diagnostic::error("an SDF needs at least one link");
        return Err(error.help("add a link, or save another robot"));
    }
    let mut writer = Writer::new(output);
    writer.robot(robot, &RobotBuilder::from(robot), robot.name());
    Ok(writer.finished())
}

/// The text of a world of this name; `output` takes its meshes, and reports what SDF cannot hold.
pub(crate) fn write_world(world: &WorldModel, name: &str, output: &mut Output) -> String {
    let mut writer = Writer::new(output);
    writer.line(0, &Tag::new("world").word("name", name).open());
    writer.depth = 1;
    writer.world(world);
    writer.depth = 0;
    writer.line(0, "</world>\n");
    writer.finished()
}

/// A file that is being written.
struct Writer<'o> {
    output: &'o mut Output,
    losses: Losses,
    models: Names,
    /// Elements around those that are written.
    depth: usize,
    text: String,
}

impl<'o> Writer<'o> {
    fn new(output: &'o mut Output) -> Self {
        output.for_all_programs();
        Self {
            output,
            losses: Losses::default(),
            models: Names::without(&["world"]),
            depth: 0,
            text: String::from(
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sdf version=\"1.11\">\n",
            ),
        }
    }

    fn finished(mut self) -> String {
        self.text += "</sdf>\n";
        self.losses.report(self.output);
        self.text
    }

    /// Adds a line, `depth` further in than what is around.
    fn line(&mut self, depth: usize, line: &str) {
        self.text += crate::io::save::indent(self.depth + depth + 1);
        self.text += line;
    }

    /// Adds an element of a text.
    fn element(&mut self, depth: usize, name: &str, value: &str) {
        self.line(depth, &format!("<{name}>{}</{name}>\n", escaped(value)));
    }

    /// The name of a model.
    fn model_name(&mut self, wish: &str) -> String {
        let name = self.models.unique(&allowed(wish), "model");
        if name != wish {
            self.losses.add("models are renamed", wish);
        }
        name
    }
}

/// A name that SDF allows: not `world`, without `::`, not reserved.
fn allowed(wish: &str) -> String {
    let name = wish.trim().replace("::", "_");
    match name.starts_with("__") || name == "world" {
        true => format!("_{}", name.trim_start_matches('_')),
        false => name,
    }
}

/// A text between tags.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
