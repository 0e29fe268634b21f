//! Motion planning on the problems of MotionBenchMaker: times of configurations, of edges, of plans for an arm.
//!
//! `KINWORLD_MOTION` names a folder with `problems.json`, which `tests/peers/motion/problems.py` writes, and of one robot
//! `NAME.urdf`, `NAME_spherized.urdf`, `NAME.srdf` and their meshes. Not a criterion bench: a plan is timed once for each
//! seed, as a user meets it. Without the variable there is nothing to do.
//!
//! What is checked stands in `checks.txt` of that folder, for other programs to check the same; the first run writes it. The
//! configurations that were checked on hulls are written into `configurations.txt`, for Pinocchio and Coal to check them too.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

mod checks;
mod hulls;
mod problem;
// the library's own generator, which is not public
#[path = "../../src/math/random.rs"]
mod random;
#[path = "../../tests/corpus/things.rs"]
mod things;
mod times;

use std::path::Path;

use checks::Checks;
use hulls::Hulls;
use kinworld::Result;
use kinworld::planning::{CSpace, EdgeQuery, RobotCSpace, Workspace};
use problem::Folder;
use times::{Times, print, steps};

/// Seeds of the plans that are timed, from 0.
const SEEDS: u64 = 10;
/// Longest step of a tree.
const RANGE: f64 = 2.0;

fn main() {
    let Some(folder) = std::env::var_os("KINWORLD_MOTION") else {
        println!("KINWORLD_MOTION names no folder: nothing to measure");
        return;
    };
    let path = Path::new(&folder);
    let folder = Folder::read(path);
    let hulled = folder.meshes.with_hulls().expect("hulls");
    let checks = checks::load(path, &folder.problems, |problem| {
        Rake(problem.space(&folder.spheres))
    });
    let mut times = Times::default();
    for (problem, checks) in folder.problems.iter().zip(&checks) {
        let space = Rake(problem.space(&folder.spheres));
        times.check(&space.0, checks);
        times.plan(&space, problem);
    }

    let count = folder.problems.len();
    let plans = count * SEEDS as usize;
    println!("solved {} of {plans}", times.solved);
    let [other, all] = times.disagreements;
    println!("disagreements {other} of {all}");
    let mut every = times.plan.clone();
    every.resize(plans, f64::INFINITY);
    println!("what p50 p95 p99");
    for (name, values) in [
        ("path_configuration_ns", times.path_configuration),
        ("free_configuration_ns", times.free_configuration),
        ("blocked_configuration_ns", times.blocked_configuration),
        ("free_edge_ns", times.free_edge),
        ("blocked_edge_ns", times.blocked_edge),
        ("plan_us", times.plan),
        ("plan_of_all_us", every),
    ] {
        print(name, values);
    }

    // the same paths with exact meshes and with hulls, after all spheres: meshes fill the caches
    let (mut refused, mut paths, mut hulls) = (0, 0, Hulls::default());
    for (problem, checks) in folder.problems.iter().zip(&checks) {
        if checks.free_edges.is_empty() {
            continue;
        }
        paths += 1;
        refused += usize::from(!is_free_on_meshes(&problem.space(&folder.meshes), checks));
        hulls.measure(&hulled, problem, &checks.path);
    }
    hulls.write(&path.join("configurations.txt"));
    println!("refused_by_meshes {refused} of {paths}");
    let [exact, all] = hulls.exact;
    println!("left_to_hulls {exact} of {all}");
    print("hulls_ns", hulls.plain);
    print("hulls_prefilter_ns", hulls.prefiltered);
    print("hulls_prefilter_block_ns", hulls.block);
    let shapes = plan_with_shapes(&folder);
    let within = shapes.iter().filter(|took| **took < 1e6).count();
    println!("solved_with_shapes {within} of {count}");
    print("plan_with_shapes_us", shapes);
}

/// Returns whether the edges of a path are free where the robot has the meshes of its maker.
fn is_free_on_meshes(space: &RobotCSpace, checks: &Checks) -> bool {
    checks.free_edges.iter().all(|row| {
        let (a, b) = row.split_at(row.len() / 2);
        matches!(space.edge_collision(a, b, EdgeQuery::First), Ok(None))
    })
}

/// Times of plans in microseconds, with the shapes of the robot behind a sphere pre-filter: one seed, and no peer to compare.
fn plan_with_shapes(folder: &Folder) -> Vec<f64> {
    let mut all = Vec::new();
    for problem in &folder.problems {
        let space = problem.space(&folder.meshes);
        let space = Rake(
            space
                .with_sphere_prefilter(hulls::SPHERES)
                .expect("spheres"),
        );
        match times::plan(&space, problem, 0) {
            Some(took) => all.push(took),
            None => println!("unsolved with shapes {} {}", problem.family, problem.index),
        }
    }
    all
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

    fn free_share_with(
        &self,
        a: &[f64],
        b: &[f64],
        shares: &[f64],
        ws: &mut Workspace,
    ) -> Result<f64> {
        (self.0).free_share_in_steps_with(a, b, steps(a, b), shares, ws)
    }
}

/// Euclidean distance of two configurations.
fn distance(a: &[f64], b: &[f64]) -> f64 {
    let squares = a.iter().zip(b).map(|(a, b)| (b - a) * (b - a));
    squares.sum::<f64>().sqrt()
}

/// The configuration at `u` on the straight edge from `a` to `b`.
fn interpolate(a: &[f64], b: &[f64], u: f64) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a + u * (b - a)).collect()
}
