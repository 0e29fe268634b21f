//! Random configurations, many at once.

use super::drive;
use crate::Result;
use crate::kinematics::{self, Draw, draws};
use crate::math::{SplitMix, mix};
use crate::robot::Robot;
use crate::threads;

/// `count` random configurations within the limits, one after the other: see [`sample_into`].
///
/// # Examples
///
/// ```
/// use kinworld::{Robot, batch, kinematics};
///
/// let arm = Robot::load("data/robots/puma560.urdf")?.value;
/// let configs = batch::sample(&arm, 7, 1.0, 1000);
/// assert!(configs.chunks(6).all(|q| kinematics::in_limits(&arm, q)));
///
/// // each is the sample of a seed of its own
/// assert_eq!(configs[30..36], kinematics::sample(&arm, batch::sample_seed(7, 5), 1.0));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
pub fn sample(robot: &Robot, seed: u64, scale: f64, count: usize) -> Vec<f64> {
    let mut out = vec![0.0; count * robot.n_dofs()];
    fill(robot, seed, scale, 0, &mut out);
    out
}

/// Fills a slice with random configurations within the limits, in the distribution of
/// [`kinematics::sample_with`](crate::kinematics::sample_with).
///
/// Configuration `k` is [`kinematics::sample`](crate::kinematics::sample) with the seed
/// [`sample_seed(seed, k)`](sample_seed): the same on every machine, with any number of threads, and in a longer or shorter
/// batch. `scale` (rad or m) is for degrees of freedom without limits.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete.
pub fn sample_into(robot: &Robot, seed: u64, scale: f64, out: &mut [f64]) -> Result<()> {
    sample_part_into(robot, seed, scale, 0, out)
}

/// A part of what [`sample_into`] fills: the configurations from number `first` on.
///
/// # Errors
///
/// [`Error::Length`](crate::Error::Length) where the last configuration is not complete.
pub fn sample_part_into(
    robot: &Robot,
    seed: u64,
    scale: f64,
    first: u64,
    out: &mut [f64],
) -> Result<()> {
    drive::count(robot, out)?;
    fill(robot, seed, scale, first, out);
    Ok(())
}

/// The seed of configuration `k` of a batch of samples.
#[must_use]
#[inline]
pub fn sample_seed(seed: u64, k: u64) -> u64 {
    // far apart in the one sequence that all seeds share, however near the two seeds are
    mix(mix(seed).wrapping_add(k))
}

/// Fills whole configurations.
fn fill(robot: &Robot, seed: u64, scale: f64, first: u64, out: &mut [f64]) {
    if out.is_empty() {
        return;
    }
    let sampler = Sampler {
        robot,
        seed,
        scale,
        draws: draws(robot),
    };
    sampler.share(first, out);
}

/// The constants of a batch.
struct Sampler<'a> {
    robot: &'a Robot,
    seed: u64,
    scale: f64,
    /// What each number is drawn from, `None` where some are drawn together.
    draws: Option<Vec<Draw>>,
}

impl Sampler<'_> {
    /// Fills the configurations from number `first` on; threads share a long slice.
    fn share(&self, first: u64, out: &mut [f64]) {
        let n = self.robot.n_dofs();
        if out.len() > PART * n {
            let middle = out.len() / n / 2;
            let (left, right) = out.split_at_mut(middle * n);
            threads::both(
                || self.share(first, left),
                || self.share(first.wrapping_add(middle as u64), right),
            );
            return;
        }
        for (k, q) in (first..).zip(out.chunks_exact_mut(n)) {
            let mut random = SplitMix::new(sample_seed(self.seed, k));
            match &self.draws {
                Some(draws) => {
                    for (q, draw) in q.iter_mut().zip(draws) {
                        *q = draw.number(self.scale, &mut random);
                    }
                }
                None => kinematics::sample_into(self.robot, self.scale, || random.uniform(), q),
            }
        }
    }
}

/// Number of configurations that one thread fills in a row: some ten microseconds, more than scheduling costs.
const PART: usize = 1024;
