//! `place`: files at a pose, listed or written.

use std::f64::consts::PI;
use std::path::Path;

use kinworld::geometry::Aabb;
use kinworld::io::SaveOptions;
use kinworld::{Diagnostic, EntityId, Geometry, Pose, WorldModel};
use serde_json::{Value, json};

use crate::answer::Answer;
use crate::args::Place;
use crate::json::{numbers, rotation};
use crate::outfile::OutFile;
use crate::output::Output;
use crate::report::{self, Report};
use crate::request::Refusal;
use crate::table::{self, Table, real};
use crate::{Failure, load, reply};

pub(crate) fn run(args: Place, output: &mut Output) -> Result<(), Failure> {
    let session = load::session_at(&args.files, args.at, args.degrees, args.load)?;
    let Some(path) = args.output else {
        let elements = Elements::of(&session.world, args.degrees);
        return reply(output, args.format, &session, Ok(elements));
    };
    let file = OutFile::of(&path, &session.inputs).map_err(|Refusal(problem)| {
        report::refusal(&problem);
        Failure::Refused
    })?;
    match save(&session.world, file.path(), file.options()) {
        Ok(lost) => {
            Report::short().diagnostics(&lost);
            Ok(())
        }
        Err(error) => {
            Report::short().error(&error);
            Err(Failure::Refused)
        }
    }
}

/// Writes a world, or its only element, by the suffix; returns warnings about what is lost.
pub(crate) fn save(
    world: &WorldModel,
    file: &Path,
    options: &SaveOptions,
) -> kinworld::Result<Vec<Diagnostic>> {
    let suffix = file.extension().map(|suffix| suffix.to_ascii_lowercase());
    let suffix = suffix.as_ref().and_then(|suffix| suffix.to_str());
    let only = world.n_robots() + world.n_rigid_objects() + world.n_terrains() == 1;
    match suffix {
        Some("rob" | "urdf") if only && world.n_robots() == 1 => {
            let robot = world.robots().next();
            robot.map_or(Ok(Vec::new()), |robot| {
                robot.model().save_with(file, options)
            })
        }
        Some("obj") if only && world.n_rigid_objects() == 1 => {
            let object = world.rigid_objects().next();
            object.map_or(Ok(Vec::new()), |(_, object)| {
                object.save_with(file, options)
            })
        }
        Some("env") if only && world.n_terrains() == 1 => {
            let terrain = world.terrains().next();
            terrain.map_or(Ok(Vec::new()), |(_, terrain)| {
                terrain.save_with(file, options)
            })
        }
        Some("obj" | "off" | "stl" | "ply") => shapes(world).save_with(file, options),
        // other suffixes are refused there
        _ => world.save_with(file, options),
    }
}

/// All collision shapes, where they are.
fn shapes(world: &WorldModel) -> Geometry {
    let ids = world.klampt_ids();
    let placed = ids.iter().filter_map(|entity| world.geometry(entity));
    Geometry::group(
        placed
            .map(|placed| (placed.pose, placed.geometry))
            .collect(),
    )
}

/// The elements of a world, where they are.
#[derive(Debug)]
struct Elements {
    list: Vec<Element>,
    /// True if the table shows angles in degrees.
    degrees: bool,
}

/// An element of a world.
#[derive(Debug)]
struct Element {
    name: String,
    kind: &'static str,
    /// Of a rigid object, or of the first link of a robot; a terrain has none.
    pose: Option<Pose>,
    /// Box around its collision geometry.
    aabb: Option<Aabb>,
}

impl Elements {
    fn of(world: &WorldModel, degrees: bool) -> Self {
        let around = |entities: Vec<EntityId>| {
            let shapes = entities
                .into_iter()
                .filter_map(|entity| world.geometry(entity));
            let boxes = shapes.filter_map(|shape| shape.aabb_tight());
            boxes.reduce(|a, b| a.union(&b))
        };
        let robots = world.robots().map(|robot| Element {
            name: robot.name().to_owned(),
            kind: "robot",
            pose: robot.links().next().map(|link| link.pose()),
            aabb: around(robot.links().map(|link| link.entity()).collect()),
        });
        let objects = world.rigid_objects().map(|(id, object)| Element {
            name: object.name.clone(),
            kind: "rigid object",
            pose: Some(object.pose),
            aabb: around(vec![id.into()]),
        });
        let terrains = world.terrains().map(|(id, terrain)| Element {
            name: terrain.name.clone(),
            kind: "terrain",
            pose: None,
            aabb: around(vec![id.into()]),
        });
        Self {
            list: robots.chain(objects).chain(terrains).collect(),
            degrees,
        }
    }
}

impl Answer for Elements {
    fn json(&self) -> Value {
        let element = |element: &Element| {
            json!({
                "name": element.name,
                "kind": element.kind,
                "rotation": element.pose.map(|pose| rotation(&pose.rotation)),
                "translation": element.pose.map(|pose| numbers(&pose.translation.vector)),
                "aabb": element.aabb.map(|aabb| json!([numbers(&aabb.min.coords), numbers(&aabb.max.coords)])),
            })
        };
        json!({ "elements": self.list.iter().map(element).collect::<Value>() })
    }

    fn text(&self) -> String {
        let (unit, scale) = match self.degrees {
            true => ("deg", 180.0 / PI),
            false => ("rad", 1.0),
        };
        let mut table = Table::new([
            table::words("element"),
            table::words("kind"),
            table::numbers("origin [m]"),
            table::numbers(format!("roll, pitch, yaw [{unit}]")),
            table::numbers("from [m]"),
            table::numbers("to [m]"),
        ]);
        for element in &self.list {
            let list = |values: [f64; 3]| values.map(real).join(",");
            let or_dash = |values: Option<[f64; 3]>| values.map_or_else(|| "-".to_owned(), list);
            let pose = element.pose;
            table.row([
                element.name.clone(),
                element.kind.to_owned(),
                or_dash(pose.map(|pose| pose.translation.vector.into())),
                or_dash(pose.map(|pose| {
                    kinworld::math::so3::to_rpy(&pose.rotation).map(|angle| angle * scale)
                })),
                or_dash(element.aabb.map(|aabb| aabb.min.coords.into())),
                or_dash(element.aabb.map(|aabb| aabb.max.coords.into())),
            ]);
        }
        table.to_string()
    }
}
