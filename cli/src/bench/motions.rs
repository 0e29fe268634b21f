//! Random motions of a robot, the same ones in every run.

use kinworld::{Robot, kinematics};

/// Configurations within limits, each with a velocity, an acceleration and forces, row by row.
#[derive(Debug)]
pub(super) struct Motions {
    n: usize,
    pub(super) q: Vec<f64>,
    pub(super) dq: Vec<f64>,
    pub(super) ddq: Vec<f64>,
    pub(super) tau: Vec<f64>,
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

    /// The row of a list whose turn it is in call `number`.
    pub(super) fn row<'a>(&self, list: &'a [f64], number: usize) -> &'a [f64] {
        let k = number % COUNT;
        &list[k * self.n..(k + 1) * self.n]
    }

    /// The first rows of a list.
    pub(super) fn rows<'a>(&self, list: &'a [f64], count: usize) -> &'a [f64] {
        &list[..count * self.n]
    }
}

/// How many motions take turns, so that no branch is learnt by heart.
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
