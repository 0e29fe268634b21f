//! Writer of worlds as `.xml`, with the files of all their entities in one folder.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use super::entities::{object, terrain};
use super::{Losses, Output, glb, lost_of_world, save};
use crate::geometry::Geometry;
use crate::io::text::{is_xml, number, numbers, xml_attribute};
use crate::io::world_xml::{ATTRIBUTE, CHILDREN, SENSORS};
use crate::io::{SaveFormat, SaveOptions, mjcf, rob, sdf};
use crate::robot::Robot;
use crate::world::{LinkRef, RigidObject, RobotRef, Terrain, WorldModel};
use crate::{Diagnostic, LoadError, Result};

impl WorldModel {
    /// Writes a world as Klampt's `.xml`, with the files of robots, objects, terrains and their shapes in a folder
    /// beside it, `cell.xml` in `cell_files/`; returns warnings about what the formats cannot hold.
    ///
    /// All values read back to the last bit; shared models and shapes stay shared. A failed save leaves the old
    /// files unchanged.
    ///
    /// To `.mjcf` and `.sdf` (and `.world`) it writes a model of MuJoCo or a world of Gazebo and Drake, robots as they stand;
    /// MJCF in a file named `.xml` is asked for with [`SaveOptions::format`]. To `.rob` and `.urdf` it writes its only robot.
    ///
    /// To a `.glb` it writes a picture of the world for other programs, as binary glTF in single precision: visual shapes with
    /// their colours, each mesh once, and a node per link, rigid object and terrain; joints are in the `extras` of the links.
    ///
    /// # Errors
    ///
    /// [`Error::Load`](crate::Error::Load) for another suffix, a file that cannot be written, and a `.rob` or `.urdf` of a
    /// world that has not one robot.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::WorldModel;
    ///
    /// # let data = concat!(env!("CARGO_MANIFEST_DIR"), "/data");
    /// let mut world = WorldModel::load(format!("{data}/robots/arm6.rob"))?.value;
    /// world.add_file(format!("{data}/objects/crate.obj"))?;
    /// let path = std::env::temp_dir().join("kinworld_doc_world.xml");
    /// assert_eq!(world.save(&path)?, []);
    /// assert_eq!(WorldModel::load(&path)?.value.poses(), world.poses());
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    #[doc(alias = "saveFile")]
    #[doc(alias = "mj_saveXML")]
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Diagnostic>> {
        self.save_with(path, &SaveOptions::default())
    }

    /// [`save`](Self::save) with options.
    ///
    /// # Errors
    ///
    /// Those of [`save`](Self::save), and [`Error::Load`](crate::Error::Load) for one of the
    /// [`inputs`](SaveOptions::inputs).
    pub fn save_with(
        &self,
        path: impl AsRef<Path>,
        options: &SaveOptions,
    ) -> Result<Vec<Diagnostic>> {
        let path = path.as_ref();
        match options.format_of(path) {
            Some(SaveFormat::Glb) => glb::save(self, path, options),
            Some(SaveFormat::Rob | SaveFormat::Urdf) => self.save_robot(path, options),
            Some(SaveFormat::Mjcf) => save(path, options, |output| {
                Ok(mjcf::write_world(self, &crate::io::name(path), output))
            }),
            Some(SaveFormat::Sdf) => save(path, options, |output| {
                Ok(sdf::write_world(self, &crate::io::name(path), output))
            }),
            Some(SaveFormat::World) => save(path, options, |output| self.text(path, output)),
            None => {
                let error = Diagnostic::error("worlds are not written to such a file");
                let help = "name a file that ends with .xml, .mjcf, .sdf or .glb";
                Err(LoadError::from(error.in_file(path).help(help)).into())
            }
        }
    }

    /// Writes the only robot, and says what is left out.
    fn save_robot(&self, path: &Path, options: &SaveOptions) -> Result<Vec<Diagnostic>> {
        let (1, Some(robot)) = (self.n_robots(), self.robots().next()) else {
            let n = self.n_robots();
            let message = format!("the world holds {n} robots, where one is to be written");
            return Err(LoadError::from(Diagnostic::error(message).in_file(path)).into());
        };
        let mut lost = robot.model().save_with(path, options)?;
        let n = self.n_rigid_objects() + self.n_terrains();
        if n > 0 {
            let what = format!("{n} other bodies of the world are not kept");
            lost.push(Diagnostic::warning(what).in_file(path));
        }
        Ok(lost)
    }

    /// The text of a world whose other files go to `output`.
    fn text(&self, path: &Path, output: &mut Output) -> Result<String, Diagnostic> {
        let mut writer = Writer {
            path,
            output,
            robots: HashMap::new(),
        };
        let mut text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<world".to_owned();
        let (attributes, children) = writer.kept(self.properties(), "world", "  ");
        text += &format!("{attributes}>\n");
        for robot in self.robots() {
            text += &writer.robot(robot)?;
        }
        for (_, object) in self.rigid_objects() {
            text += &writer.object(object);
        }
        for (_, terrain) in self.terrains() {
            text += &writer.terrain(terrain);
        }
        text += &format!("{children}</world>\n");
        let mut losses = Losses::default();
        lost_of_world(self, &mut losses);
        losses.report(writer.output);
        Ok(text)
    }
}

/// A world being written.
struct Writer<'a> {
    path: &'a Path,
    output: &'a mut Output,
    /// The file of each robot model, by its address.
    robots: HashMap<*const Robot, String>,
}

impl Writer<'_> {
    fn robot(&mut self, robot: RobotRef<'_>) -> Result<String, Diagnostic> {
        let subject = format!("robot `{}`", robot.name());
        let model = robot.model();
        let file = match self.robots.get(&Arc::as_ptr(model)) {
            Some(file) => file.clone(),
            None => {
                let file = self.output.free_name(model.name(), "rob");
                let stem = file.trim_end_matches(".rob");
                let text = rob::write(model, stem, "", self.output);
                let text = text.map_err(|error| error.in_file(self.path).about(&subject))?;
                self.output.add(&file, text);
                self.robots.insert(Arc::as_ptr(model), file.clone());
                file
            }
        };
        if robot.velocity().iter().any(|v| *v != 0.0) {
            self.output
                .warn(format!("{subject}: its velocity is not kept"));
        }
        // every link of a .rob has a degree of freedom, which a weld holds at 0
        let of_link = |link: LinkRef<'_>| {
            let dof = link.model().dof();
            let position = dof.and_then(|dof| robot.config().get(dof.index()));
            position.copied().unwrap_or(0.0)
        };
        let q: Vec<f64> = robot.links().map(of_link).collect();
        let start = format!(
            "  <robot name={} file={} config=\"{} {}\"",
            xml_attribute(robot.name()),
            xml_attribute(&self.output.beside(&file)),
            q.len(),
            numbers(&q)
        );
        let (attributes, mut children) = self.kept(robot.properties(), &subject, "    ");
        if let Some(sensors) = robot.properties().get(SENSORS) {
            match is_xml(sensors) {
                true => children = format!("    {sensors}\n{children}"),
                false => self
                    .output
                    .warn(format!("{subject}: its sensors are not XML")),
            }
        }
        Ok(element("robot", &(start + &attributes), &children))
    }

    fn object(&mut self, body: &RigidObject) -> String {
        let subject = format!("rigidObject `{}`", body.name);
        let file = self.output.free_name(&body.name, "obj");
        let mesh = self.shape(body.geometry.as_ref(), &body.name);
        self.output.add(&file, object(body, mesh.as_deref()));
        let start = format!(
            "  <rigidObject name={} file={}",
            xml_attribute(&body.name),
            xml_attribute(&self.output.beside(&file))
        );
        let (attributes, mut children) = self.kept(&body.properties, &subject, "    ");
        let margin = body.geometry.as_ref().map_or(0.0, Geometry::margin);
        if margin > 0.0 {
            children = format!("    <geometry margin=\"{}\"/>\n{children}", number(margin));
        }
        element("rigidObject", &(start + &attributes), &children)
    }

    fn terrain(&mut self, ground: &Terrain) -> String {
        let subject = format!("terrain `{}`", ground.name);
        let mesh = self.shape(ground.geometry.as_ref(), &ground.name);
        let mut friction = String::new();
        let file = match (mesh, ground.friction.as_slice()) {
            (Some(mesh), [one]) => {
                friction = format!(" kFriction=\"{}\"", number(*one));
                mesh
            }
            (mesh, _) => {
                let file = self.output.free_name(&ground.name, "env");
                self.output.add(&file, terrain(ground, mesh.as_deref()));
                file
            }
        };
        let mut start = format!(
            "  <terrain name={} file={}{friction}",
            xml_attribute(&ground.name),
            xml_attribute(&self.output.beside(&file))
        );
        let margin = ground.geometry.as_ref().map_or(0.0, Geometry::margin);
        if margin > 0.0 {
            start += &format!(" margin=\"{}\"", number(margin));
        }
        let (attributes, children) = self.kept(&ground.properties, &subject, "    ");
        element("terrain", &(start + &attributes), &children)
    }

    /// Writes a shape and returns its file, relative to the folder.
    fn shape(&mut self, shape: Option<&Geometry>, wish: &str) -> Option<String> {
        self.output.shape(shape?, wish)
    }

    /// Attributes and elements of other programs, verbatim.
    fn kept(
        &mut self,
        properties: &BTreeMap<String, String>,
        subject: &str,
        indent: &str,
    ) -> (String, String) {
        let (mut attributes, mut children) = (String::new(), String::new());
        for (key, value) in properties {
            if key == CHILDREN && is_xml(value) {
                children = format!("{indent}{value}\n");
            } else if let Some(name) = key.strip_prefix(ATTRIBUTE)
                && is_xml(&format!("<x {name}=\"\"/>"))
            {
                attributes += &format!(" {name}={}", xml_attribute(value));
            } else if key != SENSORS {
                let lost = format!("{subject}: the property `{key}` is not kept: it is not XML");
                self.output.warn(lost);
            }
        }
        (attributes, children)
    }
}

/// Completes an element from its first tag, still open, and its content.
fn element(name: &str, start: &str, children: &str) -> String {
    if children.is_empty() {
        format!("{start}/>\n")
    } else {
        format!("{start}>\n{children}  </{name}>\n")
    }
}
