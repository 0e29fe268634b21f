//! Road maps: queries in one scene against plans made anew, and repairs after an object moved.
//!
//! `KINWORLD_MOTION` names a folder with `panda.urdf`, `panda.srdf` and their meshes. The arm stands at shelves and boxes, which are
//! rigid objects. Not a criterion bench: each query is timed once, as a user meets it, in turn with a plan for the same ends.
//! Without the variable there is nothing to do.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

// the library's own generator, which is not public
#[path = "../src/math/random.rs"]
mod random;

use std::path::Path;
use std::time::Instant;

use kinworld::geometry::{Geometry, Primitive};
use kinworld::io::{LoadOptions, Loader};
use kinworld::planning::{Budget, CSpace, EdgeState, Plan, RoadMap, RobotCSpace, plan};
use kinworld::world::RigidObject;
use kinworld::{Point, Pose, Vector, WorldModel};

use self::random::SplitMix;

/// Samples of the map.
const SAMPLES: usize = 4000;
/// Queries in the scene.
const QUERIES: usize = 1000;
/// Moves of objects.
const MOVES: u64 = 20;
/// Objects that stay, the first ones.
const LARGE: usize = 5;
/// Spheres of the pre-filter, for each link.
const SPHERES: usize = 16;

fn main() {
    let Some(folder) = std::env::var_os("KINWORLD_MOTION") else {
        println!("KINWORLD_MOTION names no folder: nothing to measure");
        return;
    };
    let space = scene(Path::new(&folder));
    let mut random = Random::new(1);
    let mut map = RoadMap::new(&space);
    let took = timed(|| map.grow(&space, SAMPLES).expect("a map"));
    println!("grow_s {:.2}", took.1 / 1e6);
    println!("milestones {} edges {}", map.len(), map.edges().len());

    // once with a map of which nothing is known, and once more with what it has learned
    for round in ["first", "again"] {
        queries(&space, &mut map, (QUERIES, 0), round);
    }
    let mut learned = map.clone();
    moves(&mut space.clone(), &mut map, &mut random);
    for (queries, shortcuts) in [(QUERIES, 20), (QUERIES / 5, 200)] {
        self::queries(&space, &mut learned, (queries, shortcuts), "learned");
    }
}

/// Times queries and plans for the same ends.
fn queries(
    space: &RobotCSpace,
    map: &mut RoadMap,
    (queries, shortcuts): (usize, usize),
    round: &str,
) {
    let mut random = Random::new(2);
    let budget = Budget::default().shortcuts(shortcuts).range(2.0);
    let mut times = [Vec::new(), Vec::new()];
    let mut lengths = [0.0, 0.0];
    let (mut learned, mut unsolved) = (0, [0, 0]);
    for _ in 0..queries {
        let (a, b) = (random.free(space), random.free(space));
        let (ours, took) = timed(|| map.plan(space, &a, &b, &budget).expect("a query"));
        times[0].push(took);
        learned += usize::from(ours.iterations > 0);
        let (anew, took) = timed(|| plan(space, &a, &b, &budget).expect("a plan"));
        times[1].push(took);
        for (i, plan) in [ours, anew].iter().enumerate() {
            match length(space, plan) {
                Some(length) => lengths[i] += length,
                None => unsolved[i] += 1,
            }
        }
    }
    let [ours, anew] = lengths;
    println!(
        "{round}: shortcuts {shortcuts} learned {learned} unsolved {unsolved:?} length {:.3}",
        ours / anew
    );
    for (name, times) in ["query_us", "plan_us"].into_iter().zip(times) {
        print(name, times);
    }
}

/// Times repairs after moves of objects, and queries after them, against checks of all edges.
fn moves(space: &mut RobotCSpace, map: &mut RoadMap, random: &mut Random) {
    let fine = |space: &RobotCSpace| {
        let resolution = space.resolution() / 4.0;
        space
            .clone()
            .with_resolution(resolution)
            .expect("a resolution")
    };
    // not the large ones, at which no configuration might be left that is free
    let all = space.world().rigid_objects();
    let objects: Vec<_> = all.map(|(id, _)| id).skip(LARGE).collect();
    let budget = Budget::default().shortcuts(0).range(2.0);
    let known = |map: &RoadMap| {
        map.edges()
            .iter()
            .filter(|edge| edge.state != EdgeState::Unknown)
            .count()
    };

    // what 1,000 queries need, and all that there is
    for name in ["queried", "all"] {
        let mut anew = map.clone();
        anew.forget();
        let mut space = space.clone();
        if name == "all" {
            let (checked, took) =
                timed(|| map.check_edges(&fine(&space), |_| true).expect("checks"));
            println!("check {checked} edges: {:.0} ms", took / 1e3);
        }
        let (mut repairs, mut queries, mut lazies, mut shares) =
            (Vec::new(), Vec::new(), Vec::new(), 0.0);
        let mut repaired = map.clone();
        for _ in 0..MOVES {
            let before = known(&repaired) as f64;
            let id = objects[random.below(objects.len())];
            let at = Vector::new(0.45, 0.0, 0.4) + 0.4 * random.vector();
            space
                .set_pose(id, &Pose::new(at, random.vector()))
                .expect("a pose");
            let (repair, took) = timed(|| repaired.repair(&fine(&space)).expect("a repair"));
            repairs.push(took);
            shares += repair.forgotten as f64 / before;
            for _ in 0..5 {
                let (a, b) = (random.free(&space), random.free(&space));
                let (ours, took) =
                    timed(|| repaired.plan(&space, &a, &b, &budget).expect("a query"));
                queries.push(took);
                let mut lazy = anew.clone();
                let (other, took) = timed(|| lazy.plan(&space, &a, &b, &budget).expect("a query"));
                lazies.push(took);
                for edge in ours
                    .path
                    .iter()
                    .chain(&other.path)
                    .flat_map(|path| path.windows(2))
                {
                    assert!(
                        fine(&space)
                            .is_edge_free(&edge[0], &edge[1])
                            .expect("an edge")
                    );
                }
            }
        }
        println!("{name}: forgotten {:.3}", shares / MOVES as f64);
        print("repair_us", repairs);
        print("query_after_us", queries);
        print("query_with_nothing_known_us", lazies);
    }
}

/// The arm among boxes, with a sphere pre-filter.
fn scene(folder: &Path) -> RobotCSpace {
    let options = LoadOptions::default()
        .with_srdf(Some(folder.join("panda.srdf")))
        .with_packages(vec![("meshes".to_owned(), folder.join("meshes"))]);
    let mut world = WorldModel::new();
    let robot = Loader::with_options(options).robot(folder.join("panda.urdf"));
    let id = world.add_robot(robot.expect("the robot loads").value);
    let boxes = [
        ([0.5, 1.2, 0.02], [0.55, 0.0, -0.02]),
        ([0.3, 0.8, 0.02], [0.7, 0.0, 0.35]),
        ([0.3, 0.8, 0.02], [0.7, 0.0, 0.7]),
        ([0.3, 0.02, 0.7], [0.7, 0.4, 0.35]),
        ([0.3, 0.02, 0.7], [0.7, -0.4, 0.35]),
        ([0.1, 0.1, 0.2], [0.4, 0.3, 0.1]),
        ([0.1, 0.1, 0.2], [0.4, -0.35, 0.1]),
        ([0.15, 0.1, 0.1], [0.7, 0.1, 0.42]),
        ([0.08, 0.08, 0.3], [0.0, 0.5, 0.15]),
    ];
    for (i, (size, at)) in boxes.into_iter().enumerate() {
        let half = Vector::from(size) * 0.5;
        let shape = Primitive::aabb(Point::from(-half), Point::from(half)).expect("a box");
        let mut object = RigidObject::new(format!("box {i}"));
        object.geometry = Some(Geometry::from(shape));
        object.pose = Pose::translation(at[0], at[1], at[2]);
        world.add_rigid_object(object).expect("a new name");
    }
    let space = RobotCSpace::new(&world, &[id]).expect("a space");
    space.with_sphere_prefilter(SPHERES).expect("spheres")
}

fn length(space: &RobotCSpace, plan: &Plan) -> Option<f64> {
    let path = plan.path.as_ref()?;
    Some(
        path.windows(2)
            .map(|edge| space.distance(&edge[0], &edge[1]))
            .sum(),
    )
}

/// The answer and how long it took, µs.
fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let began = Instant::now();
    let answer = run();
    (answer, began.elapsed().as_secs_f64() * 1e6)
}

/// Prints the median, the 95th and the 99th percentile.
fn print(name: &str, mut values: Vec<f64>) {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| values[((values.len() - 1) as f64 * share) as usize];
    println!("  {name} {:.0} {:.0} {:.0}", at(0.5), at(0.95), at(0.99));
}

/// Pseudorandom problems.
struct Random(SplitMix);

impl Random {
    fn new(seed: u64) -> Self {
        Self(SplitMix::new(seed))
    }

    fn uniform(&mut self) -> f64 {
        self.0.uniform()
    }

    fn below(&mut self, n: usize) -> usize {
        (self.0.bits() % n as u64) as usize
    }

    /// Entries between -1 and 1.
    fn vector(&mut self) -> Vector {
        Vector::from_fn(|_, _| 2.0 * self.uniform() - 1.0)
    }

    /// A free configuration.
    fn free(&mut self, space: &RobotCSpace) -> Vec<f64> {
        let mut q = vec![0.0; space.n_dofs()];
        loop {
            space.sample_into(&mut || self.uniform(), &mut q);
            if space.is_free(&q).expect("a configuration") {
                return q;
            }
        }
    }
}
