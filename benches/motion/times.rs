//! Times of checks and of plans, and their quantiles.

use std::hint::black_box;
use std::time::Instant;

use kinworld::planning::{Budget, CSpace, RobotCSpace, RrtConnect};

use super::checks::Checks;
use super::problem::Problem;
use super::{RANGE, Rake, SEEDS, distance};

/// Timed runs of each check, after one that is not timed.
pub(crate) const REPEATS: u32 = 20;

/// By how much starts and goals may be beyond limits, rad or m: those of the Fetch are, at ±π and at the lower end of its torso.
const END_TOLERANCE: f64 = 1e-3;

/// What was measured on spheres. The program for VAMP measures the same and calls it the same.
#[derive(Default)]
pub(crate) struct Times {
    /// Nanoseconds per configuration of a path, all of them in one block; an entry per problem.
    pub(crate) path_configuration: Vec<f64>,
    /// Nanoseconds per random free configuration that comes alone.
    pub(crate) free_configuration: Vec<f64>,
    /// Nanoseconds per random blocked configuration that comes alone.
    pub(crate) blocked_configuration: Vec<f64>,
    /// Nanoseconds per free edge.
    pub(crate) free_edge: Vec<f64>,
    /// Nanoseconds per blocked edge.
    pub(crate) blocked_edge: Vec<f64>,
    /// Microseconds per plan that was found; an entry per problem and seed.
    pub(crate) plan: Vec<f64>,
    /// Plans that were found within a second.
    pub(crate) solved: usize,
    /// Checks with another answer than `checks.txt` has, and all.
    pub(crate) disagreements: [usize; 2],
}

impl Times {
    /// Times the checks of a problem.
    pub(crate) fn check(&mut self, space: &RobotCSpace, checks: &Checks) {
        let mut ws = space.workspace();
        let count = checks.path.len();
        if count > 0 {
            let (rows, mut free) = (checks.path.concat(), vec![false; count]);
            let took = self.timed(true, || {
                space
                    .are_free_with(black_box(&rows), &mut free, &mut ws)
                    .expect("configurations");
                free.iter().all(|free| *free)
            });
            self.path_configuration.push(took / count as f64);
        }
        for (rows, is_free) in [(&checks.free, true), (&checks.blocked, false)] {
            for q in rows {
                let took = self.timed(is_free, || {
                    let free = space.is_free_with(black_box(q), &mut ws);
                    free.expect("a configuration")
                });
                if is_free {
                    self.free_configuration.push(took);
                } else {
                    self.blocked_configuration.push(took);
                }
            }
        }
        for (rows, is_free) in [(&checks.free_edges, true), (&checks.blocked_edges, false)] {
            for row in rows {
                let took = self.timed(is_free, || {
                    let (a, b) = black_box(row).split_at(row.len() / 2);
                    let free = space.is_edge_free_in_steps_with(a, b, steps(a, b), &mut ws);
                    free.expect("an edge")
                });
                if is_free {
                    self.free_edge.push(took);
                } else {
                    self.blocked_edge.push(took);
                }
            }
        }
    }

    /// Times a plan with each seed.
    pub(crate) fn plan(&mut self, space: &Rake, problem: &Problem) {
        for seed in 0..SEEDS {
            let Some(took) = plan(space, problem, seed) else {
                println!("unsolved {} {} seed {seed}", problem.family, problem.index);
                continue;
            };
            self.solved += usize::from(took < 1e6);
            self.plan.push(took);
        }
    }

    /// Nanoseconds per run of a check, whose right answer is `wanted`.
    fn timed(&mut self, wanted: bool, mut check: impl FnMut() -> bool) -> f64 {
        self.disagreements[0] += usize::from(check() != wanted);
        self.disagreements[1] += 1;
        let began = Instant::now();
        for _ in 0..REPEATS {
            black_box(check());
        }
        began.elapsed().as_secs_f64() * 1e9 / f64::from(REPEATS)
    }
}

/// Microseconds that a plan took, or `None` where no path was found.
pub(crate) fn plan(space: &Rake, problem: &Problem, seed: u64) -> Option<f64> {
    let budget = Budget::default()
        .range(RANGE)
        .shortcuts(0)
        .seed(seed)
        .end_tolerance(END_TOLERANCE);
    let began = Instant::now();
    let found = RrtConnect::new(&budget).solve(space, &problem.start, &problem.goal);
    let took = began.elapsed().as_secs_f64() * 1e6;
    match found {
        Ok(plan) => plan.path.map(|_| took),
        Err(error) => {
            println!("{} {}: {error}", problem.family, problem.index);
            None
        }
    }
}

/// Steps of an edge as VAMP takes them: 32 per unit of Euclidean distance.
pub(crate) fn steps(a: &[f64], b: &[f64]) -> usize {
    (32.0 * distance(a, b)).ceil().max(1.0) as usize
}

/// Prints the median, the 95th and the 99th percentile.
pub(crate) fn print(name: &str, mut values: Vec<f64>) {
    values.sort_by(f64::total_cmp);
    let at = |p: f64| values.get((values.len() as f64 * p) as usize);
    let [p50, p95, p99] = [0.5, 0.95, 0.99].map(|p| at(p).copied().unwrap_or(f64::NAN));
    println!("{name} {p50:.1} {p95:.1} {p99:.1}");
}
