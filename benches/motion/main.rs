//! Motion planning among the problems of MotionBenchMaker: a configuration, a valid way, a path for the Panda.
//!
//! `KINWORLD_MOTION` names a folder with `problems.json`, which `tests/peers/motion/problems.py` writes, and `panda.urdf`,
//! `panda_spherized.urdf`, `panda.srdf` and their meshes. Not a criterion bench: each problem is timed once, as a user meets
//! it. Without the variable there is nothing to do.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

use std::path::Path;
use std::time::Instant;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::io::{LoadOptions, Loader};
use kinworld::planning::{Budget, CSpace, RobotCSpace, RrtConnect};
use kinworld::world::Terrain;
use kinworld::{Point, Pose, Rotation, Vector, WorldModel};
use nalgebra::Matrix3;
use serde_json::Value;

fn main() {
    let Some(folder) = std::env::var_os("KINWORLD_MOTION") else {
        println!("KINWORLD_MOTION names no folder: nothing to measure");
        return;
    };
    let folder = Path::new(&folder);
    let text = std::fs::read_to_string(folder.join("problems.json")).expect("problems.json");
    let problems: Value = serde_json::from_str(&text).expect("it is JSON");
    let problems = problems.as_array().expect("a list");
    let balls = panda(&folder.join("panda_spherized.urdf"));
    let meshes = panda(&folder.join("panda.urdf"));
    let (mut solved, mut refused, mut times) = (0, 0, Vec::new());
    let (mut configurations, mut ways) = (Vec::new(), Vec::new());
    for problem in problems {
        let (start, goal) = (numbers(&problem["start"]), numbers(&problem["goal"]));
        let mut space = Rake(scene(&balls, problem));
        let budget = Budget::default().range(2.0).shortcuts(0).seed(1);
        let began = Instant::now();
        let found = RrtConnect::new(&budget).solve(&mut space, &start, &goal);
        let took = began.elapsed().as_secs_f64();
        let Some(path) = found.ok().and_then(|plan| plan.path) else {
            println!("unsolved {} {}", problem["family"], problem["index"]);
            continue;
        };
        if took < 1.0 {
            solved += 1;
        }
        times.push(took);

        // the same path with exact meshes
        let mut exact = scene(&meshes, problem);
        let is_free = path
            .windows(2)
            .all(|w| matches!(exact.first_contact(&w[0], &w[1]), Ok(None)));
        refused += usize::from(!is_free);
        measure(&mut space.0, &path, &mut configurations, &mut ways);
    }
    println!("solved {solved} of {} refused {refused}", problems.len());
    for (name, values) in [
        ("configuration_ns", configurations),
        ("way_ns", ways),
        ("rrt_us", times.iter().map(|t| t * 1e6).collect()),
    ] {
        let [median, p95] = quantiles(values);
        println!("{name} {median} {p95}");
    }
}

/// A space whose ways are sampled as VAMP samples them: 32 times per unit of Euclid's distance.
struct Rake(RobotCSpace);

impl CSpace for Rake {
    fn dimension(&self) -> usize {
        self.0.dimension()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        self.0.bounds()
    }

    fn is_free(&mut self, q: &[f64]) -> bool {
        self.0.is_free(q)
    }

    fn sample_into(&mut self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        self.0.sample_into(uniform, out);
    }

    fn is_edge_free(&mut self, a: &[f64], b: &[f64]) -> bool {
        let steps = steps(a, b);
        self.0.is_free_in_steps(a, b, steps).unwrap_or(false)
    }
}

fn steps(a: &[f64], b: &[f64]) -> usize {
    let squares = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a));
    (32.0 * squares.sum::<f64>().sqrt()).ceil().max(1.0) as usize
}

/// Times configurations of a valid path side by side, and its ways.
fn measure(
    space: &mut RobotCSpace,
    path: &[Vec<f64>],
    configurations: &mut Vec<f64>,
    ways: &mut Vec<f64>,
) {
    let mut rows = Vec::new();
    for w in path.windows(2) {
        let n = steps(&w[0], &w[1]);
        for i in 0..n {
            let u = i as f64 / n as f64;
            rows.extend(w[0].iter().zip(&w[1]).map(|(a, b)| a + u * (b - a)));
        }
        let began = Instant::now();
        for _ in 0..REPEATS {
            assert!(space.is_free_in_steps(&w[0], &w[1], n).unwrap_or(false));
        }
        ways.push(began.elapsed().as_secs_f64() * 1e9 / f64::from(REPEATS));
    }
    let count = rows.len() / path[0].len();
    let mut free = vec![false; count];
    let began = Instant::now();
    for _ in 0..REPEATS {
        space.are_free(&rows, &mut free);
    }
    let took = began.elapsed().as_secs_f64() * 1e9 / f64::from(REPEATS);
    configurations.push(took / count as f64);
}

const REPEATS: u32 = 20;

fn quantiles(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let at = |p: f64| values.get((values.len() as f64 * p) as usize);
    [0.5, 0.95].map(|p| at(p).copied().unwrap_or(f64::NAN))
}

/// A world with the robot alone.
fn panda(file: &Path) -> WorldModel {
    let folder = file.parent().expect("a file lies in a folder");
    let options = LoadOptions {
        srdf: Some(file.with_file_name("panda.srdf")),
        packages: vec![("meshes".to_owned(), folder.join("meshes"))],
        ..LoadOptions::default()
    };
    let mut world = WorldModel::new();
    let loaded = Loader::with_options(options).robot(file);
    world.add_robot(loaded.expect("the robot loads").value);
    world
}

/// The robot among the obstacles of a problem.
fn scene(robot: &WorldModel, problem: &Value) -> RobotCSpace {
    let mut world = robot.clone();
    for (i, object) in problem["objects"]
        .as_array()
        .expect("objects")
        .iter()
        .enumerate()
    {
        let (x, size) = (numbers(&object["pose"]), numbers(&object["size"]));
        let r = Matrix3::from_fn(|row, column| x[4 * row + column]);
        let p = Vector::new(x[3], x[7], x[11]);
        let pose = Pose::from_parts(p.into(), Rotation::from_matrix_unchecked(r));
        let shape = match object["type"].as_str() {
            Some("box") => Primitive::cuboid(pose, Vector::new(size[0], size[1], size[2])),
            Some("sphere") => Primitive::sphere(p.into(), size[0]),
            _ => {
                let half = pose * Vector::new(0.0, 0.0, 0.5 * size[0]);
                let c = Point::from(p);
                Primitive::capsule(c - half, c + half, size[1])
            }
        };
        let shape = Geometry::from(shape.expect("a solid"));
        let thing = Terrain::new(format!("thing {i}"), Some(shape));
        world.add_terrain(thing).expect("a new name");
    }
    let id = world.robots().next().expect("the robot").id();
    RobotCSpace::new(&world, &[id]).expect("a space")
}

fn numbers(value: &Value) -> Vec<f64> {
    let list = value.as_array().expect("a list");
    list.iter().map(|x| x.as_f64().expect("a number")).collect()
}
