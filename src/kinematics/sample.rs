//! Random configurations within limits.

use std::f64::consts::TAU;

use super::config_space::neutral;
use super::joint_blocks::{Block, blocks, write_euler};
use super::limits::within;
use crate::math::{SplitMix, so3};
use crate::robot::{Limits, Robot};

/// A random configuration within the limits; the same seed gives the same configuration on every machine.
///
/// `scale` (rad or m) is for degrees of freedom without limits: see [`sample_with`].
///
/// ```
/// use kinworld::kinematics;
/// # use kinworld::{Vector, robot::{LinkSpec, Limits, LinkMotion, RobotBuilder}};
/// # let mut robot = RobotBuilder::new("hinge");
/// # let mut link = LinkSpec::new("hinge", None, LinkMotion::Revolute(Vector::z()));
/// # link.limits = Limits::position(-1.0, 2.0);
/// # robot.add_link(link);
/// # let robot = robot.build()?;
///
/// let q = kinematics::sample(&robot, 7, 1.0);
/// assert!(kinematics::in_limits(&robot, &q));
/// assert_eq!(q, kinematics::sample(&robot, 7, 1.0));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[must_use]
#[doc(alias = "randomConfiguration")]
#[doc(alias = "randomizeConfig")]
pub fn sample(robot: &Robot, seed: u64, scale: f64) -> Vec<f64> {
    let mut random = SplitMix::new(seed);
    sample_with(robot, scale, || random.uniform())
}

/// A random configuration from a source of numbers drawn uniformly in `[0, 1)`.
///
/// | degree of freedom | distribution |
/// |---|---|
/// | between two limits | uniform |
/// | above (below) one limit | exponential with mean `scale` from it |
/// | without limits | Laplace about 0: the magnitude is exponential with mean `scale` |
/// | spin, yaw of a planar joint | uniform over a full turn, or between limits that are closer than that |
/// | rotation of a floating or ball-and-socket joint | uniform over all rotations that the limits allow |
/// | weld | its initial value, clamped to its limits |
///
/// Rotations are drawn until their angles are within the limits; after a hundred failures each angle is drawn
/// between its own limits, which favours steep pitches.
#[must_use]
pub fn sample_with(robot: &Robot, scale: f64, mut uniform: impl FnMut() -> f64) -> Vec<f64> {
    let mut q = neutral(robot);
    sample_into(robot, scale, &mut uniform, &mut q);
    q
}

/// [`sample_with`] without allocation.
///
/// # Panics
///
/// If `out` does not have one number per degree of freedom.
pub fn sample_into(robot: &Robot, scale: f64, mut uniform: impl FnMut() -> f64, out: &mut [f64]) {
    assert_eq!(
        out.len(),
        robot.n_dofs(),
        "one number per degree of freedom"
    );
    let limits = robot.limits();
    for block in blocks(robot) {
        match block {
            Block::Weld(i) => out[i] = clamp(robot.initial_config()[i], &limits[i]),
            Block::Linear(i) => out[i] = number(&limits[i], scale, &mut uniform),
            Block::Angle(i) => out[i] = angle(&limits[i], &mut uniform),
            Block::Rotation(i) => rotation(limits, i, &mut uniform, out),
        }
    }
}

fn is_bounded(limits: &Limits) -> bool {
    limits.q_min.is_finite() && limits.q_max.is_finite()
}

/// Source of one number of a configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draw {
    /// Uniform between two limits.
    Between(f64, f64),
    /// A number with at most one limit.
    Open(Limits),
    /// An angle that is equal modulo 2π.
    Angle(Limits),
    /// Always this value.
    Fixed(f64),
}

impl Draw {
    /// Draws as [`sample_into`] does, to the last bit.
    #[inline]
    pub(crate) fn number(&self, scale: f64, random: &mut SplitMix) -> f64 {
        match self {
            Self::Between(min, max) => between(*min, *max, random.uniform()).min(*max).max(*min),
            Self::Open(limits) => number(limits, scale, &mut || random.uniform()),
            Self::Angle(limits) => angle(limits, &mut || random.uniform()),
            Self::Fixed(value) => *value,
        }
    }
}

/// Sources of the numbers of a configuration in order, `None` where three angles are drawn together or where [`sample_into`]
/// draws in another order.
pub(crate) fn draws(robot: &Robot) -> Option<Vec<Draw>> {
    let limits = robot.limits();
    let mut draws = Vec::with_capacity(limits.len());
    for block in blocks(robot) {
        let (i, draw) = match block {
            Block::Weld(i) => (i, Draw::Fixed(clamp(robot.initial_config()[i], &limits[i]))),
            Block::Linear(i) => {
                let Limits { q_min, q_max, .. } = limits[i];
                let draw = if is_bounded(&limits[i]) {
                    Draw::Between(q_min, q_max)
                } else {
                    Draw::Open(limits[i])
                };
                (i, draw)
            }
            Block::Angle(i) => (i, Draw::Angle(limits[i])),
            Block::Rotation(_) => return None,
        };
        if i != draws.len() {
            return None;
        }
        draws.push(draw);
    }
    (draws.len() == limits.len()).then_some(draws)
}

fn number(limits: &Limits, scale: f64, uniform: &mut impl FnMut() -> f64) -> f64 {
    let Limits { q_min, q_max, .. } = *limits;
    let q = match (q_min.is_finite(), q_max.is_finite()) {
        (true, true) => between(q_min, q_max, uniform()),
        (true, false) => q_min + exponential(scale, uniform()),
        (false, true) => q_max - exponential(scale, uniform()),
        (false, false) => {
            let sign = if uniform() < 0.5 { -1.0 } else { 1.0 };
            sign * exponential(scale, uniform())
        }
    };
    clamp(q, limits)
}

/// An angle that is equal modulo 2π.
fn angle(limits: &Limits, uniform: &mut impl FnMut() -> f64) -> f64 {
    let Limits { q_min, q_max, .. } = *limits;
    if q_max - q_min < TAU {
        return clamp(between(q_min, q_max, uniform()), limits);
    }
    // a full turn from 0, or from the nearer limit
    let from = 0.0_f64.min(q_max - TAU).max(q_min);
    clamp(from + TAU * uniform(), limits)
}

fn rotation(limits: &[Limits], i: [usize; 3], uniform: &mut impl FnMut() -> f64, out: &mut [f64]) {
    for _ in 0..100 {
        let r = so3::from_uniform([uniform(), uniform(), uniform()]);
        write_euler(&r, i, out);

        // shift yaw and roll by full turns: the same rotation
        for k in [i[0], i[2]] {
            let Limits { q_min, q_max, .. } = limits[k];
            if out[k] > q_max {
                out[k] -= TAU * ((out[k] - q_max) / TAU).ceil();
            } else if out[k] < q_min {
                out[k] += TAU * ((q_min - out[k]) / TAU).ceil();
            }
        }
        if i.iter().all(|&k| within(&limits[k], out[k])) {
            return;
        }
    }
    for k in i {
        let within = Limits::position(limits[k].q_min.max(-TAU), limits[k].q_max.min(TAU));
        out[k] = clamp(between(within.q_min, within.q_max, uniform()), &limits[k]);
    }
}

pub(crate) fn between(min: f64, max: f64, u: f64) -> f64 {
    // this form does not overflow even for the largest floats
    min * (1.0 - u) + max * u
}

fn exponential(mean: f64, u: f64) -> f64 {
    -mean * (-u).ln_1p()
}

fn clamp(q: f64, limits: &Limits) -> f64 {
    q.min(limits.q_max).max(limits.q_min)
}
