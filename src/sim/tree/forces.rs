//! Forces on a tree: motors, controllers, stops, friction, external wrenches.

use super::stops::JointStops;
use crate::kinematics::{State, check_length};
use crate::math::{GRAVITY, Vector, Wrench};
use crate::robot::{LinkId, Robot};
use crate::{Error, Result, dynamics};

/// Forces on a [`KinematicTree`](super::KinematicTree), as plain data that an observer may change between steps.
///
/// Lists have one value per degree of freedom (n) or are empty.
///
/// | field | generalized force on the right-hand side |
/// |---|---|
/// | `joint` | itself: on the link, and its reaction on the parent |
/// | `pd` | `p (position − q) + d (velocity − q̇)` |
/// | `stops` | see [`JointStops`] |
/// | `friction` | [`dynamics::friction_forces`](crate::dynamics::friction_forces) |
/// | `springs` | [`dynamics::spring_forces`](crate::dynamics::spring_forces) |
/// | `wrenches` | `Jᵀ f` |
///
/// By default there is gravity and nothing else; [`of_robot`](Self::of_robot) adds what the file of a robot says.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Forces {
    /// Acceleration of gravity, m/s² in world axes; [`GRAVITY`] by default.
    pub gravity: Vector,
    /// Joint forces of motors, N·m or N (n, or none).
    #[doc(alias = "qfrc_applied")]
    pub joint: Vec<f64>,
    /// Controller of each degree of freedom.
    pub pd: Pd,
    /// External wrenches on links, N and N·m in world axes, the moment about the origin of the link. Those on one link
    /// add up.
    #[doc(alias = "xfrc_applied")]
    pub wrenches: Vec<(LinkId, Wrench)>,
    /// Slip velocity of the drivers' friction, rad/s or m/s; `None` for no friction.
    pub friction: Option<f64>,
    /// Whether the springs of the robot's joints act.
    pub springs: bool,
    /// Compliant stops at the position limits; `None` for none.
    pub stops: Option<JointStops>,
}

/// Proportional-derivative controller of each degree of freedom: `p (position − q) + d (velocity − q̇)`.
///
/// An empty list leaves its term out: `p` or `position` the first, `d` or `velocity` the second.
#[doc(alias = "controller")]
#[derive(Debug, Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Pd {
    /// Position gains, N·m/rad or N/m (n, or none).
    #[doc(alias = "kp")]
    pub p: Vec<f64>,
    /// Velocity gains, N·m·s/rad or N·s/m (n, or none).
    #[doc(alias = "kd")]
    pub d: Vec<f64>,
    /// Target positions, rad or m (n, or none).
    pub position: Vec<f64>,
    /// Target velocities, rad/s or m/s (n, or none).
    pub velocity: Vec<f64>,
}

impl Pd {
    /// Sets the position gains (n, or none).
    #[must_use]
    pub fn with_p(mut self, p: Vec<f64>) -> Self {
        self.p = p;
        self
    }

    /// Sets the velocity gains (n, or none).
    #[must_use]
    pub fn with_d(mut self, d: Vec<f64>) -> Self {
        self.d = d;
        self
    }

    /// Sets the target positions (n, or none).
    #[must_use]
    pub fn with_position(mut self, position: Vec<f64>) -> Self {
        self.position = position;
        self
    }

    /// Sets the target velocities (n, or none).
    #[must_use]
    pub fn with_velocity(mut self, velocity: Vec<f64>) -> Self {
        self.velocity = velocity;
        self
    }
}

/// User-defined force: time, positions, velocities, and the generalized forces (n) to add to.
pub(super) type UserForce = dyn Fn(f64, &[f64], &[f64], &mut [f64]) + Send + Sync;

impl Default for Forces {
    /// Gravity alone.
    fn default() -> Self {
        Self {
            gravity: GRAVITY,
            joint: Vec::new(),
            pd: Pd::default(),
            wrenches: Vec::new(),
            friction: None,
            springs: false,
            stops: None,
        }
    }
}

impl Forces {
    /// Gravity, the friction of the robot's drivers, the springs of its joints, and [stops](JointStops::of_robot) at its
    /// position limits: the robot that its file describes, in the configuration `q` (n) at the start.
    ///
    /// Dry friction is smoothed over [`FRICTION_SMOOTHING`](Self::FRICTION_SMOOTHING).
    ///
    /// # Errors
    ///
    /// [`Error::Length`], or [`Error::Invalid`] for a number that is not finite.
    pub fn of_robot(robot: &Robot, q: &[f64]) -> Result<Self> {
        Ok(Self {
            friction: Some(Self::FRICTION_SMOOTHING),
            springs: true,
            stops: Some(JointStops::of_robot(robot, q)?),
            ..Self::default()
        })
    }

    /// Slip velocity of dry friction in [`of_robot`](Self::of_robot), rad/s or m/s: at rest, a load of a tenth of the
    /// dry friction moves a joint by a tenth of it.
    pub const FRICTION_SMOOTHING: f64 = 0.05;

    /// Sets the acceleration of gravity, m/s² in world axes.
    #[must_use]
    pub fn with_gravity(mut self, gravity: Vector) -> Self {
        self.gravity = gravity;
        self
    }

    /// Sets the forces of motors, N·m or N (n, or none).
    #[must_use]
    pub fn with_joint(mut self, joint: Vec<f64>) -> Self {
        self.joint = joint;
        self
    }

    /// Sets the controller.
    #[must_use]
    pub fn with_pd(mut self, pd: Pd) -> Self {
        self.pd = pd;
        self
    }

    /// Sets the external wrenches on links.
    #[must_use]
    pub fn with_wrenches(mut self, wrenches: Vec<(LinkId, Wrench)>) -> Self {
        self.wrenches = wrenches;
        self
    }

    /// Sets the slip velocity of friction, rad/s or m/s; `None` for no friction.
    #[must_use]
    pub fn with_friction(mut self, friction: Option<f64>) -> Self {
        self.friction = friction;
        self
    }

    /// Sets whether the springs of the robot's joints act.
    #[must_use]
    pub fn with_springs(mut self, springs: bool) -> Self {
        self.springs = springs;
        self
    }

    /// Sets the compliant stops; `None` for none.
    #[must_use]
    pub fn with_stops(mut self, stops: Option<JointStops>) -> Self {
        self.stops = stops;
        self
    }

    /// Adds the generalized forces of everything but gravity and wrenches to `tau` (n).
    pub(super) fn add(
        &self,
        robot: &Robot,
        state: &State,
        [q, dq]: [&[f64]; 2],
        friction: &mut [f64],
        tau: &mut [f64],
    ) -> Result<()> {
        let n = tau.len();
        if let Some(joint) = list("joint force", n, &self.joint)? {
            for (tau, joint) in tau.iter_mut().zip(joint) {
                *tau += joint;
            }
        }
        let Pd {
            p,
            d,
            position,
            velocity,
        } = &self.pd;
        add_gain_term(
            list("gain p", n, p)?,
            list("target position", n, position)?,
            q,
            tau,
        );
        add_gain_term(
            list("gain d", n, d)?,
            list("target velocity", n, velocity)?,
            dq,
            tau,
        );
        if let Some(stops) = &self.stops {
            stops.check(n)?;
            stops.add_forces([q, dq], tau);
        }
        if let Some(slip) = self.friction {
            dynamics::friction_forces_into(robot, state, slip, friction)?;
            for (tau, friction) in tau.iter_mut().zip(friction) {
                *tau += *friction;
            }
        }
        if self.springs {
            dynamics::add_spring_forces(robot, q, tau);
        }
        Ok(())
    }
}

/// Adds `gain (target − x)`, where both are given.
fn add_gain_term(gains: Option<&[f64]>, targets: Option<&[f64]>, x: &[f64], tau: &mut [f64]) {
    let (Some(gains), Some(targets)) = (gains, targets) else {
        return;
    };
    for i in 0..tau.len() {
        tau[i] += gains[i] * (targets[i] - x[i]);
    }
}

/// Checks a list of n values; `None` for an empty one.
fn list<'a>(what: &'static str, n: usize, values: &'a [f64]) -> Result<Option<&'a [f64]>> {
    if values.is_empty() {
        return Ok(None);
    }
    check_length(what, n, values)?;
    Ok(Some(values))
}

/// Refuses generalized forces that are not finite.
pub(super) fn check_finite(robot: &Robot, tau: &[f64]) -> Result<()> {
    match tau.iter().position(|x| !x.is_finite()) {
        Some(i) => {
            let what = format!("force on link `{}`", robot.link(robot.dofs()[i]).name());
            Err(Error::invalid(
                what,
                format!("is {}, it must be finite", tau[i]),
            ))
        }
        None => Ok(()),
    }
}
