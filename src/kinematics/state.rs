//! Configuration, velocity and link poses of a robot.

use std::sync::Arc;

use nalgebra::Matrix3;

use crate::kernel::{self, Frame, Frames};
use crate::math::{Pose, Rotation, Vector};
use crate::robot::{DofId, LinkId, Robot};
use crate::{Error, Result};

/// A configuration, a velocity and the poses that follow from them, of one robot.
///
/// It knows its robot: with another one, calls that return a `Result` fail and the others panic, and the message names both.
/// Clones of a robot share their states, and so does the same robot [with a payload](Robot::with_payload).
///
/// It is always consistent: changing the configuration updates the poses. Clone it to evaluate another
/// configuration without changing this one.
///
/// With the feature `serde` it is stored as its [`Snapshot`], which [`State::restore`] reads back; the poses are
/// computed again.
///
/// # Examples
///
/// ```
/// use kinworld::robot::{LinkSpec, LinkMotion, RobotBuilder};
/// use kinworld::{State, Vector};
///
/// let mut robot = RobotBuilder::new("lift");
/// let lift = robot.add_link(LinkSpec::new("lift", None, LinkMotion::Prismatic(Vector::z())));
/// let robot = robot.build()?;
///
/// let mut state = State::new(&robot);
/// state.set_config(&robot, &[0.3])?;
/// assert_eq!(state.pose(&robot, lift).translation.z, 0.3);
/// # Ok::<(), kinworld::Error>(())
/// ```
#[derive(Debug, Clone)]
#[doc(alias = "Data")]
#[doc(alias = "mjData")]
pub struct State {
    // the robot that it belongs to
    robot: Arc<str>,

    // inputs
    q: Vec<f64>,  // configuration (n) rad or m
    dq: Vec<f64>, // velocity      (n) rad/s or m/s

    // depends on q
    frames: Frames<f64>, // bodies of the compiled tree in the world
}

/// The plain data of a [`State`], which needs no robot.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Snapshot {
    /// The configuration (n), rad or m.
    pub config: Vec<f64>,
    /// Its rate (n), rad/s or m/s.
    pub velocity: Vec<f64>,
}

impl Snapshot {
    /// A configuration (n) and its rate (n).
    pub fn new(config: impl Into<Vec<f64>>, velocity: impl Into<Vec<f64>>) -> Self {
        Self {
            config: config.into(),
            velocity: velocity.into(),
        }
    }
}

impl State {
    /// The robot at rest in its [`initial_config`](Robot::initial_config).
    #[must_use]
    pub fn new(robot: &Robot) -> Self {
        let mut state = Self {
            robot: robot.identity().clone(),
            q: robot.initial_config().to_vec(),
            dq: vec![0.0; robot.n_dofs()],
            frames: Frames::new(robot.tree()),
        };
        state.update(robot);
        state
    }

    /// The state that a snapshot describes.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config) and [`set_velocity`](Self::set_velocity).
    pub fn restore(robot: &Robot, snapshot: &Snapshot) -> Result<Self> {
        let mut state = Self::new(robot);
        state.set_config(robot, &snapshot.config)?;
        state.set_velocity(robot, &snapshot.velocity)?;
        Ok(state)
    }

    /// The configuration and the velocity, as plain data.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            config: self.q.clone(),
            velocity: self.dq.clone(),
        }
    }

    /// The configuration (n), rad or m.
    #[must_use]
    #[inline]
    pub fn config(&self) -> &[f64] {
        &self.q
    }

    /// The velocity (n), rad/s or m/s.
    #[must_use]
    #[inline]
    pub fn velocity(&self) -> &[f64] {
        &self.dq
    }

    /// Sets the configuration and updates the poses. Limits are not enforced; the velocity stays.
    ///
    /// # Errors
    ///
    /// [`Error::Length`] or, for a number that is not finite or a state of another robot, [`Error::Invalid`]; then nothing
    /// changes.
    #[doc(alias = "forward_kinematics")]
    #[doc(alias = "forwardKinematics")]
    #[doc(alias = "fk")]
    #[doc(alias = "mj_kinematics")]
    #[doc(alias = "setConfig")]
    pub fn set_config(&mut self, robot: &Robot, q: &[f64]) -> Result<()> {
        self.check_robot(robot)?;
        check("configuration", robot, q)?;
        self.q.copy_from_slice(q);
        self.update(robot);
        Ok(())
    }

    /// Sets the velocity; the configuration stays.
    ///
    /// # Errors
    ///
    /// As [`set_config`](Self::set_config).
    pub fn set_velocity(&mut self, robot: &Robot, dq: &[f64]) -> Result<()> {
        self.check_robot(robot)?;
        check("velocity", robot, dq)?;
        self.dq.copy_from_slice(dq);
        Ok(())
    }

    /// The pose of a link in the world, `x_wl`.
    ///
    /// # Panics
    ///
    /// If the state belongs to another robot, or the link to a larger one.
    #[must_use]
    #[inline]
    #[doc(alias = "getTransform")]
    #[doc(alias = "oMf")]
    #[doc(alias = "xpos")]
    pub fn pose(&self, robot: &Robot, link: LinkId) -> Pose {
        let attachment = robot.attachment(link);
        match attachment.body {
            Some(body) => pose(&self.bodies(robot)[body]) * attachment.x_bl,
            None => attachment.x_bl,
        }
    }

    /// The pose of a link in its parent, `x_pl`; in the world for a link without one.
    ///
    /// # Panics
    ///
    /// If the state belongs to another robot, or the link to a larger one.
    #[must_use]
    #[inline]
    #[doc(alias = "liMi")]
    #[doc(alias = "getParentTransform")]
    pub fn pose_in_parent(&self, robot: &Robot, link: LinkId) -> Pose {
        self.assert_robot(robot);
        let link = robot.link(link);
        let q = link.dof().map_or(0.0, |dof| self.q[dof.index()]);
        link.placement() * link.motion().pose(q)
    }

    /// Sets the values of some degrees of freedom; the others stay.
    pub(super) fn set_dofs(&mut self, robot: &Robot, dofs: &[DofId], values: &[f64]) -> Result<()> {
        self.check_robot(robot)?;
        check_values("values of the sub-robot", dofs.len(), values)?;
        for (dof, &value) in dofs.iter().zip(values) {
            self.q[dof.index()] = value;
        }
        self.update(robot);
        Ok(())
    }

    /// The frames of the compiled tree of its robot.
    ///
    /// # Panics
    ///
    /// If the state belongs to another robot.
    #[inline]
    pub(crate) fn bodies(&self, robot: &Robot) -> &[Frame<f64>] {
        self.assert_robot(robot);
        self.frames.bodies()
    }

    /// Refuses another robot than that of the state.
    #[inline]
    pub(crate) fn check_robot(&self, robot: &Robot) -> Result<()> {
        if Arc::ptr_eq(&self.robot, robot.identity()) {
            return Ok(());
        }
        Err(self.foreign(robot))
    }

    /// Panics for another robot than that of the state.
    #[inline]
    fn assert_robot(&self, robot: &Robot) {
        if !Arc::ptr_eq(&self.robot, robot.identity()) {
            panic!("{}", self.foreign(robot));
        }
    }

    #[cold]
    fn foreign(&self, robot: &Robot) -> Error {
        let other = if *self.robot == *robot.name() {
            "another robot of that name".to_owned()
        } else {
            format!("robot `{}`", robot.name())
        };
        let problem = format!("cannot be used with {other}: make one by `State::new`");
        Error::invalid(format!("state of robot `{}`", self.robot), problem)
    }

    fn update(&mut self, robot: &Robot) {
        kernel::single::forward(robot.tree(), &self.q, &mut self.frames);
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for State {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.snapshot().serialize(serializer)
    }
}

/// Refuses vectors that do not have n values, or with numbers that are not finite.
#[inline]
pub(crate) fn check(what: &'static str, robot: &Robot, values: &[f64]) -> Result<()> {
    check_values(what, robot.n_dofs(), values)
}

/// Largest number of a state: squares of larger ones, and products with masses, are not finite.
pub(crate) const LARGEST: f64 = 1e100;

/// Refuses vectors of the wrong length or with numbers that are not finite or out of range.
pub(crate) fn check_values(what: &'static str, expected: usize, values: &[f64]) -> Result<()> {
    check_length(what, expected, values)?;

    // without a branch, so that the loop vectorises; the index matters only in the message
    if values
        .iter()
        .fold(true, |all, x| all & (x.abs() <= LARGEST))
    {
        return Ok(());
    }
    let wrong = |value: &f64| value.is_nan() || value.abs() > LARGEST;
    let Some(i) = values.iter().position(wrong) else {
        return Ok(());
    };
    let wanted = if values[i].is_finite() {
        format!("from {:?} to {LARGEST:?}", -LARGEST)
    } else {
        "finite".to_owned()
    };
    let problem = format!("value {i} is {:?}, it must be {wanted}", values[i]);
    Err(Error::invalid(what, problem))
}

/// Refuses vectors of the wrong length.
#[inline]
pub(crate) fn check_length<T>(what: &'static str, expected: usize, values: &[T]) -> Result<()> {
    if values.len() == expected {
        return Ok(());
    }
    Err(Error::Length {
        what,
        expected,
        found: values.len(),
    })
}

#[inline]
fn pose(frame: &Frame<f64>) -> Pose {
    let rotation = Matrix3::from_column_slice(&frame.rotation());
    Pose::from_parts(
        Vector::from(frame.origin()).into(),
        Rotation::from_matrix_unchecked(rotation),
    )
}
