//! Two, four and eight arms: edges of the joint space, and plans for all of them one after the other and at once.
//!
//! Six-axis arms stand in a circle and reach across it. Not a criterion bench: each problem is timed once, as a user meets it.
//! `KINWORLD_PROBLEMS` is the number of problems, 50 if it is not set.

#![expect(clippy::print_stdout, reason = "a bench shows numbers")]

// the library's own generator, which is not public
#[path = "../src/math/random.rs"]
mod random;

use std::f64::consts::TAU;
use std::time::Instant;

use kinworld::planning::{
    Budget, CSpace, MotionLimits, PrioritizedOptions, RobotCSpace, Separation,
    TimeParameterization, plan, plan_prioritized,
};
use kinworld::robot::RobotBuilder;
use kinworld::{Pose, Robot, Vector, WorldModel};

use self::random::SplitMix;

/// Radius of the circle, m, by the number of arms.
const CIRCLES: [(usize, f64); 3] = [(2, 0.65), (4, 0.75), (8, 1.3)];
/// Edges that are checked, and their length.
const EDGES: usize = 4000;
/// Spheres of the pre-filter, for each link.
const SPHERES: usize = 8;

fn main() {
    let problems = std::env::var("KINWORLD_PROBLEMS");
    let problems = problems.map_or(50, |n| n.parse().expect("a number"));
    for (count, radius) in CIRCLES {
        let plain = circle(count, radius);
        let spheres = plain
            .clone()
            .with_sphere_prefilter(SPHERES)
            .expect("shapes are bounded");
        for (name, space) in [("shapes", &plain), ("spheres", &spheres)] {
            edges(space, &format!("{count} arms, {name}"));
        }
        plans(&spheres, problems, count);
    }
}

/// Arms in a circle that face its centre.
fn circle(count: usize, radius: f64) -> RobotCSpace {
    let arm = concat!(env!("CARGO_MANIFEST_DIR"), "/../data/robots/arm6.urdf");
    let arm = Robot::load(arm).expect("the arm is there").value;
    let mut world = WorldModel::new();
    let mut ids = Vec::new();
    for i in 0..count {
        let angle = TAU * i as f64 / count as f64;
        let at = Vector::new(-angle.cos(), -angle.sin(), 0.0) * radius;
        let mut builder = RobotBuilder::from(&arm);
        let root = &mut builder.links[0];
        root.placement = Pose::new(at, Vector::z() * angle) * root.placement;
        ids.push(world.add_robot(builder.build().expect("it was one before")));
    }
    RobotCSpace::new(&world, &ids).expect("all have shapes")
}

/// Edges per second, and the share that is free.
fn edges(space: &RobotCSpace, name: &str) {
    let mut random = Random::new(1);
    let mut all = Vec::new();
    for _ in 0..EDGES {
        let a = random.free(space);
        let mut b = a.clone();
        space.sample_near_into(&a, 1.0, &mut || random.uniform(), &mut b);
        all.push((a, b));
    }
    let mut ws = space.workspace();
    let mut best = f64::INFINITY;
    let mut free = 0;
    for _ in 0..3 {
        let began = Instant::now();
        let is_free = |(a, b): &&(Vec<f64>, Vec<f64>)| {
            space.is_edge_free_with(a, b, &mut ws).expect("an edge")
        };
        free = all.iter().filter(is_free).count();
        best = best.min(began.elapsed().as_secs_f64());
    }
    println!(
        "{name}: {:.2} µs an edge, {:.0} a second, {:.0} % free",
        1e6 * best / EDGES as f64,
        EDGES as f64 / best,
        100.0 * free as f64 / EDGES as f64
    );
}

/// Times of plans, and durations of motions.
fn plans(space: &RobotCSpace, problems: usize, count: usize) {
    let robot = space.robots().next().expect("there are arms");
    let one = space.world().robot(robot).expect("it is one").model();
    let one = MotionLimits::of(one)
        .with_acceleration(&[5.0; 6])
        .expect("six numbers");
    let limits = MotionLimits::joined(&vec![one; count]);
    let swept = Separation::SweptVolumes { spacing: 0.02 };
    let mut random = Random::new(2);
    let mut rows = [Row::default(), Row::default(), Row::default()];
    for seed in 0..problems {
        let (start, goal) = (random.free(space), random.free(space));
        let budget = Budget::default().seed(seed as u64);
        for (row, separation) in rows.iter_mut().zip([Separation::Timed, swept]) {
            let few = budget.max_iterations(2000);
            let options = PrioritizedOptions::default()
                .with_budget(few)
                .with_separation(separation)
                .with_joint(None);
            row.add(|| {
                let found = plan_prioritized(space, &start, &goal, &limits, &options, |_| true);
                let found = found.expect("ends are free");
                let first = found.failed.is_empty();
                found.motion.map(|motion| (motion.duration(), first))
            });
        }
        rows[2].add(|| {
            let found = plan(space, &start, &goal, &budget).expect("ends are free");
            let time = TimeParameterization::new(&limits);
            let motion = space.motion_along(&found.path?, 0.05, &time).ok()?;
            Some((motion.duration(), true))
        });
    }
    for (row, name) in rows.iter_mut().zip(["timed", "swept volumes", "joint"]) {
        row.times.sort_by(f64::total_cmp);
        row.durations.sort_by(f64::total_cmp);
        let at = |list: &[f64], part: f64| {
            let i = (part * list.len() as f64) as usize;
            list.get(i.min(list.len().saturating_sub(1)))
                .copied()
                .unwrap_or(f64::NAN)
        };
        println!(
            "{count} arms, {name}: {} of {problems} ({} in the first order), median {:.1} ms, 95th percentile {:.1} ms; motions {:.2} s",
            row.durations.len(),
            row.first,
            1e3 * at(&row.times, 0.5),
            1e3 * at(&row.times, 0.95),
            at(&row.durations, 0.5)
        );
    }
}

/// What one kind of planning takes.
#[derive(Default)]
struct Row {
    times: Vec<f64>,
    durations: Vec<f64>,
    first: usize,
}

impl Row {
    fn add(&mut self, solve: impl FnOnce() -> Option<(f64, bool)>) {
        let began = Instant::now();
        let found = solve();
        self.times.push(began.elapsed().as_secs_f64());
        if let Some((duration, first)) = found {
            self.durations.push(duration);
            self.first += usize::from(first);
        }
    }
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

    /// A free configuration of all arms: each is drawn until it is free of those before it.
    fn free(&mut self, space: &RobotCSpace) -> Vec<f64> {
        let mut q = space.current();
        for first in (0..q.len()).step_by(6) {
            let mut drawn = q.clone();
            for _ in 0..10_000 {
                space.sample_into(&mut || self.uniform(), &mut drawn);
                q[first..first + 6].copy_from_slice(&drawn[first..first + 6]);
                if space.is_free(&q).expect("a configuration") {
                    break;
                }
            }
        }
        assert!(
            space.is_free(&q).expect("a configuration"),
            "no free one was drawn"
        );
        q
    }
}
