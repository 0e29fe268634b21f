//! Conversion of a [`Document`] to a [`WorldModel`]: defaults, files, and the order of Klampt's numbers.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use nalgebra::Matrix3;

use super::SENSORS;
use super::document::{self, At, Document, Fit, Physics, Position};

use crate::geometry::Geometry;
use crate::io::context::Context;
use crate::io::report::FileReport;
use crate::io::resolve::Referrer;
use crate::io::source::FilePath;
use crate::io::weigh::weigh;
use crate::io::{config, rigid_object, terrain};
use crate::math::{Inertia, Point, Pose};
use crate::robot::{Robot, RobotBuilder};
use crate::world::{RigidObject, Terrain, WorldModel};
use crate::{Diagnostic, Error, LoadError, Severity};

/// The world of a document.
pub(super) fn build(
    ctx: &mut Context<'_>,
    document: Document,
    report: FileReport<'_>,
) -> Result<WorldModel, LoadError> {
    let mut build = Build {
        ctx,
        report,
        world: WorldModel::new(),
        robots: HashMap::new(),
        objects: HashMap::new(),
        terrains: HashMap::new(),
        meshes: HashMap::new(),

        n_links: 0,
    };
    if document.robots.len() != 1 {
        build.ctx.expect_several_robots();
    }
    for robot in document.robots {
        build.robot(&robot)?;
    }
    build.ctx.warn_of_unused_srdf();
    for object in document.objects {
        build.object(object)?;
    }
    for terrain in document.terrains {
        build.terrain(terrain)?;
    }
    *build.world.properties_mut() = document.rest;
    Ok(build.world)
}

/// A world that is being built. Each file is read once, however many elements name it.
struct Build<'b, 'c> {
    ctx: &'b mut Context<'c>,
    report: FileReport<'b>,
    world: WorldModel,
    robots: HashMap<String, (RobotBuilder, Option<Arc<Robot>>)>,
    objects: HashMap<String, RigidObject>,
    terrains: HashMap<String, Terrain>,
    meshes: HashMap<String, Option<Geometry>>,

    n_links: usize,
}

impl Build<'_, '_> {
    fn robot(&mut self, spec: &document::Robot) -> Result<(), LoadError> {
        let name = spec.name.as_deref().unwrap_or("Robot");
        let subject = format!("robot `{name}`");
        if !self.robots.contains_key(&spec.file.value) {
            let path = self.find(&spec.file)?;
            let builder = self.ctx.robot(&path);
            let builder = builder.map_err(|error| self.named(&spec.file, error))?;
            self.robots.insert(spec.file.value.clone(), (builder, None));
        }
        let (builder, shared) = &mut self.robots.get_mut(&spec.file.value).expect("just read");
        self.n_links += builder.links.len();
        let limit = self.ctx.options().limits.world_links;
        if self.n_links > limit {
            let problem = format!("with this one the world has more than {limit} links");
            let error = self.report.error(spec.file.position, &subject, problem);
            let help = "raise `limits.world_links` of the load options";
            return Err(error.help(help).into());
        }

        // a robot at the pose of its file is shared
        let built = match (spec.transform.pose(), &*shared) {
            (None, Some(robot)) => Ok(robot.clone()),
            (None, None) => builder.clone().build_sorted().map(|(robot, _)| {
                let robot = Arc::new(robot);
                *shared = Some(robot.clone());
                robot
            }),
            (Some(pose), _) => moved(builder, &pose)
                .build_sorted()
                .map(|(robot, _)| Arc::new(robot)),
        };
        let robot = built.map_err(|error| self.refused(spec.file.position, &subject, error))?;
        let q = self.configuration(spec, &subject, robot.n_dofs())?;
        let id = self.world.add_robot(robot);
        let refused = |error: Error| {
            self.report
                .error(spec.file.position, &subject, error.to_string())
        };
        self.world.rename(id, name).map_err(refused)?;
        if let Some(q) = q {
            let robot = self.world.robot_mut(id);
            robot
                .and_then(|mut robot| robot.set_config(&q.value))
                .map_err(|error| {
                    let error = self.report.error(q.position, &subject, error.to_string());
                    LoadError::from(error)
                })?;
        }
        let mut properties = spec.rest.clone();
        self.read_sensors(spec, &subject, &mut properties);
        let refused = |error: Error| {
            self.report
                .error(spec.file.position, &subject, error.to_string())
        };
        *self.world.properties_of_mut(id).map_err(refused)? = properties;
        Ok(())
    }

    /// The configuration of `config`, or that of the file in `configfile`, which takes precedence.
    fn configuration(
        &mut self,
        spec: &document::Robot,
        subject: &str,
        n: usize,
    ) -> Result<Option<At<Vec<f64>>>, LoadError> {
        let mut q = spec.config.clone();
        if let Some(file) = &spec.config_file {
            let path = self.find(file)?;
            let configs = config::load(self.ctx, &path);
            let mut configs = configs
                .map_err(|error| self.named(file, error))?
                .into_iter();
            let Some(value) = configs.next() else {
                let problem = format!("there is no configuration in {}", path.display());
                return Err(self.report.error(file.position, subject, problem).into());
            };
            if configs.next().is_some() {
                let problem = "its `configfile` holds several configurations; the first one counts";
                self.report.warn(file.position, subject, problem);
            }
            let position = file.position;
            q = Some(At { value, position });
        }
        match q {
            Some(q) if q.value.len() != n => {
                let found = q.value.len();
                let problem = format!("its configuration needs {n} values, got {found}");
                Err(self.report.error(q.position, subject, problem).into())
            }
            q => Ok(q),
        }
    }

    /// Reads the file of `<sensors file="…">`; one that cannot be read is reported.
    fn read_sensors(
        &mut self,
        spec: &document::Robot,
        subject: &str,
        properties: &mut BTreeMap<String, String>,
    ) {
        let Some(file) = &spec.sensors_file else {
            return;
        };
        let from = Referrer::new(self.report.path);
        match self.ctx.read_xml(from, &file.value) {
            Ok(sensors) => {
                properties.insert(SENSORS.to_owned(), sensors);
            }
            Err(error) => {
                let problem = format!("{}; its <sensors> are left out", error.message);
                self.report.add(Diagnostic {
                    severity: Severity::Warning,
                    help: error.help,
                    ..self.report.error(file.position, subject, problem)
                });
            }
        }
    }

    fn object(&mut self, spec: document::Object) -> Result<(), LoadError> {
        let name = spec.name.as_deref().unwrap_or("Object");
        let subject = format!("rigidObject `{name}`");
        let mut object = match (&spec.file, &spec.geometry) {
            (Some(file), _) => self.object_file(file)?,
            (None, Some(_)) => RigidObject {
                contact: rigid_object::CONTACT,
                ..RigidObject::new(name)
            },
            (None, None) => {
                let problem = "it has neither `file` nor <geometry>";
                let error = self.report.error(spec.position, &subject, problem);
                let help = "add `file=\"crate.obj\"`, or `<geometry mesh=\"cube.off\"/>`";
                return Err(error.help(help).into());
            }
        };
        object.name = name.to_owned();
        if let Some(geometry) = &spec.geometry {
            if let Some(mesh) = &geometry.mesh {
                object.geometry = self.mesh(mesh)?;
                object.missing_geometry = terrain::not_loaded(self.ctx, &mesh.value);
            } else if spec.file.is_none() {
                let problem = "<geometry> needs `mesh` or `file` here, since the object has none";
                return Err(self
                    .report
                    .error(geometry.fit.position, &subject, problem)
                    .into());
            }
            object.geometry = self.fit(object.geometry, &geometry.fit, &subject)?;
        }
        if let Some(physics) = &spec.physics {
            self.weigh(&mut object, physics, &subject)?;
        }
        if let Some(pose) = spec.transform.pose() {
            object.pose = pose;
        }
        object.properties = spec.rest;
        let added = self.world.add_rigid_object(object);
        let refused = |error| self.refused(spec.position, &subject, error);
        added.map(drop).map_err(refused)
    }

    fn object_file(&mut self, file: &At<String>) -> Result<RigidObject, LoadError> {
        if let Some(known) = self.objects.get(&file.value) {
            return Ok(known.clone());
        }
        let path = self.find(file)?;
        let object = rigid_object::load(self.ctx, &path);
        let object = object.map_err(|error| self.named(file, error))?;
        self.objects.insert(file.value.clone(), object.clone());
        Ok(object)
    }

    fn weigh(
        &mut self,
        object: &mut RigidObject,
        physics: &Physics,
        subject: &str,
    ) -> Result<(), LoadError> {
        let Inertia { mass, com, moment } = &mut object.inertia;
        *mass = physics.mass.unwrap_or(*mass);
        *com = physics.com.map_or(*com, Point::from);
        *moment = physics
            .inertia
            .map_or(*moment, |rows| Matrix3::from_row_slice(&rows));
        let contact = &mut object.contact;
        contact.friction = physics.friction.unwrap_or(contact.friction);
        contact.restitution = physics.restitution.unwrap_or(contact.restitution);
        contact.stiffness = physics.stiffness.unwrap_or(contact.stiffness);
        contact.damping = physics.damping.unwrap_or(contact.damping);
        if !physics.auto_mass {
            return Ok(());
        }
        if physics.com.is_some() || physics.inertia.is_some() {
            let problem = "`com` and `inertia` are ignored, because `automass` computes them";
            self.report.warn(physics.position, subject, problem);
        }
        let Some(shape) = &object.geometry else {
            let problem = "`automass` has no geometry to weigh, because none is loaded";
            self.report.warn(physics.position, subject, problem);
            return Ok(());
        };
        let fraction = physics.surface_fraction.unwrap_or(1.0);
        let weighed = weigh(shape, object.inertia.mass, fraction, None);
        object.inertia = weighed.map_err(|error| self.refused(physics.position, subject, error))?;
        Ok(())
    }

    fn terrain(&mut self, spec: document::Terrain) -> Result<(), LoadError> {
        let name = match &spec.name {
            Some(name) => name.clone(),
            None => format!("Terrain{}", self.world.n_terrains()),
        };
        let subject = format!("terrain `{name}`");
        let mut terrain = match self.terrains.get(&spec.file.value) {
            Some(known) => known.clone(),
            None => {
                let path = self.find(&spec.file)?;
                let terrain = terrain::load(self.ctx, &path);
                let terrain = terrain.map_err(|error| self.named(&spec.file, error))?;
                let file = spec.file.value.clone();
                self.terrains.insert(file, terrain.clone());
                terrain
            }
        };
        terrain.name = name;
        terrain.geometry = self.fit(terrain.geometry, &spec.fit, &subject)?;
        if let Some(friction) = spec.friction {
            terrain.friction = vec![friction];
        }
        terrain.properties = spec.rest;
        let added = self.world.add_terrain(terrain);
        let refused = |error| self.refused(spec.file.position, &subject, error);
        added.map(drop).map_err(refused)
    }

    /// The shape in a mesh file.
    fn mesh(&mut self, file: &At<String>) -> Result<Option<Geometry>, LoadError> {
        if let Some(known) = self.meshes.get(&file.value) {
            return Ok(known.clone());
        }
        let shape = self
            .ctx
            .geometry(Referrer::new(self.report.path), &file.value);
        let shape = shape.map_err(|error| self.named(file, error.into()))?;
        self.meshes.insert(file.value.clone(), shape.clone());
        Ok(shape)
    }

    /// A shape with the transformation of the file.
    fn fit(
        &mut self,
        shape: Option<Geometry>,
        fit: &Fit,
        subject: &str,
    ) -> Result<Option<Geometry>, LoadError> {
        let fitted = shape.map(|shape| fit.of(&shape, self.ctx)).transpose();
        fitted.map_err(|error| self.refused(fit.position, subject, error))
    }

    /// The path at which a file is found.
    fn find(&mut self, file: &At<String>) -> Result<FilePath, LoadError> {
        let found = self.ctx.find(Referrer::new(self.report.path), &file.value);
        found.map_err(|error| self.named(file, error.into()))
    }

    /// An error about another file, with the position at which that file is named.
    fn named(&self, file: &At<String>, error: LoadError) -> LoadError {
        let Position { line, column } = file.position;
        error.named_at(self.report.path, line, column)
    }

    /// An error of the library about an element.
    fn refused(&self, position: Position, subject: &str, error: Error) -> LoadError {
        match error {
            Error::Load(error) => error,
            error => {
                let refused: Diagnostic = self.report.error(position, subject, error.to_string());
                refused.into()
            }
        }
    }
}

/// The robot with its roots premultiplied by a pose.
fn moved(builder: &RobotBuilder, pose: &Pose) -> RobotBuilder {
    let mut builder = builder.clone();
    for link in &mut builder.links {
        if link.parent.is_none() {
            link.placement = pose * link.placement;
        }
    }
    builder
}
