//! Motions with continuous velocity.

use super::along::Along;
use super::averaged::Averaged;
use super::dynamics::{SLACK, is_near_limit};
use super::limits::MotionLimits;
use super::path::GeometricPath;
use super::torques::{Motions, PathDynamics, Torques};
use super::violation::{LimitKind, Utilization, Violation};
use crate::planning::Trajectory;
use crate::{Error, Result, kinematics};

/// A motion with continuous velocity: configuration, velocity and acceleration at any time, from 0 to its
/// [`duration`](Self::duration). Before and after it rests; one from state to state that does not rest there has the rates of its
/// ends.
///
/// [`TimeParameterization`](super::TimeParameterization) makes one along a path, and [`PointToPoint`](super::PointToPoint) one
/// from state to state.
#[derive(Debug, Clone, PartialEq)]
pub struct SmoothTrajectory {
    shape: Shape,
    n_dofs: usize,
    /// Times between which it is smooth, from 0 on, s.
    knots: Vec<f64>,
    /// Whether its acceleration is continuous at its ends, too, so that its rates there are those of what is before and after.
    is_smooth_at_ends: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Shape {
    Along(Along),
    Averaged(Averaged),
    /// One after the other, each with the number of intervals before it.
    Joined(Vec<(usize, SmoothTrajectory)>),
}

/// Configuration, velocity, acceleration and jerk.
pub(super) type Derivatives = [Vec<f64>; 4];

/// Points of each interval at which limits are checked.
const SAMPLES: usize = 10;

/// The one in the middle of an interval, which is looked at first with those at its ends, and how many such intervals at once.
const MIDDLE: usize = 5;
const INTERVALS: usize = 16;

/// Most milestones.
const MOST: f64 = 1e7;

impl SmoothTrajectory {
    pub(super) fn along(along: Along) -> Self {
        Self {
            n_dofs: along.path.n_dofs(),
            knots: along.times.clone(),
            shape: Shape::Along(along),
            is_smooth_at_ends: false,
        }
    }

    pub(super) fn from_state_to_state(along: Along) -> Self {
        Self {
            is_smooth_at_ends: true,
            ..Self::along(along)
        }
    }

    pub(super) fn averaged(averaged: Averaged) -> Self {
        Self {
            n_dofs: averaged.inner.path.n_dofs(),
            knots: averaged.knots(),
            shape: Shape::Averaged(averaged),
            is_smooth_at_ends: false,
        }
    }

    /// Motions along parts of one path, one after the other, of which there is at least one; each begins and ends at rest.
    pub(super) fn joined(mut parts: Vec<Self>) -> Self {
        if parts.len() == 1 {
            return parts.remove(0);
        }
        let mut knots = vec![0.0];
        let mut joined = Vec::with_capacity(parts.len());
        for part in parts {
            let before = knots.len() - 1;
            let start = knots[before];
            knots.extend(part.knots[1..].iter().map(|time| start + time));
            joined.push((before, part));
        }
        Self {
            n_dofs: joined[0].1.n_dofs,
            knots,
            shape: Shape::Joined(joined),
            is_smooth_at_ends: false,
        }
    }

    /// Number of degrees of freedom.
    #[must_use]
    pub fn n_dofs(&self) -> usize {
        self.n_dofs
    }

    /// Duration, s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.knots[self.knots.len() - 1]
    }

    /// Times between which it is smooth: its acceleration, or its jerk where that is limited, jumps nowhere else, s.
    #[must_use]
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// The path that it follows; with limits of jerk, the one that it follows but for the average. That of a motion from state to
    /// state, and of one that stops at each corner within limits of jerk, has the time as its parameter.
    #[must_use]
    pub fn path(&self) -> &GeometricPath {
        match &self.shape {
            Shape::Along(along) => &along.path,
            Shape::Averaged(averaged) => &averaged.inner.path,
            Shape::Joined(parts) => parts[0].1.path(),
        }
    }

    /// Configuration at a time (n).
    #[must_use]
    pub fn at(&self, time: f64) -> Vec<f64> {
        let (interval, since, _) = self.interval_of(time);
        let mut q = vec![0.0; self.n_dofs];
        self.configuration_within(interval, since, &mut q);
        q
    }

    /// Velocity at a time (n).
    #[must_use]
    pub fn velocity_at(&self, time: f64) -> Vec<f64> {
        let [_, velocity, ..] = self.all_at(time);
        velocity
    }

    /// Acceleration at a time (n); where it jumps, that after it.
    #[must_use]
    pub fn acceleration_at(&self, time: f64) -> Vec<f64> {
        let [_, _, acceleration, _] = self.all_at(time);
        acceleration
    }

    /// Configuration, velocity and acceleration at a time (n each).
    #[must_use]
    pub fn state_at(&self, time: f64) -> [Vec<f64>; 3] {
        let [q, velocity, acceleration, _] = self.all_at(time);
        [q, velocity, acceleration]
    }

    fn all_at(&self, time: f64) -> Derivatives {
        let (interval, since, is_outside) = self.interval_of(time);
        let mut state = self.scratch();
        self.state_within(interval, since, &mut state);
        if is_outside && !self.is_smooth_at_ends {
            state[1..].iter_mut().for_each(|rates| rates.fill(0.0));
        }
        state
    }

    /// The interval of a time, at a knot the later one, the time since it began, within it, and whether it is before or after
    /// the motion.
    fn interval_of(&self, time: f64) -> (usize, f64, bool) {
        let after = self.knots.partition_point(|t| *t <= time);
        let interval = after.clamp(1, self.knots.len() - 1) - 1;
        let (from, to) = (self.knots[interval], self.knots[interval + 1]);
        // the first for what is not a number
        let within = if time > from { time.min(to) } else { from };
        let is_outside = time < 0.0 || after == 0 || after == self.knots.len();
        (interval, within - from, is_outside)
    }

    /// A trajectory with a milestone every `step` seconds, and at the end: for programs that interpolate.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a step that is not positive or makes more than ten million milestones.
    pub fn discretized(&self, step: f64) -> Result<Trajectory> {
        let count = (self.duration() / step * (1.0 - SLACK)).ceil();
        if !(step > 0.0 && count <= MOST) {
            let problem = format!("{step} s is not positive, or too short for this trajectory");
            return Err(Error::invalid("the step of a trajectory", problem));
        }
        let ticks = (0..count as usize).map(|i| i as f64 * step);
        let times: Vec<f64> = ticks.chain([self.duration()]).collect();
        let milestones = times.iter().map(|&t| self.at(t)).collect();
        Trajectory::new(times, milestones)
    }

    /// The first violation of a limit, at eleven points of each interval between [knots](Self::knots); torques count where
    /// there are dynamics. What is beyond a limit by a billionth of it is rounding.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where limits or robot have another number of degrees of freedom.
    pub fn check(
        &self,
        limits: &MotionLimits,
        dynamics: Option<&PathDynamics<'_>>,
    ) -> Result<Option<Violation>> {
        let mut first = None;
        self.scan(limits, dynamics, |time, dof, kind, value, limit| {
            if value.abs() <= limit * (1.0 + SLACK) {
                return true;
            }
            first = Some(Violation {
                time,
                dof,
                name: limits.name(dof).to_owned(),
                kind,
                value,
                limit,
            });
            false
        })?;
        Ok(first)
    }

    /// How much of its limits the motion uses, at the points of [`check`](Self::check).
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check).
    pub fn utilization(
        &self,
        limits: &MotionLimits,
        dynamics: Option<&PathDynamics<'_>>,
    ) -> Result<Utilization> {
        let none = || vec![0.0; self.n_dofs()];
        let mut used = Utilization {
            velocity: none(),
            acceleration: none(),
            jerk: none(),
            torque: none(),
        };
        self.scan(limits, dynamics, |_, dof, kind, value, limit| {
            let list = match kind {
                LimitKind::Velocity => &mut used.velocity,
                LimitKind::Acceleration => &mut used.acceleration,
                LimitKind::Jerk => &mut used.jerk,
                LimitKind::Torque => &mut used.torque,
            };
            list[dof] = list[dof].max(value.abs() / limit);
            true
        })?;
        Ok(used)
    }

    /// Calls `visit` with time, dof, kind, value and limit of all that is limited, in order of time, until it returns `false`.
    pub(super) fn scan(
        &self,
        limits: &MotionLimits,
        dynamics: Option<&PathDynamics<'_>>,
        mut visit: impl FnMut(f64, usize, LimitKind, f64, f64) -> bool,
    ) -> Result<()> {
        let n = self.n_dofs();
        kinematics::check_length("limits of a motion", n, limits.velocity())?;
        if let Some(dynamics) = dynamics {
            let dofs = dynamics.robot().dofs();
            kinematics::check_length("the path of a robot", n, dofs)?;
        }
        let mut torques = dynamics.map(Torques::new);
        let mut states = [(); SAMPLES + 1].map(|()| self.scratch());
        let mut before = vec![0.0; n];
        if self.is_smooth_at_ends {
            before = self.acceleration_at(0.0);
        }
        let (mut rows, mut tau) = (Motions::default(), vec![0.0; n * states.len()]);
        for (interval, ends) in self.knots.windows(2).enumerate() {
            let since = |k: usize| (ends[1] - ends[0]) * k as f64 / SAMPLES as f64;
            rows.clear();
            for (k, state) in states.iter_mut().enumerate() {
                self.state_within(interval, since(k), state);
                rows.push(&state[0], &state[1], &state[2]);
            }
            if let Some(torques) = &mut torques {
                torques.of(&rows, &mut tau)?;
            }
            for (k, state) in states.iter().enumerate() {
                let tau = &tau[k * n..];
                for dof in 0..n {
                    let [velocity, acceleration, jerk] = [1, 2, 3].map(|i| state[i][dof]);
                    let range = limits.velocity()[dof];
                    let limit = if velocity < 0.0 { -range[0] } else { range[1] };
                    let most = limits.acceleration()[dof];
                    let jump = (acceleration - before[dof]).abs();
                    let size = acceleration.abs().max(before[dof].abs()).max(SMALL);
                    // from rest on, an acceleration that jumps is an infinite jerk
                    let share = if most.is_finite() { SLACK * most } else { 0.0 };
                    let is_rounding = jump <= f64::max(JUMP * size, share);
                    let jumps = k == 0 && !is_rounding;
                    let jerk = if jumps { f64::INFINITY } else { jerk };
                    let all = [
                        (LimitKind::Velocity, velocity, limit),
                        (LimitKind::Acceleration, acceleration, most),
                        (LimitKind::Jerk, jerk, limits.jerk()[dof]),
                        (LimitKind::Torque, tau[dof], limits.torque()[dof]),
                    ];
                    for (kind, value, limit) in all {
                        let time = ends[0] + since(k);
                        if limit.is_finite() && !visit(time, dof, kind, value, limit) {
                            return Ok(());
                        }
                    }
                }
                before.copy_from_slice(&state[2]);
            }
        }
        Ok(())
    }

    /// Whether torques are within their limits where [`scan`](Self::scan) looks: at three samples of each interval, and at all
    /// where these are [near a limit](is_near_limit). The acceleration has to be continuous.
    pub(super) fn holds_torques(
        &self,
        limits: &MotionLimits,
        dynamics: &PathDynamics<'_>,
    ) -> Result<bool> {
        let n = self.n_dofs();
        let mut torques = Torques::new(dynamics);
        let (mut state, mut rows, mut tau) = (self.scratch(), Motions::default(), Vec::new());
        let mut near = Vec::new();
        let count = self.knots.len() - 1;
        let mut push = |interval: usize, k: usize, rows: &mut Motions| {
            let length = self.knots[interval + 1] - self.knots[interval];
            let since = length * k as f64 / SAMPLES as f64;
            self.state_within(interval, since, &mut state);
            rows.push(&state[0], &state[1], &state[2]);
        };
        let is_beyond = |tau: &[f64]| {
            let limits = limits.torque().iter().cycle();
            let mut all = tau.iter().zip(limits);
            all.any(|(tau, limit)| tau.abs() > limit * (1.0 + SLACK))
        };
        for first in (0..count).step_by(INTERVALS) {
            let block = first..count.min(first + INTERVALS);
            rows.clear();
            let few = block.clone().flat_map(|i| [(i, 0), (i, MIDDLE)]);
            let few = few.chain([(block.end - 1, SAMPLES)]);
            few.for_each(|(i, k)| push(i, k, &mut rows));
            torques.of(&rows, &mut tau)?;
            if is_beyond(&tau) {
                return Ok(false);
            }
            near.clear();
            for (i, tau) in block.zip(tau.windows(3 * n).step_by(2 * n)) {
                let at = |dof| [0, 1, 2].map(|k: usize| tau[k * n + dof]);
                if (0..n).any(|dof| is_near_limit(at(dof), limits.torque()[dof])) {
                    near.push(i);
                }
            }
            rows.clear();
            let all = near
                .iter()
                .flat_map(|&i| (0..=SAMPLES).map(move |k| (i, k)));
            all.for_each(|(i, k)| push(i, k, &mut rows));
            torques.of(&rows, &mut tau)?;
            if is_beyond(&tau) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn scratch(&self) -> Derivatives {
        [(); 4].map(|()| vec![0.0; self.n_dofs])
    }

    fn configuration_within(&self, interval: usize, since: f64, q: &mut [f64]) {
        match &self.shape {
            Shape::Along(along) => along.configuration_within(interval, since, q),
            Shape::Averaged(averaged) => {
                let [from, to] = [self.knots[interval], self.knots[interval + 1]];
                averaged.configuration_within([from, to], since, q);
            }
            Shape::Joined(parts) => {
                let (interval, part) = part_of(parts, interval);
                part.configuration_within(interval, since, q);
            }
        }
    }

    fn state_within(&self, interval: usize, since: f64, state: &mut Derivatives) {
        match &self.shape {
            Shape::Along(along) => along.state_within(interval, since, state),
            Shape::Averaged(averaged) => {
                let [from, to] = [self.knots[interval], self.knots[interval + 1]];
                averaged.state_within([from, to], since, state);
            }
            Shape::Joined(parts) => {
                let (interval, part) = part_of(parts, interval);
                part.state_within(interval, since, state);
            }
        }
    }
}

/// Of motions with the number of intervals before each, the one that an interval is of, and its place there.
fn part_of(parts: &[(usize, SmoothTrajectory)], interval: usize) -> (usize, &SmoothTrajectory) {
    let after = parts.partition_point(|(before, _)| *before <= interval);
    let (before, part) = &parts[after - 1];
    (interval - before, part)
}

/// Relative change of an acceleration that is rounding, and the least size of what it is relative to.
const JUMP: f64 = 1e-6;
const SMALL: f64 = 1e-6;
