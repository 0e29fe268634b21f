//! Random motions of a robot, the same ones in every run.

use kinworld::{Robot, kinematics};

/// Configurations within limits, each with a velocity, an acceleration and forces, row by row.
#[derive(Debug)]
pub(super) struct Motions {
    n: usize,
    q: Vec<f64>,
    dq: Vec<f64>,
    ddq: Vec<f64>,
    tau: Vec<f64>,
}

/// A motion.
#[derive(Debug, Clone, Copy)]
pub(super) struct Motion<'a> {
    pub(super) q: &'a [f64],
    pub(super) dq: &'a [f64],
    pub(super) ddq: &'a [f64],
    pub(super) tau: &'a [f64],
}

impl Motions {
    pub(super) fn of(robot: &Robot) -> Self {
        let n = robot.n_dofs();
        let seeds = 0..COUNT as u64;
        let mut random = Random(COUNT as u64);
        let mut rows = |size: f64| (0..COUNT * n).map(|_| size * random.next()).collect();
        Self {
            n,
            q: seeds
                .flat_map(|seed| kinematics::sample(robot, seed, 1.0))
                .collect(),
            dq: rows(1.0),
            ddq: rows(1.0),
            tau: rows(10.0),
        }
    }

    /// Motion of call `number`.
    pub(super) fn at(&self, number: usize) -> Motion<'_> {
        let row = number % COUNT * self.n..(number % COUNT + 1) * self.n;
        Motion {
            q: &self.q[row.clone()],
            dq: &self.dq[row.clone()],
            ddq: &self.ddq[row.clone()],
            tau: &self.tau[row],
        }
    }

    /// Configurations, velocities, accelerations and forces of the `count` motions of call `number`, row by row.
    pub(super) fn rows(&self, number: usize, count: usize) -> [&[f64]; 4] {
        let first = number % (COUNT / count) * count;
        let rows = first * self.n..(first + count) * self.n;
        [&self.q, &self.dq, &self.ddq, &self.tau].map(|list| &list[rows.clone()])
    }
}

/// Number of motions used in turn, so that branches are not predicted from one input.
pub(super) const COUNT: usize = 256;

/// `SplitMix64`: Steele, Lea, Flood (2014).
struct Random(u64);

impl Random {
    /// Uniform between −1 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        (z >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}
