//! The configurations and edges of each problem that every program checks.
//!
//! They are made once and kept in `checks.txt`, so that no program is timed on what its own search came by: the path is that
//! of a seed that is not timed, everything else is drawn at random. All numbers are rounded to `f32`, which every program
//! reads without a change. `tests/peers/README.md` describes the file.

use std::fmt::Write as _;
use std::path::Path;
use std::str::{FromStr, SplitAsciiWhitespace};

use kinworld::planning::{Budget, CSpace, RrtConnect};

use super::problem::Problem;
use super::random::SplitMix;
use super::{RANGE, Rake, SEEDS, distance, interpolate};

/// At most so many configurations of a path.
const PATH: usize = 128;
/// The configurations of a path are a multiple of this, so that no program has lanes to spare.
const LANES: usize = 16;
/// Random configurations that are free, and as many that are not.
const RANDOM: usize = 32;
/// At most so many draws for the random configurations of a problem, and for its blocked edges.
const DRAWS: usize = 10_000;
/// First word of the file, and its version.
const HEADER: [&str; 2] = ["kinworld-motion-checks", "1"];

/// Checks of one problem. All lists may be shorter than wanted, or empty: where no path was found, or hardly anything is free.
#[derive(Default)]
pub(crate) struct Checks {
    /// Free configurations, evenly by length along a path.
    pub(crate) path: Vec<Vec<f64>>,
    /// Random configurations that are free.
    pub(crate) free: Vec<Vec<f64>>,
    /// Random configurations that are not free.
    pub(crate) blocked: Vec<Vec<f64>>,
    /// Edges of the path: both ends in one row.
    pub(crate) free_edges: Vec<Vec<f64>>,
    /// Edges from a waypoint of the path towards a random configuration that are not free: both ends in one row.
    pub(crate) blocked_edges: Vec<Vec<f64>>,
}

impl Checks {
    /// Draws the checks of a problem.
    fn make(space: &Rake, problem: &Problem, seed: u64) -> Self {
        let waypoints = waypoints(space, problem);
        let mut checks = Self::default();
        for w in waypoints.windows(2) {
            if is_edge_free(space, &w[0], &w[1]) {
                checks.free_edges.push(w.concat());
            }
        }
        checks.path = along(&waypoints);
        checks.path.retain(|q| is_free(space, q));
        checks.path.truncate(checks.path.len() / LANES * LANES);

        let mut draw = draws(space, seed);
        for _ in 0..DRAWS {
            if checks.free.len() + checks.blocked.len() == 2 * RANDOM {
                break;
            }
            let q = rounded(&draw());
            let list = if is_free(space, &q) {
                &mut checks.free
            } else {
                &mut checks.blocked
            };
            if list.len() < RANDOM {
                list.push(q);
            }
        }

        // as a planner extends a tree: from each waypoint in turn, no further than its range
        for _ in 0..DRAWS {
            let count = checks.blocked_edges.len();
            if count == checks.free_edges.len() {
                break;
            }
            let (a, sample) = (&waypoints[count % waypoints.len()], draw());
            let u = (RANGE / distance(a, &sample)).min(1.0);
            let b = rounded(&interpolate(a, &sample, u));
            if !is_edge_free(space, a, &b) {
                checks.blocked_edges.push([a.as_slice(), &b].concat());
            }
        }
        checks
    }

    /// The lists with their names in the file, and how many configurations a row has.
    fn lists(&mut self) -> [(&'static str, &mut Vec<Vec<f64>>, usize); 5] {
        [
            ("path", &mut self.path, 1),
            ("free", &mut self.free, 1),
            ("blocked", &mut self.blocked, 1),
            ("free-edges", &mut self.free_edges, 2),
            ("blocked-edges", &mut self.blocked_edges, 2),
        ]
    }
}

/// The checks in `checks.txt` of a folder; where there is none, they are made and written there.
pub(crate) fn load(
    folder: &Path,
    problems: &[Problem],
    space: impl Fn(&Problem) -> Rake,
) -> Vec<Checks> {
    let file = folder.join("checks.txt");
    if !file.exists() {
        let mut all: Vec<Checks> = (0..)
            .zip(problems)
            .map(|(seed, problem)| Checks::make(&space(problem), problem, seed))
            .collect();
        std::fs::write(&file, text(problems, &mut all)).expect("a file that can be written");
    }

    // also what was just written is read: the first run measures the same as all others
    read(
        &std::fs::read_to_string(&file).expect("checks.txt"),
        problems,
    )
}

/// Reads the checks of all problems.
fn read(text: &str, problems: &[Problem]) -> Vec<Checks> {
    let mut words = text.split_ascii_whitespace();
    for word in HEADER {
        expect(&mut words, word);
    }
    expect(&mut words, "dofs");
    let n_dofs: usize = number(&mut words);
    expect(&mut words, "problems");
    let count: usize = number(&mut words);
    assert_eq!(count, problems.len(), "`checks.txt` is of other problems");
    let mut all = Vec::new();
    for problem in problems {
        expect(&mut words, "problem");
        expect(&mut words, &problem.family);
        expect(&mut words, &problem.index.to_string());
        let mut checks = Checks::default();
        for (name, rows, each) in checks.lists() {
            expect(&mut words, name);
            let count: usize = number(&mut words);
            for _ in 0..count {
                // as `f32`, for a word stands for the `f32` nearest to it
                let mut next = || f64::from(number::<f32>(&mut words));
                rows.push((0..n_dofs * each).map(|_| next()).collect());
            }
        }
        all.push(checks);
    }
    all
}

/// The checks of all problems as a file.
fn text(problems: &[Problem], all: &mut [Checks]) -> String {
    let n_dofs = problems.first().map_or(0, |problem| problem.start.len());
    let [word, version] = HEADER;
    let mut text = format!("{word} {version}\n");
    let _ = writeln!(text, "dofs {n_dofs} problems {}", problems.len());
    for (problem, checks) in problems.iter().zip(all) {
        let _ = writeln!(text, "problem {} {}", problem.family, problem.index);
        for (name, rows, _) in checks.lists() {
            let _ = writeln!(text, "{name} {}", rows.len());
            for row in rows {
                // the shortest form that reads back as the same `f32`
                let words: Vec<String> = row.iter().map(|x| (*x as f32).to_string()).collect();
                let _ = writeln!(text, "{}", words.join(" "));
            }
        }
    }
    text
}

/// Free waypoints of a path that a seed finds which is not timed; none where it finds no path.
fn waypoints(space: &Rake, problem: &Problem) -> Vec<Vec<f64>> {
    let budget = Budget::default().range(RANGE).shortcuts(0).seed(SEEDS);
    let found = RrtConnect::new(&budget).solve(space, &problem.start, &problem.goal);
    let path = found.ok().and_then(|plan| plan.path).unwrap_or_default();
    let mut rows: Vec<Vec<f64>> = path.iter().map(|q| rounded(q)).collect();
    rows.retain(|q| is_free(space, q));
    rows
}

/// Configurations along a path, evenly by length.
fn along(waypoints: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let lengths: Vec<f64> = waypoints
        .windows(2)
        .map(|w| distance(&w[0], &w[1]))
        .collect();
    let total: f64 = lengths.iter().sum();
    if total <= 0.0 {
        return Vec::new();
    }
    let at = |i: usize| {
        let (mut k, mut s) = (0, total * i as f64 / (PATH - 1) as f64);
        while k + 1 < lengths.len() && s > lengths[k] {
            s -= lengths[k];
            k += 1;
        }
        let u = if lengths[k] > 0.0 {
            (s / lengths[k]).min(1.0)
        } else {
            0.0
        };
        rounded(&interpolate(&waypoints[k], &waypoints[k + 1], u))
    };
    (0..PATH).map(at).collect()
}

/// Random configurations within the bounds, from SplitMix64.
fn draws(space: &Rake, seed: u64) -> impl FnMut() -> Vec<f64> {
    let mut random = SplitMix::new(seed.wrapping_mul(0xd134_2543_de82_ef95));
    move || {
        let mut q = vec![0.0; space.n_dofs()];
        space.sample_into(&mut || random.uniform(), &mut q);
        q
    }
}

fn rounded(q: &[f64]) -> Vec<f64> {
    q.iter().map(|x| f64::from(*x as f32)).collect()
}

fn is_free(space: &Rake, q: &[f64]) -> bool {
    space.is_free(q).expect("a configuration")
}

fn is_edge_free(space: &Rake, a: &[f64], b: &[f64]) -> bool {
    space.is_edge_free(a, b).expect("an edge")
}

fn expect(words: &mut SplitAsciiWhitespace<'_>, wanted: &str) {
    let found = words.next().unwrap_or_default();
    assert_eq!(found, wanted, "`checks.txt` is of other problems");
}

fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> T {
    let word = words.next().unwrap_or_default();
    let Ok(number) = word.parse() else {
        panic!("`checks.txt` has `{word}` instead of a number");
    };
    number
}
