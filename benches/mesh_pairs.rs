//! Queries on pairs of meshes and hulls, at the poses and with the names of `tests/peers/collision`.
//!
//! `BENCH_DATA` names the folder that its `prepare.py` has filled; without it nothing runs. One line per query, pair
//! and class of poses: library, query, pair, class, microseconds of processor time per query, number of queries. Every
//! result goes to a file, to be compared with Coal's. Words on the command line select queries.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kinworld::geometry::{ConvexHull, Geometry, Mesh, query};
use kinworld::{Point, Pose};
use nalgebra::{Quaternion, Translation3, UnitQuaternion};

/// A pose of the second mesh in the frame of the first, and its class.
struct Case {
    class: usize,
    pose: Pose,
}

/// A query at a pose, with its result as a number.
type Query<'a> = &'a dyn Fn(&Pose) -> f64;

fn main() {
    let Some(data) = std::env::var_os("BENCH_DATA").map(PathBuf::from) else {
        println!("BENCH_DATA is not set: nothing to compare");
        return;
    };
    let chosen: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| !w.starts_with('-'))
        .collect();
    let is_chosen = |word: &str| chosen.is_empty() || chosen.iter().any(|w| w == word);
    let results = data.join("res");
    fs::create_dir_all(&results).expect("a folder for results");
    let mut pairs: Vec<PathBuf> = fs::read_dir(data.join("pairs"))
        .expect("a folder `pairs`")
        .map(|entry| entry.expect("a file").path())
        .collect();
    pairs.sort();
    for path in pairs {
        let name = path.file_stem().and_then(|s| s.to_str()).expect("a name");
        let (a, b) = name.split_once("__").expect("two names");
        let cases = poses(&path);
        let (mesh_a, mesh_b) = (mesh(&data, a), mesh(&data, b));
        let (hull_a, hull_b) = (hull(&data, a), hull(&data, b));
        for g in [&mesh_a, &mesh_b, &hull_a, &hull_b] {
            g.prepare();
        }
        let queries: [(&str, Query<'_>); 5] = [
            ("collide", &|x| collides(&mesh_a, &mesh_b, x)),
            ("margin2cm", &|x| within(&mesh_a, &mesh_b, x)),
            ("distance", &|x| distance(&mesh_a, &mesh_b, x)),
            ("hullcollide", &|x| collides(&hull_a, &hull_b, x)),
            ("hulldistance", &|x| distance(&hull_a, &hull_b, x)),
        ];
        for (query_name, run) in queries {
            if is_chosen(query_name) {
                let answers = time(query_name, name, &cases, run);
                let lines: Vec<String> = answers.iter().map(|x| format!("{x:?}")).collect();
                let file = results.join(format!("kinworld_{query_name}_{name}.txt"));
                fs::write(file, lines.join("\n")).expect("a file that can be written");
            }
        }
    }
}

fn collides(a: &Geometry, b: &Geometry, x: &Pose) -> f64 {
    let hit = query::collides((a, &Pose::identity()), (b, x));
    f64::from(u8::from(hit.expect("a good pose")))
}

fn within(a: &Geometry, b: &Geometry, x: &Pose) -> f64 {
    let near = query::within_distance((a, &Pose::identity()), (b, x), 0.02);
    f64::from(u8::from(near.expect("a good pose")))
}

fn distance(a: &Geometry, b: &Geometry, x: &Pose) -> f64 {
    let found = query::distance((a, &Pose::identity()), (b, x));
    found.expect("a good pose").distance
}

/// Runs a query at all poses, class by class, and prints the processor time.
fn time(query_name: &str, pair: &str, cases: &[Case], run: &dyn Fn(&Pose) -> f64) -> Vec<f64> {
    let mut answers = vec![0.0; cases.len()];
    for class in 0..4 {
        let mine: Vec<usize> = (0..cases.len())
            .filter(|&i| cases[i].class == class)
            .collect();
        let (wall, start, mut n_runs) = (Instant::now(), processor_time(), 0);
        // the system counts in steps of some milliseconds
        while wall.elapsed() < BUDGET && !mine.is_empty() {
            for &i in &mine {
                answers[i] = run(&cases[i].pose);
            }
            n_runs += mine.len();
        }
        let each = (processor_time() - start).as_secs_f64() * 1e6 / n_runs.max(1) as f64;
        println!("kinworld\t{query_name}\t{pair}\t{class}\t{each:.4}\t{n_runs}");
    }
    answers
}

const BUDGET: Duration = Duration::from_millis(300);

/// Processor time of this process, independent of other processes.
fn processor_time() -> Duration {
    let stat =
        fs::read_to_string("/proc/self/schedstat").expect("Linux counts the time of processes");
    let first = stat.split_whitespace().next().expect("a number");
    Duration::from_nanos(first.parse().expect("nanoseconds"))
}

/// Class, quaternion w x y z, translation and distance in each line.
fn poses(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("a text");
    let case = |line: &str| {
        let n: Vec<f64> = line
            .split_whitespace()
            .map(|w| w.parse().expect("a number"))
            .collect();
        let rotation = UnitQuaternion::from_quaternion(Quaternion::new(n[1], n[2], n[3], n[4]));
        let translation = Translation3::new(n[5], n[6], n[7]);
        Case {
            class: n[0] as usize,
            pose: Pose::from_parts(translation, rotation.to_rotation_matrix()),
        }
    };
    text.lines().map(case).collect()
}

/// Numbers of vertices and triangles (`u32`), coordinates (`f64`), indices (`u32`).
fn mesh(data: &Path, name: &str) -> Geometry {
    read(data, name).into()
}

fn hull(data: &Path, name: &str) -> Geometry {
    let hull = ConvexHull::try_from(read(data, &format!("h_{name}")));
    hull.expect("a hull").into()
}

fn read(data: &Path, name: &str) -> Mesh {
    let bytes = fs::read(data.join("mesh").join(format!("{name}.bin"))).expect("a mesh");
    let u32_at = |i: usize| u32::from_le_bytes(bytes[i..i + 4].try_into().expect("four bytes"));
    let f64_at = |i: usize| f64::from_le_bytes(bytes[i..i + 8].try_into().expect("eight bytes"));
    let (n, m) = (u32_at(0) as usize, u32_at(4) as usize);
    let vertices = (0..n).map(|v| Point::from([0, 1, 2].map(|k| f64_at(8 + 24 * v + 8 * k))));
    let first = 8 + 24 * n;
    let triangles = (0..m).map(|t| [0, 1, 2].map(|k| u32_at(first + 12 * t + 4 * k)));
    Mesh::new(vertices.collect(), triangles.collect()).expect("a valid mesh")
}
