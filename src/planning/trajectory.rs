//! Trajectories: configurations at times.

use crate::robot::Robot;
use crate::{Error, Result, kinematics};

/// A trajectory: configurations (milestones) at times, with straight lines in between.
///
/// Times (s) never decrease. Before the first and after the last milestone the trajectory rests there.
///
/// # Examples
///
/// ```
/// use kinworld::planning::Trajectory;
///
/// let up = Trajectory::new(vec![0.0, 2.0], vec![vec![0.0], vec![1.0]])?;
/// assert_eq!(up.at(0.5), [0.25]);
/// assert_eq!(up.velocity_at(0.5), [0.5]);
///
/// let down = Trajectory::new(vec![0.0, 1.0], vec![vec![1.0], vec![0.0]])?;
/// let both = up.followed_by(&down)?;
/// assert_eq!((both.end_time(), both.at(2.5)), (3.0, vec![0.5]));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Parts", into = "Parts"))]
pub struct Trajectory {
    times: Vec<f64>,
    milestones: Vec<Vec<f64>>,
}

/// The serialised form of a trajectory.
#[cfg(feature = "serde")]
#[derive(serde::Serialize, serde::Deserialize)]
struct Parts {
    times: Vec<f64>,
    milestones: Vec<Vec<f64>>,
}

#[cfg(feature = "serde")]
impl TryFrom<Parts> for Trajectory {
    type Error = Error;

    fn try_from(Parts { times, milestones }: Parts) -> Result<Self> {
        Self::new(times, milestones)
    }
}

#[cfg(feature = "serde")]
impl From<Trajectory> for Parts {
    fn from(Trajectory { times, milestones }: Trajectory) -> Self {
        Self { times, milestones }
    }
}

impl Trajectory {
    /// A trajectory with these milestones at these times.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where there are more of one than of the other, or a milestone has another length than the first;
    /// [`Error::Invalid`] for no milestone, a number that is not finite, and times that decrease.
    pub fn new(times: Vec<f64>, milestones: Vec<Vec<f64>>) -> Result<Self> {
        let Some(first) = milestones.first() else {
            return Err(Error::invalid("a trajectory", "has no milestone"));
        };
        kinematics::check_values("the times of a trajectory", milestones.len(), &times)?;
        for milestone in &milestones {
            kinematics::check_values("a milestone", first.len(), milestone)?;
        }
        if let Some(i) = times.windows(2).position(|pair| pair[1] < pair[0]) {
            let problem = format!("go back from {} to {}", times[i], times[i + 1]);
            return Err(Error::invalid("the times of a trajectory", problem));
        }
        Ok(Self { times, milestones })
    }

    /// A trajectory through the waypoints of a path, one every second.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn from_path(path: Vec<Vec<f64>>) -> Result<Self> {
        Self::new((0..path.len()).map(|i| i as f64).collect(), path)
    }

    /// The times of the milestones, s.
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The milestones.
    #[must_use]
    pub fn milestones(&self) -> &[Vec<f64>] {
        &self.milestones
    }

    /// Time of the first milestone, s.
    #[must_use]
    pub fn start_time(&self) -> f64 {
        self.times[0]
    }

    /// Time of the last milestone, s.
    #[must_use]
    pub fn end_time(&self) -> f64 {
        self.times[self.times.len() - 1]
    }

    /// Duration, s.
    #[must_use]
    pub fn duration(&self) -> f64 {
        self.end_time() - self.start_time()
    }

    /// Configuration at a time; for a time that is not a number, the first.
    #[must_use]
    #[doc(alias = "eval")]
    pub fn at(&self, time: f64) -> Vec<f64> {
        let (i, u) = self.position(time);
        let Some(next) = self.milestones.get(i + 1) else {
            return self.milestones[i].clone();
        };
        let both = self.milestones[i].iter().zip(next);
        both.map(|(a, b)| a + u * (b - a)).collect()
    }

    /// Velocity at a time; 0 before the start and from the end on.
    #[must_use]
    #[doc(alias = "deriv")]
    pub fn velocity_at(&self, time: f64) -> Vec<f64> {
        let rest = || vec![0.0; self.milestones[0].len()];
        let Some((i, length)) = self.segment(time) else {
            return rest();
        };
        let both = self.milestones[i].iter().zip(&self.milestones[i + 1]);
        both.map(|(a, b)| (b - a) / length).collect()
    }

    /// Concatenation: the other begins when this one ends.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of values.
    pub fn followed_by(&self, then: &Self) -> Result<Self> {
        let shift = self.end_time() - then.start_time();
        let times = self.times.iter().copied();
        let times = times.chain(then.times.iter().map(|t| t + shift)).collect();
        Self::new(times, [&self.milestones[..], &then.milestones[..]].concat())
    }

    /// The same path, time-scaled to `factor` times the duration.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a factor that is negative or not finite.
    pub fn time_scaled(&self, factor: f64) -> Result<Self> {
        if !(factor >= 0.0 && factor.is_finite()) {
            let problem = format!("{factor} is not a positive number");
            return Err(Error::invalid("the factor of a duration", problem));
        }
        let start = self.start_time();
        let times = self.times.iter().map(|t| start + factor * (t - start));
        Self::new(times.collect(), self.milestones.clone())
    }

    /// The parts before and after a time; both have a milestone there.
    #[must_use]
    pub fn split(&self, time: f64) -> (Self, Self) {
        let time = time.max(self.start_time()).min(self.end_time());
        let here = self.at(time);
        let cut = self.times.partition_point(|t| *t <= time);
        let join = |times: [&[f64]; 2], milestones: [&[Vec<f64>]; 2]| Self {
            times: times.concat(),
            milestones: milestones.concat(),
        };
        let (now, here) = ([time], [here]);
        let before = join([&self.times[..cut], &now], [&self.milestones[..cut], &here]);
        let after = join([&now, &self.times[cut..]], [&here, &self.milestones[cut..]]);
        (before, after)
    }

    /// The milestone before a time, and the position between that and the next, from 0 to 1.
    fn position(&self, time: f64) -> (usize, f64) {
        match self.segment(time) {
            Some((i, length)) => (i, (time - self.times[i]) / length),
            None if time >= self.end_time() => (self.times.len() - 1, 0.0),
            None => (0, 0.0),
        }
    }

    /// The milestone before a time, and the duration to the next; `None` where the trajectory rests.
    fn segment(&self, time: f64) -> Option<(usize, f64)> {
        let i = self.times.partition_point(|t| *t <= time).checked_sub(1)?;
        let length = self.times.get(i + 1)? - self.times[i];
        (length > 0.0).then_some((i, length))
    }
}

/// A [`Trajectory`] of a robot, interpolated between milestones joint by joint: spin joints the short way round, rotations as
/// rotations.
#[derive(Debug, Clone, Copy)]
pub struct RobotTrajectory<'a> {
    robot: &'a Robot,
    trajectory: &'a Trajectory,
}

impl<'a> RobotTrajectory<'a> {
    /// The trajectory of a robot.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] where milestones are not configurations of the robot.
    pub fn new(robot: &'a Robot, trajectory: &'a Trajectory) -> Result<Self> {
        kinematics::check_values("a milestone", robot.n_dofs(), &trajectory.milestones[0])?;
        Ok(Self { robot, trajectory })
    }

    /// Configuration at a time.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] where numbers are too large to interpolate.
    pub fn at(&self, time: f64) -> Result<Vec<f64>> {
        let (i, u) = self.trajectory.position(time);
        let milestones = &self.trajectory.milestones;
        match milestones.get(i + 1) {
            Some(next) => kinematics::interpolate(self.robot, &milestones[i], next, u),
            None => Ok(milestones[i].clone()),
        }
    }

    /// Velocity at a time; 0 before the start and from the end on.
    ///
    /// # Errors
    ///
    /// As [`at`](Self::at).
    pub fn velocity_at(&self, time: f64) -> Result<Vec<f64>> {
        let Some((i, length)) = self.trajectory.segment(time) else {
            return Ok(kinematics::neutral(self.robot));
        };
        let here = self.at(time)?;
        let remaining = self.trajectory.times[i + 1] - time;
        let mut rates =
            kinematics::interpolate_deriv(self.robot, &here, &self.trajectory.milestones[i + 1])?;
        let scale = if remaining > 0.0 {
            1.0 / remaining
        } else {
            1.0 / length
        };
        rates.iter_mut().for_each(|rate| *rate *= scale);
        Ok(rates)
    }

    /// A trajectory with milestones every `step` seconds, and the last: for programs that interpolate on straight lines.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a step that is not positive or makes more than ten million milestones.
    pub fn discretized(&self, step: f64) -> Result<Trajectory> {
        let count = (self.trajectory.duration() / step).ceil();
        if !(step > 0.0 && count <= 1e7) {
            let problem = format!("{step} s is not positive, or too short for this trajectory");
            return Err(Error::invalid("the step of a trajectory", problem));
        }
        let start = self.trajectory.start_time();
        let ticks = (0..count as usize).map(|i| start + i as f64 * step);
        let times: Vec<f64> = ticks.chain([self.trajectory.end_time()]).collect();
        let milestones = times.iter().map(|&t| self.at(t)).collect::<Result<_>>()?;
        Trajectory::new(times, milestones)
    }
}
