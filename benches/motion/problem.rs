//! The robot and the problems of a folder.

use std::path::{Path, PathBuf};

use kinworld::WorldModel;
use kinworld::io::{LoadOptions, Loader};
use kinworld::planning::RobotCSpace;
use kinworld::world::Terrain;
use serde_json::Value;

use super::things::shape;

/// A robot, once with spheres and once with the meshes of its maker, and its problems.
pub(crate) struct Folder {
    pub(crate) spheres: WorldModel,
    pub(crate) meshes: WorldModel,
    pub(crate) problems: Vec<Problem>,
}

/// A start and a goal among obstacles.
pub(crate) struct Problem {
    pub(crate) family: String,
    pub(crate) index: u64,
    pub(crate) start: Vec<f64>,
    pub(crate) goal: Vec<f64>,
    things: Vec<Thing>,
}

/// A box, a sphere or a capsule.
struct Thing {
    kind: String,
    size: Vec<f64>,
    /// The upper three rows of its pose.
    pose: Vec<f64>,
}

impl Folder {
    /// Reads `problems.json` and, for the one robot with a file `*_spherized.urdf`, that one, `*.urdf` and `*.srdf`.
    pub(crate) fn read(folder: &Path) -> Self {
        let text = std::fs::read_to_string(folder.join("problems.json")).expect("problems.json");
        let problems: Value = serde_json::from_str(&text).expect("it is JSON");
        let name = robot_name(folder);
        Self {
            spheres: robot(&folder.join(format!("{name}_spherized.urdf")), &name),
            meshes: robot(&folder.join(format!("{name}.urdf")), &name),
            problems: list(&problems).iter().map(Problem::new).collect(),
        }
    }
}

impl Problem {
    fn new(value: &Value) -> Self {
        let thing = |thing: &Value| Thing {
            kind: thing["type"].as_str().expect("a type").to_owned(),
            size: numbers(&thing["size"]),
            pose: numbers(&thing["pose"]),
        };
        Self {
            family: value["family"].as_str().expect("a name").to_owned(),
            index: value["index"].as_u64().expect("an index"),
            start: numbers(&value["start"]),
            goal: numbers(&value["goal"]),
            things: list(&value["objects"]).iter().map(thing).collect(),
        }
    }

    /// The robot among the things.
    pub(crate) fn space(&self, robot: &WorldModel) -> RobotCSpace {
        let mut world = robot.clone();
        for (i, thing) in self.things.iter().enumerate() {
            let solid = shape(&thing.kind, &thing.size, &thing.pose);
            let thing = Terrain::new(format!("thing {i}"), Some(solid));
            world.add_terrain(thing).expect("a new name");
        }
        let id = world.robots().next().expect("the robot").id();
        RobotCSpace::new(&world, &[id]).expect("a space")
    }

    /// The things as `problems.txt` has them: kind, three sizes, pose.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = |thing: &Thing| {
            let kind = match thing.kind.as_str() {
                "box" => 0.0,
                "sphere" => 2.0,
                _ => 1.0,
            };
            let size = (0..3).map(|k| thing.size.get(k).copied().unwrap_or(0.0));
            let words = [kind].into_iter().chain(size).chain(thing.pose.clone());
            let words: Vec<String> = words.map(|x| x.to_string()).collect();
            words.join(" ")
        };
        self.things.iter().map(line).collect()
    }
}

/// What stands before `_spherized.urdf`.
fn robot_name(folder: &Path) -> String {
    let files = std::fs::read_dir(folder).expect("a folder");
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let found = names
        .filter_map(|name| Some(name.strip_suffix("_spherized.urdf")?.to_owned()))
        .next();
    found.expect("a file `*_spherized.urdf`")
}

/// A world with the robot alone.
fn robot(file: &Path, name: &str) -> WorldModel {
    let folder: PathBuf = file.parent().expect("a file lies in a folder").into();
    let options = LoadOptions::default()
        .with_srdf(Some(file.with_file_name(format!("{name}.srdf"))))
        .with_packages(vec![("meshes".to_owned(), folder.join("meshes"))]);
    let mut world = WorldModel::new();
    let loaded = Loader::with_options(options).robot(file);
    world.add_robot(loaded.expect("the robot loads").value);
    world
}

fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

fn numbers(value: &Value) -> Vec<f64> {
    let number = |x: &Value| x.as_f64().expect("a number");
    list(value).iter().map(number).collect()
}
