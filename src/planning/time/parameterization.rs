//! The fastest motion along a path.

use super::along::Along;
use super::averaged::Averaged;
use super::dynamics::{Excess, TorqueRows};
use super::limits::MotionLimits;
use super::path::GeometricPath;
use super::point_to_point::along_lines;
use super::profile::{Grid, Profile};
use super::reachability::{Blocked, Rows, fastest};
use super::rows::kinematic_rows;
use super::smooth::SmoothTrajectory;
use super::torques::{PathDynamics, Torques};
use crate::{Error, Result, kinematics};

/// Time-optimal parameterisation of paths: the fastest motion along a path within limits.
///
/// Limits of velocity and acceleration are held at all times, also between the points of the grid, which makes a motion slower
/// than the optimum by a part that shrinks with the square of the step. Limits of torque are held at the points of the grid and
/// in the middle between them, and at nine points there where these three are nearer to a limit than twice what they differ by.
///
/// With limits of jerk the motion is averaged over a short time T, by which it takes longer, from each stop to the next. It
/// keeps the other limits, and leaves the path by the largest acceleration times T²/24 at most; on straight lines not at all. Along straight lines with a stop
/// at each corner, without dynamics, it is the [fastest](super::PointToPoint). Without limits of jerk, accelerations jump.
///
/// # Examples
///
/// ```
/// use kinworld::planning::{GeometricPath, MotionLimits, TimeParameterization};
///
/// // 1 m with 1 m/s² up to 0.5 m/s: half a second up and down, and 1.5 s between
/// let path = GeometricPath::polyline(&[[0.0], [1.0]])?;
/// let limits = MotionLimits::new(1).with_velocity(&[0.5])?.with_acceleration(&[1.0])?;
/// let motion = TimeParameterization::new(&limits).solve(&path)?;
/// assert!((motion.duration() - 2.5).abs() < 1e-3);
///
/// // nothing is without a limit by mistake
/// let limits = MotionLimits::new(1).with_velocity(&[0.5])?;
/// let error = TimeParameterization::new(&limits).solve(&path).unwrap_err();
/// assert!(error.to_string().contains("no limit of acceleration"));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct TimeParameterization<'a> {
    limits: &'a MotionLimits,
    dynamics: Option<&'a PathDynamics<'a>>,
    intervals: usize,
    points: Option<Vec<f64>>,
    end_speeds: [f64; 2],
    path_speed: f64,
}

/// What a profile is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// For where the acceleration changes: limits of torque are those at the points of the grid.
    Shape,
    /// For the motion.
    Exact,
}

/// Number of intervals, if none is given.
const INTERVALS: usize = 100;

/// Most intervals.
const MOST: usize = 1_000_000;

/// Rounds in which limits of torque are tightened.
const ROUNDS: usize = 6;

/// Share of a limit of torque that is aimed at.
const AIM: f64 = 1.0 - 1e-5;

/// Points within an interval at which torques are checked.
const SAMPLES: usize = 9;

impl<'a> TimeParameterization<'a> {
    /// From rest to rest within these limits, on a grid of about 100 intervals that is refined where the acceleration changes.
    #[must_use]
    pub fn new(limits: &'a MotionLimits) -> Self {
        Self {
            limits,
            dynamics: None,
            intervals: INTERVALS,
            points: None,
            end_speeds: [0.0; 2],
            path_speed: f64::INFINITY,
        }
    }

    /// With the limits of torque, under these dynamics.
    #[must_use]
    pub fn with_dynamics(mut self, dynamics: &'a PathDynamics<'a>) -> Self {
        self.dynamics = Some(dynamics);
        self
    }

    /// With about this many intervals of the grid, at least four for each piece of the path.
    #[must_use]
    pub fn with_intervals(mut self, intervals: usize) -> Self {
        self.intervals = intervals;
        self
    }

    /// With these points of the path, its breaks and its ends as the grid, which is not refined. Points beyond the ends do not
    /// count.
    #[must_use]
    pub fn with_grid(mut self, points: &[f64]) -> Self {
        self.points = Some(points.to_vec());
        self
    }

    /// With speeds of the path parameter at start and end, 1/s.
    #[must_use]
    pub fn with_end_speeds(mut self, start: f64, end: f64) -> Self {
        self.end_speeds = [start, end];
        self
    }

    /// With a largest speed of the path parameter, 1/s: of a [Cartesian path](crate::planning::CartesianPath), m/s.
    #[must_use]
    pub fn with_path_speed(mut self, most: f64) -> Self {
        self.path_speed = most;
        self
    }

    /// The fastest motion along a path.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where limits or robot have another number of degrees of freedom than the path; [`Error::Invalid`] for
    /// one that moves without a limit of velocity, or of neither acceleration nor torque, for limits that cannot
    /// hold the robot, end speeds that are negative or too high, and more than a million intervals.
    pub fn solve(&self, path: &GeometricPath) -> Result<SmoothTrajectory> {
        self.check(path)?;
        let is_plain = self.dynamics.is_none() && self.points.is_none();
        let is_at_rest = self.end_speeds.iter().all(|speed| *speed == 0.0);
        if is_plain
            && is_at_rest
            && self.path_speed.is_infinite()
            && let Some(motion) = along_lines(path, self.limits)?
        {
            return Ok(motion);
        }
        let mut grid = match &self.points {
            Some(points) => Grid::with_points(path, points),
            None => Grid::uniform(path, self.intervals),
        };
        if self.points.is_none() {
            let switches = switches(&grid, &self.profile(path, &grid, Effort::Shape)?);
            let split = |i: usize| if switches[i] { SPLIT } else { 1 };
            grid = grid.split(path, split);
        }
        let profile = self.profile(path, &grid, Effort::Exact)?;
        if self.limits.jerk().iter().all(|jerk| jerk.is_infinite()) {
            let along = Along::new(path.clone(), grid, profile);
            return Ok(SmoothTrajectory::along(along));
        }
        self.averaged(path, &grid, &profile)
    }

    /// The motion within limits of jerk: an average, from each stop of the path to the next, so that it leaves no corner.
    fn averaged(
        &self,
        path: &GeometricPath,
        grid: &Grid,
        profile: &Profile,
    ) -> Result<SmoothTrajectory> {
        if self.end_speeds.iter().any(|speed| speed.abs() > 0.0) {
            let problem = "limits of jerk need a motion from rest to rest";
            return Err(Error::invalid("the end speed of a path", problem));
        }
        let mut from = 0;
        let mut parts = Vec::new();
        for to in 1..=grid.len() {
            if to == grid.len() || grid.stops[to] {
                let profile = profile.between(from, to);
                parts.push(self.averaged_part(path, &grid.between(from, to), profile)?);
                from = to;
            }
        }
        Ok(SmoothTrajectory::joined(parts))
    }

    /// The average from one stop to the next. An average of torques is not the torque of an average: where that is beyond its
    /// limit, the motion is slowed down.
    fn averaged_part(
        &self,
        path: &GeometricPath,
        grid: &Grid,
        mut profile: Profile,
    ) -> Result<SmoothTrajectory> {
        for _ in 0..SLOWER_ROUNDS {
            let along = Along::new(path.clone(), grid.clone(), profile.clone());
            let motion = SmoothTrajectory::averaged(Averaged::within(along, self.limits));
            let is_held = match self.dynamics {
                Some(dynamics) => motion.holds_torques(self.limits, dynamics)?,
                None => true,
            };
            if is_held {
                return Ok(motion);
            }
            profile.slowed(SLOWER);
        }
        let problem = "limits of torque and jerk cannot be held together: give more of either";
        Err(Error::invalid("a path", problem))
    }

    fn check(&self, path: &GeometricPath) -> Result<()> {
        let n = path.n_dofs();
        kinematics::check_length("limits of a motion", n, self.limits.velocity())?;
        if let Some(dynamics) = self.dynamics {
            let dofs = dynamics.robot().dofs();
            kinematics::check_length("the path of a robot", dofs.len(), self.limits.velocity())?;
        }
        let pieces = path.breaks().len();
        let asked = self.points.as_ref().map_or(self.intervals, Vec::len);
        if asked > MOST || pieces > MOST {
            let problem = format!("{asked} intervals are asked for, most are {MOST}");
            return Err(Error::invalid("the grid of a path", problem));
        }
        if let Some(points) = &self.points {
            kinematics::check_values("the grid of a path", points.len(), points)?;
        }
        if let Some(speed) = self
            .end_speeds
            .iter()
            .find(|s| !(**s >= 0.0 && s.is_finite()))
        {
            let problem = format!("{speed} is not a number from 0 on");
            return Err(Error::invalid("the end speed of a path", problem));
        }
        if self.path_speed.is_nan() || self.path_speed <= 0.0 {
            let problem = format!("must be above 0, got {}", self.path_speed);
            return Err(Error::invalid("the largest speed of a path", problem));
        }
        let moves = |dof: usize| {
            let mut pieces = 0..path.breaks().len() - 1;
            pieces.any(|piece| path.of(piece, dof)[1..].iter().any(|c| *c != 0.0))
        };
        for dof in (0..n).filter(|&dof| moves(dof)) {
            self.check_limits(dof)?;
        }
        Ok(())
    }

    /// A dof that moves has limits.
    pub(in crate::planning) fn check_limits(&self, dof: usize) -> Result<()> {
        let [min, max] = self.limits.velocity()[dof];
        let name = self.limits.name(dof);
        if min.is_infinite() || max.is_infinite() {
            let problem = "moves, and has no limit of velocity: give one, in the robot's file or with the limits of the motion";
            return Err(Error::invalid(name, problem));
        }
        let has_torque = self.dynamics.is_some() && self.limits.torque()[dof].is_finite();
        if self.limits.acceleration()[dof].is_infinite() && !has_torque {
            let problem = "moves, and has no limit of acceleration, which robot files seldom have: give one with the limits of the motion; \
                the velocity limit over 0.2 to 0.5 s is a usual choice";
            return Err(Error::invalid(name, problem));
        }
        Ok(())
    }

    fn profile(&self, path: &GeometricPath, grid: &Grid, effort: Effort) -> Result<Profile> {
        let mut rows = kinematic_rows(path, grid, self.limits);
        let most = self.path_speed * self.path_speed;
        rows.x_max.iter_mut().for_each(|x| *x = x.min(most));
        let has_torque = self.limits.torque().iter().any(|tau| tau.is_finite());
        match self.dynamics {
            Some(dynamics) if has_torque => {
                self.torque_profile(path, grid, &rows, &mut Torques::new(dynamics), effort)
            }
            _ => self.passes(grid, &rows),
        }
    }

    fn passes(&self, grid: &Grid, rows: &Rows) -> Result<Profile> {
        let squares = self.end_speeds.map(|speed| speed * speed);
        fastest(grid, rows, squares).map_err(|Blocked { interval, is_start }| {
            let at = grid.s[interval];
            let problem = if is_start {
                format!(
                    "the speed at its start, {}, cannot be braked or kept",
                    self.end_speeds[0]
                )
            } else {
                format!("at {at} no motion within the limits leads on to the end")
            };
            Error::invalid("a path", problem)
        })
    }

    /// The profile within the limits of torque, too.
    fn torque_profile(
        &self,
        path: &GeometricPath,
        grid: &Grid,
        rows: &Rows,
        torques: &mut Torques<'_>,
        effort: Effort,
    ) -> Result<Profile> {
        // what is held at points of each interval may be exceeded a little between them
        let aim: Vec<f64> = self.limits.torque().iter().map(|tau| tau * AIM).collect();
        let limits = &self.limits.clone().with_torque(&aim)?;
        let mut terms = TorqueRows::new(path, grid, self.limits, torques)?;
        let mut near = rows.x_max.clone();
        let mut best: Option<Profile> = None;
        // of the best
        let mut excess = Vec::new();
        for round in 0..ROUNDS {
            let all = terms.added_to(rows, grid, limits, &near);
            let profile = match (self.passes(grid, &all), best.take()) {
                (Ok(profile), _) => profile,
                // margins were too wide: the last one is slowed instead
                (Err(_), Some(before)) => {
                    best = Some(before);
                    break;
                }
                (Err(error), None) => return Err(error),
            };
            let mut goes_on = false;
            if effort == Effort::Exact {
                excess = terms.excesses(path, grid, &profile, limits, torques, SAMPLES)?;
                goes_on = terms.tighten(&excess, path.n_dofs(), limits);
            }
            if terms.is_viscous && round < VISCOUS_ROUNDS {
                goes_on = true;
                for (near, (x, most)) in near.iter_mut().zip(profile.x.iter().zip(&rows.x_max)) {
                    *near = x.max(SLOWEST * most);
                }
            }
            best = Some(profile);
            if !goes_on {
                break;
            }
        }
        let mut profile = best.ok_or_else(|| Error::invalid("a path", "no motion was found"))?;
        if let Some(factor) = slowing(limits, &excess)? {
            if self.end_speeds.iter().any(|speed| speed.abs() > 0.0) {
                let problem = "the limits of torque cannot be held at these speeds of its ends";
                return Err(Error::invalid("a path", problem));
            }
            profile.slowed(factor);
        }
        Ok(profile)
    }
}

/// By how much a motion has to be slowed down for these torques to be within their limits.
///
/// Torques of inertia fall with the square of the speed, that of viscous friction with the speed: its square is below both.
fn slowing(limits: &MotionLimits, excess: &[Excess]) -> Result<Option<f64>> {
    let mut factor = None;
    for excess in excess {
        let limit = limits.torque()[excess.dof];
        let moving = excess.torque - excess.resting;
        let room = limit - excess.resting * excess.torque.signum();
        if room <= 0.0 {
            let what = format!("torque of {}", limits.name(excess.dof));
            let problem = format!("{} are needed at rest", excess.resting);
            return Err(Error::invalid(what, problem));
        }
        let needed = (moving.abs() / room).max(1.0);
        factor = Some(f64::max(factor.unwrap_or(1.0), needed * (1.0 + 1e-9)));
    }
    Ok(factor)
}

/// By how much, and how often, a motion is slowed down whose average needs more torque than there is.
const SLOWER: f64 = 1.03;
const SLOWER_ROUNDS: usize = 60;

/// Rounds in which viscous friction is linearised anew.
const VISCOUS_ROUNDS: usize = 3;

/// Share of the largest x near which viscous friction is linearised at least.
const SLOWEST: f64 = 1e-6;

/// Number of parts of an interval in which the acceleration switches.
const SPLIT: usize = 8;

/// Changes of the acceleration, as a share of the largest, that count as a switch.
const SWITCH: f64 = 0.1;

/// The intervals beside which the path acceleration jumps.
fn switches(grid: &Grid, profile: &Profile) -> Vec<bool> {
    let n = grid.len();
    let mut switches = vec![false; n];
    let most = profile.u.iter().fold(0.0, |most: f64, u| most.max(u.abs()));
    for i in 1..n {
        if (profile.u[i] - profile.u[i - 1]).abs() > SWITCH * most {
            switches[i - 1] = true;
            switches[i] = true;
        }
    }
    switches
}
