//! Recorded motions of a robot.

use super::joint_blocks::{Block, blocks};
use super::state::{State, check, check_values};
use crate::math::{Spline, so2};
use crate::robot::Robot;
use crate::{Error, Result};

/// A recorded motion: configuration, velocity and acceleration at increasing times.
#[derive(Debug, Clone, PartialEq)]
pub struct Recording {
    times: Vec<f64>,
    q: Vec<Vec<f64>>,
    dq: Vec<Vec<f64>>,
    ddq: Vec<Vec<f64>>,
}

/// Recorded samples: a row of n numbers per time.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Samples {
    /// Times, s, strictly increasing.
    pub times: Vec<f64>,
    /// Configurations (n each), rad or m.
    pub q: Vec<Vec<f64>>,
    /// Velocities, rad/s or m/s; `None` where they were not recorded.
    pub dq: Option<Vec<Vec<f64>>>,
    /// Accelerations, rad/s² or m/s²; `None` where they were not recorded.
    pub ddq: Option<Vec<Vec<f64>>>,
}

/// One sample of a recording.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Instant<'a> {
    /// Time, s.
    pub time: f64,
    /// Configuration (n), rad or m.
    pub q: &'a [f64],
    /// Velocity (n), rad/s or m/s.
    pub dq: &'a [f64],
    /// Acceleration (n), rad/s² or m/s².
    pub ddq: &'a [f64],
}

impl Samples {
    /// Samples of configurations alone.
    #[must_use]
    pub fn new(times: Vec<f64>, q: Vec<Vec<f64>>) -> Self {
        Self {
            times,
            q,
            ..Self::default()
        }
    }

    /// Adds the recorded velocities, rad/s or m/s.
    #[must_use]
    pub fn with_velocities(mut self, dq: Vec<Vec<f64>>) -> Self {
        self.dq = Some(dq);
        self
    }

    /// Adds the recorded accelerations, rad/s² or m/s².
    #[must_use]
    pub fn with_accelerations(mut self, ddq: Vec<Vec<f64>>) -> Self {
        self.ddq = Some(ddq);
        self
    }
}

impl Recording {
    /// A recording of the samples; missing velocities and accelerations come from a spline.
    ///
    /// The spline has degree 5, or less through fewer than six samples: accelerations are continuous, and their
    /// error falls with the fourth power of the time step. It goes through every sample, noise included: smooth
    /// noisy data first. Angles that are equal modulo 2π, as those of spin joints, may jump by full turns.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or [`Error::Invalid`] where there is not one row of n finite numbers per time, the
    /// times do not increase or are too close to each other, or a single sample comes without velocity and
    /// acceleration.
    ///
    /// # Examples
    ///
    /// ```
    /// use kinworld::kinematics::{Recording, Samples};
    /// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
    /// use kinworld::Vector;
    ///
    /// let mut stone = RobotBuilder::new("stone");
    /// stone.add_link(LinkSpec::new("stone", None, LinkMotion::Prismatic(Vector::z())));
    /// let stone = stone.build()?;
    ///
    /// // free fall
    /// let times = vec![0.0, 0.1, 0.3, 0.4];
    /// let q = times.iter().map(|t| vec![2.0 - 4.905 * t * t]).collect();
    /// let fall = Recording::new(&stone, Samples::new(times, q))?;
    /// for instant in fall.instants() {
    ///     assert!((instant.dq[0] + 9.81 * instant.time).abs() < 1e-12);
    ///     assert!((instant.ddq[0] + 9.81).abs() < 1e-12);
    /// }
    /// # Ok::<(), kinworld::Error>(())
    /// ```
    pub fn new(robot: &Robot, samples: Samples) -> Result<Self> {
        let Samples { times, q, dq, ddq } = samples;
        check_values("times of a recording", times.len(), &times)?;
        if let Some(pair) = times.windows(2).find(|pair| pair[0] >= pair[1]) {
            let problem = format!("{} does not come after {}", pair[1], pair[0]);
            return Err(Error::invalid("times of a recording", problem));
        }
        let rows = [
            ("configuration", Some(&q)),
            ("velocity", dq.as_ref()),
            ("acceleration", ddq.as_ref()),
        ];
        for (what, rows) in rows
            .into_iter()
            .filter_map(|(what, rows)| Some((what, rows?)))
        {
            if rows.len() != times.len() {
                return Err(Error::Length {
                    what: "a recording",
                    expected: times.len(),
                    found: rows.len(),
                });
            }
            rows.iter().try_for_each(|row| check(what, robot, row))?;
        }

        let (dq, ddq) = match (dq, ddq) {
            (Some(dq), Some(ddq)) => (dq, ddq),
            (dq, ddq) => {
                let derived = Derived::new(robot, &times, &q, dq.as_ref())?;
                let ddq = ddq.unwrap_or(derived.ddq);
                (dq.unwrap_or(derived.dq), ddq)
            }
        };
        Ok(Self { times, q, dq, ddq })
    }

    /// Number of samples.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Returns whether there are no samples.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The samples in order of time.
    pub fn instants(&self) -> impl ExactSizeIterator<Item = Instant<'_>> {
        self.times.iter().enumerate().map(|(k, &time)| Instant {
            time,
            q: &self.q[k],
            dq: &self.dq[k],
            ddq: &self.ddq[k],
        })
    }
}

impl Instant<'_> {
    /// The state of the robot in this sample; the acceleration is not part of it.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for a robot with another number of degrees of freedom than the recording.
    pub fn state(&self, robot: &Robot) -> Result<State> {
        let mut state = State::new(robot);
        state.set_config(robot, self.q)?;
        state.set_velocity(robot, self.dq)?;
        Ok(state)
    }
}

/// Velocities and accelerations from splines.
struct Derived {
    dq: Vec<Vec<f64>>,
    ddq: Vec<Vec<f64>>,
}

impl Derived {
    /// Differentiates the configurations; accelerations come from the velocities where these are known.
    fn new(
        robot: &Robot,
        times: &[f64],
        q: &[Vec<f64>],
        known: Option<&Vec<Vec<f64>>>,
    ) -> Result<Self> {
        let zeros = || vec![vec![0.0; robot.n_dofs()]; times.len()];
        let mut derived = Self {
            dq: zeros(),
            ddq: zeros(),
        };
        if times.len() == 1 {
            let problem = "a single sample needs a velocity and an acceleration";
            return Err(Error::invalid("a recording", problem));
        }
        if times.is_empty() {
            return Ok(derived);
        }
        let spline = Spline::new(times);
        for (i, unwrapped) in is_angle(robot).into_iter().enumerate() {
            let column = |rows: &[Vec<f64>]| rows.iter().map(|row| row[i]).collect::<Vec<_>>();
            let (first, second) = match known {
                Some(dq) => {
                    let dq = column(dq);
                    let ddq = spline.derivatives(&dq).0;
                    (dq, ddq)
                }
                None => {
                    let mut q = column(q);
                    if unwrapped {
                        unwrap(&mut q);
                    }
                    spline.derivatives(&q)
                }
            };
            if first.iter().chain(&second).any(|x| !x.is_finite()) {
                let problem = "are too close to each other for a velocity";
                return Err(Error::invalid("times of a recording", problem));
            }
            for (k, (v, a)) in first.into_iter().zip(second).enumerate() {
                derived.dq[k][i] = v;
                derived.ddq[k][i] = a;
            }
        }
        Ok(derived)
    }
}

/// For each degree of freedom, whether it is an angle equal modulo 2π.
fn is_angle(robot: &Robot) -> Vec<bool> {
    let mut is_angle = vec![false; robot.n_dofs()];
    for block in blocks(robot) {
        match block {
            Block::Weld(_) | Block::Linear(_) => {}
            Block::Angle(i) => is_angle[i] = true,
            Block::Rotation(all) => all.into_iter().for_each(|i| is_angle[i] = true),
        }
    }
    is_angle
}

/// Removes jumps by full turns.
fn unwrap(angles: &mut [f64]) {
    for k in 1..angles.len() {
        angles[k] = angles[k - 1] + so2::difference(angles[k], angles[k - 1]);
    }
}
