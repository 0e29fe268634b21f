//! Time-optimal motions from state to state with limits of velocity, acceleration and jerk.
//!
//! The problem is that of Berscheid and Kröger, "Jerk-limited Real-time Trajectory Generation with Arbitrary Target States"
//! (RSS 2021, "Ruckig"); durations are the same, the method is not. What a degree of freedom can do in a given time is a
//! convex set, so the distances that it can go in it are an interval, whose ends are those of two motions in closed form. A
//! duration is found where the distance is in the interval of each degree of freedom, and the motion is a mean of the two.

mod dof;
mod extreme;
mod lines;
mod pieces;

use self::dof::{Dof, Mean};
use self::extreme::Ends;
pub(super) use self::lines::along_lines;
use super::along::Along;
use super::dynamics::SLACK;
use super::limits::MotionLimits;
use super::path::GeometricPath;
use super::smooth::SmoothTrajectory;
use crate::{Error, Result, kinematics};

/// Time-optimal motions from one configuration to another within limits of velocity, acceleration and jerk, from and to any
/// velocity and acceleration.
///
/// All degrees of freedom arrive at the same time, which is the shortest in which each of them can. The slower of them set it;
/// the others use less of their limits. Between the ends only the limits count: the motion leaves the straight line, unless it
/// is [asked](Self::with_straight_line) to keep to it, and knows no limits of position and no obstacles.
///
/// Limits of torque do not count. Each number of a configuration counts by itself, as in a [`GeometricPath`].
///
/// # Examples
///
/// ```
/// use kinworld::planning::{MotionLimits, PointToPoint};
///
/// let limits = MotionLimits::new(2).with_velocity(&[1.0, 2.0])?;
/// let limits = limits.with_acceleration(&[5.0, 5.0])?.with_jerk(&[50.0, 50.0])?;
/// let motion = PointToPoint::new(&limits).solve(&[0.0, 0.0], &[1.0, -0.5])?;
/// assert_eq!(motion.check(&limits, None)?, None);
///
/// // on the way, a new goal: from the state of the motion to rest
/// let [q, velocity, acceleration] = motion.state_at(0.4);
/// let other = PointToPoint::new(&limits).with_start(&velocity, &acceleration)?;
/// let other = other.solve(&q, &[0.2, 0.1])?;
/// let [_, begun, _] = other.state_at(0.0);
/// assert!((begun[0] - velocity[0]).abs() < 1e-9);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct PointToPoint<'a> {
    limits: &'a MotionLimits,
    /// Velocity and acceleration at start and goal.
    rates: [[Vec<f64>; 2]; 2],
    is_straight: bool,
    duration: f64,
}

/// Names of the ends, for messages.
const ENDS: [&str; 2] = ["start", "goal"];

/// Rounds in which a duration for all degrees of freedom is looked for: each leaves a time that is too short for one of them, of
/// which each has two at most.
const ROUNDS_PER_DOF: usize = 4;

impl<'a> PointToPoint<'a> {
    /// From rest to rest within these limits.
    #[must_use]
    pub fn new(limits: &'a MotionLimits) -> Self {
        let rest = || vec![0.0; limits.n_dofs()];
        Self {
            limits,
            rates: [[rest(), rest()], [rest(), rest()]],
            is_straight: false,
            duration: 0.0,
        }
    }

    /// With velocity and acceleration at the start (n each).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of values; [`Error::Invalid`] for one that is not finite.
    pub fn with_start(self, velocity: &[f64], acceleration: &[f64]) -> Result<Self> {
        self.with_rates(0, velocity, acceleration)
    }

    /// With velocity and acceleration at the goal (n each).
    ///
    /// # Errors
    ///
    /// As [`with_start`](Self::with_start).
    pub fn with_goal(self, velocity: &[f64], acceleration: &[f64]) -> Result<Self> {
        self.with_rates(1, velocity, acceleration)
    }

    /// Along the straight line from start to goal, on which velocities and accelerations of the ends have to lie.
    #[must_use]
    pub fn with_straight_line(mut self) -> Self {
        self.is_straight = true;
        self
    }

    /// With a duration of at least this, s: the motion takes the next one that is possible.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for one that is negative or not finite.
    pub fn with_duration(mut self, least: f64) -> Result<Self> {
        if !(least >= 0.0 && least.is_finite()) {
            let problem = format!("{least} s is not a number from 0 on");
            return Err(Error::invalid("the duration of a motion", problem));
        }
        self.duration = least;
        Ok(self)
    }

    /// The fastest motion between two configurations (n each).
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of values than of limits; [`Error::Invalid`] for a value that is not finite, a
    /// degree of freedom without a limit of acceleration or jerk, a start or a goal that is beyond limits, or from which
    /// or to which a motion is bound to be, ends that are the same and at rest, and rates that leave the [straight
    /// line](Self::with_straight_line). On that line, a limit of the jerk of one degree of freedom is enough.
    pub fn solve(&self, start: &[f64], goal: &[f64]) -> Result<SmoothTrajectory> {
        let n = self.limits.n_dofs();
        kinematics::check_values("start", n, start)?;
        kinematics::check_values("goal", n, goal)?;
        let is_at_rest = self.rates.iter().flatten().flatten().all(|x| *x == 0.0);
        if start == goal && is_at_rest {
            let problem = "are the same, and at rest: there is no motion between them";
            return Err(Error::invalid("start and goal", problem));
        }
        let (dofs, rows) = if self.is_straight {
            let (dof, row) = self.straight(start, goal)?;
            (vec![dof], vec![row])
        } else {
            let each = (0..n).map(|i| self.dof(i, goal[i] - start[i]));
            let rows = (0..n).map(|i| (0..n).map(|k| f64::from(u8::from(i == k))).collect());
            (each.collect::<Result<_>>()?, rows.collect())
        };
        let time = common_time(&dofs, self.duration);
        joined(start, &dofs, &rows, time)
    }

    fn with_rates(mut self, end: usize, velocity: &[f64], acceleration: &[f64]) -> Result<Self> {
        let n = self.limits.n_dofs();
        kinematics::check_values("the velocity of an end", n, velocity)?;
        kinematics::check_values("the acceleration of an end", n, acceleration)?;
        self.rates[end] = [velocity.to_vec(), acceleration.to_vec()];
        Ok(self)
    }

    /// A degree of freedom, in its units.
    fn dof(&self, i: usize, distance: f64) -> Result<Dof> {
        let limits = [self.limits.acceleration()[i], self.limits.jerk()[i]];
        for (limit, what) in limits.iter().zip(["acceleration", "jerk"]) {
            if limit.is_infinite() {
                return Err(missing(self.limits.name(i), what));
            }
        }
        let rates = [0, 1].map(|end| [0, 1].map(|rate| self.rates[end][rate][i]));
        let dof = Dof::new(distance, self.limits.velocity()[i], limits, rates);
        self.check(&dof, self.limits.name(i))?;
        Ok(dof)
    }

    /// The share of the straight line as a degree of freedom, and the change of each degree of freedom along all of it.
    fn straight(&self, start: &[f64], goal: &[f64]) -> Result<(Dof, Vec<f64>)> {
        let change: Vec<f64> = start.iter().zip(goal).map(|(a, b)| b - a).collect();
        let square: f64 = change.iter().map(|d| d * d).sum();
        if square == 0.0 {
            let problem = "are the same: there is no straight line between them";
            return Err(Error::invalid("start and goal", problem));
        }
        let mut range = [f64::NEG_INFINITY, f64::INFINITY];
        let mut limits = [f64::INFINITY; 2];
        for (i, d) in change.iter().enumerate().filter(|(_, d)| **d != 0.0) {
            let [low, high] = self.limits.velocity()[i].map(|v| v / d);
            range = [range[0].max(low.min(high)), range[1].min(low.max(high))];
            let of_dof = [self.limits.acceleration()[i], self.limits.jerk()[i]];
            if of_dof[0].is_infinite() {
                return Err(missing(self.limits.name(i), "acceleration"));
            }
            limits = [0, 1].map(|k| f64::min(limits[k], of_dof[k] / d.abs()));
        }
        if limits[1].is_infinite() {
            return Err(missing("the straight line", "jerk"));
        }
        let mut rates = [[0.0; 2]; 2];
        for (end, of_end) in self.rates.iter().enumerate() {
            for (rate, values) in of_end.iter().enumerate() {
                let along: f64 = values.iter().zip(&change).map(|(x, d)| x * d).sum();
                let along = along / square;
                let size = values.iter().map(|x| x * x).sum::<f64>().sqrt();
                let off = values
                    .iter()
                    .zip(&change)
                    .map(|(x, d)| (x - along * d).abs());
                if off.fold(0.0, f64::max) > SLACK * size {
                    let problem = format!(
                        "{} is not along the straight line to the goal",
                        ["the velocity", "the acceleration"][rate]
                    );
                    return Err(Error::invalid(ENDS[end], problem));
                }
                rates[end][rate] = along;
            }
        }
        let dof = Dof::new(1.0, range, limits, rates);
        self.check(&dof, "the straight line")?;
        Ok((dof, change))
    }

    /// Refuses ends that are beyond limits, or from which or to which a motion is.
    fn check(&self, dof: &Dof, name: &str) -> Result<()> {
        let [least, most] = dof.ends.range;
        for (end, [v, a]) in (0..2).map(|k| (k, [dof.ends.v[k], dof.ends.a[k]])) {
            // the velocity at which the acceleration is 0, after the start or before the goal
            let turn = 0.5 * a * a.abs() * if end == 0 { 1.0 } else { -1.0 };
            let slack = SLACK * (1.0 + v.abs());
            let is_within = |v: f64| v >= least - slack && v <= most + slack;
            let problem = if a.abs() > 1.0 + SLACK {
                "has an acceleration beyond its limit"
            } else if !is_within(v) {
                "has a velocity beyond its limits"
            } else if !is_within(v + turn) {
                "has a velocity and an acceleration that cannot be had within the limit of velocity: the jerk would have to be larger"
            } else {
                continue;
            };
            let problem = format!("{} {problem}", name);
            return Err(Error::invalid(ENDS[end], problem));
        }
        Ok(())
    }
}

fn missing(name: &str, what: &str) -> Error {
    let problem = format!("has no limit of {what}: give one, as with `MotionLimits::with_{what}`");
    Error::invalid(name, problem)
}

/// The shortest duration from `least` on in which every degree of freedom can reach its goal, s.
fn common_time(dofs: &[Dof], least: f64) -> f64 {
    let mut time = least;
    for _ in 0..ROUNDS_PER_DOF * dofs.len() {
        let before = time;
        for dof in dofs {
            time = time.max(dof.next_time(time / dof.time) * dof.time);
        }
        if time <= before * (1.0 + SLACK * SLACK) {
            break;
        }
    }
    time
}

/// The motion of all degrees of freedom; each row has the change of the configuration for a unit of one of them.
fn joined(
    start: &[f64],
    dofs: &[Dof],
    rows: &[Vec<f64>],
    duration: f64,
) -> Result<SmoothTrajectory> {
    let means: Vec<Mean> = dofs.iter().map(|d| d.motion(duration / d.time)).collect();
    let mut breaks = vec![0.0, duration];
    for (dof, mean) in dofs.iter().zip(&means) {
        let times = mean.motions.iter().flat_map(|motion| motion.times());
        breaks.extend(times.map(|t| t * dof.time));
    }
    breaks.retain(|t| (0.0..=duration).contains(t));
    breaks.sort_unstable_by(f64::total_cmp);
    breaks.dedup_by(|b, a| *b - *a <= SAME * duration);
    if let Some(last) = breaks.last_mut() {
        *last = duration;
    }
    let n = start.len();
    let mut coefficients = Vec::with_capacity((breaks.len() - 1) * n * 4);
    let mut pieces = vec![[0; 2]; dofs.len()];
    for ends in breaks.windows(2) {
        let first = coefficients.len();
        coefficients.extend(start.iter().flat_map(|q| [*q, 0.0, 0.0, 0.0]));
        let piece = &mut coefficients[first..];
        let all = dofs.iter().zip(&means).zip(&mut pieces).zip(rows);
        for (((dof, mean), pieces), row) in all {
            let powers = mean.powers(dof, ends[0], 0.5 * (ends[0] + ends[1]), pieces);
            for (i, share) in row.iter().enumerate().filter(|(_, share)| **share != 0.0) {
                for k in 0..4 {
                    piece[4 * i + k] += share * powers[k];
                }
            }
        }
    }
    let path = GeometricPath::polynomials(n, 3, breaks, coefficients)?;
    Ok(SmoothTrajectory::from_state_to_state(Along::in_time(path)))
}

impl Dof {
    fn new(
        distance: f64,
        velocity: [f64; 2],
        [acceleration, jerk]: [f64; 2],
        rates: [[f64; 2]; 2],
    ) -> Self {
        let time = acceleration / jerk;
        let speed = acceleration * time;
        let ends = Ends {
            v: rates.map(|[v, _]| v / speed),
            a: rates.map(|[_, a]| a / acceleration),
            range: velocity.map(|v| v / speed),
        };
        let length = speed * time;
        Self {
            ends,
            distance: distance / length,
            time,
            length,
        }
    }
}

impl Mean {
    /// Coefficients of the powers of the time after `from`, in the pieces of the two motions that hold the time `within`, which are not
    /// before those given.
    fn powers(&self, dof: &Dof, from: f64, within: f64, pieces: &mut [usize; 2]) -> [f64; 4] {
        let [from, within] = [from / dof.time, within / dof.time];
        let [far, back] = [0, 1].map(|k| self.motions[k].state(from, within, &mut pieces[k]));
        let mut unit = dof.length;
        std::array::from_fn(|k| {
            let mean = self.share * far[k] + (1.0 - self.share) * back[k];
            let power = mean * unit / FACTORIALS[k];
            unit /= dof.time;
            power
        })
    }
}

const FACTORIALS: [f64; 4] = [1.0, 1.0, 2.0, 6.0];

/// Knots that are nearer, as a share of the duration, are one.
const SAME: f64 = 1e-15;
