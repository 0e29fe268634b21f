//! Motion planning on the problems of MotionBenchMaker: times of a configuration, of a valid edge, of a path for an arm.
//!
//! `KINWORLD_MOTION` names a folder with `problems.json`, which `tests/peers/motion/problems.py` writes, and of one robot
//! `NAME.urdf`, `NAME_spherized.urdf`, `NAME.srdf` and their meshes. Not a criterion bench: each problem is timed once, as a
//! user meets it. Without the variable there is nothing to do. The configurations that were checked on hulls are written into
//! `configurations.txt` of that folder, for Pinocchio and Coal to check them too.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

mod hulls;
mod problem;
#[path = "../../tests/corpus/things.rs"]
mod things;

use std::path::Path;
use std::time::Instant;

use hulls::Hulls;
use kinworld::Result;
use kinworld::planning::{Budget, CSpace, EdgeQuery, RobotCSpace, RrtConnect, Workspace};
use problem::Folder;

fn main() {
    let Some(folder) = std::env::var_os("KINWORLD_MOTION") else {
        println!("KINWORLD_MOTION names no folder: nothing to measure");
        return;
    };
    let path = Path::new(&folder);
    let folder = Folder::read(path);
    let hulled = folder.meshes.with_hulls().expect("hulls");
    let (mut solved, mut times, mut paths) = (0, Vec::new(), Vec::new());
    let (mut configurations, mut edges) = (Vec::new(), Vec::new());
    for problem in &folder.problems {
        let space = Rake(problem.space(&folder.spheres));
        let budget = Budget::default().range(2.0).shortcuts(0).seed(1);
        let began = Instant::now();
        let found = RrtConnect::new(&budget).solve(&space, &problem.start, &problem.goal);
        let took = began.elapsed().as_secs_f64();
        let path = match found {
            Ok(plan) => plan.path,
            Err(error) => {
                println!("unsolved {}: {error}", problem.name);
                continue;
            }
        };
        let Some(path) = path else {
            println!("unsolved {}", problem.name);
            continue;
        };
        if took < 1.0 {
            solved += 1;
        }
        times.push(took);
        measure(&space.0, &path, &mut configurations, &mut edges);
        paths.push((problem, path));
    }

    // the same paths with exact meshes and with hulls, after all spheres: meshes fill the caches
    let (mut refused, mut hulls) = (0, Hulls::default());
    for (problem, path) in &paths {
        let exact = problem.space(&folder.meshes);
        let is_free = path.windows(2).all(|w| {
            matches!(
                exact.edge_collision(&w[0], &w[1], EdgeQuery::First),
                Ok(None)
            )
        });
        refused += usize::from(!is_free);
        hulls.measure(&hulled, problem, path);
    }
    println!(
        "solved {solved} of {} refused {refused}",
        folder.problems.len()
    );
    hulls.write(&path.join("configurations.txt"));
    let [exact, all] = hulls.exact;
    println!("left_to_hulls {exact} of {all}");
    let shapes = plan_with_shapes(&folder);
    let within = shapes.iter().filter(|took| **took < 1e6).count();
    println!("solved_with_shapes {within} of {}", folder.problems.len());
    for (name, values) in [
        ("configuration_ns", configurations),
        ("edge_ns", edges),
        ("rrt_us", times.iter().map(|t| t * 1e6).collect()),
        ("hulls_ns", hulls.plain),
        ("hulls_prefilter_ns", hulls.prefiltered),
        ("hulls_prefilter_block_ns", hulls.block),
        ("rrt_with_shapes_us", shapes),
    ] {
        let [median, p95] = quantiles(values);
        println!("{name} {median} {p95}");
    }
}

/// Times of plans in microseconds, with the shapes of the robot behind a sphere pre-filter.
fn plan_with_shapes(folder: &Folder) -> Vec<f64> {
    let mut times = Vec::new();
    for problem in &folder.problems {
        let space = problem.space(&folder.meshes);
        let space = Rake(
            space
                .with_sphere_prefilter(hulls::SPHERES)
                .expect("spheres"),
        );
        let budget = Budget::default().range(2.0).shortcuts(0).seed(1);
        let began = Instant::now();
        let found = RrtConnect::new(&budget).solve(&space, &problem.start, &problem.goal);
        let took = began.elapsed().as_secs_f64() * 1e6;
        match found {
            Ok(plan) if plan.path.is_some() => times.push(took),
            Ok(_) => println!("unsolved with shapes {}", problem.name),
            Err(error) => println!("unsolved with shapes {}: {error}", problem.name),
        }
    }
    times
}

/// A space whose edges are sampled as VAMP samples them: 32 times per unit of Euclidean distance.
struct Rake(RobotCSpace);

impl CSpace for Rake {
    type Workspace = Workspace;

    fn workspace(&self) -> Workspace {
        self.0.workspace()
    }

    fn with_workspace<R>(&self, query: impl FnOnce(&mut Workspace) -> R) -> R {
        self.0.with_workspace(query)
    }

    fn n_dofs(&self) -> usize {
        self.0.n_dofs()
    }

    fn bounds(&self) -> Vec<[f64; 2]> {
        self.0.bounds()
    }

    fn is_free_with(&self, q: &[f64], ws: &mut Workspace) -> Result<bool> {
        self.0.is_free_with(q, ws)
    }

    fn sample_into(&self, uniform: &mut dyn FnMut() -> f64, out: &mut [f64]) {
        self.0.sample_into(uniform, out);
    }

    fn is_edge_free_with(&self, a: &[f64], b: &[f64], ws: &mut Workspace) -> Result<bool> {
        self.0.is_edge_free_in_steps_with(a, b, steps(a, b), ws)
    }
}

fn steps(a: &[f64], b: &[f64]) -> usize {
    let squares = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a));
    (32.0 * squares.sum::<f64>().sqrt()).ceil().max(1.0) as usize
}

/// Times configurations of a valid path as one block, and its edges.
fn measure(
    space: &RobotCSpace,
    path: &[Vec<f64>],
    configurations: &mut Vec<f64>,
    edges: &mut Vec<f64>,
) {
    let mut ws = space.workspace();
    let mut rows = Vec::new();
    for w in path.windows(2) {
        let n = steps(&w[0], &w[1]);
        for i in 0..n {
            let u = i as f64 / n as f64;
            rows.extend(w[0].iter().zip(&w[1]).map(|(a, b)| a + u * (b - a)));
        }
        let began = Instant::now();
        for _ in 0..REPEATS {
            let free = space.is_edge_free_in_steps_with(&w[0], &w[1], n, &mut ws);
            assert!(free.unwrap_or(false));
        }
        edges.push(began.elapsed().as_secs_f64() * 1e9 / f64::from(REPEATS));
    }
    let count = rows.len() / path[0].len();
    let mut free = vec![false; count];
    let began = Instant::now();
    for _ in 0..REPEATS {
        space
            .are_free_with(&rows, &mut free, &mut ws)
            .expect("configurations");
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
