//! Limits of a motion.

use std::ops::Range;

use super::violation::LimitKind;
use crate::robot::{DofId, Robot};
use crate::{Error, Result, kinematics};

/// Limits of velocity, acceleration, jerk and torque of each degree of freedom; infinite where there is none.
///
/// # Examples
///
/// ```
/// use kinworld::Robot;
/// use kinworld::planning::MotionLimits;
///
/// // a URDF has limits of velocity and torque, and none of acceleration
/// let arm = Robot::load("data/robots/arm6.urdf")?.value;
/// let limits = MotionLimits::of(&arm).with_acceleration(&[8.0; 6])?;
/// assert_eq!((limits.torque()[0], limits.acceleration()[0]), (240.0, 8.0));
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MotionLimits {
    names: Vec<String>,
    velocity: Vec<[f64; 2]>,
    acceleration: Vec<f64>,
    jerk: Vec<f64>,
    torque: Vec<f64>,
}

impl MotionLimits {
    /// No limits, for this many degrees of freedom.
    #[must_use]
    pub fn new(n_dofs: usize) -> Self {
        let none = vec![f64::INFINITY; n_dofs];
        Self {
            names: (0..n_dofs)
                .map(|i| format!("degree of freedom {i}"))
                .collect(),
            velocity: vec![[f64::NEG_INFINITY, f64::INFINITY]; n_dofs],
            acceleration: none.clone(),
            jerk: none.clone(),
            torque: none,
        }
    }

    /// The limits of a robot, as its file or its builder has them. A limit of velocity or torque that is 0 counts as none,
    /// as in many files.
    #[must_use]
    pub fn of(robot: &Robot) -> Self {
        let limits = robot.limits();
        let stated = |x: f64| {
            if x > 0.0 && x < NONE {
                x
            } else {
                f64::INFINITY
            }
        };
        let name = |i| format!("joint `{}`", robot.dof_name(DofId::new(i)));
        Self {
            names: (0..limits.len()).map(name).collect(),
            velocity: limits
                .iter()
                .map(|l| [-stated(-l.v_min), stated(l.v_max)])
                .collect(),
            acceleration: limits.iter().map(|l| stated(l.a_max)).collect(),
            jerk: vec![f64::INFINITY; limits.len()],
            torque: limits.iter().map(|l| stated(l.tau_max)).collect(),
        }
    }

    /// The limits of several robots, one after the other, as in the configurations of a space of theirs.
    #[must_use]
    pub fn joined(parts: &[Self]) -> Self {
        let mut all = Self::new(0);
        for part in parts {
            all.names.extend_from_slice(&part.names);
            all.velocity.extend_from_slice(&part.velocity);
            all.acceleration.extend_from_slice(&part.acceleration);
            all.jerk.extend_from_slice(&part.jerk);
            all.torque.extend_from_slice(&part.torque);
        }
        all
    }

    /// The limits of some degrees of freedom.
    pub(in crate::planning) fn part(&self, range: Range<usize>) -> Self {
        Self {
            names: self.names[range.clone()].to_vec(),
            velocity: self.velocity[range.clone()].to_vec(),
            acceleration: self.acceleration[range.clone()].to_vec(),
            jerk: self.jerk[range.clone()].to_vec(),
            torque: self.torque[range].to_vec(),
        }
    }

    /// With limits of the magnitude of the velocity (n), rad/s or m/s.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] for another number of values; [`Error::Invalid`] for one that is not above 0.
    pub fn with_velocity(mut self, limits: &[f64]) -> Result<Self> {
        self.check("velocity", limits)?;
        self.velocity = limits.iter().map(|v| [-v, *v]).collect();
        Ok(self)
    }

    /// With limits of the magnitude of the acceleration (n), rad/s² or m/s².
    ///
    /// # Errors
    ///
    /// As [`with_velocity`](Self::with_velocity).
    pub fn with_acceleration(mut self, limits: &[f64]) -> Result<Self> {
        self.check("acceleration", limits)?;
        self.acceleration = limits.to_vec();
        Ok(self)
    }

    /// With limits of the magnitude of the jerk (n), rad/s³ or m/s³.
    ///
    /// # Errors
    ///
    /// As [`with_velocity`](Self::with_velocity).
    pub fn with_jerk(mut self, limits: &[f64]) -> Result<Self> {
        self.check("jerk", limits)?;
        self.jerk = limits.to_vec();
        Ok(self)
    }

    /// With limits of the magnitude of the torque or force (n), N·m or N. They count where the
    /// [dynamics](super::TimeParameterization::with_dynamics) of the robot are given.
    ///
    /// # Errors
    ///
    /// As [`with_velocity`](Self::with_velocity).
    pub fn with_torque(mut self, limits: &[f64]) -> Result<Self> {
        self.check("torque", limits)?;
        self.torque = limits.to_vec();
        Ok(self)
    }

    /// Sets the limit of a degree of freedom to a number above 0.
    pub(crate) fn set(&mut self, dof: usize, kind: LimitKind, limit: f64) {
        match kind {
            LimitKind::Velocity => self.velocity[dof] = [-limit, limit],
            LimitKind::Acceleration => self.acceleration[dof] = limit,
            LimitKind::Jerk => self.jerk[dof] = limit,
            LimitKind::Torque => self.torque[dof] = limit,
        }
    }

    /// With all limits of velocity, acceleration and jerk for a motion that is slower: times `speed`, its square and its cube.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] for a factor that is not above 0 and finite.
    pub fn scaled(mut self, speed: f64) -> Result<Self> {
        if !(speed > 0.0 && speed.is_finite()) {
            let problem = format!("{speed} is not a number above 0");
            return Err(Error::invalid("the factor of a speed", problem));
        }
        for range in &mut self.velocity {
            *range = range.map(|v| v * speed);
        }
        self.acceleration
            .iter_mut()
            .for_each(|a| *a *= speed * speed);
        self.jerk.iter_mut().for_each(|j| *j *= speed.powi(3));
        Ok(self)
    }

    /// Number of degrees of freedom, n.
    #[must_use]
    pub fn n_dofs(&self) -> usize {
        self.velocity.len()
    }

    /// Smallest and largest velocity (n), rad/s or m/s.
    #[must_use]
    pub fn velocity(&self) -> &[[f64; 2]] {
        &self.velocity
    }

    /// Largest magnitude of the acceleration (n), rad/s² or m/s².
    #[must_use]
    pub fn acceleration(&self) -> &[f64] {
        &self.acceleration
    }

    /// Largest magnitude of the jerk (n), rad/s³ or m/s³.
    #[must_use]
    pub fn jerk(&self) -> &[f64] {
        &self.jerk
    }

    /// Largest magnitude of the torque or force (n), N·m or N.
    #[must_use]
    pub fn torque(&self) -> &[f64] {
        &self.torque
    }

    /// The name of a degree of freedom, for messages.
    pub(super) fn name(&self, dof: usize) -> &str {
        &self.names[dof]
    }

    fn check(&self, what: &str, limits: &[f64]) -> Result<()> {
        kinematics::check_length("limits of a motion", self.n_dofs(), limits)?;
        match limits.iter().position(|x| x.is_nan() || *x <= 0.0) {
            None => Ok(()),
            Some(i) => {
                let what = format!("limit of the {what} of {}", self.names[i]);
                let problem = format!("must be above 0, got {}", limits[i]);
                Err(Error::invalid(what, problem))
            }
        }
    }
}

/// Files write such numbers where there is no limit.
const NONE: f64 = 1e100;
