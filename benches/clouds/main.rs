//! Clouds of points as obstacles: times of thinning and indexing of several scenes, and among shelves of queries with a sphere, of configurations and of edges.
//!
//! `KINWORLD_MOTION` names a folder as for the bench `motion`, of which the robot `NAME_spherized.urdf` and `NAME.srdf` are read.
//! Not a criterion bench: all is timed beside another program, which reads what this one has checked from `clouds.txt` in that
//! folder. Without the variable there is nothing to do.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

mod scenes;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use kinworld::geometry::{Geometry, PointCloud, Primitive};
use kinworld::io::{LoadOptions, Loader};
use kinworld::planning::{CSpace, RobotCSpace};
use kinworld::robot::{Element, LinkMotion, LinkSpec, RobotBuilder};
use kinworld::world::Terrain;
use kinworld::{Point, Vector, WorldModel};

use scenes::{Random, SCENES, shelves};

/// Distances to which clouds are thinned, m; 0 for all points.
const SPACINGS: [f64; 3] = [0.0, 0.01, 0.02];
/// Radius of points, m.
const MARGIN: f64 = 0.01;
/// Radius of the sphere that moves alone, and number of its positions.
const RADIUS: f64 = 0.05;
const QUERIES: usize = 1 << 14;
/// Configurations and edges of each kind.
const COUNT: usize = 500;
/// Timed runs, after one that is not timed.
const REPEATS: usize = 20;

fn main() {
    let Some(folder) = std::env::var_os("KINWORLD_MOTION") else {
        println!("KINWORLD_MOTION names no folder: nothing to measure");
        return;
    };
    let folder = Path::new(&folder);
    let mut random = Random(7);
    let all = PointCloud::new(shelves(&mut random)).expect("points");
    let robot = robot(folder);
    let sphere = sphere();
    for (name, scene) in SCENES {
        let all = PointCloud::new(scene(&mut Random(7))).expect("points");
        for spacing in SPACINGS {
            let cloud = thinned(&all, spacing);
            let thinning = fastest(|| drop(black_box(thinned(&all, spacing)))) * 1e3;
            let index = fastest_index(&sphere, &cloud) * 1e3;
            let points = cloud.points().len();
            println!(
                "{name} spacing {spacing} points {points} thinning_ms {thinning:.3} index_ms {index:.3}"
            );
        }
    }
    let mut text = String::from("kinworld-clouds 1\n");
    writeln!(
        text,
        "margin {MARGIN} radius {RADIUS} clouds {}",
        SPACINGS.len() - 1
    )
    .expect("text");
    for spacing in SPACINGS {
        let cloud = thinned(&all, spacing);
        println!("spacing {spacing} points {}", cloud.points().len());
        let tree = fastest_new(|| with_cloud(&sphere, &cloud), |world| world.prepare());
        println!("tree_ms {:.3}", tree * 1e3);

        let space = space(&sphere, &cloud);
        let positions: Vec<f64> = (0..QUERIES).flat_map(|_| random.position()).collect();
        let (mut free, mut ws) = (vec![false; QUERIES], space.workspace());
        let took = fastest(|| {
            space
                .are_free_with(black_box(&positions), &mut free, &mut ws)
                .expect("positions")
        });
        println!("query_ns {:.2}", took * 1e9 / QUERIES as f64);

        let space = self::space(&robot, &cloud);
        let checks = Checks::draw(&space, &mut random);
        checks.time(&space);
        if spacing > 0.0 {
            write_points(
                &mut text,
                "points",
                cloud
                    .points()
                    .iter()
                    .flat_map(|p| p.coords.as_slice().to_vec()),
                3,
            );
            write_points(&mut text, "queries", positions.iter().copied(), 3);
            for free in &free {
                text.push_str(if *free { "1 " } else { "0 " });
            }
            text.push('\n');
            checks.write(&mut text);
        }
    }
    std::fs::write(folder.join("clouds.txt"), text).expect("the folder can be written");
}

fn thinned(cloud: &PointCloud, spacing: f64) -> PointCloud {
    if spacing > 0.0 {
        cloud.thinned(spacing).expect("a spacing")
    } else {
        cloud.clone()
    }
}

/// A world with the robot of a folder, which consists of spheres.
fn robot(folder: &Path) -> WorldModel {
    let files = std::fs::read_dir(folder).expect("a folder");
    let mut names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let name = names.find_map(|name| Some(name.strip_suffix("_spherized.urdf")?.to_owned()));
    let name = name.expect("a file `*_spherized.urdf`");
    let options = LoadOptions::default()
        .with_srdf(Some(folder.join(format!("{name}.srdf"))))
        .with_packages(vec![("meshes".to_owned(), folder.join("meshes"))]);
    let loaded = Loader::with_options(options).robot(folder.join(format!("{name}_spherized.urdf")));
    let mut world = WorldModel::new();
    world.add_robot(loaded.expect("the robot loads").value);
    world
}

/// A world with a sphere that translates along three axes.
fn sphere() -> WorldModel {
    let mut builder = RobotBuilder::new("sphere");
    let mut parent = None;
    for (name, axis) in [("x", Vector::x()), ("y", Vector::y()), ("z", Vector::z())] {
        let mut link = LinkSpec::new(name, parent, LinkMotion::Prismatic(axis));
        (link.limits.q_min, link.limits.q_max) = (-2.0, 2.0);
        parent = Some(builder.add_link(link));
    }
    let shape = Primitive::sphere(Point::origin(), RADIUS).expect("a sphere");
    builder.links[2].collision = vec![Element::new(shape.into())];
    let mut world = WorldModel::new();
    world.add_robot(builder.build().expect("a robot"));
    world
}

fn with_cloud(robot: &WorldModel, cloud: &PointCloud) -> WorldModel {
    let mut world = robot.clone();
    let shape = Geometry::from(cloud.clone())
        .with_margin(MARGIN)
        .expect("a margin");
    world
        .add_terrain(Terrain::new("cloud", Some(shape)))
        .expect("a new name");
    world
}

fn space(robot: &WorldModel, cloud: &PointCloud) -> RobotCSpace {
    let world = with_cloud(robot, cloud);
    let id = world.robots().next().expect("the robot").id();
    RobotCSpace::new(&world, &[id]).expect("a space")
}

/// Seconds that a space with a new cloud takes.
fn fastest_index(robot: &WorldModel, cloud: &PointCloud) -> f64 {
    let id = robot.robots().next().expect("the robot").id();
    let space = |world: &WorldModel| drop(RobotCSpace::new(world, &[id]).expect("a space"));
    fastest_new(|| with_cloud(robot, cloud), space)
}

/// The least time of some runs with a new world each, s.
fn fastest_new(world: impl Fn() -> WorldModel, work: impl Fn(&WorldModel)) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let world = world();
        let began = Instant::now();
        work(black_box(&world));
        best = best.min(began.elapsed().as_secs_f64());
    }
    best
}

/// The least time of some runs, s.
fn fastest(mut work: impl FnMut()) -> f64 {
    work();
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let began = Instant::now();
        work();
        best = best.min(began.elapsed().as_secs_f64());
    }
    best
}

/// Configurations and edges, free and not; all numbers are those of `f32`.
#[derive(Default)]
struct Checks {
    configurations: [Vec<Vec<f64>>; 2],
    edges: [Vec<Vec<f64>>; 2],
}

impl Checks {
    fn draw(space: &RobotCSpace, random: &mut Random) -> Self {
        let mut checks = Self::default();
        let mut ws = space.workspace();
        let bounds = space.bounds();
        let mut draw = || -> Vec<f64> {
            let mut value = |b: &[f64; 2]| b[0] + (b[1] - b[0]) * (0.5 + 0.4999 * random.signed());
            bounds.iter().map(|b| f64::from(value(b) as f32)).collect()
        };
        for _ in 0..1_000_000 {
            let (q, far) = (draw(), draw());
            let is_free = space.is_free_with(&q, &mut ws).expect("a configuration");
            let list = &mut checks.configurations[usize::from(is_free)];
            if list.len() < COUNT {
                list.push(q.clone());
            }
            if is_free {
                // a step of a tree
                let u = 1.0 / distance(&q, &far);
                let b = q
                    .iter()
                    .zip(&far)
                    .map(|(a, b)| f64::from((a + u * (b - a)) as f32));
                let b: Vec<f64> = b.collect();
                let is_free = space.is_edge_free_in_steps_with(&q, &b, steps(&q, &b), &mut ws);
                let list = &mut checks.edges[usize::from(is_free.expect("an edge"))];
                if list.len() < COUNT {
                    list.push([q, b].concat());
                }
            }
            let all = checks.configurations.iter().chain(&checks.edges);
            if all.into_iter().all(|list| list.len() == COUNT) {
                break;
            }
        }
        checks
    }

    fn time(&self, space: &RobotCSpace) {
        let mut ws = space.workspace();
        for (i, name) in ["blocked", "free"].into_iter().enumerate() {
            let (rows, count) = (
                self.configurations[i].concat(),
                self.configurations[i].len(),
            );
            let mut free = vec![false; count];
            let took = fastest(|| {
                space
                    .are_free_with(black_box(&rows), &mut free, &mut ws)
                    .expect("configurations")
            });
            println!(
                "{name}_configuration_block_ns {:.1}",
                took * 1e9 / count as f64
            );
            let took = fastest(|| {
                for q in &self.configurations[i] {
                    black_box(
                        space
                            .is_free_with(black_box(q), &mut ws)
                            .expect("a configuration"),
                    );
                }
            });
            println!("{name}_configuration_ns {:.1}", took * 1e9 / count as f64);
            let took = fastest(|| {
                for row in &self.edges[i] {
                    let (a, b) = black_box(row).split_at(row.len() / 2);
                    let free = space.is_edge_free_in_steps_with(a, b, steps(a, b), &mut ws);
                    black_box(free.expect("an edge"));
                }
            });
            println!(
                "{name}_edge_ns {:.1}",
                took * 1e9 / self.edges[i].len() as f64
            );
        }
    }

    fn write(&self, text: &mut String) {
        for lists in [&self.configurations, &self.edges] {
            for (rows, name) in lists.iter().zip(["blocked", "free"]) {
                let width = rows.first().map_or(1, Vec::len);
                write_points(text, name, rows.iter().flatten().copied(), width);
            }
        }
    }
}

/// Writes a name, the number of rows, and the rows as `f32`.
fn write_points(text: &mut String, name: &str, numbers: impl Iterator<Item = f64>, width: usize) {
    let numbers: Vec<f64> = numbers.collect();
    writeln!(text, "{name} {}", numbers.len() / width).expect("text");
    for row in numbers.chunks(width) {
        let row: Vec<String> = row.iter().map(|x| (*x as f32).to_string()).collect();
        writeln!(text, "{}", row.join(" ")).expect("text");
    }
}

/// 32 per unit of Euclidean distance, as VAMP takes them.
fn steps(a: &[f64], b: &[f64]) -> usize {
    (32.0 * distance(a, b)).ceil().max(1.0) as usize
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a));
    squares.sum::<f64>().sqrt()
}
