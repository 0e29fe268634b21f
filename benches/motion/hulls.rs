//! Checks of configurations with convex hulls.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use kinworld::WorldModel;
use kinworld::planning::{CSpace, RobotCSpace};

use super::problem::Problem;
use super::times::REPEATS;

/// At most so many configurations of a problem, evenly along its path.
const MOST: usize = 40;
/// Spheres per link.
pub(crate) const SPHERES: usize = 32;

/// What was measured: nanoseconds per configuration, an entry per problem.
#[derive(Default)]
pub(crate) struct Hulls {
    /// With the hulls alone, one configuration after the other.
    pub(crate) plain: Vec<f64>,
    /// With a sphere pre-filter, one configuration after the other.
    pub(crate) prefiltered: Vec<f64>,
    /// The same, all configurations in one block.
    pub(crate) block: Vec<f64>,
    /// Configurations that the spheres left to the hulls, and all.
    pub(crate) exact: [u64; 2],
    /// The configurations for other programs.
    text: String,
}

impl Hulls {
    /// Times those configurations that are free on hulls.
    pub(crate) fn measure(&mut self, hulled: &WorldModel, problem: &Problem, path: &[Vec<f64>]) {
        let plain = problem.space(hulled);
        let mut rows = path.to_vec();
        rows.retain(|q| plain.is_free(q).expect("configurations"));
        let stride = rows.len().div_ceil(MOST).max(1);
        rows = rows.into_iter().step_by(stride).collect();
        if rows.is_empty() {
            return;
        }
        let prefiltered = problem
            .space(hulled)
            .with_sphere_prefilter(SPHERES)
            .expect("spheres");
        self.plain.push(one_by_one(&plain, &rows));
        self.prefiltered.push(one_by_one(&prefiltered, &rows));
        let mut ws = prefiltered.workspace();
        let block = rows.concat();
        let mut free = vec![false; rows.len()];
        let began = Instant::now();
        for _ in 0..REPEATS {
            prefiltered
                .are_free_with(&block, &mut free, &mut ws)
                .expect("configurations");
        }
        self.block.push(each(began, rows.len()));
        assert!(free.iter().all(|&free| free), "spheres decide as hulls do");
        let counts = ws.prefilter_counts();
        self.exact[0] += counts.exact;
        self.exact[1] += (rows.len() * REPEATS as usize) as u64;

        let things = problem.lines();
        let _ = writeln!(self.text, "{} {}", things.len(), rows.len());
        for line in things {
            let _ = writeln!(self.text, "{line}");
        }
        for q in rows {
            let words: Vec<String> = q.iter().map(f64::to_string).collect();
            let _ = writeln!(self.text, "{}", words.join(" "));
        }
    }

    /// Writes the configurations for `tests/peers/motion/pincoal.cpp`.
    pub(crate) fn write(&self, file: &Path) {
        std::fs::write(file, &self.text).expect("a file that can be written");
    }
}

fn one_by_one(space: &RobotCSpace, rows: &[Vec<f64>]) -> f64 {
    let mut ws = space.workspace();
    let began = Instant::now();
    for _ in 0..REPEATS {
        for q in rows {
            assert!(
                space.is_free_with(q, &mut ws).expect("configurations"),
                "it was free before"
            );
        }
    }
    each(began, rows.len())
}

fn each(began: Instant, count: usize) -> f64 {
    began.elapsed().as_secs_f64() * 1e9 / (f64::from(REPEATS) * count as f64)
}
