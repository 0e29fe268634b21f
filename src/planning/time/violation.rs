//! Limits that a motion violates, and how much of them it uses.

use std::fmt;

/// A quantity with a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LimitKind {
    /// Velocity, rad/s or m/s.
    Velocity,
    /// Acceleration, rad/s² or m/s².
    Acceleration,
    /// Jerk, rad/s³ or m/s³.
    Jerk,
    /// Torque or force, N·m or N.
    Torque,
}

impl fmt::Display for LimitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Velocity => "velocity",
            Self::Acceleration => "acceleration",
            Self::Jerk => "jerk",
            Self::Torque => "torque",
        })
    }
}

/// A limit that a motion violates.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Violation {
    /// Time, s.
    pub time: f64,
    /// The degree of freedom.
    pub dof: usize,
    /// Its name, or its number.
    pub name: String,
    /// The quantity.
    pub kind: LimitKind,
    /// Its value.
    pub value: f64,
    /// The limit.
    pub limit: f64,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            time,
            name,
            kind,
            value,
            limit,
            ..
        } = self;
        write!(
            f,
            "{kind} of {name} is {value:.6} at {time:.6} s, its limit is {limit}"
        )
    }
}

/// The largest part of each limit that a motion uses (n each): 1 where it reaches the limit, 0 where there is none.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Utilization {
    /// Of the velocity.
    pub velocity: Vec<f64>,
    /// Of the acceleration.
    pub acceleration: Vec<f64>,
    /// Of the jerk; infinite where an acceleration with a limit of jerk jumps.
    pub jerk: Vec<f64>,
    /// Of the torque.
    pub torque: Vec<f64>,
}
